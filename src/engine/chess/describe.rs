//! Positions for people and front ends: in words, as a drawing, and as a board.

use cozy_chess::{File, Piece, Rank, Square};

use super::{Chess, End, Move, PlayedLine, Position, evaluation::King, moves, position::letter_of};
use crate::engine::game::{
    Board, BoardKind, BoardMove, BoardPoint, BoardView, LastMove, Rules, Side, Situation,
};

impl Chess {
    pub(super) fn describe(self, position: &Position, line: &PlayedLine) -> Situation {
        let side = position.side();
        let end = self.end(position, line);
        let words = match end {
            None if position.in_check() => format!("{side} to move, in check"),
            None => format!("{side} to move"),
            Some(End::Mate) => format!("{side} is mated: {} has won", side.other()),
            Some(End::Stalemate) => format!("stalemate: {side} cannot move"),
            Some(End::Material) => "a draw: neither side can mate with what is left".to_owned(),
            Some(End::FiftyMoves) => {
                format!("a draw: {} plies without a capture or a pawn's move", position.clock())
            }
            Some(End::Repetition) => format!(
                "a draw: the position occurs for the {} time",
                if line.occurrences(position) >= 4 { "fifth" } else { "third" }
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

    /// The board for front ends that know nothing of the game.
    pub(super) fn plan(self, position: &Position, line: &PlayedLine, last: Option<Move>) -> Board {
        let mut legal = Vec::new();
        if self.terminal(position, line).is_none() {
            moves::list(position, &mut legal);
        }
        let mover = position.board().side_to_move();
        Board {
            kind: BoardKind::Squares,
            files: ('a'..='h').map(String::from).collect(),
            ranks: (1..=8).rev().map(|rank| rank.to_string()).collect(),
            points: Square::ALL.map(|square| point(position, square, last)).into(),
            lines: Vec::new(),
            hands: None,
            moves: legal.into_iter().map(plan_move).collect(),
            check: position.in_check().then(|| position.board().king(mover) as usize),
            views: vec![BoardView::Flip],
            setup: None,
        }
    }
}

/// The filled glyph of each piece, king first as Unicode has them; a text-style selector keeps them from being emoji.
fn glyph(piece: Piece, side: Side) -> String {
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

fn plan_move(mv: Move) -> BoardMove {
    BoardMove {
        mv: mv.to_string(),
        from: Some(mv.from as usize),
        to: mv.to as usize,
        captures: Vec::new(),
        any_order: true,
        promotion: mv.promotion.map(|piece| letter_of(piece, Side::White)),
    }
}

fn point(position: &Position, square: Square, last: Option<Move>) -> BoardPoint {
    let found = position.at(square);
    BoardPoint {
        name: square.to_string(),
        x: square.file() as u8,
        y: 7 - square.rank() as u8,
        stone: found.map(|(_, side)| side),
        piece: found.map(|(piece, _): (Piece, Side)| letter_of(piece, Side::White)),
        in_mill: false,
        last: last.and_then(|mv| part_in(mv, square)),
    }
}

fn part_in(mv: Move, square: Square) -> Option<LastMove> {
    if mv.to == square { Some(LastMove::To) } else { (mv.from == square).then_some(LastMove::From) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(fen: &str, last: Option<&str>) -> Board {
        let last = last.map(|text| text.parse().unwrap());
        Chess::default().plan(&fen.parse().unwrap(), &PlayedLine::default(), last)
    }

    #[test]
    fn every_square_lies_where_its_name_says() {
        let plan = plan("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", None);
        for point in &plan.points {
            let (file, rank) = (&plan.files[point.x as usize], &plan.ranks[point.y as usize]);
            assert_eq!(point.name, format!("{file}{rank}"));
        }
        assert_eq!((plan.points.len(), plan.moves.len(), plan.check), (64, 20, None));
        assert_eq!((plan.points[4].piece, plan.points[4].stone), (Some('K'), Some(Side::White)));
    }

    #[test]
    fn check_last_move_and_promotions_are_marked() {
        let plan = plan("3rk3/4P3/8/8/8/8/8/3K4 w - - 0 1", Some("d7d8"));
        assert_eq!(plan.check.map(|at| plan.points[at].name.as_str()), Some("d1"));
        let of = |name: &str| plan.points.iter().find(|point| point.name == name).unwrap();
        assert_eq!((of("d8").last, of("d7").last), (Some(LastMove::To), Some(LastMove::From)));
        let pieces: Vec<_> = plan.moves.iter().filter_map(|mv| mv.promotion).collect();
        assert_eq!(pieces, ['B', 'N', 'Q', 'R']);
    }
}
