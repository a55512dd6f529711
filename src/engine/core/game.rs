//! The interface between a game and the search: positions, moves, values and keys.

mod key;
mod options;
mod score;
mod trace;
mod vocabulary;

pub use crate::engine::fault::{Fault, Remedy, Result};
pub use crate::engine::weights::Weights;
pub use key::{Key, KeyScheme, Keyed, Packed};
pub use options::{GameOptions, HistoryPolicy, MateDistance, NodePlace, TableUse};
pub use score::{Score, Window};
pub use trace::{TraceStep, TracedSearch};
pub(in crate::engine) use vocabulary::is_default;
pub use vocabulary::{History, Side};

use std::fmt::Debug;

use serde::{Serialize, de::DeserializeOwned};

/// The rules of a game: all that a new game must implement. Everything is deterministic, including the order of the moves.
///
/// Optional parts (history, quiescence, symmetry, move ordering) are in [`SearchRules`]; how people read and write positions
/// and moves is in [`Notation`](crate::engine::game::Notation).
pub trait Rules: Clone + Debug + Send + Sync + Sized + 'static {
    /// The name in commands and files, such as `morris`.
    const NAME: &'static str;

    /// A playable position, side to move included.
    type Position: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync;

    /// The earlier positions that can change a position's value, such as by repetition; `()` if none can.
    type History: History<Self::Position>;

    /// A move, including what it captures: each move leads to one position.
    type Move: Copy + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync;

    /// A position's identity in the transposition table.
    type Key: Key;

    /// The evaluation function prepared for one search: weights checked, constants computed.
    type Evaluator: Clone + Debug + Send + Sync;

    /// The position a game starts from.
    fn start(&self) -> Self::Position;

    /// The side to move in a position.
    fn side(&self, position: &Self::Position) -> Side;

    /// Appends the legal moves in the game's documented order, or returns the value of a finished game for the side to move
    /// and appends nothing. A position with neither counts as a draw.
    fn expand(
        &self,
        position: &Self::Position,
        history: &Self::History,
        moves: &mut Vec<Self::Move>,
    ) -> Option<Score>;

    /// The moves that [`Rules::expand`] appends.
    fn legal_moves(&self, position: &Self::Position, history: &Self::History) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.expand(position, history, &mut moves);
        moves
    }

    /// The position after a legal move.
    fn apply(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// The key of a position; the scheme decides which positions share a key.
    fn key(&self, position: &Self::Position, scheme: KeyScheme) -> Self::Key;

    /// The weights of the evaluation unless the user changes them.
    fn default_weights(&self) -> Weights;

    /// The evaluation function with these weights, for a search from `root`.
    /// Errors: weights that the game cannot use.
    fn evaluator(&self, weights: &Weights, root: &Self::Position)
    -> Result<Self::Evaluator, Fault>;

    /// The static value of a position for the side to move.
    fn evaluate(&self, evaluator: &Self::Evaluator, position: &Self::Position) -> Score;

    /// The full window: the narrowest one that contains every value of a search with this evaluator.
    fn full_window(&self, evaluator: &Self::Evaluator) -> Window;
}

/// The optional parts of a game that a search can use. Every default means "none": an empty block implements this trait.
pub trait SearchRules: Rules {
    /// Whether the type is not a game but a trace, the recorded search of another program. A constant, so that searches of
    /// games pay nothing for the test.
    const IS_TRACE: bool = false;
    /// Whether earlier positions can change the value of a position (repetition, a move clock).
    const USES_HISTORY: bool = false;
    /// Whether the game has a quiescence search.
    const HAS_QUIESCENCE: bool = false;
    /// Whether the seed programs iterate a node's moves as a set, in arbitrary order.
    const REFERENCE_HAS_SETS: bool = true;
    /// Whether [`SearchRules::capture_score`] is implemented.
    const SCORES_CAPTURES: bool = false;
    /// Whether a side can be in check.
    const HAS_CHECKS: bool = false;
    /// Whether [`SearchRules::null_move`] is implemented.
    const HAS_NULL_MOVE: bool = false;
    /// Whether [`SearchRules::pack`] is implemented, so that tables can verify their keys.
    const PACKS_POSITIONS: bool = false;
    /// Whether [`SearchRules::known_value`] is implemented.
    const HAS_TABLES: bool = false;

    /// The value for the side to move if the game is over, as [`Rules::expand`] returns it, without a list of moves.
    fn terminal(&self, position: &Self::Position, history: &Self::History) -> Option<Score> {
        self.expand(position, history, &mut Vec::new())
    }

