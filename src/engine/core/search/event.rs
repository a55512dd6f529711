use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::engine::core::game::{Score, Window, is_default};

/// What one step of a search did.
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
    /// Deepening starts a new iteration.
    Iteration,
    /// The root is searched again with another window: its value lay outside the last one.
    Pass,
    /// Selective search: the side to move passes; if it still has β, it has it with a move too.
    Null,
    /// Selective search: a late quiet move is searched less deep.
    Reduce,
    /// Selective search: a move that gives check is searched deeper.
    Extend,
    /// Selective search: a quiet move is left out, for the static value is too far below α.
    Prune,
    /// A child is entered.
    Descend,
    /// The memo answered.
    Hit,
    /// The memo has an entry that cannot answer; the window is widened or narrowed by it.
    Invalid,
    /// The memo has no entry.
    Miss,
    /// A node was visited and its children listed.
    Expand,
    /// A node at depth 0 got its heuristic (or learned) value.
    Leaf,
    /// Beyond the horizon: the side to move keeps the position's static value, because it is too good already or no forcing
    /// move is left.
    StandPat,
    /// Beyond the horizon: the static value counts as a move's would, and the forcing moves were listed.
    Captures,
    /// The game is over here.
    Terminal,
    /// A value came back to the parent and changed nothing.
    Return,
    /// A value came back to the parent and is its best so far.
    Raise,
    /// A value came back to the parent and is at or above its β: the other children are not looked at.
    Cutoff,
    /// A value came back to the parent from a zero window and is better than its best: the move is searched again, with the
    /// open window.
    Research,
    /// The memo was given the node's value.
    Store,
    /// Entries gave way to the one that was stored.
    Eviction,
    /// The memo was not given the node's value, because it rests on what lies before the node.
    Skip,
    /// The budget of states is used up.
    Budget,
    /// The search is over.
    Finish,
    /// Told of another program: a node's static value, while its moves may still be searched.
    Static,
    /// Told of another program: the root is left.
    Leave,
    /// Told of another program: a remark.
    Note,
}

impl EventKind {
    /// Whether a value came back to the node from one of its moves.
    pub const fn came_back(self) -> bool {
        matches!(self, Self::Return | Self::Raise | Self::Cutoff | Self::Research)
    }

    /// Whether selective search has decided how a move is searched, or that it is not.
    pub const fn selects(self) -> bool {
        matches!(self, Self::Null | Self::Reduce | Self::Extend | Self::Prune)
    }

    /// Whether it happened at a node with one of its moves: the move under way there.
    pub const fn has_move(self) -> bool {
        self.came_back() || self.selects()
    }

    /// All kinds.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The name in commands and reports.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// One event, as much of it as costs nothing to know. Where it happened is in the machine itself.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Which event of the search it is, from 0.
    pub index: u64,
    /// What happened.
    pub kind: EventKind,
    /// Distance from the root of the node it happened at; for values that come back, of the parent.
    pub ply: u32,
    /// Remaining depth of that node.
    pub depth: u8,
    /// The window in force at that node: α is its best so far. At a cutoff it is the window that the value came back to.
    pub window: Window,
    /// The value that was found, answered, stored or came back, from the point of view of the node it belongs to.
    pub value: Option<Score>,
}

impl Event {
    /// Whether a value came back that is better than any before it. A node may also be cut off by one that is not.
    pub fn raises(&self) -> bool {
        match self.kind {
            EventKind::Raise => true,
            EventKind::Cutoff => self.value > Some(self.window.alpha),
            _ => false,
        }
    }
}

/// Sees every event as it happens.
pub trait Watcher<S> {
    /// Whether there is anything to see; a watcher of a known type that never looks costs nothing.
    #[inline]
    fn is_active(&self) -> bool {
        true
    }

    /// Whether to be called after an event of this kind at this ply. Asked before anything about the event is worked out;
    /// a watcher may be called all the same.
    #[inline]
    fn wants(&self, _kind: EventKind, _ply: u32) -> bool {
        true
    }

    /// Called after each event with the machine as the event left it; `true` stops the run.
    fn see(&mut self, event: &Event, search: &S) -> bool;
}

/// The watcher that does not look.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl<S> Watcher<S> for Unwatched {
    #[inline]
    fn is_active(&self) -> bool {
        false
    }

    fn see(&mut self, _: &Event, _: &S) -> bool {
        false
    }
}

/// How often the memo answered and how much was searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counters {
    /// States visited (the seeds' *visited*).
    pub nodes: u64,
    /// Probes answered.
    pub hits: u64,
    /// Searches finished although an entry was there.
    pub invalid: u64,
    /// Searches finished without an entry.
    pub misses: u64,
    /// Values given to the memo, one for each node however large its orbit.
    pub stores: u64,
    /// Cutoffs at β.
    pub cutoffs: u64,
    /// Values taken from the heuristic or a rote table at depth 0.
    pub leaves: u64,
    /// Entries that gave way to others.
    #[serde(default)]
    pub evictions: u64,
    /// Entries not used because they were written for another position under the same key.
    #[serde(default, skip_serializing_if = "is_default")]
    pub collisions: u64,
}
