//! Mills and slides, computed bit-parallel for all points of two sets at once.
//!
//! A set of points has a byte for each ring. A step along rings rotates every byte, one between rings shifts by eight bits.

use super::{Point, PointSet};

/// The corners of the board, in both sets of a [`PointPair`].
const CORNERS: u64 = 0x0055_5555_0055_5555;
const MIDPOINTS: u64 = 0x00AA_AAAA_00AA_AAAA;
/// The outer midpoints, one on each line across the rings.
const OUTER_MIDPOINTS: u64 = 0x0000_00AA_0000_00AA;

const fn clockwise(x: u64) -> u64 {
    (x & 0x007F_7F7F_007F_7F7F) << 1 | x >> 7 & 0x0001_0101_0001_0101
}

const fn anticlockwise(x: u64) -> u64 {
    x >> 1 & 0x007F_7F7F_007F_7F7F | (x & 0x0001_0101_0001_0101) << 7
}

const fn set(bits: u64) -> PointSet {
    PointSet::from_bits(bits as u32)
}

/// Two sets of points side by side in one word, so that one operation serves both.
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

    /// The number of points in each of the two sets.
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

/// For each of two sets of stones, the points with a line whose other two points are in the set.
///
/// Two lines meet at every point. A stone of the set on a point of `first` or `second` is in a mill; a stone put on an empty
/// point of `first` or `second` closes a mill.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines {
    /// For a corner, the line clockwise from it; for a midpoint, the line along the ring.
    pub(super) first: PointPair,
    /// For a corner, the line anticlockwise from it; for a midpoint, the line across the rings.
    pub(super) second: PointPair,
}

impl Lines {
    #[inline]
    pub(super) const fn of(stones: PointPair) -> Self {
        let x = stones.0;
        let (next, previous) = (anticlockwise(x), clockwise(x));
        // For each point, the stones on the next ring inwards and on the next ring outwards; the rings form a cycle.
        let inner = (x & 0x00FF_FF00_00FF_FF00) >> 8 | (x & 0x0000_00FF_0000_00FF) << 16;
        let outer = (x & 0x0000_FFFF_0000_FFFF) << 8 | x >> 16 & 0x0000_00FF_0000_00FF;
        let ring = next & (anticlockwise(next) & CORNERS | previous & MIDPOINTS);
        let back = previous & clockwise(previous) & CORNERS;
        Self { first: PointPair(ring), second: PointPair(back | inner & outer & MIDPOINTS) }
    }

    /// One point of each mill, for both sets of stones.
    #[inline]
    pub(super) const fn mills(self, stones: PointPair) -> PointPair {
        PointPair(stones.0 & (self.first.0 & CORNERS | self.second.0 & OUTER_MIDPOINTS))
    }

    /// The points of `first` and those of `second` that are also in `points`.
    #[inline]
    pub(super) const fn each_within(self, points: PointPair) -> [PointPair; 2] {
        [PointPair(self.first.0 & points.0), PointPair(self.second.0 & points.0)]
    }

    /// The points in `first` or `second`: a stone there is, or would be, in a mill.
    #[inline]
    pub(super) const fn any(self) -> PointPair {
        PointPair(self.first.0 | self.second.0)
    }

    /// The points where a slide clockwise, anticlockwise and between rings closes a mill. A slide closes at most one, because
    /// the other line through its destination contains the point that it leaves.
    #[inline]
    pub(super) const fn after_slides(self) -> [PointSet; 3] {
        let clockwise = self.first.0 & CORNERS | self.second.0 & MIDPOINTS;
        [set(clockwise), set(self.second.0), set(self.first.0 & MIDPOINTS)]
    }
}

/// The stones moved one step clockwise, anticlockwise, outwards and inwards. Only midpoints have lines across the rings.
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
