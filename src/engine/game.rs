//! A game as people know it: notation, descriptions, boards and files, on top of the [`Rules`] that a search calls.

mod board;
mod describe;
mod score;
mod text;
mod trace;

pub use super::core::game::{
    Fault, GameOptions, History, HistoryPolicy, Key, KeyScheme, Keyed, MateDistance, NodePlace,
    Packed, RecordedSearch, Remedy, Result, Rules, Score, SearchRules, Side, TraceStep, Weights,
    Window,
};
pub use board::{
    Board, BoardKind, BoardMove, BoardPoint, LastMove, MoveSquares, PieceKind, piece_sign,
};
pub use describe::{Imported, LineOfPlay, PositionFact, Rule, Situation, Stride, Term};
pub use text::{RESULTS, move_in};
pub(in crate::engine) use text::{Word, serde_as_text};
pub use trace::{FieldValue, TraceReader};

use super::core::table::AnyTable;

/// How people read and write the positions and moves of a game, and the squares of its board: with [`Rules`], everything
/// that must be written for a new game.
pub trait Notation: Rules {
    /// Reads a position in any notation of the game.
    fn parse_position(&self, text: &str) -> Result<Self::Position>;

    /// Writes a position in the game's main notation; `parse_position` reads it back.
    fn format_position(&self, position: &Self::Position) -> String;

    /// Writes a move.
    fn format_move(&self, position: &Self::Position, mv: Self::Move) -> String;

    /// What stands on the squares of the board, row by row from the top: whose piece and its letter. With this and
    /// [`Game::move_squares`] a game gets a board that is drawn, with a cursor and clicks; without rows it has none.
    fn squares(&self, _position: &Self::Position) -> Vec<Vec<Option<(Side, char)>>> {
        Vec::new()
    }

    /// The square that a move comes from, if from any, and the one that it goes to: column and row from the top left, from 0.
    /// The position is the one before the move, or the one after it.
    fn move_squares(&self, _position: &Self::Position, _mv: Self::Move) -> Option<MoveSquares> {
        None
    }
}

/// What the program offers to people for a game, called once per command and never by a search. Everything has a default: a
/// new game implements this trait with an empty block.
pub trait Game: SearchRules + Notation {
    /// Whether positions are written in Forsyth-Edwards notation.
    const STATE_IS_FEN: bool = false;

    /// Whether [`Game::stride`] counts moves without a mill.
    const COUNTS_MILLS: bool = false;
    /// Whether this is the search of another program, told by a trace, in place of a game.
    const IS_TRACE: bool = false;

    /// Appends the moves that the rules of movement give, also where the game is over (the seeds' `nextStates`).
    fn list_moves(
        &self,
        position: &Self::Position,
        history: &Self::History,
        moves: &mut Vec<Self::Move>,
    ) {
        self.expand(position, history, moves);
    }

    /// What to tell of a position that was read from this text: what was dropped from it, and that no game leads there.
    fn remarks(&self, _text: &str, _position: &Self::Position) -> Vec<String> {
        Vec::new()
    }

    /// Reads a legal move of the position.
    fn parse_move(
        &self,
        position: &Self::Position,
        history: &Self::History,
        text: &str,
    ) -> Result<Self::Move> {
        let mut moves = Vec::new();
        self.expand(position, history, &mut moves);
        let written = |mv: &Self::Move| self.format_move(position, *mv);
        moves.iter().copied().find(|mv| written(mv) == text).ok_or_else(|| {
            let legal: Vec<_> = moves.iter().map(written).collect();
            Fault::new(format!("`{text}` is no legal move"))
                .about_word(text)
                .hint(format!("the legal moves are {}", legal.join(", ")))
        })
    }

    /// Reads a move that somebody enters: [`Game::parse_move`], but where the game is over the fault says so, and how it ended.
    fn read_move(
        &self,
        position: &Self::Position,
        history: &Self::History,
        text: &str,
    ) -> Result<Self::Move> {
        if self.terminal(position, history).is_some() {
            let over = self.words(position, history);
            return Err(Fault::new(format!("the game is over: {over}")).needs(Remedy::NewGame));
        }
        self.parse_move(position, history, text)
    }

    /// A legal move as books write it, where that differs from `format_move`.
    fn name_move(&self, _position: &Self::Position, _mv: Self::Move) -> Option<String> {
        None
    }

    /// What a move does that [`Rules::capture_score`] puts before quiet ones, such as `takes a queen with a pawn`.
    fn describe_capture(&self, _position: &Self::Position, _mv: Self::Move) -> String {
        "captures".to_owned()
    }

    /// The least value that tells of a mate and of its distance, where values do.
    fn least_mate(&self) -> Option<Score> {
        None
    }

    /// Reads a key as `format_key` writes it.
    fn parse_key(&self, text: &str) -> Result<Self::Key> {
        let digits = |at: usize| text.get(2 * at..2 * at + 2);
        let byte = |at| digits(at).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let bytes: Option<Vec<u8>> = (0..text.len().div_ceil(2)).map(byte).collect();
        let key = bytes.and_then(|bytes| Self::Key::read(&bytes).ok());
        key.ok_or_else(|| {
            Fault::new(format!("`{text}` is not a key"))
                .about_word(text)
                .hint(format!("give the {} hexadecimal digits of one", 2 * Self::Key::BYTES))
        })
    }

