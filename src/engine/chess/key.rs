//! Keys: the hash of a position, with the parts of its history that can change its value.

use std::fmt;

use crate::engine::game::{self, Fault, Result};

const SHAPE: &str = "a key is 16 hexadecimal digits, .pN if the history matters, .cN if the halfmove clock matters, such as 8f8a8b0b7a0c4d21.p1.c97; `:` and the depth follow if the memo policy has one";

/// The key of a position in the table.
///
/// The text of a key is 16 hexadecimal digits, `.p` and a number if the history matters, `.c` and the clock if it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The Zobrist hash of the position.
    pub hash: u64,
    /// The number of earlier occurrences of the position, or a digest of the earlier positions that matter; 0: no history.
    pub past: u32,
    clock: u16,
}

/// Stands for "the clock does not matter": no clock reaches this value.
const NO_CLOCK: u16 = u16::MAX;

impl Key {
    /// A key from hash, history and halfmove clock; `clock`: `None` if the clock does not matter.
    #[inline]
    pub fn new(hash: u64, past: u32, clock: Option<u16>) -> Self {
        Self { hash, past, clock: clock.unwrap_or(NO_CLOCK) }
    }

    /// The halfmove clock; `None` if the clock does not matter.
    pub fn clock(self) -> Option<u16> {
        (self.clock != NO_CLOCK).then_some(self.clock)
    }

    pub(super) fn parse(text: &str) -> Result<Self> {
        let fault = || Fault::word(text, "is not a chess key").hint(SHAPE);
        let mut parts = text.split('.');
        let digits = parts.next().unwrap_or_default();
        let plain = digits.len() == 16 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let hash = u64::from_str_radix(digits, 16).ok().filter(|_| plain);
        let mut key = Self::new(hash.ok_or_else(fault)?, 0, None);
        for part in parts {
            if let Some(past) = part.strip_prefix('p') {
                key.past = past.parse().map_err(|_| fault())?;
            } else if let Some(clock) = part.strip_prefix('c') {
                key.clock = clock.parse().map_err(|_| fault())?;
            } else {
                return Err(fault());
            }
        }
        Ok(key)
    }
}

impl game::Key for Key {
    type Stored = Self;

    /// The length of a key in bytes: hash, past and clock, all little-endian.
    const BYTES: usize = 14;

    fn write(self, bytes: &mut Vec<u8>) {
        bytes.extend(self.hash.to_le_bytes());
        bytes.extend(self.past.to_le_bytes());
        bytes.extend(self.clock.to_le_bytes());
    }

    fn read(bytes: &[u8]) -> Result<Self> {
        let parts = bytes.split_first_chunk().and_then(|(hash, rest)| {
            let (past, rest) = rest.split_first_chunk()?;
            Some((*hash, *past, rest.try_into().ok()?))
        });
        let length = || Fault::new(format!("a chess key has 14 bytes, not {}", bytes.len()));
        let (hash, past, clock) = parts.ok_or_else(length)?;
        Ok(Self {
            hash: u64::from_le_bytes(hash),
            past: u32::from_le_bytes(past),
            clock: u16::from_le_bytes(clock),
        })
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.hash)?;
        if self.past > 0 {
            write!(f, ".p{}", self.past)?;
        }
        self.clock().map_or(Ok(()), |clock| write!(f, ".c{clock}"))
    }
}
