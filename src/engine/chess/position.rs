//! Positions: the board of the rules crate, with a long clock, a precise hash and the terms of the evaluation.

use cozy_chess::{BitBoard, Board, Color, File, Move as Internal, Piece, Rank, Square};

use super::{
    Move,
    evaluation::{Balance, balance_of, piece_terms},
};
use crate::engine::game::Side;

/// A playable chess position.
///
/// Two positions are equal if pieces, side, castling rights, legal en-passant capture, clock and move number are. The text,
/// also for serde, is FEN with the en-passant square only if a capture there is legal.
///
/// ```
/// use plyscope::engine::{chess::Position, game::Side};
/// let position: Position = "4k3/8/8/8/8/8/4P3/4K3 w - - 130 0".parse()?;
/// assert_eq!((position.side(), position.clock()), (Side::White, 130));
/// assert_eq!(position.to_string(), "4k3/8/8/8/8/8/4P3/4K3 w - - 130 1");
/// # Ok::<(), plyscope::engine::game::Fault>(())
/// ```
#[derive(Clone, Debug)]
pub struct Position {
    board: Board,
    /// The halfmove clock, which may exceed 100; the clock of the rules crate stops there.
    clock: u16,
    hash: u64,
    balance: Balance,
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        let plain =
            |position: &Self| (position.hash, position.clock, position.board.fullmove_number());
        plain(self) == plain(other) && same_position(&self.board, &other.board)
    }
}

/// Whether two boards are the same position by the laws of chess. `same_position` of the rules crate counts a king's step onto
/// the en-passant square as an en-passant capture.
fn same_position(one: &Board, other: &Board) -> bool {
    one.side_to_move() == other.side_to_move()
        && Piece::ALL.iter().all(|&piece| one.pieces(piece) == other.pieces(piece))
        && Color::ALL.iter().all(|&color| {
            one.colors(color) == other.colors(color)
                && one.castle_rights(color) == other.castle_rights(color)
        })
        && legal_en_passant(one) == legal_en_passant(other)
}

impl Position {
    /// The position with this board and halfmove clock, which may exceed 100.
    pub(super) fn new(board: Board, clock: u16) -> Self {
        Self { clock, hash: hash_of(&board), balance: balance_of(&board), board }
    }

    /// The board, as a type of the rules crate.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The side to move.
    #[inline]
    pub fn side(&self) -> Side {
        side_of(self.board.side_to_move())
    }

    /// The halfmove clock: plies since the last capture or pawn move.
    #[inline]
    pub fn clock(&self) -> u16 {
        self.clock
    }

    /// The Zobrist hash of pieces, side and castling rights, and of the en-passant file if a capture there is legal.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The terms of the evaluation, which every move updates.
    #[inline]
    pub fn balance(&self) -> &Balance {
        &self.balance
    }

    /// The terms of the evaluation, computed from scratch to check [`Self::balance`].
    pub fn counted(&self) -> Balance {
        balance_of(&self.board)
    }

    /// The piece on a square and its owner; `None` if the square is empty.
    pub fn at(&self, square: Square) -> Option<(Piece, Side)> {
        let piece = self.board.piece_on(square)?;
        Some((piece, side_of(self.board.color_on(square)?)))
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        !self.board.checkers().is_empty()
    }

    /// The file of a legal en-passant capture, if there is one.
    pub(super) fn en_passant(&self) -> Option<File> {
        legal_en_passant(&self.board)
    }

    /// Whether the side to move has more than its king and pawns.
    pub(super) fn has_pieces(&self) -> bool {
        let board = &self.board;
        let pawns_and_king = board.pieces(Piece::Pawn) | board.pieces(Piece::King);
        !(board.colors(board.side_to_move()) & !pawns_and_king).is_empty()
    }

    /// The position after a null move. The clock is 0, because positions before a null move cannot repeat after it.
    fn after_null_move(&self) -> Self {
        let board = self.board.null_move().unwrap_or_else(|| self.board.clone());
        Self { clock: 0, hash: hash_of(&board), balance: self.balance, board }
    }

    /// Whether neither side can ever mate: bare kings, one knight, or bishops all on squares of one colour.
    #[inline]
    pub fn insufficient_material(&self) -> bool {
        let board = &self.board;
        let heavy =
            board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
        heavy.is_empty() && lone_minors(board)
    }

