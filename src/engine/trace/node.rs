//! An open node of a trace, as the checks need it. All values are from the point of view of the side to move at the node.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Entered, Rulebook, TraceEvent};
use crate::engine::{search::Counters, table::Bound};

/// Plies from the root at most: no search goes deeper, but a trace without `out` events would.
pub(super) const DEEPEST: u32 = 4_096;

/// The first line of a landmark: counts over all events before it. Each other line is an event, with its number in front.
#[derive(Serialize, Deserialize)]
pub(super) struct LandmarkHead {
    pub counters: Counters,
    pub iterations: Vec<(u8, u64)>,
}

/// α and β.
pub(super) type Span = (f64, f64);

/// What leads from the parent to a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Relation {
    #[default]
    Move,
    /// A null move.
    Null,
    /// Nothing, the position is the same: internal iterative deepening, a singular search, the step into quiescence.
    Inner,
}

impl Relation {
    /// The relation of a node that is entered to its parent: the parent's kind, and whether a move to the node would have
    /// a name in the event, because both have the same key or other moves of the parent had names.
    pub(super) fn of(event: &TraceEvent<'_>, parent: Option<(NodeKind, bool)>) -> Self {
        let Some((kind, names_moves)) = parent else {
            return Self::Move;
        };
        let mv = event.m.as_deref();
        if event.t.as_deref() == Some("null") || matches!(mv, Some("null" | "0000" | "--")) {
            return Self::Null;
        }
        let dives = event.t.as_deref() == Some("qs") && kind != NodeKind::Quiescence;
        if mv.is_none() && (names_moves || dives) { Self::Inner } else { Self::Move }
    }

    /// Enters such a node in the rulebook.
    pub(super) fn follow(
        self,
        rules: &mut dyn Rulebook,
        mv: Option<&str>,
        position: Option<&str>,
    ) -> Entered {
        match self {
            Self::Null => rules.enter_null(position),
            Self::Move => rules.enter(mv, position),
            Self::Inner => rules.enter(None, position),
        }
    }
}

/// The kind of a node, by the field `t`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum NodeKind {
    #[default]
    Plain,
    Zero,
    Research,
    Quiescence,
    /// A kind that the format does not define: its window need not lie inside the parent's.
    Other,
}

impl NodeKind {
    pub(super) fn called(name: Option<&str>) -> Self {
        match name {
            None | Some("pv" | "null") => Self::Plain,
            Some("zero") => Self::Zero,
            Some("re") => Self::Research,
            Some("qs") => Self::Quiescence,
            Some(_) => Self::Other,
        }
    }
}

/// A value that came back from a move, from the point of view of the side that made it.
#[derive(Clone, Debug)]
pub(super) struct Returned {
    pub mv: Option<Box<str>>,
    pub key: Option<u64>,
    pub kind: NodeKind,
    pub value: f64,
    /// Whether a later value may be of the same move, and replace this one.
    pub perhaps_replaced: bool,
}

#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Node {
    pub relation: Relation,
    pub kind: NodeKind,
    pub mv: Option<Box<str>>,
    /// The hash of the key, and the key.
    pub key: Option<(u64, Box<str>)>,
    pub depth: f64,
    /// Whether the node minimizes: values of the trace are negated to be those of the side to move.
    pub minimizes: bool,
    pub black_to_move: Option<bool>,
    /// The window that the node was entered with.
    pub window: Span,
    /// The window after a table hit that narrowed or widened it.
    pub searched: Span,
    /// Whether a hit may have changed the window to one that is not in the trace.
    pub window_unknown: bool,
    /// The last value of each move.
    pub returned: Vec<Returned>,
    /// Other values that may be the node's: those of null moves and of inner searches of the same position.
    pub others: Vec<f64>,
    pub eval: Option<f64>,
    /// Whether moves were pruned.
    pub skipped: bool,
    /// The entry that replaced searching the node: value, bound, and the result of the node that stored it.
    pub hit: Option<(f64, Bound, Option<NodeResult>)>,
    /// The hashes of the keys under which the node stored entries.
    pub puts: Vec<u64>,
    /// Whether a move searched after a cutoff was due has been reported.
    pub overrun: bool,
}

