//! Standard algebraic notation, as PGN has it.

use cozy_chess::{File, Piece, Rank, Square};

use super::{Move, Position, fen, move_text::describe_piece, moves};
use crate::engine::game::{Fault, Side};

/// Writes a legal move, with `+` or `#` where it checks or mates.
pub(super) fn write(position: &Position, mv: Move) -> String {
    let moved = position.board().piece_on(mv.from).unwrap_or(Piece::Pawn);
    let next = position.after(mv);
    let mark = match (next.in_check(), moves::any(&next)) {
        (true, true) => "+",
        (true, false) => "#",
        (false, _) => "",
    };
    format!("{}{mark}", body(position, mv, moved))
}

fn body(position: &Position, mv: Move, moved: Piece) -> String {
    if mv.castles(moved) {
        return if mv.to.file() == File::G {
            "O-O"
        } else {
            "O-O-O"
        }
        .to_owned();
    }
    let takes = position.victim(mv, moved).is_some();
    let cross = if takes { "x" } else { "" };
    let from = match moved {
        Piece::Pawn if takes => mv.from.file().to_string(),
        Piece::Pawn => String::new(),
        _ => format!(
            "{}{}",
            fen::letter_of(moved, Side::White),
            told_apart(position, mv, moved)
        ),
    };
    let promotion = mv.promotion.map_or(String::new(), |piece| {
        format!("={}", fen::letter_of(piece, Side::White))
    });
    format!("{from}{cross}{}{promotion}", mv.to)
}

/// As much of the square a piece comes from as tells it apart from its like: file, else rank, else both.
fn told_apart(position: &Position, mv: Move, moved: Piece) -> String {
    let rivals: Vec<Square> = candidates(position)
        .into_iter()
        .filter(|rival| rival.to == mv.to && rival.from != mv.from)
        .filter(|rival| position.board().piece_on(rival.from) == Some(moved))
        .map(|rival| rival.from)
        .collect();
    let same_file = rivals.iter().any(|rival| rival.file() == mv.from.file());
    let same_rank = rivals.iter().any(|rival| rival.rank() == mv.from.rank());
    match (rivals.is_empty(), same_file, same_rank) {
        (true, ..) => String::new(),
        (false, false, _) => mv.from.file().to_string(),
        (false, true, false) => mv.from.rank().to_string(),
        (false, true, true) => mv.from.to_string(),
    }
}

fn candidates(position: &Position) -> Vec<Move> {
    let mut legal = Vec::new();
    moves::list(position, &mut legal);
    legal
}

/// What a move in SAN says.
#[derive(Debug)]
struct Said {
    piece: Piece,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Piece>,
}

impl Said {
    /// Reads all but castling. Capture signs and marks such as `+`, `#`, `!` and `e.p.` are not asked for.
    fn read(text: &str) -> Option<Self> {
        let text = text.strip_suffix("e.p.").map_or(text, str::trim_end);
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        let (piece, rest) = match text.chars().next()? {
            letter @ ('N' | 'B' | 'R' | 'Q' | 'K') => (fen::piece_of(letter)?, &text[1..]),
            _ => (Piece::Pawn, text),
        };
        let (rest, promotion) = split_promotion(rest, piece)?;
        let squares: Vec<char> = rest
            .chars()
            .filter(|letter| !matches!(letter, 'x' | '-' | ':'))
            .collect();
        let [before @ .., file, rank] = &squares[..] else {
            return None;
        };
        let to = Square::new((*file).try_into().ok()?, (*rank).try_into().ok()?);
        let (file, rank) = match before {
            [] => (None, None),
            [one] if one.is_ascii_digit() => (None, Some((*one).try_into().ok()?)),
            [one] => (Some((*one).try_into().ok()?), None),
            [file, rank] => (
                Some((*file).try_into().ok()?),
                Some((*rank).try_into().ok()?),
            ),
            _ => return None,
        };
        Some(Self {
            piece,
            file,
            rank,
            to,
            promotion,
        })
    }

    fn fits(&self, position: &Position, mv: Move) -> bool {
        let moved = position.board().piece_on(mv.from);
        moved == Some(self.piece)
            && mv.to == self.to
            && !mv.castles(self.piece)
            && self.file.is_none_or(|file| mv.from.file() == file)
            && self.rank.is_none_or(|rank| mv.from.rank() == rank)
    }
}

