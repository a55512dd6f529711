//! Chess, with evaluation and searches as in the seeds 003 and 004. The rules come from the crate `cozy-chess`.
//!
//! A game is over by mate, by stalemate, where neither side can ever mate, after a hundred plies without capture or pawn
//! move, and at the fifth (or, as a rule of your choice, the third) occurrence of a position. Mate goes before every draw.
//!
//! `Position`, `Move`, `Key` and `Evaluator` bear the names of the types of the trait [`Game`] that
//! they are, so both games have them.

mod evaluation;
mod fen;
mod history;
mod key;
mod moves;
mod notation;
mod pack;
mod pgn;
mod position;

pub use evaluation::{Balance, Evaluator};
pub use history::PlayedLine;
pub use key::Key;
pub use moves::Move;
pub use position::Position;

use cozy_chess::Square;
use evaluation::{King, LIMIT};
use position::letter_of;
use strum::{EnumString, IntoStaticStr};

use super::game::{
    Board, BoardKind, BoardMove, BoardPoint, Game, GameOptions, HistoryPolicy, Imported, KeyScheme,
    LastMove, LineOfPlay, MateDistance, NodePlace, Notation, Packed, PieceKind, Result, Rule,
    Rules, Score, SearchRules, Side, Term, Weights, Window,
};

/// The value of giving mate, less a centipawn for every ply until then.
const MATE: f64 = 99_999.0;
/// Seed 003's, to which the remaining depth is added.
const MATE_003: f64 = 100_000.0;
/// Plies without capture or pawn move that end a game in a draw.
const FIFTY_MOVES: u16 = 100;

/// The rules in force and how searches are to treat them.
///
/// ```
/// use plyscope::engine::{chess::{Chess, PlayedLine}, game::{Game, Rules}};
/// let chess = Chess::default();
/// let start = chess.start();
/// assert_eq!(chess.perft(&start, &mut PlayedLine::default(), 4), 197_281);
/// let mv = chess.parse_move(&start, &PlayedLine::default(), "Nf3")?;
/// let next = chess.apply(&start, mv);
/// assert_eq!(chess.format_position(&next), "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1");
/// # Ok::<(), plyscope::engine::game::Fault>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Chess {
    /// At which occurrence of a position the game is drawn.
    pub repetition: Repetition,
    /// What the settings of a search ask.
    configure: GameOptions,
}

/// At which occurrence of a position the game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Repetition {
    /// The fifth, which draws without a claim.
    #[default]
    Five = 5,
    /// The third, at which a player may claim a draw.
    Three = 3,
}

impl Repetition {
    const fn occurrences(self) -> u8 {
        self as u8
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Mate,
    Stalemate,
    Material,
    FiftyMoves,
    Repetition,
}

impl Chess {
    /// A mate's value so many plies further away from 0; other values, and mates that count from elsewhere, stay.
    #[inline]
    fn shift_mate(self, value: Score, plies: f64) -> Score {
        let centipawns = value.get();
        if centipawns.abs() < LIMIT || self.configure.ends != MateDistance::FromNode {
            return value;
        }
        Score::from_finite(centipawns + plies * centipawns.signum())
    }

    /// The clock as the search counts it: seed 003's program begins at 0 whatever a FEN says.
    #[inline]
    fn clock(self, position: &Position, line: &PlayedLine) -> u16 {
        match self.configure.ends {
            MateDistance::Remaining => {
                position.clock().min(line.len().try_into().unwrap_or(u16::MAX))
            }
            MateDistance::FromNode | MateDistance::FromRoot => position.clock(),
        }
    }

    /// Whether neither side can ever mate; seed 003's program sees it only where at most three pieces are left.
    #[inline]
    fn lacks_material(self, position: &Position) -> bool {
        let seen = self.configure.ends != MateDistance::Remaining
            || position.board().occupied().len() <= 3;
        position.lacks_material() && seen
    }

    /// The draw that a position with legal moves is, if it is one.
    #[inline]
    fn drawn(self, position: &Position, line: &PlayedLine) -> Option<End> {
        if self.lacks_material(position) {
            return Some(End::Material);
        }
        self.draw_by_past(position, line)
    }

    #[inline]
    fn draw_by_past(self, position: &Position, line: &PlayedLine) -> Option<End> {
        if self.clock(position, line) >= FIFTY_MOVES {
            return Some(End::FiftyMoves);
        }
        let repeated = line.occurrences(position) + 1 >= self.repetition.occurrences();
        repeated.then_some(End::Repetition)
    }

