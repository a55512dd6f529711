mod bucket;
mod entries;
mod lanes;
mod segment;
mod undo;
mod values;

#[cfg(test)]
mod tests;

use std::marker::PhantomData;

use super::{
    Records, Room,
    bound::BoundRecord,
    crowd::{Crowd, Keeper, MaxSize, Neighbours},
    journal::Journal,
};
use crate::engine::game::{Key, Keyed};
use bucket::Content;
use lanes::{Lane, Lanes, Place};
use undo::Change;
use values::Values;

/// The policy `bound` in less than eleven bytes a slot: of a 64-bit hash what its place does not tell, bound, depth and the
/// number of a value.
///
/// Values are kept apart, each once and bit for bit, since searches meet few of them; more than 65 536 different ones take
/// eight bytes more a slot, and so does counting uses. Slots stand in the order of their hashes, after a scattering that
/// can be taken back; so the order depends on what is in the table and not on how it came there. Six in ten to nine in ten
/// slots are taken: 15 to 16 bytes an entry in tables of a few hundred thousand and more.
#[derive(Debug)]
pub struct Compact<K> {
    lanes: Lanes,
    values: Values,
    keeper: Keeper,
    journal: Option<Box<Journal<K, Change>>>,
    key: PhantomData<K>,
}

impl<K> Clone for Compact<K> {
    /// The same entries; nothing to take back.
    fn clone(&self) -> Self {
        Self {
            lanes: self.lanes.clone(),
            values: self.values.clone(),
            keeper: self.keeper,
            journal: None,
            key: PhantomData,
        }
    }
}

impl<K> Default for Compact<K> {
    fn default() -> Self {
        Self {
            lanes: Lanes::default(),
            values: Values::default(),
            keeper: Keeper::default(),
            journal: None,
            key: PhantomData,
        }
    }
}

/// Any odd number with bits all over: that of the golden section, after Knuth.
const SCATTER: u64 = 0x9E37_79B9_7F4A_7C15;
/// What undoes multiplying with it.
const GATHER: u64 = inverse(SCATTER);

/// The inverse of an odd number modulo 2^64, by Newton's iteration: each step doubles the bits that are right.
const fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    let mut bits = 3;
    while bits < 64 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
        bits *= 2;
    }
    inverse
}

/// A key's hash with its bits scattered, so that hashes that are not random stand apart all the same.
#[inline]
fn hash<K: Key>(key: K) -> u64 {
    scattered(key.word())
}

#[inline]
const fn scattered(word: u64) -> u64 {
    (word ^ word >> 32).wrapping_mul(SCATTER)
}

/// The key of a scattered hash.
fn key<K: Key>(hash: u64) -> Option<K> {
    let word = hash.wrapping_mul(GATHER);
    K::from_word(word ^ word >> 32)
}

impl<K: Key> Compact<K> {
    #[inline]
    fn known(&self, content: Content) -> BoundRecord {
        BoundRecord {
            value: self.values.at(content.number),
            bound: content.bound,
            depth: content.depth,
        }
    }

    /// The record under a key.
    #[inline]
    pub fn get(&self, key: K) -> Option<BoundRecord> {
        let place = self.lanes.find(hash(key)).ok()?;
        Some(self.known(self.lanes.content(place)))
    }

    /// Writes a record. In a table that is full another one gives way to a new key.
    #[inline]
    pub fn insert(&mut self, key: K, record: BoundRecord) {
        let content = self.content(record);
        let hash = hash(key);
        match self.lanes.find(hash) {
            Ok(place) => {
                self.note(place);
                self.lanes.rewrite(place, hash, content);
            }
            Err(place) if self.lanes.len() < self.keeper.limit => self.put(place, hash, content),
            Err(_) => self.insert_full(hash, content),
        }
    }

    /// What is kept of a record.
    #[inline]
    fn content(&mut self, record: BoundRecord) -> Content {
        let number = self.values.number(record.value);
        if number > u32::from(u16::MAX) && !self.lanes.is_wide() {
            self.lanes.widen();
        }
        Content {
            bound: record.bound,
            depth: record.depth,
            number,
        }
    }

