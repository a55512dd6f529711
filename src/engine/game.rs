//! A game as people see it: notation, descriptions, boards and files, on top of the [`Rules`] that a search calls.
//!
//! A new game implements the 14 methods of [`Rules`] and [`Notation`], and has empty blocks for [`SearchRules`] and [`Game`].

mod board;
mod describe;
mod endgames;
pub mod pgn;
pub mod review;
mod score;
mod seed_files;
mod text;
mod trace;

pub use super::core::game::{
    Fault, GameOptions, History, HistoryPolicy, Key, KeyScheme, Keyed, MateDistance, NodePlace,
    Packed, Remedy, Result, Rules, Score, SearchRules, Side, TableUse, TraceStep, TracedSearch,
    Weights, Window,
};
pub use board::{
    Board, BoardKind, BoardMove, BoardPoint, LastMove, MoveSquares, PieceKind, piece_sign,
};
pub use describe::{DrawClock, Feature, GameStatus, Rule, TAG_ROSTER, Term, quotient};
pub use endgames::{Endgames, Outcome, TrueValue, TrueValues, Truth};
pub use pgn::{GameMove, Notes, TaggedGame};
pub use seed_files::SeedFiles;
pub use text::{MoveText, RESULTS, move_in};
pub(in crate::engine) use text::{Word, serde_as_text};
pub use trace::{FieldValue, TraceAccess, TracedTreatment};

use std::path::Path;

use super::core::table::AnyTable;
use crate::text::style::Scale;

/// The notation of positions and moves, and the squares of the board. A new game must implement only this trait and [`Rules`].
pub trait Notation: Rules {
    /// Reads a position in any notation of the game.
    fn parse_position(&self, text: &str) -> Result<Self::Position>;

    /// Writes a position in the game's main notation, which `parse_position` reads back.
    fn format_position(&self, position: &Self::Position) -> String;

    /// Writes a legal move of this position in the game's main notation, which `parse_move` reads back.
    fn format_move(&self, position: &Self::Position, mv: Self::Move) -> String;

    /// The squares of the board, row by row from the top: the owner and the letter of the piece on each, or `None`. With
    /// [`Notation::move_squares`], enough to draw a board and to enter moves by clicks. Default: no board.
    fn squares(&self, _position: &Self::Position) -> Vec<Vec<Option<(Side, char)>>> {
        Vec::new()
    }

    /// The squares that a move leaves (`None` for a drop) and enters. The position may be the one before or after the move.
    fn move_squares(&self, _position: &Self::Position, _mv: Self::Move) -> Option<MoveSquares> {
        None
    }
}

/// The features of a game for people, for commands, not for searches. All have defaults, so a new game has an empty block.
pub trait Game: SearchRules + Notation {
    // The next methods are about moves.

    /// Appends the moves of the pieces, even if the game is already over (the seeds' `nextStates`).
    fn list_moves(
        &self,
        position: &Self::Position,
        history: &Self::History,
        moves: &mut Vec<Self::Move>,
    ) {
        self.expand(position, history, moves);
    }

    /// Reads a legal move of the position.
    fn parse_move(
        &self,
        position: &Self::Position,
        history: &Self::History,
        text: &str,
    ) -> Result<Self::Move> {
        let moves = self.legal_moves(position, history);
        let written = |mv: &Self::Move| self.format_move(position, *mv);
        moves.iter().copied().find(|mv| written(mv) == text).ok_or_else(|| {
            let legal: Vec<_> = moves.iter().map(written).collect();
            Fault::word(text, "is not a legal move")
                .hint(format!("the legal moves are {}", legal.join(", ")))
        })
    }

    /// Reads a move that the user enters: [`Game::parse_move`], with a specific fault if the game is over.
    fn read_move(
        &self,
        position: &Self::Position,
        history: &Self::History,
        text: &str,
    ) -> Result<Self::Move> {
        if self.terminal(position, history).is_some() {
            let over = self.describe_position(position, history);
            return Err(Fault::new(format!("the game is over: {over}")).needs(Remedy::NewGame));
        }
        self.parse_move(position, history, text)
    }

    /// A legal move in standard algebraic notation, in games that have it beside [`Notation::format_move`].
    fn san(&self, _position: &Self::Position, _mv: Self::Move) -> Option<String> {
        None
    }

    /// A move of this position as text, for people and for programs.
    fn move_text(&self, position: &Self::Position, mv: Self::Move) -> MoveText {
        MoveText { plain: self.format_move(position, mv), san: self.san(position, mv) }
    }

    /// Whether a text is a move of this position, in one of the game's notations.
    fn is_move(&self, position: &Self::Position, mv: Self::Move, text: &str) -> bool {
        self.format_move(position, mv) == text
    }

    /// Why [`SearchRules::capture_score`] of this move is above 0, such as `takes a queen with a pawn`.
    fn describe_capture(&self, _position: &Self::Position, _mv: Self::Move) -> String {
        "captures".to_owned()
    }

