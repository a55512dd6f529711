use serde::{Deserialize, Serialize};

/// What the settings of a search ask of the game itself; a game takes no notice of what it does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct GameOptions {
    /// How much of the past belongs to a position's key.
    pub history_policy: HistoryPolicy,
    /// How the end of a game is counted.
    pub ends: MateDistance,
    /// The halfmove clock enters keys from 50 instead of 100 plies before the draw (defect D20).
    pub early_clock: bool,
    /// The queen's table mirrored, as seed 004 reads it.
    pub mirrored_queen: bool,
    /// The kings' table chosen at the root and kept (defect D22).
    pub king_from_root: bool,
    /// Plies that a search goes beyond its depth, where it looks for quiet positions.
    pub quiescence_depth: u8,
}

/// How much of the past belongs to a position's key: the remedies for the graph-history interaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HistoryPolicy {
    /// All that can change the value within the depth.
    #[default]
    Exact,
    /// How often the position has occurred, and the clock (seed 004, defect D21).
    Count,
    /// Nothing (seed 003, defect D17).
    Ignore,
    /// Nothing, and values that rest on the past are not stored.
    Skip,
}

/// How the end of a game is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MateDistance {
    /// By the distance from the node that holds the value: right wherever the value is used again.
    #[default]
    FromNode,
    /// By the distance from the root of the search (seed 004).
    FromRoot,
    /// By the remaining depth, draws too (seed 003, defect D15).
    Remaining,
}

/// Where in a search a node stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodePlace {
    /// Distance from the root.
    pub ply: u32,
    /// Remaining depth.
    pub depth: u8,
}
