//! The simplified evaluation function of T. Michniewski: material and piece-square tables. The weight `tapered` adds PeSTO's
//! evaluation; further weights add the terms of [`activity`](super::activity).
//!
//! The unweighted terms are updated move by move in a [`Balance`], an array of 16-bit integers that the compiler adds with SIMD
//! instructions. The weights are applied in [`Evaluator::value`].

use cozy_chess::{Board, Color, Piece, Square};

use super::{
    Position,
    activity::{self, activity},
    pesto,
};
use crate::engine::game::{Fault, Result, Score, Side, Term, Weights};

/// The names of the weights: the values of the five pieces in centipawns, then the factors of the piece-square tables, of
/// PeSTO's evaluation and of the activity terms.
pub(super) const NAMES: [&str; 14] = {
    let [(a, _), (b, _), (c, _), (d, _), (e, _), (f, _)] = activity::TERMS;
    ["pawn", "knight", "bishop", "rook", "queen", "king", "table", "tapered", a, b, c, d, e, f]
};
pub(super) const DEFAULTS: [f64; NAMES.len()] =
    [100.0, 320.0, 330.0, 500.0, 900.0, 20000.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
/// The weights for play: PeSTO's evaluation and activity.
const FOR_PLAY: [f64; NAMES.len()] =
    [0.0, 0.0, 0.0, 0.0, 0.0, 20000.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0];

/// The least value of a mate, in centipawns. [`Evaluator::new`] ensures that evaluations stay below this value.
pub(super) const MATE_THRESHOLD: f64 = 90_000.0;

/// A piece-square table for White, rank 8 first; files e to h mirror a to d.
type Half = [[i16; 4]; 8];

const PAWN: Half = [
    [0, 0, 0, 0],
    [50, 50, 50, 50],
    [10, 10, 20, 30],
    [5, 5, 10, 25],
    [0, 0, 0, 20],
    [5, -5, -10, 0],
    [5, 10, 10, -20],
    [0, 0, 0, 0],
];
const KNIGHT: Half = [
    [-50, -40, -30, -30],
    [-40, -20, 0, 0],
    [-30, 0, 10, 15],
    [-30, 5, 15, 20],
    [-30, 0, 15, 20],
    [-30, 5, 10, 15],
    [-40, -20, 0, 5],
    [-50, -40, -30, -30],
];
const BISHOP: Half = [
    [-20, -10, -10, -10],
    [-10, 0, 0, 0],
    [-10, 0, 5, 10],
    [-10, 5, 5, 10],
    [-10, 0, 10, 10],
    [-10, 10, 10, 10],
    [-10, 5, 0, 0],
    [-20, -10, -10, -10],
];
const ROOK: Half = [
    [0, 0, 0, 0],
    [5, 10, 10, 10],
    [-5, 0, 0, 0],
    [-5, 0, 0, 0],
    [-5, 0, 0, 0],
    [-5, 0, 0, 0],
    [-5, 0, 0, 0],
    [0, 0, 0, 5],
];
/// The queen's table, the only one that is not symmetric.
const QUEEN: [[i16; 8]; 8] = [
    [-20, -10, -10, -5, -5, -10, -10, -20],
    [-10, 0, 0, 0, 0, 0, 0, -10],
    [-10, 0, 5, 5, 5, 5, 0, -10],
    [-5, 0, 5, 5, 5, 5, 0, -5],
    [0, 0, 5, 5, 5, 5, 0, -5],
    [-10, 5, 5, 5, 5, 5, 0, -10],
    [-10, 0, 5, 0, 0, 0, 0, -10],
    [-20, -10, -10, -5, -5, -10, -10, -20],
];
const KING_MIDDLEGAME: Half = [
    [-30, -40, -40, -50],
    [-30, -40, -40, -50],
    [-30, -40, -40, -50],
    [-30, -40, -40, -50],
    [-20, -30, -30, -40],
    [-10, -20, -20, -20],
    [20, 20, 0, 0],
    [20, 30, 10, 0],
];
const KING_ENDGAME: Half = [
    [-50, -40, -30, -20],
    [-30, -20, -10, 0],
    [-30, -10, 20, 30],
    [-30, -10, 30, 40],
    [-30, -10, 30, 40],
    [-30, -10, 20, 30],
    [-30, -30, 0, 0],
    [-50, -30, -30, -30],
];

/// The index in a [`Balance`] of the sum of the piece-square tables, after the numbers of the five kinds of pieces.
const TABLE: usize = 5;
/// The index in a [`Balance`] of the difference of the king's endgame table to its middlegame table.
const ENDGAME: usize = 6;
/// The index in a [`Balance`] of the difference of the mirrored queen table to the published one. Seed 004 reads the table from
/// the wrong end, which exchanges c2 and f2, b3 and g3, a4 and h4.
const MIRRORED: usize = 7;
/// The index in a [`Balance`] of the sum of PeSTO's tables for the middlegame; the sum for the endgame follows.
const TAPERED: usize = 8;
/// The index in a [`Balance`] of the phase: a sum over the pieces of both sides, while other terms are White's minus Black's.
const PHASE: usize = 10;
/// The length of a [`Balance`]: eleven terms and one integer of padding, for three SIMD groups of four.
const LANES: usize = 12;

/// The terms of the evaluation, White's minus Black's: the numbers of pawns, knights, bishops, rooks and queens, the sum of the
/// piece-square tables, two corrections to that sum, the sums of PeSTO's tables; and the phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Balance([i16; LANES]);

impl Balance {
    #[inline]
    pub(super) fn add(&mut self, other: &Self) {
        for (mine, more) in self.0.iter_mut().zip(other.0) {
            *mine = mine.wrapping_add(more);
        }
    }

    #[inline]
    pub(super) fn sub(&mut self, other: &Self) {
        for (mine, less) in self.0.iter_mut().zip(other.0) {
            *mine = mine.wrapping_sub(less);
        }
    }

    #[inline]
    fn tables(&self, king: KingTable, mirrored_queen: bool) -> i32 {
        let [table, endgame, mirrored] =
            [TABLE, ENDGAME, MIRRORED].map(|index| i32::from(self.0[index]));
        let endgame = if king == KingTable::Endgame { endgame } else { 0 };
        let mirrored = if mirrored_queen { mirrored } else { 0 };
        table + endgame + mirrored
    }

    /// The phase: 24 in the middlegame, 0 with kings and pawns alone.
    #[inline]
    fn phase(&self) -> i32 {
        i32::from(self.0[PHASE]).min(pesto::WHOLE_PHASE)
    }

    /// PeSTO's value at this phase, in centipawns, for White.
    #[inline]
    fn tapered(&self, phase: i32) -> i32 {
        let [middlegame, endgame] = [TAPERED, TAPERED + 1].map(|index| i32::from(self.0[index]));
        (middlegame * phase + endgame * (pesto::WHOLE_PHASE - phase)) / pesto::WHOLE_PHASE
    }
}

/// The evaluation terms of every piece, by colour, kind and square.
static PIECE_TERMS: [[[Balance; 64]; 6]; 2] = all_piece_terms();

/// The evaluation terms of a piece on a square.
#[inline]
pub(super) fn piece_terms(color: Color, piece: Piece, square: Square) -> &'static Balance {
    &PIECE_TERMS[color as usize][piece as usize][square as usize]
}

