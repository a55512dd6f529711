//! The one hash table: a map that keeps the order of insertion.

use std::hash::{BuildHasher, Hash};

use hashbrown::{HashTable, hash_table::Entry as Place};
use rustc_hash::FxBuildHasher;

use super::{
    Capacity, HashMove, MaxSize, Probe, Record, SearchTable, Slot,
    capacity::ReplacementCursor,
    journal::{Journal, TableChange},
    rows::{Row, Rows, SideData},
};
use crate::engine::core::game::{Key, Keyed, Packed, Score, Window};

/// A map that keeps the order of insertion, as the seeds' dictionaries do: an overwritten entry keeps its place.
///
/// Records stand in one vector, which grows by an eighth so that little is spare; a hash index of 32-bit places points
/// into it, which takes 6 to 12 bytes an entry. An interval record of morris takes 32 bytes, one of the policy `bound` 18;
/// with index and spare room that is at most 48 and 34.
#[derive(Debug)]
pub struct Table<K: Key, R: Record> {
    /// Which entries may answer, where the policy leaves a choice.
    pub reuse: R::Reuse,
    pub(super) index: HashTable<u32>,
    pub(super) held: Rows<K, R>,
    /// The position that the next record is written for.
    pub(super) attended: Packed,
    pub(super) capacity: Capacity,
    /// Entries at most.
    pub(super) limit: usize,
    pub(super) cursor: ReplacementCursor,
    /// What is needed to take changes back, while somebody wants that.
    pub(super) journal: Option<Box<Journal<K, R>>>,
}

impl<K: Key, R: Record> Clone for Table<K, R> {
    /// The same records; nothing to take back.
    fn clone(&self) -> Self {
        Self {
            index: self.index.clone(),
            held: self.held.clone(),
            attended: Packed::UNKNOWN,
            journal: None,
            ..*self
        }
    }
}

impl<K: Key, R: Record> Default for Table<K, R> {
    fn default() -> Self {
        Self {
            reuse: <_>::default(),
            index: HashTable::new(),
            held: Rows::default(),
            attended: Packed::UNKNOWN,
            capacity: Capacity::default(),
            limit: usize::MAX,
            cursor: ReplacementCursor::default(),
            journal: None,
        }
    }
}

/// Bytes of the index for an entry at most: a place of four bytes and a control byte, at least seven sixteenths of them taken,
/// and an eighth more because the places of entries that gave way are free only after a while.
const INDEX_SHARE: usize = 13;
/// Bytes that it takes besides.
const INDEX_LEAST: usize = 96;

#[inline]
fn hash<K: Hash>(at: &Keyed<K>) -> u64 {
    FxBuildHasher.hash_one(at)
}

/// What the index is asked by: the hash of the key at a place.
macro_rules! rehash {
    ($rows:expr) => {
        |&place: &u32| hash(&$rows[place as usize].at())
    };
}

impl<K: Key, R: Record> Table<K, R> {
    /// An empty table of which such entries may answer.
    pub fn with(reuse: R::Reuse) -> Self {
        Self { reuse, ..Self::default() }
    }

    /// The record under a key.
    #[inline]
    pub fn get(&self, at: Keyed<K>) -> Option<R> {
        self.place(at).map(|place| self.held.rows[place].record())
    }

    #[inline]
    pub(super) fn place(&self, at: Keyed<K>) -> Option<usize> {
        let same = |&place: &u32| self.held.rows[place as usize].at() == at;
        self.index.find(hash(&at), same).map(|&place| place as usize)
    }

    /// Writes a record and returns the one it replaced. In a table that is full another one gives way to a new key.
    #[inline]
    pub fn insert(&mut self, at: Keyed<K>, record: R) -> Option<R> {
        if self.held.rows.len() >= self.limit && self.place(at).is_none() {
            self.insert_full(at, record);
            return None;
        }
        if self.index.len() == self.index.capacity() {
            self.grow();
        }
        let rows = &mut self.held.rows;
        let same = |&place: &u32| rows[place as usize].at() == at;
        match self.index.entry(hash(&at), same, rehash!(rows)) {
            Place::Occupied(place) => {
                let place = *place.get() as usize;
                let record = rows[place].replace(record);
                if let Some(journal) = &mut self.journal {
                    let old = Row::new(at, record);
                    journal.note(place, |place| TableChange::Replaced { place, old });
                }
                if self.held.states.is_some() {
                    self.set_state_at(place);
                }
                Some(record)
            }
            Place::Vacant(vacant) => {
                vacant.insert(u32::try_from(rows.len()).unwrap_or(u32::MAX));
                if rows.len() == rows.capacity() {
                    let more = (rows.len() / 8).max(64).min(self.limit - rows.len());
                    self.held.reserve_exact(more);
                }
                self.held.rows.push(Row::new(at, record));
                if self.held.uses.is_some() || self.held.states.is_some() {
                    self.push_beside();
                }
                None
            }
        }
    }

