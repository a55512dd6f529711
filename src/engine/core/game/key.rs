use std::{fmt::Debug, hash::Hash};

use serde::{Deserialize, Serialize};

/// A position's identity in a cache: small, cheap to compare, the same on every machine.
///
/// A game's own type needs no more than `impl Key for Name { type Stored = Self; }`.
pub trait Key: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// What a table keeps of one: the key itself, or the same in fewer bytes.
    type Stored: Copy + From<Self> + Into<Self> + Send + Sync;
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Key for $number {
            type Stored = Self;
        }
    )*};
}

numbers!(u8, u16, u32, u64);

impl<const N: usize> Key for [u8; N] {
    type Stored = Self;
}

/// Which positions share a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
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
