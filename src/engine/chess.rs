//! Chess, with evaluation and searches as in the seeds 003 and 004. The rules come from the crate `cozy-chess`.
//!
//! A game ends by mate, stalemate, insufficient material, a hundred plies without capture or pawn move, and the fifth (or,
//! if the user chooses, the third) occurrence of a position. Mate takes precedence over draws.

mod activity;
mod evaluation;
mod exchange;
mod fen;
mod history;
mod key;
mod moves;
mod notation;
mod pack;
mod pesto;
mod position;
mod tables;

pub use evaluation::{Balance, Evaluator};
pub use history::PlayedLine;
pub use key::Key;
pub use moves::Move;
pub use position::Position;

use std::path::Path;

use cozy_chess::Square;
use evaluation::{KingTable, MATE_THRESHOLD};
use position::letter_of;
use strum::{EnumString, IntoStaticStr};
use tables::Tables;

use super::game::{
    Board, BoardKind, BoardMove, BoardPoint, Fault, Game, GameOptions, HistoryPolicy, KeyScheme,
    LastMove, MateDistance, NodePlace, Notation, Packed, PieceKind, Result, Rule, Rules, Score,
    SearchRules, Side, Term, TrueValue, Weights, Window,
};
use crate::text::style::Scale;

/// The value of giving mate at once, in centipawns; one less for every ply until the mate.
const MATE: f64 = 99_999.0;
/// Seed 003's value of a mate, to which seed 003 adds the remaining depth.
const SEED_003_MATE: f64 = 100_000.0;
/// The halfmove clock that ends a game in a draw.
const FIFTY_MOVES: u16 = 100;

/// The rules in force and the options of the search.
///
/// ```
/// use plyscope::engine::{chess::{Chess, PlayedLine}, game::{Game, Notation, Rules}};
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
    /// The occurrence of a position at which the game is drawn.
    pub repetition: Repetition,
    options: GameOptions,
    tables: Option<Tables>,
}

/// The occurrence of a position at which the game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Repetition {
    /// The fifth occurrence: a draw without a claim.
    #[default]
    Five = 5,
    /// The third occurrence: a draw that a player may claim.
    Three = 3,
}

