//! One game from its opening to its end.

use super::{Choice, Contender, Cost, DrawRules, GameRecord, Referee};
use crate::engine::{
    game::{Fault, Game, History, Side},
    random,
};
use std::sync::atomic::AtomicBool;

/// How a game begins: moves that are played before the players take over.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening<G: Game> {
    /// The first position.
    pub start: G::Position,
    /// The moves from there.
    pub moves: Vec<G::Move>,
}

impl<G: Game> Opening<G> {
    /// The start of a game.
    pub fn of(game: &G) -> Self {
        Self {
            start: game.start(),
            moves: Vec::new(),
        }
    }

    /// The position in which the players take over, and what lies before it.
    pub fn end(&self, game: &G) -> (G::Position, G::History) {
        let (mut position, mut history) = (self.start.clone(), G::History::default());
        for &mv in &self.moves {
            history.push(&position);
            position = game.apply(&position, mv);
        }
        (position, history)
    }
}

/// What a game is a function of, the players apart.
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

/// Whoever plays a game: one mind for each side, or one for both.
pub trait Players<G: Game> {
    /// Chooses a move of a position that is not over. `None`: interrupted.
    ///
    /// # Errors
    /// What keeps the player from searching.
    fn choose(
        &mut self,
        side: Side,
        at: (&G::Position, &G::History),
        number: u64,
        interrupt: &AtomicBool,
    ) -> Result<Option<Choice<G>>, Fault>;
}

impl<G: Game> Players<G> for [&mut Contender<G>; 2] {
    fn choose(
        &mut self,
        side: Side,
        at: (&G::Position, &G::History),
        number: u64,
        interrupt: &AtomicBool,
    ) -> Result<Option<Choice<G>>, Fault> {
        self[side.index()].choose(at, number, interrupt)
    }
}

/// Both sides with one mind and one memory: self-play.
impl<G: Game> Players<G> for Contender<G> {
    fn choose(
        &mut self,
        _side: Side,
        at: (&G::Position, &G::History),
        number: u64,
        interrupt: &AtomicBool,
    ) -> Result<Option<Choice<G>>, Fault> {
        Self::choose(self, at, number, interrupt)
    }
}

/// Plays a game to its end. `None`: interrupted, and nothing is known of the game.
///
/// # Errors
/// What keeps a player from searching.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use plyscope::engine::{arena::{Bout, Contender, DrawRules, Opening, Player, play}, morris::Morris};
/// let game = Morris::default();
/// let player = Player::read::<Morris>("quick: depth=2")?;
/// let (mut white, mut black) = (Contender::new(&game, &player)?, Contender::new(&game, &player)?);
/// let bout = Bout { game: &game, rules: DrawRules::SOUND, opening: &Opening::of(&game), seed: 1 };
/// let record = play(&bout, &mut [&mut white, &mut black], &AtomicBool::new(false))?;
/// assert!(record.is_some_and(|record| record.moves.len() > 18));
/// # Ok::<(), plyscope::engine::game::Fault>(())
/// ```
pub fn play<G: Game, P: Players<G>>(
    bout: &Bout<'_, G>,
    players: &mut P,
    interrupt: &AtomicBool,
) -> Result<Option<GameRecord<G>>, Fault> {
    let Bout { game, opening, .. } = bout;
    let mut board = Board::new(bout);
    let mut moves = Vec::new();
    for &mv in &opening.moves {
        moves.push(mv);
        board.make(game, mv);
    }
    let mut cost = [Cost::default(); 2];
    loop {
        if let Some(outcome) = board.referee.verdict(game, &board.position, &board.history) {
            return Ok(Some(GameRecord {
                opening: (*opening).clone(),
                moves,
                outcome,
                cost,
            }));
        }
        let side = game.side(&board.position);
        let number = random::mixed(&[bout.seed, moves.len() as u64]);
        let at = (&board.position, &board.history);
        let Some(choice) = players.choose(side, at, number, interrupt)? else {
            return Ok(None);
        };
        cost[side.index()].take(&choice);
        moves.push(choice.mv);
        board.make(game, choice.mv);
    }
}

struct Board<G: Game> {
    position: G::Position,
    history: G::History,
    referee: Referee<G>,
}

impl<G: Game> Board<G> {
    fn new(bout: &Bout<'_, G>) -> Self {
        let position = bout.opening.start.clone();
        Self {
            referee: Referee::new(bout.game, bout.rules, &position),
            history: G::History::default(),
            position,
        }
    }

    fn make(&mut self, game: &G, mv: G::Move) {
        let next = game.apply(&self.position, mv);
        self.referee.see(game, &self.position, &next);
        self.history.push(&self.position);
        self.position = next;
    }
}
