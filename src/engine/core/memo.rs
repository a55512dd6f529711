//! Memo policies: what a search remembers, and when a remembered value answers.
//!
//! A policy is one file that implements [`Record`]: what is remembered of a position, and what that says to a probe. All
//! of them keep their records in the one [`Table`], which a search asks as a [`Memo`] and a person as [`Entries`]; what
//! it takes to go back stands in a journal beside it.

mod any;
mod bound;
mod entries;
mod exact;
mod held;
mod interval;
mod journal;
mod none;
mod replace;
mod room;
mod rote;
mod table;

use std::{hash::BuildHasher, num::NonZeroU8};

use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

pub use any::AnyMemo;
pub(in crate::engine) use any::with_memo;
pub use bound::{Bounded, Reuse};
pub use entries::{Entries, EntryReader, EntrySink};
pub use exact::Exact;
pub use interval::Interval;
pub use journal::Edits;
pub use none::Unmemoized;
pub use replace::{CleanStep, ReplacementState};
pub use room::{MaxSize, Replace, Room};
pub use rote::{Rote, ZeroIsMissing};
pub use table::Table;

use super::game::{Key, Packed, Result, Score, Window};

/// The policies by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Policy {
    /// Remembers nothing.
    None,
    /// The arguments are the key (seed 004 and the plain minimax): only exact values, under position and depth.
    Exact,
    /// Value with the window it was searched under, by position and depth (seeds 000 and 002).
    Interval,
    /// Flag, value and depth by position (seed 003).
    Bound,
    /// A value by position that answers at depth 0 in place of the heuristic (seed 001).
    Rote,
}

impl Policy {
    /// All policies.
    pub const ALL: [Self; 5] = [Self::None, Self::Exact, Self::Interval, Self::Bound, Self::Rote];

    /// Whether the remaining depth is part of the key.
    pub const fn keys_depth(self) -> bool {
        matches!(self, Self::Exact | Self::Interval)
    }
}

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
pub trait Memo<K: Key> {
    /// Whether inner nodes are probed and stored at all; where not, the machine skips those steps.
    const ACTIVE: bool = true;
    /// Whether [`Memo::leaf`] can ever know a value.
    const HAS_LEAF_VALUES: bool = false;
    /// Whether entries keep the best move.
    const HAS_HASH_MOVE: bool = false;

    /// Answers a node or says which window to search.
    fn probe(&self, slot: Slot<K>, depth: u8, window: Window) -> Probe;

    /// Remembers a searched value. `window` is the one that [`Memo::probe`] gave.
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

    /// Whether positions are kept beside the keys. Whoever probes then asks [`Memo::holds_other_position`] first, and whoever stores
    /// calls [`Memo::set_position`] first.
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

/// A memo policy: a copy of what it remembers of one position, and what that says to a probe.
pub trait Record: Copy + std::fmt::Debug + PartialEq + Send + Sync + 'static {
    /// The policy.
    const POLICY: Policy;
    /// Whether inner nodes are probed and stored.
    const ACTIVE: bool = true;
    /// Whether an entry may answer in place of the heuristic.
    const HAS_LEAF_VALUES: bool = false;
    /// Whether entries have room for the best move.
    const HAS_HASH_MOVE: bool = false;

    /// Which entries may answer, where the policy leaves a choice.
    type Reuse: Copy + Default + std::fmt::Debug + Send + Sync;

    /// What the record says to a probe.
    fn judge(self, reuse: Self::Reuse, depth: u8, window: Window) -> Probe;

    /// What a searched value is remembered as, if it is.
    fn remembered(value: Score, depth: u8, window: Window) -> Option<Self>;

    /// The value for move ordering at a depth.
    fn recalled(self, reuse: Self::Reuse, depth: u8) -> Option<Score>;

    /// The value that stands in for the heuristic.
    fn leaf_value(self, _reuse: Self::Reuse) -> Option<Score> {
        None
    }

    /// The record with the best move, where it has room for one.
    #[must_use]
    fn with_hash_move(self, _best: HashMove) -> Self {
        self
    }

    /// The best move.
    fn best(self) -> Option<HashMove> {
        None
    }

    /// The record with its sign turned, as a slot may store it; its own inverse.
    #[must_use]
    fn negated(self) -> Self;

    /// The record as an entry. `depth` is the one in its key.
    fn entry(self, depth: u8) -> Entry;

    /// An entry as a record. Refuses entries that lack a field of the policy.
    fn from_entry(entry: &Entry) -> Result<Self>;

    /// The remaining depth that replacement goes by.
    fn depth(self, keyed: u8) -> u8 {
        keyed
    }
}