#[expect(clippy::large_stack_arrays, reason = "computed when the program is compiled")]
const fn all_piece_terms() -> [[[Balance; 64]; 6]; 2] {
    let mut terms = [[[Balance([0; LANES]); 64]; 6]; 2];
    let mut index = 0;
    while index < 64 * 6 {
        let (piece, square) = (index / 64, index % 64);
        // White's tables begin on rank 8; black's are flipped vertically.
        let (row, file) = (square / 8, square % 8);
        terms[0][piece][square] = Balance(white_piece_terms(piece, 7 - row, file));
        let black = white_piece_terms(piece, row, file);
        let mut lane = 0;
        while lane < LANES {
            terms[1][piece][square].0[lane] =
                if lane == PHASE { black[lane] } else { -black[lane] };
            lane += 1;
        }
        index += 1;
    }
    terms
}

const fn white_piece_terms(piece: usize, row: usize, file: usize) -> [i16; LANES] {
    let mut terms = [0; LANES];
    let half = if file < 4 { file } else { 7 - file };
    if piece < TABLE {
        terms[piece] = 1;
    }
    terms[TABLE] = match piece {
        0 => PAWN[row][half],
        1 => KNIGHT[row][half],
        2 => BISHOP[row][half],
        3 => ROOK[row][half],
        4 => QUEEN[row][file],
        _ => KING_MIDDLEGAME[row][half],
    };
    if piece == 4 {
        terms[MIRRORED] = QUEEN[row][7 - file] - QUEEN[row][file];
    }
    if piece == 5 {
        terms[ENDGAME] = KING_ENDGAME[row][half] - KING_MIDDLEGAME[row][half];
    }
    [terms[TAPERED], terms[TAPERED + 1]] = pesto::values(piece, 8 * row + file);
    terms[PHASE] = pesto::PHASES[piece];
    terms
}

