//! Playing one game from its opening to its end.

use std::sync::atomic::AtomicBool;

use rustc_hash::FxHashSet;

use super::{Cost, DrawRules, Ending, MatchOutcome, Referee};
use crate::engine::{
    game::{Fault, Game, History, KeyScheme, Rules, Side},
    random,
    searcher::{Root, Searcher},
};

/// A position and moves from it: an opening, or a whole game.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening<G: Game> {
    /// The position before the first move.
    pub start: G::Position,
    /// The moves from the first position, in order.
    pub moves: Vec<G::Move>,
}

impl<G: Game> Opening<G> {
    /// The start position of the game, without moves.
    pub fn of(game: &G) -> Self {
        Self { start: game.start(), moves: Vec::new() }
    }

    /// A random opening of `plies` moves; `None` if the game ends before or after the last of them.
    pub fn random(game: &G, start: &G::Position, plies: usize, seed: u64) -> Option<Self> {
        let (mut position, mut history) = (start.clone(), G::History::default());
        let mut played = Vec::with_capacity(plies);
        for ply in 0..plies {
            let mut moves = Vec::new();
            if game.expand(&position, &history, &mut moves).is_some() {
                return None;
            }
            let number = random::splitmix_all(&[seed, ply as u64]);
            let mv = *moves.get(random::index_of(number, moves.len()))?;
            history.push(&position);
            position = game.apply(&position, mv);
            played.push(mv);
        }
        let goes_on = game.terminal(&position, &history).is_none();
        goes_on.then(|| Self { start: start.clone(), moves: played })
    }

    /// The position after all moves.
    pub fn last(&self, game: &G) -> G::Position {
        self.moves.iter().fold(self.start.clone(), |position, &mv| game.apply(&position, mv))
    }
}

/// The number of random attempts for each opening: enough to find even the rare short openings.
const TRIES: u64 = 2_000;

/// Different random openings after which the game is not over. Openings whose last positions are equal by symmetry (colours
/// not exchanged) count as one. The same arguments give the same openings. Errors: fewer than `count` openings found.
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
        let seed = random::splitmix_all(&[seed, attempt]);
        let Some(opening) = Opening::random(game, start, plies, seed) else {
            continue;
        };
        let last = opening.last(game);
        if known.insert((game.side(&last), game.key(&last, KeyScheme::Canonical))) {
            openings.push(opening);
        }
    }
    let found = openings.len();
    if found == count {
        return Ok(openings);
    }
    let few = format!("there are only {found} different openings of {plies} plies");
    let fault = Fault::new(format!("{few}, but {count} are needed"));
    Err(fault.hint("give more plies, or fewer games"))
}

/// All that determines a game, except the players.
#[derive(Clone, Copy, Debug)]
pub struct GameSetup<'a, G: Game> {
    /// The game with its rules.
    pub game: &'a G,
    /// The draw rules, which apply beside the game's own.
    pub rules: DrawRules,
    /// The moves played before the players choose theirs.
    pub opening: &'a Opening<G>,
    /// The random seed for choices among equal moves.
    pub seed: u64,
}

/// A player's decision in one position.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice<M> {
    /// The move to play, and the cost of finding it.
    Move(M, Cost),
    /// No move: the player loses the game, for this reason.
    Forfeit(String),
    /// No move: the user interrupted the search.
    Interrupted,
}

/// A player's decision, or the fault that stops the game.
pub type Chosen<G> = Result<Choice<<G as Rules>::Move>, Fault>;

/// Searches a position and returns the move to play. `number` chooses among equal moves.
/// Errors: those of the search.
pub fn choose<G: Game>(
    searcher: &mut Searcher<G>,
    root: Root<'_, G>,
    number: u64,
    interrupt: &AtomicBool,
) -> Chosen<G> {
    let decision = searcher.choose(root, number, interrupt)?;
    Ok(decision
        .map_or(Choice::Interrupted, |decision| Choice::Move(decision.mv, Cost::of(&decision))))
}

/// A game played to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Played<G: Game> {
    /// The moves, including those of the opening.
    pub moves: Vec<G::Move>,
    /// The winner, and why the game ended.
    pub outcome: MatchOutcome,
    /// The cost of each side's moves, White's first.
    pub cost: [Cost; 2],
}

/// Plays a game to its end; `None` if interrupted. `choose` gets the side to move, the position, and a random number to
/// choose among equal moves.
/// Errors: those of `choose`.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use plyscope::engine::arena::{GameSetup, DrawRules, Opening, Player, choose, play};
/// use plyscope::engine::morris::Morris;
/// let game = Morris::default();
/// let player = Player::read(&Morris::default(), "quick: depth=2")?;
/// let mut players = [player.searcher(&game)?, player.searcher(&game)?];
/// let setup = GameSetup { game: &game, rules: DrawRules::SOUND, opening: &Opening::of(&game), seed: 1 };
/// let never = AtomicBool::new(false);
/// let played = play(&setup, |side, root, number| choose(&mut players[side.index()], root, number, &never))?;
/// assert!(played.is_some_and(|played| played.moves.len() > 18));
/// # Ok::<(), plyscope::engine::game::Fault>(())
/// ```
pub fn play<G: Game>(
    setup: &GameSetup<'_, G>,
    mut choose: impl FnMut(Side, Root<'_, G>, u64) -> Chosen<G>,
) -> Result<Option<Played<G>>, Fault> {
    let GameSetup { game, opening, .. } = setup;
    let (mut position, mut history) = (opening.start.clone(), G::History::default());
    let mut referee = Referee::new(*game, setup.rules, &position);
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
            let number = random::splitmix_all(&[setup.seed, moves.len() as u64]);
            let (mv, move_cost) = match choose(side, (&position, &history), number)? {
                Choice::Move(mv, cost) => (mv, cost),
                Choice::Interrupted => return Ok(None),
                Choice::Forfeit(why) => {
                    let winner = Some(side.other());
                    let outcome = MatchOutcome { winner, ending: Ending::Rules(why) };
                    return Ok(Some(Played { moves, outcome, cost }));
                }
            };
            cost[side.index()].add(&move_cost);
            mv
        };
        let next = game.apply(&position, mv);
        referee.count_move(game, &position, &next);
        history.push(&position);
        position = next;
        moves.push(mv);
    }
}
