//! The lines of the board, asked about bit-parallel.
//!
//! A set of points is one byte a ring. Walking along a ring is a rotation of every byte at once, stepping between
//! rings a shift by eight, so a question about all points of both sides costs a few instructions.

use super::{Point, PointSet};

/// Corners and midpoints in both halves of a pair.
const CORNERS: u64 = 0x0055_5555_0055_5555;
const MIDPOINTS: u64 = 0x00AA_AAAA_00AA_AAAA;
/// The outer midpoints, where each line across the rings is counted.
const OUTER_MIDPOINTS: u64 = 0x0000_00AA_0000_00AA;

const fn clockwise(x: u64) -> u64 {
    (x & 0x007F_7F7F_007F_7F7F) << 1 | x >> 7 & 0x0001_0101_0001_0101
}

const fn anticlockwise(x: u64) -> u64 {
    x >> 1 & 0x007F_7F7F_007F_7F7F | (x & 0x0001_0101_0001_0101) << 7
}

/// The low half of a word as points.
const fn set(bits: u64) -> PointSet {
    PointSet::from_bits(bits as u32)
}

/// Two sets of points side by side in one word, so that both are asked at the price of one.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointPair(u64);

impl PointPair {
    #[inline]
    pub(super) const fn new(low: PointSet, high: PointSet) -> Self {
        Self(low.bits() as u64 | (high.bits() as u64) << 32)
    }

    #[inline]
    pub(super) const fn low(self) -> PointSet {
        set(self.0)
    }

    #[inline]
    pub(super) const fn high(self) -> PointSet {
        set(self.0 >> 32)
    }

    /// The number of points of each half.
    #[inline]
    pub(super) const fn counts(self) -> [usize; 2] {
        let x = self.0;
        let x = x - (x >> 1 & 0x5555_5555_5555_5555);
        let x = (x & 0x3333_3333_3333_3333) + (x >> 2 & 0x3333_3333_3333_3333);
        let x = (x + (x >> 4)) & 0x0F0F_0F0F_0F0F_0F0F;
        let sums = x.wrapping_mul(0x0101_0101);
        [(sums >> 24 & 0xFF) as usize, (sums >> 56) as usize]
    }
}

/// For each half of a pair, the points whose lines are filled by that half's stones but for the point itself.
///
/// Two lines meet at every point. A point of `first` or `second` that is empty would close a mill there, one that
/// holds a stone of the same half is in a mill.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines {
    /// At a corner the line clockwise of it; at a midpoint the line along its ring.
    pub(super) first: PointPair,
    /// At a corner the line anticlockwise of it; at a midpoint the line across the rings.
    pub(super) second: PointPair,
}

impl Lines {
    #[inline]
    pub(super) const fn of(stones: PointPair) -> Self {
        let x = stones.0;
        let (next, previous) = (anticlockwise(x), clockwise(x));
        let delay_mate = (x & 0x00FF_FF00_00FF_FF00) >> 8 | (x & 0x0000_00FF_0000_00FF) << 16;
        let hasten_mate = (x & 0x0000_FFFF_0000_FFFF) << 8 | x >> 16 & 0x0000_00FF_0000_00FF;
        let ring = next & (anticlockwise(next) & CORNERS | previous & MIDPOINTS);
        let back = previous & clockwise(previous) & CORNERS;
        Self {
            first: PointPair(ring),
            second: PointPair(back | delay_mate & hasten_mate & MIDPOINTS),
        }
    }

    /// Each mill of each half, as one of its points.
    #[inline]
    pub(super) const fn mills(self, stones: PointPair) -> PointPair {
        PointPair(stones.0 & (self.first.0 & CORNERS | self.second.0 & OUTER_MIDPOINTS))
    }

    /// Each of the two, confined to these points.
    #[inline]
    pub(super) const fn each_within(self, points: PointPair) -> [PointPair; 2] {
        [PointPair(self.first.0 & points.0), PointPair(self.second.0 & points.0)]
    }

    /// The points of each half that are in a mill, or would be.
    #[inline]
    pub(super) const fn any(self) -> PointPair {
        PointPair(self.first.0 | self.second.0)
    }

    /// What a slide clockwise closes, one anticlockwise, and one between rings: a mill that does not run through the point
    /// left behind. No slide closes two mills, because one of the two lines at its end is the line it moves along.
    #[inline]
    pub(super) const fn after_slides(self) -> [PointSet; 3] {
        let clockwise = self.first.0 & CORNERS | self.second.0 & MIDPOINTS;
        [set(clockwise), set(self.second.0), set(self.first.0 & MIDPOINTS)]
    }
}

/// The stones moved one step, by direction: clockwise, anticlockwise, outwards, inwards. Only midpoints cross rings.
#[inline]
pub(super) const fn slides(stones: PointSet) -> [PointSet; 4] {
    let x = stones.bits() as u64;
    let crossing = x & MIDPOINTS;
    [set(clockwise(x)), set(anticlockwise(x)), set(crossing >> 8), set(crossing << 8)]
}

/// The sixteen lines as point indices, from one end to the other.
pub(super) fn lines() -> impl Iterator<Item = [Point; 3]> {
    let along = (0..3).flat_map(|ring| {
        [0, 2, 4, 6].map(|cell| [0, 1, 2].map(|step| Point::at(ring, cell + step)))
    });
    let across = [1, 3, 5, 7].map(|cell| [0, 1, 2].map(|ring| Point::at(ring, cell)));
    along.chain(across)
}
