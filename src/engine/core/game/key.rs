use std::{fmt::Debug, hash::Hash};

use serde::{Deserialize, Serialize};

use super::{Fault, Result};

/// A position's identity in a table: small, cheap to compare, the same on every machine. Integers and byte arrays can be keys.
pub trait Key: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// The form in which a table stores the key: unchanged, or packed into fewer bytes.
    type Stored: Copy + Debug + From<Self> + Into<Self> + Send + Sync;

    /// The length of a key in cache files of our own format, in bytes.
    const BYTES: usize;

    /// Appends the key to `bytes`, [`Key::BYTES`] long.
    fn write(self, bytes: &mut Vec<u8>);

    /// Reads a key from its bytes.
    /// Errors: a wrong number of bytes, or bytes that are not a key.
    fn read(bytes: &[u8]) -> Result<Self>;
}

macro_rules! plain_keys {
    ($($kind:ty, [$($size:ident)?], $bytes:expr, $to:expr, $from:expr;)*) => {$(
        impl$(<const $size: usize>)? Key for $kind {
            type Stored = Self;

            const BYTES: usize = $bytes;

            fn write(self, bytes: &mut Vec<u8>) {
                bytes.extend($to(self));
            }

            fn read(bytes: &[u8]) -> Result<Self> {
                let exact = bytes.try_into();
                exact.map($from).map_err(|_| Fault::new(format!("a key has {} bytes", Self::BYTES)))
            }
        }
    )*};
}

plain_keys! {
    u8, [], 1, Self::to_be_bytes, Self::from_be_bytes;
    u16, [], 2, Self::to_be_bytes, Self::from_be_bytes;
    u32, [], 4, Self::to_be_bytes, Self::from_be_bytes;
    u64, [], 8, Self::to_be_bytes, Self::from_be_bytes;
    [u8; N], [N], N, std::convert::identity, std::convert::identity;
}

/// The scheme of keys: which positions share a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum KeyScheme {
    /// No two positions share a key: position and side to move as they are (seed 002).
    Plain,
    /// A position and its colour-swapped twin share a key: that of the one with White to move (seed 000).
    Colour,
    /// All positions that symmetry makes equal share a key, as do their colour-swapped twins.
    Canonical,
}

/// A key with the remaining depth it is stored for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Keyed<K> {
    /// The key of the position, under the table's [`KeyScheme`].
    pub key: K,
    /// Remaining depth (the seeds' *limit*); 0 under policies that keep no depth in the key.
    pub depth: u8,
}

/// A position in a few bytes, stored beside a key so that key collisions are detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packed {
    /// The part of the position that its key depends on: positions that may share an entry have equal identities.
    pub identity: [u8; 34],
    /// The rest of the position, which no key depends on, such as a move clock.
    pub rest: [u8; 6],
}

impl Packed {
    /// An unknown position: no game packs a position into these bytes.
    pub const UNKNOWN: Self = Self { identity: [0xFF; 34], rest: [0; 6] };

    /// Packs `identity` and sets `rest` to zeros; `None` if `identity` is longer than 34 bytes.
    pub fn new(identity: &[u8]) -> Option<Self> {
        let mut packed = Self { identity: [0; 34], rest: [0; 6] };
        packed.identity.get_mut(..identity.len())?.copy_from_slice(identity);
        Some(packed)
    }

    /// Whether the position is known, that is, not [`Packed::UNKNOWN`].
    pub fn is_known(&self) -> bool {
        *self != Self::UNKNOWN
    }

    /// Whether both positions are known and have different identities: a key collision.
    pub fn contradicts(&self, other: &Self) -> bool {
        self.is_known() && other.is_known() && self.identity != other.identity
    }
}
