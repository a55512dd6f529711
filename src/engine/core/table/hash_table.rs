//! The hash table of all policies: a map that keeps the order of insertion.

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
/// Records are in one vector, which grows by an eighth so that little memory is spare. A hash index of 32-bit places points
/// into the vector and takes 6 to 12 bytes per entry. A morris record of the policy `interval` takes 32 bytes, one of `bound`
/// 18; with index and spare room at most 48 and 34.
#[derive(Debug)]
pub struct Table<K: Key, R: Record> {
    /// Which entries may replace a search, if the policy leaves a choice.
    pub reuse: R::Reuse,
    pub(super) index: HashTable<u32>,
    pub(super) rows: Rows<K, R>,
    /// The position to store with the next record (`verify=on`).
    pub(super) next_position: Packed,
    pub(super) capacity: Capacity,
    /// The most entries that the table may have.
    pub(super) limit: usize,
    pub(super) cursor: ReplacementCursor,
    /// The undo journal, while changes are recorded.
    pub(super) journal: Option<Box<Journal<K, R>>>,
}

impl<K: Key, R: Record> Clone for Table<K, R> {
    // The clone has no journal, so that it cannot be rewound.
    fn clone(&self) -> Self {
        Self {
            index: self.index.clone(),
            rows: self.rows.clone(),
            next_position: Packed::UNKNOWN,
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
            rows: Rows::default(),
            next_position: Packed::UNKNOWN,
            capacity: Capacity::default(),
            limit: usize::MAX,
            cursor: ReplacementCursor::default(),
            journal: None,
        }
    }
}

/// The most bytes of the index per entry.
// A place takes four bytes and a control byte; at least seven sixteenths of the places are in use; an eighth more because the
// places of replaced entries become free only at a rehash.
const INDEX_SHARE: usize = 13;
/// The fixed size of the index in bytes.
const INDEX_LEAST: usize = 96;

#[inline]
fn hash<K: Hash>(at: &Keyed<K>) -> u64 {
    FxBuildHasher.hash_one(at)
}

macro_rules! rehash {
    ($rows:expr) => {
        |&place: &u32| hash(&$rows[place as usize].at())
    };
}

impl<K: Key, R: Record> Table<K, R> {
    /// An empty table; `reuse` decides which entries may replace a search, if the policy leaves a choice.
    pub fn with(reuse: R::Reuse) -> Self {
        Self { reuse, ..Self::default() }
    }

    /// The record under a key, if there is one.
    #[inline]
    pub fn get(&self, at: Keyed<K>) -> Option<R> {
        self.place(at).map(|place| self.rows.list[place].record())
    }

    #[inline]
    pub(super) fn place(&self, at: Keyed<K>) -> Option<usize> {
        let same = |&place: &u32| self.rows.list[place as usize].at() == at;
        self.index.find(hash(&at), same).map(|&place| place as usize)
    }

    /// Stores a record, and returns the old record under the same key. A new key in a full table replaces another entry.
    #[inline]
    pub fn insert(&mut self, at: Keyed<K>, record: R) -> Option<R> {
        if self.rows.list.len() >= self.limit && self.place(at).is_none() {
            self.insert_full(at, record);
            return None;
        }
        if self.index.len() == self.index.capacity() {
            self.grow();
        }
        let rows = &mut self.rows.list;
        let same = |&place: &u32| rows[place as usize].at() == at;
        match self.index.entry(hash(&at), same, rehash!(rows)) {
            Place::Occupied(place) => {
                let place = *place.get() as usize;
                let record = rows[place].replace(record);
                if let Some(journal) = &mut self.journal {
                    let old = Row::new(at, record);
                    journal.note(place, |place| TableChange::Replaced { place, old });
                }
                if self.rows.states.is_some() {
                    self.set_position_at(place);
                }
                Some(record)
            }
            Place::Vacant(vacant) => {
                vacant.insert(u32::try_from(rows.len()).unwrap_or(u32::MAX));
                if rows.len() == rows.capacity() {
                    let more = (rows.len() / 8).max(64).min(self.limit - rows.len());
                    self.rows.reserve_exact(more);
                }
                self.rows.list.push(Row::new(at, record));
                if self.rows.uses.is_some() || self.rows.states.is_some() {
                    self.push_side_data();
                }
                None
            }
        }
    }

