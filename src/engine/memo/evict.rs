//! Tables that never get larger than they may.

use hashbrown::HashTable;

use super::{
    Record, Table,
    room::{MaxSize, Replace, Room},
};
use crate::engine::game::{Key, Keyed};

/// How many entries are looked at to find the one that gives way.
const NEIGHBOURS: usize = 8;

/// How a table keeps to its bound.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keeper {
    room: Room,
    /// Entries at most.
    pub(super) limit: usize,
    pub(super) state: State,
}

/// What decides which entry is next to give way, and how many have: it goes back with the entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct State {
    /// The place that is looked at next.
    pub(super) hand: usize,
    /// Entries that have given way.
    pub(super) evicted: u64,
}

impl Default for Keeper {
    fn default() -> Self {
        Self {
            room: Room::default(),
            limit: usize::MAX,
            state: State::default(),
        }
    }
}

/// The index has room for an eighth more than the entries: places of those that gave way are free only after a while.
fn index_room(entries: usize) -> usize {
    entries.saturating_add(entries / 8 + 1)
}

impl<K: Key, R: Record> Table<K, R> {
    /// Bytes that so many entries take at most.
    fn bytes_of(entries: usize, uses: bool) -> usize {
        let record = size_of::<(Keyed<K>, R)>() + if uses { size_of::<u32>() } else { 0 };
        entries
            .saturating_mul(record)
            .saturating_add(index_bytes(index_room(entries)))
    }

