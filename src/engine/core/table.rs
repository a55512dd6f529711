//! The transposition table, which a search probes before it searches a node, and in which it stores the node's value.
//!
//! A [`Policy`] decides what is stored, and when a stored entry replaces a search; each is one file under [`policy`]. All
//! of them store their records in one hash table, [`Table`], which the search uses as a [`SearchTable`], commands and files
//! as [`Entries`]. A journal can undo changes.

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
    AnyTable, Bounded, Exact, Field, FieldSource, Interval, NoTable, Policy, Record, Reuse, Rote,
    ZeroIsMissing,
};
pub use replacement::{CleanStep, ReplacementState};

use super::game::{Key, Packed, Score, Window};

/// The key under which a position's value is stored, and the sign of the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot<K> {
    /// The key of the position, under the table's [`KeyScheme`](super::game::KeyScheme).
    pub key: K,
    /// Whether values are read and written with the opposite sign (seed 000 for black to move, defect D2).
    pub negated: bool,
}

/// The best move of a position as its entry stores it: a number from 1 to 63, a hash of the position after the move. Moves
/// equal by symmetry share a number. Occasionally two moves of a position have the same number; then both are tried early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "(u8,)")]
pub struct HashMove(NonZeroU8);

impl HashMove {
    // Six bits are free beside the bound; the number 0 means "no move".
    const MOST: u8 = 63;

    /// The hash move that stands for the move to the position with this key.
    #[inline]
    pub fn of<K: Key>(key: K) -> Self {
        let number = FxBuildHasher.hash_one(key) % u64::from(Self::MOST);
        Self(NonZeroU8::MIN.saturating_add(number as u8))
    }

    /// The hash move with a number from 1 to 63; `None` for any other number.
    pub fn new(number: u8) -> Option<Self> {
        NonZeroU8::new(number).filter(|number| number.get() <= Self::MOST).map(Self)
    }

    /// The number that stands for the move, from 1 to 63.
    pub const fn number(self) -> u8 {
        self.0.get()
    }
}

impl TryFrom<(u8,)> for HashMove {
    type Error = &'static str;

    fn try_from((number,): (u8,)) -> Result<Self, Self::Error> {
        Self::new(number).ok_or("the mark of a best move is a number from 1 to 63")
    }
}

/// The result of probing the table for a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Probe {
    /// The stored value replaces the search.
    Hit(Score),
    /// The node must be searched, because no stored value suffices.
    Search {
        /// The window to search with: that of the probe, perhaps widened or narrowed by the entry.
        window: Window,
        /// Whether an entry was found, whose depth or bound does not suffice.
        found: bool,
    },
}

impl Probe {
    /// A miss: the node must be searched with the window of the probe.
    pub const fn miss(window: Window) -> Self {
        Self::Search { window, found: false }
    }
}

/// A table as a search uses it. `depth` is the remaining depth, `window` the current window of the node.
pub trait SearchTable<K: Key> {
    /// Whether inner nodes are probed and stored; if not, the search skips those steps.
    const ACTIVE: bool = true;
    /// Whether [`SearchTable::leaf_value`] can return a value.
    const HAS_LEAF_VALUES: bool = false;
    /// Whether entries store the best move.
    const HAS_HASH_MOVE: bool = false;

    /// Looks up a node before it is searched.
    fn probe(&self, slot: Slot<K>, depth: u8, window: Window) -> Probe;

    /// Stores the value of a search with the window that [`SearchTable::probe`] returned.
    fn store(&mut self, slot: Slot<K>, depth: u8, window: Window, value: Score);

    /// Removes the entry of a slot, if there is one.
    fn drop_entry(&mut self, _slot: Slot<K>, _depth: u8) {}

    /// A stored value that replaces the static value at depth 0 (policy `rote`).
    fn leaf_value(&self, _slot: Slot<K>) -> Option<Score> {
        None
    }

    /// Counts a use of an entry, if uses are counted.
    fn count_use(&mut self, _slot: Slot<K>, _depth: u8) {}

    /// Entries replaced by others so far.
    fn evictions(&self) -> u64 {
        0
    }

    /// The value stored for this depth, whatever its window: for move ordering.
    fn stored_value(&self, slot: Slot<K>, depth: u8) -> Option<Score>;

    /// The hash move in an entry, whatever its depth.
    fn hash_move(&self, _slot: Slot<K>, _depth: u8) -> Option<HashMove> {
        None
    }

    /// Adds the hash move to the entry that has just been stored.
    fn set_hash_move(&mut self, _slot: Slot<K>, _depth: u8, _hash_move: HashMove) {}

    /// Whether positions are stored beside the keys (`verify=on`). If so, [`SearchTable::holds_other_position`] must be
    /// called before a probe and [`SearchTable::set_position`] before a store.
    fn verifies(&self) -> bool {
        false
    }

    /// Whether the entry that a probe would find belongs to another position: a key collision.
    fn holds_other_position(&self, _slot: Slot<K>, _depth: u8, _position: &Packed) -> bool {
        false
    }

    /// Sets the position that is stored with the next entry (`verify=on`).
    fn set_position(&mut self, _position: Packed) {}
}

/// Whether a value is exact or only a bound.
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
    /// The true value equals this value.
    #[default]
    Exact,
    /// The true value is at least this value (`>=` in seed 003).
    Lower,
    /// The true value is at most this value (`<=` in seed 003).
    Upper,
}

impl Bound {
    /// The bound of a value that a search with this window returned.
    pub fn of(value: Score, window: Window) -> Self {
        if window.fails_low(value) {
            Self::Upper
        } else if window.fails_high(value) {
            Self::Lower
        } else {
            Self::Exact
        }
    }

    /// The bound of the negated value: lower and upper are exchanged.
    #[must_use]
    pub const fn negated(self) -> Self {
        match self {
            Self::Exact => Self::Exact,
            Self::Lower => Self::Upper,
            Self::Upper => Self::Lower,
        }
    }

    /// The name in commands and files: `exact`, `lower` or `upper`.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// An entry of any policy, for inspection, editing and files. Fields that the policy lacks are `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The stored value, for the side to move; with defect D2, for White.
    pub value: Score,
    /// The window with which the value was searched.
    pub window: Option<Window>,
    /// Whether the value is exact or only a bound.
    pub bound: Option<Bound>,
    /// The remaining depth that was searched.
    pub depth: Option<u8>,
    /// The hash move, if searches store one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<HashMove>,
}

impl Entry {
    /// The entry for the other side: every value negated.
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
