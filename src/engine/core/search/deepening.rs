//! What is special about the root: iterations, passes with different windows, what is known of each move, and when to stop.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::{Algorithm, Context, EventKind, Mode, Phase, ProbeOutcome, Search, Stop};
use crate::engine::core::{
    game::{Score, SearchRules, Window, is_default},
    table::Bound,
};

/// What a search is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Plan {
    /// The value of the root at one depth under one window: one call of the seeds' `value`.
    Value {
        /// Remaining depth at the root.
        depth: u8,
        /// The window.
        window: Window,
    },
    /// The best moves (the seeds' `bestMoves`): every root move with the full window, deeper and deeper.
    Best(Limits),
}

/// How far deepening goes. The budget of states is the search's own.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Plies from the root of the first iteration: 1 in `sound`, 2 as in the seeds (whose *limit* is one less).
    pub first: u8,
    /// Plies of the last iteration.
    pub last: u8,
    /// Whether a result that no further iteration can better ends the search.
    pub stop_when_decided: bool,
    /// Whether equal wins are ranked by their length (mends defect D8).
    pub shorter_wins_first: bool,
    /// How far on either side of the value of the iteration before the first window of the root reaches: an aspiration
    /// window. The whole window where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aspiration: Option<Score>,
}

/// A move of the root and what is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct RootMove<G: SearchRules> {
    /// The move.
    pub mv: G::Move,
    /// Its value for the side to move at the root, in this iteration.
    pub value: Option<Score>,
    /// What that says of the true one.
    #[serde(default, skip_serializing_if = "is_default")]
    pub bound: Bound,
    /// The best line from the root, this move first; cut short where the memo answered.
    pub line: Vec<G::Move>,
    /// The iteration in which it first was a proven win or loss.
    pub decided: Option<u8>,
}

/// A complete iteration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct Iteration<G: SearchRules> {
    /// Plies from the root.
    pub depth: u8,
    /// The root moves with their values, in the game's order.
    pub moves: Vec<RootMove<G>>,
}

impl<G: SearchRules> RootMove<G> {
    /// A move of which nothing is known.
    pub fn new(mv: G::Move) -> Self {
        Self { mv, value: None, bound: Bound::Exact, line: Vec::new(), decided: None }
    }

    /// The name of the bound that its value is, where it is not the value itself.
    pub fn known_bound(&self) -> Option<&'static str> {
        (self.bound != Bound::Exact && self.value.is_some()).then(|| self.bound.name())
    }
}

/// What is known of the root.
#[derive(Clone, Debug)]
pub struct RootResult<'a, G: SearchRules> {
    /// The value; `None` where nothing has been looked at.
    pub value: Option<Score>,
    /// The best moves: those that share that value.
    pub best: Vec<&'a RootMove<G>>,
    /// All moves of the root.
    pub moves: &'a [RootMove<G>],
    /// What it rests on.
    pub basis: ResultBasis,
}

/// What is known of the root rests on …
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultBasis {
    /// … a complete iteration.
    Iteration,
    /// … the rules: the game is over.
    Over,
    /// … nothing: without a complete iteration all moves tie at 0, as in seed 002 (defect D7).
    Tie,
    /// … the moves that were looked at so far.
    Part,
}

impl<G: SearchRules> Search<G> {
    /// What was asked for.
    pub fn plan(&self) -> Plan {
        self.plan
    }

    /// The iteration under way, in plies from the root; 0 before the first.
    pub fn depth(&self) -> u8 {
        self.frames[0].depth
    }

    /// The root's moves in the game's order, with what is known of them in this iteration. Empty where the root's value
    /// alone is asked for.
    pub fn root_moves(&self) -> &[RootMove<G>] {
        &self.root_moves
    }

    /// The last complete iteration.
    pub fn complete(&self) -> Option<&Iteration<G>> {
        self.complete.as_ref()
    }

    /// Why the search is over, or stands still until its budget grows.
    pub fn stopped(&self) -> Option<Stop> {
        self.stop
    }

