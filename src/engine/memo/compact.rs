mod entries;
mod lanes;
mod undo;
mod values;

#[cfg(test)]
mod tests;

use std::marker::PhantomData;

use super::{
    Bound, Records, Room,
    bound::BoundRecord,
    crowd::{Crowd, Keeper, MaxSize, Neighbours},
    journal::Journal,
};
use crate::engine::game::{Key, Keyed, Score};
use lanes::{Lane, Lanes, Slot, homes_for};
use undo::Change;
use values::Values;

/// The policy `bound` in twelve bytes a slot: a 64-bit hash in place of the key, depth, bound and the number of a value.
///
/// Values are kept apart, each once and bit for bit, since searches meet few of them. Slots stand in the order of their
/// hashes, after a scattering that can be taken back; so the order depends on what is in the table and not on how it came
/// there. At most 85 of a hundred slots are taken, at least 76 once a table has grown: 14.1 to 15.7 bytes an entry. More than four million different values take a byte more.
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
    let word = key.word();
    (word ^ word >> 32).wrapping_mul(SCATTER)
}

/// The key of a scattered hash.
fn key<K: Key>(hash: u64) -> Option<K> {
    let word = hash.wrapping_mul(GATHER);
    K::from_word(word ^ word >> 32)
}

/// Bits of a value's number in the slot itself.
const NUMBER_BITS: u32 = 22;

/// Bound and depth with the lower part of a value's number; never 0.
#[inline]
const fn content(bound: Bound, depth: u8, number: u32) -> u32 {
    let bound = match bound {
        Bound::Exact => 1,
        Bound::Lower => 2,
        Bound::Upper => 3,
    };
    number << (32 - NUMBER_BITS) | (depth as u32) << 2 | bound
}

/// The number of a value in a content and its higher part.
#[inline]
const fn number_in(content: u32, high: u8) -> u32 {
    content >> (32 - NUMBER_BITS) | (high as u32) << NUMBER_BITS
}

#[inline]
const fn depth_of(content: u32) -> u8 {
    (content >> 2) as u8
}

impl<K: Key> Compact<K> {
    #[inline]
    fn at(&self, place: usize) -> BoundRecord {
        self.unpacked(self.lanes.slot(place).content(), self.lanes.high(place))
    }

    #[inline]
    fn unpacked(&self, content: u32, high: u8) -> BoundRecord {
        BoundRecord {
            value: self.values.at(number_in(content, high)),
            bound: match content & 3 {
                1 => Bound::Exact,
                2 => Bound::Lower,
                _ => Bound::Upper,
            },
            depth: depth_of(content),
        }
    }

    /// The record under a key.
    #[inline]
    pub fn get(&self, key: K) -> Option<BoundRecord> {
        let place = self.lanes.find(hash(key)).ok()?;
        Some(self.at(place))
    }

    /// Writes a record. In a table that is full another one gives way to a new key.
    #[inline]
    pub fn insert(&mut self, key: K, record: BoundRecord) {
        let hash = hash(key);
        let Some(number) = self.number(record.value) else {
            self.keeper.state.evicted += u64::from(self.lanes.find(hash).is_err());
            return;
        };
        let slot = Slot::new(hash, content(record.bound, record.depth, number));
        let high = (number >> NUMBER_BITS) as u8;
        if high > 0 && !self.lanes.keeps_high() {
            self.widen();
        }
        match self.lanes.find(hash) {
            Ok(place) => {
                self.note(place);
                self.lanes.rewrite(place, slot, high);
            }
            Err(place) if self.lanes.len() < self.keeper.limit.min(self.lanes.room()) => {
                self.put(place, slot, high);
            }
            Err(_) => self.insert_full(slot, high),
        }
    }

    /// The number of a value; none where a bound in bytes leaves it no room.
    #[inline]
    fn number(&mut self, value: Score) -> Option<u32> {
        self.values.find(value).or_else(|| self.new_number(value))
    }

