//! Moves as text: UCI, and the notation of books (SAN).

use cozy_chess::{File, Piece, Square, util::display_san_move};

use super::{Move, Position, moves, position::piece_of};
use crate::engine::game::Fault;

/// Writes a legal move in SAN, with `+` or `#` where it checks or mates; any other as UCI has it.
pub(super) fn write_san(position: &Position, mv: Move) -> String {
    match position.board().piece_on(mv.from) {
        Some(moved) if position.is_legal(mv) => {
            display_san_move(position.board(), mv.internal(moved)).to_string()
        }
        _ => mv.to_string(),
    }
}

/// Reads a legal move in UCI (`e2e4`, `e7e8q`, castling `e1g1`) or SAN (`e4`, `Nbd7`, `exd6`, `O-O`, `e8=Q+`).
pub(super) fn parse(position: &Position, text: &str) -> Result<Move, Fault> {
    let text = text.trim();
    let mut legal = Vec::new();
    moves::list(position, &mut legal);
    match text.parse() {
        Ok(mv) if legal.contains(&mv) => Ok(mv),
        Ok(mv) => Err(not_legal(position, mv, text, &legal)),
        Err(_) => parse_san(position, text, &legal),
    }
}

/// Why a move in UCI is not legal.
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
        return Fault::new(format!("{text} does not say what the pawn becomes"))
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

/// Reads SAN with patience: a legal move fits a text that names its piece, its target and as much of its origin as one
/// likes. Capture signs and marks such as `+`, `#`, `!` and `e.p.` are not asked for.
fn parse_san(position: &Position, text: &str, legal: &[Move]) -> Result<Move, Fault> {
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
    let said = bare.trim_end_matches(')').replace(['x', '-', ':', '=', '(', '/'], "");
    let fits = |mv: &Move, said: &str| {
        let piece = kind(*mv);
        let origin = mv.from.to_string();
        let become_piece = mv.promotion.map(capital).unwrap_or_default();
        let told = said
            .strip_prefix(&letter_in_san(piece))
            .and_then(|rest| rest.strip_suffix(&become_piece))
            .and_then(|rest| rest.strip_suffix(&mv.to.to_string()));
        !mv.castles(piece)
            && told.is_some_and(|told| ["", &origin[..1], &origin[1..], &origin].contains(&told))
    };
    let fitting: Vec<Move> = legal.iter().copied().filter(|mv| fits(mv, &said)).collect();
    match fitting[..] {
        [mv] => Ok(mv),
        [] if legal.iter().any(|mv| fits(mv, &format!("{said}Q"))) => {
            Err(Fault::new(format!("{text} does not say what the pawn becomes"))
                .hint(format!("write {bare}=Q, or R, B or N")))
        }
        [] => Err(no_such_move(position, text, &said)),
        _ => {
            let names: Vec<_> = fitting.iter().map(|mv| write_san(position, *mv)).collect();
            Err(Fault::new(format!("{text} can be more than one move"))
                .hint(format!("write {}", names.join(" or "))))
        }
    }
}

/// Why no legal move fits what was said.
fn no_such_move(position: &Position, text: &str, said: &str) -> Fault {
    let squares = said.trim_end_matches(['N', 'B', 'R', 'Q']);
    let at = squares.len().checked_sub(2);
    let to = at.and_then(|at| squares.get(at..)?.parse::<Square>().ok());
    let first = said.chars().next().filter(char::is_ascii_uppercase);
    let piece = first.map_or(Some(Piece::Pawn), piece_of);
    let (Some(to), Some(piece)) = (to, piece) else {
        return Fault::new(format!("`{text}` is not a move"))
            .hint("write a move in UCI, such as e2e4 or e7e8q, or in SAN, such as e4, Nbd7, exd6, O-O or e8=Q");
    };
    let (piece, side) = (piece_name(piece), position.side());
    let message = format!("{text} is not legal: no {piece} of {side}'s can go to {to} so");
    Fault::new(message).hint("`moves` lists the legal moves")
}

/// The file that the king castles to.
fn castling_file(text: &str) -> Option<File> {
    match text {
        "O-O" | "0-0" | "o-o" => Some(File::G),
        "O-O-O" | "0-0-0" | "o-o-o" => Some(File::C),
        _ => None,
    }
}

fn capital(piece: Piece) -> String {
    char::from(piece).to_ascii_uppercase().to_string()
}

/// Pawns have no letter.
fn letter_in_san(piece: Piece) -> String {
    if piece == Piece::Pawn { String::new() } else { capital(piece) }
}

const fn piece_name(piece: Piece) -> &'static str {
    match piece {
        Piece::Pawn => "pawn",
        Piece::Knight => "knight",
        Piece::Bishop => "bishop",
        Piece::Rook => "rook",
        Piece::Queen => "queen",
        Piece::King => "king",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        fen.parse().unwrap()
    }

    /// UCI and SAN of the same move, both ways.
    fn both(fen: &str, uci: &str, san: &str) {
        let position = position(fen);
        let mv: Move = uci.parse().unwrap();
        assert!(position.is_legal(mv), "{fen} {uci}");
        assert_eq!(write_san(&position, mv), san, "{fen}");
        assert_eq!(parse(&position, san).unwrap(), mv, "{fen}");
    }

    #[test]
    fn moves_are_written_and_read() {
        both("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4", "e4");
        both("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "exd5");
        both("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", "e5f6", "exf6");
        both("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O");
        both("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O");
        both("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+");
        both("3r4/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7d8n", "exd8=N");
        both("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8q", "e8=Q");
        both("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8", "Ra8#");
    }

    #[test]
    fn pieces_that_could_go_to_the_same_square_are_told_apart() {
        both("4k3/8/8/8/8/8/8/RN2KN2 w - - 0 1", "b1d2", "Nbd2");
        both("4k3/R7/8/8/8/8/8/R3K3 w - - 0 1", "a1a4", "R1a4");
        both("1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1");
        // The knight on c3 is pinned, so the other needs no file.
        both("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2");
    }

    #[test]
    fn readers_are_patient_with_other_spellings() {
        let promoting = position("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1");
        for text in ["e8=Q", "e8Q", "e8(Q)", "e7-e8=Q", "e8=Q!?"] {
            assert_eq!(parse(&promoting, text).unwrap().to_string(), "e7e8q", "{text}");
        }
        let start = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert_eq!(parse(&start, "Ng1-f3").unwrap().to_string(), "g1f3");
    }

    #[test]
    fn castling_is_written_as_castling_only() {
        let both_sides = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        for text in ["0-0", "o-o+", "O-O!?"] {
            assert_eq!(parse(&both_sides, text).unwrap().to_string(), "e1g1");
        }
        for text in ["Kg1", "Kh1", "Kxh1", "Kc1", "e1h1"] {
            assert!(parse(&both_sides, text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_explained() {
        let fault = |fen: &str, text: &str| {
            let fault = parse(&position(fen), text).unwrap_err();
            (fault.message, fault.hint.unwrap())
        };
        let (message, hint) = fault("4k3/8/8/8/8/8/8/RN2KN2 w - - 0 1", "Nd2");
        assert_eq!(message, "Nd2 can be more than one move");
        assert_eq!(hint, "write Nbd2 or Nfd2");
        let (message, hint) = fault("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e8");
        assert!(message.contains("what the pawn becomes") && hint.contains("e8=Q"));
        assert!(fault("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e5").0.contains("no pawn of White's"));
        assert!(fault("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "O-O").0.contains("cannot castle"));
        assert!(fault("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "é9").0.contains("is not a move"));
    }
}
