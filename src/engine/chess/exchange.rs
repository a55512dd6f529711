//! Static exchange evaluation (SEE) by the swap algorithm (chessprogramming: SEE - The Swap Algorithm): what the captures on
//! one square win or lose if both sides always take with their least valuable piece and stop when that is better.

use cozy_chess::{
    BitBoard, Board, Color, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};

use super::{Move, Position, evaluation};

/// An upper bound on the number of captures on one square.
const MOST_CAPTURES: usize = 32;

/// The value of a piece in centipawns, as in the default weights.
const fn value(piece: Piece) -> i32 {
    evaluation::DEFAULTS[piece as usize] as i32
}

/// Whether a legal move loses material.
pub(super) fn loses_material(position: &Position, mv: Move) -> bool {
    let moved = position.board().piece_on(mv.from).unwrap_or(Piece::Pawn);
    // A move loses at most the moved piece, or the piece that a pawn promotes to.
    let most = value(mv.promotion.unwrap_or(moved));
    gain_of(position, mv) < most && exchange_value(position, mv) < 0
}

/// The immediate gain of a legal move in centipawns: the captured piece, and what a promotion adds.
pub(super) fn gain_of(position: &Position, mv: Move) -> i32 {
    let moved = position.board().piece_on(mv.from).unwrap_or(Piece::Pawn);
    let promoted = mv.promotion.map_or(0, |piece| value(piece) - value(moved));
    position.victim(mv, moved).map_or(0, |(piece, _)| value(piece)) + promoted
}

/// The material that a legal move gains for the side to move by static exchange, in centipawns; negative if it loses material.
fn exchange_value(position: &Position, mv: Move) -> i32 {
    let board = position.board();
    let moved = board.piece_on(mv.from).unwrap_or(Piece::Pawn);
    let mut occupied = board.occupied() - mv.from.bitboard();
    if let Some((_, square)) = position.victim(mv, moved) {
        occupied -= square.bitboard();
    }
    let promoted = mv.promotion.unwrap_or(moved);
    let mut gains = [0; MOST_CAPTURES];
    gains[0] = gain_of(position, mv);
    let (mut standing, mut side, mut count) = (promoted, !board.side_to_move(), 1);
    while count < MOST_CAPTURES
        && let Some((piece, square)) = least_attacker(board, mv.to, side, occupied)
    {
        gains[count] = value(standing) - gains[count - 1];
        (standing, side, count) = (piece, !side, count + 1);
        occupied -= square.bitboard();
    }
    // From the last capture back to the first: a side may stop where a capture would not pay.
    (1..count).rev().fold(gains[count - 1], |gain, at| (-gain).min(gains[at - 1]))
}

/// The least valuable piece of a side that attacks a square, among the pieces on `occupied` squares.
fn least_attacker(
    board: &Board,
    target: Square,
    side: Color,
    occupied: BitBoard,
) -> Option<(Piece, Square)> {
    let own = board.colors(side) & occupied;
    Piece::ALL.into_iter().find_map(|piece| {
        let own = own & board.pieces(piece);
        if own.is_empty() {
            return None;
        }
        let from = match piece {
            Piece::Pawn => get_pawn_attacks(target, !side),
            Piece::Knight => get_knight_moves(target),
            Piece::Bishop => get_bishop_moves(target, occupied),
            Piece::Rook => get_rook_moves(target, occupied),
            Piece::Queen => get_bishop_moves(target, occupied) | get_rook_moves(target, occupied),
            Piece::King => get_king_moves(target),
        };
        (own & from).next_square().map(|square| (piece, square))
    })
}
