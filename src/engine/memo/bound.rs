use serde::{Deserialize, Serialize};

use super::{Bound, Entry, Memo, Policy, Probe, Record, Slot, Table, exact::signed};
use crate::engine::game::{Fault, Key, Keyed, Score, Window};

/// Which entries may serve a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reuse {
    /// Only those of the depth asked for: values equal those of a search without memo.
    #[default]
    Exact,
    /// Those of any greater depth too, as seed 003 has it (defects D13 and D14).
    Deeper,
}

/// Flag, value and depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundRecord {
    value: Score,
    bound: Bound,
    depth: u8,
}

/// The policy `bound` (seed 003): one entry a position; answers, or narrows the window and searches.
#[derive(Clone, Debug)]
pub struct Bounded<K> {
    /// The entries, all under depth 0: the depth is in the record.
    pub table: Table<K, BoundRecord>,
    /// Which entries may serve.
    pub reuse: Reuse,
}

impl<K> Default for Bounded<K> {
    fn default() -> Self {
        Self {
            table: Table::default(),
            reuse: Reuse::Exact,
        }
    }
}

impl<K: Key> Bounded<K> {
    fn usable(&self, slot: Slot<K>, depth: u8) -> Result<BoundRecord, bool> {
        let record = self
            .table
            .get(Keyed {
                key: slot.key,
                depth: 0,
            })
            .ok_or(false)?;
        let serves = match self.reuse {
            Reuse::Exact => record.depth == depth,
            Reuse::Deeper => record.depth >= depth,
        };
        if serves {
            Ok(record.signed(slot.negated))
        } else {
            Err(true)
        }
    }
}

impl BoundRecord {
    fn signed(self, negated: bool) -> Self {
        let bound = match self.bound {
            Bound::Lower if negated => Bound::Upper,
            Bound::Upper if negated => Bound::Lower,
            bound => bound,
        };
        Self {
            value: signed(self.value, negated),
            bound,
            ..self
        }
    }
}

impl<K: Key> Memo<K> for Bounded<K> {
    #[inline]
    fn probe(&self, slot: Slot<K>, depth: u8, window: Window) -> Probe {
        let record = match self.usable(slot, depth) {
            Ok(record) => record,
            Err(found) => return Probe::Search { window, found },
        };
        let Window { alpha, beta } = window;
        let value = record.value;
        match record.bound {
            Bound::Exact => Probe::Answer(value),
            Bound::Upper if window.fails_low(value) => Probe::Answer(value),
            Bound::Lower if window.fails_high(value) => Probe::Answer(value),
            Bound::Upper => Probe::Search {
                window: Window {
                    alpha,
                    beta: beta.min(value),
                },
                found: true,
            },
            Bound::Lower => Probe::Search {
                window: Window {
                    alpha: alpha.max(value),
                    beta,
                },
                found: true,
            },
        }
    }

    #[inline]
    fn store(&mut self, slot: Slot<K>, depth: u8, window: Window, value: Score) {
        let record = BoundRecord {
            value,
            bound: Bound::of(value, window),
            depth,
        };
        self.table.insert(
            Keyed {
                key: slot.key,
                depth: 0,
            },
            record.signed(slot.negated),
        );
    }

    #[inline]
    fn touch(&mut self, slot: Slot<K>, _: u8) {
        self.table.touch(Keyed {
            key: slot.key,
            depth: 0,
        });
    }

    #[inline]
    fn evictions(&self) -> u64 {
        self.table.keeper.state.evicted
    }

    #[inline]
    fn recall(&self, slot: Slot<K>, depth: u8) -> Option<Score> {
        self.usable(slot, depth).ok().map(|record| record.value)
    }
}

impl Record for BoundRecord {
    const POLICY: Policy = Policy::Bound;

    fn entry(self, _: u8) -> Entry {
        Entry {
            value: self.value,
            window: None,
            bound: Some(self.bound),
            depth: Some(self.depth),
        }
    }

    fn from_entry(entry: &Entry) -> Result<Self, Fault> {
        let (Some(bound), Some(depth)) = (entry.bound, entry.depth) else {
            return Err(Fault::new(
                "an entry of the memo policy `bound` needs a bound and a depth",
            )
            .hint("give bound=exact, lower or upper, and depth=…"));
        };
        Ok(Self {
            value: entry.value,
            bound,
            depth,
        })
    }

    fn depth(self, _: u8) -> u8 {
        self.depth
    }
}
