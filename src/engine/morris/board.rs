//! The board: 24 points on three rings, the lines between them, and the bit-parallel questions about both.
//!
//! A set of points is 24 bits, bit `ring * 8 + cell`: one byte a ring. Walking along a ring is a rotation of
//! every byte at once, stepping between rings a shift by eight, so a question about all points of both sides costs
//! a few instructions.

use std::{fmt, ops, str::FromStr};

use crate::engine::game::Fault;

/// The names of the points by index: rings from outer to inner, clockwise from the top-left corner.
const NAMES: [&str; 24] = [
    "a7", "d7", "g7", "g4", "g1", "d1", "a1", "a4", // outer
    "b6", "d6", "f6", "f4", "f2", "d2", "b2", "b4", // middle
    "c5", "d5", "e5", "e4", "e3", "d3", "c3", "c4", // inner
];

/// One of the 24 points: index `ring * 8 + cell`, ring 0 the outer one, cells clockwise from the top-left corner.
///
/// ```
/// use plyscope::engine::morris::Point;
/// let point: Point = "d6".parse()?;
/// assert_eq!((point.ring(), point.cell(), point.index()), (1, 1, 9));
/// assert_eq!((point.file(), point.rank()), (3, 6));
/// assert_eq!(point.to_string(), "d6");
/// # Ok::<(), plyscope::engine::game::Fault>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u8);

impl Point {
    /// The point with this index (0 to 23).
    pub const fn new(index: usize) -> Option<Self> {
        if index < 24 {
            Some(Self(index as u8))
        } else {
            None
        }
    }

    /// The point whose index is in the low bits of a packed move.
    pub(super) const fn of_packed(bits: u32) -> Self {
        Self((bits & 31) as u8)
    }

    /// All points, by index.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..24).map(Self)
    }

    /// 0 to 23.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 0 (outer) to 2 (inner).
    pub const fn ring(self) -> usize {
        self.index() / 8
    }

    /// 0 to 7, clockwise from the top-left corner: even cells are corners, odd ones the midpoints of sides.
    pub const fn cell(self) -> usize {
        self.index() % 8
    }

    /// The column, 0 (a) to 6 (g).
    pub fn file(self) -> usize {
        usize::from(self.name().as_bytes()[0] - b'a')
    }

    /// The row as people number it, 1 (bottom) to 7 (top).
    pub fn rank(self) -> usize {
        usize::from(self.name().as_bytes()[1] - b'0')
    }

    /// Its coordinates, such as `a7`.
    pub const fn name(self) -> &'static str {
        NAMES[self.index()]
    }

    /// The points one step away along a line.
    pub const fn neighbours(self) -> PointSet {
        NEIGHBOURS[self.index()]
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Point {
    type Err = Fault;

    /// Reads coordinates in either letter case.
    fn from_str(text: &str) -> Result<Self, Fault> {
        Self::all()
            .find(|point| point.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| {
                Fault::new(format!("`{text}` is not a point of the board")).hint(
                    "points are a file a-g and a rank 1-7 where lines meet, such as a1, d6 or c4",
                )
            })
    }
}

/// A set of points.
///
/// ```
/// use plyscope::engine::morris::{Point, PointSet};
/// let corner: Point = "a7".parse()?;
/// assert_eq!(corner.neighbours().to_string(), "d7 a4");
/// assert!(!corner.neighbours().contains(corner));
/// assert_eq!((!PointSet::EMPTY).len(), 24);
/// # Ok::<(), plyscope::engine::game::Fault>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct PointSet(u32);

impl PointSet {
    /// No point.
    pub const EMPTY: Self = Self(0);
    /// The whole board.
    pub const BOARD: Self = Self(0xFF_FFFF);

    /// The set of these bits, bit `n` for the point of index `n`; bits beyond the board are dropped.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & Self::BOARD.0)
    }

    /// One bit a point.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The number of points.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether there are at least two, without counting.
    pub const fn has_two(self) -> bool {
        self.without_first().0 != 0
    }

    /// Whether there are at least three, without counting.
    pub const fn has_three(self) -> bool {
        self.without_first().without_first().0 != 0
    }

    /// Whether there are at least four, without counting.
    pub const fn has_four(self) -> bool {
        self.without_first().without_first().without_first().0 != 0
    }

    const fn without_first(self) -> Self {
        Self(self.0 & self.0.wrapping_sub(1))
    }

    /// Whether the point belongs to the set.
    pub const fn contains(self, point: Point) -> bool {
        self.0 >> point.0 & 1 == 1
    }

    /// The points of the set whose index is greater than this point's.
    #[must_use]
    pub const fn after(self, point: Point) -> Self {
        Self(self.0 & (u32::MAX << point.0 << 1))
    }

    /// All points next to a point of the set.
    #[must_use]
    pub const fn neighbours(self) -> Self {
        let stones = self.0 as u64;
        let along = clockwise(stones) | anticlockwise(stones);
        Self(along as u32 | self.outwards().0 | self.inwards().0)
    }

    /// The midpoints moved one ring outwards; those of the outer ring fall off.
    pub(super) const fn outwards(self) -> Self {
        Self((self.0 & MIDPOINTS as u32) >> 8)
    }

    /// The midpoints moved one ring inwards; those of the inner ring fall off.
    pub(super) const fn inwards(self) -> Self {
        Self((self.0 & MIDPOINTS as u32) << 8 & Self::BOARD.0)
    }
}

