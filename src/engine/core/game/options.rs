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
    /// Whether the queen's piece-square table is mirrored, as in seed 004.
    pub mirrored_queen: bool,
    /// Whether the king's piece-square table is chosen at the root for the whole search (defect D22).
    pub king_from_root: bool,
    /// The most plies of quiescence search; 0 without quiescence.
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
    /// At every node, a true value from the tables replaces the search.
    Leaf,
}

/// How much of the history belongs to a position's key: remedies for the graph-history interaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HistoryPolicy {
    /// All of the history that can change the value within the search depth.
    #[default]
    Exact,
    /// The number of earlier occurrences of the position, and the move clock (seed 004, defect D21).
    Count,
    /// No history in the key (seed 003, defect D17).
    Ignore,
    /// No history in the key; values that depend on the history are not stored.
    Skip,
}

/// The node from which mate distances count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MateDistance {
    /// Distances count from the node itself, so that a stored value is right wherever the table reuses it.
    #[default]
    FromNode,
    /// Distances count from the root of the search (seed 004).
    FromRoot,
    /// No distances: mates and draws are valued by the remaining depth (seed 003, defect D15).
    Remaining,
}

/// The place of a node in a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodePlace {
    /// Distance from the root, in plies.
    pub ply: u32,
    /// Remaining depth, in plies.
    pub depth: u8,
}
