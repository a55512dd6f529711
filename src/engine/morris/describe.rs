//! Descriptions of positions: sentences, named numbers, the board; and the draw clock of matches.

use super::{
    Morris, Move, MovePhase, Point, PointSet, Position,
    lines::{Lines, PointPair},
};
use crate::engine::game::{BoardMove, BoardPoint, DrawClock, Feature, LastMove, Side};

/// A sentence: whose turn it is, and whether to place or to move; or who has won and why.
pub(super) fn sentence(morris: Morris, position: &Position) -> String {
    let (mover, other) = (position.side(), position.side().other());
    if let Some(loser) = [mover, other].into_iter().find(|side| position.lacks_stones(*side)) {
        let (left, winner) = (position.stones(loser).len(), loser.other());
        let plural = if left == 1 { "" } else { "s" };
        return format!("{loser} has {left} stone{plural} left, so {winner} has won");
    }
    if morris.outcome(position).is_some() {
        return format!("{mover} cannot move, so {other} has won");
    }
    let (verb, what) = match morris.move_phase(position) {
        MovePhase::Placing => ("place", "in hand"),
        MovePhase::Moving => ("move", "stones"),
        MovePhase::Flying => ("fly", "stones"),
    };
    let [own, theirs] = [mover, other].map(|side| match verb {
        "place" => position.hand(side),
        _ => position.stones(side).len(),
    });
    format!("{mover} to {verb} ({own} {what}, {other} {theirs})")
}

/// Why no game can reach this position, judged by the numbers of stones: a side with two stones would have lost before.
pub(super) fn why_unreachable(position: &Position) -> Option<String> {
    let total = |side: Side| position.stones(side).len() + position.hand(side);
    let why = match Side::ALL.map(total) {
        [0, 0] => "neither side has a stone, on the board or in hand".to_owned(),
        [0, _] => format!("{} has no stone, on the board or in hand", Side::White),
        [_, 0] => format!("{} has no stone, on the board or in hand", Side::Black),
        [0..3, 0..3] => "both sides have fewer than three stones".to_owned(),
        _ => return None,
    };
    Some(format!("no game leads to this position: {why}"))
}

impl Position {
    /// One point of each mill of a side.
    fn mills(&self, side: Side) -> PointSet {
        let stones = PointPair::new(self.stones(side), PointSet::EMPTY);
        Lines::of(stones).mills(stones).low()
    }
}

/// A move that closes a mill resets the draw clock; other moves, except placements, advance the clock.
///
/// The seeds' matches look at the position after the turn has passed (defect D10): at any mill on the board of the side
/// to move next, and at that side's hand. Evidence: recorded games drawn for want of a mill end on the thirtieth move by this
/// count, 34 and 33 moves after the last mill was closed; another game goes on through 35 moves without a new mill.
pub(super) fn draw_clock(before: &Position, after: &Position, as_seed: bool) -> DrawClock {
    let mover = before.side;
    let (mills, hand) = if as_seed {
        (after.mills(after.side), after.hand(after.side))
    } else {
        (after.mills(mover) & !before.mills(mover), before.hand(mover))
    };
    match (mills.is_empty(), hand) {
        (false, _) => DrawClock::Reset,
        (true, 1..) => DrawClock::Hold,
        (true, 0) => DrawClock::Advance,
    }
}

/// The number of files, and of ranks, of the board.
pub(super) const SIZE: usize = 7;

impl Morris {
    /// A move as the points that it touches. In two cases only one order of two captures is legal: two stones of one mill, or a
    /// stone in a mill and the last stone outside mills.
    pub(super) fn board_move(self, position: &Position, mv: Move) -> BoardMove {
        let captures = self.generator(position).captures;
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
            truth: None,
        }
    }
}

pub(super) fn board_point(position: &Position, at: Point, last: Option<Move>) -> BoardPoint {
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

/// The features for conditions and filters. `own`: the side to move, `other`: its opponent; `mills`: the stones in mills.
pub(super) const FEATURES: &[Feature<Position>] = &[
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
