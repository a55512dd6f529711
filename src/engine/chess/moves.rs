//! Moves, and the move generator in its documented order.

use std::{fmt, str::FromStr};

use super::{
    Position,
    exchange::{gain_of, loses_material},
};
use crate::engine::game::{Fault, Result, Score, serde_as_text};
use cozy_chess::{BitBoard, Board, File, Piece, PieceMoves, Rank, Square};

/// A move as UCI writes it: castling is the king's move of two squares. Serde writes it as that text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The square that the piece leaves; in castling, the king's.
    pub from: Square,
    /// The square that the piece goes to; in castling, the king's.
    pub to: Square,
    /// The piece that a pawn promotes to; `None` for any other move.
    pub promotion: Option<Piece>,
}

impl Move {
    /// The null move, `0000` in UCI.
    pub const NULL: Self = Self { from: Square::A1, to: Square::A1, promotion: None };
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::NULL {
            return f.write_str("0000");
        }
        write!(f, "{}{}", self.from, self.to)?;
        self.promotion.map_or(Ok(()), |piece| write!(f, "{piece}"))
    }
}

impl FromStr for Move {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self> {
        if text == "0000" {
            return Ok(Self::NULL);
        }
        let internal: cozy_chess::Move = text.parse().map_err(|_| {
            Fault::word(text, "is not a move in UCI notation")
                .hint("write the two squares, such as e2e4, and the piece of a promotion after them, such as e7e8q")
        })?;
        Ok(Self { from: internal.from, to: internal.to, promotion: internal.promotion })
    }
}

serde_as_text!(Move);

/// The pieces of promotions, in the order of their UCI letters b, n, q, r.
const PROMOTIONS: [Piece; 4] = [Piece::Bishop, Piece::Knight, Piece::Queen, Piece::Rook];

/// The legal destinations of every piece of the side to move.
struct TargetTable {
    /// The squares of the pieces that can move, as a bitboard with files and ranks exchanged.
    from: u64,
    to: [BitBoard; 64],
}

impl TargetTable {
    #[inline]
    fn of(board: &Board) -> Self {
        let mut targets = Self { from: 0, to: [BitBoard::EMPTY; 64] };
        let own = board.colors(board.side_to_move());
        board.generate_moves(|moves: PieceMoves| {
            let to =
                if moves.piece == Piece::King { king_targets(moves.to, own) } else { moves.to };
            targets.from |= 1 << exchanged(moves.from as usize);
            targets.to[moves.from as usize] |= to;
            false
        });
        targets
    }
}

/// The king's destinations as in UCI, where castling is a move of two squares; in the rules crate the king takes its own rook.
#[inline]
fn king_targets(to: BitBoard, own: BitBoard) -> BitBoard {
    (to & own).iter().fold(to & !own, |to, rook| {
        let landing = if rook.file() > File::E { File::G } else { File::C };
        to | Square::new(landing, rook.rank()).bitboard()
    })
}

/// The index of a square with file and rank exchanged. The function is its own inverse.
#[inline]
const fn exchanged(square: usize) -> usize {
    square >> 3 | (square & 7) << 3
}

/// A bitboard with files and ranks exchanged, so that ascending bits are the squares a1, a2, … h8. The three steps swap ever
/// larger blocks across the diagonal (Hacker's Delight, section 7-3).
#[inline]
const fn transposed(mut board: u64) -> u64 {
    let mut swap = (board ^ board >> 7) & 0x00AA_00AA_00AA_00AA;
    board ^= swap ^ swap << 7;
    swap = (board ^ board >> 14) & 0x0000_CCCC_0000_CCCC;
    board ^= swap ^ swap << 14;
    swap = (board ^ board >> 28) & 0x0000_0000_F0F0_F0F0;
    board ^ swap ^ swap << 28
}

/// Appends the legal moves in the order of their UCI text: by origin (a1, a2, … h8), destination and promotion.
#[inline]
pub(super) fn list(position: &Position, moves: &mut Vec<Move>) {
    let board = position.board();
    let targets = TargetTable::of(board);
    let last_ranks = Rank::First.bitboard() | Rank::Eighth.bitboard();
    let promoting = board.pieces(Piece::Pawn);
    for from in BitBoard(targets.from) {
        let from = Square::index(exchanged(from as usize));
        let to = targets.to[from as usize];
        let promotes = promoting.has(from) && !(to & last_ranks).is_empty();
        for to in BitBoard(transposed(to.0)) {
            let to = Square::index(exchanged(to as usize));
            if promotes {
                moves.extend(PROMOTIONS.map(|piece| Move { from, to, promotion: Some(piece) }));
            } else {
                moves.push(Move { from, to, promotion: None });
            }
        }
    }
}

