use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::engine::core::game::Fault;

/// How large a cache may get.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MaxSize {
    /// As large as memory allows.
    Unlimited,
    /// So many entries.
    Entries(usize),
    /// So many bytes, records and index together.
    Bytes(usize),
}

/// Units of bytes, the longer names first.
const UNITS: [(&str, usize); 7] = [
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("kB", 1000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("B", 1),
];

impl FromStr for MaxSize {
    type Err = Fault;

    /// Reads `1000000`, `1_000_000`, `64MiB`, `1GB` or `off`.
    fn from_str(text: &str) -> Result<Self, Fault> {
        let fault = || {
            Fault::new(format!("`{text}` is no size of a cache"))
                .hint("give entries as 1_000_000, bytes as 64MiB or 1GB, or off")
        };
        let number = |digits: &str| {
            let digits = digits.trim().replace('_', "");
            digits.parse::<usize>().map_err(|_| fault())
        };
        if text == "off" {
            return Ok(Self::Unlimited);
        }
        let unit = UNITS
            .iter()
            .find_map(|(name, size)| text.strip_suffix(name).map(|digits| (digits, *size)));
        match unit {
            None => number(text).map(Self::Entries),
            Some((digits, size)) => {
                number(digits)?.checked_mul(size).map(Self::Bytes).ok_or_else(fault)
            }
        }
    }
}

impl fmt::Display for MaxSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Unlimited => f.write_str("off"),
            Self::Entries(entries) => write!(f, "{entries}"),
            Self::Bytes(bytes) => {
                let whole = |(_, size): &&(&str, usize)| bytes >= *size && bytes % size == 0;
                let (name, size) =
                    UNITS.iter().filter(whole).max_by_key(|(_, size)| *size).unwrap_or(&("B", 1));
                write!(f, "{}{name}", bytes / size)
            }
        }
    }
}

impl Serialize for MaxSize {
    /// Entries as a number, anything else as it is typed.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Entries(entries) => entries.serialize(serializer),
            other => serializer.collect_str(other),
        }
    }
}

impl<'de> Deserialize<'de> for MaxSize {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SizeReader)
    }
}

struct SizeReader;

impl de::Visitor<'_> for SizeReader {
    type Value = MaxSize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number of entries, or a size such as \"64MiB\"")
    }

    fn visit_u64<E: de::Error>(self, entries: u64) -> Result<MaxSize, E> {
        let entries = usize::try_from(entries);
        entries.map(MaxSize::Entries).map_err(E::custom)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<MaxSize, E> {
        text.parse().map_err(E::custom)
    }
}

/// Which entry gives way where a new one has no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Replace {
    /// Of eight neighbours the shallowest; the next eight are looked at the next time.
    #[default]
    Depth,
    /// Of eight neighbours the least used, whose uses are halved then.
    Use,
    /// Whole depths, from the shallowest on, as seed 000's `clean` has it (defect D4).
    Clean,
}

impl Replace {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Depth, Self::Use, Self::Clean];
}

/// What decides which entry is next to give way, and how many have: it goes back with the entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Standing {
    /// The place to look at next.
    pub hand: u64,
    /// Entries that have given way.
    pub evicted: u64,
}

/// What a table may take, and how it keeps to that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// The bound.
    pub size: MaxSize,
    /// What gives way.
    pub replace: Replace,
    /// Whether uses are counted, even if nothing is replaced by them.
    pub count_uses: bool,
    /// Whether the bound waits until a decision is made, and cleaning with it, as in seed 000.
    pub between: bool,
    /// Whether the positions are kept beside the keys.
    pub verify: bool,
}

impl Room {
    /// The bound that holds at every moment.
    pub(super) fn hard_size(&self) -> MaxSize {
        if self.between && self.replace == Replace::Clean { MaxSize::Unlimited } else { self.size }
    }

    pub(super) fn counts_uses(&self) -> bool {
        self.count_uses || self.replace == Replace::Use
    }
}

impl Default for Room {
    fn default() -> Self {
        Self {
            size: MaxSize::Unlimited,
            replace: Replace::Depth,
            count_uses: false,
            between: false,
            verify: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_they_are_written() {
        for (text, size) in [
            ("off", MaxSize::Unlimited),
            ("0", MaxSize::Entries(0)),
            ("1000000", MaxSize::Entries(1_000_000)),
            ("64MiB", MaxSize::Bytes(64 << 20)),
            ("1GB", MaxSize::Bytes(1_000_000_000)),
            ("12kB", MaxSize::Bytes(12_000)),
            ("7B", MaxSize::Bytes(7)),
        ] {
            assert_eq!(text.parse(), Ok(size));
            assert_eq!(size.to_string(), text);
        }
        assert_eq!("1_000".parse(), Ok(MaxSize::Entries(1000)));
        assert_eq!("64 MiB".parse(), Ok(MaxSize::Bytes(64 << 20)));
        for wrong in ["", "-1", "1.5GB", "many", "MiB", "99999999999999GiB"] {
            let fault = wrong.parse::<MaxSize>().expect_err(wrong);
            assert!(fault.hint.is_some(), "{fault}");
        }
    }
}