    /// Appends the moves of a quiescence search: the legal moves that win at least `gain` at once; with `see`, without those
    /// that [lose material](SearchRules::loses_material).
    fn quiescence_moves(
        &self,
        _position: &Self::Position,
        _see: bool,
        _gain: Score,
        _moves: &mut Vec<Self::Move>,
    ) {
    }

    /// Whether a legal move loses material by static exchange evaluation.
    fn loses_material(&self, _position: &Self::Position, _mv: Self::Move) -> bool {
        false
    }

    /// The ordering score of a capture, such as MVV-LVA; 0 for a quiet move.
    fn capture_score(&self, _position: &Self::Position, _mv: Self::Move) -> u16 {
        0
    }

    /// Whether `order=usual` tries killers in this position.
    fn orders_by_killers(&self, _position: &Self::Position) -> bool {
        true
    }

    /// Whether `order=usual` examines every child of a node at this depth: its static value, and known cutoffs (ETC).
    fn orders_by_children(&self, depth: u8) -> bool {
        // Examining costs more time than it saves one and two plies above the leaves: 10 % on the standard suite of morris.
        depth > 2
    }

    /// The index of a move in the history table. Similar moves share it, such as those of a piece to a square.
    fn history_index(&self, _position: &Self::Position, _mv: Self::Move) -> usize {
        0
    }

    /// Whether the side to move is in check.
    fn in_check(&self, _position: &Self::Position) -> bool {
        false
    }

    /// Whether a legal move gives check.
    fn gives_check(&self, position: &Self::Position, mv: Self::Move) -> bool {
        self.in_check(&self.apply(position, mv))
    }

    /// A pass for null-move pruning, which [`Rules::apply`] accepts. `None` in check, and where zugzwang is likely.
    fn null_move(&self, _position: &Self::Position) -> Option<Self::Move> {
        None
    }

    /// Sets the game's part of the search settings, such as the history policy.
    fn configure(&mut self, _options: GameOptions) {}

    /// The most plies that can follow a position, if known: deeper iterations are pointless.
    fn max_plies_left(&self, _position: &Self::Position) -> Option<u8> {
        None
    }

    /// The true value of a position, if endgame tables have it and the game is not over. Faster wins are worth more.
    fn known_value(&self, _position: &Self::Position) -> Option<Score> {
        None
    }

    /// The value of `after`, the position after a root move, for its side to move; `tables=root` selects moves by this value.
    fn table_value_of_move(&self, after: &Self::Position) -> Option<Score> {
        self.known_value(after)
    }

    /// The value of a finished game, adjusted to its node: a mate score depends on the ply.
    fn score_terminal(&self, value: Score, _place: NodePlace) -> Score {
        value
    }

    /// A value one ply further from the end of the game: a mate score moves towards 0. [`Score::parent`] and
    /// [`Window::child`] use it.
    fn delay_mate(&self, value: Score) -> Score {
        value
    }

    /// The inverse of [`SearchRules::delay_mate`].
    fn hasten_mate(&self, value: Score) -> Score {
        value
    }

    /// Whether a value proves a win. `full` is the full window of the search.
    fn is_won(&self, value: Score, full: Window) -> bool {
        value == full.beta
    }

    /// Whether a game is over only because of earlier positions, such as by repetition.
    fn depends_on_history(&self, _position: &Self::Position, _history: &Self::History) -> bool {
        false
    }

    /// The key under which a search to `depth` stores a position: [`Rules::key`] with as much of the history as can change
    /// the value (graph-history interaction).
    fn node_key(
        &self,
        position: &Self::Position,
        _history: &Self::History,
        scheme: KeyScheme,
        _depth: u8,
    ) -> Self::Key {
        self.key(position, scheme)
    }

    /// The positions that symmetry makes equal to this one, each once, the position itself first.
    fn orbit(&self, position: &Self::Position) -> Vec<Self::Position> {
        vec![position.clone()]
    }

    /// The same position with the other side to move, legal or not: for the move ordering of seed 002 (defect D1).
    fn opponent_to_move(&self, position: &Self::Position) -> Self::Position {
        position.clone()
    }

    /// The position in a few bytes, for tables that verify their keys; `None` if the game cannot pack it.
    fn pack(&self, _position: &Self::Position, _scheme: KeyScheme) -> Option<Packed> {
        None
    }

    /// The recorded search of a trace ([`SearchRules::IS_TRACE`]); `None` for a game.
    fn traced_search(&self) -> Option<&dyn TracedSearch<Self>> {
        None
    }
}
