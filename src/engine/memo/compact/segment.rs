//! The slots of all hashes that begin alike: ordered linear probing in buckets (O. Amble and D. E. Knuth, Ordered hash
//! tables, 1974; D. E. Knuth, The Art of Computer Programming, volume 3, section 6.4 on buckets).
//!
//! A hash has a home, in proportion to its size, and stands in that bucket or, after smaller ones that filled it, in a later
//! one. So all slots stand in the order of their hashes, whatever order they came in; a look-up ends at the first bucket
//! that is not full of smaller ones.

use super::bucket::{Bucket, Content, IMPLIED, Slot, WIDTH, floor};

/// Of a thousand slots at home this many are taken at most, before there are more homes.
const DENSE: usize = 870;
/// And this many at least, once there are.
const SPARSE: usize = 560;

/// What is kept of an entry beside its slot, where that is needed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Beside {
    pub(super) uses: u32,
    /// The higher half of the value's number.
    pub(super) high: u16,
}

/// Where a slot stands in a segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Seat {
    pub(super) bucket: usize,
    pub(super) at: usize,
}

impl Seat {
    pub(super) const FIRST: Self = Self::first_of(0);

    const fn first_of(bucket: usize) -> Self {
        Self { bucket, at: 0 }
    }

    const fn index(self) -> usize {
        self.bucket * WIDTH + self.at
    }
}

/// The hashes that begin with the same bits.
#[derive(Clone, Debug, Default)]
pub(super) struct Segment {
    buckets: Vec<Bucket>,
    /// As many as slots, or none at all.
    beside: Vec<Beside>,
    homes: usize,
    room: usize,
    len: usize,
}

/// Slots that so many homes take before there must be more.
const fn room_in(homes: usize) -> usize {
    homes * WIDTH * DENSE / 1000
}

/// The homes of a segment for so many entries: the least step that has room for them on a ladder whose steps are each half
/// as high again as the one before. Every segment has a ladder of its own, with steps between those of the others: so
/// segments grow at different times, and together they always have much the same share of free slots.
pub(super) fn homes_for(segment: usize, entries: usize) -> usize {
    /// Bits of a step's fraction.
    const FRACTION: u32 = 16;
    if entries == 0 {
        return 0;
    }
    // Successive numbers with their bits turned round are spread evenly (van der Corput's sequence).
    let phase = segment.reverse_bits() >> (usize::BITS - FRACTION);
    let mut step = (1 << FRACTION) + phase * (DENSE - SPARSE) / SPARSE;
    while room_in(step >> FRACTION) < entries {
        step += step * (DENSE - SPARSE) / SPARSE;
    }
    step >> FRACTION
}

impl Segment {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(super) fn has_room(&self) -> bool {
        self.len < self.room
    }

    pub(super) fn homes(&self) -> usize {
        self.homes
    }

    pub(super) fn buckets(&self) -> &[Bucket] {
        &self.buckets
    }

    /// Bytes as allocated.
    pub(super) fn bytes(&self) -> usize {
        self.buckets.capacity() * size_of::<Bucket>() + self.beside.capacity() * size_of::<Beside>()
    }

    /// The bucket in which a word is at home. `told` are the bits of its hash that the segment tells.
    #[inline]
    pub(super) fn home(&self, word: u64, told: u32) -> usize {
        // Half a word is enough, and leaves out depth and bound.
        let place = word << (told - IMPLIED) >> 32;
        ((place * self.homes as u64) >> 32) as usize
    }

    /// Where a hash stands, or else where it would.
    #[inline]
    pub(super) fn find(&self, hash: u64, told: u32) -> Result<Seat, Seat> {
        let floor = floor(hash);
        let mut bucket = self.home(floor, told);
        while let Some(slots) = self.buckets.get(bucket) {
            let at = slots.rank(floor);
            if at < WIDTH {
                let slot = slots.slot(at);
                let seat = Seat { bucket, at };
                let is_there = (slot.word ^ floor) >> IMPLIED == 0 && !slot.is_free();
                return if is_there { Ok(seat) } else { Err(seat) };
            }
            bucket += 1;
        }
        Err(Seat::first_of(bucket))
    }

    /// The slot at a seat; nothing where it is free or beyond the last one.
    pub(super) fn get(&self, seat: Seat) -> Option<Slot> {
        let slots = self.buckets.get(seat.bucket)?;
        (seat.at < slots.taken()).then(|| slots.slot(seat.at))
    }

    #[inline]
    pub(super) fn content(&self, seat: Seat) -> Content {
        let slot = self.buckets[seat.bucket].slot(seat.at);
        slot.content(self.beside(seat).high)
    }

    #[inline]
    pub(super) fn beside(&self, seat: Seat) -> Beside {
        self.beside.get(seat.index()).copied().unwrap_or_default()
    }

    /// Writes over what is kept beside a slot, where anything is.
    #[inline]
    pub(super) fn set_beside(&mut self, seat: Seat, beside: Beside) {
        if let Some(known) = self.beside.get_mut(seat.index()) {
            *known = beside;
        }
    }

    /// Writes over a slot, under the same hash.
    #[inline]
    pub(super) fn set(&mut self, seat: Seat, slot: Slot) {
        self.buckets[seat.bucket].set(seat.at, slot);
    }

    /// Keeps something beside the slots from now on, or no longer.
    pub(super) fn keep_beside(&mut self, keeps: bool) {
        if keeps {
            self.beside
                .resize(self.buckets.len() * WIDTH, Beside::default());
        } else {
            self.beside = Vec::new();
        }
    }

