//! Memo policies: what is stored for a node, and when a stored entry replaces searching it. Each policy is one file that
//! implements [`Record`].

mod any;
mod bound;
mod exact;
mod interval;
mod none;
mod rote;

use serde::{Deserialize, Serialize};

pub use any::AnyTable;
pub(in crate::engine) use any::with_table;
pub use bound::{Bounded, Reuse};
pub use exact::Exact;
pub use interval::Interval;
pub use none::NoTable;
pub use rote::{Rote, ZeroIsMissing};

use super::{Bound, Entries, Entry, HashMove, Probe, SearchTable, Slot, Table};
use crate::engine::core::game::{Result, Score, Window};

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
