use std::{fmt::Debug, hash::Hash};

use serde::{Deserialize, Serialize};

/// A position's identity in a cache: small, cheap to compare, the same on every machine.
///
/// A game's own type needs no more than `impl Key for Name { type Stored = Self; }`. Where keys are 64-bit hashes, or become
/// such without loss, the type says so, and the compact table of the policy `bound` takes them.
pub trait Key: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// What a table of keys keeps of one: the key itself, or the same in fewer bytes.
    type Stored: Copy + From<Self> + Into<Self> + Send + Sync;

    /// Whether [`Key::word`] and [`Key::from_word`] mean anything.
    const HASHED: bool = false;

    /// The key as a 64-bit hash. Keys with equal hashes are one to a table of hashes.
    fn word(self) -> u64 {
        0
    }

    /// The key that a hash stands for: one with this very hash.
    fn from_word(_word: u64) -> Option<Self> {
        None
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Key for $number {
            type Stored = Self;

            const HASHED: bool = true;

            #[inline]
            fn word(self) -> u64 {
                u64::from(self)
            }

            #[inline]
            fn from_word(word: u64) -> Option<Self> {
                word.try_into().ok()
            }
        }
    )*};
}

numbers!(u8, u16, u32, u64);

impl<const N: usize> Key for [u8; N] {
    type Stored = Self;
}

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
