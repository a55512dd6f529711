use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

use super::{Bound, Compact, Entry, Policy, Probe, Record, Records, Table, policy::Tabular};
use crate::engine::game::{Fault, Key, Score, Window};

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
    pub(super) value: Score,
    pub(super) bound: Bound,
    pub(super) depth: u8,
}

/// The policy `bound` (seed 003): one entry a position; answers, or narrows the window and searches.
#[derive(Clone, Debug)]
pub struct Bounded<K, T = Table<K, BoundRecord>> {
    /// The entries, all under depth 0: the depth is in the record.
    pub table: T,
    /// Which entries may serve.
    pub reuse: Reuse,
    key: PhantomData<K>,
}

/// The policy `bound` on 64-bit hashes in place of keys.
pub type Hashed<K> = Bounded<K, Compact<K>>;

impl<K, T: Default> Default for Bounded<K, T> {
    fn default() -> Self {
        Self {
            table: T::default(),
            reuse: Reuse::Exact,
            key: PhantomData,
        }
    }
}

impl<K: Key, T: Records<K, BoundRecord>> Tabular for Bounded<K, T> {
    type Key = K;
    type Record = BoundRecord;
    type Table = T;

    #[inline]
    fn table(&self) -> &T {
        &self.table
    }

    #[inline]
    fn table_mut(&mut self) -> &mut T {
        &mut self.table
    }

    #[inline]
    fn judge(&self, record: BoundRecord, depth: u8, window: Window) -> Probe {
        let Window { alpha, beta } = window;
        let value = record.value;
        if !self.serves(record, depth) {
            return Probe::Search {
                window,
                found: true,
            };
        }
        let window = match record.bound {
            Bound::Exact => return Probe::Answer(value),
            Bound::Upper if window.fails_low(value) => return Probe::Answer(value),
            Bound::Lower if window.fails_high(value) => return Probe::Answer(value),
            Bound::Upper => Window {
                alpha,
                beta: beta.min(value),
            },
            Bound::Lower => Window {
                alpha: alpha.max(value),
                beta,
            },
        };
        Probe::Search {
            window,
            found: true,
        }
    }

    #[inline]
    fn remembered(value: Score, depth: u8, window: Window) -> Option<BoundRecord> {
        Some(BoundRecord {
            value,
            bound: Bound::of(value, window),
            depth,
        })
    }

    #[inline]
    fn recalled(&self, record: BoundRecord, depth: u8) -> Option<Score> {
        self.serves(record, depth).then_some(record.value)
    }
}

impl<K, T> Bounded<K, T> {
    #[inline]
    fn serves(&self, record: BoundRecord, depth: u8) -> bool {
        match self.reuse {
            Reuse::Exact => record.depth == depth,
            Reuse::Deeper => record.depth >= depth,
        }
    }
}

impl Record for BoundRecord {
    const POLICY: Policy = Policy::Bound;

    #[inline]
    fn negated(self) -> Self {
        Self {
            value: -self.value,
            bound: self.bound.negated(),
            ..self
        }
    }

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
