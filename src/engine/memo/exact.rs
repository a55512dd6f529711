use super::{Bound, Entry, Policy, Probe, Record, Table, policy::Tabular};
use crate::engine::game::{Fault, Key, Score, Window};

/// A value that is the value, whatever window is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExactRecord(Score);

/// The policy `exact` (seed 004, and the plain minimax): the arguments are the key.
///
/// Alpha-beta may use it too: a value is stored only when it lay inside its window.
pub type Exact<K> = Table<K, ExactRecord>;

impl<K: Key> Tabular for Exact<K> {
    type Key = K;
    type Record = ExactRecord;
    type Table = Self;

    #[inline]
    fn table(&self) -> &Self {
        self
    }

    #[inline]
    fn table_mut(&mut self) -> &mut Self {
        self
    }

    #[inline]
    fn judge(&self, record: ExactRecord, _: u8, _: Window) -> Probe {
        Probe::Answer(record.0)
    }

    #[inline]
    fn remembered(value: Score, _: u8, window: Window) -> Option<ExactRecord> {
        window.holds(value).then_some(ExactRecord(value))
    }

    #[inline]
    fn recalled(&self, record: ExactRecord, _: u8) -> Option<Score> {
        Some(record.0)
    }
}

impl Record for ExactRecord {
    const POLICY: Policy = Policy::Exact;

    #[inline]
    fn negated(self) -> Self {
        Self(-self.0)
    }

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
