use std::hash::{BuildHasher, Hash};

use hashbrown::{HashTable, hash_table::Entry as Place};
use rustc_hash::FxBuildHasher;

use super::{Entries, Entry, Policy, Reading, Record, Room, evict::Keeper, journal::Journal};
use crate::engine::game::{Fault, Key, Keyed};

/// A map that keeps the order of insertion, as the seeds' dictionaries do: an overwritten entry keeps its place.
///
/// Records stand in one vector, which grows by an eighth so that little is spare; a hash index of 32-bit positions points
/// into it. An interval record of morris takes 32 bytes, with index and spare room at most 48.
#[derive(Debug)]
pub struct Table<K, R> {
    pub(super) index: HashTable<u32>,
    pub(super) records: Vec<(Keyed<K>, R)>,
    /// How often the record at each place was used, while somebody wants to know.
    pub(super) uses: Option<Vec<u32>>,
    /// Keeps the table within its bound.
    pub(super) keeper: Keeper,
    /// What is needed to take changes back, while somebody wants that.
    pub(super) journal: Option<Box<Journal<K, R>>>,
}

impl<K: Clone, R: Clone> Clone for Table<K, R> {
    /// The same records; nothing to take back.
    fn clone(&self) -> Self {
        Self {
            index: self.index.clone(),
            records: self.records.clone(),
            uses: self.uses.clone(),
            keeper: self.keeper,
            journal: None,
        }
    }
}

impl<K, R> Default for Table<K, R> {
    fn default() -> Self {
        Self {
            index: HashTable::new(),
            records: Vec::new(),
            uses: None,
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
        self.place(at).map(|place| self.records[place].1)
    }

    /// Writes a record and returns the one it replaced. In a table that is full another one gives way to a new key.
    #[inline]
    pub fn insert(&mut self, at: Keyed<K>, record: R) -> Option<R> {
        if self.records.len() >= self.keeper.limit && self.place(at).is_none() {
            self.insert_full(at, record);
            return None;
        }
        if self.index.len() == self.index.capacity() {
            self.grow();
        }
        let records = &mut self.records;
        let same = |&place: &u32| records[place as usize].0 == at;
        let rehash = |&place: &u32| hash(&records[place as usize].0);
        match self.index.entry(hash(&at), same, rehash) {
            Place::Occupied(place) => {
                let place = *place.get() as usize;
                let old = std::mem::replace(&mut records[place].1, record);
                if let Some(journal) = &mut self.journal {
                    journal.replaced(place, (at, old));
                }
                Some(old)
            }
            Place::Vacant(place) => {
                place.insert(u32::try_from(records.len()).unwrap_or(u32::MAX));
                if records.len() == records.capacity() {
                    let room = self.keeper.limit - records.len();
                    let more = (records.len() / 8).max(64).min(room);
                    records.reserve_exact(more);
                    if let Some(uses) = &mut self.uses {
                        uses.reserve_exact(more);
                    }
                }
                records.push((at, record));
                if let Some(uses) = &mut self.uses {
                    uses.push(0);
                }
                None
            }
        }
    }

    /// Removes a record; the later ones move up by one place.
    pub fn remove(&mut self, at: Keyed<K>) -> Option<R> {
        let place = self.place(at)?;
        let (_, record) = self.records.remove(place);
        let uses = self.uses.as_mut().map_or(0, |uses| uses.remove(place));
        if let Some(journal) = &mut self.journal {
            journal.removed(place, (at, record), uses);
        }
        if let Ok(found) = self
            .index
            .find_entry(hash(&at), |&known| known as usize == place)
        {
            found.remove();
        }
        if place < self.records.len() {
            self.index
                .iter_mut()
                .filter(|known| **known as usize > place)
                .for_each(|known| *known -= 1);
        }
        Some(record)
    }

    /// Number of records.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Keys and records in order of insertion.
    pub fn iter(&self) -> impl Iterator<Item = (Keyed<K>, R)> + '_ {
        self.records.iter().copied()
    }

