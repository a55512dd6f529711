use rustc_hash::FxHashSet;
use serde::Serialize;

use super::{Claim, Halted, Judged, Plain, line_through};
use crate::engine::{
    game::{Game, History, KeyScheme, Score, Window},
    search::{Algorithm, Event, EventKind, ProbeOutcome, Search, Watcher},
    table::Bound,
};

/// Where a memoized search was told something that the plain search of the same node and window contradicts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Departure {
    /// The window that the node was searched with.
    #[serde(flatten)]
    pub asked: Window,
    /// The value that the search took.
    #[serde(flatten)]
    pub claim: Claim,
    /// The true value.
    pub true_value: Score,
}

impl Departure {
    /// Whether the value with its sign turned would have been right.
    pub fn is_turned(&self) -> bool {
        Claim::of(-self.claim.value, self.asked).allows(self.true_value)
    }
}

/// Runs beside a memoized search and stops it at the first departure.
///
/// A node whose children are right is right itself, unless the memo had the window changed. So it is enough to look at
/// answers, at leaves that may differ, and at values found under a changed window.
#[derive(Debug)]
pub struct Beside<'a, G: Game> {
    pub(crate) plain: Plain<'a, G>,
    algorithm: Algorithm,
    /// Whether a leaf's value can be another one than the plain search's.
    leaves: bool,
    /// Answers found right.
    right: FxHashSet<(G::Key, u8, u64, Bound)>,
    /// Values compared with the plain search.
    pub(crate) checked: u64,
    found: Option<Departure>,
    halted: Option<Halted>,
}

impl<'a, G: Game> Beside<'a, G> {
    /// Beside a search by this algorithm. `leaves` tells whether a leaf's value can be another one than the plain
    /// search's.
    pub fn new(plain: Plain<'a, G>, algorithm: Algorithm, leaves: bool) -> Self {
        Self {
            plain,
            algorithm,
            leaves,
            right: FxHashSet::default(),
            checked: 0,
            found: None,
            halted: None,
        }
    }

    /// What stopped the search: a departure, the user, or neither.
    pub fn outcome(&self) -> Judged<Option<Departure>> {
        self.halted.map_or(Ok(self.found), Err)
    }

    fn look(&mut self, event: &Event, search: &Search<G>) -> Judged<()> {
        // A node beyond the horizon has fewer plies left than its depth of 0 tells.
        let Some(frame) = search.frames().last().filter(|frame| frame.quiescence_depth.is_none())
        else {
            return Ok(());
        };
        let asked = match event.kind {
            EventKind::Hit => frame.window,
            EventKind::Leaf if self.leaves => frame.window,
            EventKind::Store | EventKind::Skip if frame.outcome == ProbeOutcome::Invalid => {
                search.searched_window(self.plain.context.game, self.algorithm)
            }
            _ => return Ok(()),
        };
        let claim = Claim::of(search.found(), asked);
        self.checked += 1;
        // Where what was played before matters, a verdict holds for one node only.
        let pathless = size_of::<G::History>() == 0;
        let key = || self.plain.context.game.key(&frame.position, KeyScheme::Canonical);
        let known = || (key(), frame.depth, claim.value.get().to_bits(), claim.bound);
        let known = pathless.then(known);
        if known.is_some_and(|known| self.right.contains(&known)) {
            return Ok(());
        }
        let here = (&frame.position, search.history());
        if let Some(true_value) = claim.refute(&mut self.plain, here, frame.depth)? {
            self.found = Some(Departure { asked, claim, true_value });
            return Ok(());
        }
        self.right.extend(known);
        Ok(())
    }
}

impl<G: Game> Watcher<Search<G>> for Beside<'_, G> {
    fn wants(&self, kind: EventKind, _: u32) -> bool {
        matches!(kind, EventKind::Hit | EventKind::Leaf | EventKind::Store | EventKind::Skip)
    }

    fn see(&mut self, event: &Event, search: &Search<G>) -> bool {
        self.halted = self.look(event, search).err();
        self.halted.is_some() || self.found.is_some()
    }
}

/// What selective search may decide, and the setting that lets it.
const DECISIONS: [(EventKind, &str); 4] = [
    (EventKind::Null, "null"),
    (EventKind::Reduce, "lmr"),
    (EventKind::Prune, "futility"),
    (EventKind::Extend, "extend"),
];

