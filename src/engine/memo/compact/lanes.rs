//! Segments in the order of their hashes: each grows by itself while it is near, and none moves the others.

use std::ops::ControlFlow;

use super::{
    super::crowd::NEIGHBOURS,
    bucket::{Content, IMPLIED, Slot, WIDTH, floor},
    segment::{Beside, Laying, Seat, Segment, Slots, homes_for},
};

/// Entries a segment has on average before there are twice as many segments: so many that one fits into the nearer caches
/// of a processor, where laying it out anew is quick.
const AVERAGE: usize = 1 << 13;

/// Of a thousand slots so many are to be taken where room is made beforehand: fewer than would make a segment grow, as some
/// have more entries than others.
const SHARE: usize = 790;

/// A hash with all that is kept under it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    pub(super) hash: u64,
    pub(super) content: Content,
    pub(super) uses: u32,
}

impl Lane {
    /// A new entry.
    #[inline]
    pub(super) const fn unused(hash: u64, content: Content) -> Self {
        Self {
            hash,
            content,
            uses: 0,
        }
    }

    #[inline]
    fn parts(self) -> (Slot, Beside) {
        let beside = Beside {
            uses: self.uses,
            high: (self.content.number >> 16) as u16,
        };
        (Slot::new(self.hash, self.content), beside)
    }
}

/// Where a hash stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    segment: usize,
    seat: Seat,
}

impl Place {
    const FIRST: Self = Self {
        segment: 0,
        seat: Seat::FIRST,
    };
}

/// Where the next hash goes, if they come in their order.
#[derive(Debug)]
pub(super) struct Tail {
    /// The last hash that came.
    last: Option<u64>,
    next: Place,
}

impl Tail {
    /// Behind nothing.
    pub(super) const FIRST: Self = Self {
        last: None,
        next: Place::FIRST,
    };
}

/// Bits of a place's number for the slot in its bucket.
const SLOT_BITS: u32 = WIDTH.next_power_of_two().ilog2();

/// The slots, and what is kept beside each only where it is needed.
#[derive(Clone, Debug)]
pub struct Lanes {
    /// None, or a power of two.
    segments: Vec<Segment>,
    /// Bits of a hash that tell its segment.
    told: u32,
    len: usize,
    counts_uses: bool,
    /// Whether there are numbers that need more than the lower half.
    is_wide: bool,
}

impl Default for Lanes {
    fn default() -> Self {
        Self {
            segments: Vec::new(),
            told: IMPLIED,
            len: 0,
            counts_uses: false,
            is_wide: false,
        }
    }
}

impl Lanes {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn bytes(&self) -> usize {
        let segments: usize = self.segments.iter().map(Segment::bytes).sum();
        segments + self.segments.capacity() * size_of::<Segment>()
    }

    pub(super) fn counts_uses(&self) -> bool {
        self.counts_uses
    }

    pub(super) fn count_uses(&mut self, on: bool) {
        if on != self.counts_uses {
            self.counts_uses = on;
            self.keep_beside();
            self.set_all_uses(&[]);
        }
    }

    /// Has room beside the slots if anything is kept there.
    fn keep_beside(&mut self) {
        let keeps = self.keeps_beside();
        for segment in &mut self.segments {
            segment.keep_beside(keeps);
        }
    }

    fn keeps_beside(&self) -> bool {
        self.counts_uses || self.is_wide
    }

    /// From now on there are numbers of values that need more than the lower half.
    #[cold]
    pub(super) fn widen(&mut self) {
        self.is_wide = true;
        self.keep_beside();
    }

    #[inline]
    pub(super) fn is_wide(&self) -> bool {
        self.is_wide
    }

    pub(super) fn uses(&self, place: Place) -> Option<u32> {
        let segment = &self.segments[place.segment];
        self.counts_uses.then(|| segment.beside(place.seat).uses)
    }

