use serde::Serialize;

use super::{Run, Score};
use crate::engine::search::{EventKind, Outcome};

/// An event of a search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EventReport {
    /// Which event of the search it is, from 0.
    pub index: u64,
    /// What happened.
    pub kind: EventKind,
    /// Distance of the node from the root.
    pub ply: u32,
    /// Remaining depth of the node.
    pub depth: u8,
    /// The node's position.
    pub state: String,
    /// The move that led to the node; where a value came back, the move it came back from.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The best value so far at the node, its α.
    pub alpha: Score,
    /// The node's β.
    pub beta: Score,
    /// The value found, answered, stored or come back.
    pub value: Option<Score>,
}

/// Where a stepped search stands.
#[derive(Clone, Debug, Serialize)]
pub struct StopReport {
    /// The last event.
    pub event: Option<EventReport>,
    /// Why it stands: `step`, `next`, `finish`, `until`, or as in `search run`.
    pub stopped: String,
    /// Whether the search is over.
    pub done: bool,
    /// Which breakpoint stopped it.
    pub breakpoint: Option<u32>,
    /// Events run by this command.
    pub events: u64,
    /// The result, once it is over.
    pub result: Option<Box<Run>>,
    /// What a reader should know.
    pub notes: Vec<String>,
}

/// The search stack.
#[derive(Clone, Debug, Serialize)]
pub struct Where {
    /// From the root to the node at hand.
    pub frames: Vec<FrameReport>,
    /// The selected frame's ply.
    pub selected: usize,
    /// The last event.
    pub event: Option<EventReport>,
    /// The iteration under way: plies from the root.
    pub iteration: u8,
    /// States visited so far.
    pub nodes: u64,
}

/// One node of the line being searched.
#[derive(Clone, Debug, Serialize)]
pub struct FrameReport {
    /// Distance from the root.
    pub ply: u32,
    /// Remaining depth.
    pub depth: u8,
    /// The position.
    pub state: String,
    /// The move under way from it.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The side to move: `w` or `b`.
    pub side: String,
    /// The α in force: the best so far, or the window's.
    pub alpha: Score,
    /// The window's β.
    pub beta: Score,
    /// The best value so far, once there is one.
    pub best: Option<Score>,
    /// The move that gave it.
    pub best_move: Option<String>,
    /// How many of its moves have been entered.
    pub child: usize,
    /// How many it has; 0 until listed.
    pub children: usize,
    /// What the memo said.
    pub memo: Outcome,
    /// Its key, with depth where the policy has one.
    pub key: String,
    /// The moves in search order.
    pub moves: Vec<String>,
    /// The board drawn with Unicode.
    #[serde(skip)]
    pub board: String,
    /// The board drawn in ASCII.
    #[serde(skip)]
    pub board_ascii: String,
}

/// The breakpoints.
#[derive(Clone, Debug, Serialize)]
pub struct BreakpointList {
    /// In the order they were set.
    pub breakpoints: Vec<BreakpointReport>,
}

/// A breakpoint.
#[derive(Clone, Debug, Serialize)]
pub struct BreakpointReport {
    /// Its number.
    pub id: u32,
    /// What it waits for.
    pub condition: String,
    /// Whether it is removed when it stops.
    pub temporary: bool,
    /// Whether it is looked at.
    pub enabled: bool,
    /// How often it stopped a search.
    pub hits: u64,
}
