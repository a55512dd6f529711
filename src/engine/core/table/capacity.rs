use serde::{Deserialize, Serialize};

/// How large a cache may get. How that is written stands with the settings by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MaxSize {
    /// As large as memory allows.
    #[default]
    Unlimited,
    /// So many entries.
    Entries(usize),
    /// So many bytes, records and index together.
    Bytes(usize),
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

/// What decides which entry is next to give way, and how many have: it goes back with the entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ReplacementCursor {
    /// The place to look at next.
    pub hand: u64,
    /// Entries that have given way.
    pub evicted: u64,
}

/// What a table may take, and how it keeps to that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capacity {
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
