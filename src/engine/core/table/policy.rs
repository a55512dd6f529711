//! The memo policies: what is stored for a node, and when a stored entry replaces searching the node. Each policy is one file
//! that implements [`Record`]; a new policy also needs a line in [`Policy`] and in [`AnyTable`].

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

/// The memo policies, by their names in commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Policy {
    /// Nothing is stored.
    None,
    /// Exact values by position and depth (seed 004, and plain minimax).
    Exact,
    /// A value with the window it was searched with, by position and depth (seeds 000 and 002).
    Interval,
    /// A value, its bound and its depth by position (seed 003).
    Bound,
    /// A learned value by position, which replaces the static value at depth 0 (seed 001).
    Rote,
}

impl Policy {
    /// All memo policies.
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

    /// The fields of the policy's entries, in the order in which cache files have them.
    pub const fn fields(self) -> &'static [(Field, FieldSource)] {
        self.constants().fields
    }

    /// The source of a field in entries of the policy; `None` if the entries lack the field.
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

    /// An entry with every field of the policy filled in; `keyed_depth` is the depth in the entry's key.
    /// Errors: the entry lacks a field of the policy.
    pub fn complete(self, entry: &Entry, keyed_depth: u8) -> Result<Entry> {
        (self.constants().complete)(entry, keyed_depth)
    }

    /// Whether a search probes and stores inner nodes under this policy.
    pub const fn is_searched(self) -> bool {
        self.constants().active
    }

    /// Whether an entry replaces the static value at depth 0.
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

/// A field that an entry can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Field {
    /// The value that is stored for the position.
    Value,
    /// α of the window that was searched.
    Alpha,
    /// β of the window that was searched.
    Beta,
    /// Whether the value is exact or only a bound.
    Bound,
    /// The remaining depth that was searched.
    Depth,
    /// The hash move, a number from 1 to 63.
    Best,
}

impl Field {
    /// All fields that entries can have.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The name in commands, such as `alpha`.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Where the field of an entry comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldSource {
    /// The field comes from the key of the entry, so that it cannot be edited.
    Key,
    /// The field is stored in the record.
    Record,
    /// The field is derived from the other fields.
    Derived,
}

/// A memo policy: the record that it stores for one position, and when that record replaces a search.
pub trait Record: Copy + std::fmt::Debug + PartialEq + Send + Sync + 'static {
    /// The memo policy that stores records of this type.
    const POLICY: Policy;
    /// The fields of an entry, in the order in which cache files have them; derived fields are not in files.
    const FIELDS: &'static [(Field, FieldSource)];
    /// Whether inner nodes are probed and stored.
    const ACTIVE: bool = true;
    /// Whether an entry replaces the static value at depth 0.
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
    fn from_search(value: Score, depth: u8, window: Window) -> Option<Self>;

    /// The value that move ordering uses at a depth; `None` if the record does not suffice.
    fn ordering_value(self, reuse: Self::Reuse, depth: u8) -> Option<Score>;

    /// The learned value that replaces the static value at depth 0, if there is one.
    fn leaf_value(self, _reuse: Self::Reuse) -> Option<Score> {
        None
    }

    /// The record with a hash move, if it has room for one.
    #[must_use]
    fn with_hash_move(self, _hash_move: HashMove) -> Self {
        self
    }

    /// The hash move in the record, if there is one.
    fn hash_move(self) -> Option<HashMove> {
        None
    }

    /// The record for the other side: every value negated.
    #[must_use]
    fn negated(self) -> Self;

    /// The record as an entry. `keyed_depth` is the depth in the record's key.
    fn entry(self, keyed_depth: u8) -> Entry;

    /// Converts an entry to a record.
    /// Errors: the entry lacks a field of the policy.
    fn from_entry(entry: &Entry) -> Result<Self>;

    /// The remaining depth of the record, by which replacement compares records.
    fn depth(self, keyed_depth: u8) -> u8 {
        keyed_depth
    }
}