/// The balance of a board, computed from scratch.
pub(super) fn balance_of(board: &Board) -> Balance {
    let mut balance = side_balance(board, Color::White);
    balance.add(&side_balance(board, Color::Black));
    balance
}

fn side_balance(board: &Board, color: Color) -> Balance {
    let mut balance = Balance::default();
    for piece in Piece::ALL {
        for square in board.colored_pieces(color, piece) {
            balance.add(piece_terms(color, piece, square));
        }
    }
    balance
}

/// The piece-square table of the kings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KingTable {
    Middlegame,
    Endgame,
}

impl KingTable {
    /// The endgame table, if each side has no queen, or no rook and at most one minor piece beside its queens.
    #[inline]
    pub(super) fn of(board: &Board) -> Self {
        let few = |color| {
            let own = board.colors(color);
            let minors = own & (board.pieces(Piece::Knight) | board.pieces(Piece::Bishop));
            (own & board.pieces(Piece::Queen)).is_empty()
                || ((own & board.pieces(Piece::Rook)).is_empty()
                    && minors.0 & minors.0.wrapping_sub(1) == 0)
        };
        if few(Color::White) && few(Color::Black) { Self::Endgame } else { Self::Middlegame }
    }
}

/// The weights that are factors, each with a bound on its terms: 32 pieces on squares worth 50, 15 of PeSTO's queens worth at
/// most 1100, and the bounds of the activity terms.
fn factors() -> impl Iterator<Item = (&'static str, f64)> {
    [("table", 1600.0), ("tapered", 16500.0)].into_iter().chain(activity::TERMS)
}

/// The evaluation with one set of weights.
#[derive(Clone, Debug)]
pub struct Evaluator {
    pieces: [f64; 5],
    table: f64,
    tapered: f64,
    /// The factors of the activity terms; `None` if all are 0, because counting the terms takes time.
    activity: Option<[f64; activity::TERMS.len()]>,
    mirrored_queen: bool,
    /// The king's table for the whole search (seed 004, defect D22); `None`: chosen anew for each position.
    king: Option<KingTable>,
}

pub(super) fn default_weights() -> Weights {
    Weights::new(NAMES.into_iter().zip(DEFAULTS))
}

pub(super) fn weights_for_play() -> Weights {
    Weights::new(NAMES.into_iter().zip(FOR_PLAY))
}

