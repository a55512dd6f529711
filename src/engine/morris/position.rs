//! Positions: a [`Setup`] is not validated, a [`Position`] can be played.

use std::ops::Range;

use super::{
    Point, PointSet,
    lines::{Lines, PointPair},
};
use crate::engine::game::{Fault, Result, Side};

/// The stones that each side begins with, which limits its stones on the board and in hand together.
pub const STONES: usize = 9;

/// A playable position: stones, stones in hand and the side to move.
///
/// The text, also for serde, lists the rings from outer to inner, cells clockwise from the top-left corner, then the side to
/// move and the stones in hand, white's first.
///
/// ```
/// use plyscope::engine::{game::Side, morris::Position};
/// let position: Position = ".w....../...b...b/.....w.. b 7 6".parse()?;
/// assert_eq!(position.side(), Side::Black);
/// assert_eq!(position.stones(Side::White).to_string(), "d7 d3");
/// assert_eq!(position.hand(Side::Black), 6);
/// assert_eq!(position.to_string(), ".w....../...b...b/.....w.. b 7 6");
/// # Ok::<(), plyscope::engine::game::Fault>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub(super) stones: [PointSet; 2],
    pub(super) hand: [u8; 2],
    pub(super) side: Side,
}

impl Position {
    /// The start of a game: the empty board, nine stones in each hand, white to move.
    pub const START: Self =
        Self { stones: [PointSet::EMPTY; 2], hand: [STONES as u8; 2], side: Side::White };

    /// The points that hold a stone of this side.
    pub const fn stones(&self, side: Side) -> PointSet {
        self.stones[side.index()]
    }

    /// The stones that this side has yet to place (the seeds' *stash*), 0 to 9.
    pub const fn hand(&self, side: Side) -> usize {
        self.hand[side.index()] as usize
    }

    /// The side to move.
    pub const fn side(&self) -> Side {
        self.side
    }

    /// The points of the board without a stone.
    pub fn empty(&self) -> PointSet {
        !(self.stones[0] | self.stones[1])
    }

    /// The owner of the stone on the point; `None` if the point is empty.
    pub fn at(&self, point: Point) -> Option<Side> {
        Side::ALL.into_iter().find(|&side| self.stones(side).contains(point))
    }

    /// Whether the side has no stone in hand and fewer than three on the board, which loses the game.
    #[inline]
    pub fn lacks_stones(&self, side: Side) -> bool {
        self.hand[side.index()] == 0 && !self.stones[side.index()].has_three()
    }

    /// The stones of this side that are in mills.
    pub fn in_mills(&self, side: Side) -> PointSet {
        let stones = PointPair::new(self.stones(side), PointSet::EMPTY);
        Lines::of(stones).any().low() & self.stones(side)
    }

    /// The same position with the colours, hands and side to move exchanged.
    #[must_use]
    pub const fn swap_colours(&self) -> Self {
        Self {
            stones: [self.stones[1], self.stones[0]],
            hand: [self.hand[1], self.hand[0]],
            side: self.side.other(),
        }
    }
}

/// Stones on the board and in the hands, which need not be a legal position.
///
/// ```
/// use plyscope::engine::{game::Side, morris::{PointSet, Setup}};
/// let setup = Setup { stones: [!PointSet::EMPTY, PointSet::EMPTY], hand: [0, 12], side: Side::White };
/// let fault = setup.position().unwrap_err();
/// assert!(fault.message.contains("White has 24 stones on the board"));
/// assert!(fault.message.contains("Black has 12 stones in hand"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The stones on the board, White's first.
    pub stones: [PointSet; 2],
    /// The numbers of stones in hand, White's first.
    pub hand: [u32; 2],
    /// The side to move.
    pub side: Side,
}

/// The byte ranges of the parts of a setup in the text that it was read from.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    pub(super) stones: [Option<Range<usize>>; 2],
    pub(super) hand: [Option<Range<usize>>; 2],
}

impl Setup {
    /// The position, or one fault that lists everything wrong with the setup.
    pub fn position(&self) -> Result<Position> {
        match Fault::merge(self.faults_at(&Places::default())) {
            Some(fault) => Err(fault),
            None => Ok(Position {
                stones: self.stones,
                hand: self.hand.map(|stones| stones as u8),
                side: self.side,
            }),
        }
    }

    /// The faults of the setup: points with two stones, too many stones in hand, on the board or together.
    pub(super) fn faults_at(&self, places: &Places) -> Vec<Fault> {
        let shared = self.stones[0] & self.stones[1];
        let overlap = (!shared.is_empty()).then(|| {
            let message = format!("both sides have a stone on {shared}");
            let fault = Fault::new(message).hint("a point holds one stone");
            Fault { at: places.stones[1].clone(), ..fault }
        });
        let too_many = Side::ALL.into_iter().flat_map(|side| self.excess(side, places));
        overlap.into_iter().chain(too_many).collect()
    }

    fn excess(&self, side: Side, places: &Places) -> Vec<Fault> {
        let board = self.stones[side.index()].len();
        let hand = self.hand[side.index()] as usize;
        let fault = |what: String, place: &[Option<Range<usize>>; 2]| {
            let hint =
                format!("a side has {STONES} stones at most, on the board and in hand together");
            let fault = Fault::new(format!("{side} has {what}")).hint(hint);
            Fault { at: place[side.index()].clone(), ..fault }
        };
        let mut faults = Vec::new();
        if hand > STONES {
            faults.push(fault(format!("{hand} stones in hand"), &places.hand));
        }
        if board > STONES {
            faults.push(fault(format!("{board} stones on the board"), &places.stones));
        }
        if faults.is_empty() && board + hand > STONES {
            let what = format!("{} stones, {board} on the board and {hand} in hand", board + hand);
            faults.push(fault(what, &places.hand));
        }
        faults
    }
}

impl From<Position> for Setup {
    fn from(position: Position) -> Self {
        Self { stones: position.stones, hand: position.hand.map(u32::from), side: position.side }
    }
}
