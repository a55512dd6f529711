use super::{Entry, Policy, Probe, Record, Table, policy::Tabular};
use crate::engine::game::{Fault, Key, Score, Window};

/// A learned value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoteRecord(Score);

/// The policy `rote` (seed 001): learned values stand in for the heuristic at depth 0. A search only reads them;
/// the player writes the root's value after each decision.
#[derive(Clone, Debug)]
pub struct Rote<K: Key> {
    /// The learned values, all under depth 0.
    pub table: Table<K, RoteRecord>,
    /// Whether a learned 0 counts as unknown, as the seed's test of the value's truth has it (defect D3).
    pub zero_is_missing: bool,
}

impl<K: Key> Default for Rote<K> {
    fn default() -> Self {
        Self {
            table: Table::default(),
            zero_is_missing: false,
        }
    }
}

impl<K: Key> Tabular for Rote<K> {
    const ACTIVE: bool = false;
    const LEAVES: bool = true;

    type Key = K;
    type Record = RoteRecord;
    type Table = Table<K, RoteRecord>;

    #[inline]
    fn table(&self) -> &Self::Table {
        &self.table
    }

    #[inline]
    fn table_mut(&mut self) -> &mut Self::Table {
        &mut self.table
    }

    fn judge(&self, _: RoteRecord, _: u8, window: Window) -> Probe {
        Probe::unknown(window)
    }

    fn remembered(value: Score, _: u8, _: Window) -> Option<RoteRecord> {
        Some(RoteRecord(value))
    }

    fn recalled(&self, _: RoteRecord, _: u8) -> Option<Score> {
        None
    }

    #[inline]
    fn learned(&self, record: RoteRecord) -> Option<Score> {
        let known = !(self.zero_is_missing && record.0 == Score::ZERO);
        known.then_some(record.0)
    }
}

impl Record for RoteRecord {
    const POLICY: Policy = Policy::Rote;

    #[inline]
    fn negated(self) -> Self {
        Self(-self.0)
    }

    fn entry(self, _: u8) -> Entry {
        Entry {
            value: self.0,
            window: None,
            bound: None,
            depth: None,
        }
    }

    fn from_entry(entry: &Entry) -> Result<Self, Fault> {
        Ok(Self(entry.value))
    }
}