impl Repetition {
    const fn occurrences(self) -> u8 {
        self as u8
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
enum Termination {
    Mate,
    Stalemate,
    #[strum(serialize = "too little material")]
    InsufficientMaterial,
    #[strum(serialize = "fifty moves")]
    FiftyMoves,
    Repetition,
}

impl Chess {
    /// The value of a mate, moved `plies` away from 0. Values that are not mates are returned unchanged, and so are all values
    /// if mate distances do not count from the node.
    #[inline]
    fn shift_mate(self, value: Score, plies: f64) -> Score {
        let centipawns = value.get();
        if centipawns.abs() < MATE_THRESHOLD || self.options.ends != MateDistance::FromNode {
            return value;
        }
        Score::from_finite(centipawns + plies * centipawns.signum())
    }

    /// The halfmove clock as the search counts it: seed 003 begins at 0 whatever the FEN says.
    #[inline]
    fn clock(self, position: &Position, line: &PlayedLine) -> u16 {
        match self.options.ends {
            MateDistance::Remaining => {
                position.clock().min(line.len().try_into().unwrap_or(u16::MAX))
            }
            MateDistance::FromNode | MateDistance::FromRoot => position.clock(),
        }
    }

    /// Whether neither side can ever mate. Seed 003 tests it only with three pieces or fewer, kings included.
    #[inline]
    fn insufficient_material(self, position: &Position) -> bool {
        let tested =
            self.options.ends != MateDistance::Remaining || position.board().occupied().len() <= 3;
        position.insufficient_material() && tested
    }

    /// The rule by which a position with legal moves is drawn; `None` if the game goes on.
    #[inline]
    fn draw_with_moves(self, position: &Position, line: &PlayedLine) -> Option<Termination> {
        if self.insufficient_material(position) {
            return Some(Termination::InsufficientMaterial);
        }
        self.draw_by_history(position, line)
    }

    #[inline]
    fn draw_by_history(self, position: &Position, line: &PlayedLine) -> Option<Termination> {
        if self.clock(position, line) >= FIFTY_MOVES {
            return Some(Termination::FiftyMoves);
        }
        let repeated = line.occurrences(position) + 1 >= self.repetition.occurrences();
        repeated.then_some(Termination::Repetition)
    }

    #[inline]
    fn find_termination(self, position: &Position, line: &PlayedLine) -> Option<Termination> {
        if moves::has_legal_move(position) {
            self.draw_with_moves(position, line)
        } else if position.in_check() {
            Some(Termination::Mate)
        } else {
            Some(Termination::Stalemate)
        }
    }

    #[inline]
    fn score(end: Termination) -> Score {
        if end == Termination::Mate { Score::from_finite(-MATE) } else { Score::ZERO }
    }

    /// The halfmove clock for the key, if the clock can end the game within `reach` plies; else `None`.
    #[inline]
    fn clock_in_key(self, position: &Position, reach: u16) -> Option<u16> {
        let limit = if self.options.early_clock { FIFTY_MOVES / 2 } else { FIFTY_MOVES };
        (position.clock().saturating_add(reach) >= limit).then_some(position.clock())
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
            Some(if position.in_check() { Termination::Mate } else { Termination::Stalemate })
        } else {
            self.draw_with_moves(position, line)
        };
        end.map(|end| {
            moves.truncate(first);
            Self::score(end)
        })
    }

    #[inline]
    fn apply(&self, position: &Position, mv: Move) -> Position {
        position.after(mv)
    }

    fn evaluator(&self, weights: &Weights, root: &Position) -> Result<Evaluator> {
        let king = self.options.king_from_root.then(|| KingTable::of(root.board()));
        Evaluator::new(weights, self.options.mirrored_queen, king)
    }

    #[inline]
    fn evaluate(&self, evaluator: &Evaluator, position: &Position) -> Score {
        evaluator.value(position)
    }

    /// From minus to plus the value of a mate on the board; with seed 003's mates, the root window of seed 003.
    fn full_window(&self, _evaluator: &Evaluator) -> Window {
        let most =
            if self.options.ends == MateDistance::Remaining { 2.0 * SEED_003_MATE } else { MATE };
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
    const HAS_TABLES: bool = true;
    const USES_HISTORY: bool = true;
    const HAS_QUIESCENCE: bool = true;
    const REFERENCE_HAS_SETS: bool = false;
    const SCORES_CAPTURES: bool = true;
    const HAS_CHECKS: bool = true;
    const HAS_NULL_MOVE: bool = true;
    const PACKS_POSITIONS: bool = true;

    #[inline]
    fn terminal(&self, position: &Position, line: &PlayedLine) -> Option<Score> {
        self.find_termination(position, line).map(Self::score)
    }

    fn quiescence_moves(&self, position: &Position, see: bool, gain: Score, moves: &mut Vec<Move>) {
        moves::list_quiescence_moves(position, see, gain, moves);
    }

    #[inline]
    fn loses_material(&self, position: &Position, mv: Move) -> bool {
        exchange::loses_material(position, mv)
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

    #[inline]
    fn gives_check(&self, position: &Position, mv: Move) -> bool {
        moves::gives_check(position, mv)
    }

    /// No null move in check, nor with king and pawns alone, where zugzwang is frequent.
    fn null_move(&self, position: &Position) -> Option<Move> {
        (!position.in_check() && position.has_pieces()).then_some(Move::NULL)
    }

    fn configure(&mut self, options: GameOptions) {
        self.options = options;
    }

    fn known_value(&self, position: &Position) -> Option<Score> {
        let tables = self.tables?;
        moves::has_legal_move(position).then(|| tables.value(position))?
    }

    fn table_value_of_move(&self, after: &Position) -> Option<Score> {
        self.tables?.progress(after)
    }

    #[inline]
    fn score_terminal(&self, value: Score, place: NodePlace) -> Score {
        let depth = f64::from(place.depth);
        let mate = value != Score::ZERO;
        match (self.options.ends, mate) {
            (MateDistance::FromNode, _) | (MateDistance::FromRoot, false) => value,
            (MateDistance::FromRoot, true) => Score::from_finite(f64::from(place.ply) - MATE),
            (MateDistance::Remaining, true) => Score::from_finite(-SEED_003_MATE - depth),
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
        value.get() >= MATE_THRESHOLD
    }

    #[inline]
    fn depends_on_history(&self, position: &Position, line: &PlayedLine) -> bool {
        moves::has_legal_move(position)
            && !self.insufficient_material(position)
            && self.draw_by_history(position, line).is_some()
    }

    #[inline]
    fn node_key(
        &self,
        position: &Position,
        line: &PlayedLine,
        _scheme: KeyScheme,
        depth: u8,
    ) -> Key {
        // The quiescence search, too, can reach a repetition or the end of the clock.
        let reach = u16::from(depth) + u16::from(self.options.quiescence_depth);
        let fatal = self.repetition.occurrences();
        let past = match self.options.history_policy {
            HistoryPolicy::Exact => line.digest(position, reach, fatal),
            HistoryPolicy::Count => u32::from(line.occurrences(position)),
            HistoryPolicy::Ignore | HistoryPolicy::Skip => {
                return Key::new(position.hash(), 0, None);
            }
        };
        Key::new(position.hash(), past, self.clock_in_key(position, reach))
    }

    fn pack(&self, position: &Position, _scheme: KeyScheme) -> Option<Packed> {
        Some(pack::pack(position))
    }
}

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
    const PGN_VARIANT: Option<&'static str> = None;

    fn list_moves(&self, position: &Position, _line: &PlayedLine, moves: &mut Vec<Move>) {
        moves::list(position, moves);
    }

    fn remarks(&self, text: &str, position: &Position) -> Vec<String> {
        fen::remarks(text, position)
    }

    fn parse_move(&self, position: &Position, _line: &PlayedLine, text: &str) -> Result<Move> {
        notation::parse(position, text)
    }

    fn san(&self, position: &Position, mv: Move) -> Option<String> {
        Some(notation::write_san(position, mv))
    }

    /// Compares the destination first, because conditions call this at every event.
    fn is_move(&self, position: &Position, mv: Move, text: &str) -> bool {
        let san = || notation::write_san(position, mv);
        let bare = |san: &str| san.trim_end_matches(['+', '#']).to_owned();
        let is_destination = || text.contains(&mv.to.to_string()) || text.starts_with(['O', '-']);
        mv.to_string() == text || is_destination() && bare(&san()) == bare(text)
    }

    fn describe_capture(&self, position: &Position, mv: Move) -> String {
        notation::describe_capture(position, mv)
    }

    fn weights_for_play(&self) -> Weights {
        evaluation::weights_for_play()
    }

    /// Seed 003's mates are worth more the more depth remains: their distance is unknown.
    fn scale(&self, full: Window) -> Scale {
        let has_distance = self.options.ends != MateDistance::Remaining;
        Scale::Centipawns {
            mate: has_distance.then_some(MATE),
            threshold: MATE_THRESHOLD,
            greatest: full.beta.get(),
        }
    }

    fn mate_threshold(&self) -> Option<Score> {
        (self.options.ends != MateDistance::Remaining).then(|| Score::from_finite(MATE_THRESHOLD))
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

    fn key_depends_on_history(&self, key: Key) -> bool {
        key.past > 0
    }

    fn move_number(&self, position: &Position) -> Option<usize> {
        Some(position.board().fullmove_number().into())
    }

    fn phase(&self, position: &Position) -> &'static str {
        if KingTable::of(position.board()) == KingTable::Endgame { "endgame" } else { "middlegame" }
    }

    fn describe_position(&self, position: &Position, line: &PlayedLine) -> String {
        let side = position.side();
        match self.find_termination(position, line) {
            None if position.in_check() => format!("{side} to move, in check"),
            None => format!("{side} to move"),
            Some(Termination::Mate) => format!("{side} is mated, so {} has won", side.other()),
            Some(Termination::Stalemate) => format!("a draw, as {side} is stalemated"),
            Some(Termination::InsufficientMaterial) => {
                "a draw, as neither side can mate with what is left".to_owned()
            }
            Some(Termination::FiftyMoves) => {
                format!("a draw after {} plies without a capture or a pawn move", position.clock())
            }
            Some(Termination::Repetition) => format!(
                "a draw, as the position occurs for the {} time",
                if line.occurrences(position) >= 4 { "fifth" } else { "third" }
            ),
        }
    }

    fn termination(&self, position: &Position, line: &PlayedLine) -> &'static str {
        self.find_termination(position, line).map_or("the rules", Into::into)
    }

    const HAS_PUBLISHED_TABLES: bool = true;

    fn truth(&self, position: &Position) -> Option<TrueValue> {
        let tables = self.tables?;
        let over = self.terminal(position, &PlayedLine::default()).map(TrueValue::finished);
        over.or_else(|| tables.truth(position))
    }

    fn table_dtz(&self, position: &Position) -> Option<i32> {
        self.tables?.dtz(position)
    }

    fn tables_digest(&self) -> Option<u32> {
        self.tables.map(Tables::digest)
    }

    fn use_published_tables(&mut self, folder: Option<&Path>) -> Result<Vec<String>> {
        self.tables = folder.map(Tables::open).transpose()?;
        Ok(self.tables.map_or_else(Vec::new, Tables::names))
    }

    fn take_table_fault(&self) -> Option<Fault> {
        self.tables?.take_fault()
    }

    fn terms(&self, weights: &Weights, position: &Position) -> Vec<Term> {
        evaluation::terms(weights, position, self.options.mirrored_queen)
    }

    fn board(&self, position: &Position, line: &PlayedLine, last: Option<Move>) -> Option<Board> {
        let legal = self.legal_moves(position, line);
        let points = Square::ALL.map(|square| board_point(position, square, last)).into();
        let moves = legal.into_iter().map(board_move).collect();
        let king = || position.board().king(position.board().side_to_move()) as usize;
        Some(Board {
            check: position.in_check().then(king),
            pieces: &PIECES,
            ..Board::new(BoardKind::Squares, [8, 8], points, moves)
        })
    }

    fn rules(&self) -> Vec<Rule> {
        let help = "at which occurrence of a position the game is drawn, in seed and sound fidelity; also a draw: a hundred plies without capture or pawn move, stalemate, and too little material to mate";
        vec![Rule::new("repetition", self.repetition.into(), ["five", "three"], help)]
    }

    fn with_default_rules(&self) -> Self {
        Self::default()
    }

    fn choose(&mut self, _rule: &str, choice: &str) {
        self.repetition = choice.parse().unwrap_or_default();
    }

    fn bench_positions(&self) -> &'static [&'static str] {
        &[
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "5rk1/1b3p2/8/3p4/3p2P1/2Q4B/5P1K/R3R3 b - - 0 36",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 94 60",
        ]
    }

    fn suites(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("standard", include_str!("chess/suite.txt")),
            ("tactics", include_str!("chess/tactics.epd")),
        ]
    }

    fn perft(&self, position: &Position, _line: &mut PlayedLine, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => moves::count_legal_moves(position),
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
}

fn board_move(mv: Move) -> BoardMove {
    BoardMove {
        mv: mv.to_string(),
        from: Some(mv.from as usize),
        to: mv.to as usize,
        captures: Vec::new(),
        any_order: true,
        promotion: mv.promotion.map(letter_of),
        truth: None,
    }
}

fn board_point(position: &Position, square: Square, last: Option<Move>) -> BoardPoint {
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
