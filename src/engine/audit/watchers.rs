//! Watchers that compare a search with the plain search while it runs.

use rustc_hash::FxHashSet;
use serde::Serialize;

use super::{BoundedValue, Halted, Plain, PlainResult, line_through};
use crate::engine::{
    game::{Game, History, KeyScheme, MoveText, Score, Window},
    search::{Algorithm, Event, EventKind, ProbeOutcome, Search, Watcher},
    table::Bound,
};

/// The first value of a search that the plain search of the same node and window contradicts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Discrepancy {
    /// The window that the node was searched with.
    #[serde(flatten)]
    pub searched_window: Window,
    /// The value that the search used, with its bound.
    #[serde(flatten)]
    pub claim: BoundedValue,
    /// The true value of the node, by the plain search.
    pub true_value: Score,
}

impl Discrepancy {
    /// Whether the negated value would have been right.
    pub(crate) fn is_negated(&self) -> bool {
        BoundedValue::of(-self.claim.value, self.searched_window).allows(self.true_value)
    }
}

/// Watches a search with a table and stops it at the first value that the plain search contradicts.
///
/// If the values of all children are correct, so is the node's value, unless an entry changed its window. So it is enough to
/// check hits, leaves whose value may differ, and values found with a changed window.
#[derive(Debug)]
pub struct SearchChecker<'a, G: Game> {
    pub(crate) plain: Plain<'a, G>,
    algorithm: Algorithm,
    /// Whether leaves must be checked, because their values may differ from those of the plain search.
    leaves: bool,
    /// Key, depth, value and bound of claims that the plain search has confirmed.
    right: FxHashSet<(G::Key, u8, u64, Bound)>,
    /// Values compared with the plain search.
    pub(crate) checked: u64,
    departure: Option<Discrepancy>,
    halted: Option<Halted>,
}

impl<'a, G: Game> SearchChecker<'a, G> {
    pub fn new(plain: Plain<'a, G>, algorithm: Algorithm, leaves: bool) -> Self {
        Self {
            plain,
            algorithm,
            leaves,
            right: FxHashSet::default(),
            checked: 0,
            departure: None,
            halted: None,
        }
    }

    /// The discrepancy that stopped the search, if there was one.
    pub fn outcome(&self) -> PlainResult<Option<Discrepancy>> {
        self.halted.map_or(Ok(self.departure), Err)
    }

    fn check(&mut self, event: &Event, search: &Search<G>) -> PlainResult<()> {
        // Only nodes before quiescence are checked: in quiescence all nodes have depth 0, however many plies they have left.
        let Some(frame) = search.frames().last().filter(|frame| frame.quiescence_depth.is_none())
        else {
            return Ok(());
        };
        let searched_window = match event.kind {
            EventKind::Hit => frame.window,
            EventKind::Leaf if self.leaves => frame.window,
            EventKind::Store | EventKind::Skip if frame.outcome == ProbeOutcome::Invalid => {
                search.searched_window(self.plain.context.game, self.algorithm)
            }
            _ => return Ok(()),
        };
        let claim = BoundedValue::of(search.node_value(), searched_window);
        self.checked += 1;
        // In games with a history, the plain search confirms a value for this node only.
        let has_history = size_of::<G::History>() > 0;
        let key = || self.plain.context.game.key(&frame.position, KeyScheme::Canonical);
        let known = || (key(), frame.depth, claim.value.get().to_bits(), claim.bound);
        let known = (!has_history).then(known);
        if known.is_some_and(|known| self.right.contains(&known)) {
            return Ok(());
        }
        let node = (&frame.position, search.history());
        if let Some(true_value) = claim.refute(&mut self.plain, node, frame.depth)? {
            self.departure = Some(Discrepancy { searched_window, claim, true_value });
            return Ok(());
        }
        self.right.extend(known);
        Ok(())
    }
}

impl<G: Game> Watcher<Search<G>> for SearchChecker<'_, G> {
    fn wants(&self, kind: EventKind, _: u32) -> bool {
        matches!(kind, EventKind::Hit | EventKind::Leaf | EventKind::Store | EventKind::Skip)
    }

    fn see(&mut self, event: &Event, search: &Search<G>) -> bool {
        self.halted = self.check(event, search).err();
        self.halted.is_some() || self.departure.is_some()
    }
}

/// The decisions of selective search, and their settings.
const DECISIONS: [(EventKind, &str); 4] = [
    (EventKind::Null, "null"),
    (EventKind::Reduce, "lmr"),
    (EventKind::Prune, "futility"),
    (EventKind::Extend, "extend"),
];

/// The decisions of one kind, compared with the plain search.
#[derive(Clone, Debug, Serialize)]
pub struct DecisionCheck {
    /// The setting that enables this kind of pruning or reduction.
    pub setting: &'static str,
    /// The number of decisions taken.
    pub taken: u64,
    /// The number of decisions that the plain search to the full depth contradicts.
    pub wrong: u64,
    /// The first wrong decision; `None` without any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<WrongDecision>,
}

