//! What the policies that keep a table have in common: where an entry stands, and when it is asked and written.

use super::{Memo, Probe, Record, Records, Slot};
use crate::engine::game::{Key, Keyed, Packed, Score, Window};

/// A policy with a table: the differences between policies.
pub trait Tabular {
    /// Under what it keeps that.
    type Key: Key;
    /// Whether inner nodes are probed and stored.
    const ACTIVE: bool = true;
    /// Whether an entry may answer in place of the heuristic.
    const LEAVES: bool = false;

    /// What it remembers of a position.
    type Record: Record;
    /// Where it keeps that.
    type Table: Records<Self::Key, Self::Record>;

    /// Its table.
    fn table(&self) -> &Self::Table;
    /// Its table, to write to.
    fn table_mut(&mut self) -> &mut Self::Table;

    /// What an entry says to a probe.
    fn judge(&self, record: Self::Record, depth: u8, window: Window) -> Probe;

    /// What a searched value is remembered as, if it is.
    fn remembered(value: Score, depth: u8, window: Window) -> Option<Self::Record>;

    /// The value of an entry for move ordering at a depth.
    fn recalled(&self, record: Self::Record, depth: u8) -> Option<Score>;

    /// The value of an entry that stands in for the heuristic.
    fn learned(&self, _record: Self::Record) -> Option<Score> {
        None
    }
}

/// Where a policy keeps the entry of a position.
#[inline]
const fn place<K: Key, R: Record>(slot: Slot<K>, depth: u8) -> Keyed<K> {
    Keyed {
        key: slot.key,
        depth: if R::POLICY.keys_depth() { depth } else { 0 },
    }
}

/// The entry of a position from its side's point of view.
#[inline]
fn found<P: Tabular>(policy: &P, slot: Slot<P::Key>, depth: u8) -> Option<P::Record> {
    let record = policy.table().look(place::<_, P::Record>(slot, depth))?;
    Some(if slot.negated {
        record.negated()
    } else {
        record
    })
}

impl<P: Tabular> Memo<P::Key> for P {
    const ACTIVE: bool = P::ACTIVE;
    const LEAVES: bool = P::LEAVES;

    #[inline]
    fn probe(&self, slot: Slot<P::Key>, depth: u8, window: Window) -> Probe {
        let record = if P::ACTIVE {
            found(self, slot, depth)
        } else {
            None
        };
        record.map_or(Probe::unknown(window), |record| {
            self.judge(record, depth, window)
        })
    }

    #[inline]
    fn store(&mut self, slot: Slot<P::Key>, depth: u8, window: Window, value: Score) {
        if let Some(record) = P::remembered(value, depth, window) {
            let record = if slot.negated {
                record.negated()
            } else {
                record
            };
            self.table_mut()
                .write(place::<_, P::Record>(slot, depth), record);
        }
    }

    #[inline]
    fn leaf(&self, slot: Slot<P::Key>) -> Option<Score> {
        if P::LEAVES {
            self.learned(found(self, slot, 0)?)
        } else {
            None
        }
    }

    #[inline]
    fn touch(&mut self, slot: Slot<P::Key>, depth: u8) {
        self.table_mut().touch(place::<_, P::Record>(slot, depth));
    }

    #[inline]
    fn evictions(&self) -> u64 {
        self.table().evicted()
    }

    #[inline]
    fn recall(&self, slot: Slot<P::Key>, depth: u8) -> Option<Score> {
        if P::ACTIVE {
            self.recalled(found(self, slot, depth)?, depth)
        } else {
            None
        }
    }

    #[inline]
    fn fetch(&self, slot: Slot<P::Key>, depth: u8) {
        self.table().fetch(place::<_, P::Record>(slot, depth));
    }

    #[inline]
    fn verifies(&self) -> bool {
        self.table().verifies()
    }

    fn is_another(&self, slot: Slot<P::Key>, depth: u8, state: &Packed) -> bool {
        let at = place::<_, P::Record>(slot, depth);
        !self.table().belongs_to(at, state)
    }

    fn attend(&mut self, state: Packed) {
        self.table_mut().attend(state);
    }
}
