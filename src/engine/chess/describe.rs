//! Positions for people and front ends: in words, and as a board.

use cozy_chess::{Piece, Square};

use super::{Chess, End, Move, PlayedLine, Position, moves, position::letter_of};
use crate::engine::game::{Board, BoardKind, BoardMove, BoardPoint, LastMove, Rules, Side};

impl Chess {
    pub(super) fn turn_or_end(self, position: &Position, line: &PlayedLine) -> String {
        let side = position.side();
        match self.end(position, line) {
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
        }
    }
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
        last: last.and_then(|mv| LastMove::part(square, Some(mv.from), mv.to, false)),
    }
}
