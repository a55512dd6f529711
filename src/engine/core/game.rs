//! What a game is to the search: positions, moves, values and keys, and the vocabulary they share.

mod key;
mod options;
mod score;
mod trace;
mod vocabulary;

pub use crate::engine::fault::{Fault, Remedy, Result};
pub use crate::engine::weights::Weights;
pub use key::{Key, KeyScheme, Keyed, Packed};
pub use options::{GameOptions, HistoryPolicy, MateDistance, NodePlace};
pub use score::{Score, Window};
pub use trace::{RecordedSearch, TraceStep};
pub(in crate::engine) use vocabulary::is_default;
pub use vocabulary::{History, Side};

use std::fmt::Debug;

use serde::{Serialize, de::DeserializeOwned};

/// A game as a search sees it: everything that must be written for a new game. All of it is deterministic, the order of
/// the moves included.
///
/// What a search can use besides (history, quiescence, symmetry, move ordering) is in [`SearchRules`], how people read and
/// write positions and moves in [`Notation`](crate::engine::game::Notation).
pub trait Rules: Clone + Debug + Send + Sync + Sized + 'static {
    /// The name in commands and files, such as `morris`.
    const NAME: &'static str;

    /// A playable position, side to move included.
    type Position: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync;

    /// What lies before a position and matters to its value; `()` where nothing does.
    type History: History<Self::Position>;

    /// A move, captures included: one move is one successor position.
    type Move: Copy + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync;

    /// A position's identity in a cache.
    type Key: Key;

    /// The heuristic made ready for one search: weights checked, constants worked out.
    type Evaluator: Clone + Debug + Send + Sync;

    /// The position a game starts from.
    fn start(&self) -> Self::Position;

    /// The side to move.
    fn side(&self, position: &Self::Position) -> Side;

    /// Appends the legal moves in the game's documented order, or tells the value of a finished game for the side
    /// to move (then nothing is appended). A position with neither counts as a draw.
    fn expand(
        &self,
        position: &Self::Position,
        history: &Self::History,
        moves: &mut Vec<Self::Move>,
    ) -> Option<Score>;

    /// The position after a legal move.
    fn apply(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// The position's identity under a scheme.
    fn key(&self, position: &Self::Position, scheme: KeyScheme) -> Self::Key;

    /// The weights in force where the user chose none.
    fn default_weights(&self) -> Weights;

    /// The heuristic with these weights, for a search from `root`.
    fn evaluator(&self, weights: &Weights, root: &Self::Position)
    -> Result<Self::Evaluator, Fault>;

    /// The heuristic value for the side to move.
    fn evaluate(&self, evaluator: &Self::Evaluator, position: &Self::Position) -> Score;

    /// The narrowest window that holds every value of a search with this evaluator: its full window.
    fn full_window(&self, evaluator: &Self::Evaluator) -> Window;
}

/// What a search can use of a game besides its [`Rules`]. Everything has a default that means "none": a new game implements
/// this trait with an empty block.
pub trait SearchRules: Rules {
    /// Whether values can rest on what lies before a position.
    const USES_HISTORY: bool = false;
    /// Whether leaves can be searched on until they are quiet.
    const HAS_QUIESCENCE: bool = false;
    /// Whether the seed programs walk through a node's moves as through a set, in no order of the game's.
    const REFERENCE_HAS_SETS: bool = true;
    /// Whether [`Rules::capture_score`] tells moves apart.
    const SCORES_CAPTURES: bool = false;
    /// Whether a side can be in check.
    const HAS_CHECKS: bool = false;
    /// Whether [`Rules::null_move`] can pass.
    const HAS_NULL_MOVE: bool = false;
    /// Whether [`Rules::pack`] packs positions, so that caches can verify their keys.
    const PACKS_POSITIONS: bool = false;