    /// Takes down what stands at a place before it is written over.
    #[inline]
    fn note(&mut self, place: Place) {
        if let Some(journal) = &mut self.journal {
            journal.push(Change::Held(self.lanes.lane(place)));
        }
    }

    /// Writes a new hash where there is room.
    #[inline]
    fn put(&mut self, place: Place, hash: u64, content: Content) {
        self.lanes.insert(place, Lane::unused(hash, content));
        if let Some(journal) = &mut self.journal {
            journal.push(Change::Lacked(hash));
        }
    }

    /// Writes a new hash where there is no room without doing something about it.
    #[cold]
    fn insert_full(&mut self, hash: u64, content: Content) {
        let Some(victim) = self.make_way(content.depth) else {
            return;
        };
        if let Some(victim) = victim {
            self.take(victim);
        }
        if let Err(place) = self.lanes.find(hash) {
            self.put(place, hash, content);
        }
    }

    /// Removes what stands at a place.
    fn take(&mut self, place: Place) -> BoundRecord {
        let record = self.known(self.lanes.content(place));
        self.note(place);
        self.lanes.remove(place);
        record
    }

    /// Bounds the table from now on. What is too much already goes at once, as it would have gone; how many that are.
    fn bound(&mut self, room: Room) -> usize {
        self.lanes.count_uses(room.counts_uses());
        self.keeper.room = room;
        self.keeper.limit = entries_in(room.hard_size());
        self.drop_excess()
    }
}

/// Entries for which a bound leaves room. One in bytes is only met about: what values and segments take depends on what will
/// come. The settings take a table of keys for it.
const fn entries_in(size: MaxSize) -> usize {
    match size {
        MaxSize::Unlimited => usize::MAX,
        MaxSize::Entries(entries) => entries,
        MaxSize::Bytes(bytes) => bytes / 20,
    }
}

impl<K: Key> Records<K, BoundRecord> for Compact<K> {
    #[inline]
    fn look(&self, at: Keyed<K>) -> Option<BoundRecord> {
        self.get(at.key)
    }

    #[inline]
    fn write(&mut self, at: Keyed<K>, record: BoundRecord) {
        self.insert(at.key, record);
    }

    #[inline]
    fn touch(&mut self, at: Keyed<K>) {
        if self.lanes.counts_uses()
            && let Ok(place) = self.lanes.find(hash(at.key))
        {
            self.use_once(place);
        }
    }

    #[inline]
    fn evicted(&self) -> u64 {
        self.keeper.state.evicted
    }

    #[inline]
    fn fetch(&self, at: Keyed<K>) {
        self.lanes.fetch(hash(at.key));
    }
}

impl<K: Key> Crowd for Compact<K> {
    type Place = Place;

    fn keeper(&self) -> &Keeper {
        &self.keeper
    }

    fn keeper_mut(&mut self) -> &mut Keeper {
        &mut self.keeper
    }

    fn count(&self) -> usize {
        self.lanes.len()
    }

    fn places(&self) -> impl Iterator<Item = Place> {
        self.lanes.places()
    }

    fn depth_at(&self, place: Place) -> u8 {
        self.lanes.content(place).depth
    }

    fn uses_at(&self, place: Place) -> Option<u32> {
        self.lanes.uses(place)
    }

    fn set_uses(&mut self, place: Place, now: u32) {
        if self.lanes.uses(place).is_some_and(|uses| uses != now) {
            self.note(place);
            self.lanes.set_uses(place, now);
        }
    }

    fn keep_places(&mut self, keep: &mut dyn FnMut(Place) -> bool) {
        if let Some(journal) = &mut self.journal {
            journal.push(Change::Whole(Box::new(self.lanes.clone())));
        }
        self.lanes.retain(keep);
    }

    /// The next ones in the order of the hashes, wherever they stand, so that growing changes nothing.
    fn neighbours(&self) -> Neighbours<Place> {
        let (places, hand) = self.lanes.neighbours(self.keeper.state.hand);
        Neighbours { places, hand }
    }
}
