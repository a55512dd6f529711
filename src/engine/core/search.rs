//! The search machine: alpha-beta and minimax as data.
//!
//! A [`Search`] is the call stack of the recursive algorithm as a value: one [`Frame`] per node, the moves still to try, and a
//! phase that says which step of the top frame is next. [`Search::step`] advances it by one event; running at full speed is a
//! loop over the same steps. It can be cloned, saved and inspected at every event.

#![expect(
    clippy::inline_always,
    reason = "the steps of a node are one loop body, which keeps in registers what the next step needs"
)]

mod deepening;
mod event;
mod event_context;
mod frame;
mod heuristics;
mod mode;
mod node;
mod ordering;
mod probe;
mod quiescence;
mod selective;
mod stop;
mod trace;

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

pub use deepening::{Iteration, Limits, Plan, RootMove};
pub use event::{Counters, Event, EventKind, NoWatcher, Watcher};
pub use event_context::EventContext;
pub use frame::{Frame, ProbeOutcome, WindowChange};
pub use heuristics::{HEURISTICS, Heuristic, HeuristicInfo, Heuristics, Shows};
pub use mode::{Algorithm, Context, Fidelity, Mode, Order};
use ordering::{CutoffTable, Scratch};
pub(in crate::engine) use ordering::{MoveSorter, NodeHeuristics, sorts_moves};
pub(in crate::engine) use probe::{hash_move_of, slot, store_value};
pub use quiescence::{SEE_PLIES, quiescence_depth_below, quiescence_plies};
pub use selective::{MoveTreatment, Selective};
pub use stop::Stop;

use super::{
    game::{History, Score, SearchRules, Window},
    table::SearchTable,
};

/// The next step of the top frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Phase {
    /// At the root: begin the next iteration or pass, or end the search.
    Start,
    /// Probe the table.
    Enter,
    /// Count the node, and evaluate it or list its moves.
    Visit,
    /// Enter the next child.
    Pick,
    /// Store the value in the table.
    Store,
    /// Report that another entry was replaced.
    Evict,
    /// Return the value to the parent.
    Leave,
    /// No step: the search is over.
    Over,
}

/// A search at any of its events: the value that [`Search::step`] advances and a session saves.
///
/// Frame 0 is the root and always there; `deepening` handles its special cases.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct Search<G: SearchRules> {
    plan: Plan,
    /// The window that contains every value of the game.
    full: Window,
    /// The root, then the nodes of the line being searched.
    frames: Vec<Frame<G>>,
    /// The moves of all frames, from the root up.
    moves: Vec<G::Move>,
    /// By ply, the principal variation below a frame; stale unless the frame has a best move.
    pv_table: Vec<Vec<G::Move>>,
    history: G::History,
    phase: Phase,
    /// The value of the top frame, once it is known.
    value: Score,
    /// The value that was last returned to a parent, for the side to move there.
    returned: Score,
    /// The parent's best value before `returned` arrived.
    #[serde(rename = "before")]
    best_before: Score,
    /// The counters of nodes, probes and cutoffs so far.
    pub counters: Counters,
    events: u64,
    last: EventKind,
    /// The most nodes that may be visited; `None`: no limit.
    pub budget: Option<u64>,
    /// The moves of the root with their results in this iteration; empty for [`Plan::Value`].
    root_moves: Vec<RootMove<G>>,
    complete: Option<Iteration<G>>,
    /// The iterations so far: depth in plies from the root, and the event that began it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub iterations: Vec<(u8, u64)>,
    /// MTD(f): the bounds of the root's value that the passes of this iteration have proven.
    #[serde(default)]
    proven_bounds: Window,
    /// MTD(f): the move that proved the lower bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    proving_move: Option<G::Move>,
    /// Why the search is over, or waits for a larger budget.
    stop: Option<Stop>,
    /// The killer moves and history counts of the move ordering.
    #[serde(default, skip_serializing_if = "CutoffTable::is_empty")]
    cutoff_table: CutoffTable<G::Move>,
    /// By ply, the static value of a node where selective search may prune; `None` in check.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    static_evals: Vec<Option<Score>>,
    #[serde(skip)]
    scratch: Scratch<G::Move>,
}

