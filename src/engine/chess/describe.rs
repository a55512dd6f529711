//! Positions in words and as text.

use cozy_chess::{File, Rank, Square};

use super::{Chess, End, Line, Position, evaluation::King, position::letter_of};
use crate::engine::game::{Side, Situation};

impl Chess {
    pub(super) fn describe(self, position: &Position, line: &Line) -> Situation {
        let side = position.side();
        let end = self.end(position, line);
        let words = match end {
            None if position.in_check() => format!("{side} to move, in check"),
            None => format!("{side} to move"),
            Some(End::Mate) => format!("{side} is mated: {} has won", side.other()),
            Some(End::Stalemate) => format!("stalemate: {side} cannot move"),
            Some(End::Material) => "a draw: neither side can mate with what is left".to_owned(),
            Some(End::FiftyMoves) => format!(
                "a draw: {} plies without a capture or a pawn's move",
                position.clock()
            ),
            Some(End::Repetition) => format!(
                "a draw: the position occurs for the {} time",
                if line.occurrences(position) >= 4 {
                    "fifth"
                } else {
                    "third"
                }
            ),
        };
        let phase = match King::of(position.board()) {
            King::Middlegame => "middlegame",
            King::Endgame => "endgame",
        };
        Situation {
            phase,
            finished: end.is_some(),
            winner: (end == Some(End::Mate)).then(|| side.other()),
            words,
        }
    }
}

/// The filled glyph of each piece, king first as Unicode has them; a text-style selector keeps them from being emoji.
fn glyph(piece: cozy_chess::Piece, side: Side) -> String {
    let place = 5 - piece as u32;
    let first = match side {
        Side::White => 0x2654,
        Side::Black => 0x265A,
    };
    char::from_u32(first + place).map_or(String::new(), |glyph| format!("{glyph}\u{FE0E}"))
}

/// The board from White's side, ranks and files at its edges.
pub(super) fn draw(position: &Position, ascii: bool) -> String {
    let square = |rank, file| match position.at(Square::new(file, rank)) {
        Some((piece, side)) if ascii => letter_of(piece, side).to_string(),
        Some((piece, side)) => glyph(piece, side),
        None if ascii => ".".to_owned(),
        None => "·".to_owned(),
    };
    let mut lines: Vec<String> = Rank::ALL
        .into_iter()
        .rev()
        .map(|rank| {
            let squares = File::ALL.map(|file| square(rank, file));
            format!("{rank} {}", squares.join(" "))
        })
        .collect();
    lines.push("  a b c d e f g h".to_owned());
    lines.join("\n")
}
