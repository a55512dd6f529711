//! What matches ask of the game: whether a move is progress, and why a game is over.

use super::{
    PointSet, Position,
    lines::{Lines, PointPair},
};
use crate::engine::game::{Judging, Side, Stride};

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
pub(super) fn stride(before: &Position, after: &Position, judging: Judging) -> Stride {
    let mover = before.side;
    let mill = if judging.wrong_side {
        !after.mills(after.side).is_empty()
    } else {
        !(after.mills(mover) & !before.mills(mover)).is_empty()
    };
    let placing =
        if judging.last_placement { after.hand(after.side) > 0 } else { before.hand(mover) > 0 };
    match (mill, placing) {
        (true, _) => Stride::Progress,
        (false, true) => Stride::Uncounted,
        (false, false) => Stride::Quiet,
    }
}

/// Why a finished game is over.
pub(super) fn verdict(position: &Position) -> &'static str {
    if Side::ALL.into_iter().any(|side| position.lacks_stones(side)) {
        "too few stones"
    } else {
        "no move"
    }
}