    pub(super) fn place(&self, at: Keyed<K>) -> Option<usize> {
        self.index
            .find(hash(&at), |&place| self.records[place as usize].0 == at)
            .map(|&place| place as usize)
    }

    /// Makes a larger index. Going through the records in order, it reads memory in order; left to itself the old index
    /// would go through them as they are hashed.
    #[cold]
    fn grow(&mut self) {
        self.index = HashTable::with_capacity(self.index.capacity() + 1);
        self.rebuild();
    }

    /// Keeps the first `len` records. `indexed` says that the index still points at the right places.
    pub(super) fn shorten(&mut self, len: usize, indexed: bool) {
        let gone = self.records.len().saturating_sub(len);
        if let Some(uses) = &mut self.uses {
            uses.truncate(len);
        }
        if !indexed || gone > len {
            self.records.truncate(len);
            self.rebuild();
            return;
        }
        for (at, _) in self.records.drain(len..) {
            let place = self
                .index
                .find_entry(hash(&at), |&known| known as usize >= len);
            if let Ok(place) = place {
                place.remove();
            }
        }
    }

    /// Keeps the records for which `keep` holds.
    pub(super) fn retain_records(&mut self, keep: &mut dyn FnMut(Keyed<K>, R) -> bool) {
        if let Some(journal) = &mut self.journal {
            journal.rebuilt(self.records.clone(), self.uses.clone());
        }
        let counted = self.uses.is_some();
        let mut kept = Vec::new();
        self.records.retain(|&(at, record)| {
            let stays = keep(at, record);
            if counted {
                kept.push(stays);
            }
            stays
        });
        if let Some(uses) = &mut self.uses {
            let mut kept = kept.into_iter();
            uses.retain(|_| kept.next().unwrap_or(false));
        }
        self.rebuild();
    }

    /// Points the index at the records from a place on; of those under one key the last one counts, at the first one's
    /// place. How many gave way so. In a loop of its own the processor fetches the places of several records at a time.
    fn index_from(&mut self, first: usize) -> u64 {
        let Self { index, records, .. } = self;
        let rehash = |&known: &u32| hash(&records[known as usize].0);
        index.reserve(records.len() - first, rehash);
        let mut repeated = Vec::new();
        for place in first..records.len() {
            let (at, record) = records[place];
            let same = |&known: &u32| records[known as usize].0 == at;
            let rehash = |&known: &u32| hash(&records[known as usize].0);
            match index.entry(hash(&at), same, rehash) {
                Place::Occupied(known) => {
                    let known = *known.get() as usize;
                    records[known].1 = record;
                    repeated.push(place);
                }
                Place::Vacant(vacant) => {
                    vacant.insert(u32::try_from(place).unwrap_or(u32::MAX));
                }
            }
        }
        if !repeated.is_empty() {
            let mut gone = repeated.iter().peekable();
            let mut place = 0;
            records.retain(|_| {
                let stays = gone.next_if_eq(&&place).is_none();
                place += 1;
                stays
            });
            self.rebuild();
        }
        if let Some(uses) = &mut self.uses {
            uses.resize(self.records.len(), 0);
        }
        repeated.len() as u64
    }

    /// Points the index at a place by another key.
    pub(super) fn move_index(&mut self, old: Keyed<K>, new: Keyed<K>, place: usize) {
        let found = self
            .index
            .find_entry(hash(&old), |&known| known as usize == place);
        if let Ok(found) = found {
            found.remove();
        }
        if self.index.len() == self.index.capacity() {
            // What is free is taken by marks of removed places: without them there is room.
            self.records[place].0 = new;
            self.rebuild();
            return;
        }
        let records = &self.records;
        let rehash = |&known: &u32| hash(&records[known as usize].0);
        self.index.insert_unique(hash(&new), place as u32, rehash);
    }