/// Decisions of one kind, held against the plain search.
#[derive(Clone, Debug, Serialize)]
pub struct Decided {
    /// The setting of this kind of pruning or reduction.
    pub setting: &'static str,
    /// Decisions taken.
    pub taken: u64,
    /// Decisions that the plain search to the full depth contradicts.
    pub wrong: u64,
    /// The first of these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<WrongDecision>,
}

/// A decision that the plain search contradicts.
#[derive(Clone, Debug, Serialize)]
pub struct WrongDecision {
    /// The event that drew the wrong conclusion, from 0.
    pub(crate) event: u64,
    /// The position of that node.
    pub(crate) state: String,
    /// The moves from the root to the node, and the move concerned.
    pub(crate) line: Vec<String>,
    /// What the search concluded about the node (`null`) or the move, for the side to move.
    #[serde(flatten)]
    pub(crate) claim: Claim,
    pub(crate) true_value: Score,
}

/// Runs beside a selective search and holds each thing that it concludes without a full search against one: that a node
/// still has β because it has it after a pass, and that a reduced or futile move is no better than the best so far.
#[derive(Debug)]
pub struct Decisions<'a, G: Game> {
    plain: Plain<'a, G>,
    /// By ply, what is decided of the move under way.
    pending: Vec<Option<EventKind>>,
    decided: Vec<Decided>,
    halted: Option<Halted>,
}

impl<'a, G: Game> Decisions<'a, G> {
    pub fn new(plain: Plain<'a, G>) -> Self {
        let none = |(_, setting)| Decided { setting, taken: 0, wrong: 0, first: None };
        Self {
            plain,
            pending: Vec::new(),
            decided: DECISIONS.into_iter().map(none).collect(),
            halted: None,
        }
    }

    /// What was decided, by kind, and the states that the plain search visited.
    pub fn outcome(self) -> Judged<(Vec<Decided>, u64)> {
        let nodes = self.plain.nodes();
        self.halted.map_or(Ok((self.decided, nodes)), Err)
    }

    /// Takes note of a decision; what an event concludes from one.
    fn concluded(&mut self, event: &Event) -> Option<EventKind> {
        let ply = event.ply as usize;
        if event.kind.selects() {
            self.of(event.kind)?.taken += 1;
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

    fn of(&mut self, kind: EventKind) -> Option<&mut Decided> {
        let at = DECISIONS.iter().position(|(known, _)| *known == kind)?;
        self.decided.get_mut(at)
    }

    fn judge(&mut self, decision: EventKind, event: &Event, search: &Search<G>) -> Judged<()> {
        let Some(frame) = search.frames().last() else {
            return Ok(());
        };
        let game = self.plain.context.game;
        let (claim, truth) = if decision == EventKind::Null {
            let claim = Claim { bound: Bound::Lower, value: frame.window.beta };
            let here = (&frame.position, search.history());
            (claim, claim.refute(&mut self.plain, here, frame.depth)?)
        } else {
            let claim = Claim { bound: Bound::Upper, value: frame.current_window().alpha };
            let Some(mv) = search.current_move(frame) else {
                return Ok(());
            };
            let mut history = search.history().clone();
            history.push(&frame.position);
            let below = (&game.apply(&frame.position, mv), &history);
            let least = Claim { bound: Bound::Lower, value: claim.value.child(game) };
            let truth = least.refute(&mut self.plain, below, frame.depth - 1)?;
            (claim, truth.map(|truth| truth.parent(game)))
        };
        let Some(true_value) = truth else {
            return Ok(());
        };
        let wrong = WrongDecision {
            event: event.index,
            state: game.format_position(&frame.position),
            line: line_through(game, search, search.frames()),
            claim,
            true_value,
        };
        if let Some(decided) = self.of(decision) {
            decided.wrong += 1;
            decided.first.get_or_insert(wrong);
        }
        Ok(())
    }
}

impl<G: Game> Watcher<Search<G>> for Decisions<'_, G> {
    fn wants(&self, kind: EventKind, _: u32) -> bool {
        kind.has_move()
    }

    fn see(&mut self, event: &Event, search: &Search<G>) -> bool {
        if let Some(decision) = self.concluded(event) {
            self.halted = self.judge(decision, event, search).err();
        }
        self.halted.is_some()
    }
}
