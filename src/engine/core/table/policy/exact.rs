use super::{Bound, Entry, Field, FieldSource, Policy, Probe, Record, Table};
use crate::engine::core::game::{Fault, Result, Score, Window};

/// The record of the policy `exact`: a value inside the window of its search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExactRecord(Score);

/// The policy `exact` (seed 004, and plain minimax): exact values under position and depth. Alpha-beta stores a value only if
/// it is inside its window.
pub type Exact<K> = Table<K, ExactRecord>;

impl Record for ExactRecord {
    const POLICY: Policy = Policy::Exact;
    const FIELDS: &'static [(Field, FieldSource)] = &[
        (Field::Depth, FieldSource::Key),
        (Field::Value, FieldSource::Record),
        (Field::Bound, FieldSource::Derived),
    ];

    type Reuse = ();

    #[inline]
    fn probe(self, (): (), _: u8, _: Window) -> Probe {
        Probe::Hit(self.0)
    }

    #[inline]
    fn from_search(value: Score, _: u8, window: Window) -> Option<Self> {
        window.holds(value).then_some(Self(value))
    }

    #[inline]
    fn ordering_value(self, (): (), _: u8) -> Option<Score> {
        Some(self.0)
    }

    #[inline]
    fn negated(self) -> Self {
        Self(-self.0)
    }

    fn entry(self, depth: u8) -> Entry {
        let (bound, depth) = (Some(Bound::Exact), Some(depth));
        Entry { value: self.0, bound, depth, ..Entry::default() }
    }

    fn from_entry(entry: &Entry) -> Result<Self> {
        match entry.bound {
            None | Some(Bound::Exact) => Ok(Self(entry.value)),
            Some(bound) => Err(Fault::new(format!(
                "the memo policy `exact` cannot hold a {} bound",
                bound.name()
            ))),
        }
    }
}