    pub(super) fn rebuild(&mut self) {
        let records = &self.records;
        self.index.clear();
        for (place, (key, _)) in records.iter().enumerate() {
            let rehash = |&known: &u32| hash(&records[known as usize].0);
            self.index.insert_unique(hash(key), place as u32, rehash);
        }
    }
}

impl<K: Key, R: Record> Entries<K> for Table<K, R> {
    fn policy(&self) -> Policy {
        R::POLICY
    }

    fn len(&self) -> usize {
        self.records.len()
    }

    fn bytes(&self) -> usize {
        let uses = self.uses.as_ref().map_or(0, Vec::capacity) * size_of::<u32>();
        self.records.capacity() * size_of::<(Keyed<K>, R)>() + self.index.allocation_size() + uses
    }

    fn get(&self, at: Keyed<K>) -> Option<Entry> {
        Self::get(self, at).map(|record| record.entry(at.depth))
    }

    fn set(&mut self, at: Keyed<K>, entry: Entry) -> Result<Option<Entry>, Fault> {
        let old = self.insert(at, R::from_entry(&entry)?);
        if let Some(journal) = &mut self.journal {
            journal.edited(at, Some(entry));
        }
        Ok(old.map(|record| record.entry(at.depth)))
    }

    fn fill(&mut self, read: &mut Reading<'_, K>) -> Result<u64, Fault> {
        let before = self.records.len();
        let records = &mut self.records;
        let taken = read(&mut |at, entry| {
            records.push((at, R::from_entry(&entry)?));
            Ok(())
        });
        if let Err(fault) = taken {
            self.records.truncate(before);
            return Err(fault);
        }
        if let Some(journal) = &mut self.journal {
            journal.rebuilt(self.records[..before].to_vec(), self.uses.clone());
            journal.edited_whole();
        }
        Ok(self.index_from(before))
    }

    fn remove(&mut self, at: Keyed<K>) -> Option<Entry> {
        let old = Self::remove(self, at)?;
        if let Some(journal) = &mut self.journal {
            journal.edited(at, None);
        }
        Some(old.entry(at.depth))
    }

    fn iter(&self) -> Box<dyn Iterator<Item = (Keyed<K>, Entry)> + '_> {
        Box::new(
            self.records
                .iter()
                .map(|&(key, record)| (key, record.entry(key.depth))),
        )
    }

    fn nth(&self, place: usize) -> Option<(Keyed<K>, Entry)> {
        let &(key, record) = self.records.get(place)?;
        Some((key, record.entry(key.depth)))
    }

    fn scan(&self, visit: &mut dyn FnMut(usize, Keyed<K>, Entry)) {
        for (place, &(key, record)) in self.records.iter().enumerate() {
            visit(place, key, record.entry(key.depth));
        }
    }

    fn retain(&mut self, keep: &mut dyn FnMut(Keyed<K>, &Entry) -> bool) {
        if let Some(journal) = &mut self.journal {
            journal.edited_whole();
        }
        self.retain_records(&mut |at, record| keep(at, &record.entry(at.depth)));
    }

    fn clear(&mut self) {
        let records = std::mem::take(&mut self.records);
        let uses = self.uses.as_mut().map(std::mem::take);
        self.index = HashTable::new();
        self.keeper.state.hand = 0;
        if let Some(journal) = &mut self.journal {
            journal.rebuilt(records, uses);
            journal.edited_whole();
        }
    }

    fn set_room(&mut self, room: Room) -> usize {
        Self::set_room(self, room)
    }

    fn limit(&self) -> usize {
        self.keeper.limit
    }

    fn evictions(&self) -> u64 {
        self.keeper.state.evicted
    }

    fn uses(&self, place: usize) -> Option<u32> {
        self.uses.as_ref()?.get(place).copied()
    }

    fn reserve(&mut self, more: usize) {
        let more = more.min(self.keeper.limit - self.records.len().min(self.keeper.limit));
        self.records.reserve_exact(more);
        let records = &self.records;
        self.index
            .reserve(more, |&place| hash(&records[place as usize].0));
    }
}
