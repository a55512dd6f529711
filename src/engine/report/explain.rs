use serde::Serialize;

use super::{EntryReport, Score, Side, Term, WriterReport};

/// Why the root has its value.
#[derive(Clone, Debug, Serialize)]
pub struct ValueExplained {
    /// The root.
    pub state: String,
    /// The side to move there.
    pub side: Side,
    /// Plies from the root that were searched.
    pub depth: u8,
    /// What the search found.
    pub value: Score,
    /// The best moves.
    pub best: Vec<String>,
    /// The root's moves with their values, best first.
    pub moves: Vec<MoveExplained>,
    /// The plain search's reasons along the line of the first best move.
    #[serde(flatten)]
    pub reasons: Reasons,
}

/// Why a root move is not chosen, or why it is.
#[derive(Clone, Debug, Serialize)]
pub struct MoveChoice {
    /// The root.
    pub state: String,
    /// The side to move there.
    pub side: Side,
    /// Plies from the root that were searched.
    pub depth: u8,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// What the search found for it.
    pub value: Score,
    /// Whether it is one of the best.
    pub is_best: bool,
    /// The best moves.
    pub best: Vec<String>,
    /// What they are worth.
    pub best_value: Score,
    /// The plain search's reasons.
    #[serde(flatten)]
    pub reasons: Reasons,
}

/// What the plain search says along a line of moves.
#[derive(Clone, Debug, Serialize)]
pub struct Reasons {
    /// The line from the root.
    pub line: Vec<String>,
    /// Ply by ply, from the first node after the root.
    pub plies: Vec<PlyExplained>,
    /// Where the line ends; nothing where the explanation ends earlier.
    pub end: Option<EndExplained>,
    /// What the plain search finds for the line's first move, for the side to move at the root.
    pub plain_value: Option<Score>,
    /// States the plain search visited.
    pub nodes: u64,
    /// What a reader should know.
    pub notes: Vec<String>,
}

/// A node of the line.
#[derive(Clone, Debug, Serialize)]
pub struct PlyExplained {
    /// Distance from the root.
    pub ply: u32,
    /// The move that led here.
    pub after: String,
    /// The position.
    pub state: String,
    /// The side to move.
    pub side: Side,
    /// Remaining depth.
    pub depth: u8,
    /// Beyond the horizon, the static value that the side to move may keep instead of making a forcing move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stand_pat: Option<Score>,
    /// Lower bound of the window.
    pub alpha: Score,
    /// Upper bound of the window.
    pub beta: Score,
    /// The value for the side to move.
    pub value: Score,
    /// `exact`, `lower` or `upper`.
    pub bound: &'static str,
    /// The best move.
    pub best: Option<String>,
    /// The moves that were searched, in that order.
    pub moves: Vec<MoveExplained>,
    /// The moves that a cutoff spared.
    pub spared: Vec<String>,
}

/// A move of a node. Values are for the side that makes it.
#[derive(Clone, Debug, Serialize)]
pub struct MoveExplained {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// What it is worth.
    pub value: Score,
    /// `exact`, or only a bound: `lower` or `upper`.
    pub bound: &'static str,
    /// Lower bound of the window when it was searched.
    pub alpha: Score,
    /// Upper bound of that window.
    pub beta: Score,
    /// The answer that refutes it, or its best answer.
    pub reply: Option<String>,
    /// Whether it was better than the moves before it.
    pub raised: bool,
}

/// The end of a line.
#[derive(Clone, Debug, Serialize)]
pub struct EndExplained {
    /// Distance from the root.
    pub ply: u32,
    /// The position.
    pub state: String,
    /// The side to move.
    pub side: Side,
    /// Its value for that side.
    pub value: Score,
    /// What that is worth to the side to move at the root, counted from there.
    pub root_value: Score,
    /// `over`, `learned`, `heuristic` or `stand-pat`: what gives the value.
    pub by: &'static str,
    /// The position in words.
    pub words: String,
    /// The heuristic by terms, where that gives the value.
    pub terms: Vec<Term>,
}

/// Why a node is cut off, or what it would take.
#[derive(Clone, Debug, Serialize)]
pub struct CutoffExplained {
    /// Distance from the root.
    pub ply: u32,
    /// The position.
    pub state: String,
    /// The side to move.
    pub side: Side,
    /// Whether its value is at or above β.
    pub cut: bool,
    /// What cuts it off: a `move`, an `entry` of the cache, or `stand-pat`, the static value beyond the horizon.
    pub by: Option<&'static str>,
    /// The best move so far.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The best value so far.
    pub value: Option<Score>,
    /// β of the node.
    pub beta: Score,
    /// The moves that are not searched because of it; those still to come where it is not cut off.
    pub spared: Vec<String>,
    /// Where β comes from; none where it is the window of the whole search.
    pub rival: Option<Rival>,
}

/// What a side above a node has already, and will not give up for less.
#[derive(Clone, Debug, Serialize)]
pub struct Rival {
    /// Distance of its node from the root.
    pub ply: u32,
    /// The side to move there.
    pub side: Side,
    /// Its best move so far.
    #[serde(rename = "move")]
    pub mv: String,
    /// What that is worth to it.
    pub value: Score,
}

/// What an entry claims, whether that is true, and what a probe would do with it.
#[derive(Clone, Debug, Serialize)]
pub struct EntryExplained {
    /// Its key.
    pub key: String,
    /// The entry as it stands.
    pub entry: EntryReport,
    /// `right`, `wrong`, `ignored` or `unchecked`.
    pub verdict: &'static str,
    /// Why it could not be checked.
    pub reason: Option<&'static str>,
    /// The side that reads something wrong.
    pub read_by: Option<Side>,
    /// What that side reads.
    pub read_value: Option<Score>,
    /// The true value for that side.
    pub true_value: Option<Score>,
    /// `negated` or `over` where the value says how it went wrong.
    pub cause: Option<&'static str>,
    /// Who wrote it, where the recorded search did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub writer: Option<WriterReport>,
    /// For which depths it answers: `equal`, `deeper` (its own and shallower ones) or `leaf` (in place of the heuristic).
    pub serves: &'static str,
    /// What a probe from the selected frame would do.
    pub probe: Option<ProbeExplained>,
    /// States the plain search visited.
    pub nodes: u64,
    /// What a reader should know.
    pub notes: Vec<String>,
}

/// What a probe does with an entry.
#[derive(Clone, Debug, Serialize)]
pub struct ProbeExplained {
    /// The frame's distance from the root; nothing where no search is under way and the full window is taken.
    pub ply: Option<u32>,
    /// Whether the frame's position is looked up under this key.
    pub same_key: bool,
    /// The depth asked for.
    pub depth: u8,
    /// Lower bound of the window asked for.
    pub alpha: Score,
    /// Upper bound of that window.
    pub beta: Score,
    /// `answer`, `search` (there is an entry that cannot answer), `miss` or `unasked` (searches of this policy ask at leaves only).
    pub outcome: &'static str,
    /// The answer.
    pub value: Option<Score>,
    /// The window that would be searched instead.
    pub window: Option<[Score; 2]>,
}
