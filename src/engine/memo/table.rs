use std::hash::{BuildHasher, Hash};

use hashbrown::{HashTable, hash_table::Entry as Place};
use rustc_hash::FxBuildHasher;

use super::{Entries, Entry, Policy, Record, journal::Journal};
use crate::engine::game::{Fault, Key, Keyed};

/// A map that keeps the order of insertion, as the seeds' dictionaries do: an overwritten entry keeps its place.
///
/// Records stand in one vector, which grows by an eighth so that little is spare; a hash index of 32-bit positions points
/// into it. An interval record of morris takes 32 bytes, with index and spare room at most 48.
#[derive(Debug)]
pub struct Table<K, R> {
    index: HashTable<u32>,
    pub(super) records: Vec<(Keyed<K>, R)>,
    /// What is needed to take changes back, while somebody wants that.
    pub(super) journal: Option<Box<Journal<K, R>>>,
}

impl<K: Clone, R: Clone> Clone for Table<K, R> {
    /// The same records; nothing to take back.
    fn clone(&self) -> Self {
        Self {
            index: self.index.clone(),
            records: self.records.clone(),
            journal: None,
        }
    }
}

impl<K, R> Default for Table<K, R> {
    fn default() -> Self {
        Self {
            index: HashTable::new(),
            records: Vec::new(),
            journal: None,
        }
    }
}

#[inline]
fn hash<K: Hash>(key: &Keyed<K>) -> u64 {
    FxBuildHasher.hash_one(key)
}

impl<K: Key, R: Copy> Table<K, R> {
    /// The record under a key.
    #[inline]
    pub fn get(&self, at: Keyed<K>) -> Option<R> {
        self.place(at).map(|place| self.records[place].1)
    }

    /// Writes a record and returns the one it replaced.
    #[inline]
    pub fn insert(&mut self, at: Keyed<K>, record: R) -> Option<R> {
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
                    records.reserve_exact((records.len() / 8).max(64));
                }
                records.push((at, record));
                None
            }
        }
    }

    /// Removes a record; the later ones move up by one place.
    pub fn remove(&mut self, at: Keyed<K>) -> Option<R> {
        let place = self.place(at)?;
        let (_, record) = self.records.remove(place);
        if let Some(journal) = &mut self.journal {
            journal.removed(place, (at, record));
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

    fn rebuild(&mut self) {
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
        self.records.capacity() * size_of::<(Keyed<K>, R)>() + self.index.allocation_size()
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
            journal.rebuilt(self.records.clone());
            journal.edited_whole();
        }
        self.records
            .retain(|&(key, record)| keep(key, &record.entry(key.depth)));
        self.rebuild();
    }

    fn clear(&mut self) {
        let records = std::mem::take(&mut self.records);
        self.index = HashTable::new();
        if let Some(journal) = &mut self.journal {
            journal.rebuilt(records);
            journal.edited_whole();
        }
    }

    fn reserve(&mut self, more: usize) {
        self.records.reserve_exact(more);
        let records = &self.records;
        self.index
            .reserve(more, |&place| hash(&records[place as usize].0));
    }
}
