//! The simplified evaluation function of T. Michniewski: material and piece-square tables.
//!
//! What it counts is kept up move by move in a [`Balance`]: eight small numbers that one addition updates, white's minus
//! black's. The weights are applied when a value is asked for.

use cozy_chess::{Board, Color, Piece, Square};

use super::Position;
use crate::engine::game::{Fault, Result, Score, Side, Term, Weights};

/// The names of the weights: the values of the pieces in centipawns, by piece, and what the square tables are multiplied by.
pub(super) const NAMES: [&str; 7] = ["pawn", "knight", "bishop", "rook", "queen", "king", "table"];
const DEFAULTS: [f64; 7] = [100.0, 320.0, 330.0, 500.0, 900.0, 20000.0, 1.0];

/// Beyond this no evaluation may go: values from here up tell of mates.
pub(super) const LIMIT: f64 = 90_000.0;

/// Squares for White, rank 8 first; each row is files a to d, mirrored to e to h.
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
/// The queen's table alone is not the same on both wings.
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

/// Places in a [`Balance`] after the five kinds of pieces, whose numbers come first.
const TABLE: usize = 5;
/// What the king's endgame table adds to its middlegame table.
const ENDGAME: usize = 6;
/// What the mirrored queen table adds to the published one: seed 004 reads its table from the wrong end, so that c2 and f2,
/// b3 and g3, a4 and h4 change places.
const MIRRORED: usize = 7;

/// What the evaluation counts, white's minus black's: pawns, knights, bishops, rooks and queens, then the sum of the
/// square tables, and two corrections to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Balance([i16; 8]);

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
    fn tables(&self, king: King, mirrored_queen: bool) -> i32 {
        let [.., table, endgame, mirrored] = self.0.map(i32::from);
        let endgame = if king == King::Endgame { endgame } else { 0 };
        let mirrored = if mirrored_queen { mirrored } else { 0 };
        table + endgame + mirrored
    }
}

/// Every piece's share by colour, kind and square.
static SHARES: [[[Balance; 64]; 6]; 2] = shares();

/// What a piece on a square adds.
#[inline]
pub(super) fn share(color: Color, piece: Piece, square: Square) -> &'static Balance {
    &SHARES[color as usize][piece as usize][square as usize]
}

const fn shares() -> [[[Balance; 64]; 6]; 2] {
    let mut shares = [[[Balance([0; 8]); 64]; 6]; 2];
    let mut place = 0;
    while place < 64 * 6 {
        let (piece, square) = (place / 64, place % 64);
        // White's tables begin on rank 8; black's are the same seen from the other side.
        let (row, file) = (square / 8, square % 8);
        shares[0][piece][square] = Balance(share_of(piece, 7 - row, file));
        let black = share_of(piece, row, file);
        let mut lane = 0;
        while lane < 8 {
            shares[1][piece][square].0[lane] = -black[lane];
            lane += 1;
        }
        place += 1;
    }
    shares
}

const fn share_of(piece: usize, row: usize, file: usize) -> [i16; 8] {
    let mut share = [0; 8];
    let half = if file < 4 { file } else { 7 - file };
    if piece < TABLE {
        share[piece] = 1;
    }
    share[TABLE] = match piece {
        0 => PAWN[row][half],
        1 => KNIGHT[row][half],
        2 => BISHOP[row][half],
        3 => ROOK[row][half],
        4 => QUEEN[row][file],
        _ => KING_MIDDLEGAME[row][half],
    };
    if piece == 4 {
        share[MIRRORED] = QUEEN[row][7 - file] - QUEEN[row][file];
    }
    if piece == 5 {
        share[ENDGAME] = KING_ENDGAME[row][half] - KING_MIDDLEGAME[row][half];
    }
    share
}

/// The balance of a board counted from nothing.
pub(super) fn balance_of(board: &Board) -> Balance {
    let mut balance = side_balance(board, Color::White);
    balance.add(&side_balance(board, Color::Black));
    balance
}

/// What one side adds to it.
fn side_balance(board: &Board, color: Color) -> Balance {
    let mut balance = Balance::default();
    for piece in Piece::ALL {
        for square in board.colored_pieces(color, piece) {
            balance.add(share(color, piece, square));
        }
    }
    balance
}

/// Which table the kings go by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum King {
    Middlegame,
    Endgame,
}

impl King {
    /// Endgame where each side has no queen, or besides pawns and king at most one minor piece with its queens.
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

/// The evaluation with one set of weights.
#[derive(Clone, Debug)]
pub struct Evaluator {
    pieces: [f64; 5],
    table: f64,
    mirrored_queen: bool,
    /// The kings' table for the whole search (seed 004, defect D22); `None` where each position decides.
    king: Option<King>,
}

/// Michniewski's values.
pub(super) fn default_weights() -> Weights {
    Weights::new(NAMES.into_iter().zip(DEFAULTS))
}

impl Evaluator {
    /// Makes the weights ready. Refuses those with which an evaluation could be taken for a mate.
    pub(super) fn new(weights: &Weights, mirrored_queen: bool, king: Option<King>) -> Result<Self> {
        let [pieces @ .., _, table] = NAMES.map(|name| weights.get(name));
        let dearest = pieces.iter().fold(0.0, |dearest: f64, value| dearest.max(value.abs()));
        // Fifteen pieces of one side beside the king, thirty-two on the best of squares.
        let greatest = 15.0 * dearest + 32.0 * 50.0 * table.abs();
        if greatest < LIMIT {
            return Ok(Self { pieces, table, mirrored_queen, king });
        }
        Err(Fault::new(format!(
            "with the weights {weights} an evaluation could reach {greatest}, the range of mate values"
        ))
        .hint(format!("15 times the dearest piece plus 1600 times `table` must stay below {LIMIT}")))
    }

    /// The value of a balance from White's point of view.
    #[inline]
    fn white(&self, balance: &Balance, king: King) -> f64 {
        let mut sum = 0.0;
        for (weight, count) in self.pieces.iter().zip(balance.0) {
            sum += weight * f64::from(count);
        }
        sum + self.table * f64::from(balance.tables(king, self.mirrored_queen))
    }

    #[inline]
    fn king(&self, position: &Position) -> King {
        self.king.unwrap_or_else(|| King::of(position.board()))
    }

    /// The value for the side to move, from what was kept up move by move.
    #[inline]
    pub(super) fn value(&self, position: &Position) -> Score {
        let white = Score::from_finite(self.white(position.balance(), self.king(position)));
        if position.side() == Side::White { white } else { -white }
    }
}

/// The evaluation by terms: pieces of each side, and the sums of the square tables.
pub(super) fn terms(weights: &Weights, position: &Position, mirrored_queen: bool) -> Vec<Term> {
    let board = position.board();
    let king = King::of(board);
    let count = |color, piece: usize| board.colored_pieces(color, Piece::index(piece)).len();
    let table = |color| side_balance(board, color).tables(king, mirrored_queen);
    let term = |(place, name): (usize, &str)| {
        let [white, black] = if place < 6 {
            [Color::White, Color::Black].map(|color| f64::from(count(color, place)))
        } else {
            [f64::from(table(Color::White)), -f64::from(table(Color::Black))]
        };
        Term { name: name.to_owned(), white, black, weight: weights.get(name) }
    };
    NAMES.into_iter().enumerate().map(term).collect()
}
