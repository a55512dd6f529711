use serde::{Deserialize, Serialize};

use super::{Bound, Entry, Field, FieldSource, HashMove, Policy, Probe, Record, Table};
use crate::engine::core::game::{Fault, Result, Score, Window};

/// Which entries of the policy `bound` may replace a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reuse {
    /// Only entries of the same depth: values equal those of a search without a table.
    #[default]
    Exact,
    /// Entries of the same depth and deeper ones, as in seed 003 (defects D13 and D14).
    Deeper,
}

/// Value, bound, depth and hash move, without padding: 10 bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, packed)]
pub struct BoundRecord {
    value: Score,
    /// The bound in the lower two bits, the hash move in the upper six; 0 there means no move.
    flags: u8,
    depth: u8,
}

/// The policy `bound` (seed 003): one entry per position; the depth is in the record, so that the key has depth 0. An entry
/// whose bound does not suffice narrows the window.
pub type Bounded<K> = Table<K, BoundRecord>;

impl BoundRecord {
    #[inline]
    fn new(value: Score, bound: Bound, depth: u8) -> Self {
        Self { value, flags: bound as u8, depth }
    }

    #[inline]
    fn bound(self) -> Bound {
        match self.flags & 3 {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        }
    }

    #[inline]
    fn suffices(self, reuse: Reuse, depth: u8) -> bool {
        match reuse {
            Reuse::Exact => self.depth == depth,
            Reuse::Deeper => self.depth >= depth,
        }
    }
}

impl Record for BoundRecord {
    const POLICY: Policy = Policy::Bound;
    const FIELDS: &'static [(Field, FieldSource)] = &[
        (Field::Depth, FieldSource::Record),
        (Field::Bound, FieldSource::Record),
        (Field::Best, FieldSource::Record),
        (Field::Value, FieldSource::Record),
    ];
    const HAS_HASH_MOVE: bool = true;

    type Reuse = Reuse;

    #[inline]
    fn probe(self, reuse: Reuse, depth: u8, window: Window) -> Probe {
        let (value, Window { alpha, beta }) = (self.value, window);
        if !self.suffices(reuse, depth) {
            return Probe::Search { window, found: true };
        }
        let window = match self.bound() {
            Bound::Exact => return Probe::Hit(value),
            Bound::Upper if window.fails_low(value) => return Probe::Hit(value),
            Bound::Lower if window.fails_high(value) => return Probe::Hit(value),
            Bound::Upper => Window { alpha, beta: beta.min(value) },
            Bound::Lower => Window { alpha: alpha.max(value), beta },
        };
        Probe::Search { window, found: true }
    }

    #[inline]
    fn from_search(value: Score, depth: u8, window: Window) -> Option<Self> {
        Some(Self::new(value, Bound::of(value, window), depth))
    }

    #[inline]
    fn ordering_value(self, reuse: Reuse, depth: u8) -> Option<Score> {
        self.suffices(reuse, depth).then_some(self.value)
    }

    #[inline]
    fn with_hash_move(self, hash_move: HashMove) -> Self {
        Self { flags: self.flags & 3 | hash_move.number() << 2, ..self }
    }

    #[inline]
    fn hash_move(self) -> Option<HashMove> {
        HashMove::new(self.flags >> 2)
    }

    #[inline]
    fn negated(self) -> Self {
        let flags = self.flags & !3 | self.bound().negated() as u8;
        Self { value: -self.value, flags, ..self }
    }

    fn entry(self, _: u8) -> Entry {
        let (bound, depth) = (Some(self.bound()), Some(self.depth));
        Entry { value: self.value, bound, depth, best: self.hash_move(), window: None }
    }

    fn from_entry(entry: &Entry) -> Result<Self> {
        let (Some(bound), Some(depth)) = (entry.bound, entry.depth) else {
            return Err(Fault::new(
                "an entry of the memo policy `bound` needs a bound and a depth",
            )
            .hint("give bound=exact, lower or upper, and depth=…"));
        };
        let record = Self::new(entry.value, bound, depth);
        Ok(entry.best.map_or(record, |best| record.with_hash_move(best)))
    }

    fn depth(self, _: u8) -> u8 {
        self.depth
    }
}
