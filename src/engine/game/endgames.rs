use std::fmt::{self, Debug};

use serde::Serialize;

use super::{Game, Score, Side};
use crate::engine::core::{game::is_default, table::Bound};

/// Endgames that retrograde analysis solves: positions of stones on the 24 points of the morris board, none in hand.
pub trait Endgames<G: Game>: Sync {
    /// The stones of the side to move and those of the opponent, bit `n` for the point of index `n`. `None` while a side has
    /// stones in hand.
    fn stones(&self, position: &G::Position) -> Option<[u32; 2]>;

    /// The position with these stones (of the side to move, then of the opponent), none in hand; `None` if it is not playable.
    fn position(&self, stones: [u32; 2], side: Side) -> Option<G::Position>;

    /// Whether a side with three stones may jump.
    fn flies(&self) -> bool;

    /// A position in 56 bits, the same for positions equal by symmetry or with colours and side to move exchanged: from the top
    /// the stones in hand of the side to move and of the opponent (four bits each), then their stones on the board (24 bits
    /// each).
    fn canonical_bits(&self, position: &G::Position) -> u64;
}

/// The outcome of a position for the side to move, with best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Outcome {
    Win,
    Draw,
    Loss,
}

impl Outcome {
    /// One letter for narrow columns: `W`, `D` or `L`.
    pub const fn letter(self) -> char {
        match self {
            Self::Win => 'W',
            Self::Draw => 'D',
            Self::Loss => 'L',
        }
    }
}

/// The true value of a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TrueValue {
    /// The outcome with best play.
    #[serde(rename = "truth")]
    pub outcome: Outcome,
    /// The plies to the end (a move and its capture are one ply); `None` for a draw, and in tables without distances.
    #[serde(rename = "distance", skip_serializing_if = "Option::is_none")]
    pub plies: Option<u32>,
}

impl TrueValue {
    /// The value of a drawn position.
    pub const DRAW: Self = Self { outcome: Outcome::Draw, plies: None };
    /// The value of a finished game that the side to move has lost.
    pub const LOST: Self = Self { outcome: Outcome::Loss, plies: Some(0) };

    /// This value from the other side's view.
    #[must_use]
    pub fn negated(self) -> Self {
        let outcome = match self.outcome {
            Outcome::Win => Outcome::Loss,
            Outcome::Draw => Outcome::Draw,
            Outcome::Loss => Outcome::Win,
        };
        Self { outcome, ..self }
    }

    /// The value of a move that leads to a position of this value, for the side that moves.
    #[must_use]
    pub fn parent(self) -> Self {
        Self { plies: self.plies.map(|plies| plies + 1), ..self.negated() }
    }

    /// A rank for comparisons, greater for better values: a quick win before a slow one, a slow loss before a quick one; an
    /// unknown distance counts as the longest.
    pub fn rank(self) -> i64 {
        const MOST_PLIES: i64 = 1000;
        let plies = self.plies.map_or(MOST_PLIES - 1, i64::from);
        match self.outcome {
            Outcome::Win => MOST_PLIES - plies,
            Outcome::Draw => 0,
            Outcome::Loss => plies - MOST_PLIES,
        }
    }

    /// The true value of a finished game, from its score.
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

    /// Whether the sign of a search's value or bound, for the same side, contradicts this true value.
    pub fn contradicts(self, value: Score, bound: Bound) -> bool {
        let sign = if value == Score::ZERO { 0.0 } else { value.get().signum() };
        match bound {
            Bound::Exact => sign != self.sign(),
            Bound::Lower => sign > self.sign(),
            Bound::Upper => sign < self.sign(),
        }
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

/// A true value, shown beside the value of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Truth {
    /// The true value, for the side that the search's value is for.
    #[serde(flatten)]
    pub value: TrueValue,
    /// Whether the sign of the search's value contradicts the true value.
    #[serde(skip_serializing_if = "is_default")]
    pub contradicts: bool,
}

impl Truth {
    /// Compares the true value, if known, with the value that a search found, if any.
    pub fn beside(truth: Option<TrueValue>, found: Option<(Score, Bound)>) -> Option<Self> {
        let value = truth?;
        let contradicts = found.is_some_and(|(found, bound)| value.contradicts(found, bound));
        Some(Self { value, contradicts })
    }
}

impl fmt::Display for Truth {
    /// Writes `win in 5`, or `≠ win in 5` if the search's value contradicts it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.contradicts { "≠ " } else { "" }, self.value)
    }
}

/// Endgame tables, open for probing. They stay open until the program ends, so that games with tables can be copied.
pub trait TrueValues: Debug + Send + Sync {
    /// The value of a position given as by [`Endgames::stones`]; `None` if no table covers the position, or a file is damaged.
    fn value(&self, stones: [u32; 2]) -> Option<TrueValue>;

    /// Whether the tables were made for rules under which a side with three stones flies (see [`Endgames::flies`]).
    fn fly(&self) -> bool;

    /// A checksum of the tables: equal checksums, equal values.
    fn digest(&self) -> u32;
}

impl PartialEq for dyn TrueValues {
    fn eq(&self, other: &Self) -> bool {
        self.digest() == other.digest()
    }
}

impl Eq for dyn TrueValues {}
