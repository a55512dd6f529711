mod entries;
mod index;
mod undo;

use std::hash::{BuildHasher, Hash};

use hashbrown::{HashTable, hash_table::Entry as Place};
use rustc_hash::FxBuildHasher;

use super::{
    Entries, Record, Records, Room,
    beside::{Beside, Side},
    crowd::{Crowd, Keeper, MaxSize, NEIGHBOURS, Neighbours},
    journal::Journal,
    row::Row,
};
use crate::engine::game::{Key, Keyed, Packed};
use index::index_bytes;
use undo::Change;

/// A map that keeps the order of insertion, as the seeds' dictionaries do: an overwritten entry keeps its place.
///
/// Records stand in one vector, which grows by an eighth so that little is spare; a hash index of 32-bit positions points
/// into it. An interval record of morris takes 32 bytes, with index and spare room at most 48.
#[derive(Debug)]
pub struct Table<K: Key, R: Record> {
    index: HashTable<u32>,
    rows: Vec<Row<K, R>>,
    beside: Beside,
    /// The position that the next record is written for.
    attended: Packed,
    /// Keeps the table within its bound.
    keeper: Keeper,
    /// What is needed to take changes back, while somebody wants that.
    journal: Option<Box<Journal<K, Change<K, R>>>>,
}

impl<K: Key, R: Record> Clone for Table<K, R> {
    /// The same records; nothing to take back.
    fn clone(&self) -> Self {
        Self {
            index: self.index.clone(),
            rows: self.rows.clone(),
            beside: self.beside.clone(),
            attended: Packed::UNKNOWN,
            keeper: self.keeper,
            journal: None,
        }
    }
}

impl<K: Key, R: Record> Default for Table<K, R> {
    fn default() -> Self {
        Self {
            index: HashTable::new(),
            rows: Vec::new(),
            beside: Beside::default(),
            attended: Packed::UNKNOWN,
            keeper: Keeper::default(),
            journal: None,
        }
    }
}

#[inline]
fn hash<K: Hash>(key: &Keyed<K>) -> u64 {
    FxBuildHasher.hash_one(key)
}

impl<K: Key, R: Record> Table<K, R> {
    /// The record under a key.
    #[inline]
    pub fn get(&self, at: Keyed<K>) -> Option<R> {
        self.place(at).map(|place| self.rows[place].record())
    }

    /// Writes a record and returns the one it replaced. In a table that is full another one gives way to a new key.
    #[inline]
    pub fn insert(&mut self, at: Keyed<K>, record: R) -> Option<R> {
        if self.rows.len() >= self.keeper.limit && self.place(at).is_none() {
            self.insert_full(at, record);
            return None;
        }
        if self.index.len() == self.index.capacity() {
            self.grow();
        }
        let rows = &mut self.rows;
        let same = |&place: &u32| rows[place as usize].at() == at;
        let rehash = |&place: &u32| hash(&rows[place as usize].at());
        match self.index.entry(hash(&at), same, rehash) {
            Place::Occupied(place) => {
                let place = *place.get() as usize;
                let old = self.rows[place].replace(record);
                if let Some(journal) = &mut self.journal {
                    Change::replaced(journal, place, Row::new(at, old));
                }
                if self.beside.states.is_some() {
                    self.set_state(place);
                }
                Some(old)
            }
            Place::Vacant(place) => {
                place.insert(u32::try_from(rows.len()).unwrap_or(u32::MAX));
                if rows.len() == rows.capacity() {
                    let room = self.keeper.limit - rows.len();
                    let more = (rows.len() / 8).max(64).min(room);
                    rows.reserve_exact(more);
                    self.beside.reserve_exact(more);
                }
                rows.push(Row::new(at, record));
                if self.beside.is_kept() {
                    self.push_side();
                }
                None
            }
        }
    }

    #[cold]
    fn push_side(&mut self) {
        let state = std::mem::replace(&mut self.attended, Packed::UNKNOWN);
        self.beside.push(Side { uses: 0, state });
    }

    /// The record at a place was written for the position attended to.
    #[cold]
    fn set_state(&mut self, place: usize) {
        let now = std::mem::replace(&mut self.attended, Packed::UNKNOWN);
        if let Some(states) = &mut self.beside.states {
            let old = std::mem::replace(&mut states[place], now);
            if let Some(journal) = &mut self.journal
                && old != now
            {
                Change::restated(journal, place, old);
            }
        }
    }

    /// Removes a record; the later ones move up by one place.
    pub fn remove(&mut self, at: Keyed<K>) -> Option<R> {
        let place = self.place(at)?;
        let row = self.rows.remove(place);
        let side = self.beside.remove(place);
        if let Some(journal) = &mut self.journal {
            journal.push(Change::removed(place, row, side));
        }
        self.unindex(at, place);
        if place < self.rows.len() {
            self.index
                .iter_mut()
                .filter(|known| **known as usize > place)
                .for_each(|known| *known -= 1);
        }
        Some(row.record())
    }

