//! Positions for people, front ends and matches: in words, in numbers and as a board; and progress.

use super::{
    Morris, Move, Point, PointSet, Position,
    lines::{Lines, PointPair},
};
use crate::engine::game::{BoardMove, BoardPoint, LastMove, PositionFact, Side, Stride};

pub(super) fn lost_for_stones(position: &Position, loser: Side) -> String {
    let (left, winner) = (position.stones(loser).len(), loser.other());
    let plural = if left == 1 { "" } else { "s" };
    format!("{winner} has won: {loser} has {left} stone{plural} left")
}

impl Position {
    /// The mills of a side, each as one of its points.
    fn mills(&self, side: Side) -> PointSet {
        let stones = PointPair::new(self.stones(side), PointSet::EMPTY);
        Lines::of(stones).mills(stones).low()
    }
}

/// A closed mill is progress, and moves count once they are no placements.
///
/// The seeds' matches look when the turn has already passed (defect D10). They then see the mills of the side that is to
/// move, any that stands on the board, and whether that side has stones in hand. The recorded games that were drawn for
/// want of a mill end on the thirtieth move by this count, 34 and 33 moves after the last mill that was closed; another
/// goes on through 35 moves in which no mill was closed.
pub(super) fn stride(before: &Position, after: &Position, as_seed: bool) -> Stride {
    let mover = before.side;
    let mill = if as_seed {
        !after.mills(after.side).is_empty()
    } else {
        !(after.mills(mover) & !before.mills(mover)).is_empty()
    };
    let placing = if as_seed { after.hand(after.side) > 0 } else { before.hand(mover) > 0 };
    match (mill, placing) {
        (true, _) => Stride::Progress,
        (false, true) => Stride::Uncounted,
        (false, false) => Stride::Quiet,
    }
}

/// The files and ranks of the lattice that the points lie on.
pub(super) const SIZE: usize = 7;

impl Morris {
    /// Of two stones in one mill, or one in a mill and the last one outside, one order may be the only legal one.
    pub(super) fn plan_move(self, position: &Position, mv: Move) -> BoardMove {
        let captures = self.turn(position).captures;
        let mut taken: Vec<Point> = mv.captures().into_iter().collect();
        let possible = |first, second| {
            captures.ones().contains(first) && captures.after(first).contains(second)
        };
        let mut any_order = true;
        if let [one, other] = taken[..] {
            any_order = possible(one, other) && possible(other, one);
            if !possible(one, other) {
                taken.reverse();
            }
        }
        BoardMove {
            mv: mv.to_string(),
            from: mv.from().map(Point::index),
            to: mv.to().index(),
            captures: taken.into_iter().map(Point::index).collect(),
            any_order,
            promotion: None,
        }
    }
}

pub(super) fn point(position: &Position, at: Point, last: Option<Move>) -> BoardPoint {
    let stone = position.at(at);
    BoardPoint {
        name: at.name().to_owned(),
        x: at.file() as u8,
        y: (SIZE - at.rank()) as u8,
        stone,
        piece: None,
        in_mill: stone.is_some_and(|side| position.in_mills(side).contains(at)),
        last: last
            .and_then(|mv| LastMove::part(at, mv.from(), mv.to(), mv.captures().contains(at))),
    }
}

/// `own` is the side to move, `other` its opponent; mills count the stones in them.
pub(super) const FACTS: &[PositionFact<Position>] = &[
    ("stones", |p| on_board(p, Side::White) + on_board(p, Side::Black)),
    ("own", |p| on_board(p, p.side())),
    ("other", |p| on_board(p, p.side().other())),
    ("hand", |p| in_hand(p, Side::White) + in_hand(p, Side::Black)),
    ("own_hand", |p| in_hand(p, p.side())),
    ("other_hand", |p| in_hand(p, p.side().other())),
    ("mills", |p| in_mills(p, p.side())),
    ("other_mills", |p| in_mills(p, p.side().other())),
];

fn on_board(position: &Position, side: Side) -> f64 {
    position.stones(side).len() as f64
}

fn in_hand(position: &Position, side: Side) -> f64 {
    position.hand(side) as f64
}

fn in_mills(position: &Position, side: Side) -> f64 {
    position.in_mills(side).len() as f64
}
