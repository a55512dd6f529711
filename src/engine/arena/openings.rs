//! Openings: random moves from a position, no two that are the same by symmetry.

use rustc_hash::FxHashSet;

use super::Opening;
use crate::engine::{
    game::{Fault, Game, History, KeyScheme},
    random,
};

/// Tries for each opening before there seem to be no more.
const TRIES: u64 = 2_000;

/// So many different openings of so many random moves each. Openings whose last positions are equal by symmetry, colours
/// not exchanged, count as one, and none ends the game. The same numbers give the same openings.
///
/// # Errors
/// Where there are not as many, with how many there are.
pub fn random_openings<G: Game>(
    game: &G,
    start: &G::Position,
    plies: usize,
    count: usize,
    seed: u64,
) -> Result<Vec<Opening<G>>, Fault> {
    let mut openings = Vec::with_capacity(count);
    let mut known = FxHashSet::default();
    for attempt in 0..TRIES.saturating_mul(count as u64) {
        if openings.len() == count {
            break;
        }
        let Some(opening) = random_opening(game, start, plies, random::mixed(&[seed, attempt]))
        else {
            continue;
        };
        let (last, _) = opening.end(game);
        if known.insert((game.side(&last), game.key(&last, KeyScheme::Canonical))) {
            openings.push(opening);
        }
    }
    if openings.len() == count {
        return Ok(openings);
    }
    Err(Fault::new(format!(
        "there are only {} different openings of {plies} plies, and {count} are needed",
        openings.len()
    ))
    .hint("give more plies, or fewer games"))
}

/// One opening; nothing where the game ends on the way.
fn random_opening<G: Game>(
    game: &G,
    start: &G::Position,
    plies: usize,
    seed: u64,
) -> Option<Opening<G>> {
    let (mut position, mut history) = (start.clone(), G::History::default());
    let mut played = Vec::with_capacity(plies);
    for ply in 0..plies {
        let mut moves = Vec::new();
        if game.expand(&position, &history, &mut moves).is_some() {
            return None;
        }
        let mv = *moves.get(random::one_of(
            random::mixed(&[seed, ply as u64]),
            moves.len(),
        ))?;
        history.push(&position);
        position = game.apply(&position, mv);
        played.push(mv);
    }
    game.terminal(&position, &history)
        .is_none()
        .then(|| Opening {
            start: start.clone(),
            moves: played,
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::morris::Morris;

    #[test]
    fn openings_differ_by_more_than_symmetry() {
        let game = Morris::default();
        let openings = |plies, count| random_openings(&game, &game.start(), plies, count, 7);
        // A first stone stands on a corner or a midpoint, of the middle ring or of another.
        assert_eq!(openings(1, 4).unwrap().len(), 4);
        let fault = openings(1, 5).unwrap_err();
        assert!(fault.message.contains("only 4 different"), "{fault}");
        let hundred = openings(4, 100).unwrap();
        assert_eq!(hundred, openings(4, 100).unwrap());
        let keys: FxHashSet<_> = hundred
            .iter()
            .map(|opening| game.key(&opening.end(&game).0, KeyScheme::Canonical))
            .collect();
        assert_eq!(keys.len(), 100);
        assert_eq!(openings(0, 1).unwrap(), [Opening::of(&game)]);
    }
}