// The top frame; there is always one, the root.
#[inline(always)]
fn top<G: SearchRules>(frames: &mut [Frame<G>]) -> &mut Frame<G> {
    let top = frames.len() - 1;
    &mut frames[top]
}

/// The events of a run, counted in registers; `Search::flush_meter` adds them to the search before it calls a watcher.
struct EventMeter {
    /// The number of events that may still happen.
    fuel: u64,
    /// The value of `fuel` at the last flush.
    flushed: u64,
    last: EventKind,
}

impl EventMeter {
    #[inline(always)]
    fn spend(&mut self) -> ControlFlow<Stop> {
        match self.fuel.checked_sub(1) {
            Some(fuel) => {
                self.fuel = fuel;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(Stop::Limit),
        }
    }
}

impl<G: SearchRules> Search<G> {
    /// A search that has not begun. With [`Plan::Best`] and a root without moves, the search is over at once.
    pub fn new(
        context: &Context<'_, G>,
        plan: Plan,
        root: G::Position,
        history: G::History,
        budget: Option<u64>,
    ) -> Self {
        let full = context.game.full_window(context.evaluator);
        let mut moves = Vec::new();
        let frame = match plan {
            Plan::Value { depth, window } => {
                let algorithm = context.mode.algorithm;
                let zero = || deepening::zero_window(window, Score::ZERO);
                let searched_window = if algorithm == Algorithm::Mtdf { zero() } else { window };
                Frame::new(root, searched_window, depth, 0).for_algorithm(algorithm)
            }
            Plan::Best(_) => {
                context.game.expand(&root, &history, &mut moves);
                Frame::root(root, full, moves.len(), context.mode.exact_root_moves)
            }
        };
        Self {
            plan,
            full,
            frames: vec![frame],
            root_moves: moves.iter().map(|&mv| RootMove::new(mv)).collect(),
            moves,
            pv_table: Vec::new(),
            history,
            phase: Phase::Start,
            value: Score::ZERO,
            returned: Score::ZERO,
            best_before: Score::ZERO,
            counters: Counters::default(),
            events: 0,
            last: EventKind::Finish,
            budget,
            complete: None,
            iterations: Vec::new(),
            proven_bounds: match plan {
                Plan::Value { window, .. } => window,
                Plan::Best(_) => full,
            },
            proving_move: None,
            stop: None,
            cutoff_table: CutoffTable::default(),
            static_evals: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    /// Makes the root a node of the quiescence search with this many plies left.
    #[must_use]
    pub fn with_quiescence_depth(mut self, plies: u8) -> Self {
        self.frames[0].quiescence_depth = Some(plies);
        self
    }

    /// Removes the root moves for which `keep` is false. The search must not have begun.
    pub fn restrict_root(&mut self, keep: impl Fn(G::Move) -> bool) {
        self.moves.retain(|mv| keep(*mv));
        self.root_moves.retain(|root| keep(root.mv));
        self.frames[0].moves = 0..self.moves.len() as u32;
    }

    /// The value of the current node, once it is known.
    pub fn node_value(&self) -> Score {
        self.value
    }

    /// The parent's best value before a child last returned a value to it.
    pub fn best_before(&self) -> Score {
        self.best_before
    }

    /// The window with which the parent searches the current node, before an entry changed it.
    pub fn searched_window(&self, game: &G, algorithm: Algorithm) -> Window {
        self.searched_window_at(game, algorithm, self.frames.len() - 1)
    }

    /// The window with which the node at a ply is searched. At a root with several passes, the window of the current pass.
    pub fn searched_window_at(&self, game: &G, algorithm: Algorithm, ply: usize) -> Window {
        match (ply.checked_sub(1), self.plan) {
            (Some(above), _) => self.frames[above].child_window(game, algorithm),
            (None, Plan::Value { window, .. }) if algorithm != Algorithm::Mtdf => window,
            _ => self.frames[0].window,
        }
    }

    /// The position at the root of the search.
    pub fn root(&self) -> &G::Position {
        &self.frames[0].position
    }

    /// The window that contains every value of the game.
    pub fn full_window(&self) -> Window {
        self.full
    }

    /// The frames from the root to the current node; the root is always there.
    pub fn frames(&self) -> &[Frame<G>] {
        &self.frames
    }

    /// The moves of a frame in search order, as far as they are sorted.
    pub fn moves_of(&self, frame: &Frame<G>) -> &[G::Move] {
        &self.moves[frame.moves.start as usize..frame.moves.end as usize]
    }

    /// The move being searched at a frame; `None` before the first.
    pub fn current_move(&self, frame: &Frame<G>) -> Option<G::Move> {
        self.moves_of(frame)[..frame.entered()].last().copied()
    }

    /// The principal variation of this iteration so far. It ends early where a stored value replaced the search.
    pub fn line(&self) -> &[G::Move] {
        match self.frames[0].best_move {
            None => &[],
            Some(_) => self.pv_table.first().map_or(&[], Vec::as_slice),
        }
    }

    /// The earlier positions that matter at the current node.
    pub fn history(&self) -> &G::History {
        &self.history
    }

    /// The earlier positions that matter at the node at `ply`.
    pub fn history_at(&self, ply: usize) -> G::History {
        let mut history = self.history.clone();
        for _ in ply + 1..self.frames.len() {
            history.pop();
        }
        history
    }

    /// The kind of the last event.
    pub const fn last_kind(&self) -> EventKind {
        self.last
    }

    /// The greatest ply that has had a principal variation so far: `seldepth` in UCI.
    pub fn greatest_ply(&self) -> usize {
        self.pv_table.len()
    }

    /// Plies from the root to the current node.
    pub fn ply(&self) -> u32 {
        self.frames.len() as u32 - 1
    }

    /// Memory of a clone in bytes.
    pub fn bytes(&self) -> usize {
        let complete = self.complete.as_ref().map(|complete| &complete.moves);
        let root_moves = self.root_moves.iter().chain(complete.into_iter().flatten());
        let root_moves =
            root_moves.map(|known| size_of::<RootMove<G>>() + size_of_val(known.line.as_slice()));
        let pv_table = self.pv_table.iter().map(|line| size_of_val(line.as_slice()));
        size_of::<Self>()
            + size_of_val(self.frames.as_slice())
            + size_of_val(self.moves.as_slice())
            + size_of_val(self.pv_table.as_slice())
            + pv_table.sum::<usize>()
            + root_moves.sum::<usize>()
            + self.cutoff_table.bytes()
    }

    /// Whether the window of the current node can be set: not at the root of a search for the best moves.
    pub fn can_set_window(&self) -> bool {
        self.frames.len() > 1 || self.root_moves.is_empty()
    }

    /// Sets the window of the current node if [`Search::can_set_window`]. The best move stays if its value is above the new α.
    pub fn set_window(&mut self, window: Window) {
        if !self.can_set_window() {
            return;
        }
        let frame = top(&mut self.frames);
        let keeps_best = frame.best_move.is_some() && frame.best > window.alpha;
        frame.window = window;
        frame.changed = Some(WindowChange::Hand);
        if !keeps_best {
            frame.best = window.alpha;
            frame.best_move = None;
        }
    }

    /// The number of events so far.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Runs until the search is over, its budget is used up, the watcher stops it ([`Stop::Watched`]) or `fuel` events have
    /// happened ([`Stop::Limit`]). Subtracts the events from `fuel`.
    pub fn run<M: SearchTable<G::Key>, W: Watcher<Self> + ?Sized>(
        &mut self,
        context: &Context<'_, G>,
        table: &mut M,
        watcher: &mut W,
        fuel: &mut u64,
    ) -> Stop {
        if let Some(stop) = self.stop {
            return stop;
        }
        if G::IS_TRACE
            && let Some(traced) = context.game.traced_search()
        {
            return self.run_trace(traced, table, watcher, fuel);
        }
        let mut meter = EventMeter { fuel: *fuel, flushed: *fuel, last: self.last };
        let stop = loop {
            if let ControlFlow::Break(stop) = self.advance(context, table, watcher, &mut meter) {
                break stop;
            }
        };
        self.flush_meter(&mut meter);
        *fuel = meter.fuel;
        stop
    }

    /// Advances the search by one event, and returns its kind.
    pub fn step<M: SearchTable<G::Key>>(
        &mut self,
        context: &Context<'_, G>,
        table: &mut M,
    ) -> EventKind {
        self.run(context, table, &mut NoWatcher, &mut 1);
        self.last
    }

    /// The steps of a node, each in its `phase`, in the order in which most nodes take them, so that few are skipped.
    #[inline(always)]
    fn advance<M: SearchTable<G::Key>, W: Watcher<Self> + ?Sized>(
        &mut self,
        context: &Context<'_, G>,
        table: &mut M,
        watcher: &mut W,
        meter: &mut EventMeter,
    ) -> ControlFlow<Stop> {
        // Step 1. The parent picks its next move (`ordering`) and enters the child, unless it is pruned (`selective`).
        if self.phase == Phase::Pick {
            meter.spend()?;
            let kind = self.pick(context, table);
            self.notify(kind, watcher, meter)?;
        }
        // Step 2. The transposition table is probed: a cutoff, or perhaps another window (`probe`).
        if M::ACTIVE && self.phase == Phase::Enter {
            meter.spend()?;
            let kind = self.enter(context, table);
            self.notify(kind, watcher, meter)?;
        }
        // Step 3. The node is counted, and is the end of a game, a leaf (`quiescence`), or has its moves listed (`node`).
        if matches!(self.phase, Phase::Enter | Phase::Visit) {
            meter.spend()?;
            let kind = self.visit(context, table);
            self.notify(kind, watcher, meter)?;
        }
        // Step 4. The value is stored (`probe`).
        if M::ACTIVE && self.phase == Phase::Store {
            meter.spend()?;
            let kind = self.store(context, table);
            self.notify(kind, watcher, meter)?;
        }
        // Step 5. The stored value may have replaced another entry.
        if M::ACTIVE && self.phase == Phase::Evict {
            meter.spend()?;
            self.phase = Phase::Leave;
            self.notify(EventKind::Eviction, watcher, meter)?;
        }
        // Step 6. The value returns to the parent: it raises α, cuts off, or changes nothing (`node`).
        if self.phase == Phase::Leave {
            meter.spend()?;
            let kind = self.leave::<M>(context);
            self.notify(kind, watcher, meter)?;
        }
        // Step 7. At the root: the next iteration, or the end of the search (`deepening`).
        if self.phase == Phase::Start {
            meter.spend()?;
            self.flush_meter(meter);
            let kind = self.start(context);
            self.notify(kind, watcher, meter)?;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn notify<W: Watcher<Self> + ?Sized>(
        &mut self,
        kind: EventKind,
        watcher: &mut W,
        meter: &mut EventMeter,
    ) -> ControlFlow<Stop> {
        meter.last = kind;
        if watcher.is_active() && watcher.wants(kind, self.ply()) {
            self.flush_meter(meter);
            if watcher.see(&self.describe(), self) {
                return ControlFlow::Break(Stop::Watched);
            }
        }
        if let (EventKind::Finish | EventKind::Budget, Some(stop)) = (kind, self.stop) {
            return ControlFlow::Break(stop);
        }
        ControlFlow::Continue(())
    }

    fn flush_meter(&mut self, meter: &mut EventMeter) {
        self.events += meter.flushed - meter.fuel;
        self.last = meter.last;
        meter.flushed = meter.fuel;
    }

    /// The last event, with its node, window and value.
    #[inline]
    pub fn describe(&self) -> Event {
        let kind = self.last;
        let top = &self.frames[self.frames.len() - 1];
        let window = top.current_window();
        let value = match kind {
            kind if kind.came_back() => Some(self.returned),
            EventKind::Finish => self.value(),
            EventKind::Hit
            | EventKind::Leaf
            | EventKind::Static
            | EventKind::StandPat
            | EventKind::Captures
            | EventKind::Terminal
            | EventKind::Tables
            | EventKind::Store
            | EventKind::Skip
            | EventKind::Leave => Some(self.value),
            _ => None,
        };
        Event {
            index: self.events.saturating_sub(1),
            kind,
            ply: self.ply(),
            depth: top.depth,
            window: Window {
                alpha: if kind == EventKind::Cutoff { self.best_before } else { window.alpha },
                ..window
            },
            value,
        }
    }
}
