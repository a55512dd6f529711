use serde::Serialize;

use super::{EntryReport, Run, Score};
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
    /// The timeline at hand, where searches are recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeline: Option<String>,
    /// What a reader should know.
    pub notes: Vec<String>,
    /// What was watched on the way.
    #[serde(flatten)]
    pub seen: Seen,
}

/// What watchpoints, traces and displays have to show after a run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Seen {
    /// What the watchpoint that stopped it saw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub watch: Option<WatchReport>,
    /// Lines of traces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<TraceReport>,
    /// Expressions that are shown after every stop.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub displays: Vec<DisplayReport>,
}

/// What a watchpoint saw: the thing before and after.
#[derive(Clone, Debug, Serialize)]
pub struct WatchReport {
    /// An entry's key, or a value's name and ply.
    pub what: String,
    /// `read`, `write` or, of a frame's value, `change`.
    pub access: &'static str,
    /// Before and after.
    #[serde(flatten)]
    pub change: ChangeReport,
}

/// A watched thing before and after.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum ChangeReport {
    /// A cache entry.
    Entry {
        /// As it was; none where there was none.
        previous: Option<Box<EntryReport>>,
        /// As it is.
        entry: Option<Box<EntryReport>>,
    },
    /// A value of a frame.
    Value {
        /// As it was; none where there was none.
        previous: Option<Score>,
        /// As it is.
        now: Option<Score>,
    },
}

/// Lines of traces of one run.
#[derive(Clone, Debug, Serialize)]
pub struct TraceReport {
    /// The first of them, in order.
    pub lines: Vec<TraceLine>,
    /// How many more there were.
    pub omitted: u64,
}

/// One line of a trace.
#[derive(Clone, Debug, Serialize)]
pub struct TraceLine {
    /// The trace's number.
    pub breakpoint: u32,
    /// Where its conditions held.
    pub event: EventReport,
}

/// Displays with their values now.
#[derive(Clone, Debug, Serialize)]
pub struct DisplayList {
    /// In the order they were made.
    pub displays: Vec<DisplayReport>,
}

/// An expression that is shown after every stop.
#[derive(Clone, Debug, Serialize)]
pub struct DisplayReport {
    /// Its number.
    pub id: u32,
    /// As typed.
    pub expression: String,
    /// What it is worth now; null where that is nothing.
    pub value: serde_json::Value,
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

/// A breakpoint, watchpoint or trace.
#[derive(Clone, Debug, Serialize)]
pub struct BreakpointReport {
    /// Its number.
    pub id: u32,
    /// The command that sets such a one: `break`, `tbreak`, `watch`, `rwatch`, `awatch` or `trace`.
    pub command: &'static str,
    /// What it waits for, its condition included.
    pub condition: String,
    /// Whether it is removed when it stops.
    pub temporary: bool,
    /// Whether it is looked at.
    pub enabled: bool,
    /// How often what it waits for has happened.
    pub hits: u64,
    /// So many times it is still to be ignored.
    pub ignore: u64,
    /// Command lines to run when it stops.
    pub commands: Vec<String>,
    /// They came with a session and do not run until `trust` is given.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub untrusted: bool,
}

/// Values of a frame and of its search, by name.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Printed {
    /// Names and values.
    pub values: serde_json::Map<String, serde_json::Value>,
}