    #[cold]
    fn new_number(&mut self, value: Score) -> Option<u32> {
        if let MaxSize::Bytes(bytes) = self.keeper.room.hard_size() {
            let values = self.values.bytes_with_another();
            if values > self.values.bytes() {
                // What the values take is taken from the entries.
                let left = self.entries_beside(bytes, values)?;
                self.keeper.limit = left;
                self.drop_excess();
                self.fit();
            }
        }
        Some(self.values.add(value))
    }

    /// From now on there are numbers of values that need a byte beside their slots.
    #[cold]
    fn widen(&mut self) {
        self.lanes.keep_high();
        self.keeper.limit = self.entries_in(self.keeper.room.hard_size());
        self.drop_excess();
        self.fit();
    }

    /// Entries for which bytes leave room beside those that values take; none where the values alone take too many.
    fn entries_beside(&self, bytes: usize, values: usize) -> Option<usize> {
        let left = bytes.checked_sub(values)?;
        // The largest number whose bytes fit; the sum grows with the number.
        let (mut fits, mut too_many) = (0, left / self.lanes.each() + 1);
        while too_many - fits > 1 {
            let middle = fits + (too_many - fits) / 2;
            if self.lanes.bytes_for(middle) <= left {
                fits = middle;
            } else {
                too_many = middle;
            }
        }
        Some(fits)
    }

    /// Entries for which a bound leaves room.
    fn entries_in(&self, size: MaxSize) -> usize {
        match size {
            MaxSize::Unlimited => usize::MAX,
            MaxSize::Entries(entries) => entries,
            MaxSize::Bytes(bytes) => {
                // Without a value there is no entry.
                let values = match self.values.bytes() {
                    0 => self.values.bytes_with_another(),
                    values => values,
                };
                self.entries_beside(bytes, values).unwrap_or(0)
            }
        }
    }

    /// Takes down what stands at a place before it is written over.
    #[inline]
    fn note(&mut self, place: usize) {
        if let Some(journal) = &mut self.journal {
            journal.push(Change::held(self.lanes.lane(place)));
        }
    }

    #[inline]
    fn put(&mut self, place: usize, slot: Slot, high: u8) {
        let lane = Lane {
            slot,
            high,
            uses: 0,
        };
        if !self.lanes.insert(place, lane) {
            self.crowded(lane);
            return;
        }
        if let Some(journal) = &mut self.journal {
            journal.push(Change::lacked(slot.hash()));
        }
    }

    /// So many hashes fell together that even the tail is full: the slots are spread again, with a longer one.
    #[cold]
    fn crowded(&mut self, lane: Lane) {
        let mut lanes: Vec<Lane> = self
            .lanes
            .places(0)
            .map(|place| self.lanes.lane(place))
            .collect();
        let place = lanes.partition_point(|other| other.slot.hash() < lane.slot.hash());
        lanes.insert(place, lane);
        let homes = homes_for(lanes.len()).max(self.lanes.room());
        let uses: Vec<u32> = lanes.iter().map(|lane| lane.uses).collect();
        let slots = lanes.iter().map(|lane| (lane.slot, lane.high));
        self.lanes.fill(slots, homes);
        self.set_all_uses(&uses);
        if let Some(journal) = &mut self.journal {
            journal.push(Change::lacked(lane.slot.hash()));
        }
    }

    /// Sets the uses of all entries in order; those not told are 0.
    fn set_all_uses(&mut self, uses: &[u32]) {
        let places: Vec<usize> = self.lanes.places(0).collect();
        let uses = uses.iter().copied().chain(std::iter::repeat(0));
        for (place, uses) in places.into_iter().zip(uses) {
            self.lanes.set_uses(place, uses);
        }
    }

    /// Writes a new hash where there is no room without doing something about it.
    #[cold]
    fn insert_full(&mut self, slot: Slot, high: u8) {
        if self.lanes.len() >= self.keeper.limit {
            let Some(victim) = self.make_way(depth_of(slot.content())) else {
                return;
            };
            if let Some(victim) = victim {
                self.take(victim);
            }
        }
        if self.lanes.len() >= self.lanes.room() {
            self.grow();
        }
        if let Err(place) = self.lanes.find(slot.hash()) {
            self.put(place, slot, high);
        }
    }