    #[inline]
    fn end(self, position: &Position, line: &PlayedLine) -> Option<End> {
        if moves::any(position) {
            self.drawn(position, line)
        } else if position.in_check() {
            Some(End::Mate)
        } else {
            Some(End::Stalemate)
        }
    }

    #[inline]
    fn worth(end: End) -> Score {
        if end == End::Mate { Score::from_finite(-MATE) } else { Score::ZERO }
    }

    /// The clock as a part of the key, where a draw by it is within reach.
    #[inline]
    fn clock_part(self, position: &Position, reach: u16) -> Option<u16> {
        let within = if self.configure.early_clock { FIFTY_MOVES / 2 } else { FIFTY_MOVES };
        (position.clock().saturating_add(reach) >= within).then_some(position.clock())
    }
}

impl Rules for Chess {
    const NAME: &'static str = "chess";

    type Position = Position;
    type History = PlayedLine;
    type Move = Move;
    type Key = Key;
    type Evaluator = Evaluator;

    #[inline]
    fn side(&self, position: &Position) -> Side {
        position.side()
    }

    #[inline]
    fn expand(
        &self,
        position: &Position,
        line: &PlayedLine,
        moves: &mut Vec<Move>,
    ) -> Option<Score> {
        let first = moves.len();
        moves::list(position, moves);
        let end = if moves.len() == first {
            Some(if position.in_check() { End::Mate } else { End::Stalemate })
        } else {
            self.drawn(position, line)
        };
        end.map(|end| {
            moves.truncate(first);
            Self::worth(end)
        })
    }

    #[inline]
    fn apply(&self, position: &Position, mv: Move) -> Position {
        position.after(mv)
    }

    fn evaluator(&self, weights: &Weights, root: &Position) -> Result<Evaluator> {
        let king = self.configure.king_from_root.then(|| King::of(root.board()));
        Evaluator::new(weights, self.configure.mirrored_queen, king)
    }

    #[inline]
    fn evaluate(&self, evaluator: &Evaluator, position: &Position) -> Score {
        evaluator.value(position)
    }

    /// Seed 003's root window, or the value of a mate on the board.
    fn full_window(&self, _evaluator: &Evaluator) -> Window {
        let most =
            if self.configure.ends == MateDistance::Remaining { 2.0 * MATE_003 } else { MATE };
        Window { alpha: Score::from_finite(-most), beta: Score::from_finite(most) }
    }

    #[inline]
    fn key(&self, position: &Position, _scheme: KeyScheme) -> Key {
        Key::new(position.hash(), 0, None)
    }

    fn start(&self) -> Position {
        Position::new(cozy_chess::Board::startpos(), 0)
    }

    fn default_weights(&self) -> Weights {
        evaluation::default_weights()
    }
}

impl SearchRules for Chess {
    const USES_HISTORY: bool = true;
    const HAS_QUIESCENCE: bool = true;
    const REFERENCE_HAS_SETS: bool = false;
    const SCORES_CAPTURES: bool = true;
    const HAS_CHECKS: bool = true;
    const HAS_NULL_MOVE: bool = true;
    const PACKS_POSITIONS: bool = true;

    #[inline]
    fn terminal(&self, position: &Position, line: &PlayedLine) -> Option<Score> {
        self.end(position, line).map(Self::worth)
    }

    fn quiescence_moves(&self, position: &Position, _line: &PlayedLine, moves: &mut Vec<Move>) {
        moves::list_quiescence_moves(position, moves);
    }

    #[inline]
    fn capture_score(&self, position: &Position, mv: Move) -> u16 {
        moves::capture_score(position, mv)
    }

    #[inline]
    fn orders_by_children(&self, _depth: u8) -> bool {
        false
    }

    #[inline]
    fn history_index(&self, position: &Position, mv: Move) -> usize {
        let piece = position.board().piece_on(mv.from).map_or(0, |piece| piece as usize);
        (position.board().side_to_move() as usize * 6 + piece) * 64 + mv.to as usize
    }

    #[inline]
    fn in_check(&self, position: &Position) -> bool {
        position.in_check()
    }

    /// Not with king and pawns alone, where it is often best not to have to move.
    fn null_move(&self, position: &Position) -> Option<Move> {
        (!position.in_check() && position.has_pieces()).then_some(Move::NULL)
    }

