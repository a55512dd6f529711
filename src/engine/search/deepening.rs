//! Iterative deepening: the outer machine, which gives the inner one child after child of the root.

use serde::{Deserialize, Serialize};

use super::{Context, Event, EventKind, Pause, Search, Watcher};
use crate::engine::{
    game::{Game, History, Score, Window},
    memo::Memo,
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

/// How far deepening goes. The budget of states is the inner machine's.
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

/// Why a search is over or stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stop {
    /// The depth asked for is complete.
    Depth,
    /// The budget of states is used up.
    Budget,
    /// The time is up.
    Time,
    /// Further iterations cannot change the result.
    Exhausted,
    /// A breakpoint.
    Break,
    /// The user.
    Interrupt,
}

/// A move of the root and what is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct RootMove<G: Game> {
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
pub struct Iteration<G: Game> {
    /// Plies from the root.
    pub depth: u8,
    /// The root moves with their values, in the game's order.
    pub moves: Vec<RootMove<G>>,
}

/// What deepening does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// Start an iteration, or see that none is left.
    Iteration,
    /// Enter the next root move.
    Child,
    /// The inner machine is at work.
    Inside,
    /// Nothing: the search is over.
    Over,
}

/// A whole search, at any point of its way: the value that `step` advances and a session saves.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct Deepening<G: Game> {
    pub(super) plan: Plan,
    pub(super) root: G::Position,
    pub(super) full: Window,
    pub(super) stage: Stage,
    /// The iteration under way: plies from the root.
    pub(super) depth: u8,
    /// The root move under way.
    pub(super) child: usize,
    pub(super) moves: Vec<RootMove<G>>,
    pub(super) complete: Option<Iteration<G>>,
    pub(super) search: Search<G>,
    pub(super) stop: Option<Stop>,
}

impl<G: Game> Deepening<G> {
    /// A search that has not begun. For [`Plan::Best`] the root should have moves; without, it is over at once.
    pub fn new(
        context: &Context<'_, G>,
        plan: Plan,
        root: G::Position,
        mut history: G::History,
        budget: Option<u64>,
    ) -> Self {
        let mut moves = Vec::new();
        let base = match plan {
            Plan::Value { .. } => 0,
            Plan::Best(_) => {
                context.game.expand(&root, &history, &mut moves);
                history.push(&root);
                1
            }
        };
        let moves = moves.into_iter().map(|mv| RootMove {
            mv,
            value: None,
            line: Vec::new(),
            decided: None,
        });
        Self {
            plan,
            full: context.game.full_window(context.evaluator),
            stage: Stage::Iteration,
            depth: 0,
            child: 0,
            moves: moves.collect(),
            complete: None,
            search: Search::idle(history, base, budget),
            stop: None,
            root,
        }
    }

    /// What was asked for.
    pub fn plan(&self) -> Plan {
        self.plan
    }

    /// The root position.
    pub fn root(&self) -> &G::Position {
        &self.root
    }

    /// The root's full window.
    pub fn full_window(&self) -> Window {
        self.full
    }

    /// The window that the inner machine's first frame is asked for: the root's own, or that of every root move.
    pub fn first_window(&self, game: &G) -> Window {
        match self.plan {
            Plan::Value { window, .. } => window,
            Plan::Best(_) => self.full.child(game),
        }
    }

    /// The inner machine.
    pub fn search(&self) -> &Search<G> {
        &self.search
    }

    /// What comes next.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// The iteration under way, in plies from the root.
    pub fn depth(&self) -> u8 {
        self.depth
    }

    /// The root moves in this iteration, and which of them is under way.
    pub fn root_moves(&self) -> (&[RootMove<G>], usize) {
        (&self.moves, self.child)
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
        self.stage == Stage::Over
    }

    /// Ends the search for a reason from outside. What is known stays known.
    pub fn end(&mut self, stop: Stop) {
        self.stop = Some(stop);
        self.stage = Stage::Over;
    }

    /// Sets another budget and lets a search that ran out of the old one go on.
    pub fn set_budget(&mut self, budget: Option<u64>) {
        self.search.budget = budget;
        if self.stop == Some(Stop::Budget)
            && budget.is_none_or(|states| states > self.search.counters.nodes)
        {
            self.stop = None;
        }
    }

    /// What lies before the root.
    pub fn root_history(&self) -> G::History {
        let mut history = self.search.history_at(0);
        if matches!(self.plan, Plan::Best(_)) {
            history.pop();
        }
        history
    }

