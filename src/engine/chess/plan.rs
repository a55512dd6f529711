//! The board for front ends that know nothing of the game.

use cozy_chess::{Piece, Square};

use super::{Chess, Line, Move, Position, moves, position::letter_of};
use crate::engine::game::{
    Board, BoardKind, BoardMove, BoardPoint, BoardView, Game, LastMove, Side,
};

impl Chess {
    pub(super) fn plan(self, position: &Position, line: &Line, last: Option<Move>) -> Board {
        let mut legal = Vec::new();
        if self.terminal(position, line).is_none() {
            moves::list(position, &mut legal);
        }
        let mover = position.board().side_to_move();
        Board {
            kind: BoardKind::Squares,
            files: ('a'..='h').map(String::from).collect(),
            ranks: (1..=8).rev().map(|rank| rank.to_string()).collect(),
            points: Square::ALL
                .map(|square| point(position, square, last))
                .into(),
            lines: Vec::new(),
            hands: None,
            moves: legal.into_iter().map(plan_move).collect(),
            check: position
                .in_check()
                .then(|| position.board().king(mover) as usize),
            views: vec![BoardView::Flip],
            setup: None,
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
        last: last.and_then(|mv| part_in(mv, square)),
    }
}

fn part_in(mv: Move, square: Square) -> Option<LastMove> {
    if mv.to == square {
        Some(LastMove::To)
    } else {
        (mv.from == square).then_some(LastMove::From)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(fen: &str, last: Option<&str>) -> Board {
        let last = last.map(|text| text.parse().unwrap());
        Chess::default().plan(&fen.parse().unwrap(), &Line::default(), last)
    }

    #[test]
    fn every_square_lies_where_its_name_says() {
        let plan = plan(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            None,
        );
        for point in &plan.points {
            let (file, rank) = (&plan.files[point.x as usize], &plan.ranks[point.y as usize]);
            assert_eq!(point.name, format!("{file}{rank}"));
        }
        assert_eq!(
            (plan.points.len(), plan.moves.len(), plan.check),
            (64, 20, None)
        );
        assert_eq!(
            (plan.points[4].piece, plan.points[4].stone),
            (Some('K'), Some(Side::White))
        );
    }

    #[test]
    fn check_last_move_and_promotions_are_marked() {
        let plan = plan("3rk3/4P3/8/8/8/8/8/3K4 w - - 0 1", Some("d7d8"));
        assert_eq!(
            plan.check.map(|at| plan.points[at].name.as_str()),
            Some("d1")
        );
        let of = |name: &str| plan.points.iter().find(|point| point.name == name).unwrap();
        assert_eq!(
            (of("d8").last, of("d7").last),
            (Some(LastMove::To), Some(LastMove::From))
        );
        let pieces: Vec<_> = plan.moves.iter().filter_map(|mv| mv.promotion).collect();
        assert_eq!(pieces, ['B', 'N', 'Q', 'R']);
    }
}
