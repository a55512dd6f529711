use crate::engine::{
    game::{Key, Keyed, Score, Window},
    memo::{Memo, Probe, Record, Rote, Slot},
};

/// A rote table at work: it answers leaves as [`Rote`] does, and notes how often it can and what new values do to old ones.
#[derive(Debug)]
pub(super) struct Learner<'a, K: Key> {
    table: &'a mut Rote<K>,
    /// Leaves that were asked about; counted behind a shared reference, as searches ask.
    asked: std::cell::Cell<u64>,
    /// Leaves whose value was known.
    hits: std::cell::Cell<u64>,
    /// Values under keys that had none.
    pub(super) new: u64,
    /// Values in place of others.
    pub(super) rewritten: u64,
    /// How far those were from the ones they replaced, in sum.
    pub(super) drift: f64,
}

impl<'a, K: Key> Learner<'a, K> {
    pub(super) fn new(table: &'a mut Rote<K>) -> Self {
        Self {
            table,
            asked: <_>::default(),
            hits: <_>::default(),
            new: 0,
            rewritten: 0,
            drift: 0.0,
        }
    }

    /// Leaves asked about, and of them those whose value was known.
    pub(super) fn leaves(&self) -> (u64, u64) {
        (self.asked.get(), self.hits.get())
    }
}

impl<K: Key> Memo<K> for Learner<'_, K> {
    const ACTIVE: bool = false;
    const LEAVES: bool = true;

    fn probe(&self, slot: Slot<K>, depth: u8, window: Window) -> Probe {
        self.table.probe(slot, depth, window)
    }

    fn store(&mut self, slot: Slot<K>, depth: u8, window: Window, value: Score) {
        let at = Keyed {
            key: slot.key,
            depth: 0,
        };
        let stored = |table: &Rote<K>| table.get(at).map(|record| record.entry(0).value.get());
        let before = stored(self.table);
        self.table.store(slot, depth, window, value);
        match (before, stored(self.table)) {
            (Some(before), Some(after)) => {
                self.rewritten += 1;
                self.drift += (after - before).abs();
            }
            _ => self.new += 1,
        }
    }

    #[inline]
    fn leaf(&self, slot: Slot<K>) -> Option<Score> {
        let known = self.table.leaf(slot);
        self.asked.set(self.asked.get() + 1);
        self.hits.set(self.hits.get() + u64::from(known.is_some()));
        known
    }

    fn recall(&self, slot: Slot<K>, depth: u8) -> Option<Score> {
        self.table.recall(slot, depth)
    }
}
