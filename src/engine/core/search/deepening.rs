//! The root: iterative deepening, passes with different windows (aspiration, MTD(f)), and the results of its moves.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::{Algorithm, Context, EventKind, Phase, ProbeOutcome, Search, Stop};
use crate::engine::core::{
    game::{Score, SearchRules, Window, is_default},
    table::Bound,
};

/// The task of a search: the value of a position, or its best moves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Plan {
    /// The value of the root at one depth with one window: one call of the seeds' `value`.
    Value {
        /// Remaining depth at the root, in plies.
        depth: u8,
        /// The window with which the root is searched.
        window: Window,
    },
    /// The best moves, by iterative deepening (the seeds' `bestMoves`).
    Best(Limits),
}

/// The depths of iterative deepening, and how the root is searched.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Depth of the first iteration in plies from the root: 1, but 2 in the seeds (whose *limit* is one less).
    pub first: u8,
    /// Depth of the last iteration in plies from the root.
    pub last: u8,
    /// Whether the search ends when no further iteration can improve the result.
    pub stop_when_decided: bool,
    /// Whether equal wins are ranked by their length (repairs defect D8).
    pub shorter_wins_first: bool,
    /// Aspiration: how far the first window of an iteration reaches on either side of the last value; `None`: the full window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aspiration: Option<Score>,
}

/// A move of the root with its result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct RootMove<G: SearchRules> {
    /// A legal move of the root position.
    pub mv: G::Move,
    /// The value for the side to move at the root, in this iteration; `None` until the move is searched.
    pub value: Option<Score>,
    /// Whether `value` is exact or only a bound.
    #[serde(default, skip_serializing_if = "is_default")]
    pub bound: Bound,
    /// The principal variation, this move first. It ends early where a stored value replaced the search.
    pub line: Vec<G::Move>,
    /// The depth of the iteration that first proved a win or loss; `None` if undecided.
    pub decided: Option<u8>,
}

/// The result of a complete iteration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct Iteration<G: SearchRules> {
    /// Depth in plies from the root.
    pub depth: u8,
    /// The moves of the root in the game's order.
    pub moves: Vec<RootMove<G>>,
}

impl<G: SearchRules> RootMove<G> {
    /// A root move without a result yet.
    pub fn new(mv: G::Move) -> Self {
        Self { mv, value: None, bound: Bound::Exact, line: Vec::new(), decided: None }
    }

    /// The name of the bound; `None` for an exact value.
    pub fn known_bound(&self) -> Option<&'static str> {
        (self.bound != Bound::Exact && self.value.is_some()).then(|| self.bound.name())
    }
}

impl<G: SearchRules> Search<G> {
    /// The task of the search, as given at its beginning.
    pub fn plan(&self) -> Plan {
        self.plan
    }

    /// The depth of the current iteration in plies from the root; 0 before the first.
    pub fn depth(&self) -> u8 {
        self.frames[0].depth
    }

    /// The moves of the root in the game's order, with their results in this iteration; empty for [`Plan::Value`].
    pub fn root_moves(&self) -> &[RootMove<G>] {
        &self.root_moves
    }

    /// The result of the last complete iteration; `None` before the first is complete.
    pub fn complete(&self) -> Option<&Iteration<G>> {
        self.complete.as_ref()
    }

    /// Why the search is over, or waits for a larger budget; `None` while the search can go on.
    pub fn stopped(&self) -> Option<Stop> {
        self.stop
    }

    /// Whether the search is over, and cannot go on even with a larger budget.
    pub fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    /// Sets the budget; a search that has used up a smaller one can go on.
    pub fn set_budget(&mut self, budget: Option<u64>) {
        self.budget = budget;
        if self.stop == Some(Stop::Budget)
            && budget.is_none_or(|states| states > self.counters.nodes)
        {
            self.stop = None;
        }
    }

    /// The best value of this iteration so far; `None` without a best move.
    pub fn best(&self) -> Option<Score> {
        let root = &self.frames[0];
        root.best_move.map(|_| root.best)
    }