    /// The value for the side to move if the game is over, as `expand` says it, without listing moves.
    fn terminal(&self, position: &Self::Position, history: &Self::History) -> Option<Score> {
        self.expand(position, history, &mut Vec::new())
    }

    /// Appends those of the legal moves that a quiescence search looks at.
    fn quiescence_moves(
        &self,
        _position: &Self::Position,
        _history: &Self::History,
        _moves: &mut Vec<Self::Move>,
    ) {
    }

    /// How promising a move looks before anything is searched, 0 for a quiet one; the order of equal ones is the game's.
    fn capture_score(&self, _position: &Self::Position, _mv: Self::Move) -> u16 {
        0
    }

    /// Whether the usual order goes by killers here: what was good at one node is often good at its neighbours.
    fn orders_by_killers(&self, _position: &Self::Position) -> bool {
        true
    }

    /// Whether the usual order looks at every child of nodes of this depth, at its static value and whether the memo answers
    /// with a cutoff: that spares more than it costs.
    fn orders_by_children(&self, depth: u8) -> bool {
        depth > 2
    }

    /// A small number that moves of one kind share, such as those of a piece to a square: what is learned of one of them
    /// is held good of all.
    fn history_index(&self, _position: &Self::Position, _mv: Self::Move) -> usize {
        0
    }

    /// Whether the side to move is in check.
    fn in_check(&self, _position: &Self::Position) -> bool {
        false
    }

    /// A move that only passes, where passing is likely to be worse than the best move: not in check, and not where a side
    /// may be glad to pass. It is not legal, but [`Rules::apply`] knows it.
    fn null_move(&self, _position: &Self::Position) -> Option<Self::Move> {
        None
    }

    /// Takes over what the settings ask of the game.
    fn configure(&mut self, _conduct: GameOptions) {}

    /// The most plies that can follow a position, where the game knows that: no iteration goes deeper, for it could find
    /// nothing more.
    fn max_plies_left(&self, _position: &Self::Position) -> Option<u8> {
        None
    }

    /// The value of a finished game as it counts at this place of a search.
    fn score_terminal(&self, value: Score, _place: NodePlace) -> Score {
        value
    }

    /// A value as it counts one ply further from the end of the game: nearer to 0 where values tell the distance of a mate.
    /// [`Score::parent`] and [`Window::child`] build on it.
    fn delay_mate(&self, value: Score) -> Score {
        value
    }

    /// [`Rules::delay_mate`] taken back.
    fn hasten_mate(&self, value: Score) -> Score {
        value
    }

    /// Whether a value is a proven win for the side it belongs to. `full` is the search's full window.
    fn is_won(&self, value: Score, full: Window) -> bool {
        value == full.beta
    }

    /// Whether a finished game is over only because of what lies before it.
    fn depends_on_history(&self, _position: &Self::Position, _history: &Self::History) -> bool {
        false
    }

    /// The identity under which a search to `depth` remembers the position: its key and as much of what lies before it as
    /// matters.
    fn node_key(
        &self,
        position: &Self::Position,
        _history: &Self::History,
        scheme: KeyScheme,
        _depth: u8,
    ) -> Self::Key {
        self.key(position, scheme)
    }

    /// The positions equal to this one by symmetry, each once, the position itself first.
    fn orbit(&self, position: &Self::Position) -> Vec<Self::Position> {
        vec![position.clone()]
    }

    /// The same position with the other side to move, legal or not. Only seed 002's move ordering (defect D1) asks.
    fn opponent_to_move(&self, position: &Self::Position) -> Self::Position {
        position.clone()
    }

    /// The position in a few bytes, as searches under a scheme tell positions apart; see [`Rules::PACKS_POSITIONS`].
    fn pack(&self, _position: &Self::Position, _scheme: KeyScheme) -> Option<Packed> {
        None
    }

    /// The recorded search of another program that takes the place of searching, where the game is a trace.
    fn recorded(&self) -> Option<&dyn RecordedSearch<Self>> {
        None
    }
}
