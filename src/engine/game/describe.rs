//! The records in which a game describes its positions, moves and rules.

use serde::{Deserialize, Serialize};

use super::{Score, Side};

/// A number of a position, such as its stones: its name in conditions (letters, digits, underscores) and its function.
pub type Feature<P> = (&'static str, fn(&P) -> f64);

/// A rule of a game with several variants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// The name in commands.
    pub name: String,
    /// The variant in force.
    pub value: String,
    /// All variants.
    pub choices: Vec<String>,
    /// One line of help.
    pub help: String,
}

impl Rule {
    /// A rule with its variant in force and its two variants.
    pub fn new(name: &str, value: &str, choices: [&str; 2], help: &str) -> Self {
        let [name, value, help] = [name, value, help].map(str::to_owned);
        Self { name, value, choices: choices.map(str::to_owned).into(), help }
    }
}

/// A position described for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameStatus {
    /// The phase of the game, such as `placing`.
    pub phase: &'static str,
    /// Whether the game is over.
    pub finished: bool,
    /// The winner of a finished game; `None` is a draw.
    pub winner: Option<Side>,
    /// A sentence: whose turn it is, stones in hand, why the game is over.
    pub description: String,
}

impl GameStatus {
    /// The result as in PGN: `1-0`, `0-1`, `1/2-1/2`, or `*` for a game that goes on.
    pub const fn result(&self) -> &'static str {
        match (self.finished, self.winner) {
            (false, _) => "*",
            (true, None) => "1/2-1/2",
            (true, Some(Side::White)) => "1-0",
            (true, Some(Side::Black)) => "0-1",
        }
    }
}

/// The effect of a move on a match's count of moves without progress, as captures and pawn moves reset chess's halfmove clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawClock {
    /// The count stays: stones are still being placed, or the game has no such rule.
    Hold,
    /// The count begins anew: a mill was closed.
    Reset,
    /// The count goes up by one.
    Advance,
}

/// One term of the heuristic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Term {
    /// The name of the term and of its weight.
    pub name: String,
    /// White's count.
    pub white: f64,
    /// Black's count.
    pub black: f64,
    /// The weight of both counts.
    pub weight: f64,
}

impl Term {
    /// The weighted difference, white's count minus black's.
    pub fn balance(&self) -> Score {
        Score::from_finite(self.weight * (self.white - self.black))
    }
}

/// The seven tag roster of PGN.
pub const TAG_ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