/// `e8=Q`, `e8Q` and `e8(Q)`: the rest, and what the pawn becomes.
fn split_promotion(text: &str, piece: Piece) -> Option<(&str, Option<Piece>)> {
    if piece != Piece::Pawn {
        return Some((text, None));
    }
    let bare = text.trim_end_matches(')');
    let last = bare.chars().next_back()?;
    if !matches!(last, 'N' | 'B' | 'R' | 'Q') {
        return Some((text, None));
    }
    let rest = bare[..bare.len() - 1].trim_end_matches(['=', '(', '/']);
    Some((rest, fen::piece_of(last)))
}

/// Reads a legal move.
pub(super) fn read(position: &Position, text: &str) -> Result<Move, Fault> {
    let legal = candidates(position);
    if let Some(file) = castling(text) {
        let castles = |mv: &&Move| {
            let king = position.board().piece_on(mv.from) == Some(Piece::King);
            king && mv.castles(Piece::King) && mv.to.file() == file
        };
        return legal.iter().find(castles).copied().ok_or_else(|| {
            Fault::new(format!(
                "{} cannot castle on that side now",
                position.side()
            ))
            .hint("`moves` lists the legal moves")
        });
    }
    let said = Said::read(text).ok_or_else(|| {
        Fault::new(format!("`{text}` is not a move"))
            .hint("write a move in UCI, such as e2e4 or e7e8q, or in SAN, such as e4, Nbd7, exd6, O-O or e8=Q")
    })?;
    let fitting: Vec<Move> = legal
        .into_iter()
        .filter(|mv| said.fits(position, *mv))
        .collect();
    choose(position, &said, &fitting, text)
}

fn castling(text: &str) -> Option<File> {
    match text.trim_end_matches(['+', '#', '!', '?']) {
        "O-O" | "0-0" | "o-o" => Some(File::G),
        "O-O-O" | "0-0-0" | "o-o-o" => Some(File::C),
        _ => None,
    }
}

fn choose(position: &Position, said: &Said, fitting: &[Move], text: &str) -> Result<Move, Fault> {
    let chosen = fitting.iter().find(|mv| mv.promotion == said.promotion);
    let several = fitting.windows(2).any(|pair| pair[0].from != pair[1].from);
    match (chosen, fitting.first()) {
        (Some(mv), _) if !several => Ok(*mv),
        (_, Some(_)) if several => {
            let mut names: Vec<_> = fitting.iter().map(|mv| write(position, *mv)).collect();
            names.dedup();
            Err(Fault::new(format!("{text} can be more than one move"))
                .hint(format!("write {}", names.join(" or "))))
        }
        (None, Some(mv)) if mv.promotion.is_some() => Err(Fault::new(format!(
            "{text} does not say what the pawn becomes"
        ))
        .hint(format!(
            "write {}=Q, or R, B or N",
            body_without_promotion(position, *mv)
        ))),
        _ => {
            let piece = describe_piece(said.piece);
            let message = format!(
                "{text} is not legal: no {piece} of {}'s can go to {} so",
                position.side(),
                said.to
            );
            Err(Fault::new(message).hint("`moves` lists the legal moves"))
        }
    }
}

fn body_without_promotion(position: &Position, mv: Move) -> String {
    body(
        position,
        Move {
            promotion: None,
            ..mv
        },
        Piece::Pawn,
    )
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
        assert_eq!(write(&position, mv), san, "{fen}");
        assert_eq!(read(&position, san).unwrap(), mv, "{fen}");
    }

    #[test]
    fn moves_are_written_and_read() {
        both("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4", "e4");
        both("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "exd5");
        both(
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "e5f6",
            "exf6",
        );
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
            assert_eq!(
                read(&promoting, text).unwrap().to_string(),
                "e7e8q",
                "{text}"
            );
        }
        let start = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert_eq!(read(&start, "Ng1-f3").unwrap().to_string(), "g1f3");
    }

    #[test]
    fn what_cannot_be_read_is_explained() {
        let fault = |fen: &str, text: &str| {
            let fault = read(&position(fen), text).unwrap_err();
            (fault.message, fault.hint.unwrap())
        };
        let (message, hint) = fault("4k3/8/8/8/8/8/8/RN2KN2 w - - 0 1", "Nd2");
        assert_eq!(message, "Nd2 can be more than one move");
        assert_eq!(hint, "write Nbd2 or Nfd2");
        let (message, hint) = fault("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e8");
        assert!(message.contains("what the pawn becomes") && hint.contains("e8=Q"));
        assert!(
            fault("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e5")
                .0
                .contains("no pawn of White's")
        );
        assert!(
            fault("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "O-O")
                .0
                .contains("cannot castle")
        );
        assert!(
            fault("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "é9")
                .0
                .contains("is not a move")
        );
    }
}