impl From<Point> for PointSet {
    fn from(point: Point) -> Self {
        Self(1 << point.0)
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        points
            .into_iter()
            .fold(Self::EMPTY, |set, point| set | Self::from(point))
    }
}

impl ops::BitOr for PointSet {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl ops::BitAnd for PointSet {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl ops::Sub for PointSet {
    type Output = Self;
    /// The points of the first set that are not in the second.
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl ops::Not for PointSet {
    type Output = Self;
    fn not(self) -> Self {
        Self(!self.0 & Self::BOARD.0)
    }
}

impl IntoIterator for PointSet {
    type Item = Point;
    type IntoIter = Points;
    fn into_iter(self) -> Points {
        Points(self)
    }
}

impl fmt::Display for PointSet {
    /// The names in index order, a space between.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.into_iter().map(Point::name).collect();
        f.write_str(&names.join(" "))
    }
}

/// The points of a set in index order.
#[derive(Clone, Debug)]
pub struct Points(PointSet);

impl Iterator for Points {
    type Item = Point;
    #[inline]
    fn next(&mut self) -> Option<Point> {
        if self.0.is_empty() {
            return None;
        }
        let first = Point(self.0.0.trailing_zeros() as u8);
        self.0 = self.0.without_first();
        Some(first)
    }
}

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

static NEIGHBOURS: [PointSet; 24] = {
    let mut table = [PointSet::EMPTY; 24];
    let mut index = 0;
    while index < 24 {
        table[index] = PointSet(1 << index).neighbours();
        index += 1;
    }
    table
};

/// Two sets of points side by side in one word, so that both are asked at the price of one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair(u64);

impl Pair {
    #[inline]
    pub(super) const fn new(low: PointSet, high: PointSet) -> Self {
        Self(low.0 as u64 | (high.0 as u64) << 32)
    }

    #[inline]
    pub(super) const fn low(self) -> PointSet {
        PointSet(self.0 as u32)
    }

    #[inline]
    pub(super) const fn high(self) -> PointSet {
        PointSet((self.0 >> 32) as u32)
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
    pub(super) first: Pair,
    /// At a corner the line anticlockwise of it; at a midpoint the line across the rings.
    pub(super) second: Pair,
}

impl Lines {
    #[inline]
    pub(super) const fn of(stones: Pair) -> Self {
        let x = stones.0;
        let (next, previous) = (anticlockwise(x), clockwise(x));
        let further = (x & 0x00FF_FF00_00FF_FF00) >> 8 | (x & 0x0000_00FF_0000_00FF) << 16;
        let nearer = (x & 0x0000_FFFF_0000_FFFF) << 8 | x >> 16 & 0x0000_00FF_0000_00FF;
        let ring = next & (anticlockwise(next) & CORNERS | previous & MIDPOINTS);
        let back = previous & clockwise(previous) & CORNERS;
        Self {
            first: Pair(ring),
            second: Pair(back | further & nearer & MIDPOINTS),
        }
    }