    #[cold]
    fn push_beside(&mut self) {
        let state = std::mem::replace(&mut self.attended, Packed::UNKNOWN);
        let place = self.held.rows.len() - 1;
        self.held.insert_beside(place, SideData { uses: 0, state });
    }

    /// The record at a place was written for the position attended to.
    #[cold]
    pub(super) fn set_state_at(&mut self, place: usize) {
        let now = std::mem::replace(&mut self.attended, Packed::UNKNOWN);
        if let Some(states) = &mut self.held.states {
            let old = std::mem::replace(&mut states[place], now);
            if let Some(journal) = &mut self.journal
                && old != now
            {
                let old = Box::new(old);
                journal.note(place, |place| TableChange::Restated { place, old });
            }
        }
    }

    /// Removes a record; the later ones move up by one place.
    pub fn take(&mut self, at: Keyed<K>) -> Option<R> {
        let place = self.place(at)?;
        let (old, beside) = self.held.remove(place);
        if let Some(journal) = &mut self.journal {
            journal.push(TableChange::Removed {
                place: place as u32,
                old,
                beside: Box::new(beside),
            });
        }
        self.unindex(at, place);
        if place < self.held.rows.len() {
            self.index
                .iter_mut()
                .filter(|known| **known as usize > place)
                .for_each(|known| *known -= 1);
        }
        Some(old.record())
    }

    pub(super) fn retain_rows(&mut self, keep: &mut dyn FnMut(usize, &Row<K, R>) -> bool) {
        if let Some(journal) = &mut self.journal {
            journal.push(TableChange::Rebuilt(Box::new(self.held.clone())));
        }
        let rows = self.held.rows.iter().enumerate();
        let kept: Vec<bool> = rows.map(|(place, row)| keep(place, row)).collect();
        self.held.retain(&kept);
        self.reindex();
    }

    /// Reserves room for `more` entries, as far as the bound allows.
    pub(super) fn make_room(&mut self, more: usize) {
        let more = more.min(self.limit.saturating_sub(self.held.rows.len()));
        self.held.reserve_exact(more);
        self.index.reserve(more, rehash!(self.held.rows));
    }
}

/// The bound.
impl<K: Key, R: Record> Table<K, R> {
    /// Entries for which a bound surely leaves room.
    pub(super) fn entries_in(&self, size: MaxSize) -> usize {
        match size {
            MaxSize::Unlimited => usize::MAX,
            MaxSize::Entries(entries) => entries,
            MaxSize::Bytes(bytes) => {
                bytes.saturating_sub(INDEX_LEAST) / (self.held.each() + INDEX_SHARE)
            }
        }
    }

    /// Gives back memory that the bound no longer allows.
    pub(super) fn fit(&mut self) {
        let (limit, len) = (self.limit, self.held.rows.len());
        self.held.shrink_to(limit.max(len));
        let most = limit.saturating_mul(INDEX_SHARE).saturating_add(INDEX_LEAST);
        if limit == 0 || self.index.allocation_size() > most {
            self.index = HashTable::with_capacity(len);
            self.reindex();
        }
    }
}

/// The index.
impl<K: Key, R: Record> Table<K, R> {
    /// Makes a larger index. Going through the records in order, it reads memory in order; left to itself the old index
    /// would go through them as they are hashed.
    #[cold]
    fn grow(&mut self) {
        self.index = HashTable::with_capacity(self.index.capacity() + 1);
        self.reindex();
    }

    /// Keeps the first `len` records. `indexed` says that the index still points at the right places.
    pub(super) fn shorten(&mut self, len: usize, indexed: bool) {
        let gone = self.held.rows.len().saturating_sub(len);
        if !indexed || gone > len {
            self.held.truncate(len);
            self.reindex();
            return;
        }
        for place in len..len + gone {
            self.unindex(self.held.rows[place].at(), place);
        }
        self.held.truncate(len);
    }

    /// Points the index at the records from a place on; of those under one key the last one counts, at the first one's
    /// place. How many gave way so. In a loop of its own the processor fetches the places of several records at a time.
    pub(super) fn index_from(&mut self, first: usize) -> u64 {
        let (index, rows) = (&mut self.index, &mut self.held.rows);
        index.reserve(rows.len() - first, rehash!(rows));
        let mut kept = vec![true; first];
        for place in first..rows.len() {
            let row = rows[place];
            let same = |&known: &u32| rows[known as usize].at() == row.at();
            let entry = index.entry(hash(&row.at()), same, rehash!(rows));
            kept.push(matches!(entry, Place::Vacant(_)));
            match entry {
                Place::Occupied(known) => rows[*known.get() as usize] = row,
                Place::Vacant(vacant) => {
                    vacant.insert(u32::try_from(place).unwrap_or(u32::MAX));
                }
            }
        }
        self.held.pad();
        let repeated = kept.iter().filter(|kept| !**kept).count();
        if repeated > 0 {
            self.held.retain(&kept);
            self.reindex();
        }
        repeated as u64
    }

