//! The records in which a game describes its positions, moves and rules.

use serde::{Deserialize, Serialize};

use super::{Score, Side};
use crate::text::number;

/// A named number of a position, such as its stones: the name in conditions (letters, digits, underscores), and the function.
pub type Feature<P> = (&'static str, fn(&P) -> f64);

/// A rule of a game with several variants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// The rule's name in commands, such as `flying`.
    pub name: String,
    /// The variant that is in force.
    pub value: String,
    /// The names of all variants.
    pub choices: Vec<String>,
    /// One line of help that says what the variants mean.
    pub help: String,
}

impl Rule {
    /// A rule with two variants.
    pub fn new(name: &str, value: &str, choices: [&str; 2], help: &str) -> Self {
        let [name, value, help] = [name, value, help].map(str::to_owned);
        Self { name, value, choices: choices.map(str::to_owned).into(), help }
    }
}

/// The state of the game in a position, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameStatus {
    /// The phase of the game, such as `placing`.
    pub phase: &'static str,
    /// Whether the game is over.
    pub finished: bool,
    /// The winner of a finished game; `None` in a draw or while the game goes on.
    pub winner: Option<Side>,
    /// A sentence: whose turn it is, stones in hand, or why the game is over.
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

/// The effect of a move on a match's count of moves without progress, which resembles chess's halfmove clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawClock {
    /// The count of moves without progress stays: stones are still being placed, or the game has no such rule.
    Hold,
    /// The count of moves without progress returns to 0: a mill was closed.
    Reset,
    /// The count of moves without progress increases by one.
    Advance,
}

/// One term of the evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Term {
    /// The name of the term, which is also that of its weight.
    pub name: String,
    /// The term's count for White.
    pub white: f64,
    /// The term's count for Black.
    pub black: f64,
    /// The weight by which White's and Black's counts are multiplied.
    pub weight: f64,
}

impl Term {
    /// White's count minus Black's, times the weight.
    pub fn balance(&self) -> Score {
        Score::from_finite(self.weight * (self.white - self.black))
    }
}

/// The value of an evaluation for one side, and if the game divides the sum of the terms, how: `+4 / 120 = +0.033`.
pub fn quotient(terms: &[Term], divisor: f64, value: Score) -> String {
    let sum: f64 = terms.iter().map(|term| term.balance().get()).sum();
    let value_text = number::worth(value);
    if divisor == 1.0 || sum == 0.0 {
        return value_text;
    }
    // The sum is White's; its sign must be that of the side whose value this is.
    let sum = number::difference(sum.copysign(value.get() * divisor));
    format!("{sum} / {} = {value_text}", number::digits(divisor))
}

/// The names of the tags in PGN's seven tag roster, in order.
pub const TAG_ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