/// A decision that the plain search contradicts.
#[derive(Clone, Debug, Serialize)]
pub struct WrongDecision {
    /// The number of the event at which the wrong conclusion was drawn, from 0.
    pub event: u64,
    /// The position of the event's node, in the game's notation.
    pub state: String,
    /// The moves from the root to the node, then the move that was decided.
    pub line: Vec<MoveText>,
    /// The search's conclusion about the node (`null`) or the move, for the side to move.
    #[serde(flatten)]
    pub claim: BoundedValue,
    /// The true value, for the side to move at the node.
    pub true_value: Score,
}

/// Watches a selective search and checks the conclusions that it draws without a full search: that a node reaches β because it
/// does so after a null move or its static value is far above β, and that a reduced or futile move does not raise α.
#[derive(Debug)]
pub struct SelectiveChecker<'a, G: Game> {
    plain: Plain<'a, G>,
    /// By ply, the decision about the current move.
    pending: Vec<Option<EventKind>>,
    decided: Vec<DecisionCheck>,
    halted: Option<Halted>,
}

impl<'a, G: Game> SelectiveChecker<'a, G> {
    pub fn new(plain: Plain<'a, G>) -> Self {
        let none = |(_, setting)| DecisionCheck { setting, taken: 0, wrong: 0, first: None };
        Self {
            plain,
            pending: Vec::new(),
            decided: DECISIONS.into_iter().map(none).collect(),
            halted: None,
        }
    }

    /// The decisions by kind, and the nodes of the plain search.
    pub fn outcome(self) -> PlainResult<(Vec<DecisionCheck>, u64)> {
        let nodes = self.plain.nodes();
        self.halted.map_or(Ok((self.decided, nodes)), Err)
    }

    /// Counts the decision that an event makes; returns the decision whose outcome the event is (a pruning is its own outcome).
    fn concluded(&mut self, event: &Event) -> Option<EventKind> {
        let ply = event.ply as usize;
        // Reverse futility pruning: a stand-pat above the horizon.
        if event.kind == EventKind::StandPat && event.depth > 0 {
            self.decided(event.kind)?.taken += 1;
            return Some(event.kind);
        }
        if event.kind.selects() {
            self.decided(event.kind)?.taken += 1;
            if event.kind == EventKind::Prune {
                return Some(event.kind);
            }
            self.pending.resize(self.pending.len().max(ply + 1), None);
            self.pending[ply] = Some(event.kind);
            return None;
        }
        let decision = self.pending.get_mut(ply)?.take()?;
        match (decision, event.kind) {
            (EventKind::Null, EventKind::Cutoff) | (EventKind::Reduce, EventKind::Return) => {
                Some(decision)
            }
            _ => None,
        }
    }

    fn decided(&mut self, kind: EventKind) -> Option<&mut DecisionCheck> {
        // Reverse futility belongs to the setting `futility` too.
        let kind = if kind == EventKind::StandPat { EventKind::Prune } else { kind };
        let at = DECISIONS.iter().position(|(known, _)| *known == kind)?;
        self.decided.get_mut(at)
    }

    fn check(&mut self, decision: EventKind, event: &Event, search: &Search<G>) -> PlainResult<()> {
        let Some(frame) = search.frames().last() else { return Ok(()) };
        let game = self.plain.context.game;
        let is_about_node = matches!(decision, EventKind::Null | EventKind::StandPat);
        let (claim, truth) = if is_about_node {
            let claim = BoundedValue { bound: Bound::Lower, value: frame.window.beta };
            let node = (&frame.position, search.history());
            (claim, claim.refute(&mut self.plain, node, frame.depth)?)
        } else {
            let claim = BoundedValue { bound: Bound::Upper, value: frame.current_window().alpha };
            let Some(mv) = search.current_move(frame) else { return Ok(()) };
            let mut history = search.history().clone();
            history.push(&frame.position);
            let child = (&game.apply(&frame.position, mv), &history);
            let least = BoundedValue { bound: Bound::Lower, value: claim.value.child(game) };
            let truth = least.refute(&mut self.plain, child, frame.depth - 1)?;
            (claim, truth.map(|truth| truth.parent(game)))
        };
        let Some(true_value) = truth else { return Ok(()) };
        let wrong = WrongDecision {
            event: event.index,
            state: game.format_position(&frame.position),
            line: line_through(game, search, search.frames()),
            claim,
            true_value,
        };
        if let Some(decided) = self.decided(decision) {
            decided.wrong += 1;
            decided.first.get_or_insert(wrong);
        }
        Ok(())
    }
}

impl<G: Game> Watcher<Search<G>> for SelectiveChecker<'_, G> {
    fn wants(&self, kind: EventKind, _: u32) -> bool {
        kind.has_move() || kind == EventKind::StandPat
    }

    fn see(&mut self, event: &Event, search: &Search<G>) -> bool {
        if let Some(decision) = self.concluded(event) {
            self.halted = self.check(decision, event, search).err();
        }
        self.halted.is_some()
    }
}
