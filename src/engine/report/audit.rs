use serde::Serialize;

use super::{Census, EntryReport, EventReport, Score, Side, Stop, WriterReport};

/// Cache entries held against the plain search.
#[derive(Clone, Debug, Serialize)]
pub struct AuditReport {
    /// The memo policy.
    pub policy: &'static str,
    /// Entries in the cache.
    pub entries: usize,
    /// Entries that were to be looked at.
    pub chosen: usize,
    /// Entries that were held against a search.
    pub checked: usize,
    /// Of these, those that are right.
    pub right: usize,
    /// Of these, those that are wrong.
    pub wrong: usize,
    /// Of the wrong ones, those whose value is the true one with the sign turned.
    pub negated: usize,
    /// Of the wrong ones, those of depth 0 where the game is over.
    pub over: usize,
    /// Entries that no search uses: a learned 0 that counts as unknown.
    pub ignored: usize,
    /// Entries that could not be checked, by reason.
    pub unchecked: Vec<Census>,
    /// Wrong entries, in the order in which they stand in the cache.
    pub flaws: Vec<FlawReport>,
    /// States the plain search visited.
    pub nodes: u64,
    /// Wall time in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// Whether each entry was read by both sides: where black's entries stand with the sign turned.
    pub read_twice: bool,
    /// Whether the user stopped it before all chosen entries were looked at.
    pub interrupted: bool,
    /// What a reader should know.
    pub notes: Vec<String>,
}

/// A wrong entry.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FlawReport {
    /// Its key, with the depth where the policy has one.
    pub key: String,
    /// The position the key stands for.
    pub state: String,
    /// Remaining depth.
    pub depth: Option<u8>,
    /// The side to move that reads something wrong: in `state`, or in its colour-swapped twin.
    pub read_by: Side,
    /// What that side reads.
    pub value: Score,
    /// What the value is said to be: `exact`, `lower` or `upper`.
    pub bound: &'static str,
    /// The true value for that side.
    pub true_value: Score,
    /// How much the value is too high.
    pub amount: Score,
    /// `negated` or `over` where the value says so itself.
    pub cause: Option<&'static str>,
    /// Who wrote it, where the recorded search did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub writer: Option<WriterReport>,
}

/// A search held against the plain search.
#[derive(Clone, Debug, Serialize)]
pub struct AuditRunReport {
    /// The first departure; nothing where there is none.
    pub departure: Option<DepartureReport>,
    /// Events of the search that were looked at.
    pub events: u64,
    /// Values that were held against the plain search.
    pub checked: u64,
    /// States the search visited.
    pub nodes: u64,
    /// States the plain search visited.
    pub plain_nodes: u64,
    /// The last complete iteration: plies from the root.
    pub depth: u8,
    /// Why the search ended, where it came to an end.
    pub stopped: Option<Stop>,
    /// Wall time in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
}

/// Where a search is told something that the plain search of the same node and window contradicts.
#[derive(Clone, Debug, Serialize)]
pub struct DepartureReport {
    /// The event.
    pub event: EventReport,
    /// The moves that lead to the node.
    pub line: Vec<String>,
    /// The side to move there.
    pub side: Side,
    /// Lower bound of the window the node was asked for.
    pub alpha: Score,
    /// Upper bound of that window.
    pub beta: Score,
    /// The window that was searched: the one asked for, or as the memo had changed it.
    pub window: [Score; 2],
    /// What the search took for the value.
    pub value: Score,
    /// What the value is in that window: `exact`, `lower` or `upper`.
    pub bound: &'static str,
    /// The true value.
    pub true_value: Score,
    /// `sign`, `zero`, `leaf`, `depth`, `window`, `before` or `entry`.
    pub cause: &'static str,
    /// The entry that answered, as it stands.
    pub entry: Option<EntryReport>,
}