    /// Each mill of each half, as one of its points.
    #[inline]
    pub(super) const fn mills(self, stones: Pair) -> Pair {
        Pair(stones.0 & (self.first.0 & CORNERS | self.second.0 & OUTER_MIDPOINTS))
    }

    /// Each of the two, confined to these points.
    #[inline]
    pub(super) const fn each_within(self, points: Pair) -> [Pair; 2] {
        [
            Pair(self.first.0 & points.0),
            Pair(self.second.0 & points.0),
        ]
    }

    /// The points of each half that are in a mill, or would be.
    #[inline]
    pub(super) const fn any(self) -> Pair {
        Pair(self.first.0 | self.second.0)
    }

    /// What a slide clockwise closes: a mill that does not run through the point left behind. No slide closes two
    /// mills, because one of the two lines at its end is the line it moves along.
    #[inline]
    pub(super) const fn after_clockwise(self) -> PointSet {
        PointSet((self.first.0 & CORNERS | self.second.0 & MIDPOINTS) as u32)
    }

    /// What a slide anticlockwise closes.
    #[inline]
    pub(super) const fn after_anticlockwise(self) -> PointSet {
        PointSet(self.second.0 as u32)
    }

    /// What a slide between rings closes.
    #[inline]
    pub(super) const fn after_crossing(self) -> PointSet {
        PointSet((self.first.0 & MIDPOINTS) as u32)
    }
}

/// The low half moved one step along the rings.
#[inline]
pub(super) const fn slides_along(stones: PointSet) -> [PointSet; 2] {
    let x = stones.0 as u64;
    [
        PointSet(clockwise(x) as u32),
        PointSet(anticlockwise(x) as u32),
    ]
}

/// The sixteen lines as point indices, from one end to the other.
pub(super) fn lines() -> impl Iterator<Item = [Point; 3]> {
    let along = (0..3u8).flat_map(|ring| {
        [0, 2, 4, 6].map(|cell| [0, 1, 2].map(|step| Point(ring * 8 + (cell + step) % 8)))
    });
    let across = [1u8, 3, 5, 7].map(|cell| [0, 1, 2].map(|ring| Point(ring * 8 + cell)));
    along.chain(across)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_agree_with_their_definition() {
        let mut seed = 1u32;
        for _ in 0..5000 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let stones = PointSet::from_bits(seed >> 8 & seed << 3 | seed >> 5 & seed >> 9);
            let found = Lines::of(Pair::new(stones, PointSet::BOARD - stones));
            let inside = |line: &[Point; 3], but: Point| {
                line.iter().all(|&p| p == but || stones.contains(p))
            };
            for point in Point::all() {
                let filled = lines()
                    .filter(|line| line.contains(&point) && inside(line, point))
                    .count();
                let told = usize::from(found.first.low().contains(point))
                    + usize::from(found.second.low().contains(point));
                assert_eq!(told, filled, "{point} among {stones}");
            }
            let mills = lines()
                .filter(|line| line.iter().all(|&p| stones.contains(p)))
                .count();
            assert_eq!(
                found.mills(Pair::new(stones, PointSet::EMPTY)).low().len(),
                mills
            );
            assert_eq!(
                Pair::new(stones, !stones).counts(),
                [stones.len(), (!stones).len()]
            );
        }
    }

    #[test]
    fn neighbours_are_one_step_along_a_line() {
        for point in Point::all() {
            let stepped: PointSet = lines()
                .flat_map(|[a, b, c]| [(a, b), (b, a), (b, c), (c, b)])
                .filter(|&(from, _)| from == point)
                .map(|(_, to)| to)
                .collect();
            assert_eq!(point.neighbours(), stepped, "{point}");
        }
    }
}