    /// The result: the value at the depth of [`Plan::Value`], or the best of the last complete iteration; `None` before.
    pub fn value(&self) -> Option<Score> {
        match self.plan {
            Plan::Value { .. } => self.is_over().then_some(self.value),
            Plan::Best(_) => {
                let moves = self.complete.as_ref()?.moves.iter();
                let exact = moves.filter(|root| root.bound == Bound::Exact);
                exact.filter_map(|root| root.value).reduce(Score::max)
            }
        }
    }

    /// Begins the search, its next iteration, or another pass of the current one.
    pub(super) fn start(&mut self, context: &Context<'_, G>) -> EventKind {
        let Plan::Best(limits) = self.plan else {
            self.phase = self.first_phase(&context.mode);
            return EventKind::Descend;
        };
        if self.frames[0].research {
            self.begin_pass(self.frames[0].window);
            return EventKind::Pass;
        }
        match self.why_finished(context.game, limits) {
            Some(stop) => self.finish(stop),
            None => self.next_iteration(context.mode.algorithm, limits),
        }
    }

    fn next_iteration(&mut self, algorithm: Algorithm, limits: Limits) -> EventKind {
        let root = &mut self.frames[0];
        root.depth = match root.depth {
            0 => limits.first,
            depth => depth + 1,
        };
        self.iterations.push((root.depth, self.events.saturating_sub(1)));
        for known in &mut self.root_moves {
            known.value = None;
            known.line.clear();
        }
        self.proven_bounds = self.full;
        // A proven win or loss is not used as the centre of the window: all other values are on one side of it.
        let before = self.value().filter(|value| self.full.holds(*value));
        let window = match (algorithm, before, limits.aspiration) {
            (Algorithm::Mtdf, guess, _) => {
                zero_window(self.proven_bounds, guess.unwrap_or(Score::ZERO))
            }
            (_, Some(value), Some(width)) => aspiration_window(value, width, self.full),
            _ => self.full,
        };
        if !self.frames[0].exact_moves {
            self.best_moves_first();
        }
        self.begin_pass(window);
        EventKind::Iteration
    }

    fn begin_pass(&mut self, window: Window) {
        self.frames[0].restart(window);
        self.phase = Phase::Pick;
    }

    /// Sorts the moves of the root by their values in the previous iteration.
    fn best_moves_first(&mut self) {
        let Some(complete) = &self.complete else {
            return;
        };
        let value_before = |mv: &G::Move| {
            let known = complete.moves.iter().find(|known| known.mv == *mv);
            known.map(|known| (known.value, known.bound == Bound::Exact))
        };
        self.moves.sort_by(|a, b| {
            value_before(b).partial_cmp(&value_before(a)).unwrap_or(Ordering::Equal)
        });
    }

    /// MTD(f): updates the bounds with the value of a pass. Returns the window of the next pass; `None` if the bounds meet.
    fn next_zero_window(&mut self) -> Option<Window> {
        let (window, value) = (self.frames[0].window, self.value);
        // An entry may have widened the window: then the value is exact.
        if window.holds(value) {
            return None;
        }
        if window.fails_high(value) {
            self.proven_bounds.alpha = value;
        } else {
            self.proven_bounds.beta = value;
        }
        (self.proven_bounds.alpha < self.proven_bounds.beta)
            .then(|| zero_window(self.proven_bounds, value))
    }

    /// Aspiration: the window for a re-search, open on the side where the value failed; `None` if the value is exact.
    fn widened_window(&self) -> Option<Window> {
        let (Window { alpha, beta }, full, value) = (self.frames[0].window, self.full, self.value);
        if alpha > full.alpha && value <= alpha {
            Some(Window { alpha: full.alpha, beta })
        } else if beta < full.beta && value >= beta {
            Some(Window { alpha, beta: full.beta })
        } else {
            None
        }
    }

    /// With [`Plan::Value`], all moves of the root are searched: the search is over, or MTD(f) needs another pass.
    #[cold]
    pub(super) fn root_value_known(&mut self, context: &Context<'_, G>) -> EventKind {
        let next = match context.mode.algorithm {
            Algorithm::Mtdf => self.next_zero_window(),
            _ => None,
        };
        let Some(window) = next else {
            return self.finish(Stop::Depth);
        };
        self.moves.clear();
        let root = &mut self.frames[0];
        root.moves = 0..0;
        root.outcome = ProbeOutcome::NotProbed;
        root.restart(window);
        self.phase = self.first_phase(&context.mode);
        EventKind::Pass
    }

