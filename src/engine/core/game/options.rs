use serde::{Deserialize, Serialize};

/// The settings of a search that concern the game. A game ignores those that it lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct GameOptions {
    /// How much of the history belongs to a position's key.
    pub history_policy: HistoryPolicy,
    /// The node from which mate distances count.
    pub ends: MateDistance,
    /// Whether the halfmove clock enters keys fifty plies too early (defect D20).
    pub early_clock: bool,
    /// Whether the queen's square table is mirrored, as in seed 004.
    pub mirrored_queen: bool,
    /// Whether the king's square table is chosen at the root and kept (defect D22).
    pub king_from_root: bool,
    /// Plies of quiescence search; 0 without.
    pub quiescence_depth: u8,
    /// How the search uses endgame tables.
    pub tables: TableUse,
}

/// How a search uses endgame tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TableUse {
    /// The search does not use tables.
    #[default]
    Off,
    /// Root moves are filtered: only those that the tables rate best are searched.
    Root,
    /// At every node: a true value that the tables have replaces the search.
    Leaf,
}

/// How much of the history belongs to a position's key: remedies for the graph-history interaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HistoryPolicy {
    /// Everything that can change the value within the depth.
    #[default]
    Exact,
    /// How often the position has occurred, and the clock (seed 004, defect D21).
    Count,
    /// Nothing (seed 003, defect D17).
    Ignore,
    /// Nothing; values that depend on the history are not stored.
    Skip,
}

/// The node from which mate distances count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MateDistance {
    /// The node whose value it is, so that the value is right wherever the table reuses it.
    #[default]
    FromNode,
    /// The root of the search (seed 004).
    FromRoot,
    /// None: the remaining depth counts, for draws too (seed 003, defect D15).
    Remaining,
}

/// The place of a node in a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodePlace {
    /// Distance from the root.
    pub ply: u32,
    /// Remaining depth.
    pub depth: u8,
}
