//! Moves, and listing them in their documented order.

use std::{fmt, str::FromStr};

use super::Position;
use crate::engine::game::{Fault, Result, serde_as_text};
use cozy_chess::{BitBoard, Board, File, Piece, PieceMoves, Rank, Square};

/// A move as UCI writes it: castling is the king's move of two squares. Serde writes it as that text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Where the piece comes from.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
    /// What a pawn becomes on the last rank.
    pub promotion: Option<Piece>,
}

impl Move {
    /// The pass of a null move search, `0000` in UCI. No legal move leaves a piece where it is.
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
            Fault::new(format!("`{text}` is not a move in UCI notation")).about_word(text)
                .hint("write the two squares, such as e2e4, and the piece of a promotion after them, such as e7e8q")
        })?;
        Ok(Self { from: internal.from, to: internal.to, promotion: internal.promotion })
    }
}

serde_as_text!(Move);

/// What a pawn may become, in the order of the letters b, n, q, r.
const PROMOTIONS: [Piece; 4] = [Piece::Bishop, Piece::Knight, Piece::Queen, Piece::Rook];

struct TargetTable {
    /// The squares with a piece that can move, files and ranks exchanged.
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

/// The rules crate lets a king that castles take its rook; UCI has it go two squares.
#[inline]
fn king_targets(to: BitBoard, own: BitBoard) -> BitBoard {
    (to & own).iter().fold(to & !own, |to, rook| {
        let landing = if rook.file() > File::E { File::G } else { File::C };
        to | Square::new(landing, rook.rank()).bitboard()
    })
}

/// A square's number with file and rank exchanged; its own inverse.
#[inline]
const fn exchanged(square: usize) -> usize {
    square >> 3 | (square & 7) << 3
}

/// The squares with files and ranks exchanged: going up through the bits goes through a1, a2, … h8. The three steps swap
/// ever larger blocks across the diagonal (Hacker's Delight, section 7-3).
#[inline]
const fn transposed(mut board: u64) -> u64 {
    let mut swap = (board ^ board >> 7) & 0x00AA_00AA_00AA_00AA;
    board ^= swap ^ swap << 7;
    swap = (board ^ board >> 14) & 0x0000_CCCC_0000_CCCC;
    board ^= swap ^ swap << 14;
    swap = (board ^ board >> 28) & 0x0000_0000_F0F0_F0F0;
    board ^ swap ^ swap << 28
}

/// The numbers of the set bits, lowest first.
#[inline]
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            bit
        })
    })
}

/// Appends the legal moves in the order of their UCI text: by the square they come from (a1, a2, … h8), then by the one
/// they go to, then by what a pawn becomes.
#[inline]
pub(super) fn list(position: &Position, moves: &mut Vec<Move>) {
    let board = position.board();
    let targets = TargetTable::of(board);
    let last_ranks = Rank::First.bitboard() | Rank::Eighth.bitboard();
    let promoting = board.pieces(Piece::Pawn);
    for from in bits(targets.from) {
        let from = Square::index(exchanged(from));
        let to = targets.to[from as usize];
        let promotes = promoting.has(from) && !(to & last_ranks).is_empty();
        for to in bits(transposed(to.0)) {
            let to = Square::index(exchanged(to));
            if promotes {
                moves.extend(PROMOTIONS.map(|piece| Move { from, to, promotion: Some(piece) }));
            } else {
                moves.push(Move { from, to, promotion: None });
            }
        }
    }
}

/// Whether there is a legal move.
#[inline]
pub(super) fn any(position: &Position) -> bool {
    position.board().generate_moves(|_| true)
}

pub(super) fn count(position: &Position) -> u64 {
    let mut count = 0;
    position.board().generate_moves(|moves| {
        count += moves.len() as u64;
        false
    });
    count
}

/// Appends the moves that a quiescence search looks at: captures, promotions and checks, in the order of [`list`].
pub(super) fn list_quiescence_moves(position: &Position, moves: &mut Vec<Move>) {
    let first = moves.len();
    list(position, moves);
    let mut kept = first;
    for place in first..moves.len() {
        let mv = moves[place];
        if is_forcing(position, mv) {
            moves[kept] = mv;
            kept += 1;
        }
    }
    moves.truncate(kept);
}

fn is_forcing(position: &Position, mv: Move) -> bool {
    let moved = position.board().piece_on(mv.from).unwrap_or(Piece::Pawn);
    mv.promotion.is_some() || position.victim(mv, moved).is_some() || position.after(mv).in_check()
}

/// How promising a move looks before anything is searched: promotions, and captures of the most valuable victim by the
/// least valuable attacker, above all others, which count 0.
#[inline]
pub(super) fn capture_score(position: &Position, mv: Move) -> u16 {
    const RANK: [u16; 6] = [1, 2, 3, 4, 5, 6];
    let board = position.board();
    let them = board.colors(!board.side_to_move());
    let takes = them.has(mv.to)
        || (mv.from.file() != mv.to.file() && board.pieces(Piece::Pawn).has(mv.from));
    if !takes && mv.promotion.is_none() {
        return 0;
    }
    let moved = board.piece_on(mv.from).unwrap_or(Piece::Pawn);
    let promoted = mv.promotion.map_or(0, |piece| RANK[piece as usize] - 1);
    let victim =
        if takes { board.piece_on(mv.to).map_or(1, |piece| RANK[piece as usize]) } else { 0 };
    8 * (victim + promoted) + 7 - RANK[moved as usize]
}
