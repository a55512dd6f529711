//! When a breakpoint may hold: at events of which kinds and plies.

use super::{Clause, ComparedWord, Name};
use crate::engine::{game::Game, search::EventKind};

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

/// Plies, a bit each; the last bit stands for all that have none of their own. Most events are ruled out by it before
/// anything else is asked.
pub(super) type Plies = u64;

const LAST: u32 = Plies::BITS - 1;

/// The bit of a ply.
#[inline]
pub(super) const fn only(ply: u32) -> Plies {
    1 << if ply < LAST { ply } else { LAST }
}

pub(super) fn plies_of<G: Game>(clause: &Clause<G>) -> Plies {
    match clause {
        Clause::All(parts) => parts.iter().fold(Plies::MAX, |plies, part| plies & plies_of(part)),
        Clause::Test(Name::Ply, comparison, constant) => (0..LAST)
            .filter(|ply| comparison.holds(f64::from(*ply), *constant))
            .fold(only(LAST), |plies, ply| plies | only(ply)),
        Clause::Is(_, ComparedWord::Line(line), true) => line.plies(),
        _ => Plies::MAX,
    }
}
