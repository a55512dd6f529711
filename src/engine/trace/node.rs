//! An open node of a trace, as the checks see it. All values are for the side to move at the node.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Entered, Rulebook, TraceEvent, TraceKind, group::Fact};
use crate::engine::{game::Score, search::Counters, table::Bound};

/// The greatest ply of an open node: no search goes deeper, but a trace without `out` events would.
pub(super) const DEEPEST: u32 = 4_096;

/// The first line of a landmark: the counts of all earlier events. Each other line is an event, with its number in front.
#[derive(Serialize, Deserialize)]
pub(super) struct LandmarkHead {
    pub counters: Counters,
    pub iterations: Vec<(u8, u64)>,
}

/// Numbers from this one on stand for ∞, because JSON has no infinities.
const INFINITE: f64 = 1e300;

pub(super) fn score(value: f64) -> Score {
    let value = if value.abs() < INFINITE { value } else { value * f64::INFINITY };
    Score::new(value).unwrap_or(Score::ZERO)
}

/// The two ends of a window, α and β.
pub(super) type Span = (f64, f64);

/// Encloses values and windows in the text of a finding, so that they can be written on the scale of the session.
pub(super) const MARK: char = '\u{e000}';

/// A value in the text of a finding.
pub(super) fn marked(value: f64) -> String {
    format!("{MARK}{value}{MARK}")
}

/// A window in the text of a finding.
pub(super) fn marked_window((alpha, beta): Span) -> String {
    format!("{MARK}[{alpha}, {beta}]{MARK}")
}

/// The relation of a node to its parent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Relation {
    #[default]
    Move,
    /// The node is reached by a null move.
    Null,
    /// No move, the position is the same: internal iterative deepening, a singular search, the step into quiescence.
    Inner,
}

/// The number of first events of a trace among which one has a move, if the program names moves at all.
pub(super) const NAMES_WITHIN: u64 = 1_000;

/// Whether one of the first events of a trace has a move.
pub(super) fn names_a_move(number: u64, event: &TraceEvent<'_>) -> bool {
    let is_move = |mv: &str| !NULL_MOVES.contains(&mv);
    number < NAMES_WITHIN && event.e == TraceKind::In && event.m.as_deref().is_some_and(is_move)
}

pub(super) const NULL_MOVES: [&str; 3] = ["null", "0000", "--"];

/// The part of a key that names the position. A part after `@` distinguishes entries of one position, for example by depth.
pub(super) fn position_part(key: &str) -> &str {
    key.split_once('@').map_or(key, |(position, _)| position)
}

/// Facts about the parent that determine the relation of a node to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Above {
    pub kind: NodeKind,
    /// Whether node and parent have the same key; `None` if one of them has no key.
    pub same_key: Option<bool>,
    /// Whether the trace names moves.
    pub names_moves: bool,
}

impl Relation {
    /// The relation of the node that an event enters to its parent.
    pub(super) fn of(event: &TraceEvent<'_>, parent: Option<Above>) -> Self {
        let Some(Above { kind, same_key, names_moves }) = parent else {
            return Self::Move;
        };
        let mv = event.m.as_deref();
        if event.t.as_deref() == Some("null") || mv.is_some_and(|mv| NULL_MOVES.contains(&mv)) {
            return Self::Null;
        }
        let own = NodeKind::by_name(event.t.as_deref());
        let inner = own == NodeKind::Trial || own == NodeKind::Quiescence && kind != own;
        match mv {
            Some(_) => Self::Move,
            None if inner || same_key == Some(true) => Self::Inner,
            None if !names_moves => Self::Move,
            // Another position without a move: a null move that is not marked.
            None if same_key == Some(false) => Self::Null,
            None => Self::Inner,
        }
    }

    /// Enters a node with this relation in the rulebook.
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
    /// A search that only helps the parent to decide how to continue: its value is not that of a move.
    Trial,
    /// A kind that the format does not define: its window need not lie inside the parent's.
    Other,
}

impl NodeKind {
    pub(super) fn by_name(name: Option<&str>) -> Self {
        match name {
            None | Some("pv" | "null") => Self::Plain,
            Some("zero") => Self::Zero,
            Some("re") => Self::Research,
            Some("qs") => Self::Quiescence,
            Some("verify" | "singular" | "probcut" | "iid") => Self::Trial,
            Some(_) => Self::Other,
        }
    }

    /// The name in a trace; `None` for usual nodes, and for kinds that the format does not define.
    fn name(self) -> Option<&'static str> {
        match self {
            Self::Plain | Self::Other => None,
            Self::Zero => Some("zero"),
            Self::Research => Some("re"),
            Self::Quiescence => Some("qs"),
            Self::Trial => Some("trial"),
        }
    }
}

