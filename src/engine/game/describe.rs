//! What is told of positions, moves and rules.

use serde::{Deserialize, Serialize};

use super::{Game, Score, Side};

/// A number of a position, such as its stones: its name in conditions (letters, digits and underscores), and what works it
/// out.
pub type PositionFact<P> = (&'static str, fn(&P) -> f64);

/// One rule of a game that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// Its name in commands.
    pub name: String,
    /// The choice in force.
    pub value: String,
    /// All choices.
    pub choices: Vec<String>,
    /// What it decides, in one line.
    pub help: String,
}

impl Rule {
    /// A rule and the choice in force.
    pub fn new(name: &str, value: &str, choices: [&str; 2], help: &str) -> Self {
        let [name, value, help] = [name, value, help].map(str::to_owned);
        Self { name, value, choices: choices.map(str::to_owned).into(), help }
    }
}

/// What a position is, for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Situation {
    /// The game's name for the stage of play, such as `placing`.
    pub phase: &'static str,
    /// Whether the game is over.
    pub finished: bool,
    /// The winner of a finished game; `None` there is a draw.
    pub winner: Option<Side>,
    /// One line of prose: who is to do what, stones in hand, why it is over.
    pub words: String,
}

/// What a move means to matches that end as a draw for want of progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stride {
    /// Such moves are not counted: stones are still being placed, or the game knows no such rule.
    Uncounted,
    /// Progress was made, such as a mill: the count begins anew.
    Progress,
    /// Nothing happened: the count goes on.
    Quiet,
}

/// One term of the heuristic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Term {
    /// Its name, the same as its weight's.
    pub name: String,
    /// White's count.
    pub white: f64,
    /// Black's count.
    pub black: f64,
    /// The weight that multiplies both.
    pub weight: f64,
}

impl Term {
    /// White's share minus black's, weighted.
    pub fn balance(&self) -> Score {
        Score::from_finite(self.weight * (self.white - self.black))
    }
}

/// A game as a file has it.
#[derive(Clone, Debug)]
pub struct Imported<G: Game> {
    /// The first position.
    pub start: G::Position,
    /// The moves from there.
    pub moves: Vec<G::Move>,
    /// What else is said of the game, by the names of PGN's tags.
    pub tags: Vec<(String, String)>,
}

/// What was played, from where.
#[derive(Clone, Copy, Debug)]
pub struct LineOfPlay<'a, G: Game> {
    /// The first position.
    pub start: &'a G::Position,
    /// The moves from there.
    pub moves: &'a [G::Move],
    /// What else is known of the game, by the names of PGN's tags, such as `White`.
    pub tags: &'a [(&'a str, String)],
}