    pub(super) fn set_uses(&mut self, place: Place, now: u32) {
        self.set_beside(place, |beside| beside.uses = now);
    }

    /// Sets the uses of all entries in order; those not told are 0.
    pub(super) fn set_all_uses(&mut self, uses: &[u32]) {
        let places: Vec<Place> = self.places().collect();
        let uses = uses.iter().copied().chain(std::iter::repeat(0));
        for (place, uses) in places.into_iter().zip(uses) {
            self.set_uses(place, uses);
        }
    }

    fn set_beside(&mut self, place: Place, set: impl FnOnce(&mut Beside)) {
        if self.keeps_beside() {
            let segment = &mut self.segments[place.segment];
            let mut beside = segment.beside(place.seat);
            set(&mut beside);
            segment.set_beside(place.seat, beside);
        }
    }

    #[inline]
    pub(super) fn content(&self, place: Place) -> Content {
        self.segments[place.segment].content(place.seat)
    }

    pub(super) fn lane(&self, place: Place) -> Lane {
        let segment = &self.segments[place.segment];
        let slot = segment.buckets()[place.seat.bucket].slot(place.seat.at);
        self.lane_in(segment, place, slot)
    }

    /// The slot at a place in a segment with all that is kept of it. The hash's leading bits are those of the segment.
    #[inline]
    fn lane_in(&self, segment: &Segment, place: Place, slot: Slot) -> Lane {
        let leading = (place.segment >> (self.told - IMPLIED)) as u64;
        let Beside { uses, high } = segment.beside(place.seat);
        Lane {
            hash: leading << (u64::BITS - IMPLIED) | slot.word >> IMPLIED,
            content: slot.content(high),
            uses,
        }
    }

    #[inline]
    fn segment_of(&self, hash: u64) -> usize {
        (hash >> (u64::BITS - self.told)) as usize
    }

    /// Where a hash stands, or else where it would.
    #[inline]
    pub(super) fn find(&self, hash: u64) -> Result<Place, Place> {
        let segment = self.segment_of(hash);
        let at = |seat| Place { segment, seat };
        match self.segments.get(segment) {
            Some(slots) => slots.find(hash, self.told).map(at).map_err(at),
            None => Err(at(Seat::FIRST)),
        }
    }

    /// Has the processor fetch what a look-up of a hash would read, and what a new one would push something into.
    #[inline]
    pub(super) fn fetch(&self, hash: u64) {
        if let Some(segment) = self.segments.get(self.segment_of(hash)) {
            let home = segment.home(floor(hash), self.told);
            prefetch_index::prefetch_index(segment.buckets(), home);
            prefetch_index::prefetch_index(segment.buckets(), home + 1);
        }
    }

    /// Writes over what is at a place, under the same hash; its uses stay.
    #[inline]
    pub(super) fn rewrite(&mut self, place: Place, hash: u64, content: Content) {
        self.segments[place.segment].set(place.seat, Slot::new(hash, content));
        if self.is_wide {
            let high = (content.number >> 16) as u16;
            self.set_beside(place, |beside| beside.high = high);
        }
    }

    /// Puts a new hash where [`Lanes::find`] says it belongs.
    #[inline]
    pub(super) fn insert(&mut self, place: Place, lane: Lane) {
        let (slot, beside) = lane.parts();
        match self.segments.get_mut(place.segment) {
            Some(segment) if segment.has_room() => {
                segment.insert(place.seat, slot, beside);
                self.len += 1;
            }
            _ => self.insert_grown(place.segment, lane),
        }
    }

    #[cold]
    fn insert_grown(&mut self, segment: usize, lane: Lane) {
        self.grow(segment);
        if let Err(place) = self.find(lane.hash) {
            self.insert(place, lane);
        }
    }

