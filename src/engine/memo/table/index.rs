use hashbrown::{HashTable, hash_table::Entry as Place};

use super::{Table, hash};
use crate::engine::{
    game::{Key, Keyed},
    memo::Record,
};

impl<K: Key, R: Record> Table<K, R> {
    /// Makes a larger index. Going through the records in order, it reads memory in order; left to itself the old index
    /// would go through them as they are hashed.
    #[cold]
    pub(super) fn grow(&mut self) {
        self.index = HashTable::with_capacity(self.index.capacity() + 1);
        self.rebuild();
    }

    /// Keeps the first `len` records. `indexed` says that the index still points at the right places.
    pub(super) fn shorten(&mut self, len: usize, indexed: bool) {
        let gone = self.rows.len().saturating_sub(len);
        self.beside.truncate(len);
        if !indexed || gone > len {
            self.rows.truncate(len);
            self.rebuild();
            return;
        }
        for row in self.rows.drain(len..) {
            let place = self
                .index
                .find_entry(hash(&row.at()), |&known| known as usize >= len);
            if let Ok(place) = place {
                place.remove();
            }
        }
    }

    /// Points the index at the records from a place on; of those under one key the last one counts, at the first one's
    /// place. How many gave way so. In a loop of its own the processor fetches the places of several records at a time.
    pub(super) fn index_from(&mut self, first: usize) -> u64 {
        let Self { index, rows, .. } = self;
        let rehash = |&known: &u32| hash(&rows[known as usize].at());
        index.reserve(rows.len() - first, rehash);
        let mut repeated = Vec::new();
        for place in first..rows.len() {
            let row = rows[place];
            let same = |&known: &u32| rows[known as usize].at() == row.at();
            let rehash = |&known: &u32| hash(&rows[known as usize].at());
            match index.entry(hash(&row.at()), same, rehash) {
                Place::Occupied(known) => {
                    let known = *known.get() as usize;
                    rows[known] = row;
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
            rows.retain(|_| {
                let stays = gone.next_if_eq(&&place).is_none();
                place += 1;
                stays
            });
            self.rebuild();
        }
        self.beside.resize(self.rows.len());
        repeated.len() as u64
    }

    /// Forgets where a key is.
    pub(super) fn unindex(&mut self, at: Keyed<K>, place: usize) {
        let found = self
            .index
            .find_entry(hash(&at), |&known| known as usize == place);
        if let Ok(found) = found {
            found.remove();
        }
    }

    /// Points the index at a place by another key.
    pub(super) fn move_index(&mut self, old: Keyed<K>, new: Keyed<K>, place: usize) {
        self.unindex(old, place);
        if self.index.len() == self.index.capacity() {
            // What is free is taken by marks of removed places: without them there is room.
            let record = self.rows[place].record();
            self.rows[place] = super::Row::new(new, record);
            self.rebuild();
            return;
        }
        let rows = &self.rows;
        let rehash = |&known: &u32| hash(&rows[known as usize].at());
        self.index.insert_unique(hash(&new), place as u32, rehash);
    }

    pub(super) fn rebuild(&mut self) {
        let rows = &self.rows;
        self.index.clear();
        for (place, row) in rows.iter().enumerate() {
            let rehash = |&known: &u32| hash(&rows[known as usize].at());
            self.index
                .insert_unique(hash(&row.at()), place as u32, rehash);
        }
    }
}

/// Bytes of an index of 32-bit places with room for so many, as hashbrown lays it out: a power of two of buckets, at
/// most seven eighths of them taken, a control byte each and a group of them more.
pub(super) fn index_bytes(room: usize) -> usize {
    const GROUP: usize = 16;
    let buckets = match room {
        0 => return 0,
        1..=3 => 4,
        4..=7 => 8,
        8..=14 => 16,
        _ => (room.saturating_mul(8) / 7)
            .saturating_add(1)
            .next_power_of_two(),
    };
    let places = (buckets * size_of::<u32>()).next_multiple_of(GROUP);
    places + buckets + GROUP
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_takes_what_was_reckoned_at_most() {
        for room in (0..3000).chain([10_000, 14_336, 14_337, 1 << 17, 1_000_000]) {
            let index: HashTable<u32> = HashTable::with_capacity(room);
            let (found, reckoned) = (index.allocation_size(), index_bytes(room));
            assert!(found <= reckoned, "{room}: {found} of {reckoned}");
        }
    }
}