/// Whether no value lies inside a window: its ends are adjacent floating-point numbers, or consecutive whole numbers.
pub(in crate::engine) fn is_zero((alpha, beta): Span) -> bool {
    beta == alpha.next_up() || (beta - alpha == 1.0 && alpha.fract() == 0.0)
}

/// A value returned by a move, from the point of view of the side that made it.
#[derive(Clone, Debug)]
pub(super) struct Returned {
    pub mv: Option<Box<str>>,
    pub key: Option<u64>,
    pub kind: NodeKind,
    pub value: f64,
    /// The window that the move was searched with.
    pub window: Span,
    /// The move's depth, and the plies by which it was reduced.
    pub depth: f64,
    pub reduced: f64,
    /// The event that returned the value.
    pub event: u64,
    /// Whether a later value may be that of the same move, so that this value no longer counts.
    pub perhaps_replaced: bool,
}

#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Node {
    pub relation: Relation,
    pub kind: NodeKind,
    /// The event that entered the node.
    pub event: u64,
    /// The distance of the node from the root, in plies.
    pub ply: usize,
    /// Whether the node was entered before the part of the search that is in the trace.
    pub partial: bool,
    pub mv: Option<Box<str>>,
    /// Whether the move is illegal by the rules: a search that captures kings does not count its value.
    pub illegal: bool,
    /// The key of the node: its hash, and its text in the trace.
    pub key: Option<(u64, Box<str>)>,
    pub depth: f64,
    /// Whether the node minimizes: then values of the trace are negated to be for the side to move.
    pub minimizes: bool,
    pub black_to_move: Option<bool>,
    /// The window that the node was entered with.
    pub window: Span,
    /// The windows set by the node or by table hits, in order.
    pub changed: Vec<Span>,
    /// Whether a hit may have changed the window to one that is not in the trace.
    pub window_unknown: bool,
    /// The last value of each move.
    pub returned: Vec<Returned>,
    /// Other values that the node may return: those of null moves, of trial searches and of searches of the same position.
    pub others: Vec<f64>,
    /// The value of the last null move.
    pub null_value: Option<f64>,
    pub eval: Option<f64>,
    /// Whether moves of the node were pruned.
    pub skipped: bool,
    /// The move searched next and the plies by which it is reduced.
    pub reduction: Option<(Box<str>, f64)>,
    /// The entry that replaced searching the node: value, and the result of the node that stored it.
    pub hit: Option<(f64, Option<NodeResult>)>,
    /// The hashes of the keys under which the node stored entries, each with its event.
    pub puts: Vec<(u64, u64)>,
    /// Whether it was already reported that the node searched a move after a cutoff was due.
    pub overrun: bool,
}

/// The value that a node returned, and its ply.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NodeResult {
    pub value: f64,
    pub ply: usize,
    /// The event that stored the entry.
    pub event: u64,
}

/// An entry as it was last stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct StoredEntry {
    pub value: f64,
    pub bound: Bound,
    pub depth: f64,
    pub event: u64,
    /// The result of the node that stored the entry, once it has returned a value that is not an end of its window.
    pub stored_by: Option<NodeResult>,
}

impl fmt::Display for StoredEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} depth {}", self.bound.name(), marked(self.value), self.depth)
    }
}

impl Node {
    /// Properties of the node that other findings may share.
    pub(super) fn facts(&self) -> Vec<Fact> {
        let side = self.black_to_move.map(|black| if black { "Black" } else { "White" }.to_owned());
        let kind = self.kind.name().map(str::to_owned);
        let key = self.key.as_ref().map(|(_, key)| key.to_string());
        let mv = self.mv.as_ref().map(ToString::to_string);
        let depth = Some(self.depth.to_string());
        let facts = [("side", side), ("kind", kind), ("depth", depth), ("key", key), ("move", mv)];
        facts.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }

    pub(super) fn best(&self) -> Option<f64> {
        self.best_returned().map(|returned| returned.value)
    }

    pub(super) fn best_returned(&self) -> Option<&Returned> {
        self.returned.iter().reduce(|best, next| if next.value > best.value { next } else { best })
    }

    pub(super) fn returned_by(&self, mv: &str) -> Option<&Returned> {
        self.returned.iter().rev().find(|returned| returned.mv.as_deref() == Some(mv))
    }