    /// The position after a legal move or a null move.
    #[inline]
    #[must_use]
    pub fn after(&self, mv: Move) -> Self {
        if mv == Move::NULL {
            return self.after_null_move();
        }
        let mut board = self.board.clone();
        let us = board.side_to_move();
        let moved = board.piece_on(mv.from).unwrap_or(Piece::Pawn);
        let castling = mv.castles(moved);
        let victim = if castling { None } else { self.victim(mv, moved) };
        let mut balance = self.balance;
        balance.sub(piece_terms(us, moved, mv.from));
        balance.add(piece_terms(us, mv.promotion.unwrap_or(moved), mv.to));
        if let Some((piece, square)) = victim {
            balance.sub(piece_terms(!us, piece, square));
        }
        let internal = mv.as_internal(moved);
        if castling {
            let (_, landing) = rook_squares(mv);
            balance.sub(piece_terms(us, Piece::Rook, internal.to));
            balance.add(piece_terms(us, Piece::Rook, landing));
        }
        board.play_unchecked(internal);
        let quiet = moved != Piece::Pawn && victim.is_none();
        Self {
            clock: if quiet { self.clock.saturating_add(1) } else { 0 },
            hash: if board.en_passant().is_some() { hash_of(&board) } else { board.hash() },
            balance,
            board,
        }
    }

    /// The captured piece and its square, which in an en-passant capture is not the destination.
    #[inline]
    pub(super) fn victim(&self, mv: Move, moved: Piece) -> Option<(Piece, Square)> {
        if let Some(piece) = self.board.piece_on(mv.to) {
            return Some((piece, mv.to));
        }
        let passing = moved == Piece::Pawn && mv.from.file() != mv.to.file();
        passing.then(|| (Piece::Pawn, Square::new(mv.to.file(), mv.from.rank())))
    }

    pub(super) fn is_legal(&self, mv: Move) -> bool {
        let moved = self.board.piece_on(mv.from);
        let own = self.board.colors(self.board.side_to_move()).has(mv.from);
        let onto_own = self.board.colors(self.board.side_to_move()).has(mv.to);
        own && !onto_own && moved.is_some_and(|piece| self.board.is_legal(mv.as_internal(piece)))
    }
}

/// The origin and the destination of the rook in a castling move.
fn rook_squares(mv: Move) -> (Square, Square) {
    let (from, to) =
        if mv.to.file() > mv.from.file() { (File::H, File::F) } else { (File::A, File::D) };
    (Square::new(from, mv.from.rank()), Square::new(to, mv.from.rank()))
}

impl Move {
    #[inline]
    pub(super) fn castles(self, moved: Piece) -> bool {
        moved == Piece::King && (self.from.file() as i8 - self.to.file() as i8).abs() == 2
    }

    /// The move as a type of the rules crate, where in castling the king takes its own rook.
    #[inline]
    pub(super) fn as_internal(self, moved: Piece) -> Internal {
        let to = if self.castles(moved) { rook_squares(self).0 } else { self.to };
        Internal { from: self.from, to, promotion: self.promotion }
    }
}

fn hash_of(board: &Board) -> u64 {
    if legal_en_passant(board).is_some() { board.hash() } else { board.hash_without_ep() }
}

fn legal_en_passant(board: &Board) -> Option<File> {
    let file = board.en_passant()?;
    let us = board.side_to_move();
    let to = Square::new(file, Rank::Sixth.relative_to(us));
    let pawns = cozy_chess::get_pawn_attacks(to, !us) & board.colored_pieces(us, Piece::Pawn);
    let legal = |from| board.is_legal(Internal { from, to, promotion: None });
    pawns.iter().any(legal).then_some(file)
}

/// Whether a board of kings, knights and bishops has at most one knight and no bishop, or only bishops of one square colour.
fn lone_minors(board: &Board) -> bool {
    let knights = board.pieces(Piece::Knight);
    let bishops = board.pieces(Piece::Bishop);
    let one_colour = (bishops & BitBoard::LIGHT_SQUARES).is_empty()
        || (bishops & BitBoard::DARK_SQUARES).is_empty();
    match knights.len() {
        0 => one_colour,
        1 => bishops.is_empty(),
        _ => false,
    }
}

#[inline]
pub(super) const fn side_of(color: Color) -> Side {
    match color {
        Color::White => Side::White,
        Color::Black => Side::Black,
    }
}

/// The piece that a letter of either case stands for.
pub(super) fn piece_of(letter: char) -> Option<Piece> {
    letter.to_ascii_lowercase().try_into().ok()
}

/// The upper-case letter of a piece; `P` for a pawn.
pub(super) fn letter_of(piece: Piece) -> char {
    char::from(piece).to_ascii_uppercase()
}