    /// The node at a ply of the line being searched: its position, what lies before it and its remaining depth.
    pub fn node(&self, ply: usize) -> Option<(&G::Position, G::History, u8)> {
        let place = match self.plan {
            Plan::Best(_) if ply == 0 => {
                return Some((&self.root, self.root_history(), self.depth));
            }
            Plan::Best(_) => ply - 1,
            Plan::Value { .. } => ply,
        };
        let frame = self.search.frames().get(place)?;
        Some((&frame.position, self.search.history_at(place), frame.depth))
    }

    /// Memory that a copy of it takes, in bytes.
    pub fn bytes(&self) -> usize {
        let complete = self.complete.as_ref().map(|complete| &complete.moves);
        let moves = self.moves.iter().chain(complete.into_iter().flatten());
        let lines = moves.map(|root| size_of::<RootMove<G>>() + size_of_val(root.line.as_slice()));
        size_of::<Self>() + lines.sum::<usize>() + self.search.bytes()
    }

    /// Puts another window in force at the node at hand, which must be inside the tree.
    pub fn set_window(&mut self, window: Window) {
        self.search.set_window(window);
    }

    /// The best value of the root so far in this iteration.
    pub fn best(&self) -> Option<Score> {
        self.moves
            .iter()
            .filter_map(|root| root.value)
            .reduce(Score::max)
    }

    /// Runs until the search stops, the watcher wants to look or `fuel` events have happened.
    pub fn run<M: Memo<G::Key>, W: Watcher<Search<G>>>(
        &mut self,
        context: &Context<'_, G>,
        memo: &mut M,
        watcher: &mut W,
        fuel: &mut u64,
    ) -> DeepeningPause {
        while *fuel > 0 {
            if self.stop.is_some() {
                return DeepeningPause::Stopped;
            }
            if self.stage == Stage::Inside {
                match self.run_inside(context, memo, watcher, fuel) {
                    None => continue,
                    Some(pause) => return pause,
                }
            }
            *fuel -= 1;
            let kind = self.outer_step(context);
            self.search.note(kind, true);
            let event = self.describe();
            if W::ACTIVE && watcher.see(&event, &self.search) {
                return DeepeningPause::Watched;
            }
        }
        DeepeningPause::Fuel
    }

    fn run_inside<M: Memo<G::Key>, W: Watcher<Search<G>>>(
        &mut self,
        context: &Context<'_, G>,
        memo: &mut M,
        watcher: &mut W,
        fuel: &mut u64,
    ) -> Option<DeepeningPause> {
        let mut inside = Inside { watcher };
        let pause = self.search.run(context, memo, &mut inside, fuel);
        if self.search.last == EventKind::Budget {
            self.stop = Some(Stop::Budget);
        }
        match pause {
            Pause::Fuel => Some(DeepeningPause::Fuel),
            Pause::Watched => Some(DeepeningPause::Watched),
            Pause::Budget => Some(DeepeningPause::Stopped),
            Pause::Finished(value) => {
                let kind = self.absorb(context.game, value);
                self.search.note(kind, false);
                let event = self.describe();
                (W::ACTIVE && watcher.see(&event, &self.search)).then_some(DeepeningPause::Watched)
            }
        }
    }

    /// The event that has just happened.
    pub fn describe(&self) -> Event {
        let event = self.search.describe();
        if !self.search.frames().is_empty() {
            return event;
        }
        let alpha = self.best().unwrap_or(self.full.alpha);
        let window = Window {
            alpha,
            beta: self.full.beta,
        };
        let value = match event.kind {
            EventKind::Return | EventKind::Raise => self.moves[self.child - 1].value,
            EventKind::Finish => self.value(),
            _ => None,
        };
        Event {
            ply: 0,
            depth: self.depth,
            window,
            value,
            ..event
        }
    }

    /// The value found: of the plan's depth, or of the last complete iteration.
    pub fn value(&self) -> Option<Score> {
        match self.plan {
            Plan::Value { .. } => self.search.result().filter(|_| self.stage == Stage::Over),
            Plan::Best(_) => self
                .complete
                .as_ref()?
                .moves
                .iter()
                .filter_map(|root| root.value)
                .reduce(Score::max),
        }
    }

