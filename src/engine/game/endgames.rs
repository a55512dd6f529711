use std::fmt::{self, Debug};

use serde::Serialize;

use super::{Game, Score, Side};

/// Endgames that retrograde analysis solves, for a game that has them: positions of stones on the 24 points of the morris
/// board, none in hand.
pub trait Endgames<G: Game> {
    /// The stones of the side to move and those of the opponent, bit `n` for the point of index `n`. `None` while a side has
    /// stones in hand.
    fn stones(&self, position: &G::Position) -> Option<[u32; 2]>;

    /// The position with these stones, in the same order, none in hand. `None` if it cannot be played.
    fn position(&self, stones: [u32; 2], side: Side) -> Option<G::Position>;

    /// Whether a side with three stones may jump.
    fn flies(&self) -> bool;
}

/// The outcome of a position with best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Outcome {
    Win,
    Draw,
    Loss,
}

/// The true value of a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrueValue {
    /// The outcome.
    pub outcome: Outcome,
    /// The plies to the end, a capture being part of its ply; `None` for a draw, and in tables without distances.
    pub plies: Option<u32>,
}

impl TrueValue {
    /// A draw.
    pub const DRAW: Self = Self { outcome: Outcome::Draw, plies: None };
    /// A game that is over and lost for the side to move.
    pub const LOST: Self = Self { outcome: Outcome::Loss, plies: Some(0) };

    /// The value of the move that leads to a position of this value.
    #[must_use]
    pub fn parent(self) -> Self {
        let outcome = match self.outcome {
            Outcome::Win => Outcome::Loss,
            Outcome::Draw => Outcome::Draw,
            Outcome::Loss => Outcome::Win,
        };
        Self { outcome, plies: self.plies.map(|plies| plies + 1) }
    }

    /// Greater is better: a quick win before a slow one, a slow loss before a quick one; an unknown number of plies is the
    /// greatest.
    pub fn rank(self) -> i64 {
        const MOST_PLIES: i64 = 1000;
        let plies = self.plies.map_or(MOST_PLIES - 1, i64::from);
        match self.outcome {
            Outcome::Win => MOST_PLIES - plies,
            Outcome::Draw => 0,
            Outcome::Loss => plies - MOST_PLIES,
        }
    }

    /// The value of a game that is over.
    pub fn finished(score: Score) -> Self {
        let outcome = match score.get() {
            value if value > 0.0 => Outcome::Win,
            value if value < 0.0 => Outcome::Loss,
            _ => return Self::DRAW,
        };
        Self { outcome, plies: Some(0) }
    }

    /// 1 for a win, 0 for a draw, -1 for a loss.
    pub fn sign(self) -> f64 {
        (self.rank().signum() as i8).into()
    }

    /// Whether a value for the side to move has another sign.
    pub fn contradicts(self, value: Score) -> bool {
        let value = value.get();
        self.sign() != if value == 0.0 { 0.0 } else { value.signum() }
    }
}

impl fmt::Display for TrueValue {
    /// Writes `win in 5`, `draw`, `loss`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.outcome {
            Outcome::Win => "win",
            Outcome::Draw => "draw",
            Outcome::Loss => "loss",
        })?;
        self.plies.map_or(Ok(()), |plies| write!(f, " in {plies}"))
    }
}

/// Endgame tables at hand, open for probing. They stay open until the program ends, so that games with tables can be copied.
pub trait TrueValues: Debug + Send + Sync {
    /// The value of a position, given as by [`Endgames::stones`]; `None` if no table covers it, and where a file turns out to be
    /// damaged.
    fn value(&self, stones: [u32; 2]) -> Option<TrueValue>;

    /// Whether they hold for these rules, given as by [`Game::rules_text`].
    fn hold_for(&self, rules: &str) -> bool;

    /// A checksum of what the tables are: equal ones have equal values.
    fn digest(&self) -> u32;
}

impl PartialEq for dyn TrueValues {
    fn eq(&self, other: &Self) -> bool {
        self.digest() == other.digest()
    }
}

impl Eq for dyn TrueValues {}