    /// Whether a key belongs to the node's position.
    pub(super) fn has_position_of(&self, key: Option<&str>) -> bool {
        let own = self.key.as_ref().map(|(_, key)| position_part(key));
        own.is_some() && own == key.map(position_part)
    }

    /// The best value of the moves: first of all values, then only of values that no later one can have replaced.
    pub(super) fn possible_bests(&self) -> [Option<f64>; 2] {
        let sure = self.returned.iter().filter(|returned| !returned.perhaps_replaced);
        [self.best(), sure.map(|returned| returned.value).reduce(f64::max)]
    }

    /// The highest value at the node, including the value of an entry and the static evaluation.
    pub(super) fn highest_value(&self) -> Option<f64> {
        let hit = self.hit.map(|(value, _)| value);
        let single = self.eval.into_iter().chain(hit);
        self.best().into_iter().chain(single).chain(self.others.iter().copied()).reduce(f64::max)
    }

    /// The window that the node was entered with, and those to which it was changed.
    pub(super) fn windows(&self) -> impl Iterator<Item = Span> {
        std::iter::once(self.window).chain(self.changed.iter().copied())
    }

    /// The node's window after its last change; without a change, the window that the node was entered with.
    pub(super) fn searched(&self) -> Span {
        self.changed.last().copied().unwrap_or(self.window)
    }

    /// The lowest α and the highest β that the node has had.
    pub(super) fn widest(&self) -> Span {
        self.windows()
            .fold(self.window, |(low, high), (alpha, beta)| (low.min(alpha), high.max(beta)))
    }

    /// Whether a value is an end of a window of the node, to which a fail-hard search may have clamped it.
    pub(super) fn is_window_end(&self, value: f64) -> bool {
        self.windows().any(|(alpha, beta)| value == alpha || value == beta)
    }

    /// Whether a value is a correct bound, if `best` is the best of all moves: a fail-soft search may return any value
    /// between β and a higher one, or between α and a lower one.
    pub(super) fn is_sound_bound(&self, value: f64, best: f64) -> bool {
        self.windows()
            .any(|(alpha, beta)| beta <= value && value <= best || best <= value && value <= alpha)
    }

    /// Adds a returned value, which replaces an earlier one of the same move.
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
        // Two moves without names that lead to the same position may be one move searched twice, or two moves.
        for known in &mut self.returned {
            known.perhaps_replaced |=
                returned.mv.is_none() && known.key.is_some() && known.key == returned.key;
        }
        self.returned.push(returned);
    }

    /// The values that the node may return, if `best` is the best value of its moves.
    pub(super) fn possible_values(&self, best: f64) -> impl Iterator<Item = f64> {
        let others = self.others.iter().chain(&self.eval).map(move |other| best.max(*other));
        std::iter::once(best).chain(others).flat_map(move |value| {
            // Fail-hard searches clamp values to the window, at one end or at both.
            let clamped = self.windows().flat_map(move |(alpha, beta)| {
                [value.max(alpha), value.min(beta), value.max(alpha).min(beta)]
            });
            clamped.chain([value])
        })
    }

    /// A value of the trace, from the point of view of the side to move.
    pub(super) fn value_here(&self, value: f64) -> f64 {
        // Not `-value`, which would turn 0 into -0.
        if self.minimizes { 0.0 - value } else { value }
    }

    /// Values at a child, from the point of view of the side to move at this node.
    pub(super) fn child_values(&self, child: &Self, (low, high): Span) -> Span {
        let same_side = match (self.black_to_move, child.black_to_move) {
            (Some(here), Some(there)) => here == there,
            _ => child.relation == Relation::Inner,
        };
        if same_side { (low, high) } else { (-high, -low) }
    }

    /// Updates the window after an entry that did not replace the search; `window`: the one then searched, if in the trace.
    pub(super) fn narrow(&mut self, value: f64, bound: Bound, window: Option<Span>) {
        let (alpha, beta) = self.searched();
        self.window_unknown |= window.is_none();
        let window = match (window, bound) {
            (Some(window), _) => self.window_here(window),
            (None, Bound::Lower) => (alpha.max(value), beta),
            (None, Bound::Upper) => (alpha, beta.min(value)),
            (None, Bound::Exact) => (alpha, beta),
        };
        self.change_window(window);
    }

    pub(super) fn change_window(&mut self, window: Span) {
        if window != self.searched() {
            self.changed.push(window);
        }
    }

    /// A window of the trace, from the point of view of the side to move.
    pub(super) fn window_here(&self, (low, high): Span) -> Span {
        if self.minimizes { (-high, -low) } else { (low, high) }
    }
}
