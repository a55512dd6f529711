//! When a breakpoint may hold: at events of which kinds, plies and depths.

use super::{Clause, ComparedWord, Name};
use crate::engine::{
    expression::Comparison,
    game::Game,
    search::{Event, EventKind},
};

/// A set of kinds of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kinds(u32);

impl Kinds {
    /// No kind.
    pub const NONE: Self = Self(0);

    /// Every kind.
    pub const ALL: Self = Self(u32::MAX);

    /// These kinds.
    pub const fn of(kinds: &[EventKind]) -> Self {
        let mut set = 0;
        let mut at = 0;
        while at < kinds.len() {
            set |= 1 << kinds[at] as u32;
            at += 1;
        }
        Self(set)
    }

    /// Whether a kind is among them.
    #[inline]
    pub const fn contains(self, kind: EventKind) -> bool {
        self.0 & 1 << kind as u32 != 0
    }

    /// Those in both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Those in either set.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Those not in the set.
    #[must_use]
    pub const fn others(self) -> Self {
        Self(!self.0)
    }

    /// Whether no kind there is belongs to it.
    pub fn is_empty(self) -> bool {
        !EventKind::ALL.iter().any(|kind| self.contains(*kind))
    }
}

/// The plies and remaining depths at which a breakpoint may hold, a bit each; the last bit stands for all that have none
/// of their own. Most events are ruled out by it before anything else is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reach {
    pub plies: u64,
    pub depths: u64,
}

const LAST: u32 = u64::BITS - 1;

impl Reach {
    /// Everywhere.
    pub const ALL: Self = Self { plies: u64::MAX, depths: u64::MAX };

    /// The bit of a ply or a depth.
    #[inline]
    pub const fn only(number: u32) -> u64 {
        1 << if number < LAST { number } else { LAST }
    }

    /// Whether an event is within reach.
    #[inline]
    pub const fn covers(self, event: &Event) -> bool {
        self.plies & Self::only(event.ply) != 0 && self.depths & Self::only(event.depth as u32) != 0
    }

    /// Excludes the plies and depths that a condition excludes.
    pub fn narrow<G: Game>(&mut self, clause: &Clause<G>) {
        match clause {
            Clause::All(parts) => parts.iter().for_each(|part| self.narrow(part)),
            Clause::Test(Name::Ply, comparison, constant) => {
                self.plies &= bits(*comparison, *constant);
            }
            Clause::Test(Name::Depth, comparison, constant) => {
                self.depths &= bits(*comparison, *constant);
            }
            Clause::Is(_, ComparedWord::Line(line), true) => self.plies &= line.plies(),
            _ => {}
        }
    }
}

/// The numbers for which a comparison holds.
fn bits(comparison: Comparison, constant: f64) -> u64 {
    (0..LAST)
        .filter(|number| comparison.holds(f64::from(*number), constant))
        .fold(Reach::only(LAST), |bits, number| bits | Reach::only(number))
}
