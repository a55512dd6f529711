//! The memo policies: what is stored for a node, and when a stored entry replaces searching it. Each policy is one file that
//! implements [`Record`]; a new one is a file and a line in [`Policy`] and in [`AnyTable`].

mod any;
mod bound;
mod exact;
mod interval;
mod none;
mod rote;

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

pub use any::AnyTable;
pub(in crate::engine) use any::with_table;
pub use bound::{Bounded, Reuse};
pub use exact::Exact;
pub use interval::Interval;
pub use none::NoTable;
pub use rote::{Rote, ZeroIsMissing};

use self::{
    bound::BoundRecord, exact::ExactRecord, interval::IntervalRecord, none::NoRecord,
    rote::RoteRecord,
};
use super::{Bound, Entries, Entry, HashMove, Probe, SearchTable, Slot, Table};
use crate::engine::core::game::{Result, Score, Window};

/// The policies by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Policy {
    /// Stores nothing.
    None,
    /// Exact values by position and depth (seed 004, and plain minimax).
    Exact,
    /// A value with the window it was searched with, by position and depth (seeds 000 and 002).
    Interval,
    /// A value, its bound and its depth by position (seed 003).
    Bound,
    /// A learned value by position, which replaces the heuristic at depth 0 (seed 001).
    Rote,
}

impl Policy {
    /// All policies.
    pub const ALL: [Self; 5] = [Self::None, Self::Exact, Self::Interval, Self::Bound, Self::Rote];

    /// The constants of the policy's [`Record`].
    const fn constants(self) -> Constants {
        match self {
            Self::None => Constants::of::<NoRecord>(),
            Self::Exact => Constants::of::<ExactRecord>(),
            Self::Interval => Constants::of::<IntervalRecord>(),
            Self::Bound => Constants::of::<BoundRecord>(),
            Self::Rote => Constants::of::<RoteRecord>(),
        }
    }

    /// The fields of an entry, in the order in which cache files have them.
    pub const fn fields(self) -> &'static [(Field, FieldSource)] {
        self.constants().fields
    }

    /// The source of a field in entries of the policy; `None` if they lack the field.
    pub fn source(self, field: Field) -> Option<FieldSource> {
        let fields = self.fields().iter();
        fields.copied().find(|(known, _)| *known == field).map(|(_, source)| source)
    }

    /// Whether the remaining depth is part of the key.
    pub fn keys_depth(self) -> bool {
        self.source(Field::Depth) == Some(FieldSource::Key)
    }

    /// Whether a table of the policy can have entries.
    pub const fn has_entries(self) -> bool {
        !self.fields().is_empty()
    }

    /// An entry with every field of the policy filled in; `keyed_depth` is the depth in its key.
    /// Errors: the entry lacks a field of the policy.
    pub fn complete(self, entry: &Entry, keyed_depth: u8) -> Result<Entry> {
        (self.constants().complete)(entry, keyed_depth)
    }

    /// Whether a search probes and stores inner nodes.
    pub const fn is_searched(self) -> bool {
        self.constants().active
    }

    /// Whether an entry replaces the heuristic at depth 0.
    pub const fn has_leaf_values(self) -> bool {
        self.constants().leaf_values
    }
}

struct Constants {
    fields: &'static [(Field, FieldSource)],
    active: bool,
    leaf_values: bool,
    complete: fn(&Entry, u8) -> Result<Entry>,
}

impl Constants {
    const fn of<R: Record>() -> Self {
        Self {
            fields: R::FIELDS,
            active: R::ACTIVE,
            leaf_values: R::HAS_LEAF_VALUES,
            complete: |entry, depth| Ok(R::from_entry(entry)?.entry(depth)),
        }
    }
}

/// A field of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Field {
    /// The value.
    Value,
    /// α of the window that was searched.
    Alpha,
    /// β of that window.
    Beta,
    /// Whether the value is exact or only a bound.
    Bound,
    /// The remaining depth that was searched.
    Depth,
    /// The hash move.
    Best,
}

impl Field {
    /// Every field.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The name in commands.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// The source of a field of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldSource {
    /// The key, so that the field cannot be edited.
    Key,
    /// The record.
    Record,
    /// The other fields, from which it is derived.
    Derived,
}

/// A memo policy: the record that it stores for one position, and what a probe makes of it.
pub trait Record: Copy + std::fmt::Debug + PartialEq + Send + Sync + 'static {
    /// The policy.
    const POLICY: Policy;
    /// The fields of an entry, in the order in which cache files have them; derived ones are in no file.
    const FIELDS: &'static [(Field, FieldSource)];
    /// Whether inner nodes are probed and stored.
    const ACTIVE: bool = true;
    /// Whether an entry replaces the heuristic at depth 0.
    const HAS_LEAF_VALUES: bool = false;
    /// Whether entries can store the hash move.
    const HAS_HASH_MOVE: bool = false;
    /// Whether the remaining depth is part of the key.
    const KEYS_DEPTH: bool = matches!(Self::FIELDS, [(Field::Depth, FieldSource::Key), ..]);

    /// Which entries may replace a search, where the policy leaves a choice.
    type Reuse: Copy + Default + std::fmt::Debug + Send + Sync;

    /// The result of a probe that finds this record.
    fn probe(self, reuse: Self::Reuse, depth: u8, window: Window) -> Probe;

    /// The record of a searched value; `None` if the policy does not store it.
    fn searched(value: Score, depth: u8, window: Window) -> Option<Self>;

    /// The value for move ordering at a depth.
    fn ordering_value(self, reuse: Self::Reuse, depth: u8) -> Option<Score>;

    /// The value that replaces the heuristic.
    fn leaf_value(self, _reuse: Self::Reuse) -> Option<Score> {
        None
    }

    /// The record with a hash move, if it has room for one.
    #[must_use]
    fn with_hash_move(self, _hash_move: HashMove) -> Self {
        self
    }

    /// The hash move.
    fn hash_move(self) -> Option<HashMove> {
        None
    }

    /// The record for the other side: every value with its sign turned.
    #[must_use]
    fn negated(self) -> Self;

    /// The record as an entry. `keyed_depth` is the depth in its key.
    fn entry(self, keyed_depth: u8) -> Entry;

    /// The record of an entry.
    /// Errors: the entry lacks a field of the policy.
    fn from_entry(entry: &Entry) -> Result<Self>;

    /// The remaining depth, for replacement.
    fn depth(self, keyed_depth: u8) -> u8 {
        keyed_depth
    }
}
