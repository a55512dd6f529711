//! Forsyth-Edwards notation, read with patience.

use std::{fmt, ops::Range, str::FromStr};

use cozy_chess::{BoardBuilder, BoardBuilderError, Color, File, Piece, Rank, Square};

use super::{
    Position,
    position::{piece_of, side_of},
};
use crate::engine::game::{Fault, Side, serde_as_text};

const SHAPE: &str = "a FEN is PIECES SIDE CASTLING EN-PASSANT CLOCK MOVE, such as rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A word and where it stands.
type Word<'a> = (&'a str, Range<usize>);

/// Reads a FEN, or tells every fault there is. Fields after the side to move may be missing; castling rights without king
/// and rook in place and an en-passant square without the pawn are dropped ([`remarks`] tells them), the move number 0 counts
/// as 1, the clock may be beyond 100.
fn read(text: &str) -> Result<Position, Fault> {
    let words = words(text);
    let [board, rest @ ..] = &words[..] else {
        return Err(Fault::new("the position is empty").hint(SHAPE));
    };
    let mut builder = BoardBuilder::empty();
    let mut faults = Vec::new();
    read_pieces(&mut builder, board, &mut faults);
    if faults.is_empty() {
        check_kings(&builder, &board.1, &mut faults);
    }
    let side = rest.first().map_or_else(|| Err(no_side(text)), read_side);
    builder.side_to_move = kept(side, &mut faults).unwrap_or(Color::White);
    if let Some(castling) = rest.get(1) {
        read_castling(&mut builder, castling, &mut faults);
    }
    if let Some(square) = rest.get(2) {
        builder.en_passant = kept(read_en_passant(square), &mut faults).flatten();
    }
    let mut number_at = |index, what| {
        let word = rest.get(index)?;
        kept(number(word, what), &mut faults)
    };
    let clock = number_at(3, "clock").unwrap_or(0);
    builder.fullmove_number = number_at(4, "move number").unwrap_or(1).max(1);
    if let Some((extra, at)) = rest.get(5) {
        let place = at.start..text.trim_end().len();
        let fault = Fault::new(format!("`{extra}` follows a complete FEN")).at(place);
        faults.push(fault.hint(SHAPE));
    }
    match Fault::merge(faults) {
        Some(fault) => Err(fault),
        None => build(builder, clock, &board.1),
    }
}

/// What was read, or nothing and one fault more.
fn kept<T>(read: Result<T, Fault>, faults: &mut Vec<Fault>) -> Option<T> {
    read.map_err(|fault| faults.push(fault)).ok()
}

/// What a FEN says that the position read from it does not have.
pub(super) fn remarks(text: &str, position: &Position) -> Vec<String> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let said = |index: usize| fields.get(index).copied().filter(|said| *said != "-");
    let held = position.to_string();
    let held = held.split(' ').nth(2).unwrap_or_default();
    let mut dropped = said(2).unwrap_or_default().to_owned();
    dropped.retain(|right| !held.contains(right));
    let mut notes = Vec::new();
    if !dropped.is_empty() {
        notes.push(format!(
            "castling {dropped} is dropped: king and rook are not on the squares they castle from"
        ));
    }
    if let Some(square) = said(3).filter(|_| position.board().en_passant().is_none()) {
        notes.push(format!(
            "the en-passant square {square} is dropped: no pawn can just have passed it"
        ));
    }
    if said(5) == Some("0") {
        notes.push("the move number 0 counts as 1".to_owned());
    }
    notes
}

fn words(text: &str) -> Vec<Word<'_>> {
    let start = text.as_ptr() as usize;
    let place = |word: &str| word.as_ptr() as usize - start;
    text.split_whitespace().map(|word| (word, place(word)..place(word) + word.len())).collect()
}

fn build(mut builder: BoardBuilder, clock: u16, board: &Range<usize>) -> Result<Position, Fault> {
    loop {
        match builder.build() {
            Ok(built) => return Ok(Position::new(built, clock)),
            Err(BoardBuilderError::InvalidEnPassant) if builder.en_passant.is_some() => {
                builder.en_passant = None;
            }
            Err(error) => return Err(unplayable(&builder, error).at(board.clone())),
        }
    }
}

