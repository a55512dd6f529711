//! Memo policies: what a search remembers, and when a remembered value answers.
//!
//! A policy is one file: its record, how it answers a probe and what it stores. Everything else (the table, editing by
//! key, listing, cleaning) is shared.

mod any;
mod beside;
mod bound;
mod clean;
mod compact;
mod crowd;
mod exact;
mod interval;
mod journal;
mod none;
mod policy;
mod room;
mod rote;
mod row;
mod table;

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

pub use any::AnyMemo;
pub use bound::{Bounded, Hashed, Reuse};
pub use clean::{CleanStep, clean};
pub use compact::Compact;
pub use crowd::Footing;
pub use exact::Exact;
pub use interval::Interval;
pub use journal::{Edits, Rewind};
pub use none::Unmemoized;
pub use policy::Tabular;
pub use room::{MaxSize, Replace, Room};
pub use rote::Rote;
pub use table::Table;

use super::game::{Fault, Key, Keyed, Packed, Score, Window};

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
    pub const ALL: [Self; 5] = [
        Self::None,
        Self::Exact,
        Self::Interval,
        Self::Bound,
        Self::Rote,
    ];

    /// The name in commands and files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Exact => "exact",
            Self::Interval => "interval",
            Self::Bound => "bound",
            Self::Rote => "rote",
        }
    }

    /// Whether the remaining depth is part of the key.
    pub const fn keys_depth(self) -> bool {
        matches!(self, Self::Exact | Self::Interval)
    }
}

impl std::fmt::Display for Policy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
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
        Self::Search {
            window,
            found: false,
        }
    }
}

/// How a memo takes part in a search. `depth` is the remaining depth, `window` the one in force.
pub trait Memo<K: Key> {
    /// Whether inner nodes are probed and stored at all; where not, the machine skips those steps.
    const ACTIVE: bool = true;
    /// Whether [`Memo::leaf`] can ever know a value.
    const LEAVES: bool = false;

    /// Answers a node or says which window to search.
    fn probe(&self, slot: Slot<K>, depth: u8, window: Window) -> Probe;

    /// Remembers a searched value. `window` is the one that [`Memo::probe`] gave.
    fn store(&mut self, slot: Slot<K>, depth: u8, window: Window, value: Score);

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

    /// Brings near what the next calls about a position need: for whoever has several positions to store, so that the
    /// processor waits for them together and not one after the other.
    fn fetch(&self, _slot: Slot<K>, _depth: u8) {}

    /// Whether positions are kept beside the keys. Whoever probes then asks [`Memo::is_another`] first, and whoever stores
    /// calls [`Memo::attend`] first.
    fn verifies(&self) -> bool {
        false
    }

    /// Whether the entry that a probe would find was written for another position: a collision.
    fn is_another(&self, _slot: Slot<K>, _depth: u8, _state: &Packed) -> bool {
        false
    }

    /// Says for which position the next entry is stored.
    fn attend(&mut self, _state: Packed) {}
}

/// What a stored value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bound {
    /// It is the value.
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
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Lower => "lower",
            Self::Upper => "upper",
        }
    }
}

/// A cache entry for inspection and editing: the fields its policy has.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The value, from the point of view its policy stores it.
    pub value: Score,
    /// Interval: the window it was searched under.
    pub window: Option<Window>,
    /// What the value says of the true one; derived under `interval`.
    pub bound: Option<Bound>,
    /// The remaining depth it was searched to, where the policy keeps one.
    pub depth: Option<u8>,
}

/// A record of one policy in a [`Table`].
pub trait Record: Copy + std::fmt::Debug + PartialEq + Send + Sync + 'static {
    /// The policy it belongs to.
    const POLICY: Policy;

    /// The record with its sign turned, as a slot may store it; its own inverse.
    #[must_use]
    fn negated(self) -> Self;

    /// The record as an entry. `depth` is the one in its key.
    fn entry(self, depth: u8) -> Entry;

    /// An entry as a record. Refuses entries that lack a field of the policy.
    fn from_entry(entry: &Entry) -> Result<Self, Fault>;

    /// The remaining depth that replacement goes by.
    fn depth(self, keyed: u8) -> u8 {
        keyed
    }
}

/// A table of a policy's records, as searches use it.
pub trait Records<K: Key, R: Record>: Entries<K> + Rewind<K> {
    /// The record under a key.
    fn look(&self, at: Keyed<K>) -> Option<R>;
    /// Writes a record, over an old one or as a new one, for which another one may have to give way.
    fn write(&mut self, at: Keyed<K>, record: R);
    /// Counts a use of the entry under a key, where uses are counted.
    fn touch(&mut self, at: Keyed<K>);
    /// Entries that have given way to others so far.
    fn evicted(&self) -> u64;
    /// Has the processor bring near what is needed to read or write an entry, where that can be told beforehand.
    fn fetch(&self, _at: Keyed<K>) {}
    /// Whether positions are kept beside the keys.
    fn verifies(&self) -> bool {
        false
    }
    /// Whether an entry may answer for a position: it was written for it, or nobody knows for which.
    fn belongs_to(&self, _at: Keyed<K>, _state: &Packed) -> bool {
        true
    }
    /// Says for which position the next record is written.
    fn attend(&mut self, _state: Packed) {}
}

