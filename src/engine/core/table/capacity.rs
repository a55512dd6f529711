use serde::{Deserialize, Serialize};

/// The size limit of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MaxSize {
    /// No limit but the memory.
    #[default]
    Unlimited,
    /// At most this number of entries.
    Entries(usize),
    /// At most this number of bytes, for records and index together.
    Bytes(usize),
}

/// Which entry a new one replaces in a full table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Replace {
    /// Replaces the shallowest of eight neighbouring entries; the next replacement looks at the next eight.
    #[default]
    Depth,
    /// Replaces the least used of eight neighbouring entries, then halves the use counts of the eight.
    Use,
    /// Removes all entries of a depth, the shallowest depth first, as seed 000's `clean` does (defect D4).
    Clean,
}

/// The state of replacement that the journal restores together with the entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ReplacementCursor {
    /// The index of the first of the eight entries among which the next replacement chooses.
    pub hand: u64,
    /// The number of entries replaced so far.
    pub evicted: u64,
}

/// The size limit of a table, and how a full table replaces entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capacity {
    /// The limit: a number of entries, or bytes of memory.
    pub size: MaxSize,
    /// How the entry to replace is chosen.
    pub replace: Replace,
    /// Whether uses are counted even if replacement does not need them.
    pub count_uses: bool,
    /// Whether `clean` waits until a move is chosen, as in seed 000; until then the table may grow.
    pub cleans_between_moves: bool,
    /// Whether positions are stored beside the keys, so that key collisions are detected (`verify=on`).
    pub verify: bool,
}