    #[cold]
    fn push_side_data(&mut self) {
        let state = std::mem::replace(&mut self.next_position, Packed::UNKNOWN);
        let place = self.rows.list.len() - 1;
        self.rows.insert_side_data(place, SideData { uses: 0, state });
    }

    /// Stores `next_position`, a chess or morris position, with the record at a place (`verify=on`).
    #[cold]
    pub(super) fn set_position_at(&mut self, place: usize) {
        let now = std::mem::replace(&mut self.next_position, Packed::UNKNOWN);
        if let Some(states) = &mut self.rows.states {
            let old = std::mem::replace(&mut states[place], now);
            if let Some(journal) = &mut self.journal
                && old != now
            {
                let old = Box::new(old);
                journal.note(place, |place| TableChange::PositionSet { place, old });
            }
        }
    }

    /// Removes a record; the later ones move down by one place.
    pub fn take(&mut self, at: Keyed<K>) -> Option<R> {
        let place = self.place(at)?;
        let (old, side_data) = self.rows.remove(place);
        if let Some(journal) = &mut self.journal {
            journal.push(TableChange::Removed {
                place: place as u32,
                old,
                side_data: Box::new(side_data),
            });
        }
        self.unindex(at, place);
        if place < self.rows.list.len() {
            self.index
                .iter_mut()
                .filter(|known| **known as usize > place)
                .for_each(|known| *known -= 1);
        }
        Some(old.record())
    }

    pub(super) fn retain_rows(&mut self, keep: &mut dyn FnMut(usize, &Row<K, R>) -> bool) {
        if let Some(journal) = &mut self.journal {
            journal.push(TableChange::Rebuilt(Box::new(self.rows.clone())));
        }
        let rows = self.rows.list.iter().enumerate();
        let kept: Vec<bool> = rows.map(|(place, row)| keep(place, row)).collect();
        self.rows.retain(&kept);
        self.reindex();
    }

    pub(super) fn reserve_rows(&mut self, more: usize) {
        let more = more.min(self.limit.saturating_sub(self.rows.list.len()));
        self.rows.reserve_exact(more);
        self.index.reserve(more, rehash!(self.rows.list));
    }
}

/// Methods for the size limit.
impl<K: Key, R: Record> Table<K, R> {
    /// The number of entries that are certain to fit into the size limit.
    pub(super) fn entries_in(&self, size: MaxSize) -> usize {
        match size {
            MaxSize::Unlimited => usize::MAX,
            MaxSize::Entries(entries) => entries,
            MaxSize::Bytes(bytes) => {
                bytes.saturating_sub(INDEX_LEAST) / (self.rows.row_bytes() + INDEX_SHARE)
            }
        }
    }

    /// Frees the memory of rows and index beyond the limit.
    pub(super) fn shrink_to_limit(&mut self) {
        let (limit, len) = (self.limit, self.rows.list.len());
        self.rows.shrink_to(limit.max(len));
        let most = limit.saturating_mul(INDEX_SHARE).saturating_add(INDEX_LEAST);
        if limit == 0 || self.index.allocation_size() > most {
            self.index = HashTable::with_capacity(len);
            self.reindex();
        }
    }
}

/// Methods for the index from keys to places.
impl<K: Key, R: Record> Table<K, R> {
    /// Builds a larger index from the records, so that their memory is read in order; growing the index itself would read them
    /// in the order of its hashes.
    #[cold]
    fn grow(&mut self) {
        self.index = HashTable::with_capacity(self.index.capacity() + 1);
        self.reindex();
    }

    /// Keeps the first `len` records. `indexed`: whether the index has exactly the records of the list. Returns whether that still
    /// holds. If most records are removed, they stay in the index, because building a new one is faster.
    pub(super) fn shorten(&mut self, len: usize, indexed: bool) -> bool {
        let indexed = indexed && self.rows.list.len() <= 2 * len;
        for place in (len..self.rows.list.len()).filter(|_| indexed) {
            self.unindex(self.rows.list[place].at(), place);
        }
        self.rows.truncate(len);
        indexed
    }

