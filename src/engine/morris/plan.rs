//! The board for front ends that know nothing of the game.

use super::{Morris, Move, Point, Position, lines::lines};
use crate::engine::game::{Board, BoardKind, BoardMove, BoardPoint, BoardView, LastMove, Side};

/// The files and ranks of the lattice that the points lie on.
const SIZE: usize = 7;

impl Morris {
    pub(super) fn plan(self, position: &Position, last: Option<Move>) -> Board {
        Board {
            kind: BoardKind::Lines,
            files: ('a'..='g').map(String::from).collect(),
            ranks: (1..=SIZE).rev().map(|rank| rank.to_string()).collect(),
            points: Point::all().map(|at| point(position, at, last)).collect(),
            lines: lines().map(|line| line.map(Point::index).into()).collect(),
            hands: Some(Side::ALL.map(|side| position.hand(side) as u32)),
            moves: self.plan_moves(position),
            check: None,
            views: vec![BoardView::Flip, BoardView::Turn, BoardView::Exchange],
            setup: Some("????????/????????/???????? S W B".to_owned()),
        }
    }

    fn plan_moves(self, position: &Position) -> Vec<BoardMove> {
        if self.outcome(position).is_some() {
            return Vec::new();
        }
        let mut moves = Vec::new();
        self.successors(position, &mut moves);
        moves
            .into_iter()
            .map(|mv| self.plan_move(position, mv))
            .collect()
    }

    /// Of two stones in one mill, or one in a mill and the last one outside, one order may be the only legal one.
    fn plan_move(self, position: &Position, mv: Move) -> BoardMove {
        let captures = self.turn(position).captures;
        let mut taken: Vec<Point> = mv.captures().into_iter().collect();
        let possible = |first, second| {
            captures.ones().contains(first) && captures.after(first).contains(second)
        };
        let mut any_order = true;
        if let [one, other] = taken[..] {
            any_order = possible(one, other) && possible(other, one);
            if !possible(one, other) {
                taken.reverse();
            }
        }
        BoardMove {
            mv: mv.to_string(),
            from: mv.from().map(Point::index),
            to: mv.to().index(),
            captures: taken.into_iter().map(Point::index).collect(),
            any_order,
            promotion: None,
        }
    }
}

fn point(position: &Position, at: Point, last: Option<Move>) -> BoardPoint {
    let stone = position.at(at);
    BoardPoint {
        name: at.name().to_owned(),
        x: at.file() as u8,
        y: (SIZE - at.rank()) as u8,
        stone,
        piece: None,
        in_mill: stone.is_some_and(|side| position.in_mills(side).contains(at)),
        last: last.and_then(|mv| part_in(mv, at)),
    }
}

fn part_in(mv: Move, at: Point) -> Option<LastMove> {
    if mv.to() == at {
        Some(LastMove::To)
    } else if mv.from() == Some(at) {
        Some(LastMove::From)
    } else {
        mv.captures().contains(at).then_some(LastMove::Taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(state: &str, last: Option<&str>) -> Board {
        let last = last.map(|text| text.parse().unwrap());
        Morris::default().plan(&state.parse().unwrap(), last)
    }

    #[test]
    fn every_point_lies_where_its_name_says() {
        let plan = plan("......../......../........ w 9 9", None);
        for point in &plan.points {
            let (file, rank) = (&plan.files[point.x as usize], &plan.ranks[point.y as usize]);
            assert_eq!(point.name, format!("{file}{rank}"));
        }
        assert_eq!((plan.points.len(), plan.lines.len()), (24, 16));
        assert_eq!(plan.moves.len(), 24);
    }

    #[test]
    fn mills_and_the_last_move_are_marked() {
        let plan = plan("www...../......../b....... b 6 7", Some("d7xb6"));
        let of = |name: &str| plan.points.iter().find(|point| point.name == name).unwrap();
        assert!(of("a7").in_mill && !of("c5").in_mill);
        assert_eq!(of("d7").last, Some(LastMove::To));
        assert_eq!(of("b6").last, Some(LastMove::Taken));
    }

    #[test]
    fn two_captures_come_in_an_order_that_is_possible() {
        // g7 closes two mills; d3 is black's only stone outside the mill on c5 c4 c3, so it goes first.
        let plan = plan("ww.ww.../......../b....bbb w 5 5", None);
        let double = plan.moves.iter().find(|mv| mv.mv == "g7xc5xd3").unwrap();
        let names: Vec<_> = double
            .captures
            .iter()
            .map(|&at| &plan.points[at].name)
            .collect();
        assert_eq!(names, ["d3", "c5"]);
        assert!(!double.any_order);
    }

    #[test]
    fn a_finished_game_has_no_moves() {
        assert!(
            plan("ww....../......../b.b.b... w 0 0", None)
                .moves
                .is_empty()
        );
    }
}
