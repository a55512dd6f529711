//! Noughts and crosses for Plyscope, from the rules to the finished program: a tutorial.
//!
//! `Rules` is the game for a search, `Notation` the game for people. Everything else has defaults.

use std::process::ExitCode;

use plyscope::engine::game::{
    Fault, Game, KeyScheme, Notation, Rules, Score, SearchRules, Side, Weights, Window,
};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default)]
struct Noughts;

/// Cells 1 to 9 are bits 0 to 8, for crosses (White, who begins) and noughts (Black).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Cells {
    taken: [u16; 2],
    side: Side,
}

const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl Cells {
    fn has_line(self, side: Side) -> bool {
        LINES.iter().any(|line| self.taken[side.index()] & line == *line)
    }

    fn sign(self, cell: u16) -> char {
        match self.taken.map(|taken| taken >> cell & 1) {
            [1, _] => 'x',
            [_, 1] => 'o',
            _ => '.',
        }
    }
}

impl Rules for Noughts {
    const NAME: &'static str = "noughts";

    type Position = Cells;
    type History = (); // no repetitions
    type Move = u16; // the cell
    type Key = u32;
    type Evaluator = f64; // the weight

    fn start(&self) -> Cells {
        Cells { taken: [0, 0], side: Side::White }
    }

    fn side(&self, cells: &Cells) -> Side {
        cells.side
    }

    /// Appends the legal moves, or returns the value of a finished game for the side to move.
    fn expand(&self, cells: &Cells, (): &(), moves: &mut Vec<u16>) -> Option<Score> {
        if cells.has_line(cells.side.other()) {
            return Some(-Score::ONE);
        }
        if cells.taken[0] | cells.taken[1] == 0o777 {
            return Some(Score::ZERO);
        }
        moves.extend((0..9).filter(|cell| cells.sign(*cell) == '.'));
        None
    }

    fn apply(&self, cells: &Cells, cell: u16) -> Cells {
        let mut next = Cells { side: cells.side.other(), ..*cells };
        next.taken[cells.side.index()] |= 1 << cell;
        next
    }

    /// The key in the transposition table: no two positions share one.
    fn key(&self, cells: &Cells, _: KeyScheme) -> u32 {
        (cells.side as u32) << 18 | u32::from(cells.taken[0]) << 9 | u32::from(cells.taken[1])
    }

    fn default_weights(&self) -> Weights {
        Weights::new([("centre", 0.1)])
    }

    fn evaluator(&self, weights: &Weights, _root: &Cells) -> Result<f64, Fault> {
        Ok(weights.get("centre"))
    }

    /// The heuristic value for the side to move.
    fn evaluate(&self, centre: &f64, cells: &Cells) -> Score {
        let held = |side: Side| f64::from(cells.taken[side.index()] >> 4 & 1);
        let balance = held(cells.side) - held(cells.side.other());
        Score::new(centre * balance).unwrap_or_default()
    }

    /// The window that contains all values.
    fn full_window(&self, centre: &f64) -> Window {
        let most = Score::ONE.max(Score::new(centre.abs()).unwrap_or_default());
        Window { alpha: -most, beta: most }
    }
}

impl Notation for Noughts {
    fn parse_position(&self, text: &str) -> Result<Cells, Fault> {
        let mut cells = self.start();
        for (cell, sign) in text.chars().enumerate() {
            match sign {
                'x' if cell < 9 => cells.taken[0] |= 1 << cell,
                'o' if cell < 9 => cells.taken[1] |= 1 << cell,
                '.' if cell < 9 => {}
                _ => return Err(Fault::new("no position").hint("write nine of x, o and .")),
            }
        }
        let [crosses, noughts] = cells.taken.map(u16::count_ones);
        cells.side = if crosses > noughts { Side::Black } else { Side::White };
        Ok(cells)
    }

    fn format_position(&self, cells: &Cells) -> String {
        (0..9).map(|cell| cells.sign(cell)).collect()
    }

    fn format_move(&self, _: &Cells, cell: u16) -> String {
        (cell + 1).to_string()
    }

    /// The board, row by row from the top.
    fn squares(&self, cells: &Cells) -> Vec<Vec<Option<(Side, char)>>> {
        let square = |cell: u16| match cells.sign(cell) {
            '.' => None,
            sign => Some((if sign == 'x' { Side::White } else { Side::Black }, sign)),
        };
        [0, 3, 6].map(|row| (row..row + 3).map(square).collect()).into()
    }

    /// The destination of a move as column and row, for cursor and clicks. A move has no origin.
    fn move_squares(&self, _: &Cells, cell: u16) -> Option<(Option<[u8; 2]>, [u8; 2])> {
        Some((None, [cell as u8 % 3, cell as u8 / 3]))
    }
}

impl SearchRules for Noughts {
    /// The plies left: deeper iterations would find nothing new.
    fn max_plies_left(&self, cells: &Cells) -> Option<u8> {
        Some(9 - (cells.taken[0] | cells.taken[1]).count_ones() as u8)
    }
}

impl Game for Noughts {}

fn main() -> ExitCode {
    plyscope::main_with::<Noughts>()
}