    fn configure(&mut self, configure: GameOptions) {
        self.configure = configure;
    }

    #[inline]
    fn score_terminal(&self, value: Score, place: NodePlace) -> Score {
        let depth = f64::from(place.depth);
        let mate = value != Score::ZERO;
        match (self.configure.ends, mate) {
            (MateDistance::FromNode, _) | (MateDistance::FromRoot, false) => value,
            (MateDistance::FromRoot, true) => Score::from_finite(f64::from(place.ply) - MATE),
            (MateDistance::Remaining, true) => Score::from_finite(-MATE_003 - depth),
            (MateDistance::Remaining, false) => Score::from_finite(-depth),
        }
    }

    #[inline]
    fn delay_mate(&self, value: Score) -> Score {
        self.shift_mate(value, -1.0)
    }

    #[inline]
    fn hasten_mate(&self, value: Score) -> Score {
        self.shift_mate(value, 1.0)
    }

    fn is_won(&self, value: Score, _full: Window) -> bool {
        value.get() >= LIMIT
    }

    #[inline]
    fn depends_on_history(&self, position: &Position, line: &PlayedLine) -> bool {
        moves::any(position)
            && !self.lacks_material(position)
            && self.draw_by_past(position, line).is_some()
    }

    #[inline]
    fn node_key(
        &self,
        position: &Position,
        line: &PlayedLine,
        _scheme: KeyScheme,
        depth: u8,
    ) -> Key {
        let reach = u16::from(depth) + u16::from(self.configure.quiescence_depth);
        let fatal = self.repetition.occurrences();
        let (past, clock) = match self.configure.history_policy {
            HistoryPolicy::Exact => {
                (line.digest(position, reach, fatal), self.clock_part(position, reach))
            }
            HistoryPolicy::Count => {
                (u32::from(line.occurrences(position)), self.clock_part(position, reach))
            }
            HistoryPolicy::Ignore | HistoryPolicy::Skip => (0, None),
        };
        Key::new(position.hash(), past, clock)
    }

    fn pack(&self, position: &Position, _scheme: KeyScheme) -> Option<Packed> {
        Some(pack::pack(position))
    }
}

/// The pieces besides the king, as they are counted on the board.
const PIECES: [PieceKind; 5] = [
    PieceKind { letter: 'Q', full: 1, worth: 9 },
    PieceKind { letter: 'R', full: 2, worth: 5 },
    PieceKind { letter: 'B', full: 2, worth: 3 },
    PieceKind { letter: 'N', full: 2, worth: 3 },
    PieceKind { letter: 'P', full: 8, worth: 1 },
];

impl Notation for Chess {
    fn parse_position(&self, text: &str) -> Result<Position> {
        text.parse()
    }

    fn format_position(&self, position: &Position) -> String {
        position.to_string()
    }

    fn format_move(&self, _position: &Position, mv: Move) -> String {
        mv.to_string()
    }
}

impl Game for Chess {
    const STATE_IS_FEN: bool = true;

    fn list_moves(&self, position: &Position, _line: &PlayedLine, moves: &mut Vec<Move>) {
        moves::list(position, moves);
    }

    fn remarks(&self, text: &str, position: &Position) -> Vec<String> {
        fen::remarks(text, position)
    }

    fn parse_move(&self, position: &Position, _line: &PlayedLine, text: &str) -> Result<Move> {
        notation::parse(position, text)
    }

    fn name_move(&self, position: &Position, mv: Move) -> Option<String> {
        Some(notation::write_san(position, mv))
    }

    fn describe_capture(&self, position: &Position, mv: Move) -> String {
        notation::describe_capture(position, mv)
    }

    fn least_mate(&self) -> Option<Score> {
        (self.configure.ends != MateDistance::Remaining).then(|| Score::from_finite(LIMIT))
    }

    fn parse_key(&self, text: &str) -> Result<Key> {
        Key::parse(text)
    }

    fn format_key(&self, key: Key) -> String {
        key.to_string()
    }

    fn unpack(&self, packed: &Packed) -> Option<Position> {
        pack::unpack(packed)
    }

    fn key_holds_history(&self, key: Key) -> bool {
        key.past > 0
    }

    fn stage(&self, position: &Position) -> &'static str {
        if King::of(position.board()) == King::Endgame { "endgame" } else { "middlegame" }
    }

