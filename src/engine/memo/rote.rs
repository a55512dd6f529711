use super::{Entry, Memo, Policy, Probe, Record, Slot, Table, exact::signed};
use crate::engine::game::{Fault, Key, Keyed, Score, Window};

/// A learned value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoteRecord(Score);

/// The policy `rote` (seed 001): learned values stand in for the heuristic at depth 0. A search only reads them;
/// the player writes the root's value after each decision.
#[derive(Clone, Debug)]
pub struct Rote<K> {
    /// The learned values, all under depth 0.
    pub table: Table<K, RoteRecord>,
    /// Whether a learned 0 counts as unknown, as the seed's test of the value's truth has it (defect D3).
    pub zero_is_missing: bool,
}

impl<K> Default for Rote<K> {
    fn default() -> Self {
        Self {
            table: Table::default(),
            zero_is_missing: false,
        }
    }
}

impl<K: Key> Memo<K> for Rote<K> {
    const ACTIVE: bool = false;
    const LEAVES: bool = true;

    fn probe(&self, _: Slot<K>, _: u8, window: Window) -> Probe {
        Probe::Search {
            window,
            found: false,
        }
    }

    fn store(&mut self, slot: Slot<K>, _: u8, _: Window, value: Score) {
        self.table.insert(
            Keyed {
                key: slot.key,
                depth: 0,
            },
            RoteRecord(signed(value, slot.negated)),
        );
    }

    #[inline]
    fn leaf(&self, slot: Slot<K>) -> Option<Score> {
        let value = self
            .table
            .get(Keyed {
                key: slot.key,
                depth: 0,
            })?
            .0;
        let known = !(self.zero_is_missing && value == Score::ZERO);
        known.then(|| signed(value, slot.negated))
    }

    fn recall(&self, _: Slot<K>, _: u8) -> Option<Score> {
        None
    }
}

impl Record for RoteRecord {
    const POLICY: Policy = Policy::Rote;

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
