//! What is special about the root: iterations, what is known of each of its moves, and when to stop.

use serde::{Deserialize, Serialize};

use super::{EventKind, Mode, Phase, Search, Stop};
use crate::engine::core::game::{Rules, Score, Window};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
}

/// A move of the root and what is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct RootMove<G: Rules> {
    /// The move.
    pub mv: G::Move,
    /// Its value for the side to move at the root, in this iteration.
    pub value: Option<Score>,
    /// The best line from the root, this move first; cut short where the memo answered.
    pub line: Vec<G::Move>,
    /// The iteration in which it first was a proven win or loss.
    pub decided: Option<u8>,
}

/// A complete iteration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct Iteration<G: Rules> {
    /// Plies from the root.
    pub depth: u8,
    /// The root moves with their values, in the game's order.
    pub moves: Vec<RootMove<G>>,
}

impl<G: Rules> RootMove<G> {
    /// A move of which nothing is known.
    pub fn new(mv: G::Move) -> Self {
        Self { mv, value: None, line: Vec::new(), decided: None }
    }
}

/// What is known of the root.
#[derive(Clone, Debug)]
pub struct Known<'a, G: Rules> {
    /// The value; `None` where nothing has been looked at.
    pub value: Option<Score>,
    /// The best moves: those that share that value.
    pub best: Vec<&'a RootMove<G>>,
    /// All moves of the root.
    pub moves: &'a [RootMove<G>],
    /// What it rests on.
    pub basis: Basis,
}

/// What is known of the root rests on …
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// … a complete iteration.
    Iteration,
    /// … the rules: the game is over.
    Over,
    /// … nothing: without a complete iteration all moves tie at 0, as in seed 002 (defect D7).
    Tie,
    /// … the moves that were looked at so far.
    Part,
}

impl<G: Rules> Search<G> {
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
        root.choice.map(|_| root.best)
    }

    /// The value found: of the plan's depth, or of the last complete iteration.
    pub fn value(&self) -> Option<Score> {
        match self.plan {
            Plan::Value { .. } => self.is_over().then_some(self.value),
            Plan::Best(_) => {
                let moves = &self.complete.as_ref()?.moves;
                moves.iter().filter_map(|root| root.value).reduce(Score::max)
            }
        }
    }

    /// Begins the root, or its next iteration.
    pub(super) fn start(&mut self, game: &G) -> EventKind {
        match self.plan {
            Plan::Value { .. } => {
                self.phase = match self.frames[0].beyond {
                    Some(_) => Phase::Visit,
                    None => Phase::Enter,
                };
                EventKind::Descend
            }
            Plan::Best(limits) => match self.verdict(game, limits) {
                Some(stop) => self.finish(stop),
                None => self.next_iteration(limits),
            },
        }
    }

    fn next_iteration(&mut self, limits: Limits) -> EventKind {
        let root = &mut self.frames[0];
        root.depth = match root.depth {
            0 => limits.first,
            depth => depth + 1,
        };
        root.next = root.moves.start;
        root.best = self.full.alpha;
        root.choice = None;
        for known in &mut self.root_moves {
            known.value = None;
            known.line.clear();
        }
        self.phase = Phase::Pick;
        EventKind::Iteration
    }

    /// Whether another iteration would be in vain.
    fn verdict(&self, game: &G, limits: Limits) -> Option<Stop> {
        if self.root_moves.is_empty() {
            return Some(Stop::Exhausted);
        }
        let complete = self.complete.as_ref()?;
        if complete.depth >= limits.last {
            return Some(Stop::Depth);
        }
        let won =
            |root: &RootMove<G>| root.value.is_some_and(|value| game.is_won(value, self.full));
        let settled = complete.moves.len() == 1
            || complete.moves.iter().any(won)
            || complete.moves.iter().all(|root| root.decided.is_some());
        (limits.stop_when_decided && settled).then_some(Stop::Exhausted)
    }

    /// The value of the root move under way has come back; `chosen` tells whether the node below had a best move.
    #[cold]
    pub(super) fn root_move_known(&mut self, game: &G, value: Score, chosen: bool) {
        let root = &self.frames[0];
        let (place, depth) = (root.entered() - 1, root.depth);
        let below = self.lines.get(1).filter(|_| chosen);
        let known = &mut self.root_moves[place];
        known.value = Some(value);
        known.line.clear();
        known.line.push(known.mv);
        known.line.extend(below.into_iter().flatten());
        if game.is_won(value, self.full) || game.is_won(-value, self.full.negate()) {
            known.decided.get_or_insert(depth);
        }
        self.phase = if place + 1 < self.root_moves.len() {
            Phase::Pick
        } else {
            self.complete = Some(Iteration { depth, moves: self.root_moves.clone() });
            Phase::Start
        };
    }

    /// The moves that share the best value of the last complete iteration; of proven wins the shortest, of proven losses
    /// the longest, where the plan ranks them.
    pub fn best_moves(&self) -> Vec<&RootMove<G>> {
        let Some(complete) = &self.complete else {
            return Vec::new();
        };
        let Some(value) = self.value() else {
            return Vec::new();
        };
        let tied = complete.moves.iter().filter(|root| root.value == Some(value));
        // Where values themselves tell how long a win takes, equal ones are equally long.
        let edge = value == self.full.beta || value == self.full.alpha;
        let ranked = edge && matches!(self.plan, Plan::Best(limits) if limits.shorter_wins_first);
        let lengths = tied.clone().filter_map(|root| root.decided);
        let length = if value == self.full.beta { lengths.min() } else { lengths.max() };
        tied.filter(|root| !ranked || root.decided == length).collect()
    }

    /// What is known of the root now.
    pub fn known(&self, mode: &Mode) -> Known<'_, G> {
        let under_way = self.root_moves();
        if let Some(complete) = self.complete() {
            return Known {
                value: self.value(),
                best: self.best_moves(),
                moves: &complete.moves,
                basis: Basis::Iteration,
            };
        }
        let known = |value, best, basis| Known { value, best, moves: under_way, basis };
        if under_way.is_empty() {
            return known(None, Vec::new(), Basis::Over);
        }
        if self.stopped() == Some(Stop::Budget) && mode.budget_short_by_one {
            let all = under_way.iter().collect();
            return known(Some(Score::ZERO), all, Basis::Tie);
        }
        let value = self.best();
        let best = under_way.iter().filter(|root| root.value.is_some() && root.value == value);
        known(value, best.collect(), Basis::Part)
    }
}
