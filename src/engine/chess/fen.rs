//! Forsyth-Edwards notation, read leniently.

use std::{fmt, ops::Range, str::FromStr};

use cozy_chess::{BoardBuilder, BoardBuilderError, Color, File, Piece, Rank, Square};

use super::{
    Position,
    position::{piece_of, side_of},
};
use crate::{
    engine::game::{Fault, Result, Side, Word, serde_as_text},
    text::counted,
};

const SHAPE: &str = "a FEN is PIECES SIDE CASTLING EN-PASSANT CLOCK MOVE, such as rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

impl FromStr for Position {
    type Err = Fault;

    /// Reads a FEN. The fault lists all that is wrong. Fields after the side to move are optional; castling rights without king
    /// and rook in place and an en-passant square without the pawn are dropped (see `remarks`), the move number 0 counts as
    /// 1, the clock may exceed 100.
    fn from_str(text: &str) -> Result<Self> {
        let words = Word::all(text);
        let [board, rest @ ..] = &words[..] else {
            return Err(Fault::new("the position is empty").hint(SHAPE));
        };
        let mut builder = BoardBuilder::empty();
        let mut faults = Vec::new();
        read_pieces(&mut builder, board, &mut faults);
        if faults.is_empty() {
            check_kings(&builder, board, &mut faults);
        }
        let end = Word { text: "", at: text.len()..text.len() };
        let side = rest
            .first()
            .map_or_else(|| Err(end.fault("the side to move is missing", SHAPE)), Word::side);
        builder.side_to_move =
            collect_fault(side, &mut faults).map_or(Color::White, |side| Color::ALL[side.index()]);
        if let Some(castling) = rest.get(1) {
            read_castling(&mut builder, castling, &mut faults);
        }
        if let Some(square) = rest.get(2).filter(|square| square.text != "-") {
            builder.en_passant = collect_fault(read_en_passant(square), &mut faults);
        }
        let mut number_at = |index, what| {
            let word = rest.get(index)?;
            collect_fault(number(word, what), &mut faults)
        };
        let clock = number_at(3, "clock").unwrap_or(0);
        builder.fullmove_number = number_at(4, "move number").unwrap_or(1).max(1);
        if let Some(extra) = rest.get(5) {
            let extra = Word { at: extra.at.start..text.trim_end().len(), ..extra.clone() };
            faults.push(extra.fault(format!("`{}` follows a complete FEN", extra.text), SHAPE));
        }
        match Fault::merge(faults) {
            Some(fault) => Err(fault),
            None => build(builder, clock, &board.at),
        }
    }
}

serde_as_text!(Position);

/// The value that was read; after an error `None`, and the error is added to `faults`.
fn collect_fault<T>(read: Result<T>, faults: &mut Vec<Fault>) -> Option<T> {
    read.map_err(|fault| faults.push(fault)).ok()
}

/// The parts of a FEN that were dropped or changed in the position read from it.
pub(super) fn remarks(text: &str, position: &Position) -> Vec<String> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let field = |index: usize| fields.get(index).copied().filter(|field| *field != "-");
    let held = position.to_string();
    let held = held.split(' ').nth(2).unwrap_or_default();
    let mut dropped = field(2).unwrap_or_default().to_owned();
    dropped.retain(|right| !held.contains(right));
    let mut notes = Vec::new();
    if !dropped.is_empty() {
        notes.push(format!(
            "castling {dropped} is dropped: king and rook are not on the squares they castle from"
        ));
    }
    if let Some(square) = field(3).filter(|_| position.board().en_passant().is_none()) {
        notes.push(format!(
            "the en-passant square {square} is dropped: no pawn can just have passed it"
        ));
    }
    if field(5) == Some("0") {
        notes.push("the move number 0 counts as 1".to_owned());
    }
    notes
}

fn build(mut builder: BoardBuilder, clock: u16, board: &Range<usize>) -> Result<Position> {
    loop {
        match builder.build() {
            Ok(built) => return Ok(Position::new(built, clock)),
            Err(BoardBuilderError::InvalidEnPassant) if builder.en_passant.is_some() => {
                builder.en_passant = None;
            }
            Err(error) => return Err(setup_fault(&builder, error).at(board.clone())),
        }
    }
}

fn setup_fault(builder: &BoardBuilder, error: BoardBuilderError) -> Fault {
    let waiting = side_of(!builder.side_to_move);
    let count = |side, piece: Option<Piece>| {
        let fits =
            |(kind, color)| side_of(color) == side && piece.is_none_or(|piece| piece == kind);
        builder.board.iter().flatten().filter(|found| fits(**found)).count()
    };
    for side in Side::ALL {
        let (pieces, pawns) = (count(side, None), count(side, Some(Piece::Pawn)));
        if pieces > 16 || pawns > 8 {
            return Fault::new(format!("{side} has {pieces} pieces, {pawns} of them pawns"))
                .hint("a side has at most 16 pieces and 8 pawns");
        }
    }
    match error {
        BoardBuilderError::InvalidBoard => {
            Fault::new(format!("{waiting} is in check, but it is not {waiting}'s turn"))
                .hint("give the other side to move")
        }
        error => Fault::new(format!("the position cannot be played: {error}")).hint(SHAPE),
    }
}