    fn unindex(&mut self, at: Keyed<K>, place: usize) {
        let same = |&known: &u32| known as usize == place;
        if let Ok(found) = self.index.find_entry(hash(&at), same) {
            found.remove();
        }
    }

    /// Points the index at a place by another key, which is not in the row yet.
    pub(super) fn move_index(&mut self, old: Keyed<K>, new: Keyed<K>, place: usize) {
        self.unindex(old, place);
        let rows = &mut self.held.rows;
        if self.index.len() == self.index.capacity() {
            // What is free is taken by marks of removed places: without them there is room.
            rows[place] = Row::new(new, rows[place].record());
            self.reindex();
            return;
        }
        self.index.insert_unique(hash(&new), place as u32, rehash!(rows));
    }

    fn reindex(&mut self) {
        let rows = &self.held.rows;
        self.index.clear();
        for (place, row) in rows.iter().enumerate() {
            self.index.insert_unique(hash(&row.at()), place as u32, rehash!(rows));
        }
    }
}

impl<K: Key, R: Record> Table<K, R> {
    /// Where the policy keeps the entry of a position.
    #[inline]
    fn at(slot: Slot<K>, depth: u8) -> Keyed<K> {
        Keyed { key: slot.key, depth: if R::KEYS_DEPTH { depth } else { 0 } }
    }

    /// The entry of a position from its side's point of view.
    #[inline]
    fn found(&self, slot: Slot<K>, depth: u8) -> Option<R> {
        let record = self.get(Self::at(slot, depth))?;
        Some(if slot.negated { record.negated() } else { record })
    }
}

impl<K: Key, R: Record> SearchTable<K> for Table<K, R> {
    const ACTIVE: bool = R::ACTIVE;
    const HAS_LEAF_VALUES: bool = R::HAS_LEAF_VALUES;
    const HAS_HASH_MOVE: bool = R::HAS_HASH_MOVE;

    #[inline]
    fn probe(&self, slot: Slot<K>, depth: u8, window: Window) -> Probe {
        if !R::ACTIVE {
            return Probe::miss(window);
        }
        let record = self.found(slot, depth);
        record.map_or(Probe::miss(window), |record| record.probe(self.reuse, depth, window))
    }

    #[inline]
    fn store(&mut self, slot: Slot<K>, depth: u8, window: Window, value: Score) {
        if let Some(record) = R::searched(value, depth, window) {
            let record = if slot.negated { record.negated() } else { record };
            self.insert(Self::at(slot, depth), record);
        }
    }

    fn drop_entry(&mut self, slot: Slot<K>, depth: u8) {
        self.take(Self::at(slot, depth));
    }

    #[inline]
    fn leaf_value(&self, slot: Slot<K>) -> Option<Score> {
        if R::HAS_LEAF_VALUES { self.found(slot, 0)?.leaf_value(self.reuse) } else { None }
    }

    #[inline]
    fn count_use(&mut self, slot: Slot<K>, depth: u8) {
        if self.held.uses.is_some()
            && let Some(place) = self.place(Self::at(slot, depth))
        {
            self.use_once(place);
        }
    }

    #[inline]
    fn evictions(&self) -> u64 {
        self.cursor.evicted
    }

    #[inline]
    fn stored_value(&self, slot: Slot<K>, depth: u8) -> Option<Score> {
        if R::ACTIVE { self.found(slot, depth)?.ordering_value(self.reuse, depth) } else { None }
    }

    fn hash_move(&self, slot: Slot<K>, depth: u8) -> Option<HashMove> {
        self.get(Self::at(slot, depth))?.hash_move()
    }

    fn set_hash_move(&mut self, slot: Slot<K>, depth: u8, best: HashMove) {
        if let Some(place) = self.place(Self::at(slot, depth)) {
            let row = &mut self.held.rows[place];
            row.replace(row.record().with_hash_move(best));
        }
    }

    #[inline]
    fn verifies(&self) -> bool {
        self.held.states.is_some()
    }

    fn holds_other_position(&self, slot: Slot<K>, depth: u8, state: &Packed) -> bool {
        let place = self.place(Self::at(slot, depth));
        let known = place.map(|place| self.held.beside(place).state);
        known.is_some_and(|known| known.contradicts(state))
    }

    fn set_position(&mut self, state: Packed) {
        self.attended = state;
    }
}
