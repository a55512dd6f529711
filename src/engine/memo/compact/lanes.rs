//! Slots in the order of their hashes: ordered linear probing (O. Amble and D. E. Knuth, Ordered hash tables, 1974).
//!
//! A hash has a home, in proportion to its size, and stands there or, after smaller ones that came before it, to the right
//! of it. So all slots stand in the order of their hashes, whatever order they came in; a look-up ends at the first slot
//! that is free or has a larger hash.

use super::super::crowd::NEIGHBOURS;

/// Slots after the last home, for those that are pushed beyond it; doubled where that is not enough.
const TAIL: usize = 128;

/// A hash, and what is remembered under it: twelve bytes, not sixteen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, packed(4))]
pub struct Slot {
    hash: u64,
    content: u32,
}

impl Slot {
    const FREE: Self = Self {
        hash: u64::MAX,
        content: 0,
    };

    #[inline]
    pub(super) const fn new(hash: u64, content: u32) -> Self {
        Self { hash, content }
    }

    /// The hash; the largest there is in a free slot.
    #[inline]
    pub(super) const fn hash(self) -> u64 {
        self.hash
    }

    /// What is remembered; 0 in a free slot.
    #[inline]
    pub(super) const fn content(self) -> u32 {
        self.content
    }

    #[inline]
    pub(super) const fn is_free(self) -> bool {
        self.content == 0
    }
}

/// What an entry is with all that is kept of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    pub(super) slot: Slot,
    /// The part of the content that has no room in the slot.
    pub(super) high: u8,
    pub(super) uses: u32,
}

/// The slots, and what is kept beside each only where it is needed.
#[derive(Clone, Debug, Default)]
pub struct Lanes {
    slots: Vec<Slot>,
    high: Option<Vec<u8>>,
    uses: Option<Vec<u32>>,
    homes: usize,
    tail: usize,
    len: usize,
}

/// Homes that so many entries need: seventeen of twenty are taken at most. More would make room for less, but a new hash
/// pushes all up to the next free slot, and how many these are grows with the square of one over what is free.
pub(super) const fn homes_for(entries: usize) -> usize {
    (entries as u128 * 20 / 17) as usize + 1
}

#[inline]
fn home(hash: u64, homes: usize) -> usize {
    ((u128::from(hash) * homes as u128) >> 64) as usize
}

impl Lanes {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Places, taken or free.
    pub(super) fn extent(&self) -> usize {
        self.slots.len()
    }

    /// Entries that fit before the slots must be spread over more homes.
    pub(super) fn room(&self) -> usize {
        (self.homes as u128 * 17 / 20) as usize
    }

    /// Bytes of one slot with what is kept beside it.
    pub(super) fn each(&self) -> usize {
        let high = usize::from(self.high.is_some());
        let uses = self.uses.as_ref().map_or(0, |_| size_of::<u32>());
        size_of::<Slot>() + high + uses
    }

    /// Bytes for so many entries at most.
    pub(super) fn bytes_for(&self, entries: usize) -> usize {
        let slots = homes_for(entries).saturating_add(self.tail.max(TAIL));
        slots.saturating_mul(self.each())
    }

    pub(super) fn bytes(&self) -> usize {
        let high = self.high.as_ref().map_or(0, Vec::capacity);
        let uses = self.uses.as_ref().map_or(0, Vec::capacity) * size_of::<u32>();
        self.slots.capacity() * size_of::<Slot>() + high + uses
    }

    pub(super) fn counts_uses(&self) -> bool {
        self.uses.is_some()
    }

    pub(super) fn count_uses(&mut self, on: bool) {
        if on != self.uses.is_some() {
            self.uses = on.then(|| vec![0; self.slots.len()]);
        }
    }

    #[inline]
    pub(super) fn keeps_high(&self) -> bool {
        self.high.is_some()
    }

    /// Keeps the higher part of contents from now on.
    pub(super) fn keep_high(&mut self) {
        if self.high.is_none() {
            self.high = Some(vec![0; self.slots.len()]);
        }
    }

