//! Evaluation terms for play that depend on how pieces stand to each other, which piece-square tables do not show: mobility,
//! the bishop pair, open files, pawn structure, passed pawns, attacks on the king (chessprogramming wiki, "Evaluation", and
//! "King Safety, Attacking King Zone").

use cozy_chess::{
    BitBoard, Board, Color, File, Piece, Rank, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_rook_moves,
};

use super::pesto::WHOLE_PHASE;

/// The terms: the name, which is also that of the weight, and a bound above the term's value for one side, in centipawns.
pub(super) const TERMS: [(&str, f64); 6] = [
    ("mobility", 1500.0),
    ("pair", 50.0),
    ("files", 250.0),
    ("structure", 300.0),
    ("passed", 750.0),
    ("attack", 6500.0),
];
const MOBILITY: usize = 0;
const PAIR: usize = 1;
const FILES: usize = 2;
const STRUCTURE: usize = 3;
const PASSED: usize = 4;
const ATTACK: usize = 5;

/// A value in the middlegame and in the endgame, in centipawns.
type Tapered = [i32; 2];

/// How the mobility of a kind of piece is counted.
struct Mobility {
    piece: Piece,
    /// The usual number of reachable squares, which is worth 0.
    usual: i32,
    /// The value of each reachable square above the usual number.
    per_square: Tapered,
    /// The value of an attacked square next to the enemy king, if many pieces attack.
    danger: i32,
}

const MOBILE_PIECES: [Mobility; 4] = [
    Mobility { piece: Piece::Knight, usual: 4, per_square: [4, 4], danger: 20 },
    Mobility { piece: Piece::Bishop, usual: 6, per_square: [4, 4], danger: 20 },
    Mobility { piece: Piece::Rook, usual: 7, per_square: [2, 4], danger: 40 },
    Mobility { piece: Piece::Queen, usual: 13, per_square: [1, 2], danger: 80 },
];
/// The percentage of the attack's value that counts, by the number of attacking pieces. One piece alone seldom mates.
const ATTACK_SHARES: [i32; 8] = [0, 0, 50, 75, 88, 94, 97, 99];
const BISHOP_PAIR: Tapered = [25, 40];
const OPEN_FILE: Tapered = [25, 10];
/// Bonus for a rook on a file without pawns of its own side.
const HALF_OPEN_FILE: Tapered = [12, 8];
const ISOLATED: Tapered = [-10, -12];
const DOUBLED: Tapered = [-8, -18];
/// The value of a passed pawn by rank, from its own side. PeSTO's tables contain a part of it already.
const PASSED_BY_RANK: [Tapered; 8] =
    [[0, 0], [0, 5], [0, 10], [5, 20], [15, 35], [30, 60], [50, 90], [0, 0]];

/// The terms of a side, in centipawns. `phase`: 24 in the middlegame, 0 with kings and pawns alone.
pub(super) fn activity(board: &Board, side: Color, phase: i32) -> [i32; TERMS.len()] {
    let mut terms = [[0; 2]; TERMS.len()];
    count_pieces(board, side, &mut terms);
    count_pawns(board, side, &mut terms);
    terms.map(|[middlegame, endgame]| {
        (middlegame * phase + endgame * (WHOLE_PHASE - phase)) / WHOLE_PHASE
    })
}

fn count_pieces(board: &Board, side: Color, terms: &mut [Tapered]) {
    let pawns = board.colored_pieces(side, Piece::Pawn);
    let their_pawns = board.colored_pieces(!side, Piece::Pawn);
    let safe = !board.colors(side) & !attacked_by_pawns(their_pawns, !side);
    let king = board.king(!side);
    let king_zone = get_king_moves(king) | king.bitboard();
    let (mut attackers, mut danger) = (0, 0);
    for mobility in &MOBILE_PIECES {
        for square in board.colored_pieces(side, mobility.piece) {
            let moves = moves_of(board, mobility.piece, square);
            let squares = (moves & safe).len().cast_signed() - mobility.usual;
            add(&mut terms[MOBILITY], mobility.per_square.map(|value| value * squares));
            let attacked = (moves & king_zone).len().cast_signed();
            attackers += usize::from(attacked > 0);
            danger += mobility.danger * attacked;
        }
    }
    terms[ATTACK] = [danger * ATTACK_SHARES[attackers.min(7)] / 100, 0];
    if board.colored_pieces(side, Piece::Bishop).len() > 1 {
        terms[PAIR] = BISHOP_PAIR;
    }
    for square in board.colored_pieces(side, Piece::Rook) {
        let file = square.file().bitboard();
        match ((file & pawns).is_empty(), (file & their_pawns).is_empty()) {
            (true, true) => add(&mut terms[FILES], OPEN_FILE),
            (true, false) => add(&mut terms[FILES], HALF_OPEN_FILE),
            (false, _) => {}
        }
    }
}

fn count_pawns(board: &Board, side: Color, terms: &mut [Tapered]) {
    let pawns = board.colored_pieces(side, Piece::Pawn);
    let their_pawns = board.colored_pieces(!side, Piece::Pawn);
    for square in pawns {
        let (file, beside) = (square.file().bitboard(), square.file().adjacent());
        let ahead = ranks_ahead(square.rank(), side);
        if (beside & pawns).is_empty() {
            add(&mut terms[STRUCTURE], ISOLATED);
        }
        if !(file & ahead & pawns).is_empty() {
            add(&mut terms[STRUCTURE], DOUBLED);
        } else if ((file | beside) & ahead & their_pawns).is_empty() {
            add(&mut terms[PASSED], PASSED_BY_RANK[square.rank().relative_to(side) as usize]);
        }
    }
}

fn add(term: &mut Tapered, value: Tapered) {
    for (sum, value) in term.iter_mut().zip(value) {
        *sum += value;
    }
}

/// The squares that a knight, bishop, rook or queen attacks.
fn moves_of(board: &Board, piece: Piece, square: Square) -> BitBoard {
    let blockers = board.occupied();
    match piece {
        Piece::Knight => get_knight_moves(square),
        Piece::Bishop => get_bishop_moves(square, blockers),
        Piece::Rook => get_rook_moves(square, blockers),
        _ => get_bishop_moves(square, blockers) | get_rook_moves(square, blockers),
    }
}

fn attacked_by_pawns(pawns: BitBoard, side: Color) -> BitBoard {
    let (left, right) = ((pawns & !File::A.bitboard()).0, (pawns & !File::H.bitboard()).0);
    BitBoard(match side {
        Color::White => left << 7 | right << 9,
        Color::Black => left >> 9 | right >> 7,
    })
}

/// The ranks ahead of a pawn on a rank.
fn ranks_ahead(rank: Rank, side: Color) -> BitBoard {
    let below = (1 << (8 * rank as u32)) - 1;
    match side {
        Color::White => !(BitBoard(below) | rank.bitboard()),
        Color::Black => BitBoard(below),
    }
}
