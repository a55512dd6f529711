use super::{Bound, Entry, Memo, Policy, Probe, Record, Slot, Table};
use crate::engine::game::{Fault, Key, Keyed, Score, Window};

/// A value and the window it was searched under.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntervalRecord {
    value: Score,
    window: Window,
}

impl IntervalRecord {
    /// Turns the record as seed 000 turns it for black: (−value, −β, −α); its own inverse.
    #[inline]
    fn signed(self, negated: bool) -> Self {
        if negated {
            Self {
                value: -self.value,
                window: self.window.negate(),
            }
        } else {
            self
        }
    }
}

/// The policy `interval` (seeds 000 and 002): answers if the entry's window contains the one asked; else the search
/// runs under the least window that contains both, so that an entry only ever gets more general.
pub type Interval<K> = Table<K, IntervalRecord>;

impl<K: Key> Memo<K> for Interval<K> {
    #[inline]
    fn probe(&self, slot: Slot<K>, depth: u8, window: Window) -> Probe {
        let Some(record) = self.get(Keyed {
            key: slot.key,
            depth,
        }) else {
            return Probe::Search {
                window,
                found: false,
            };
        };
        let record = record.signed(slot.negated);
        if record.window.contains(window) {
            Probe::Answer(record.value)
        } else {
            Probe::Search {
                window: window.widen(record.window),
                found: true,
            }
        }
    }

    #[inline]
    fn store(&mut self, slot: Slot<K>, depth: u8, window: Window, value: Score) {
        let record = IntervalRecord { value, window };
        self.insert(
            Keyed {
                key: slot.key,
                depth,
            },
            record.signed(slot.negated),
        );
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
        .map(|record| record.signed(slot.negated).value)
    }
}

impl Record for IntervalRecord {
    const POLICY: Policy = Policy::Interval;

    fn entry(self, depth: u8) -> Entry {
        let bound = Some(Bound::of(self.value, self.window));
        Entry {
            value: self.value,
            window: Some(self.window),
            bound,
            depth: Some(depth),
        }
    }

    fn from_entry(entry: &Entry) -> Result<Self, Fault> {
        let window = entry.window.ok_or_else(|| {
            Fault::new(
                "an entry of the memo policy `interval` needs the window it was searched under",
            )
            .hint("give alpha=… and beta=…")
        })?;
        Ok(Self {
            value: entry.value,
            window,
        })
    }
}
