use super::{Bound, Entry, Field, FieldSource, Policy, Probe, Record, Table};
use crate::engine::core::game::{Fault, Result, Score, Window};

/// The record of the policy `interval`: a value and the window of its search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntervalRecord {
    value: Score,
    window: Window,
}

/// The policy `interval` (seeds 000 and 002): an entry replaces the search if its window contains that of the probe. Otherwise
/// the node is searched with the smallest window that contains both, so that entries only become more general.
pub type Interval<K> = Table<K, IntervalRecord>;

impl Record for IntervalRecord {
    const POLICY: Policy = Policy::Interval;
    const FIELDS: &'static [(Field, FieldSource)] = &[
        (Field::Depth, FieldSource::Key),
        (Field::Value, FieldSource::Record),
        (Field::Alpha, FieldSource::Record),
        (Field::Beta, FieldSource::Record),
        (Field::Bound, FieldSource::Derived),
    ];

    type Reuse = ();

    #[inline]
    fn probe(self, (): (), _: u8, window: Window) -> Probe {
        if self.window.contains(window) {
            Probe::Hit(self.value)
        } else {
            Probe::Search { window: window.widen(self.window), found: true }
        }
    }

    #[inline]
    fn from_search(value: Score, _: u8, window: Window) -> Option<Self> {
        Some(Self { value, window })
    }

    #[inline]
    fn ordering_value(self, (): (), _: u8) -> Option<Score> {
        Some(self.value)
    }

    // Seed 000 stores (−value, −β, −α) for black.
    #[inline]
    fn negated(self) -> Self {
        Self { value: -self.value, window: self.window.negate() }
    }

    fn entry(self, depth: u8) -> Entry {
        let Self { value, window } = self;
        let (bound, depth) = (Some(Bound::of(value, window)), Some(depth));
        Entry { value, window: Some(window), bound, depth, best: None }
    }

    fn from_entry(entry: &Entry) -> Result<Self> {
        let window = entry.window.ok_or_else(|| {
            Fault::new("an entry of the memo policy `interval` needs the window of its search")
                .hint("give alpha=… and beta=…")
        })?;
        Ok(Self { value: entry.value, window })
    }
}
