//! The transposition table: what a search stores of a node and probes before it searches one.
//!
//! A [`Policy`] decides what is stored, and when a stored entry replaces a search; each is one file under [`policy`]. All
//! of them keep their records in one hash table, [`Table`], which a search sees as a [`SearchTable`] and a person as
//! [`Entries`]. A journal beside the table takes changes back.

mod capacity;
mod entries;
mod hash_table;
mod journal;
pub mod policy;
mod replacement;
mod rows;

use std::{hash::BuildHasher, num::NonZeroU8};

use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

pub use capacity::{Capacity, MaxSize, Replace};
pub use entries::{Entries, EntryReader, EntrySink};
pub use hash_table::Table;
pub use journal::Edits;
pub(in crate::engine) use policy::with_table;
pub use policy::{
    AnyTable, Bounded, Exact, Interval, NoTable, Policy, Record, Reuse, Rote, ZeroIsMissing,
};
pub use replacement::{CleanStep, ReplacementState};

use super::game::{Key, Packed, Score, Window};

/// Where a position's value stands in the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot<K> {
    /// The position's key.
    pub key: K,
    /// Whether values are read and written with the sign turned (seed 000 for black to move, defect D2).
    pub negated: bool,
}

/// What marks a position's best move in its entry: one of 63 numbers, made of the key of the position that the move leads to.
/// Moves that symmetry makes equal have one mark; now and then two others share one, and both are tried early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "(u8,)")]
pub struct HashMove(NonZeroU8);

impl HashMove {
    const MOST: u8 = 63;

    /// Of the move that leads to the position of a key.
    #[inline]
    pub fn of<K: Key>(key: K) -> Self {
        let mark = FxBuildHasher.hash_one(key) % u64::from(Self::MOST);
        Self(NonZeroU8::MIN.saturating_add(mark as u8))
    }

    /// By its number; nothing where that is not from 1 to 63.
    pub fn new(number: u8) -> Option<Self> {
        NonZeroU8::new(number).filter(|number| number.get() <= Self::MOST).map(Self)
    }

    /// Its number, from 1 to 63.
    pub const fn number(self) -> u8 {
        self.0.get()
    }
}

/// As a session has it: the number in brackets.
impl TryFrom<(u8,)> for HashMove {
    type Error = &'static str;

    fn try_from((number,): (u8,)) -> Result<Self, Self::Error> {
        Self::new(number).ok_or("the mark of a best move is a number from 1 to 63")
    }
}

/// What a policy says when asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Probe {
    /// The value is known.
    Answer(Score),
    /// Search this window; `found` tells whether an entry was there that could not answer.
    Search {
        /// The window to search: the one asked for, widened or narrowed by the entry.
        window: Window,
        /// Whether an entry was present.
        found: bool,
    },
}

impl Probe {
    /// Nothing is known: the window asked for is to be searched.
    pub const fn unknown(window: Window) -> Self {
        Self::Search { window, found: false }
    }
}

/// How a memo takes part in a search. `depth` is the remaining depth, `window` the one in force.
pub trait SearchTable<K: Key> {
    /// Whether inner nodes are probed and stored at all; where not, the machine skips those steps.
    const ACTIVE: bool = true;
    /// Whether [`SearchTable::leaf`] can ever know a value.
    const HAS_LEAF_VALUES: bool = false;
    /// Whether entries keep the best move.
    const HAS_HASH_MOVE: bool = false;

    /// Answers a node or says which window to search.
    fn probe(&self, slot: Slot<K>, depth: u8, window: Window) -> Probe;

    /// Remembers a searched value. `window` is the one that [`SearchTable::probe`] gave.
    fn store(&mut self, slot: Slot<K>, depth: u8, window: Window, value: Score);

    /// Removes the entry of a position.
    fn forget(&mut self, _slot: Slot<K>, _depth: u8) {}

    /// A value that stands in for the heuristic at depth 0.
    fn leaf(&self, _slot: Slot<K>) -> Option<Score> {
        None
    }

    /// The entry of a position has been of use, for memos that count that.
    fn touch(&mut self, _slot: Slot<K>, _depth: u8) {}

    /// Entries that have given way to others so far.
    fn evictions(&self) -> u64 {
        0
    }

    /// The value remembered for this depth whatever its window, for move ordering.
    fn recall(&self, slot: Slot<K>, depth: u8) -> Option<Score>;

    /// The best move in the entry of a position, whatever depth it was searched to.
    fn best(&self, _slot: Slot<K>, _depth: u8) -> Option<HashMove> {
        None
    }

    /// Adds the best move to the entry that has just been stored.
    fn set_hash_move(&mut self, _slot: Slot<K>, _depth: u8, _best: HashMove) {}

    /// Whether positions are kept beside the keys. Whoever probes then asks [`SearchTable::holds_other_position`] first, and whoever stores
    /// calls [`SearchTable::set_position`] first.
    fn verifies(&self) -> bool {
        false
    }

    /// Whether the entry that a probe would find was written for another position: a collision.
    fn holds_other_position(&self, _slot: Slot<K>, _depth: u8, _state: &Packed) -> bool {
        false
    }

    /// Says for which position the next entry is stored.
    fn set_position(&mut self, _state: Packed) {}
}

/// What a stored value says about the true one.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    EnumString,
    IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Bound {
    /// It is the value.
    #[default]
    Exact,
    /// The value is at least this (`>=` in seed 003).
    Lower,
    /// The value is at most this (`<=` in seed 003).
    Upper,
}

impl Bound {
    /// What a value found under a window is: seed 003's three storing cases.
    pub fn of(value: Score, window: Window) -> Self {
        if window.fails_low(value) {
            Self::Upper
        } else if window.fails_high(value) {
            Self::Lower
        } else {
            Self::Exact
        }
    }

    /// What a bound of a value is for the value with its sign turned.
    #[must_use]
    pub const fn negated(self) -> Self {
        match self {
            Self::Exact => Self::Exact,
            Self::Lower => Self::Upper,
            Self::Upper => Self::Lower,
        }
    }

    /// `exact`, `lower` or `upper`.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A cache entry for inspection and editing: the fields its policy has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The value, from the point of view its policy stores it.
    pub value: Score,
    /// Interval: the window it was searched under.
    pub window: Option<Window>,
    /// What the value says of the true one; derived under `interval`.
    pub bound: Option<Bound>,
    /// The remaining depth it was searched to, where the policy keeps one.
    pub depth: Option<u8>,
    /// Bound: the move the value is due to, where searches go by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<HashMove>,
}

impl Entry {
    /// The same for the other side: every value with its sign turned.
    #[must_use]
    pub fn negated(self) -> Self {
        Self {
            value: -self.value,
            window: self.window.map(Window::negate),
            bound: self.bound.map(Bound::negated),
            ..self
        }
    }
}