    pub(super) fn uses(&self, place: usize) -> Option<u32> {
        self.uses.as_ref()?.get(place).copied()
    }

    pub(super) fn set_uses(&mut self, place: usize, now: u32) {
        if let Some(uses) = &mut self.uses {
            uses[place] = now;
        }
    }

    #[inline]
    pub(super) fn slot(&self, place: usize) -> Slot {
        self.slots[place]
    }

    #[inline]
    pub(super) fn high(&self, place: usize) -> u8 {
        self.high.as_ref().map_or(0, |high| high[place])
    }

    pub(super) fn lane(&self, place: usize) -> Lane {
        Lane {
            slot: self.slots[place],
            high: self.high(place),
            uses: self.uses(place).unwrap_or(0),
        }
    }

    fn set(&mut self, place: usize, lane: Lane) {
        self.slots[place] = lane.slot;
        if let Some(high) = &mut self.high {
            high[place] = lane.high;
        }
        self.set_uses(place, lane.uses);
    }

    /// Where a hash stands, or else where it would.
    #[inline]
    pub(super) fn find(&self, hash: u64) -> Result<usize, usize> {
        /// Slots looked at at once: nearly always enough, and counting smaller ones takes no branch that could be guessed
        /// wrong. The tail is longer.
        const AT_ONCE: usize = 8;
        let home = home(hash, self.homes);
        let Some(near) = self.slots.get(home..home + AT_ONCE) else {
            return Err(0);
        };
        let smaller = |slot: &Slot| usize::from(slot.hash() < hash);
        let mut place = home + near.iter().map(smaller).sum::<usize>();
        if place == home + AT_ONCE {
            // The last slot is always free, and free slots have the largest hash.
            while self.slots[place].hash() < hash {
                place += 1;
            }
        }
        let slot = self.slots[place];
        if slot.hash() == hash && !slot.is_free() {
            Ok(place)
        } else {
            Err(place)
        }
    }

    /// Reads where a hash has its home, so that what stands there is near when it is needed.
    #[inline]
    pub(super) fn fetch(&self, hash: u64) {
        std::hint::black_box(
            self.slots
                .get(home(hash, self.homes))
                .map(|slot| slot.content()),
        );
    }

    /// Writes over what is at a place, under the same hash; its uses stay.
    #[inline]
    pub(super) fn rewrite(&mut self, place: usize, slot: Slot, high: u8) {
        self.slots[place] = slot;
        if let Some(list) = &mut self.high {
            list[place] = high;
        }
    }

    /// Puts a new hash where [`Lanes::find`] says it belongs. Whether there was room.
    #[inline]
    pub(super) fn insert(&mut self, place: usize, lane: Lane) -> bool {
        let mut free = place;
        while !self.slots[free].is_free() {
            free += 1;
        }
        if free + 1 >= self.slots.len() {
            return false;
        }
        self.slots.copy_within(place..free, place + 1);
        if let Some(high) = &mut self.high {
            high.copy_within(place..free, place + 1);
        }
        if let Some(uses) = &mut self.uses {
            uses.copy_within(place..free, place + 1);
        }
        self.set(place, lane);
        self.len += 1;
        true
    }

    /// Frees a place; those to the right that are not at home close up.
    pub(super) fn remove(&mut self, place: usize) -> Lane {
        let lane = self.lane(place);
        let mut end = place + 1;
        while !self.slots[end].is_free() && home(self.slots[end].hash(), self.homes) < end {
            end += 1;
        }
        self.slots.copy_within(place + 1..end, place);
        if let Some(high) = &mut self.high {
            high.copy_within(place + 1..end, place);
        }
        if let Some(uses) = &mut self.uses {
            uses.copy_within(place + 1..end, place);
        }
        self.slots[end - 1] = Slot::FREE;
        self.len -= 1;
        lane
    }

