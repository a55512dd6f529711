//! Positions for people: a line of words and a board.

use super::{Morris, Phase, Point, Position, lines::lines};
use crate::engine::game::{Side, Situation};

impl Morris {
    pub(super) fn describe(self, position: &Position) -> Situation {
        let outcome = self.outcome(position).map(|value| {
            if value.get() > 0.0 {
                position.side
            } else {
                position.side.other()
            }
        });
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
            Phase::Placing => counts(
                "place",
                "in hand",
                position.hand(mover),
                position.hand(other),
            ),
            Phase::Moving => counts("move", "stones", own, theirs),
            Phase::Flying => counts("fly", "stones", own, theirs),
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

const UNICODE: BoardSigns = BoardSigns {
    stones: ['●', '○'],
    empty: '·',
    across: '─',
    down: '│',
};

const ASCII: BoardSigns = BoardSigns {
    stones: ['W', 'B'],
    empty: '.',
    across: '-',
    down: '|',
};

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
        canvas[y][x] = position
            .at(point)
            .map_or(ink.empty, |side| ink.stones[side.index()]);
    }
    let mut text = String::new();
    for (y, row) in canvas.iter().enumerate() {
        let label = if y % HEIGHT == 0 {
            char::from(b'7' - (y / HEIGHT) as u8)
        } else {
            ' '
        };
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
        format!(
            "{} {side}, {} in hand",
            ink.stones[side.index()],
            position.hand(side)
        )
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