fn unplayable(builder: &BoardBuilder, error: BoardBuilderError) -> Fault {
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

fn read_pieces(builder: &mut BoardBuilder, (text, at): &Word<'_>, faults: &mut Vec<Fault>) {
    let ranks = text.split('/').count();
    if ranks != 8 {
        let s = if ranks == 1 { "" } else { "s" };
        let fault = Fault::new(format!("the board has {ranks} rank{s}, not 8"));
        return faults.push(fault.at(at.clone()).hint(SHAPE));
    }
    let mut start = at.start;
    for (place, rank) in text.split('/').enumerate() {
        read_rank(builder, Rank::index(7 - place), (rank, start), faults);
        start += rank.len() + 1;
    }
}

fn read_rank(
    builder: &mut BoardBuilder,
    rank: Rank,
    (text, start): (&str, usize),
    faults: &mut Vec<Fault>,
) {
    let name = rank as usize + 1;
    let mut file = 0;
    for (offset, letter) in text.char_indices() {
        if let Some(gap @ 1..=8) = letter.to_digit(10) {
            file += gap as usize;
            continue;
        }
        let here = start + offset..start + offset + letter.len_utf8();
        if let Some(found) = kept(piece_on(rank, letter, here), faults)
            && let Some(&file) = File::ALL.get(file)
        {
            *builder.square_mut(Square::new(file, rank)) = Some(found);
        }
        file += 1;
    }
    if file != 8 {
        let fault = Fault::new(format!("rank {name} has {file} squares, not 8"));
        let place = start..start + text.len();
        let hint = "a digit stands for that many empty squares";
        faults.push(fault.at(place).hint(hint));
    }
}

/// The piece that a letter says, if it can stand on this rank.
fn piece_on(rank: Rank, letter: char, here: Range<usize>) -> Result<(Piece, Color), Fault> {
    let name = rank as usize + 1;
    let Some(piece) = piece_of(letter) else {
        let message =
            format!("rank {name}: `{letter}` is neither a piece nor a number of empty squares");
        let hint = "pieces are PNBRQK for White and pnbrqk for Black";
        return Err(Fault::new(message).at(here).hint(hint));
    };
    if piece == Piece::Pawn && matches!(rank, Rank::First | Rank::Eighth) {
        let fault = Fault::new(format!("a pawn cannot stand on rank {name}"));
        return Err(fault.at(here).hint("pawns stand on ranks 2 to 7"));
    }
    Ok((piece, color_of(letter)))
}

fn color_of(letter: char) -> Color {
    if letter.is_ascii_uppercase() { Color::White } else { Color::Black }
}

fn no_side(text: &str) -> Fault {
    let end = text.len();
    let fault = Fault::new("the side to move is missing").at(end..end);
    fault.hint(SHAPE)
}

fn read_side((text, at): &Word<'_>) -> Result<Color, Fault> {
    match *text {
        "w" | "W" => Ok(Color::White),
        "b" | "B" => Ok(Color::Black),
        _ => Err(Fault::new(format!("the side to move is `{text}`, not w or b"))
            .at(at.clone())
            .hint("write w for White, b for Black")),
    }
}

fn check_kings(builder: &BoardBuilder, at: &Range<usize>, faults: &mut Vec<Fault>) {
    for color in Color::ALL {
        let pieces = builder.board.iter().flatten();
        let kings = pieces.filter(|found| **found == (Piece::King, color)).count();
        if kings != 1 {
            let s = if kings == 1 { "" } else { "s" };
            let fault = Fault::new(format!("{} has {kings} king{s}", side_of(color)));
            faults.push(fault.at(at.clone()).hint("each side has exactly one king"));
        }
    }
}

fn read_castling(builder: &mut BoardBuilder, (text, at): &Word<'_>, faults: &mut Vec<Fault>) {
    for (offset, letter) in text.char_indices().filter(|_| *text != "-") {
        let rook = match letter.to_ascii_lowercase() {
            'k' => File::H,
            'q' => File::A,
            _ => {
                let here = at.start + offset..at.start + offset + letter.len_utf8();
                let fault = Fault::new(format!("`{letter}` is no castling right")).at(here);
                faults.push(fault.hint("castling rights are some of KQkq, or -"));
                continue;
            }
        };
        let color = color_of(letter);
        let rank = Rank::First.relative_to(color);
        let stands = |file, piece| builder.square(Square::new(file, rank)) == Some((piece, color));
        if stands(File::E, Piece::King) && stands(rook, Piece::Rook) {
            let rights = builder.castle_rights_mut(color);
            let right = if rook == File::H { &mut rights.short } else { &mut rights.long };
            *right = Some(rook);
        }
    }
}

fn read_en_passant((text, at): &Word<'_>) -> Result<Option<Square>, Fault> {
    if *text == "-" {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| {
        Fault::new(format!("`{text}` is no en-passant square"))
            .at(at.clone())
            .hint("write the square behind the pawn that moved two squares, such as e3, or -")
    })
}

fn number((text, at): &Word<'_>, what: &str) -> Result<u16, Fault> {
    text.parse().map_err(|_| {
        Fault::new(format!("the {what} is `{text}`, not a number from 0 to {}", u16::MAX))
            .at(at.clone())
            .hint(SHAPE)
    })
}

impl fmt::Display for Position {
    /// Writes a FEN, with the en-passant square only where a capture is legal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The rules crate ends the clock at 100 and names every en-passant square.
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

impl FromStr for Position {
    type Err = Fault;

    /// Reads a FEN with patience, and lists every fault there is.
    fn from_str(text: &str) -> Result<Self, Fault> {
        read(text)
    }
}

serde_as_text!(Position);