    fn extend(&mut self) {
        let keeps = !self.beside.is_empty();
        self.buckets.reserve_exact(1);
        self.buckets.push(Bucket::FREE);
        if keeps {
            self.beside.reserve_exact(WIDTH);
            self.keep_beside(true);
        }
    }

    /// Puts a new hash where [`Segment::find`] says it belongs.
    #[inline]
    pub(super) fn insert(&mut self, seat: Seat, slot: Slot, beside: Beside) {
        self.len += 1;
        let (mut seat, mut slot, mut beside) = (seat, slot, beside);
        loop {
            if seat.bucket == self.buckets.len() {
                self.extend();
            }
            slot = self.buckets[seat.bucket].push_in(seat.at, slot);
            if !self.beside.is_empty() {
                let end = (seat.bucket + 1) * WIDTH;
                let moved = &mut self.beside[seat.index()..end];
                moved.rotate_right(1);
                std::mem::swap(&mut moved[0], &mut beside);
            }
            if slot.is_free() {
                return;
            }
            seat = Seat::first_of(seat.bucket + 1);
        }
    }

    /// Puts a slot behind all others, of whose hashes none is as large, and where `next` says or at home if that is later.
    /// Then `next` is the seat behind it.
    #[inline]
    pub(super) fn append(&mut self, next: &mut Seat, slot: Slot, beside: Beside, told: u32) {
        let home = self.home(slot.word, told);
        if home > next.bucket {
            *next = Seat::first_of(home);
        } else if next.at == WIDTH {
            *next = Seat::first_of(next.bucket + 1);
        }
        if next.bucket == self.buckets.len() {
            self.extend();
        }
        self.set(*next, slot);
        self.set_beside(*next, beside);
        self.len += 1;
        next.at += 1;
    }

    /// Frees a slot; of those behind it the ones that are not at home close up.
    pub(super) fn remove(&mut self, seat: Seat, told: u32) {
        self.len -= 1;
        let mut seat = seat;
        loop {
            let next = Seat::first_of(seat.bucket + 1);
            let was_full = self.buckets[seat.bucket].taken() == WIDTH;
            let comes = was_full
                .then(|| self.get(next))
                .flatten()
                .filter(|slot| self.home(slot.word, told) <= seat.bucket);
            self.buckets[seat.bucket].take_out(seat.at, comes.unwrap_or(Slot::FREE));
            if !self.beside.is_empty() {
                let last = comes.map_or_else(Beside::default, |_| self.beside(next));
                let moved = &mut self.beside[seat.index()..next.index()];
                moved.rotate_left(1);
                moved[moved.len() - 1] = last;
            }
            if comes.is_none() {
                return;
            }
            seat = next;
        }
    }

    /// The slots from a seat on in order, each with its seat.
    pub(super) fn slots_from(&self, seat: Seat) -> Slots<'_> {
        let buckets = &self.buckets;
        Slots { buckets, seat }
    }

    /// All slots in order.
    pub(super) fn slots(&self) -> Slots<'_> {
        self.slots_from(Seat::FIRST)
    }

    /// The slots laid out anew over so many homes, with what is kept beside them if anything is.
    pub(super) fn spread(&self, homes: usize, told: u32, keeps: bool) -> Self {
        let mut laying = Laying::new(homes, told, keeps);
        self.slots()
            .for_each(|(seat, slot)| laying.add(slot, self.beside(seat)));
        laying.done()
    }
}

/// The slots of a segment, each with its seat.
#[derive(Default)]
pub(super) struct Slots<'a> {
    buckets: &'a [Bucket],
    seat: Seat,
}

impl Iterator for Slots<'_> {
    type Item = (Seat, Slot);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let bucket = self.buckets.get(self.seat.bucket)?;
            let seat = self.seat;
            if seat.at < WIDTH {
                let slot = bucket.slot(seat.at);
                if !slot.is_free() {
                    self.seat.at += 1;
                    return Some((seat, slot));
                }
            }
            self.seat = Seat::first_of(seat.bucket + 1);
        }
    }
}

/// A segment that is laid out: slots come in the order of their hashes.
pub(super) struct Laying {
    segment: Segment,
    told: u32,
    next: Seat,
}

impl Laying {
    pub(super) fn new(homes: usize, told: u32, keeps: bool) -> Self {
        let mut segment = Segment {
            buckets: vec![Bucket::FREE; homes],
            homes,
            room: room_in(homes),
            ..Segment::default()
        };
        segment.keep_beside(keeps);
        Self {
            segment,
            told,
            next: Seat::FIRST,
        }
    }

    #[inline]
    pub(super) fn add(&mut self, slot: Slot, beside: Beside) {
        self.segment.append(&mut self.next, slot, beside, self.told);
    }

    pub(super) fn done(self) -> Segment {
        self.segment
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn homes_are_as_many_as_it_takes_and_not_many_more() {
        for segment in [0, 1, 2, 5, 700, 1023, 4095] {
            for entries in 1..3000 {
                let homes = homes_for(segment, entries);
                assert!(room_in(homes) >= entries, "{segment} {entries}: {homes}");
                let most = entries * 1000 / (WIDTH * SPARSE) + 2;
                assert!(homes <= most, "{segment} {entries}: {homes} of {most}");
            }
        }
    }

    #[test]
    fn segments_together_have_much_the_same_share_free() {
        for entries in [1000, 1500, 2000, 3000, 5000] {
            let homes: usize = (0..1024).map(|segment| homes_for(segment, entries)).sum();
            let each = (homes * 64) as f64 / (1024 * entries) as f64;
            assert!((15.0..15.8).contains(&each), "{each} bytes at {entries}");
        }
    }
}