    /// The number of leaves `depth` plies below a position. A game may override it to count leaves without visiting them.
    fn perft(&self, position: &Self::Position, history: &mut Self::History, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.legal_moves(position, history);
        history.push(position);
        let leaves =
            moves.iter().map(|&mv| self.perft(&self.apply(position, mv), history, depth - 1)).sum();
        history.pop();
        leaves
    }

    // The next items are about positions and their values.

    /// Whether positions are written in Forsyth-Edwards notation.
    const STATE_IS_FEN: bool = false;

    /// Notes for the user on a position read from `text`: parts that were dropped, and why no game can reach it.
    fn remarks(&self, _text: &str, _position: &Self::Position) -> Vec<String> {
        Vec::new()
    }

    /// The phase of the game, such as `placing` or `endgame`. Default: `playing`.
    fn phase(&self, _position: &Self::Position) -> &'static str {
        "playing"
    }

    /// The number of the next move, as on a score sheet; `None` if positions do not contain it.
    fn move_number(&self, _position: &Self::Position) -> Option<usize> {
        None
    }

    /// A sentence for people: whose turn it is, or who has won and why.
    fn describe_position(&self, position: &Self::Position, history: &Self::History) -> String {
        let side = self.side(position);
        match self.terminal(position, history).map(Score::get) {
            None => format!("{side} to move"),
            Some(value) if value > 0.0 => format!("{side} has won"),
            Some(value) if value < 0.0 => format!("{} has won", side.other()),
            Some(_) => "a draw".into(),
        }
    }

    /// Why a finished game is over, in one or two words, such as `mate`.
    fn termination(&self, _position: &Self::Position, _history: &Self::History) -> &'static str {
        "the rules"
    }

    /// Phase, winner and description of a position, for replies.
    fn status(&self, position: &Self::Position, history: &Self::History) -> GameStatus {
        let (side, value) = (self.side(position), self.terminal(position, history));
        let won = value.filter(|value| *value != Score::ZERO);
        GameStatus {
            phase: self.phase(position),
            finished: value.is_some(),
            winner: won.map(|value| if value > Score::ZERO { side } else { side.other() }),
            description: self.describe_position(position, history),
        }
    }

    /// Named numbers of a position, for filters of cache entries and for breakpoint conditions.
    fn features() -> &'static [Feature<Self::Position>] {
        &[]
    }

    /// The weights with which the engine plays unless the user has changed the default weights.
    fn weights_for_play(&self) -> Weights {
        self.default_weights()
    }

    /// The terms of the evaluation, one for each weight.
    fn terms(&self, _weights: &Weights, _position: &Self::Position) -> Vec<Term> {
        Vec::new()
    }

    /// The number by which the evaluation divides the sum of its terms.
    fn divisor(&self, _evaluator: &Self::Evaluator) -> f64 {
        1.0
    }

    /// The scale in which the game's values are shown; `full` is the full window.
    fn scale(&self, _full: Window) -> Scale {
        Scale::Plain
    }

    /// The least value of a mate, in games whose values contain the distance; else `None`.
    fn mate_threshold(&self) -> Option<Score> {
        None
    }

    /// The board for front ends that draw it and let the user enter moves; `last` led here. Default: [`Notation::squares`].
    fn board(
        &self,
        position: &Self::Position,
        history: &Self::History,
        last: Option<Self::Move>,
    ) -> Option<Board> {
        Board::of_squares(self, position, history, last)
    }

    /// The board as text; if the game has no board, the position in the game's notation.
    fn draw(&self, position: &Self::Position) -> String {
        let board = self.board(position, &Self::History::default(), None);
        board.map_or_else(|| self.format_position(position), |board| board.draw())
    }

    // The next methods are about keys in the table.

    /// Reads a key as `format_key` writes it.
    fn parse_key(&self, text: &str) -> Result<Self::Key> {
        let byte = |at: usize| u8::from_str_radix(text.get(at..at + 2)?, 16).ok();
        let bytes: Option<Vec<u8>> = (0..text.len()).step_by(2).map(byte).collect();
        let key = bytes.and_then(|bytes| Self::Key::read(&bytes).ok());
        key.ok_or_else(|| {
            Fault::word(text, "is not a key")
                .hint(format!("give the {} hexadecimal digits of one", 2 * Self::Key::BYTES))
        })
    }

    /// Writes a key. Default: its bytes in hexadecimal.
    fn format_key(&self, key: Self::Key) -> String {
        let mut bytes = Vec::new();
        key.write(&mut bytes);
        bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
    }

    /// The position of a key; `None` if the keys of this game cannot be decoded.
    fn decode(&self, _key: Self::Key) -> Option<Self::Position> {
        None
    }

    /// The position from the bytes that [`SearchRules::pack`] made; `None` if the bytes are invalid.
    fn unpack(&self, _packed: &Packed) -> Option<Self::Position> {
        None
    }

    /// Whether a key contains history, so that the value of its entry may not hold for the bare position.
    fn key_depends_on_history(&self, _key: Self::Key) -> bool {
        false
    }

    // The next methods are about variants of the rules, which the user may choose.

    /// The variants of the rules: each rule with its current choice and all choices.
    fn rules(&self) -> Vec<Rule> {
        Vec::new()
    }

    /// The current rules as text, such as `double_mill=two flying=on`.
    fn rules_text(&self) -> String {
        let rules = self.rules().into_iter().map(|rule| format!("{}={}", rule.name, rule.value));
        rules.collect::<Vec<_>>().join(" ")
    }

    /// The game with every rule at its default.
    #[must_use]
    fn with_default_rules(&self) -> Self {
        self.clone()
    }

    /// Selects a choice of a rule. Only [`Game::set_rule`] calls this, with a rule and a choice that exist.
    fn choose(&mut self, _rule: &str, _choice: &str) {}

    /// Changes one rule. Errors: no such rule or choice.
    fn set_rule(&mut self, name: &str, value: &str) -> Result<()> {
        let rules = self.rules();
        let Some(rule) = rules.iter().find(|rule| rule.name == name) else {
            let names: Vec<_> = rules.iter().map(|rule| rule.name.as_str()).collect();
            let fault = Fault::new(format!("{} has no rule `{name}`", Self::NAME)).about_word(name);
            let all = names.join(" and ");
            return Err(if all.is_empty() { fault } else { fault.hint(format!("it has {all}")) });
        };
        if !rule.choices.iter().any(|choice| choice == value) {
            return Err(Fault::new(format!("{name} cannot be `{value}`"))
                .about_word(value)
                .hint(format!("it is {}", rule.choices.join(" or "))));
        }
        self.choose(name, value);
        Ok(())
    }

    // The next items are about game files and built-in positions.

    /// The value of the PGN tag `Variant` for this game; `None` for chess.
    const PGN_VARIANT: Option<&'static str> = Some(Self::NAME);

    /// Whether moves in files may name points by their numbers.
    const POINTS_HAVE_NUMBERS: bool = false;

    /// The positions that `bench` searches, in the game's notation.
    fn bench_positions(&self) -> &'static [&'static str] {
        &[]
    }

    /// Suites of positions by name, one EPD line for each position. Heuristics are compared on the suite `standard`.
    fn suites(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    // The next items are about morris, endgame tables, and matches as the seed programs play them.

    /// Whether [`Game::draw_clock`] counts moves without a mill.
    const COUNTS_MILLS: bool = false;

    /// The effect of a move on a match's count of moves without progress. `as_seed`: as the seeds' matches count, after the
    /// turn has passed to the other side (defect D10).
    fn draw_clock(
        &self,
        _before: &Self::Position,
        _after: &Self::Position,
        _as_seed: bool,
    ) -> DrawClock {
        DrawClock::Hold
    }

    /// The file formats of the seed programs; `None` for a game that they do not play.
    fn seed_files(&self) -> Option<&dyn SeedFiles<Self>> {
        None
    }

    /// Endgames that retrograde analysis can solve; `None` for a game without such endgames.
    fn endgames(&self) -> Option<&dyn Endgames<Self>> {
        None
    }

    /// The true value of a position, for the side to move; `None` if no available endgame table has it.
    fn truth(&self, _position: &Self::Position) -> Option<TrueValue> {
        None
    }

    /// A checksum of the available endgame tables: equal checksums, equal values. `None` without tables.
    fn tables_digest(&self) -> Option<u32> {
        None
    }

    /// Whether the game reads published endgame tables (Syzygy) instead of solving endgames itself.
    const HAS_PUBLISHED_TABLES: bool = false;

    /// Makes the published endgame tables of a folder available (`None`: no tables). Returns their names.
    /// Errors: a folder that cannot be read, or has no tables.
    fn use_published_tables(&mut self, _folder: Option<&Path>) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    /// DTZ by the published tables: plies to the next capture or pawn move, positive if the side to move wins, negative if it
    /// loses, 0 for a draw. `None`: no table has the position.
    fn table_dtz(&self, _position: &Self::Position) -> Option<i32> {
        None
    }

    /// The fault of a failed probe of a published table since the last call, which means a damaged file.
    fn take_table_fault(&self) -> Option<Fault> {
        None
    }

    /// Sets the endgame tables in use; `None`: no tables.
    fn use_tables(&mut self, _tables: Option<&'static dyn TrueValues>) {}

    // The next method is about traces, the recorded searches of other programs.

    /// The recorded search, if [`SearchRules::IS_TRACE`].
    fn trace(&self) -> Option<&dyn TraceAccess<Self>> {
        None
    }
}

impl<K: Key> AnyTable<K> {
    /// The position of an entry: decoded from the key, or else unpacked from the entry (`verify=on`).
    pub fn position<G: Game<Key = K>>(&self, game: &G, at: Keyed<K>) -> Option<G::Position> {
        let stored = || game.unpack(&self.entries().state(at)?);
        game.decode(at.key).or_else(stored)
    }
}
