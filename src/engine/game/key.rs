use std::{fmt::Debug, hash::Hash};

use serde::{Deserialize, Serialize};

/// A position's identity in a cache: small, cheap to compare, the same on every machine.
pub trait Key: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static {}

impl<T: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static> Key for T {}

/// Which positions share a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum KeyScheme {
    /// None: the position and the side to move as they are (seed 002).
    Plain,
    /// A position and its colour-swapped twin: always "as white to move" (seed 000).
    Colour,
    /// As `Colour`, and all positions that symmetry makes equal.
    Canonical,
}

/// A key with the remaining depth it is stored for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Keyed<K> {
    /// The position's key.
    pub key: K,
    /// Remaining depth (the seeds' *limit*); 0 under policies that keep no depth in the key.
    pub depth: u8,
}
