//! Positions packed in forty bytes, for caches that verify their keys.

use cozy_chess::{Board, BoardBuilder, Color, File, Piece, Rank, Square};

use super::{Position, fen::touching_kings};
use crate::engine::game::Packed;

/// The index of the byte with side to move and castling rights; the 32 bytes before it hold two squares each.
const FLAGS: usize = 32;
/// The index of the byte with the file of a legal en-passant capture, counted from 1; 0: none.
const EN_PASSANT: usize = 33;

/// Packs a position: pieces, side to move, castling rights and a legal en-passant capture, beside them clock and move number.
pub(super) fn pack(position: &Position) -> Packed {
    let board = position.board();
    let mut identity = [0; 34];
    for piece in Piece::ALL {
        for square in board.pieces(piece) {
            let black = board.colors(Color::Black).has(square);
            let code = piece as u8 + 1 + if black { 8 } else { 0 };
            identity[square as usize / 2] |= code << (4 * (square as usize % 2));
        }
    }
    identity[FLAGS] = flags(board);
    identity[EN_PASSANT] = position.en_passant().map_or(0, |file| file as u8 + 1);
    let [clock, moves] = [position.clock(), board.fullmove_number()].map(u16::to_le_bytes);
    Packed { identity, rest: [clock[0], clock[1], moves[0], moves[1], 0, 0] }
}

fn flags(board: &Board) -> u8 {
    let [white, black] = Color::ALL.map(|color| board.castle_rights(color));
    let flags = [
        board.side_to_move() == Color::Black,
        white.short.is_some(),
        white.long.is_some(),
        black.short.is_some(),
        black.long.is_some(),
    ];
    let bits = flags.into_iter().zip(0..);
    bits.map(|(flag, bit)| u8::from(flag) << bit).sum()
}

/// The position that [`pack`] packed; `None` for other bytes.
pub(super) fn unpack(packed: &Packed) -> Option<Position> {
    let Packed { identity, rest } = packed;
    let mut builder = BoardBuilder::empty();
    for square in Square::ALL {
        let code = identity[square as usize / 2] >> (4 * (square as usize % 2)) & 15;
        if code == 0 {
            continue;
        }
        let piece = Piece::try_index(usize::from(code & 7).checked_sub(1)?)?;
        let color = if code & 8 == 0 { Color::White } else { Color::Black };
        builder.board[square as usize] = Some((piece, color));
    }
    let flag = |bit: u8| identity[FLAGS] >> bit & 1 == 1;
    if flag(0) {
        builder.side_to_move = Color::Black;
    }
    for (color, bit) in Color::ALL.into_iter().zip([1, 3]) {
        let rights = builder.castle_rights_mut(color);
        rights.short = flag(bit).then_some(File::H);
        rights.long = flag(bit + 1).then_some(File::A);
    }
    if let Some(file) = identity[EN_PASSANT].checked_sub(1) {
        let rank = Rank::Sixth.relative_to(builder.side_to_move);
        builder.en_passant = Some(Square::new(File::try_index(usize::from(file))?, rank));
    }
    builder.fullmove_number = u16::from_le_bytes([rest[2], rest[3]]).max(1);
    let clock = u16::from_le_bytes([rest[0], rest[1]]);
    let board = touching_kings(&builder).is_none().then(|| builder.build().ok())??;
    Some(Position::new(board, clock))
}
