//! Numbers of a position that filters may ask for.

use super::Position;
use crate::engine::game::{PositionFact, Side};

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
