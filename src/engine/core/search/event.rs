use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::engine::core::game::{Score, Window, is_default};

/// The kind of an event: what one step of a search did.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum EventKind {
    /// An iteration of iterative deepening begins.
    Iteration,
    /// The root is searched again with another window (aspiration, MTD(f)).
    Pass,
    /// Null move: the side to move passes; if its value is still at least β, the node is cut off.
    Null,
    /// LMR: a late quiet move is searched to a reduced depth.
    Reduce,
    /// Check extension: a move that gives check is searched deeper.
    Extend,
    /// Futility pruning: a quiet move is not searched, because the static value is too far below α.
    Prune,
    /// The search enters a child of the current node.
    Descend,
    /// A stored value replaces the search.
    Hit,
    /// An entry is stored, but its depth or bound does not suffice; the entry may widen or narrow the window.
    Invalid,
    /// The table has no entry for the node.
    Miss,
    /// A node is visited and its moves are listed.
    Expand,
    /// A node at depth 0 gets its static (or learned) value.
    Leaf,
    /// The static value is the node's value. Quiescence: it is at least β, or there is no forcing move. Reverse futility
    /// pruning: it exceeds β by more than the margin.
    StandPat,
    /// Quiescence: the static value is a lower bound, and the forcing moves are listed.
    Captures,
    /// The game is over at this node.
    Terminal,
    /// The true value of the node, from endgame tables, replaces the search.
    Tables,
    /// A value returns to the parent and is not better than the parent's best.
    Return,
    /// A value returns to the parent and is the parent's best so far: it raises α.
    Raise,
    /// A value returns to the parent and is at least β: the other moves are not searched.
    Cutoff,
    /// A value from a zero window or a reduced search is better than the parent's best: the move is searched again, in full.
    Research,
    /// The node's value is stored in the table.
    Store,
    /// The entry just stored replaced others.
    Eviction,
    /// The node's value is not stored, because it depends on the history.
    Skip,
    /// The budget of nodes is used up.
    Budget,
    /// The search is over.
    Finish,
    /// In traces: a node's static value; its moves may still be searched.
    Static,
    /// In traces: the root is left.
    Leave,
    /// In traces: a remark.
    Note,
}

impl EventKind {
    /// Whether one of the node's moves has returned a value.
    pub const fn came_back(self) -> bool {
        matches!(self, Self::Return | Self::Raise | Self::Cutoff | Self::Research)
    }

    /// Whether selective search tries a null move, or prunes, reduces or extends a move.
    pub const fn selects(self) -> bool {
        matches!(self, Self::Null | Self::Reduce | Self::Extend | Self::Prune)
    }

    /// Whether the event concerns the current move of its node.
    pub const fn has_move(self) -> bool {
        self.came_back() || self.selects()
    }

    /// All kinds of events.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The name in commands and replies, such as `stand-pat`.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// An event of a search. Its position and line are read from the search itself.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// The number of the event, from 0.
    pub index: u64,
    /// What happened, such as a cutoff.
    pub kind: EventKind,
    /// The ply of the event's node; if a value returns, of the parent.
    pub ply: u32,
    /// Remaining depth at the node of `ply`.
    pub depth: u8,
    /// The node's current window: α is its best value so far; at a cutoff, the best value before the cutoff.
    pub window: Window,
    /// The value that was found, stored or returned, for the side to move at the node of `ply`; `None` for other events.
    pub value: Option<Score>,
}

impl Event {
    /// Whether a value returned that is better than any before. A null move may cut off without being better.
    pub fn raises(&self) -> bool {
        match self.kind {
            EventKind::Raise => true,
            EventKind::Cutoff => self.value > Some(self.window.alpha),
            _ => false,
        }
    }
}

/// An observer that is called after events and can stop the run: breakpoints, counters, traces.
pub trait Watcher<S> {
    /// Whether the watcher is called at all. Inlined, so that [`NoWatcher`] costs nothing.
    #[inline]
    fn is_active(&self) -> bool {
        true
    }

    /// Whether to call the watcher after events of this kind at this ply: a cheap filter before the event is described. Other
    /// events may reach the watcher too.
    #[inline]
    fn wants(&self, _kind: EventKind, _ply: u32) -> bool {
        true
    }

    /// Called after an event; `true` stops the run.
    fn see(&mut self, event: &Event, search: &S) -> bool;
}

/// The watcher that is never called.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoWatcher;

impl<S> Watcher<S> for NoWatcher {
    #[inline]
    fn is_active(&self) -> bool {
        false
    }

    fn see(&mut self, _: &Event, _: &S) -> bool {
        false
    }
}

/// Nodes, probes and cutoffs of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counters {
    /// Nodes visited (the seeds' *visited*).
    pub nodes: u64,
    /// Probes whose stored value replaced the search.
    pub hits: u64,
    /// Nodes searched although the table had an entry.
    pub invalid: u64,
    /// Of the nodes in `invalid`, those whose window the entry narrowed or widened.
    #[serde(default, skip_serializing_if = "is_default")]
    pub changed_window: u64,
    /// Nodes searched because the table had no entry.
    pub misses: u64,
    /// Values stored, one per node however many symmetric positions share it.
    pub stores: u64,
    /// Nodes cut off at β.
    pub cutoffs: u64,
    /// Values at depth 0, from the evaluation or a rote table.
    pub leaves: u64,
    /// Entries that were replaced by others.
    #[serde(default)]
    pub evictions: u64,
    /// Entries not used because they belong to another position with the same key.
    #[serde(default, skip_serializing_if = "is_default")]
    pub collisions: u64,
}
