//! Moves as text: UCI and standard algebraic notation (SAN).

use cozy_chess::{File, Piece, Square, util::display_san_move};

use super::{
    Move, Position, evaluation, moves,
    position::{letter_of, piece_of},
};
use crate::engine::game::{Fault, Result};

/// Writes a legal move in SAN, with `+` for check or `#` for mate; an illegal one in UCI.
pub(super) fn write_san(position: &Position, mv: Move) -> String {
    match position.board().piece_on(mv.from) {
        Some(moved) if position.is_legal(mv) => {
            display_san_move(position.board(), mv.as_internal(moved)).to_string()
        }
        _ if mv == Move::NULL => "--".to_owned(),
        _ => mv.to_string(),
    }
}

/// Reads a legal move in UCI (`e2e4`, `e7e8q`, castling `e1g1`) or SAN (`e4`, `Nbd7`, `exd6`, `O-O`, `e8=Q+`).
pub(super) fn parse(position: &Position, text: &str) -> Result<Move> {
    let text = text.trim();
    let mut legal = Vec::new();
    moves::list(position, &mut legal);
    match text.parse() {
        Ok(mv) if legal.contains(&mv) => Ok(mv),
        Ok(mv) => Err(not_legal(position, mv, text, &legal)),
        Err(_) => parse_san(position, text, &legal),
    }
}

fn not_legal(position: &Position, mv: Move, text: &str, legal: &[Move]) -> Fault {
    let list = "`moves` lists the legal moves";
    let side = position.side();
    let piece = match position.at(mv.from) {
        Some((piece, owner)) if owner == side => piece,
        Some(_) => {
            return Fault::new(format!("{text} is not legal: it is {side}'s turn")).hint(list);
        }
        None => return Fault::new(format!("{text} is not legal: {} is empty", mv.from)).hint(list),
    };
    let from_there = || legal.iter().filter(|known| known.from == mv.from);
    if mv.promotion.is_none() && from_there().any(|known| known.to == mv.to) {
        return Fault::new(format!("{text} does not name the promotion piece"))
            .hint(format!("write {text}q, or r, b or n at the end"));
    }
    let mut targets: Vec<_> = from_there().map(|known| known.to.to_string()).collect();
    targets.dedup();
    let name = piece_name(piece);
    Fault::new(format!("{text} is not legal")).hint(if targets.is_empty() {
        format!("the {name} on {} cannot move", mv.from)
    } else {
        format!("the {name} on {} can go to {}", mv.from, targets.join(", "))
    })
}

/// Reads lenient SAN: piece, any part of the origin, destination. Capture signs and marks such as `+` are optional, as is the
/// capital letter of a piece.
fn parse_san(position: &Position, text: &str, legal: &[Move]) -> Result<Move> {
    let bare = text.strip_suffix("e.p.").map_or(text, str::trim_end);
    let bare = bare.trim_end_matches(['+', '#', '!', '?']);
    let kind = |mv: Move| position.board().piece_on(mv.from).unwrap_or(Piece::Pawn);
    if let Some(file) = castling_file(bare) {
        let found = legal.iter().copied();
        let mut found = found.filter(|mv| mv.castles(kind(*mv)) && mv.to.file() == file);
        let message = format!("{} cannot castle on that side now", position.side());
        let fault = || Fault::new(message).hint("`moves` lists the legal moves");
        return found.next().ok_or_else(fault);
    }
    let plain = bare.trim_end_matches(')').replace(['x', '-', ':', '=', '(', '/'], "");
    let to = destination(&plain);
    let fits = |mv: &Move, plain: &str| {
        // Most moves are ruled out by the destination, before any text is made: files have millions of moves.
        if Some(mv.to) != to {
            return false;
        }
        let piece = kind(*mv);
        let origin = mv.from.to_string();
        let promotion = mv.promotion.map(letter_of).map_or_else(String::new, String::from);
        // Pawns have no letter.
        let letter = Some(piece).filter(|piece| *piece != Piece::Pawn).map(letter_of);
        let origin_part = plain
            .strip_prefix(&letter.map_or_else(String::new, String::from))
            .and_then(|rest| rest.strip_suffix(&promotion))
            .and_then(|rest| rest.strip_suffix(&mv.to.to_string()));
        !mv.castles(piece)
            && origin_part
                .is_some_and(|part| ["", &origin[..1], &origin[1..], &origin].contains(&part))
    };
    let all = |plain: &str| legal.iter().copied().filter(|mv| fits(mv, plain)).collect();
    let mut fitting: Vec<Move> = all(&plain);
    if let Some(letter) = plain.get(..1).filter(|it| fitting.is_empty() && "nbrqk".contains(it)) {
        // A piece's letter may be small if it is not the file of a pawn with such a move.
        fitting = all(&(letter.to_uppercase() + &plain[1..]));
    }
    match fitting[..] {
        [mv] => Ok(mv),
        [] if legal.iter().any(|mv| fits(mv, &format!("{plain}Q"))) => {
            Err(Fault::new(format!("{text} does not name the promotion piece"))
                .hint(format!("write {bare}=Q, or R, B or N")))
        }
        [] => Err(no_such_move(position, text, &plain)),
        _ => {
            let names: Vec<_> = fitting.iter().map(|mv| write_san(position, *mv)).collect();
            Err(Fault::new(format!("{text} can be more than one move"))
                .hint(format!("write {}", names.join(" or "))))
        }
    }
}

/// The destination square of a move in SAN.
fn destination(plain: &str) -> Option<Square> {
    let squares = plain.trim_end_matches(['N', 'B', 'R', 'Q']);
    squares.get(squares.len().checked_sub(2)?..)?.parse().ok()
}

/// The fault of a text that matches no legal move. `plain`: the text without capture signs and marks.
fn no_such_move(position: &Position, text: &str, plain: &str) -> Fault {
    let to = destination(plain);
    let first = plain.chars().next().filter(char::is_ascii_uppercase);
    let piece = first.map_or(Some(Piece::Pawn), piece_of);
    let (Some(to), Some(piece)) = (to, piece) else {
        return Fault::word(text, "is not a move")
            .hint("write a move in UCI, such as e2e4 or e7e8q, or in SAN, such as e4, Nbd7, exd6, O-O or e8=Q");
    };
    let (piece, side) = (piece_name(piece), position.side().to_string().to_lowercase());
    let message = format!("{text} is not legal: no {side} {piece} can go to {to} in this way");
    Fault::new(message).hint("`moves` lists the legal moves")
}

fn castling_file(text: &str) -> Option<File> {
    match text {
        "O-O" | "0-0" | "o-o" => Some(File::G),
        "O-O-O" | "0-0-0" | "o-o-o" => Some(File::C),
        _ => None,
    }
}

/// Describes the capture and the promotion of a move: `takes a queen with a pawn`.
pub(super) fn describe_capture(position: &Position, mv: Move) -> String {
    let moved = position.board().piece_on(mv.from).unwrap_or(Piece::Pawn);
    let taken = position
        .victim(mv, moved)
        .map(|(taken, _)| format!("takes a {} with a {}", piece_name(taken), piece_name(moved)));
    let promoted = mv.promotion.map(|piece| format!("promotes to a {}", piece_name(piece)));
    taken.into_iter().chain(promoted).collect::<Vec<_>>().join(" and ")
}

fn piece_name(piece: Piece) -> &'static str {
    evaluation::NAMES[piece as usize]
}