    /// Whether nothing is left to do.
    pub fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    /// Sets another budget and lets a search that ran out of the old one go on.
    pub fn set_budget(&mut self, budget: Option<u64>) {
        self.budget = budget;
        if self.stop == Some(Stop::Budget)
            && budget.is_none_or(|states| states > self.counters.nodes)
        {
            self.stop = None;
        }
    }

    /// The best value of the root so far in this iteration.
    pub fn best(&self) -> Option<Score> {
        let root = &self.frames[0];
        root.best_move.map(|_| root.best)
    }

    /// The value found: of the plan's depth, or of the last complete iteration.
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

    /// Begins the root, its next iteration, or another pass of this one.
    pub(super) fn start(&mut self, context: &Context<'_, G>) -> EventKind {
        let Plan::Best(limits) = self.plan else {
            self.phase = self.first_phase(&context.mode);
            return EventKind::Descend;
        };
        if self.frames[0].again {
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
        // A value at the edge of the full window has others on one side only.
        let before = self.value().filter(|value| self.full.holds(*value));
        let window = match (algorithm, before, limits.aspiration) {
            (Algorithm::Mtdf, guess, _) => {
                zero_window(self.proven_bounds, guess.unwrap_or(Score::ZERO))
            }
            (_, Some(value), Some(width)) => aspiration_window(value, width, self.full),
            _ => self.full,
        };
        if !self.frames[0].whole {
            self.best_moves_first();
        }
        self.begin_pass(window);
        EventKind::Iteration
    }

    /// Goes through the root's moves from the first one on.
    fn begin_pass(&mut self, window: Window) {
        self.frames[0].begin_again(window);
        self.phase = Phase::Pick;
    }

    /// The moves of the root by their values in the iteration before.
    fn best_moves_first(&mut self) {
        let Some(complete) = &self.complete else {
            return;
        };
        let worth = |mv: &G::Move| {
            let known = complete.moves.iter().find(|known| known.mv == *mv);
            known.map(|known| (known.value, known.bound == Bound::Exact))
        };
        self.moves.sort_by(|a, b| worth(b).partial_cmp(&worth(a)).unwrap_or(Ordering::Equal));
    }

    /// MTD(f): what the pass that has just ended proves of the root's value, and the window of the next one, if there is
    /// anything left to prove.
    fn next_zero_window(&mut self) -> Option<Window> {
        let (window, value) = (self.frames[0].window, self.value);
        // A window that the memo has widened may hold the value: then it is exact.
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

    /// The aspiration window open to the end on the side where the root's value lay outside of it.
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

    /// The value of a root whose value alone is asked for.
    #[cold]
    pub(super) fn root_value_known(&mut self, context: &Context<'_, G>) -> EventKind {
        let again = match context.mode.algorithm {
            Algorithm::Mtdf => self.next_zero_window(),
            _ => None,
        };
        let Some(window) = again else {
            return self.finish(Stop::Depth);
        };
        self.moves.clear();
        let root = &mut self.frames[0];
        root.moves = 0..0;
        root.outcome = ProbeOutcome::Unasked;
        root.begin_again(window);
        self.phase = self.first_phase(&context.mode);
        EventKind::Pass
    }

    /// Whether another iteration would be in vain.
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

    /// The value of the root move under way has come back to a window; `has_best_move` tells whether the node below had a best
    /// move, `ends` whether no other move is looked at.
    #[cold]
    pub(super) fn root_move_known(
        &mut self,
        context: &Context<'_, G>,
        (value, searched_window): (Score, Window),
        has_best_move: bool,
        ends: bool,
    ) {
        let Context { game, mode, .. } = context;
        let root = &self.frames[0];
        let (depth, whole, worth) = (root.depth, root.whole, root.node_value(mode.soft));
        let mv = self.moves[root.next as usize - 1];
        let below = self.pv_table.get(1).filter(|_| has_best_move);
        let Some(known) = self.root_moves.iter_mut().find(|known| known.mv == mv) else {
            return;
        };
        known.value = Some(value);
        known.bound = if whole || !self.full.holds(value) {
            Bound::Exact
        } else {
            Bound::of(value, searched_window)
        };
        known.line.clear();
        known.line.push(known.mv);
        known.line.extend(below.into_iter().flatten());
        let won = known.bound != Bound::Upper && game.is_won(value, self.full);
        let lost = known.bound != Bound::Lower && game.is_won(-value, self.full.negate());
        if won || lost {
            known.decided.get_or_insert(depth);
        }
        if !ends {
            self.phase = Phase::Pick;
            return;
        }
        self.value = worth;
        // MTD(f): this move has been shown to be worth as much; that it is worth no more is shown by the last pass.
        if mode.algorithm == Algorithm::Mtdf && self.frames[0].best_move == Some(mv) {
            self.proving_move = Some(mv);
        }
        self.end_pass(mode.algorithm);
    }

    /// The root's moves have been gone through: the iteration is complete, or needs another window.
    fn end_pass(&mut self, algorithm: Algorithm) {
        self.phase = Phase::Start;
        let next = match algorithm {
            Algorithm::Mtdf => self.next_zero_window(),
            _ => self.widened_window(),
        };
        let root = &mut self.frames[0];
        if let Some(window) = next {
            (root.window, root.again) = (window, true);
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

    /// The moves that share the best value of the last complete iteration; of proven wins the shortest, of proven losses
    /// the longest, where the plan ranks them.
    pub fn best_moves(&self) -> Vec<&RootMove<G>> {
        let (Some(complete), Some(value)) = (&self.complete, self.value()) else {
            return Vec::new();
        };
        let tied = complete
            .moves
            .iter()
            .filter(|root| root.value == Some(value) && root.bound == Bound::Exact);
        // Where values themselves tell how long a win takes, equal ones are equally long.
        let edge = value == self.full.beta || value == self.full.alpha;
        let ranked = edge && matches!(self.plan, Plan::Best(limits) if limits.shorter_wins_first);
        let lengths = tied.clone().filter_map(|root| root.decided);
        let length = if value == self.full.beta { lengths.min() } else { lengths.max() };
        tied.filter(|root| !ranked || root.decided == length).collect()
    }

    /// What is known of the root now.
    pub fn known(&self, mode: &Mode) -> RootResult<'_, G> {
        let under_way = self.root_moves();
        if let Some(complete) = self.complete() {
            return RootResult {
                value: self.value(),
                best: self.best_moves(),
                moves: &complete.moves,
                basis: ResultBasis::Iteration,
            };
        }
        let known = |value, best, basis| RootResult { value, best, moves: under_way, basis };
        if under_way.is_empty() {
            return known(None, Vec::new(), ResultBasis::Over);
        }
        if self.stopped() == Some(Stop::Budget) && mode.budget_short_by_one {
            let all = under_way.iter().collect();
            return known(Some(Score::ZERO), all, ResultBasis::Tie);
        }
        let value = self.best();
        let best = under_way.iter().filter(|root| {
            root.value.is_some() && root.value == value && root.bound == Bound::Exact
        });
        known(value, best.collect(), ResultBasis::Part)
    }
}

/// The window of one pass of MTD(f): it asks whether the value is as good as the guess, or better than what is proven.
pub(super) fn zero_window(proven_bounds: Window, guess: Score) -> Window {
    let beta = if guess <= proven_bounds.alpha {
        proven_bounds.alpha.above()
    } else {
        guess.min(proven_bounds.beta)
    };
    Window { alpha: beta.below(), beta }
}

/// So far on either side of a value, which is always inside, and never beyond what a value can be.
fn aspiration_window(value: Score, width: Score, full: Window) -> Window {
    let best_below_alpha = Score::from_finite(value.get() - width.get()).min(value.below());
    let high = Score::from_finite(value.get() + width.get()).max(value.above());
    Window { alpha: best_below_alpha.max(full.alpha), beta: high.min(full.beta) }
}
