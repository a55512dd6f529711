use super::{Entry, Field, FieldSource, Policy, Probe, Record, Table};
use crate::engine::core::game::{Result, Score, Window};

/// The record of the policy `rote`: a learned value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoteRecord(Score);

/// The policy `rote` (seed 001): learned values replace the static value at depth 0. A search only reads them; after each move
/// the player stores the root's value.
pub type Rote<K> = Table<K, RoteRecord>;

/// Whether a learned 0 counts as no value, because seed 001 tests the value for truth (defect D3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ZeroIsMissing(pub bool);

impl Record for RoteRecord {
    const POLICY: Policy = Policy::Rote;
    const FIELDS: &'static [(Field, FieldSource)] = &[(Field::Value, FieldSource::Record)];
    const ACTIVE: bool = false;
    const HAS_LEAF_VALUES: bool = true;

    type Reuse = ZeroIsMissing;

    fn probe(self, _: ZeroIsMissing, _: u8, window: Window) -> Probe {
        Probe::miss(window)
    }

    fn from_search(value: Score, _: u8, _: Window) -> Option<Self> {
        Some(Self(value))
    }

    fn ordering_value(self, _: ZeroIsMissing, _: u8) -> Option<Score> {
        None
    }

    #[inline]
    fn leaf_value(self, zero: ZeroIsMissing) -> Option<Score> {
        let is_missing = zero.0 && self.0 == Score::ZERO;
        (!is_missing).then_some(self.0)
    }

    #[inline]
    fn negated(self) -> Self {
        Self(-self.0)
    }

    fn entry(self, _: u8) -> Entry {
        Entry { value: self.0, ..Entry::default() }
    }

    fn from_entry(entry: &Entry) -> Result<Self> {
        Ok(Self(entry.value))
    }
}
