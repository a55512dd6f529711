use std::{fmt::Debug, hash::Hash};

use serde::{Deserialize, Serialize};

use super::{Fault, Result};

/// A position's identity in a table: small, cheap to compare, the same on every machine. Integers and byte arrays are keys.
pub trait Key: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// The form that a table stores: the key itself, or the same in fewer bytes.
    type Stored: Copy + Debug + From<Self> + Into<Self> + Send + Sync;

    /// Bytes in cache files of our own format.
    const BYTES: usize;

    /// Appends the [`Key::BYTES`] bytes.
    fn write(self, bytes: &mut Vec<u8>);

    /// Reads a key from its bytes.
    /// Errors: bytes that are no key.
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

/// Which positions share a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum KeyScheme {
    /// No two positions: position and side to move as they are (seed 002).
    Plain,
    /// A position and its colour-swapped twin: keys are always "as white to move" (seed 000).
    Colour,
    /// All positions that symmetry makes equal, and their colour-swapped twins.
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

/// A position in a few bytes, stored beside a key so that key collisions are detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packed {
    /// Everything that belongs to the key: positions that may share an entry have the same.
    pub identity: [u8; 34],
    /// The rest of the position, which belongs to no key, such as a clock.
    pub rest: [u8; 6],
}

impl Packed {
    /// No position: a value that no game makes by packing one.
    pub const UNKNOWN: Self = Self { identity: [0xFF; 34], rest: [0; 6] };

    /// A position with this identity; `None` if it has more than 34 bytes.
    pub fn new(identity: &[u8]) -> Option<Self> {
        let mut packed = Self { identity: [0; 34], rest: [0; 6] };
        packed.identity.get_mut(..identity.len())?.copy_from_slice(identity);
        Some(packed)
    }

    /// Whether this is a position.
    pub fn is_known(&self) -> bool {
        *self != Self::UNKNOWN
    }

    /// Whether both are known and have different identities.
    pub fn contradicts(&self, other: &Self) -> bool {
        self.is_known() && other.is_known() && self.identity != other.identity
    }
}
