//! Moves, packed in four bytes, and making a move.

use std::fmt;

use super::{Point, PointSet, Position};
use crate::engine::game::Side;

/// Stands for "no point" in a packed move. Bit 31 is outside the board, so clearing that bit changes no point.
const NONE: u32 = 31;
const BOARD_BITS: u32 = PointSet::BOARD.bits();

/// A move: a stone placed, slid or flown, with up to two captures.
///
/// Two captures are an unordered set, so that no two moves lead to the same position. Moves are ordered by origin,
/// destination and captures, all by point index. Serde writes a move as its text.
///
/// ```
/// use plyscope::engine::morris::Move;
/// let mv: Move = "A1-a4xG7xd6".parse()?;
/// assert_eq!(mv.to_string(), "a1-a4xg7xd6");
/// assert_eq!(mv.from().map(|point| point.name()), Some("a1"));
/// assert_eq!(mv.captures().to_string(), "g7 d6");
/// # Ok::<(), plyscope::engine::game::Fault>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u32);

impl Move {
    /// A move that places a stone from the hand, without captures.
    #[inline]
    pub const fn placing(to: Point) -> Self {
        Self(NONE << 24 | (to.index() as u32) << 16 | NONE << 8 | NONE)
    }

    /// A move that slides or flies a stone, without captures.
    #[inline]
    pub const fn moving(from: Point, to: Point) -> Self {
        Self((from.index() as u32) << 24 | (to.index() as u32) << 16 | NONE << 8 | NONE)
    }

    /// This move with one capture.
    #[inline]
    #[must_use]
    pub const fn taking(self, point: Point) -> Self {
        Self(self.0 & 0xFFFF_0000 | (point.index() as u32) << 8 | NONE)
    }

    /// This move with two captures, given in either order.
    #[inline]
    #[must_use]
    pub const fn taking_two(self, one: Point, other: Point) -> Self {
        let (one, other) = (one.index() as u32, other.index() as u32);
        let (low, high) = if one < other { (one, other) } else { (other, one) };
        Self(self.0 & 0xFFFF_0000 | low << 8 | high)
    }

    /// The point that the stone leaves; `None` for a stone from the hand.
    pub const fn from(self) -> Option<Point> {
        Point::new((self.0 >> 24) as usize)
    }

    /// The point that the stone goes to.
    pub const fn to(self) -> Point {
        Point::of_packed(self.0 >> 16)
    }

    /// The number of captures, 0 to 2.
    #[inline]
    pub const fn capture_count(self) -> u16 {
        (self.0 >> 8 & 0xFF != NONE) as u16 + (self.0 & 0xFF != NONE) as u16
    }

    /// The points of the captured stones.
    pub const fn captures(self) -> PointSet {
        PointSet::from_bits(1 << (self.0 >> 8 & 31) | 1 << (self.0 & 31))
    }
}

impl Position {
    /// The position after a legal move.
    #[inline]
    #[must_use]
    pub fn after(&self, mv: Move) -> Self {
        let (own, other) = (self.side.index(), self.side.other().index());
        let lifted = PointSet::from_bits(1 << (mv.0 >> 24) & BOARD_BITS);
        let landed = PointSet::from_bits(1 << (mv.0 >> 16 & 31));
        let mine = (self.stones[own] - lifted) | landed;
        let theirs = self.stones[other] - mv.captures();
        let placed = u8::from(mv.0 >> 24 == NONE);
        let my_hand = self.hand[own].wrapping_sub(placed);
        let their_hand = self.hand[other];
        // White and Black are written out: stores by index go through memory, and reading them back stalls (store forwarding).
        let (stones, hand) = match self.side {
            Side::White => ([mine, theirs], [my_hand, their_hand]),
            Side::Black => ([theirs, mine], [their_hand, my_hand]),
        };
        Self { stones, hand, side: self.side.other() }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(from) = self.from() {
            write!(f, "{from}-")?;
        }
        write!(f, "{}", self.to())?;
        self.captures().into_iter().try_for_each(|taken| write!(f, "x{taken}"))
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Move({self})")
    }
}