    /// Puts a new hash behind all others, without looking for its place; `false` where it is not larger than they are. All
    /// there are have come this way.
    #[inline]
    pub(super) fn append(&mut self, tail: &mut Tail, lane: Lane) -> bool {
        if tail.last.is_some_and(|last| last >= lane.hash) {
            return false;
        }
        tail.last = Some(lane.hash);
        let (slot, beside) = lane.parts();
        let number = self.segment_of(lane.hash);
        if number != tail.next.segment {
            tail.next = Place {
                segment: number,
                seat: Seat::FIRST,
            };
        }
        match self.segments.get_mut(number) {
            Some(segment) if segment.has_room() => {
                segment.append(&mut tail.next.seat, slot, beside, self.told);
                self.len += 1;
            }
            _ => {
                self.insert_grown(number, lane);
                tail.next = self.find(lane.hash).unwrap_or_else(|place| place);
                tail.next.seat.at += 1;
            }
        }
        true
    }

    /// Frees a place.
    pub(super) fn remove(&mut self, place: Place) {
        self.segments[place.segment].remove(place.seat, self.told);
        self.len -= 1;
    }

    /// Has segments from the first entry on.
    fn begin(&mut self) {
        if self.segments.is_empty() {
            self.segments = vec![Segment::default(); 1 << self.told];
        }
    }

    /// Makes room in a segment.
    fn grow(&mut self, segment: usize) {
        self.begin();
        if self.len > AVERAGE << self.told {
            self.double();
            return;
        }
        let (told, keeps) = (self.told, self.keeps_beside());
        let slots = &mut self.segments[segment];
        let homes = homes_for(segment, slots.len() + 1).max(slots.homes() + 1);
        *slots = slots.spread(homes, told, keeps);
    }

    /// Twice as many segments.
    fn double(&mut self) {
        let before = std::mem::take(&mut self.segments);
        self.told += 1;
        self.segments.reserve_exact(2 * before.len());
        for segment in before {
            let mut slots = segment.slots().peekable();
            for number in self.segments.len()..self.segments.len() + 2 {
                let belongs = |slot: Slot| {
                    slot.word >> (u64::BITS + IMPLIED - self.told) & 1 == number as u64 & 1
                };
                let mut part = Vec::with_capacity(segment.len());
                while let Some((seat, slot)) = slots.next_if(|(_, slot)| belongs(*slot)) {
                    part.push((slot, segment.beside(seat)));
                }
                let laid = self.laid(number, &part);
                self.segments.push(laid);
            }
        }
    }

    /// A segment of some slots.
    fn laid(&self, number: usize, slots: &[(Slot, Beside)]) -> Segment {
        let homes = homes_for(number, slots.len());
        let mut laying = Laying::new(homes, self.told, self.keeps_beside());
        for &(slot, beside) in slots {
            laying.add(slot, beside);
        }
        laying.done()
    }

    /// Makes room for so many entries in all.
    pub(super) fn reserve(&mut self, entries: usize) {
        self.begin();
        while entries > AVERAGE << self.told {
            self.double();
        }
        let each = entries >> self.told;
        let homes = each * 1000 / (WIDTH * SHARE) + 2;
        let keeps = self.keeps_beside();
        for segment in &mut self.segments {
            if segment.homes() < homes {
                *segment = segment.spread(homes, self.told, keeps);
            }
        }
    }

