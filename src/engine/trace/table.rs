//! The table of the program traced, as its events tell it.

use std::{
    fmt,
    hash::{BuildHasher as _, Hash},
};

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::node::Left;
use crate::engine::memo::Bound;

/// An entry as it was last stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct StoredEntry {
    pub value: f64,
    pub bound: Bound,
    pub depth: f64,
    /// How the node that stored it was left, once it was.
    pub left: Option<Left>,
}

impl fmt::Display for StoredEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} depth {}", self.bound.name(), self.value, self.depth)
    }
}

/// Entries by the hash of their keys.
pub(super) type StoredTable = FxHashMap<u64, StoredEntry>;

/// The hash that stands for a text or for bytes.
pub(super) fn hash(text: impl Hash) -> u64 {
    FxBuildHasher.hash_one(text)
}

/// The part of a key that names the position: what follows `@` tells its entries apart, such as one for each depth.
pub(super) fn position_part(key: &str) -> &str {
    key.split_once('@').map_or(key, |(position, _)| position)
}
