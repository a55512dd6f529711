//! True values of positions and moves.

use super::{Store, Subspace, board::Stones};
use crate::engine::game::{Fault, Game, Result, Side, TrueValue};

/// A move with its value for the side that moves; distances include the move; `None` if no table covers the position after it.
pub type MoveValue<M> = (M, Option<TrueValue>);

/// The true value of a position; `None` if no table covers it.
/// Errors: a file that cannot be used.
pub fn probe<G: Game>(
    game: &G,
    store: &Store,
    position: &G::Position,
) -> Result<Option<TrueValue>> {
    if let Some(score) = game.terminal(position, &G::History::default()) {
        return Ok(Some(TrueValue::finished(score)));
    }
    let stones = game.endgames().and_then(|endgames| endgames.stones(position));
    stones.map_or(Ok(None), |[own, other]| store.value(Stones { own, other }))
}

/// The position with these stones, none in hand, and White to move.
pub(super) fn position_of<G: Game>(game: &G, stones: Stones) -> Result<G::Position> {
    let Stones { own, other } = stones;
    let position = game.endgames().and_then(|game| game.position([own, other], Side::White));
    position.ok_or_else(|| Fault::new("these stones do not make a legal position"))
}

/// The position at an index of a table, White to move.
/// Errors: a file that is missing or cannot be used.
pub fn position_at<G: Game>(
    game: &G,
    store: &Store,
    subspace: Subspace,
    index: u32,
) -> Result<G::Position> {
    position_of(game, store.needed(subspace)?.index.stones(index as usize))
}

/// The legal moves with their values, the best first, those without a value last.
/// Errors: a file that cannot be used.
pub fn move_values<G: Game>(
    game: &G,
    store: &Store,
    position: &G::Position,
) -> Result<Vec<MoveValue<G::Move>>> {
    let moves = game.legal_moves(position, &G::History::default());
    let value = |mv: G::Move| {
        let value = probe(game, store, &game.apply(position, mv))?;
        Ok((mv, value.map(TrueValue::parent)))
    };
    let mut values = moves.into_iter().map(value).collect::<Result<Vec<_>>>()?;
    values.sort_by_key(|(_, found)| std::cmp::Reverse(found.map_or(i64::MIN, TrueValue::rank)));
    Ok(values)
}

/// A line of best moves to the end of the game, from a position that is won or lost in a table with distances.
/// Errors: a file that cannot be used.
pub fn best_line<G: Game>(
    game: &G,
    store: &Store,
    position: &G::Position,
) -> Result<Vec<(G::Position, G::Move)>> {
    let (mut at, mut line) = (position.clone(), Vec::new());
    let plies = probe(game, store, position)?.and_then(|value| value.plies);
    for _ in 0..plies.unwrap_or(0) {
        let Some(&(mv, _)) = move_values(game, store, &at)?.first() else {
            break;
        };
        let next = game.apply(&at, mv);
        line.push((std::mem::replace(&mut at, next), mv));
    }
    Ok(line)
}