    /// All entries in the order of their hashes, each with its place.
    pub(super) fn lanes(&self) -> impl Iterator<Item = (Place, Lane)> + '_ {
        self.slots_from(Place::FIRST).map(|(place, slot)| {
            (
                place,
                self.lane_in(&self.segments[place.segment], place, slot),
            )
        })
    }

    /// Shows all entries in the order of their hashes until `visit` breaks off. Nested loops are twice as fast here as an
    /// iterator is.
    #[inline]
    pub(super) fn try_each(
        &self,
        mut visit: impl FnMut(Place, Lane) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for (number, segment) in self.segments.iter().enumerate() {
            for (bucket, slots) in segment.buckets().iter().enumerate() {
                for at in 0..slots.taken() {
                    let place = Place {
                        segment: number,
                        seat: Seat { bucket, at },
                    };
                    visit(place, self.lane_in(segment, place, slots.slot(at)))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The places that are taken, in the order of the hashes.
    pub(super) fn places(&self) -> impl Iterator<Item = Place> + '_ {
        self.places_from(Place::FIRST)
    }

    /// The places that are taken from one on.
    fn places_from(&self, first: Place) -> impl Iterator<Item = Place> + '_ {
        self.slots_from(first).map(|(place, _)| place)
    }

    fn slots_from(&self, first: Place) -> Walk<'_> {
        let segments = &self.segments;
        let slots = segments.get(first.segment);
        Walk {
            segments,
            segment: first.segment,
            slots: slots.map_or_else(Slots::default, |slots| slots.slots_from(first.seat)),
        }
    }

    /// Bits of a place's number for the bucket in its segment: all that 32 bits leave, eight times what it takes at least.
    const fn bucket_bits(&self) -> u32 {
        u32::BITS - self.told - SLOT_BITS
    }

    /// A number of 32 bits for a place, higher for a later one. Only of hashes made to fall together, so many might stand
    /// in a segment that the last ones share the last bucket's.
    pub(super) fn number(&self, place: Place) -> usize {
        let Seat { bucket, at } = place.seat;
        let bucket = bucket.min((1 << self.bucket_bits()) - 1);
        (place.segment << self.bucket_bits() | bucket) << SLOT_BITS | at
    }

    /// The place of a number; nothing where nothing stands.
    pub(super) fn numbered(&self, number: usize) -> Option<Place> {
        let (bucket, at) = (number >> SLOT_BITS, number & ((1 << SLOT_BITS) - 1));
        let place = Place {
            segment: bucket >> self.bucket_bits(),
            seat: Seat {
                bucket: bucket & ((1 << self.bucket_bits()) - 1),
                at,
            },
        };
        let segment = self.segments.get(place.segment)?;
        segment.get(place.seat).map(|_| place)
    }

    /// The next places from a hash on, from the largest on from the smallest again, and the hash to go on from.
    pub(super) fn neighbours(&self, from: u64) -> (Vec<Place>, u64) {
        let first = self.find(from).unwrap_or_else(|place| place);
        let wanted = NEIGHBOURS.min(self.len);
        let mut places: Vec<Place> = self.places_from(first).take(wanted).collect();
        let missing = wanted - places.len();
        places.extend(self.places().take(missing));
        let last = places.last().map_or(0, |&place| self.lane(place).hash);
        (places, last.wrapping_add(1))
    }

    /// Keeps the places for which `keep` holds, and no more memory than they need.
    pub(super) fn retain(&mut self, keep: &mut dyn FnMut(Place) -> bool) {
        self.len = 0;
        for number in 0..self.segments.len() {
            let segment = std::mem::take(&mut self.segments[number]);
            let kept = segment.slots().filter(|&(seat, _)| {
                keep(Place {
                    segment: number,
                    seat,
                })
            });
            let kept: Vec<_> = kept
                .map(|(seat, slot)| (slot, segment.beside(seat)))
                .collect();
            self.len += kept.len();
            self.segments[number] = self.laid(number, &kept);
        }
    }

    /// An empty table that keeps the same of its entries.
    pub(super) fn emptied(&self) -> Self {
        Self {
            counts_uses: self.counts_uses,
            ..Self::default()
        }
    }
}

/// The slots of all segments, each with its place.
struct Walk<'a> {
    segments: &'a [Segment],
    segment: usize,
    slots: Slots<'a>,
}

impl Iterator for Walk<'_> {
    type Item = (Place, Slot);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((seat, slot)) = self.slots.next() {
                let segment = self.segment;
                return Some((Place { segment, seat }, slot));
            }
            self.slots = self.segments.get(self.segment + 1)?.slots();
            self.segment += 1;
        }
    }
}