    /// Entries for which a bound leaves room.
    fn entries_in(size: MaxSize, uses: bool) -> usize {
        match size {
            MaxSize::Unlimited => usize::MAX,
            MaxSize::Entries(entries) => entries,
            MaxSize::Bytes(bytes) => {
                // The largest number whose bytes fit; the sum grows with the number.
                let (mut fits, mut too_many) = (0, bytes / size_of::<(Keyed<K>, R)>() + 1);
                while too_many - fits > 1 {
                    let middle = fits + (too_many - fits) / 2;
                    if Self::bytes_of(middle, uses) <= bytes {
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
    pub(super) fn set_room(&mut self, room: Room) -> usize {
        let counted = room.count_uses || room.replace == Replace::Use;
        if counted != self.uses.is_some() {
            self.uses = counted.then(|| vec![0; self.records.len()]);
        }
        self.keeper.room = room;
        self.keeper.limit = Self::entries_in(room.size, counted);
        let excess = self.records.len().saturating_sub(self.keeper.limit);
        if excess == 0 {
            self.fit();
            return 0;
        }
        let before = self.records.len();
        match room.replace {
            Replace::Clean => {
                self.clean(None);
            }
            Replace::Depth | Replace::Use => self.drop_least(excess),
        }
        self.fit();
        before - self.records.len()
    }

    /// Gives back memory that the bound no longer allows.
    pub(super) fn fit(&mut self) {
        let limit = self.keeper.limit;
        if self.records.capacity() > limit {
            self.records.shrink_to(limit.max(self.records.len()));
        }
        if let Some(uses) = &mut self.uses {
            uses.shrink_to(limit.max(self.records.len()));
        }
        if limit < usize::MAX && self.index.allocation_size() > index_bytes(index_room(limit)) {
            self.index = HashTable::with_capacity(self.records.len());
            self.rebuild();
        }
    }

    /// Drops the shallowest or least used entries, among equals the oldest.
    fn drop_least(&mut self, excess: usize) {
        let worth = |place: usize| self.worth(place);
        let mut places: Vec<usize> = (0..self.records.len()).collect();
        places.select_nth_unstable_by_key(excess - 1, |&place| (worth(place), place));
        let mut gone = vec![false; self.records.len()];
        for place in &places[..excess] {
            gone[*place] = true;
        }
        let mut gone = gone.into_iter();
        self.retain_records(&mut |_, _| !gone.next().unwrap_or(false));
        self.keeper.state.evicted += excess as u64;
    }

    /// What replacement goes by: less gives way first.
    fn worth(&self, place: usize) -> u32 {
        let (at, record) = self.records[place];
        match (self.keeper.room.replace, &self.uses) {
            (Replace::Use, Some(uses)) => uses[place],
            _ => u32::from(record.depth(at.depth)),
        }
    }

    /// Writes a new record into a table that is full.
    #[cold]
    pub(super) fn insert_full(&mut self, at: Keyed<K>, record: R) {
        if self.keeper.limit == 0 {
            self.keeper.state.evicted += 1;
            return;
        }
        if self.keeper.room.replace == Replace::Clean {
            if self.clean(Some((at, record))) {
                self.insert(at, record);
            }
            return;
        }
        let victim = self.victim();
        let old = self.records[victim];
        if let Some(journal) = &mut self.journal {
            journal.replaced(victim, old);
        }
        self.set_uses(victim, 0);
        self.move_index(old.0, at, victim);
        self.records[victim] = (at, record);
        self.keeper.state.evicted += 1;
    }

    /// The least worthy of the next neighbours.
    fn victim(&mut self) -> usize {
        let len = self.records.len();
        let first = self.keeper.state.hand;
        let places = (first..first + NEIGHBOURS.min(len)).map(|place| place % len);
        let victim = places.clone().min_by_key(|&place| self.worth(place));
        if self.keeper.room.replace == Replace::Use {
            for place in places {
                let halved = self.uses.as_ref().map_or(0, |uses| uses[place] / 2);
                self.set_uses(place, halved);
            }
        }
        self.keeper.state.hand = (first + NEIGHBOURS) % len;
        victim.unwrap_or(0)
    }

    /// Seed 000's `clean` on the table with a new entry in it: whole depths go until it fits. Whether the new one stays.
    fn clean(&mut self, new: Option<(Keyed<K>, R)>) -> bool {
        let new_depth = new.map(|(at, record)| Self::kept_depth(at, record));
        let mut counts = [0_usize; 256];
        for &(at, record) in &self.records {
            counts[Self::kept_depth(at, record)] += 1;
        }
        if let Some(depth) = new_depth {
            counts[depth] += 1;
        }
        let mut left: usize = counts.iter().sum();
        let (mut depth, before) = (0, left);
        while left > self.keeper.limit && depth < 255 {
            depth += 1;
            left = counts[depth + 1..].iter().sum();
        }
        if depth > 0 {
            self.retain_records(&mut |at, record| Self::kept_depth(at, record) > depth);
        }
        let kept = new_depth.is_none_or(|new| depth == 0 || new > depth);
        self.keeper.state.evicted += (before - left) as u64;
        kept
    }

    /// The depth that cleaning goes by; entries without one count as depth 0.
    fn kept_depth(at: Keyed<K>, record: R) -> usize {
        usize::from(record.depth(at.depth))
    }

    /// Counts a use of the entry under a key, where uses are counted.
    #[inline]
    pub(super) fn touch(&mut self, at: Keyed<K>) {
        if self.uses.is_some() {
            self.count_use(at);
        }
    }

    #[cold]
    fn count_use(&mut self, at: Keyed<K>) {
        if let Some(place) = self.place(at) {
            let uses = self.uses.as_ref().map_or(0, |uses| uses[place]);
            self.set_uses(place, uses.saturating_add(1));
        }
    }

    fn set_uses(&mut self, place: usize, now: u32) {
        let Some(uses) = &mut self.uses else {
            return;
        };
        let old = std::mem::replace(&mut uses[place], now);
        if let Some(journal) = &mut self.journal
            && old != now
        {
            journal.used(place, old);
        }
    }
}

/// Bytes of an index of 32-bit places with room for so many, as hashbrown lays it out: a power of two of buckets, at
/// most seven eighths of them taken, a control byte each and a group of them more.
fn index_bytes(room: usize) -> usize {
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
