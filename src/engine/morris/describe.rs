//! Positions for people and front ends: in words, as a drawing, and as a board.

use super::{Morris, Move, MovePhase, Point, Position, lines::lines};
use crate::engine::game::{
    Board, BoardKind, BoardMove, BoardPoint, BoardView, LastMove, Side, Situation,
};

impl Morris {
    pub(super) fn describe(self, position: &Position) -> Situation {
        let outcome = self
            .outcome(position)
            .map(|value| if value.get() > 0.0 { position.side } else { position.side.other() });
        Situation {
            phase: self.phase(position).name(),
            finished: outcome.is_some(),
            winner: outcome,
            words: self.words(position),
        }
    }

    /// Who is to do what or, at the end, who has won and why.
    pub(super) fn words(self, position: &Position) -> String {
        let (mover, other) = (position.side, position.side.other());
        if position.lacks_stones(mover) {
            return lost_for_stones(position, mover);
        }
        if position.lacks_stones(other) {
            return lost_for_stones(position, other);
        }
        if self.outcome(position).is_some() {
            return format!("{other} has won: {mover} cannot move");
        }
        let counts = |verb: &str, what: &str, own: usize, theirs: usize| {
            format!("{mover} to {verb} ({own} {what}, {other} {theirs})")
        };
        let (own, theirs) = (position.stones(mover).len(), position.stones(other).len());
        match self.phase(position) {
            MovePhase::Placing => {
                counts("place", "in hand", position.hand(mover), position.hand(other))
            }
            MovePhase::Moving => counts("move", "stones", own, theirs),
            MovePhase::Flying => counts("fly", "stones", own, theirs),
        }
    }
}

fn lost_for_stones(position: &Position, loser: Side) -> String {
    let (left, winner) = (position.stones(loser).len(), loser.other());
    let plural = if left == 1 { "" } else { "s" };
    format!("{winner} has won: {loser} has {left} stone{plural} left")
}

/// What a board is drawn with.
struct BoardSigns {
    stones: [char; 2],
    empty: char,
    across: char,
    down: char,
}

const UNICODE: BoardSigns =
    BoardSigns { stones: ['●', '○'], empty: '·', across: '─', down: '│' };

const ASCII: BoardSigns = BoardSigns { stones: ['W', 'B'], empty: '.', across: '-', down: '|' };

/// Character cells a file and a rank take.
const WIDTH: usize = 4;
const HEIGHT: usize = 2;

type Canvas = [[char; 6 * WIDTH + 1]; 6 * HEIGHT + 1];

pub(super) fn draw(position: &Position, ascii: bool) -> String {
    let ink = if ascii { ASCII } else { UNICODE };
    let mut canvas: Canvas = [[' '; 6 * WIDTH + 1]; 6 * HEIGHT + 1];
    for [start, _, end] in lines() {
        draw_line(&mut canvas, &ink, place(start), place(end));
    }
    for point in Point::all() {
        let (x, y) = place(point);
        canvas[y][x] = position.at(point).map_or(ink.empty, |side| ink.stones[side.index()]);
    }
    let mut text = String::new();
    for (y, row) in canvas.iter().enumerate() {
        let label = if y % HEIGHT == 0 { char::from(b'7' - (y / HEIGHT) as u8) } else { ' ' };
        let row: String = row.iter().collect();
        text.push_str(format!("{label} {row}").trim_end());
        text.push('\n');
    }
    text.push_str("  a   b   c   d   e   f   g\n");
    text.push_str(&legend(position, &ink));
    text
}

fn legend(position: &Position, ink: &BoardSigns) -> String {
    let of = |side: Side| {
        format!("{} {side}, {} in hand", ink.stones[side.index()], position.hand(side))
    };
    format!("  {}   {}\n", of(Side::White), of(Side::Black))
}

fn place(point: Point) -> (usize, usize) {
    (point.file() * WIDTH, (7 - point.rank()) * HEIGHT)
}

fn draw_line(
    canvas: &mut Canvas,
    ink: &BoardSigns,
    (x0, y0): (usize, usize),
    (x1, y1): (usize, usize),
) {
    let stroke = if y0 == y1 { ink.across } else { ink.down };
    for row in &mut canvas[y0.min(y1)..=y0.max(y1)] {
        row[x0.min(x1)..=x0.max(x1)].fill(stroke);
    }
}

/// The files and ranks of the lattice that the points lie on.
const SIZE: usize = 7;

impl Morris {
    /// The board for front ends that know nothing of the game.
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
        moves.into_iter().map(|mv| self.plan_move(position, mv)).collect()
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
        let names: Vec<_> = double.captures.iter().map(|&at| &plan.points[at].name).collect();
        assert_eq!(names, ["d3", "c5"]);
        assert!(!double.any_order);
    }

    #[test]
    fn a_finished_game_has_no_moves() {
        assert!(plan("ww....../......../b.b.b... w 0 0", None).moves.is_empty());
    }
}
