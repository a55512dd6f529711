//! Endgames solved by retrograde analysis: the true value of every position of a *subspace*, which is a number of stones for
//! each side, none of them in hand.
//!
//! ```text
//! board    moves, captures and symmetries as bit operations
//! index    positions of a subspace as numbers
//! solve    retrograde analysis of a subspace and its mirror, level by level
//! file     the file of a subspace: header, blocks with checksums
//! store    the table files of a folder that match the current rules
//! build    a subspace with all that it leads to: plan, and one file after the other
//! probe    values of positions and moves, and the best line
//! open_tables  the tables that a search and the displays beside it use
//! statistics  distances, mutual zugzwangs, random positions
//! mistakes how often a search gives a won or drawn position away
//! outcomes the outcomes of all tables in memory
//! proofs   what a search of the placing phase has proved
//! placing  α-β search of the placing phase into the tables
//! verify   every value compared with those of its successors
//! ```
//!
//! Games with solvable endgames implement [`Endgames`](super::game::Endgames). Solver and move generator of the game are
//! independent of each other; `verify` and the tests compare them.

mod board;
mod build;
mod file;
mod index;
mod mistakes;
mod open_tables;
mod outcomes;
mod placing;
mod probe;
mod proofs;
mod solve;
mod statistics;
mod store;
mod verify;

use std::{fmt, str::FromStr};

use super::game::{Fault, Outcome, Result, TrueValue, serde_as_text};

pub use build::{BuildOptions, BuildPlan, PlanStep, Written, build, plan};
pub use file::{Census, Counts, Longest, TableFile, TableHeader, TableKind};
pub use mistakes::{Mistakes, mistakes};
pub use open_tables::OpenTables;
pub use placing::{Solved, needs, solve as solve_placing};
pub use probe::{MoveValue, best_line, move_values, position_at, probe};
pub use statistics::{Statistics, Zugzwang, sample, statistics};
pub use store::{FoundFile, Store};
pub use verify::{Verified, verify};

/// The fewest stones of a side that has not lost.
const LEAST: u32 = 3;
/// The number of stones with which each side begins.
const MOST: u32 = 9;

/// The positions with these numbers of stones on the board and none in hand.
///
/// ```
/// use plyscope::engine::tables::Subspace;
/// let subspace: Subspace = "4-3".parse()?;
/// assert_eq!(subspace.mirror().to_string(), "3-4");
/// assert!("4-2".parse::<Subspace>().is_err());
/// # Ok::<(), plyscope::engine::game::Fault>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subspace {
    /// The number of stones of the side to move.
    own: u32,
    /// The number of stones of the opponent.
    other: u32,
}

impl Subspace {
    /// The subspace of a position; `None` if a side has fewer than three stones and so has lost.
    fn of(stones: board::Stones) -> Option<Self> {
        let [own, other] = [stones.own, stones.other].map(u32::count_ones);
        let known = LEAST..=MOST;
        (known.contains(&own) && known.contains(&other)).then_some(Self { own, other })
    }

    /// The subspace after a move without a capture: the two numbers of stones are exchanged.
    #[must_use]
    pub fn mirror(self) -> Self {
        Self { own: self.other, other: self.own }
    }

    /// The subspace after a capture; `None` if the capture wins.
    fn after_capture(self) -> Option<Self> {
        (self.other > LEAST).then_some(Self { own: self.other - 1, other: self.own })
    }

    /// All pairs of a subspace and its mirror with at most these stones, in either order. A capture leads to an earlier pair.
    fn pairs_up_to([own, other]: [u32; 2]) -> impl Iterator<Item = Vec<Self>> {
        let (most, fewest) = (own.max(other), own.min(other));
        (LEAST..=most).flat_map(move |own| {
            (LEAST..=own.min(fewest)).map(move |other| Self { own, other }.pair())
        })
    }

    /// The subspace and its mirror, which are solved together; the one with more stones for the side to move comes first.
    fn pair(self) -> Vec<Self> {
        let mut pair = vec![self.max(self.mirror()), self.min(self.mirror())];
        pair.dedup();
        pair
    }
}

impl fmt::Display for Subspace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.own, self.other)
    }
}

serde_as_text!(Subspace);

impl FromStr for Subspace {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self> {
        let number = |text: &str| text.parse().ok().filter(|n| (LEAST..=MOST).contains(n));
        let parts = text.split_once('-');
        parts
            .and_then(|(own, other)| Some(Self { own: number(own)?, other: number(other)? }))
            .ok_or_else(|| {
                Fault::word(text, "is not a pair of numbers of stones")
                    .hint("write W-B, each from 3 to 9, such as 4-3")
            })
    }
}

/// The true value that a code stands for in a table of this kind.
fn value_of(code: u8, kind: TableKind) -> TrueValue {
    let outcome = match code {
        code::DRAW => Outcome::Draw,
        win if code::is_win(win) => Outcome::Win,
        _ => Outcome::Loss,
    };
    let has_plies = kind == TableKind::Distance && code != code::DRAW;
    TrueValue { outcome, plies: has_plies.then(|| u32::from(code) - 1) }
}

/// A value as tables store it: 0 for a draw, else the plies to the end plus one. Wins are even, as the winner makes the last
/// move; losses are odd. In a table without distances, 1 is a loss and 2 a win.
mod code {
    pub(super) const DRAW: u8 = 0;
    pub(super) const LOST: u8 = 1;
    pub(super) const MOST: u8 = u8::MAX;

    pub(super) const fn is_win(code: u8) -> bool {
        code != DRAW && code.is_multiple_of(2)
    }

    pub(super) const fn is_loss(code: u8) -> bool {
        code % 2 == 1
    }

    /// The code of a position whose best move leads to a position with `code`; not for draws.
    pub(super) const fn before(code: u8) -> u8 {
        code.saturating_add(1)
    }
}