    /// Points the index at the records from a place on, and returns how many repeated a key; the last of them counts, at the
    /// place of the first.
    // A separate loop is faster than calls of `insert`: the processor fetches several places at a time.
    pub(super) fn index_from(&mut self, first: usize) -> u64 {
        let (index, rows) = (&mut self.index, &mut self.rows.list);
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
        self.rows.pad();
        let repeated = kept.iter().filter(|kept| !**kept).count();
        if repeated > 0 {
            self.rows.retain(&kept);
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

    /// Makes the index find the record at a place by the key `new` instead of `old`. The row itself still has the old key.
    pub(super) fn move_index(&mut self, old: Keyed<K>, new: Keyed<K>, place: usize) {
        self.unindex(old, place);
        let rows = &mut self.rows.list;
        if self.index.len() == self.index.capacity() {
            // The index is full of tombstones; rebuilding it without them makes room.
            rows[place] = Row::new(new, rows[place].record());
            self.reindex();
            return;
        }
        self.index.insert_unique(hash(&new), place as u32, rehash!(rows));
    }

    pub(super) fn reindex(&mut self) {
        let rows = &self.rows.list;
        self.index.clear();
        for (place, row) in rows.iter().enumerate() {
            self.index.insert_unique(hash(&row.at()), place as u32, rehash!(rows));
        }
    }
}

impl<K: Key, R: Record> Table<K, R> {
    #[inline]
    fn at(slot: Slot<K>, depth: u8) -> Keyed<K> {
        Keyed { key: slot.key, depth: if R::KEYS_DEPTH { depth } else { 0 } }
    }

    /// The record of a slot, with its value for the side to move.
    #[inline]
    fn find(&self, slot: Slot<K>, depth: u8) -> Option<R> {
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
        let record = self.find(slot, depth);
        record.map_or(Probe::miss(window), |record| record.probe(self.reuse, depth, window))
    }

    #[inline]
    fn store(&mut self, slot: Slot<K>, depth: u8, window: Window, value: Score) {
        if let Some(record) = R::from_search(value, depth, window) {
            let record = if slot.negated { record.negated() } else { record };
            self.insert(Self::at(slot, depth), record);
        }
    }

    fn drop_entry(&mut self, slot: Slot<K>, depth: u8) {
        self.take(Self::at(slot, depth));
    }

    #[inline]
    fn leaf_value(&self, slot: Slot<K>) -> Option<Score> {
        if R::HAS_LEAF_VALUES { self.find(slot, 0)?.leaf_value(self.reuse) } else { None }
    }

    #[inline]
    fn count_use(&mut self, slot: Slot<K>, depth: u8) {
        if self.rows.uses.is_some()
            && let Some(place) = self.place(Self::at(slot, depth))
        {
            self.count_one_use(place);
        }
    }

    #[inline]
    fn evictions(&self) -> u64 {
        self.cursor.evicted
    }

    #[inline]
    fn stored_value(&self, slot: Slot<K>, depth: u8) -> Option<Score> {
        if R::ACTIVE { self.find(slot, depth)?.ordering_value(self.reuse, depth) } else { None }
    }

    fn hash_move(&self, slot: Slot<K>, depth: u8) -> Option<HashMove> {
        self.get(Self::at(slot, depth))?.hash_move()
    }

    fn set_hash_move(&mut self, slot: Slot<K>, depth: u8, best: HashMove) {
        if let Some(place) = self.place(Self::at(slot, depth)) {
            let row = &mut self.rows.list[place];
            row.replace(row.record().with_hash_move(best));
        }
    }

    #[inline]
    fn verifies(&self) -> bool {
        self.rows.states.is_some()
    }

    fn holds_other_position(&self, slot: Slot<K>, depth: u8, position: &Packed) -> bool {
        let place = self.place(Self::at(slot, depth));
        let stored = place.map(|place| self.rows.side_data(place).state);
        stored.is_some_and(|stored| stored.contradicts(position))
    }

    fn set_position(&mut self, position: Packed) {
        self.next_position = position;
    }
}