#[inline]
pub(super) fn has_legal_move(position: &Position) -> bool {
    position.board().generate_moves(|_| true)
}

pub(super) fn count_legal_moves(position: &Position) -> u64 {
    let mut count = 0;
    position.board().generate_moves(|moves| {
        count += moves.len() as u64;
        false
    });
    count
}

/// Appends the moves of a quiescence search in the order of [`list`]: captures, promotions and checks; with `see`, only those
/// that do not lose material. Moves whose immediate gain is below `gain` centipawns are left out.
pub(super) fn list_quiescence_moves(
    position: &Position,
    see: bool,
    gain: Score,
    moves: &mut Vec<Move>,
) {
    let first = moves.len();
    list(position, moves);
    let mut kept = first;
    for place in first..moves.len() {
        let mv = moves[place];
        let wins =
            || gain <= Score::ZERO || Score::from_finite(gain_of(position, mv).into()) >= gain;
        if wins() && is_forcing(position, mv) && !(see && loses_material(position, mv)) {
            moves[kept] = mv;
            kept += 1;
        }
    }
    moves.truncate(kept);
}

fn is_forcing(position: &Position, mv: Move) -> bool {
    let moved = position.board().piece_on(mv.from).unwrap_or(Piece::Pawn);
    mv.promotion.is_some() || position.victim(mv, moved).is_some() || gives_check(position, mv)
}

/// Whether a legal move gives check.
#[inline]
pub(super) fn gives_check(position: &Position, mv: Move) -> bool {
    let board = position.board();
    let us = board.side_to_move();
    let moved = board.piece_on(mv.from).unwrap_or(Piece::Pawn);
    let takes_in_passing =
        moved == Piece::Pawn && mv.from.file() != mv.to.file() && board.piece_on(mv.to).is_none();
    if takes_in_passing || mv.castles(moved) {
        return position.after(mv).in_check();
    }
    let (king, to) = (board.king(!us), mv.to.bitboard());
    let moved = mv.promotion.unwrap_or(moved);
    let jumps = match moved {
        Piece::Pawn => cozy_chess::get_pawn_attacks(mv.to, us).has(king),
        Piece::Knight => cozy_chess::get_knight_moves(mv.to).has(king),
        _ => false,
    };
    if jumps {
        return true;
    }
    // Checks by sliding pieces after the move: by the piece that moved, or by one behind its old square.
    let stay = board.colors(us) - mv.from.bitboard();
    let occupied = (board.occupied() - mv.from.bitboard()) | to;
    let sliders = |piece: Piece| {
        let sliders = (board.pieces(piece) | board.pieces(Piece::Queen)) & stay;
        if moved == piece || moved == Piece::Queen { sliders | to } else { sliders }
    };
    let [bishops, rooks] = [Piece::Bishop, Piece::Rook].map(sliders);
    !(cozy_chess::get_bishop_moves(king, occupied) & bishops).is_empty()
        || !(cozy_chess::get_rook_moves(king, occupied) & rooks).is_empty()
}

/// The ordering value of a move: MVV-LVA (most valuable victim, least valuable attacker) for captures and promotions, else 0.
#[inline]
pub(super) fn capture_score(position: &Position, mv: Move) -> u16 {
    let board = position.board();
    let them = board.colors(!board.side_to_move());
    let takes = them.has(mv.to)
        || (mv.from.file() != mv.to.file() && board.pieces(Piece::Pawn).has(mv.from));
    if !takes && mv.promotion.is_none() {
        return 0;
    }
    let moved = board.piece_on(mv.from).unwrap_or(Piece::Pawn);
    let promoted = mv.promotion.map_or(0, |piece| piece as u16);
    let victim = if takes { board.piece_on(mv.to).map_or(1, |piece| piece as u16 + 1) } else { 0 };
    8 * (victim + promoted) + 6 - moved as u16
}
