use serde::{Deserialize, Serialize};

/// How large a table may get.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MaxSize {
    /// No limit but the memory.
    #[default]
    Unlimited,
    /// A number of entries.
    Entries(usize),
    /// Bytes of memory, records and index together.
    Bytes(usize),
}

/// Which entry a new one replaces in a full table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Replace {
    /// The shallowest of eight neighbours; the next replacement takes the next eight.
    #[default]
    Depth,
    /// The least used of eight neighbours, whose use counts are then halved.
    Use,
    /// All entries of a depth, from the shallowest on, as seed 000's `clean` does (defect D4).
    Clean,
}

/// Where replacement continues. The journal restores it together with the entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ReplacementCursor {
    /// The first place of the next eight neighbours.
    pub hand: u64,
    /// Entries replaced so far.
    pub evicted: u64,
}

/// The size of a table, and how it replaces entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capacity {
    /// The most entries or bytes.
    pub size: MaxSize,
    /// The choice of the entry to replace.
    pub replace: Replace,
    /// Whether uses are counted even if replacement does not need them.
    pub count_uses: bool,
    /// Whether `clean` waits until a move is chosen, as in seed 000; until then the table may grow.
    pub cleans_between_moves: bool,
    /// Whether positions are stored beside the keys.
    pub verify: bool,
}