    /// Places that are taken, from one on.
    pub(super) fn places(&self, first: usize) -> impl Iterator<Item = usize> + '_ {
        let slots = self.slots.iter().enumerate().skip(first);
        slots
            .filter(|(_, slot)| !slot.is_free())
            .map(|(place, _)| place)
    }

    /// The next places from a hash on, from the largest on from the smallest again, and the hash to go on from.
    pub(super) fn neighbours(&self, from: u64) -> (Vec<usize>, u64) {
        let first = self.find(from).unwrap_or_else(|place| place);
        let wanted = NEIGHBOURS.min(self.len);
        let ahead = self.places(first).take(wanted);
        let mut places: Vec<usize> = ahead.collect();
        let missing = wanted - places.len();
        places.extend(self.places(0).take(missing));
        let last = places.last().map_or(0, |&place| self.slots[place].hash());
        (places, last.wrapping_add(1))
    }

    /// Keeps the places for which `keep` holds.
    pub(super) fn retain(&mut self, keep: &mut dyn FnMut(usize) -> bool) {
        let mut kept = 0;
        for place in 0..self.slots.len() {
            if self.slots[place].is_free() {
                continue;
            }
            let lane = self.lane(place);
            let stays = keep(place);
            self.slots[place] = Slot::FREE;
            if stays {
                // No place behind this one is looked at again, and the kept ones are no more than those.
                self.set(kept, lane);
                kept += 1;
            }
        }
        self.len = kept;
        self.spread(self.homes);
    }

    /// Spreads the slots over so many homes.
    pub(super) fn spread(&mut self, homes: usize) {
        let homes = homes.max(1);
        let mut tail = self.tail.max(TAIL);
        while !self.fits(homes, tail) {
            tail *= 2;
        }
        let extent = homes + tail;
        let widest = extent.max(self.slots.len());
        self.resize(widest);
        // All to the right end, then one by one to where they belong, which is never to the right of where they are.
        let mut first = widest;
        for from in (0..widest).rev() {
            if !self.slots[from].is_free() {
                first -= 1;
                self.relocate(from, first);
            }
        }
        let mut next = 0;
        for from in first..widest {
            let to = home(self.slots[from].hash(), homes).max(next);
            self.relocate(from, to);
            next = to + 1;
        }
        self.resize(extent);
        (self.homes, self.tail) = (homes, tail);
    }

    fn relocate(&mut self, from: usize, to: usize) {
        if from != to {
            let lane = self.lane(from);
            self.slots[from] = Slot::FREE;
            self.set(to, lane);
        }
    }

    fn resize(&mut self, extent: usize) {
        fn fit<T: Clone>(list: &mut Vec<T>, extent: usize, blank: T) {
            list.reserve_exact(extent.saturating_sub(list.len()));
            list.resize(extent, blank);
            list.shrink_to(extent);
        }
        fit(&mut self.slots, extent, Slot::FREE);
        if let Some(high) = &mut self.high {
            fit(high, extent, 0);
        }
        if let Some(uses) = &mut self.uses {
            fit(uses, extent, 0);
        }
    }

    /// Whether so many homes with such a tail hold all slots and leave the last one free.
    fn fits(&self, homes: usize, tail: usize) -> bool {
        let mut next = 0;
        for slot in self.slots.iter().filter(|slot| !slot.is_free()) {
            next = home(slot.hash(), homes).max(next) + 1;
        }
        next < homes + tail
    }

    /// Takes slots in the order of their hashes, each hash once, in place of what was there.
    pub(super) fn fill(&mut self, slots: impl ExactSizeIterator<Item = (Slot, u8)>, homes: usize) {
        let extent = slots.len();
        self.slots = Vec::new();
        self.len = extent;
        self.resize(homes.max(extent + 1) + TAIL);
        if let Some(uses) = &mut self.uses {
            uses.fill(0);
        }
        for (place, (slot, high)) in slots.enumerate() {
            self.slots[place] = slot;
            if let Some(list) = &mut self.high {
                list[place] = high;
            }
        }
        self.spread(homes);
    }

    /// Frees everything, memory included.
    pub(super) fn clear(&mut self) {
        *self = Self {
            uses: self.uses.is_some().then(Vec::new),
            ..Self::default()
        };
    }
}
