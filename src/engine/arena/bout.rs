//! One game from its opening to its end.

use std::sync::atomic::AtomicBool;

use rustc_hash::FxHashSet;

use super::{Cost, DrawRules, MatchOutcome, Referee};
use crate::engine::{
    game::{Fault, Game, History, KeyScheme, Side},
    random,
    searcher::{Decision, Root, Searcher},
};

/// A position and moves from there: what is played before the players take over, or a whole game.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening<G: Game> {
    /// The first position.
    pub start: G::Position,
    /// The moves from there.
    pub moves: Vec<G::Move>,
}

impl<G: Game> Opening<G> {
    /// No moves from the start of the game.
    pub fn of(game: &G) -> Self {
        Self { start: game.start(), moves: Vec::new() }
    }

    /// The positions from the first to the last.
    pub fn positions(&self, game: &G) -> Vec<G::Position> {
        let mut positions = vec![self.start.clone()];
        for (place, &mv) in self.moves.iter().enumerate() {
            positions.push(game.apply(&positions[place], mv));
        }
        positions
    }

    /// A random opening of `plies` moves; nothing where the game ends on the way.
    fn random(game: &G, start: &G::Position, plies: usize, seed: u64) -> Option<Self> {
        let (mut position, mut history) = (start.clone(), G::History::default());
        let mut played = Vec::with_capacity(plies);
        for ply in 0..plies {
            let mut moves = Vec::new();
            if game.expand(&position, &history, &mut moves).is_some() {
                return None;
            }
            let number = random::mixed(&[seed, ply as u64]);
            let mv = *moves.get(random::one_of(number, moves.len()))?;
            history.push(&position);
            position = game.apply(&position, mv);
            played.push(mv);
        }
        let over = game.terminal(&position, &history).is_some();
        (!over).then(|| Self { start: start.clone(), moves: played })
    }
}

/// Tries for each opening before there seem to be no more.
const TRIES: u64 = 2_000;

/// Different random openings. Openings whose last positions are equal by symmetry, colours not exchanged, count as one,
/// and none ends the game. The same numbers give the same openings.
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
        let seed = random::mixed(&[seed, attempt]);
        let Some(opening) = Opening::random(game, start, plies, seed) else {
            continue;
        };
        let last = opening.moves.iter().fold(start.clone(), |at, &mv| game.apply(&at, mv));
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

/// What a game depends on, the players apart.
#[derive(Clone, Copy, Debug)]
pub struct Bout<'a, G: Game> {
    /// The game with its rules.
    pub game: &'a G,
    /// When it is drawn.
    pub rules: DrawRules,
    /// How it begins.
    pub opening: &'a Opening<G>,
    /// Decides among equal moves; with the ply it gives the random numbers.
    pub seed: u64,
}

/// What chooses the moves of a game.
pub trait Players<G: Game> {
    /// Chooses a move of a position that is not over; the random number decides among equals. `None`: interrupted.
    ///
    /// # Errors
    /// What keeps the player from searching.
    fn choose(
        &mut self,
        side: Side,
        root: Root<'_, G>,
        number: u64,
        interrupt: &AtomicBool,
    ) -> Result<Option<(G::Move, Cost)>, Fault>;
}

/// One searcher for both sides, as in self-play.
impl<G: Game> Players<G> for Searcher<G> {
    fn choose(
        &mut self,
        _side: Side,
        root: Root<'_, G>,
        number: u64,
        interrupt: &AtomicBool,
    ) -> Result<Option<(G::Move, Cost)>, Fault> {
        let decision = Self::choose(self, root, number, interrupt)?;
        Ok(decision.as_ref().map(Decision::played))
    }
}

/// A searcher for each side. Its setting `random` decides among equal moves too.
impl<G: Game> Players<G> for [Searcher<G>; 2] {
    fn choose(
        &mut self,
        side: Side,
        root: Root<'_, G>,
        number: u64,
        interrupt: &AtomicBool,
    ) -> Result<Option<(G::Move, Cost)>, Fault> {
        let searcher = &mut self[side.index()];
        let number = random::mixed(&[number, searcher.settings.seed]);
        let decision = searcher.choose(root, number, interrupt)?;
        Ok(decision.as_ref().map(Decision::played))
    }
}

impl<G: Game> Decision<G> {
    fn played(&self) -> (G::Move, Cost) {
        (self.mv, Cost::of(self))
    }
}

/// All that happened in a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Played<G: Game> {
    /// The moves, those of the opening included.
    pub moves: Vec<G::Move>,
    /// How it ended.
    pub outcome: MatchOutcome,
    /// What each side's choices took, white's first.
    pub cost: [Cost; 2],
}

/// Plays a game to its end. `None`: interrupted, and nothing is known of the game.
///
/// # Errors
/// What keeps a player from searching.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use plyscope::engine::{arena::{Bout, DrawRules, Opening, Player, play}, morris::Morris};
/// let game = Morris::default();
/// let player = Player::read::<Morris>("quick: depth=2")?;
/// let mut players = [player.searcher(&game)?, player.searcher(&game)?];
/// let bout = Bout { game: &game, rules: DrawRules::SOUND, opening: &Opening::of(&game), seed: 1 };
/// let played = play(&bout, &mut players, &AtomicBool::new(false))?;
/// assert!(played.is_some_and(|played| played.moves.len() > 18));
/// # Ok::<(), plyscope::engine::game::Fault>(())
/// ```
pub fn play<G: Game, P: Players<G>>(
    bout: &Bout<'_, G>,
    players: &mut P,
    interrupt: &AtomicBool,
) -> Result<Option<Played<G>>, Fault> {
    let Bout { game, opening, .. } = bout;
    let (mut position, mut history) = (opening.start.clone(), G::History::default());
    let mut referee = Referee::new(*game, bout.rules, &position);
    let mut moves: Vec<G::Move> = Vec::new();
    let mut cost = [Cost::default(); 2];
    loop {
        let mv = if let Some(&mv) = opening.moves.get(moves.len()) {
            mv
        } else {
            if let Some(outcome) = referee.verdict(game, &position, &history) {
                return Ok(Some(Played { moves, outcome, cost }));
            }
            let side = game.side(&position);
            let number = random::mixed(&[bout.seed, moves.len() as u64]);
            let chosen = players.choose(side, (&position, &history), number, interrupt)?;
            let Some((mv, took)) = chosen else {
                return Ok(None);
            };
            cost[side.index()].add(&took);
            mv
        };
        let next = game.apply(&position, mv);
        referee.see(game, &position, &next);
        history.push(&position);
        position = next;
        moves.push(mv);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::game::Rules;
    use crate::engine::morris::Morris;

    #[test]
    fn openings_differ_by_more_than_symmetry() {
        let game = Morris::default();
        let openings = |plies, count| random_openings(&game, &game.start(), plies, count, 7);
        // A first stone stands on a corner or a midpoint, of the middle ring or of another.
        assert_eq!(openings(1, 4).unwrap().len(), 4);
        let fault = openings(1, 5).unwrap_err();
        assert!(fault.message.contains("only 4 different"), "{fault}");
        assert_eq!(openings(4, 100).unwrap(), openings(4, 100).unwrap());
        assert_eq!(openings(0, 1).unwrap(), [Opening::of(&game)]);
    }
}