    /// Removes what stands at a place.
    fn take(&mut self, place: usize) -> BoundRecord {
        let record = self.at(place);
        self.note(place);
        self.lanes.remove(place);
        record
    }

    /// A ninth more homes, as far as the bound allows.
    #[cold]
    fn grow(&mut self) {
        const FIRST: usize = 64;
        let least = homes_for(self.lanes.len() + 1);
        let most = homes_for(self.keeper.limit.min(usize::MAX / 32));
        let wanted = (least + least / 9).max(FIRST);
        self.lanes.spread(wanted.min(most).max(least));
    }

    /// Bounds the table from now on. What is too much already goes at once, as it would have gone; how many that are.
    fn bound(&mut self, room: Room) -> usize {
        if room.counts_uses() != self.lanes.counts_uses() {
            self.lanes.count_uses(room.counts_uses());
        }
        self.keeper.room = room;
        self.keeper.limit = self.entries_in(room.hard_size());
        let mut gone = self.drop_excess();
        if matches!(room.hard_size(), MaxSize::Bytes(_)) && self.journal.is_none() {
            // Values that are no longer needed leave more room for entries.
            self.gather_values();
            self.keeper.limit = self.entries_in(room.hard_size());
            gone += self.drop_excess();
        }
        self.fit();
        gone
    }

    /// Forgets the values that no entry has.
    fn gather_values(&mut self) {
        let before = std::mem::take(&mut self.values);
        let places: Vec<usize> = self.lanes.places(0).collect();
        for place in places {
            let Lane { slot, high, .. } = self.lanes.lane(place);
            let value = before.at(number_in(slot.content(), high));
            let number = self.values.find(value);
            let number = number.unwrap_or_else(|| self.values.add(value));
            let rest = slot.content() & ((1 << (32 - NUMBER_BITS)) - 1);
            let slot = Slot::new(slot.hash(), number << (32 - NUMBER_BITS) | rest);
            self.lanes
                .rewrite(place, slot, (number >> NUMBER_BITS) as u8);
        }
    }

    /// Gives back memory that the bound no longer allows.
    fn fit(&mut self) {
        let limit = self.keeper.limit;
        if limit == 0 {
            self.lanes.clear();
            return;
        }
        if limit < usize::MAX && self.lanes.bytes() > self.lanes.bytes_for(limit) {
            self.lanes.spread(homes_for(limit.min(self.lanes.len())));
        }
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
    fn keeper(&self) -> &Keeper {
        &self.keeper
    }

    fn keeper_mut(&mut self) -> &mut Keeper {
        &mut self.keeper
    }

    fn count(&self) -> usize {
        self.lanes.len()
    }

    fn places(&self) -> impl Iterator<Item = usize> {
        self.lanes.places(0)
    }

    fn depth_at(&self, place: usize) -> u8 {
        depth_of(self.lanes.slot(place).content())
    }

    fn uses_at(&self, place: usize) -> Option<u32> {
        self.lanes.uses(place)
    }

    fn set_uses(&mut self, place: usize, now: u32) {
        if self.lanes.uses(place).is_some_and(|uses| uses != now) {
            self.note(place);
            self.lanes.set_uses(place, now);
        }
    }

    fn keep_places(&mut self, keep: &mut dyn FnMut(usize) -> bool) {
        if let Some(journal) = &mut self.journal {
            journal.push(Change::Whole(Box::new(self.lanes.clone())));
        }
        self.lanes.retain(keep);
    }

    /// The next ones in the order of the hashes, wherever they stand, so that growing changes nothing.
    fn neighbours(&self) -> Neighbours {
        let (places, hand) = self.lanes.neighbours(self.keeper.state.hand);
        Neighbours { places, hand }
    }
}