fn read_pieces(builder: &mut BoardBuilder, board: &Word<'_>, faults: &mut Vec<Fault>) {
    let ranks = board.split(|letter| letter == '/');
    if ranks.len() != 8 {
        let found = counted(ranks.len() as u64, "rank", "ranks");
        return faults.push(board.fault(format!("the board has {found}, not 8"), SHAPE));
    }
    for (word, rank) in ranks.iter().zip(Rank::ALL.into_iter().rev()) {
        read_rank(builder, rank, word, faults);
    }
}

fn read_rank(builder: &mut BoardBuilder, rank: Rank, word: &Word<'_>, faults: &mut Vec<Fault>) {
    let mut file = 0;
    for (letter, at) in word.letters() {
        if let Some(gap @ 1..=8) = letter.to_digit(10) {
            file += gap as usize;
            continue;
        }
        let found = piece_on_rank(rank, letter).map_err(|fault| fault.at(at));
        if let Some(found) = collect_fault(found, faults)
            && let Some(&file) = File::ALL.get(file)
        {
            *builder.square_mut(Square::new(file, rank)) = Some(found);
        }
        file += 1;
    }
    if file != 8 {
        let message = format!("rank {rank} has {file} squares, not 8");
        faults.push(word.fault(message, "a digit stands for that many empty squares"));
    }
}

/// The piece and colour of a letter. Errors: a letter of no piece, or a pawn on the first or last rank.
fn piece_on_rank(rank: Rank, letter: char) -> Result<(Piece, Color)> {
    match piece_of(letter) {
        None => Err(Fault::new(format!(
            "rank {rank}: `{letter}` is neither a piece nor a number of empty squares"
        ))
        .hint("pieces are PNBRQK for White and pnbrqk for Black")),
        Some(Piece::Pawn) if matches!(rank, Rank::First | Rank::Eighth) => {
            Err(Fault::new(format!("a pawn cannot stand on rank {rank}"))
                .hint("pawns stand on ranks 2 to 7"))
        }
        Some(piece) => Ok((piece, color_of_letter(letter))),
    }
}

fn color_of_letter(letter: char) -> Color {
    if letter.is_ascii_uppercase() { Color::White } else { Color::Black }
}

fn check_kings(builder: &BoardBuilder, board: &Word<'_>, faults: &mut Vec<Fault>) {
    for color in Color::ALL {
        let pieces = builder.board.iter().flatten();
        let kings = pieces.filter(|found| **found == (Piece::King, color)).count();
        if kings != 1 {
            let kings = counted(kings as u64, "king", "kings");
            let message = format!("{} has {kings}", side_of(color));
            faults.push(board.fault(message, "each side has exactly one king"));
        }
    }
    if let Some((white, black)) = touching_kings(builder) {
        let message = format!("the kings stand side by side, on {white} and {black}");
        faults.push(board.fault(message, "leave a square between them"));
    }
}

/// The squares of the kings if they are adjacent, which the rules crate accepts.
pub(super) fn touching_kings(builder: &BoardBuilder) -> Option<(Square, Square)> {
    let king = |color| {
        Square::ALL.into_iter().find(|at| builder.square(*at) == Some((Piece::King, color)))
    };
    let (white, black) = (king(Color::White)?, king(Color::Black)?);
    cozy_chess::get_king_moves(white).has(black).then_some((white, black))
}

fn read_castling(builder: &mut BoardBuilder, word: &Word<'_>, faults: &mut Vec<Fault>) {
    for (letter, at) in word.letters().filter(|_| word.text != "-") {
        let rook = match letter.to_ascii_lowercase() {
            'k' => File::H,
            'q' => File::A,
            _ => {
                let fault = Fault::new(format!("`{letter}` is not a castling right")).at(at);
                faults.push(fault.hint("castling rights are some of KQkq, or -"));
                continue;
            }
        };
        let color = color_of_letter(letter);
        let rank = Rank::First.relative_to(color);
        let stands = |file, piece| builder.square(Square::new(file, rank)) == Some((piece, color));
        if stands(File::E, Piece::King) && stands(rook, Piece::Rook) {
            let rights = builder.castle_rights_mut(color);
            let right = if rook == File::H { &mut rights.short } else { &mut rights.long };
            *right = Some(rook);
        }
    }
}

fn read_en_passant(word: &Word<'_>) -> Result<Square> {
    let hint = "write the square behind the pawn that moved two squares, such as e3, or -";
    let fault = |_| word.fault(format!("`{}` is no en-passant square", word.text), hint);
    word.text.parse().map_err(fault)
}

fn number(word: &Word<'_>, what: &str) -> Result<u16> {
    word.text.parse().map_err(|_| {
        let (text, most) = (word.text, u16::MAX);
        word.fault(format!("the {what} is `{text}`, not a number from 0 to {most}"), SHAPE)
    })
}

impl fmt::Display for Position {
    /// Writes a FEN, with the en-passant square only if a capture is legal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The rules crate stops the clock at 100 and writes every en-passant square.
        let text = self.board().to_string();
        let [pieces, side, castling, number] =
            [0, 1, 2, 5].map(|field| text.split(' ').nth(field).unwrap_or_default());
        let rank = Rank::Sixth.relative_to(self.board().side_to_move());
        let passed = self.en_passant().map(|file| Square::new(file, rank));
        let passed = passed.map_or_else(|| "-".to_owned(), |square| square.to_string());
        let clock = self.clock();
        write!(f, "{pieces} {side} {castling} {passed} {clock} {number}")
    }
}