/// Takes one entry.
pub type Take<'a, K> = dyn FnMut(Keyed<K>, Entry) -> Result<(), Fault> + 'a;

/// Hands on entries one by one.
pub type Reading<'a, K> = dyn FnMut(&mut Take<'_, K>) -> Result<(), Fault> + 'a;

/// Is shown an entry and its place.
pub type Visit<'a, K> = dyn FnMut(usize, Keyed<K>, &Entry) -> ControlFlow<()> + 'a;

/// A cache as a person sees it: get, set, remove and list by key, the same for every policy.
pub trait Entries<K: Key> {
    /// The policy.
    fn policy(&self) -> Policy;
    /// Number of entries.
    fn len(&self) -> usize;
    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Memory in bytes: records and index as allocated.
    fn bytes(&self) -> usize;
    /// One entry.
    fn get(&self, at: Keyed<K>) -> Option<Entry>;
    /// Writes an entry and returns the one it replaced. Fails where the policy cannot hold it.
    fn set(&mut self, at: Keyed<K>, entry: Entry) -> Result<Option<Entry>, Fault>;
    /// Takes all the entries that `read` hands on, of which a later one counts before an earlier one of the same key, at
    /// its place; says how many were such. Much faster than one by one. On a fault nothing is taken. The caller sees to
    /// it that they fit.
    fn fill(&mut self, read: &mut Reading<'_, K>) -> Result<u64, Fault>;
    /// Removes an entry.
    fn remove(&mut self, at: Keyed<K>) -> Option<Entry>;
    /// The position that an entry was written for, where that is kept.
    fn state(&self, _at: Keyed<K>) -> Option<Packed> {
        None
    }
    /// Says for which position an entry was written, where that is kept.
    fn set_state(&mut self, _at: Keyed<K>, _state: Packed) {}
    /// All entries in the table's order: that of insertion or, in a table of hashes, that of the hashes as it scatters them.
    /// Which it is, only the entries decide.
    fn iter(&self) -> Box<dyn Iterator<Item = (Keyed<K>, Entry)> + '_>;
    /// The places of some entries, counted in that order.
    fn places(&self, ranks: std::ops::Range<usize>) -> Vec<u32> {
        ranks.map(|rank| rank as u32).collect()
    }
    /// The entry at a place.
    fn nth(&self, place: usize) -> Option<(Keyed<K>, Entry)> {
        self.iter().nth(place)
    }
    /// Shows all entries in that order, each with its place, until `visit` breaks off. Places only ever get higher; there
    /// may be gaps between them. Faster than [`Entries::iter`].
    fn try_scan(&self, visit: &mut Visit<'_, K>) -> ControlFlow<()>;
    /// How often the entry at a place has been used, where that is counted.
    fn uses(&self, _place: usize) -> Option<u32> {
        None
    }
    /// Keeps the entries for which `keep` holds.
    fn retain(&mut self, keep: &mut dyn FnMut(Keyed<K>, &Entry) -> bool);
    /// Removes everything.
    fn clear(&mut self);
    /// Makes room for `more` entries, as far as the bound allows.
    fn reserve(&mut self, more: usize);
    /// Bounds the cache from now on, and says how many entries had to go for that.
    fn set_room(&mut self, room: Room) -> usize;
    /// Entries at most.
    fn limit(&self) -> usize {
        usize::MAX
    }
    /// Entries that are to be left once a decision is made: [`Entries::limit`], unless cleaning waits for that.
    fn target(&self) -> usize {
        self.limit()
    }
    /// Cleans up after a decision, where cleaning waits for that.
    fn tidy(&mut self) -> Vec<CleanStep> {
        Vec::new()
    }
    /// Entries that have given way to others so far.
    fn evictions(&self) -> u64 {
        0
    }
    /// Where it stands beside its entries.
    fn footing(&self) -> Footing {
        Footing::default()
    }
    /// Has it stand as it did, once its entries are there. Refuses what does not go with them.
    fn set_footing(&mut self, _footing: &Footing) -> Result<(), Fault> {
        Ok(())
    }
}

impl<K: Key> dyn Entries<K> + '_ {
    /// Shows all entries as [`Entries::try_scan`] does.
    pub fn scan(&self, mut visit: impl FnMut(usize, Keyed<K>, &Entry)) {
        // Nothing breaks it off.
        let _ = self.try_scan(&mut |place, at, entry| {
            visit(place, at, entry);
            ControlFlow::Continue(())
        });
    }
}
