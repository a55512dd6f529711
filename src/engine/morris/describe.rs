//! Positions for people, front ends and matches: in words, in numbers and as a board; and progress.

use super::{
    Morris, Move, MovePhase, Point, PointSet, Position,
    lines::{Lines, PointPair, lines},
};
use crate::engine::game::{
    Board, BoardKind, BoardMove, BoardPoint, LastMove, PositionFact, Side, Stride,
};

impl Morris {
    /// Who is to do what or, at the end, who has won and why.
    pub(super) fn task_or_end(self, position: &Position) -> String {
        let (mover, other) = (position.side, position.side.other());
        if position.lacks_stones(mover) {
            return lost_for_stones(position, mover);
        }
        if position.lacks_stones(other) {
            return lost_for_stones(position, other);
        }
        if self.outcome(position).is_some() {
            return format!("{other} has won: {mover} cannot move");
        }
        let counts = |verb: &str, what: &str, own: usize, theirs: usize| {
            format!("{mover} to {verb} ({own} {what}, {other} {theirs})")
        };
        let (own, theirs) = (position.stones(mover).len(), position.stones(other).len());
        match self.phase(position) {
            MovePhase::Placing => {
                counts("place", "in hand", position.hand(mover), position.hand(other))
            }
            MovePhase::Moving => counts("move", "stones", own, theirs),
            MovePhase::Flying => counts("fly", "stones", own, theirs),
        }
    }
}

fn lost_for_stones(position: &Position, loser: Side) -> String {
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
const SIZE: usize = 7;

impl Morris {
    /// The board for front ends that know nothing of the game.
    pub(super) fn plan(self, position: &Position, last: Option<Move>) -> Board {
        Board {
            kind: BoardKind::Lines,
            files: ('a'..='g').map(String::from).collect(),
            ranks: (1..=SIZE).rev().map(|rank| rank.to_string()).collect(),
            points: Point::all().map(|at| point(position, at, last)).collect(),
            lines: lines().map(|line| line.map(Point::index).into()).collect(),
            hands: Some(Side::ALL.map(|side| position.hand(side) as u32)),
            moves: self.plan_moves(position),
            check: None,
        }
    }

    fn plan_moves(self, position: &Position) -> Vec<BoardMove> {
        if self.outcome(position).is_some() {
            return Vec::new();
        }
        let mut moves = Vec::new();
        self.successors(position, &mut moves);
        moves.into_iter().map(|mv| self.plan_move(position, mv)).collect()
    }

    /// Of two stones in one mill, or one in a mill and the last one outside, one order may be the only legal one.
    fn plan_move(self, position: &Position, mv: Move) -> BoardMove {
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

fn point(position: &Position, at: Point, last: Option<Move>) -> BoardPoint {
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

const fn fact(
    name: &'static str,
    help: &'static str,
    of: fn(&Position) -> f64,
) -> PositionFact<Position> {
    PositionFact { name, help, of }
}

/// By name; `own` is the side to move.
pub(super) const FACTS: &[PositionFact<Position>] = &[
    fact("stones", "stones on the board", |p| on_board(p, Side::White) + on_board(p, Side::Black)),
    fact("own", "stones of the side to move on the board", |p| on_board(p, p.side())),
    fact("other", "stones of its opponent on the board", |p| on_board(p, p.side().other())),
    fact("hand", "stones in both hands", |p| in_hand(p, Side::White) + in_hand(p, Side::Black)),
    fact("own_hand", "stones in the hand of the side to move", |p| in_hand(p, p.side())),
    fact("other_hand", "stones in its opponent's hand", |p| in_hand(p, p.side().other())),
    fact("mills", "stones of the side to move that are in mills", |p| in_mills(p, p.side())),
    fact("other_mills", "stones of its opponent that are in mills", |p| {
        in_mills(p, p.side().other())
    }),
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
