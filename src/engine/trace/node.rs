//! A node of a trace while it is open. All values are for the side to move there.

use std::fmt;

use super::{Entered, Rulebook, TraceEvent};
use crate::engine::table::Bound;

/// Two values, α and β or what stands for them.
pub(super) type Span = (f64, f64);

/// How a node hangs on the one above it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Relation {
    /// By a move.
    #[default]
    Move,
    /// By a pass that only asks whether β is safe.
    Null,
    /// It is the same position once more: internal deepening, a move left out, the step into quiescence.
    Inner,
}

impl Relation {
    /// Of a node that is entered to the one above it: its kind, and whether a move to another position would be named, for
    /// both have the same key or others of its moves have been named.
    pub(super) fn of(event: &TraceEvent<'_>, above: Option<(NodeKind, bool)>) -> Self {
        let Some((kind, names_moves)) = above else {
            return Self::Move;
        };
        let mv = event.m.as_deref();
        if event.t.as_deref() == Some("null") || matches!(mv, Some("null" | "0000" | "--")) {
            return Self::Null;
        }
        let dives = event.t.as_deref() == Some("qs") && kind != NodeKind::Quiet;
        if mv.is_none() && (names_moves || dives) { Self::Inner } else { Self::Move }
    }

    /// Has the rules of the game enter such a node.
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

/// The kind of node that the program tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum NodeKind {
    #[default]
    Plain,
    Zero,
    Again,
    Quiet,
    /// One that the format does not know: its window may follow rules of its own.
    Other,
}

impl NodeKind {
    pub(super) fn called(name: Option<&str>) -> Self {
        match name {
            None | Some("pv" | "null") => Self::Plain,
            Some("zero") => Self::Zero,
            Some("re") => Self::Again,
            Some("qs") => Self::Quiet,
            Some(_) => Self::Other,
        }
    }
}

/// A value that came back from a move, for the side that made it.
#[derive(Clone, Debug)]
pub(super) struct Returned {
    pub mv: Option<Box<str>>,
    pub key: Option<u64>,
    pub kind: NodeKind,
    pub value: f64,
    /// A later value may be of the same move.
    pub perhaps_again: bool,
}

#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Node {
    pub relation: Relation,
    pub kind: NodeKind,
    pub mv: Option<Box<str>>,
    /// The hash of its key, and the key.
    pub key: Option<(u64, Box<str>)>,
    pub depth: f64,
    /// Whether values of the trace have to be turned to be those of the side to move: a minimizing node.
    pub minimizes: bool,
    /// Whether black is to move, where that is known.
    pub black: Option<bool>,
    /// The window asked for.
    pub asked: Span,
    /// The window searched, after what the table said.
    pub searched: Span,
    /// The table said something that may have changed the window in a way that is not told.
    pub loose: bool,
    /// Values that came back from moves, the last one of each move.
    pub returned: Vec<Returned>,
    /// Values that may have become the node's besides: of passes and of the same position searched otherwise.
    pub others: Vec<f64>,
    pub eval: Option<f64>,
    pub skipped: bool,
    /// The entry that answered: its value, what it says, and who left it.
    pub answer: Option<(f64, Bound, Option<Left>)>,
    /// Keys under which it has stored something.
    pub puts: Vec<u64>,
    /// Whether it has been told that moves were searched after a cutoff was due.
    pub overrun: bool,
}

/// With which value, and how far from the root, the node that stored an entry was left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Left {
    pub value: f64,
    pub ply: usize,
}

/// An entry as it was last stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct StoredEntry {
    pub value: f64,
    pub bound: Bound,
    pub depth: f64,
    /// How the node that stored it was left, once it was.
    pub left: Option<Left>,
}

impl fmt::Display for StoredEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} depth {}", self.bound.name(), self.value, self.depth)
    }
}

impl Node {
    /// The best value that came back from a move.
    pub(super) fn best(&self) -> Option<f64> {
        self.returned.iter().map(|returned| returned.value).reduce(f64::max)
    }

    /// The best value where those count that may have been asked for again, and where they do not.
    pub(super) fn bests(&self) -> [Option<f64>; 2] {
        let sure = self.returned.iter().filter(|returned| !returned.perhaps_again);
        [self.best(), sure.map(|returned| returned.value).reduce(f64::max)]
    }

    /// Every value it has seen.
    pub(super) fn highest(&self) -> Option<f64> {
        let answer = self.answer.map(|(value, ..)| value);
        let single = self.eval.into_iter().chain(answer);
        self.best().into_iter().chain(single).chain(self.others.iter().copied()).reduce(f64::max)
    }

    /// Whether a value may be one that was cut to the window.
    pub(super) fn is_bound(&self, value: f64) -> bool {
        [self.asked.0, self.asked.1, self.searched.0, self.searched.1].contains(&value)
    }

    /// Takes note of a value that came back; another value of the same move goes before it. Of moves without names that
    /// lead to the same position nobody knows whether they are one.
    pub(super) fn returns(&mut self, returned: Returned) {
        let named = |known: &Returned| returned.mv.is_some() && known.mv == returned.mv;
        let place = if returned.kind == NodeKind::Again && returned.mv.is_none() {
            self.returned.len().checked_sub(1)
        } else {
            self.returned.iter().rposition(named)
        };
        if let Some(place) = place {
            self.returned[place] = returned;
            return;
        }
        for known in &mut self.returned {
            known.perhaps_again |=
                returned.mv.is_none() && known.key.is_some() && known.key == returned.key;
        }
        self.returned.push(returned);
    }

    /// The values it can be left with, if this is the best that came back.
    pub(super) fn worths(&self, best: f64) -> impl Iterator<Item = f64> {
        let others = self.others.iter().chain(&self.eval).map(move |other| best.max(*other));
        let ends = [self.asked, self.searched];
        std::iter::once(best).chain(others).flat_map(move |worth| {
            let clamped = ends.map(|(alpha, beta)| {
                [worth.max(alpha), worth.min(beta), worth.max(alpha).min(beta)]
            });
            clamped.into_iter().flatten().chain([worth])
        })
    }

    /// A value of the trace, for the side to move.
    pub(super) fn turned(&self, value: f64) -> f64 {
        if self.minimizes { -value } else { value }
    }

    /// What is told of a node below, for the side to move here.
    pub(super) fn turned_from(&self, below: &Self, (low, high): Span) -> Span {
        let same = match (self.black, below.black) {
            (Some(here), Some(there)) => here == there,
            _ => below.relation == Relation::Inner,
        };
        if same { (low, high) } else { (-high, -low) }
    }

    /// The table had an entry; `window` is what is searched then, where that is told.
    pub(super) fn heard(
        &mut self,
        (value, bound): (f64, Bound),
        window: Option<Span>,
        answers: bool,
        left: Option<Left>,
    ) {
        if answers {
            self.answer = Some((value, bound, left));
            return;
        }
        let (alpha, beta) = self.asked;
        self.searched = match (window, bound) {
            (Some((low, high)), _) if self.minimizes => (-high, -low),
            (Some(window), _) => window,
            (None, Bound::Lower) => (alpha.max(value), beta),
            (None, Bound::Upper) => (alpha, beta.min(value)),
            (None, Bound::Exact) => (alpha, beta),
        };
        self.loose |= window.is_none();
    }
}

impl Returned {
    /// Of a node that is left with a value, seen from the one above it.
    pub(super) fn from(node: &Node, value: f64) -> Self {
        let key = node.key.as_ref().map(|(key, _)| *key);
        Self { mv: node.mv.clone(), key, kind: node.kind, value, perhaps_again: false }
    }
}