/// The value that a node returned, and its ply.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NodeResult {
    pub value: f64,
    pub ply: usize,
}

/// An entry as it was last stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct StoredEntry {
    pub value: f64,
    pub bound: Bound,
    pub depth: f64,
    /// The result of the node that stored the entry, once it has returned a value that is no end of its window.
    pub stored_by: Option<NodeResult>,
}

impl fmt::Display for StoredEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} depth {}", self.bound.name(), self.value, self.depth)
    }
}

impl Node {
    pub(super) fn best(&self) -> Option<f64> {
        self.returned.iter().map(|returned| returned.value).reduce(f64::max)
    }

    /// The best value with those that a later one may have replaced, and without.
    pub(super) fn possible_bests(&self) -> [Option<f64>; 2] {
        let sure = self.returned.iter().filter(|returned| !returned.perhaps_replaced);
        [self.best(), sure.map(|returned| returned.value).reduce(f64::max)]
    }

    /// The highest of all values at the node, that of an entry and the static evaluation included.
    pub(super) fn highest_value(&self) -> Option<f64> {
        let hit = self.hit.map(|(value, ..)| value);
        let single = self.eval.into_iter().chain(hit);
        self.best().into_iter().chain(single).chain(self.others.iter().copied()).reduce(f64::max)
    }

    /// Whether a value is an end of the window, so that a fail-hard search may have clamped it.
    pub(super) fn is_window_end(&self, value: f64) -> bool {
        [self.window.0, self.window.1, self.searched.0, self.searched.1].contains(&value)
    }

    /// Adds a value that came back. It replaces an earlier one of the same move.
    pub(super) fn add_returned(&mut self, returned: Returned) {
        let same_name = |known: &Returned| returned.mv.is_some() && known.mv == returned.mv;
        let place = if returned.kind == NodeKind::Research && returned.mv.is_none() {
            self.returned.len().checked_sub(1)
        } else {
            self.returned.iter().rposition(same_name)
        };
        if let Some(place) = place {
            self.returned[place] = returned;
            return;
        }
        // Two moves without names that lead to the same position may be one move searched twice, or two.
        for known in &mut self.returned {
            known.perhaps_replaced |=
                returned.mv.is_none() && known.key.is_some() && known.key == returned.key;
        }
        self.returned.push(returned);
    }

    /// The values that the node may return, if this is the best of its moves.
    pub(super) fn possible_values(&self, best: f64) -> impl Iterator<Item = f64> {
        let others = self.others.iter().chain(&self.eval).map(move |other| best.max(*other));
        let windows = [self.window, self.searched];
        std::iter::once(best).chain(others).flat_map(move |value| {
            // Fail-hard searches clamp values to the window, at one end or at both.
            let clamped = windows.map(|(alpha, beta)| {
                [value.max(alpha), value.min(beta), value.max(alpha).min(beta)]
            });
            clamped.into_iter().flatten().chain([value])
        })
    }

    /// A value of the trace, from the point of view of the side to move.
    pub(super) fn value_here(&self, value: f64) -> f64 {
        if self.minimizes { -value } else { value }
    }

    /// Values at a child, from the point of view of the side to move here.
    pub(super) fn child_values(&self, child: &Self, (low, high): Span) -> Span {
        let same_side = match (self.black_to_move, child.black_to_move) {
            (Some(here), Some(there)) => here == there,
            _ => child.relation == Relation::Inner,
        };
        if same_side { (low, high) } else { (-high, -low) }
    }

    /// Takes an entry that did not replace searching the node; `window` is what is searched then, if the trace has it.
    pub(super) fn narrow(&mut self, value: f64, bound: Bound, window: Option<Span>) {
        let (alpha, beta) = self.window;
        self.searched = match (window, bound) {
            (Some((low, high)), _) if self.minimizes => (-high, -low),
            (Some(window), _) => window,
            (None, Bound::Lower) => (alpha.max(value), beta),
            (None, Bound::Upper) => (alpha, beta.min(value)),
            (None, Bound::Exact) => (alpha, beta),
        };
        self.window_unknown |= window.is_none();
    }
}