    fn words(&self, position: &Position, line: &PlayedLine) -> String {
        let side = position.side();
        match self.end(position, line) {
            None if position.in_check() => format!("{side} to move, in check"),
            None => format!("{side} to move"),
            Some(End::Mate) => format!("{side} is mated: {} has won", side.other()),
            Some(End::Stalemate) => format!("stalemate: {side} cannot move"),
            Some(End::Material) => "a draw: neither side can mate with what is left".to_owned(),
            Some(End::FiftyMoves) => {
                format!("a draw: {} plies without a capture or a pawn's move", position.clock())
            }
            Some(End::Repetition) => format!(
                "a draw: the position occurs for the {} time",
                if line.occurrences(position) >= 4 { "fifth" } else { "third" }
            ),
        }
    }

    fn verdict(&self, position: &Position, line: &PlayedLine) -> &'static str {
        match self.end(position, line) {
            Some(End::Mate) => "mate",
            Some(End::Stalemate) => "stalemate",
            Some(End::Material) => "too little material",
            Some(End::FiftyMoves) => "fifty moves",
            Some(End::Repetition) => "repetition",
            None => "the rules",
        }
    }

    fn terms(&self, weights: &Weights, position: &Position) -> Vec<Term> {
        evaluation::terms(weights, position, self.configure.mirrored_queen)
    }

    fn board(&self, position: &Position, line: &PlayedLine, last: Option<Move>) -> Option<Board> {
        let mut legal = Vec::new();
        if self.terminal(position, line).is_none() {
            moves::list(position, &mut legal);
        }
        let mover = position.board().side_to_move();
        Some(Board {
            kind: BoardKind::Squares,
            files: ('a'..='h').map(String::from).collect(),
            ranks: (1..=8).rev().map(|rank| rank.to_string()).collect(),
            points: Square::ALL.map(|square| point(position, square, last)).into(),
            lines: Vec::new(),
            hands: None,
            moves: legal.into_iter().map(plan_move).collect(),
            check: position.in_check().then(|| position.board().king(mover) as usize),
            pieces: &PIECES,
        })
    }

    fn rules(&self) -> Vec<Rule> {
        let help = "at which occurrence of a position the game is drawn, in seed and sound fidelity; also a draw: a hundred plies without capture or pawn move, stalemate, and too little material to mate";
        vec![Rule::new("repetition", self.repetition.into(), ["five", "three"], help)]
    }

    fn original(&self) -> Self {
        Self::default()
    }

    fn choose(&mut self, _rule: &str, value: &str) {
        self.repetition = value.parse().unwrap_or_default();
    }

    fn bench_positions(&self) -> &'static [&'static str] {
        &[
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "5rk1/1b3p2/8/3p4/3p2P1/2Q4B/5P1K/R3R3 b - - 0 36",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 94 60",
        ]
    }

    fn suite(&self) -> &'static str {
        include_str!("chess/suite.txt")
    }

    fn perft(&self, position: &Position, _line: &mut PlayedLine, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => moves::count(position),
            _ => {
                let mut listed = Vec::new();
                moves::list(position, &mut listed);
                let below = |mv: &Move| {
                    self.perft(&position.after(*mv), &mut PlayedLine::default(), depth - 1)
                };
                listed.iter().map(below).sum()
            }
        }
    }

    fn export(&self, record: &LineOfPlay<'_, Self>) -> Option<String> {
        Some(pgn::write(*self, record))
    }

    fn import(&self, text: &str, most: usize) -> Result<Vec<Imported<Self>>> {
        pgn::read(text, most)
    }

    fn lost(&self, file: &str, other: &str) -> Vec<String> {
        pgn::lost(file, other)
    }
}

fn plan_move(mv: Move) -> BoardMove {
    BoardMove {
        mv: mv.to_string(),
        from: Some(mv.from as usize),
        to: mv.to as usize,
        captures: Vec::new(),
        any_order: true,
        promotion: mv.promotion.map(letter_of),
    }
}

fn point(position: &Position, square: Square, last: Option<Move>) -> BoardPoint {
    let found = position.at(square);
    BoardPoint {
        name: square.to_string(),
        x: square.file() as u8,
        y: 7 - square.rank() as u8,
        stone: found.map(|(_, side)| side),
        piece: found.map(|(piece, _)| letter_of(piece)),
        in_mill: false,
        last: last.and_then(|mv| LastMove::part(square, Some(mv.from), mv.to, false)),
    }
}
