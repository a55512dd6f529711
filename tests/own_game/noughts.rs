//! Noughts and crosses, brought to Plyscope: the game's rules and notation, and nothing else.

use std::process::ExitCode;

use plyscope::engine::game::{
    Fault, Game, KeyScheme, Notation, Rules, Score, SearchRules, Side, Weights, Window,
};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default)]
struct Noughts;

/// Cells 1 to 9 as bits 0 to 8, for crosses (who begin) and noughts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Cells {
    taken: [u16; 2],
    side: Side,
}

const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl Cells {
    fn wins(self, side: Side) -> bool {
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

/// What a search asks.
impl Rules for Noughts {
    const NAME: &'static str = "noughts";

    type Position = Cells;
    type History = ();
    type Move = u16;
    type Key = u32;
    type Evaluator = f64;

    fn side(&self, cells: &Cells) -> Side {
        cells.side
    }

    fn start(&self) -> Cells {
        Cells { taken: [0, 0], side: Side::White }
    }

    /// Appends the moves, or tells what a finished game is worth to the side to move.
    fn expand(&self, cells: &Cells, (): &(), moves: &mut Vec<u16>) -> Option<Score> {
        if cells.wins(cells.side.other()) {
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

    /// What equal positions share and no others do.
    fn key(&self, cells: &Cells, _: KeyScheme) -> u32 {
        let black = u32::from(cells.side == Side::Black);
        black << 18 | u32::from(cells.taken[0]) << 9 | u32::from(cells.taken[1])
    }

    fn default_weights(&self) -> Weights {
        Weights::new([("centre", 0.1)])
    }

    /// The heuristic, made ready for a search.
    fn evaluator(&self, weights: &Weights, _: &Cells) -> Result<f64, Fault> {
        Ok(weights.get("centre"))
    }

    fn evaluate(&self, centre: &f64, cells: &Cells) -> Score {
        let held = |side: Side| f64::from(cells.taken[side.index()] >> 4 & 1);
        let balance = held(cells.side) - held(cells.side.other());
        Score::new(centre * balance).unwrap_or_default()
    }

    /// No value lies outside.
    fn full_window(&self, centre: &f64) -> Window {
        let most = Score::ONE.max(Score::new(centre.abs()).unwrap_or_default());
        Window { alpha: -most, beta: most }
    }
}

impl SearchRules for Noughts {
    /// A game lasts nine plies: iterations that go deeper would find nothing new.
    fn max_plies_left(&self, cells: &Cells) -> Option<u8> {
        Some(9 - (cells.taken[0] | cells.taken[1]).count_ones() as u8)
    }
}

/// What people ask.
impl Notation for Noughts {
    fn format_position(&self, cells: &Cells) -> String {
        (0..9).map(|cell| cells.sign(cell)).collect()
    }

    fn parse_position(&self, text: &str) -> Result<Cells, Fault> {
        let mut cells = self.start();
        for (cell, sign) in text.chars().enumerate() {
            match sign {
                'x' if cell < 9 => cells.taken[0] |= 1 << cell,
                'o' if cell < 9 => cells.taken[1] |= 1 << cell,
                '.' if cell < 9 => {}
                _ => {
                    return Err(Fault::new(format!("`{text}` is no position"))
                        .hint("write nine of x, o and ."));
                }
            }
        }
        if cells.taken[0].count_ones() > cells.taken[1].count_ones() {
            cells.side = Side::Black;
        }
        Ok(cells)
    }

    fn format_move(&self, _: &Cells, cell: u16) -> String {
        (cell + 1).to_string()
    }

    /// The board, row by row from the top: it is drawn from this.
    fn squares(&self, cells: &Cells) -> Vec<Vec<Option<(Side, char)>>> {
        let square = |cell: u16| match cells.sign(cell) {
            '.' => None,
            sign => Some((if sign == 'x' { Side::White } else { Side::Black }, sign)),
        };
        [0, 3, 6].map(|row| (row..row + 3).map(square).collect()).into()
    }

    /// Where a move goes on it, as column and row, for cursor and clicks; it comes from nowhere.
    fn move_squares(&self, _: &Cells, cell: u16) -> Option<(Option<[u8; 2]>, [u8; 2])> {
        Some((None, [cell as u8 % 3, cell as u8 / 3]))
    }
}

impl Game for Noughts {}

fn main() -> ExitCode {
    plyscope::main_with::<Noughts>()
}
