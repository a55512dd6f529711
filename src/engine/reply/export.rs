//! Trees and logs of searches, and the files they are written to.

use super::{EventReport, Score, Side};

/// The tree that a search explored.
#[derive(Clone, Debug)]
pub struct TreeReport {
    /// Plies from the root of the iteration it is of.
    pub depth: u8,
    /// The nodes, each after its parent, children in search order.
    pub nodes: Vec<TreeNode>,
    /// Nodes within the plies wanted that were left out.
    pub omitted: u64,
}

/// A node of it.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeNode {
    /// Its parent's place in the list; none for the root.
    pub parent: Option<usize>,
    /// Distance from the root.
    pub ply: u32,
    /// The moves that lead here: one, or all that a cutoff spared.
    pub moves: Vec<String>,
    /// The position; none where nothing was searched.
    pub state: Option<String>,
    /// The side to move.
    pub side: Side,
    /// Lower bound of the window it was asked for.
    pub alpha: Score,
    /// Upper bound of that window.
    pub beta: Score,
    /// What it is worth to the side to move, once that is known.
    pub value: Option<Score>,
    /// `exact`, `lower` or `upper`.
    pub bound: Option<&'static str>,
    /// `inner`, `leaf`, `terminal`, `hit` or `spared`.
    pub kind: &'static str,
    /// Whether one of its moves cut off the others.
    pub cut: bool,
    /// Whether it is its parent's best.
    pub best: bool,
    /// Whether the cache had an entry that could not answer.
    pub invalid: bool,
}

/// Events of a search, in order.
#[derive(Clone, Debug)]
pub struct LogReport {
    /// The root.
    pub state: String,
    /// The weights.
    pub weights: String,
    /// The settings, by name.
    pub settings: Vec<(String, String)>,
    /// The events.
    pub events: Vec<EventLine>,
    /// Events of the search in all.
    pub total: u64,
}

/// An event with the line of moves to its node.
#[derive(Clone, Debug)]
pub struct EventLine {
    /// The event.
    pub event: EventReport,
    /// The moves from the root to the node.
    pub line: Vec<String>,
}