    /// Number of records.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Keys and records in order of insertion.
    pub fn iter(&self) -> impl Iterator<Item = (Keyed<K>, R)> + '_ {
        self.rows.iter().map(|row| (row.at(), row.record()))
    }

    #[inline]
    fn place(&self, at: Keyed<K>) -> Option<usize> {
        self.index
            .find(hash(&at), |&place| self.rows[place as usize].at() == at)
            .map(|&place| place as usize)
    }

    /// Keeps the records for which `keep` holds.
    fn retain_rows(&mut self, keep: &mut dyn FnMut(usize, &Row<K, R>) -> bool) {
        if let Some(journal) = &mut self.journal {
            journal.push(Change::Rebuilt(self.rows.clone(), self.beside.clone()));
        }
        let mut kept = Vec::with_capacity(self.rows.len());
        self.rows.retain(|row| {
            let stays = keep(kept.len(), row);
            kept.push(stays);
            stays
        });
        self.beside.retain(&kept);
        self.rebuild();
    }

    /// Bytes that so many entries take at most.
    fn bytes_of(entries: usize, beside: usize) -> usize {
        entries
            .saturating_mul(size_of::<Row<K, R>>() + beside)
            .saturating_add(index_bytes(index_room(entries)))
    }

    /// Entries for which a bound leaves room.
    fn entries_in(size: MaxSize, beside: usize) -> usize {
        match size {
            MaxSize::Unlimited => usize::MAX,
            MaxSize::Entries(entries) => entries,
            MaxSize::Bytes(bytes) => {
                // The largest number whose bytes fit; the sum grows with the number.
                let (mut fits, mut too_many) = (0, bytes / size_of::<Row<K, R>>() + 1);
                while too_many - fits > 1 {
                    let middle = fits + (too_many - fits) / 2;
                    if Self::bytes_of(middle, beside) <= bytes {
                        fits = middle;
                    } else {
                        too_many = middle;
                    }
                }
                fits
            }
        }
    }

    /// Bounds the table from now on. What is too much already goes at once, as it would have gone; how many that are.
    fn bound(&mut self, room: Room) -> usize {
        self.beside
            .ask(room.counts_uses(), room.verify, self.rows.len());
        self.keeper.room = room;
        self.keeper.limit = Self::entries_in(room.hard_size(), self.beside.each());
        let gone = self.drop_excess();
        self.fit();
        gone
    }

    /// Gives back memory that the bound no longer allows.
    fn fit(&mut self) {
        let limit = self.keeper.limit;
        if self.rows.capacity() > limit {
            self.rows.shrink_to(limit.max(self.rows.len()));
        }
        self.beside.shrink_to(limit.max(self.rows.len()));
        if limit < usize::MAX && self.index.allocation_size() > index_bytes(index_room(limit)) {
            self.index = HashTable::with_capacity(self.rows.len());
            self.rebuild();
        }
    }

    /// Writes a new record into a table that is full.
    #[cold]
    fn insert_full(&mut self, at: Keyed<K>, record: R) {
        let Some(victim) = self.make_way(record.depth(at.depth)) else {
            return;
        };
        let Some(victim) = victim else {
            self.insert(at, record);
            return;
        };
        let old = self.rows[victim];
        if let Some(journal) = &mut self.journal {
            Change::replaced(journal, victim, old);
        }
        self.set_uses(victim, 0);
        self.set_state(victim);
        self.move_index(old.at(), at, victim);
        self.rows[victim] = Row::new(at, record);
    }
}

/// The index has room for an eighth more than the entries: places of those that gave way are free only after a while.
fn index_room(entries: usize) -> usize {
    entries.saturating_add(entries / 8 + 1)
}

impl<K: Key, R: Record> Records<K, R> for Table<K, R> {
    #[inline]
    fn look(&self, at: Keyed<K>) -> Option<R> {
        self.get(at)
    }

    #[inline]
    fn write(&mut self, at: Keyed<K>, record: R) {
        self.insert(at, record);
    }

    #[inline]
    fn touch(&mut self, at: Keyed<K>) {
        if self.beside.uses.is_some()
            && let Some(place) = self.place(at)
        {
            self.use_once(place);
        }
    }

    #[inline]
    fn evicted(&self) -> u64 {
        self.keeper.state.evicted
    }

    #[inline]
    fn verifies(&self) -> bool {
        self.beside.states.is_some()
    }

    fn belongs_to(&self, at: Keyed<K>, state: &Packed) -> bool {
        let known = Entries::state(self, at);
        known.is_none_or(|known| !known.contradicts(state))
    }

    fn attend(&mut self, state: Packed) {
        self.attended = state;
    }
}

impl<K: Key, R: Record> Crowd for Table<K, R> {
    type Place = usize;

    fn keeper(&self) -> &Keeper {
        &self.keeper
    }

    fn keeper_mut(&mut self) -> &mut Keeper {
        &mut self.keeper
    }

    fn count(&self) -> usize {
        self.rows.len()
    }

    fn places(&self) -> impl Iterator<Item = usize> {
        0..self.rows.len()
    }

    fn depth_at(&self, place: usize) -> u8 {
        let row = self.rows[place];
        row.record().depth(row.at().depth)
    }

    fn uses_at(&self, place: usize) -> Option<u32> {
        self.beside.uses.as_ref()?.get(place).copied()
    }

    fn set_uses(&mut self, place: usize, now: u32) {
        let Some(uses) = &mut self.beside.uses else {
            return;
        };
        let old = std::mem::replace(&mut uses[place], now);
        if let Some(journal) = &mut self.journal
            && old != now
        {
            Change::used(journal, place, old);
        }
    }

    fn keep_places(&mut self, keep: &mut dyn FnMut(usize) -> bool) {
        self.retain_rows(&mut |place, _| keep(place));
    }

    /// The next places of the order of insertion, from the last one on from the first again.
    fn neighbours(&self) -> Neighbours<usize> {
        let len = self.rows.len();
        let first = self.keeper.state.hand as usize;
        let places = (first..first + NEIGHBOURS.min(len)).map(|place| place % len);
        Neighbours {
            places: places.collect(),
            hand: ((first + NEIGHBOURS) % len) as u64,
        }
    }
}