    /// Why no further iteration is needed; `None` if one is.
    fn why_finished(&self, game: &G, limits: Limits) -> Option<Stop> {
        if self.root_moves.is_empty() {
            return Some(Stop::Exhausted);
        }
        let complete = self.complete.as_ref()?;
        if complete.depth >= limits.last {
            return Some(Stop::Depth);
        }
        let won = |root: &RootMove<G>| {
            root.bound != Bound::Upper
                && root.value.is_some_and(|value| game.is_won(value, self.full))
        };
        let settled = complete.moves.len() == 1
            || complete.moves.iter().any(won)
            || complete.moves.iter().all(|root| root.decided.is_some());
        (limits.stop_when_decided && settled).then_some(Stop::Exhausted)
    }

    /// The value of the current root move has returned. `has_best_move`: the child has a principal variation. `is_last`: no
    /// other move is searched in this pass.
    #[cold]
    pub(super) fn root_move_returned(
        &mut self,
        context: &Context<'_, G>,
        value: Score,
        searched_window: Window,
        has_best_move: bool,
        is_last: bool,
    ) {
        let Context { game, mode, .. } = context;
        let root = &self.frames[0];
        let (depth, is_exact) = (root.depth, root.exact_moves || !self.full.holds(value));
        let root_value = root.node_value(mode.fail_soft);
        let mv = self.moves[root.next as usize - 1];
        let below = self.pv_table.get(1).filter(|_| has_best_move);
        let Some(known) = self.root_moves.iter_mut().find(|known| known.mv == mv) else {
            return;
        };
        known.value = Some(value);
        known.bound = if is_exact { Bound::Exact } else { Bound::of(value, searched_window) };
        known.line.clear();
        known.line.push(known.mv);
        known.line.extend(below.into_iter().flatten());
        let won = known.bound != Bound::Upper && game.is_won(value, self.full);
        let lost = known.bound != Bound::Lower && game.is_won(-value, self.full.negate());
        if won || lost {
            known.decided.get_or_insert(depth);
        }
        if !is_last {
            self.phase = Phase::Pick;
            return;
        }
        self.value = root_value;
        // MTD(f): this move proves the lower bound; the last pass will prove the upper one.
        if mode.algorithm == Algorithm::Mtdf && self.frames[0].best_move == Some(mv) {
            self.proving_move = Some(mv);
        }
        self.end_pass(mode.algorithm);
    }

    /// All moves of the root are searched: the iteration is complete, or needs another pass.
    fn end_pass(&mut self, algorithm: Algorithm) {
        self.phase = Phase::Start;
        let next = match algorithm {
            Algorithm::Mtdf => self.next_zero_window(),
            _ => self.widened_window(),
        };
        let root = &mut self.frames[0];
        if let Some(window) = next {
            (root.window, root.research) = (window, true);
            return;
        }
        let depth = root.depth;
        let proving_move = self.proving_move.take();
        let proving_move = self.root_moves.iter_mut().find(|known| Some(known.mv) == proving_move);
        if let Some(known) = proving_move {
            (known.value, known.bound) = (Some(self.value), Bound::Exact);
        }
        self.complete = Some(Iteration { depth, moves: self.root_moves.clone() });
    }
}

/// MTD(f): the zero window of a pass, which decides whether the value is at least the guess.
pub(super) fn zero_window(proven_bounds: Window, guess: Score) -> Window {
    let beta = if guess <= proven_bounds.alpha {
        proven_bounds.alpha.above()
    } else {
        guess.min(proven_bounds.beta)
    };
    Window { alpha: beta.below(), beta }
}

/// Aspiration: a window around a value, within the full window.
fn aspiration_window(value: Score, width: Score, full: Window) -> Window {
    // A small width beside a large value can be lost in rounding: the value must be inside the window all the same.
    let low = Score::from_finite(value.get() - width.get()).min(value.below());
    let high = Score::from_finite(value.get() + width.get()).max(value.above());
    Window { alpha: low.max(full.alpha), beta: high.min(full.beta) }
}