    fn outer_step(&mut self, context: &Context<'_, G>) -> EventKind {
        match (self.stage, self.plan) {
            (Stage::Iteration, Plan::Value { depth, window }) => {
                self.depth = depth;
                self.enter(context, self.root.clone(), window, depth);
                EventKind::Descend
            }
            (Stage::Iteration, Plan::Best(limits)) => self.next_iteration(context.game, limits),
            (Stage::Child, _) => {
                let child = context.game.apply(&self.root, self.moves[self.child].mv);
                let window = self.first_window(context.game);
                self.enter(context, child, window, self.depth - 1);
                EventKind::Descend
            }
            (Stage::Inside | Stage::Over, _) => EventKind::Finish,
        }
    }

    fn enter(
        &mut self,
        context: &Context<'_, G>,
        position: G::Position,
        window: Window,
        depth: u8,
    ) {
        self.search
            .begin(position, window, depth, context.mode.algorithm);
        self.stage = Stage::Inside;
    }

    fn next_iteration(&mut self, game: &G, limits: Limits) -> EventKind {
        if let Some(stop) = self.verdict(game, limits) {
            self.end(stop);
            return EventKind::Finish;
        }
        self.depth = if self.depth == 0 {
            limits.first
        } else {
            self.depth + 1
        };
        self.child = 0;
        for root in &mut self.moves {
            root.value = None;
            root.line.clear();
        }
        self.stage = Stage::Child;
        EventKind::Iteration
    }

    /// Whether another iteration would be in vain.
    fn verdict(&self, game: &G, limits: Limits) -> Option<Stop> {
        if self.moves.is_empty() {
            return Some(Stop::Exhausted);
        }
        let complete = self.complete.as_ref()?;
        if complete.depth >= limits.last {
            return Some(Stop::Depth);
        }
        let won = |root: &RootMove<G>| {
            root.value
                .is_some_and(|value| game.is_won(value, self.full))
        };
        let settled = complete.moves.len() == 1
            || complete.moves.iter().any(won)
            || complete.moves.iter().all(|root| root.decided.is_some());
        (limits.stop_when_decided && settled).then_some(Stop::Exhausted)
    }

    /// Takes the value of the root move (or, for [`Plan::Value`], the root) that the inner machine has found.
    fn absorb(&mut self, game: &G, value: Score) -> EventKind {
        if matches!(self.plan, Plan::Value { .. }) {
            self.end(Stop::Depth);
            return EventKind::Finish;
        }
        let value = value.parent(game);
        let raised = self.best().is_none_or(|best| value > best);
        let root = &mut self.moves[self.child];
        root.value = Some(value);
        root.line = std::iter::once(root.mv)
            .chain(self.search.line().iter().copied())
            .collect();
        if game.is_won(value, self.full) || game.is_won(-value, self.full.negate()) {
            root.decided.get_or_insert(self.depth);
        }
        self.child += 1;
        self.stage = Stage::Child;
        if self.child == self.moves.len() {
            self.complete = Some(Iteration {
                depth: self.depth,
                moves: self.moves.clone(),
            });
            self.stage = Stage::Iteration;
        }
        if raised {
            EventKind::Raise
        } else {
            EventKind::Return
        }
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
        let tied = complete
            .moves
            .iter()
            .filter(|root| root.value == Some(value));
        // Where values themselves tell how long a win takes, equal ones are equally long.
        let edge = value == self.full.beta || value == self.full.alpha;
        let ranked = edge && matches!(self.plan, Plan::Best(limits) if limits.shorter_wins_first);
        let lengths = tied.clone().filter_map(|root| root.decided);
        let length = if value == self.full.beta {
            lengths.min()
        } else {
            lengths.max()
        };
        tied.filter(|root| !ranked || root.decided == length)
            .collect()
    }
}

/// Why [`Deepening::run`] came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeepeningPause {
    /// See [`Deepening::stopped`].
    Stopped,
    /// The watcher wants to look.
    Watched,
    /// The slice is over.
    Fuel,
}

/// Hides the inner machine's finish: for the search as a whole it is a value coming back to the root.
struct Inside<'a, W> {
    watcher: &'a mut W,
}

impl<G: Game, W: Watcher<Search<G>>> Watcher<Search<G>> for Inside<'_, W> {
    const ACTIVE: bool = W::ACTIVE;

    #[inline]
    fn wants(&self, kind: EventKind, ply: u32) -> bool {
        kind != EventKind::Finish && self.watcher.wants(kind, ply)
    }

    #[inline]
    fn see(&mut self, event: &Event, search: &Search<G>) -> bool {
        event.kind != EventKind::Finish && self.watcher.see(event, search)
    }
}