    /// Writes a key: its bytes in hexadecimal digits, unless the game has a notation for keys.
    fn format_key(&self, key: Self::Key) -> String {
        let mut bytes = Vec::new();
        key.write(&mut bytes);
        bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
    }

    /// The key as the seeds' cache files have it, always "as white to move", and whether black was to move in the
    /// position itself. `None` for games without such files.
    fn seed_key(&self, _key: Self::Key) -> Option<([u8; 7], Side)> {
        None
    }

    /// Reads a key of the seeds' cache files.
    fn parse_seed_key(&self, _bytes: [u8; 7]) -> Result<Self::Key> {
        Err(Fault::new(format!("the seeds' cache files are for morris, not for {}", Self::NAME)))
    }

    /// Numbers that filters over cache entries may ask of a position, by name.
    fn facts() -> &'static [PositionFact<Self::Position>] {
        &[]
    }

    /// The position a key stands for, where keys can be taken back.
    fn decode(&self, _key: Self::Key) -> Option<Self::Position> {
        None
    }

    /// The position that was packed.
    fn unpack(&self, _packed: &Packed) -> Option<Self::Position> {
        None
    }

    /// Whether a key says that something of what lay before its position matters, so that the position alone does not tell
    /// its value.
    fn key_holds_history(&self, _key: Self::Key) -> bool {
        false
    }

    /// The game's name for the stage of play, such as `placing`.
    fn stage(&self, _position: &Self::Position) -> &'static str {
        "playing"
    }

    /// One line of prose: who is to do what, or who has won and why.
    fn words(&self, position: &Self::Position, history: &Self::History) -> String {
        let side = self.side(position);
        match self.terminal(position, history).map(Score::get) {
            None => format!("{side} to move"),
            Some(value) if value > 0.0 => format!("{side} has won"),
            Some(value) if value < 0.0 => format!("{} has won", side.other()),
            Some(_) => "a draw".into(),
        }
    }

    /// Stage, end and winner, for reports.
    fn situation(&self, position: &Self::Position, history: &Self::History) -> Situation {
        let (side, value) = (self.side(position), self.terminal(position, history));
        let won = value.filter(|value| *value != Score::ZERO);
        Situation {
            phase: self.stage(position),
            finished: value.is_some(),
            winner: won.map(|value| if value > Score::ZERO { side } else { side.other() }),
            words: self.words(position, history),
        }
    }

    /// Why a finished game is over, in a word or two, such as `mate`.
    fn verdict(&self, _position: &Self::Position, _history: &Self::History) -> &'static str {
        "the rules"
    }

    /// What a move that led from one position to the next means to a match's count of moves without progress; `as_seed`:
    /// as the seeds' matches judge it, once the turn has passed to the other side (defect D10).
    fn stride(&self, _before: &Self::Position, _after: &Self::Position, _as_seed: bool) -> Stride {
        Stride::Uncounted
    }

    /// Reads a position of the seeds' logs of matches, in which this side is to move.
    fn parse_logged(&self, text: &str, _side: Side) -> Result<Self::Position> {
        self.parse_position(text)
    }

    /// The heuristic by terms.
    fn terms(&self, _weights: &Weights, _position: &Self::Position) -> Vec<Term> {
        Vec::new()
    }

    /// The board as text, for a terminal without a full screen; the position's notation where the game describes no board.
    fn draw(&self, position: &Self::Position) -> String {
        let board = self.board(position, &Self::History::default(), None);
        board.map_or_else(|| self.format_position(position), |board| board.draw())
    }

    /// The board for front ends that draw it themselves and enter moves on it; `last` is the move that led here. That of the
    /// game's [squares](Game::squares), unless the game describes one of another kind.
    fn board(
        &self,
        position: &Self::Position,
        history: &Self::History,
        last: Option<Self::Move>,
    ) -> Option<Board> {
        Board::of_squares(self, position, history, last)
    }

    /// The rules in force, each with its choices.
    fn rules(&self) -> Vec<Rule> {
        Vec::new()
    }

    /// The game with every rule at its default.
    #[must_use]
    fn original(&self) -> Self {
        self.clone()
    }

    /// Puts one of a rule's choices in force; both are among [`Game::rules`].
    fn choose(&mut self, _rule: &str, _value: &str) {}

    /// Changes one rule.
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

    /// Checks that a position may occur under the rules in force (after `set_rule`).
    fn admits(&self, _position: &Self::Position) -> Result<()> {
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
    fn import(&self, _text: &str, _most: usize) -> Result<Vec<Imported<Self>>> {
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

    /// What can be asked about the search that a trace tells: of a game with [`Game::IS_TRACE`].
    fn trace(&self) -> Option<&dyn TraceReader<Self>> {
        None
    }
}

impl<K: Key> AnyTable<K> {
    /// The position an entry belongs to: what its key stands for, or else what it was written for.
    pub fn position<G: Game<Key = K>>(&self, game: &G, at: Keyed<K>) -> Option<G::Position> {
        let written_for = || game.unpack(&self.entries().state(at)?);
        game.decode(at.key).or_else(written_for)
    }
}
