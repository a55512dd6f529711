//! What a game is to the search: positions, moves, values and keys, and the vocabulary they share.

mod board;
mod conduct;
mod key;
mod movetext;
mod packed;
mod score;
mod text;
mod vocabulary;

/// What was asked for, or what was wrong with the request.
pub type Answer<T> = Result<T, Fault>;

pub use board::{Board, BoardKind, BoardMove, BoardPoint, BoardView, LastMove};
pub use conduct::{Conduct, Ends, Past, Place};
pub use key::{Key, KeyScheme, Keyed};
pub use movetext::{RESULTS, move_in};
pub use packed::Packed;
pub use score::{Score, Window};
pub(in crate::engine) use text::serde_as_text;
pub use vocabulary::{
    Fault, History, Judging, Named, PositionFact, Rule, Side, Situation, Stride, Term, Weights,
};

use std::fmt::Debug;

use serde::{Serialize, de::DeserializeOwned};

/// A game with its rules chosen: everything the search machine, the caches and the front ends need of it.
///
/// The first part is what a search calls at every node; it must be deterministic, children order included.
/// The second part is notation and description, called once a command.
/// A game can be implemented outside this crate: positions, moves and keys are the game's own types, and what
/// does not apply (history, symmetry, rules, weights) has a default that says "none".
pub trait Game: Clone + Debug + Send + Sync + Sized + 'static {
    /// The name in commands and files, such as `morris`.
    const NAME: &'static str;
    /// Whether positions are written in Forsyth-Edwards notation.
    const STATE_IS_FEN: bool = false;
    /// Whether values can rest on what lies before a position.
    const HISTORIC: bool = false;
    /// Whether leaves can be searched on until they are quiet.
    const QUIESCENT: bool = false;
    /// Whether the seed programs walk through a node's moves as through a set, in no order of the game's.
    const LISTS_SETS: bool = true;
    /// Whether [`Game::urgency`] tells moves apart.
    const URGENT: bool = false;
    /// Whether [`Game::pack`] packs positions, so that caches can verify their keys.
    const PACKS: bool = false;

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

    // ---- what a search calls ----

    /// The side to move.
    fn side(&self, position: &Self::Position) -> Side;

    /// Appends the legal moves in the game's documented order, or tells the value of a finished game for the side
    /// to move (then nothing is appended).
    fn expand(
        &self,
        position: &Self::Position,
        history: &Self::History,
        moves: &mut Vec<Self::Move>,
    ) -> Option<Score>;

    /// The value for the side to move if the game is over, as `expand` says it, without listing moves.
    fn terminal(&self, position: &Self::Position, history: &Self::History) -> Option<Score> {
        self.expand(position, history, &mut Vec::new())
    }

    /// Appends the moves that the rules of movement give, also where the game is over (the seeds' `nextStates`).
    fn list_moves(
        &self,
        position: &Self::Position,
        history: &Self::History,
        moves: &mut Vec<Self::Move>,
    ) {
        self.expand(position, history, moves);
    }

    /// Appends those of the legal moves that a quiescence search looks at.
    fn forcing(
        &self,
        _position: &Self::Position,
        _history: &Self::History,
        _moves: &mut Vec<Self::Move>,
    ) {
    }

    /// How promising a move looks before anything is searched; the order of equal ones is the game's.
    fn urgency(&self, _position: &Self::Position, _mv: Self::Move) -> i32 {
        0
    }

    /// Takes over what the settings ask of the game.
    fn conduct(&mut self, _conduct: Conduct) {}

    /// The position after a legal move.
    fn apply(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// The heuristic with these weights, for a search from `root`.
    fn evaluator(&self, weights: &Weights, root: &Self::Position)
    -> Result<Self::Evaluator, Fault>;

    /// The heuristic value for the side to move.
    fn evaluate(&self, evaluator: &Self::Evaluator, position: &Self::Position) -> Score;

    /// The narrowest window that holds every value of a search with this evaluator: its full window.
    fn full_window(&self, evaluator: &Self::Evaluator) -> Window;

    /// The value of a finished game as it counts at this place of a search.
    fn settle(&self, value: Score, _place: Place) -> Score {
        value
    }

    /// A value as it counts one ply further from the end of the game: nearer to 0 where values tell the distance of a mate.
    /// [`Score::parent`] and [`Window::child`] build on it.
    fn further(&self, value: Score) -> Score {
        value
    }

    /// [`Game::further`] taken back.
    fn nearer(&self, value: Score) -> Score {
        value
    }

    /// Whether a value is a proven win for the side it belongs to. `full` is the search's full window.
    fn is_won(&self, value: Score, full: Window) -> bool {
        value == full.beta
    }

    /// Whether a finished game is over only because of what lies before it.
    fn rests_on_past(&self, _position: &Self::Position, _history: &Self::History) -> bool {
        false
    }

    /// The position's identity under a scheme.
    fn key(&self, position: &Self::Position, scheme: KeyScheme) -> Self::Key;

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
    fn pass(&self, position: &Self::Position) -> Self::Position {
        position.clone()
    }

    // ---- notation and description ----

    /// The position a game starts from.
    fn start(&self) -> Self::Position;

    /// Reads a position in any notation of the game.
    fn parse_position(&self, text: &str) -> Result<Self::Position, Fault>;

    /// What to tell of a position that was read from this text: what was dropped from it, and that no game leads there.
    fn remarks(&self, _text: &str, _position: &Self::Position) -> Vec<String> {
        Vec::new()
    }

    /// Writes a position in the game's main notation; `parse_position` reads it back.
    fn format_position(&self, position: &Self::Position) -> String;

    /// Reads a legal move of the position.
    fn parse_move(
        &self,
        position: &Self::Position,
        history: &Self::History,
        text: &str,
    ) -> Result<Self::Move, Fault>;

    /// Writes a move.
    fn format_move(&self, position: &Self::Position, mv: Self::Move) -> String;

    /// A legal move as books write it, where that differs from `format_move`.
    fn name_move(&self, _position: &Self::Position, _mv: Self::Move) -> Option<String> {
        None
    }

    /// Reads a key as `format_key` writes it.
    fn parse_key(&self, text: &str) -> Result<Self::Key, Fault>;

    /// Writes a key.
    fn format_key(&self, key: Self::Key) -> String;

    /// Bytes of a key in our cache files.
    const KEY_BYTES: usize;

    /// Appends a key's [`Game::KEY_BYTES`] bytes.
    fn write_key(&self, key: Self::Key, bytes: &mut Vec<u8>);

    /// Reads a key from its bytes. Refuses bytes that are no key.
    fn read_key(&self, bytes: &[u8]) -> Result<Self::Key, Fault>;

    /// The key as the seeds' cache files have it, always "as white to move", and whether black was to move in the
    /// position itself. `None` for games without such files.
    fn seed_key(&self, _key: Self::Key) -> Option<([u8; 7], Side)> {
        None
    }

    /// Reads a key of the seeds' cache files.
    fn parse_seed_key(&self, _bytes: [u8; 7]) -> Result<Self::Key, Fault> {
        Err(Fault::new(format!("the seeds' cache files are for morris, not for {}", Self::NAME)))
    }

    /// Numbers that filters over cache entries may ask of a position, by name.
    fn facts() -> &'static [PositionFact<Self::Position>] {
        &[]
    }

    /// The position a key stands for, where keys can be taken back.
    fn decode(&self, key: Self::Key) -> Option<Self::Position>;

    /// The position in a few bytes, as searches under a scheme tell positions apart; see [`Game::PACKS`].
    fn pack(&self, _position: &Self::Position, _scheme: KeyScheme) -> Option<Packed> {
        None
    }

    /// The position that was packed.
    fn unpack(&self, _packed: &Packed) -> Option<Self::Position> {
        None
    }

    /// Whether a key says that something of what lay before its position matters, so that the position alone does not tell
    /// its value.
    fn recalls_past(&self, _key: Self::Key) -> bool {
        false
    }

    /// Phase, end and winner, for reports.
    fn situation(&self, position: &Self::Position, history: &Self::History) -> Situation;

    /// Why a finished game is over, in a word or two, such as `mate`.
    fn verdict(&self, _position: &Self::Position, _history: &Self::History) -> &'static str {
        "the rules"
    }

    /// What a move that led from one position to the next means to a match's count of moves without progress.
    fn stride(
        &self,
        _before: &Self::Position,
        _after: &Self::Position,
        _judging: Judging,
    ) -> Stride {
        Stride::Uncounted
    }

    /// Writes a position as the logs of matches have it.
    fn format_logged(&self, position: &Self::Position) -> String {
        self.format_position(position)
    }

    /// Reads a position of such a log, in which this side is to move.
    fn parse_logged(&self, text: &str, _side: Side) -> Result<Self::Position, Fault> {
        self.parse_position(text)
    }

    /// The heuristic by terms.
    fn terms(&self, weights: &Weights, position: &Self::Position) -> Vec<Term>;

    /// The board as text, for a terminal without a full screen. `ascii` keeps to bytes below 0x80.
    fn draw(&self, position: &Self::Position, ascii: bool) -> String;

    /// The board for front ends that draw it themselves and enter moves on it; `last` is the move that led here.
    fn board(
        &self,
        _position: &Self::Position,
        _history: &Self::History,
        _last: Option<Self::Move>,
    ) -> Option<Board> {
        None
    }

    /// The weights in force where the user chose none.
    fn default_weights(&self) -> Weights;

    /// The rules in force, each with its choices.
    fn rules(&self) -> Vec<Rule> {
        Vec::new()
    }

    /// The game with every rule at its default.
    #[must_use]
    fn original(&self) -> Self {
        self.clone()
    }

    /// Changes one rule.
    fn set_rule(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        Err(Fault::new(format!("{} has no rule `{name}`, so it cannot be {value}", Self::NAME)))
    }

    /// Checks that a position may occur under the rules in force (after `set_rule`).
    fn admits(&self, _position: &Self::Position) -> Result<(), Fault> {
        Ok(())
    }

    /// Positions that the bench searches, in the game's notation.
    fn bench_positions(&self) -> &'static [&'static str] {
        &[]
    }

    /// Positions that heuristics are compared on, one a line with `#` before comments; empty where the game brings none.
    fn suite(&self) -> &'static str {
        ""
    }

    /// A game in the game's own file format, where it has one.
    fn export(&self, _record: &LineOfPlay<'_, Self>) -> Option<String> {
        None
    }

    /// Reads the games of such a file, so many at most.
    fn import(&self, _text: &str, _most: usize) -> Result<Vec<Imported<Self>>, Fault> {
        Err(Fault::new(format!("{} has no file format for games", Self::NAME)))
    }

    /// What such a file holds that another one does not, in words such as "3 comments": what would be lost if that took its
    /// place.
    fn lost(&self, _file: &str, _other: &str) -> Vec<String> {
        Vec::new()
    }

    /// Leaves under a position `depth` plies deep; games override it where leaves can be counted without visiting them.
    fn perft(&self, position: &Self::Position, history: &mut Self::History, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut moves = Vec::new();
        self.expand(position, history, &mut moves);
        history.push(position);
        let nodes =
            moves.iter().map(|&mv| self.perft(&self.apply(position, mv), history, depth - 1)).sum();
        history.pop();
        nodes
    }
}

/// A game as a file has it.
#[derive(Clone, Debug)]
pub struct Imported<G: Game> {
    /// The first position.
    pub start: G::Position,
    /// The moves from there.
    pub moves: Vec<G::Move>,
    /// What else is said of the game, by the names of PGN's tags.
    pub tags: Vec<(String, String)>,
}

/// What was played, from where.
#[derive(Clone, Copy, Debug)]
pub struct LineOfPlay<'a, G: Game> {
    /// The first position.
    pub start: &'a G::Position,
    /// The moves from there.
    pub moves: &'a [G::Move],
    /// What else is known of the game, by the names of PGN's tags, such as `White`.
    pub tags: &'a [(&'a str, String)],
}