impl Evaluator {
    /// The evaluation with these weights. Errors: weights with which an evaluation could reach the value of a mate.
    pub(super) fn new(
        weights: &Weights,
        mirrored_queen: bool,
        king: Option<KingTable>,
    ) -> Result<Self> {
        let values = NAMES.map(|name| weights.get(name));
        let [_, _, _, _, _, _, table, tapered, activity @ ..] = values;
        let pieces = std::array::from_fn(|piece| values[piece]);
        let dearest = pieces.iter().fold(0.0, |dearest: f64, value: &f64| dearest.max(value.abs()));
        let others: f64 = factors().map(|(name, most)| most * weights.get(name).abs()).sum();
        let greatest = 15.0 * dearest + others;
        if greatest < MATE_THRESHOLD {
            let activity = Some(activity).filter(|weights| weights.iter().any(|it| *it != 0.0));
            return Ok(Self { pieces, table, tapered, activity, mirrored_queen, king });
        }
        let factors: Vec<_> =
            factors().map(|(name, most)| format!("{most} times `{name}`")).collect();
        Err(Fault::new(format!(
            "with the weights {weights} an evaluation could reach {greatest}, the range of mate values"
        ))
        .hint(format!(
            "15 times the most valuable piece plus {} must stay below {MATE_THRESHOLD}",
            factors.join(" plus ")
        )))
    }

    /// The value in centipawns, from White's view.
    #[inline]
    fn white(&self, balance: &Balance, king: KingTable) -> f64 {
        let mut sum = 0.0;
        for (weight, count) in self.pieces.iter().zip(balance.0) {
            sum += weight * f64::from(count);
        }
        sum += self.table * f64::from(balance.tables(king, self.mirrored_queen));
        sum + self.tapered * f64::from(balance.tapered(balance.phase()))
    }

    /// The sum of the weighted activity terms, White's minus Black's.
    #[inline(never)]
    fn activity(weights: &[f64], position: &Position) -> f64 {
        let phase = position.balance().phase();
        let [white, black] =
            [Color::White, Color::Black].map(|side| activity(position.board(), side, phase));
        let terms = weights.iter().zip(white).zip(black);
        terms.map(|((weight, white), black)| weight * f64::from(white - black)).sum()
    }

    #[inline]
    fn king(&self, position: &Position) -> KingTable {
        self.king.unwrap_or_else(|| KingTable::of(position.board()))
    }

    /// The value in centipawns, from the view of the side to move.
    #[inline]
    pub(super) fn value(&self, position: &Position) -> Score {
        let mut white = self.white(position.balance(), self.king(position));
        if let Some(weights) = &self.activity {
            white += Self::activity(weights, position);
        }
        let white = Score::from_finite(white);
        if position.side() == Side::White { white } else { -white }
    }
}

/// The terms by weight: pieces of each side, sums of the piece-square tables, PeSTO's value for the better side, activity.
pub(super) fn terms(weights: &Weights, position: &Position, mirrored_queen: bool) -> Vec<Term> {
    let board = position.board();
    let king = KingTable::of(board);
    let (both, phase) = (position.balance(), position.balance().phase());
    let activity = [Color::White, Color::Black].map(|side| activity(board, side, phase));
    let count = |color, piece: usize| board.colored_pieces(color, Piece::index(piece)).len();
    let [white, black] = [Color::White, Color::Black].map(|color| side_balance(board, color));
    let term = |(place, name): (usize, &str)| {
        let [white, black] = match place {
            0..6 => [Color::White, Color::Black].map(|color| f64::from(count(color, place))),
            6 => [white.tables(king, mirrored_queen), -black.tables(king, mirrored_queen)]
                .map(f64::from),
            // PeSTO's value is rounded as a difference and cannot be split: the side that is better gets all of it.
            7 => [both.tapered(phase).max(0), -both.tapered(phase).min(0)].map(f64::from),
            _ => activity.map(|terms| f64::from(terms[place - 8])),
        };
        Term { name: name.to_owned(), white, black, weight: weights.get(name) }
    };
    NAMES.into_iter().enumerate().map(term).collect()
}
