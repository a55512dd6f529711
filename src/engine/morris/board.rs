//! The board: 24 points on three rings, and sets of them.

use std::{fmt, ops, str::FromStr};

use super::lines::slides;
use crate::engine::game::{Fault, Result};

/// The names of the points by index: rings from outer to inner, clockwise from the top-left corner.
const NAMES: [&str; Point::COUNT] = [
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
    /// The number of points on the board.
    pub const COUNT: usize = 24;

    /// The point with this index (0 to 23).
    pub const fn new(index: usize) -> Option<Self> {
        if index < 24 { Some(Self(index as u8)) } else { None }
    }

    /// The point of a ring and a cell; cell 8 is the same as cell 0.
    pub(super) const fn at(ring: u8, cell: u8) -> Self {
        Self(ring * 8 + cell % 8)
    }

    /// The point whose index is in the low bits of a packed move.
    pub(super) const fn of_packed(bits: u32) -> Self {
        Self((bits & 31) as u8)
    }

    /// All 24 points, in the order of their indices.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..24).map(Self)
    }

    /// The index of the point, 0 to 23.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The ring of the point, 0 (outer) to 2 (inner).
    pub const fn ring(self) -> usize {
        self.index() / 8
    }

    /// The cell, 0 to 7 clockwise from the top-left corner: even cells are corners, odd ones midpoints of sides.
    pub const fn cell(self) -> usize {
        self.index() % 8
    }

    /// The file of the point, 0 (a) to 6 (g).
    pub fn file(self) -> usize {
        usize::from(self.name().as_bytes()[0] - b'a')
    }

    /// The rank of the point, 1 (bottom) to 7 (top).
    pub fn rank(self) -> usize {
        usize::from(self.name().as_bytes()[1] - b'0')
    }

    /// The name of the point by its coordinates, such as `a7`.
    pub const fn name(self) -> &'static str {
        NAMES[self.index()]
    }

    /// The number on playing sites, 1 to 24, row by row from the top left. Other programs may count ring by ring.
    pub fn number(self) -> usize {
        let before =
            |other: &Self| (7 - other.rank(), other.file()) < (7 - self.rank(), self.file());
        1 + Self::all().filter(before).count()
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

    /// Reads coordinates in either letter case, or the number that playing sites use.
    fn from_str(text: &str) -> Result<Self> {
        let number = text.parse().ok().filter(|number| (1..=Self::COUNT).contains(number));
        let point = Self::all().find(|point| {
            point.name().eq_ignore_ascii_case(text) || number == Some(point.number())
        });
        point.ok_or_else(|| {
            Fault::word(text, "is not a point of the board")
                .hint("points are a file a-g and a rank 1-7 where lines meet, such as a1, d6 or c4")
        })
    }
}

/// A set of points of the board, one bit for each point.
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
    /// The empty set of points.
    pub const EMPTY: Self = Self(0);
    /// The set of all 24 points.
    pub const BOARD: Self = Self(0xFF_FFFF);

    /// The set with bit `n` for the point of index `n`; bits outside the board are dropped.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & Self::BOARD.0)
    }

    /// The set as bits, bit `n` for the point of index `n`.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The number of points in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has at least two points; faster than [`Self::len`].
    pub const fn has_two(self) -> bool {
        self.without_first().0 != 0
    }

    /// Whether the set has at least three points.
    pub const fn has_three(self) -> bool {
        self.without_first().without_first().0 != 0
    }

    /// Whether the set has at least four points.
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

    /// The points of the set with a greater index than this one.
    #[must_use]
    pub const fn after(self, point: Point) -> Self {
        Self(self.0 & (u32::MAX << point.0 << 1))
    }

    /// All points next to a point of the set.
    #[must_use]
    pub const fn neighbours(self) -> Self {
        let [ahead, back, out, into] = slides(self);
        Self(ahead.0 | back.0 | out.0 | into.0)
    }
}

impl From<Point> for PointSet {
    fn from(point: Point) -> Self {
        Self(1 << point.0)
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        points.into_iter().fold(Self::EMPTY, |set, point| set | Self::from(point))
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
    /// Writes the names of the points in index order, separated by spaces.
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

static NEIGHBOURS: [PointSet; 24] = {
    let mut table = [PointSet::EMPTY; 24];
    let mut index = 0;
    while index < 24 {
        table[index] = PointSet(1 << index).neighbours();
        index += 1;
    }
    table
};
