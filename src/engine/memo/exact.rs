use super::{Bound, Entry, Memo, Policy, Probe, Record, Slot, Table};
use crate::engine::game::{Fault, Key, Keyed, Score, Window};

/// A value that is the value, whatever window is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExactRecord(Score);

/// The policy `exact` (seed 004, and the plain minimax): the arguments are the key.
///
/// Alpha-beta may use it too: a value is stored only when it lay inside its window.
pub type Exact<K> = Table<K, ExactRecord>;

impl<K: Key> Memo<K> for Exact<K> {
    #[inline]
    fn probe(&self, slot: Slot<K>, depth: u8, window: Window) -> Probe {
        match self.recall(slot, depth) {
            Some(value) => Probe::Answer(value),
            None => Probe::Search {
                window,
                found: false,
            },
        }
    }

    #[inline]
    fn store(&mut self, slot: Slot<K>, depth: u8, window: Window, value: Score) {
        if window.holds(value) {
            self.insert(
                Keyed {
                    key: slot.key,
                    depth,
                },
                ExactRecord(signed(value, slot.negated)),
            );
        }
    }

    #[inline]
    fn touch(&mut self, slot: Slot<K>, depth: u8) {
        Self::touch(
            self,
            Keyed {
                key: slot.key,
                depth,
            },
        );
    }

    #[inline]
    fn evictions(&self) -> u64 {
        self.keeper.state.evicted
    }

    #[inline]
    fn recall(&self, slot: Slot<K>, depth: u8) -> Option<Score> {
        self.get(Keyed {
            key: slot.key,
            depth,
        })
        .map(|record| signed(record.0, slot.negated))
    }
}

/// A score as a slot stores it; its own inverse.
#[inline]
pub(super) fn signed(value: Score, negated: bool) -> Score {
    if negated { -value } else { value }
}

impl Record for ExactRecord {
    const POLICY: Policy = Policy::Exact;

    fn entry(self, depth: u8) -> Entry {
        Entry {
            value: self.0,
            window: None,
            bound: Some(Bound::Exact),
            depth: Some(depth),
        }
    }

    fn from_entry(entry: &Entry) -> Result<Self, Fault> {
        match entry.bound {
            None | Some(Bound::Exact) => Ok(Self(entry.value)),
            Some(bound) => Err(Fault::new(format!(
                "the memo policy `exact` cannot hold a {} bound",
                bound.name()
            ))),
        }
    }
}
