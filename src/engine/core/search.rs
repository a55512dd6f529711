//! The search machine: alpha-beta and minimax as data.
//!
//! A [`Search`] is the call stack of the recursive algorithm spelled out: one [`Frame`] a node, a phase that says what the
//! top frame does next, and the moves still to try. [`Search::step`] advances it by one event. It is saved, loaded and
//! looked at like any other value, and running it fast is nothing but going on.

#![expect(
    clippy::inline_always,
    reason = "the phases are one loop body: apart, each would look again for what the one before had at hand"
)]

mod deepening;
mod event;
mod event_context;
mod frame;
mod heuristics;
mod limits;
mod mode;
mod node;
mod ordering;
mod probe;
mod quiescence;
mod selective;
mod trace;

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

pub use deepening::{Iteration, Limits, Plan, ResultBasis, RootMove, RootResult};
pub use event::{Counters, Event, EventKind, Unwatched, Watcher};
pub use event_context::EventContext;
pub use frame::{Frame, ProbeOutcome, WindowChange};
pub use heuristics::{Evidence, HEURISTICS, Heuristic, HeuristicInfo, Heuristics, Shows};
pub use limits::{RunLimits, Stop};
pub use mode::{Algorithm, Context, Fidelity, Mode, Order};
use ordering::{CutoffTable, Scratch};
pub(in crate::engine) use ordering::{MoveSorter, sorts_moves};
pub(in crate::engine) use probe::{hash_move_of, slot, store_value};
pub use quiescence::{QUIESCENCE_PLIES, quiescence_depth_below};
pub use selective::{MoveTreatment, Selective};

use super::{
    game::{History, Score, SearchRules, Window},
    table::SearchTable,
};

/// What the machine does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Phase {
    /// Begin an iteration, or see that none is left.
    Start,
    /// Ask the memo.
    Enter,
    /// Count the visit; end of game, leaf or list of moves.
    Visit,
    /// Enter the next child.
    Pick,
    /// Tell the memo.
    Store,
    /// Say that the memo had no room left.
    Evict,
    /// Hand the value to the parent.
    Leave,
    /// Nothing: the search is over.
    Over,
}

/// A whole search, at any point of its way: the value that [`Search::step`] advances and a session saves.
///
/// Frame 0 is the root, always there. What sets it apart is in `deepening`: a search for the best moves gives every one of
/// its moves the whole window, and goes through them again at the next depth.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct Search<G: SearchRules> {
    plan: Plan,
    /// The window that holds every value the game can have.
    full: Window,
    /// The root, then the nodes of the line being searched.
    frames: Vec<Frame<G>>,
    /// The moves of all frames, one frame's behind the other's.
    moves: Vec<G::Move>,
    /// The best line found below each frame; left over from another node where the frame there has no choice yet.
    pv_table: Vec<Vec<G::Move>>,
    history: G::History,
    phase: Phase,
    /// The value that goes up from the top frame.
    value: Score,
    /// The value that came back last, from the receiving parent's point of view.
    returned: Score,
    /// The best value of that parent before it came back.
    before: Score,
    /// What was searched so far.
    pub counters: Counters,
    events: u64,
    last: EventKind,
    /// The most states that may be visited.
    pub budget: Option<u64>,
    /// What is known of the root's moves in this iteration; none where its value alone is asked for.
    root_moves: Vec<RootMove<G>>,
    complete: Option<Iteration<G>>,
    /// The iterations so far: plies from the root, and the event that began it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub iterations: Vec<(u8, u64)>,
    /// MTD(f): the bounds of the root's value that the passes of this iteration have proved.
    #[serde(default)]
    proven_bounds: Window,
    /// MTD(f): the move that proved the lower one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    proving_move: Option<G::Move>,
    /// Why it is over, or stands still until its budget grows.
    stop: Option<Stop>,
    /// What cutoffs have taught the order of moves, where it goes by that.
    #[serde(default, skip_serializing_if = "CutoffTable::is_empty")]
    cutoff_table: CutoffTable<G::Move>,
    /// By ply, the static value of a node where moves may be left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    static_evals: Vec<Option<Score>>,
    #[serde(skip)]
    scratch: Scratch<G::Move>,
}

/// The top frame: the root is always there.
#[inline(always)]
fn top<G: SearchRules>(frames: &mut [Frame<G>]) -> &mut Frame<G> {
    let top = frames.len() - 1;
    &mut frames[top]
}

/// The fuel of a run and the events it went into, counted in registers and noted where somebody can look.
struct EventMeter {
    left: u64,
    counted: u64,
    last: EventKind,
}

impl EventMeter {
    #[inline(always)]
    fn spend(&mut self) -> ControlFlow<Stop> {
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(Stop::Limit),
        }
    }
}

impl<G: SearchRules> Search<G> {
    /// A search that has not begun. A root without moves is over at once where the best are asked for.
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
                Frame::root(root, full, moves.len(), context.mode.whole_root)
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
            before: Score::ZERO,
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

    /// The same search of a root that lies beyond the horizon, where so many plies of forcing moves are left.
    #[must_use]
    pub fn quiescence_depth(mut self, left: u8) -> Self {
        self.frames[0].quiescence_depth = Some(left);
        self
    }

    /// The value that goes up from the node at hand, once it is found.
    pub fn found(&self) -> Score {
        self.value
    }

    /// The window that the node at hand was asked for, before the memo changed it.
    pub fn searched_window(&self, game: &G, algorithm: Algorithm) -> Window {
        self.searched_window_at(game, algorithm, self.frames.len() - 1)
    }

    /// The same of the node at a ply; of the root, the window in force where what was asked for is not kept.
    pub fn searched_window_at(&self, game: &G, algorithm: Algorithm, ply: usize) -> Window {
        match (ply.checked_sub(1), self.plan) {
            (Some(above), _) => self.frames[above].child_window(game, algorithm),
            (None, Plan::Value { window, .. }) if algorithm != Algorithm::Mtdf => window,
            _ => self.frames[0].window,
        }
    }

    /// The root position.
    pub fn root(&self) -> &G::Position {
        &self.frames[0].position
    }

    /// The window that holds every value the game can have.
    pub fn full_window(&self) -> Window {
        self.full
    }

    /// The frames from the root to the node at hand; the root is always there.
    pub fn frames(&self) -> &[Frame<G>] {
        &self.frames
    }

    /// The moves of a frame, in search order as far as they are sorted.
    pub fn moves_of(&self, frame: &Frame<G>) -> &[G::Move] {
        &self.moves[frame.moves.start as usize..frame.moves.end as usize]
    }

    /// The move being searched at a frame that has been expanded.
    pub fn current_move(&self, frame: &Frame<G>) -> Option<G::Move> {
        self.moves_of(frame)[..frame.entered()].last().copied()
    }

    /// The best line from the root in this iteration, as far as it is known; cut short where the memo answered.
    pub fn line(&self) -> &[G::Move] {
        match self.frames[0].best_move {
            None => &[],
            Some(_) => self.pv_table.first().map_or(&[], Vec::as_slice),
        }
    }

    /// What lies before the node at hand.
    pub fn history(&self) -> &G::History {
        &self.history
    }

    /// The history as it was when the frame at `ply` was expanded: without what was pushed since.
    pub fn history_at(&self, ply: usize) -> G::History {
        let mut history = self.history.clone();
        for _ in ply + 1..self.frames.len() {
            history.pop();
        }
        history
    }

    /// What happened last.
    pub const fn last_kind(&self) -> EventKind {
        self.last
    }

    /// Plies from the root to the node at hand.
    pub fn ply(&self) -> u32 {
        self.frames.len() as u32 - 1
    }

    /// Memory that a copy of it takes, in bytes.
    pub fn bytes(&self) -> usize {
        let complete = self.complete.as_ref().map(|complete| &complete.moves);
        let root_moves = self.root_moves.iter().chain(complete.into_iter().flatten());
        let known =
            root_moves.map(|known| size_of::<RootMove<G>>() + size_of_val(known.line.as_slice()));
        let pv_table = self.pv_table.iter().map(|line| size_of_val(line.as_slice()));
        size_of::<Self>()
            + size_of_val(self.frames.as_slice())
            + size_of_val(self.moves.as_slice())
            + size_of_val(self.pv_table.as_slice())
            + pv_table.sum::<usize>()
            + known.sum::<usize>()
            + self.cutoff_table.bytes()
    }

    /// Whether the node at hand may be given another window: not the root whose moves are all searched with the whole one.
    pub fn takes_window(&self) -> bool {
        self.frames.len() > 1 || self.root_moves.is_empty()
    }

    /// Puts another window in force at the node at hand. Its best move stays if it is still above α.
    pub fn set_window(&mut self, window: Window) {
        if !self.takes_window() {
            return;
        }
        let frame = top(&mut self.frames);
        let keeps = frame.best_move.is_some() && frame.best > window.alpha;
        frame.window = window;
        frame.changed = Some(WindowChange::Hand);
        if !keeps {
            frame.best = window.alpha;
            frame.best_move = None;
        }
    }

    /// Events so far.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Runs until the search is over or its budget is used up, the watcher stops it ([`Stop::Watched`]) or `fuel` events
    /// have happened ([`Stop::Limit`]).
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
        if let Some(recorded) = context.game.recorded() {
            return self.follow(recorded, table, watcher, fuel);
        }
        let mut meter = EventMeter { left: *fuel, counted: *fuel, last: self.last };
        let stop = loop {
            if let ControlFlow::Break(stop) = self.round(context, table, watcher, &mut meter) {
                break stop;
            }
        };
        self.flush_meter(&mut meter);
        *fuel = meter.left;
        stop
    }

    /// One event.
    pub fn step<M: SearchTable<G::Key>>(
        &mut self,
        context: &Context<'_, G>,
        table: &mut M,
    ) -> EventKind {
        self.run(context, table, &mut Unwatched, &mut 1);
        self.last
    }

    /// The steps of a node, each taken if it is its turn, in the order in which most nodes go through them: seldom is one
    /// passed over, and what one leaves in registers the next one finds there.
    #[inline(always)]
    fn round<M: SearchTable<G::Key>, W: Watcher<Self> + ?Sized>(
        &mut self,
        context: &Context<'_, G>,
        table: &mut M,
        watcher: &mut W,
        meter: &mut EventMeter,
    ) -> ControlFlow<Stop> {
        // Step 1. The parent picks its next move (`ordering`) and enters the child, if it is not left out (`selective`).
        if self.phase == Phase::Pick {
            meter.spend()?;
            let kind = self.pick(context, table);
            self.notify(kind, watcher, meter)?;
        }
        // Step 2. The transposition table answers, or changes the window (`recall`).
        if M::ACTIVE && self.phase == Phase::Enter {
            meter.spend()?;
            let kind = self.enter(context, table);
            self.notify(kind, watcher, meter)?;
        }
        // Step 3. The node is counted: end of game, leaf, quiescence (`quiescence`), or a list of moves.
        if matches!(self.phase, Phase::Enter | Phase::Visit) {
            meter.spend()?;
            let kind = self.visit(context, table);
            self.notify(kind, watcher, meter)?;
        }
        // Step 4. The value is stored (`recall`) …
        if M::ACTIVE && self.phase == Phase::Store {
            meter.spend()?;
            let kind = self.store(context, table);
            self.notify(kind, watcher, meter)?;
        }
        // Step 5. … and an entry may have given way to it.
        if M::ACTIVE && self.phase == Phase::Evict {
            meter.spend()?;
            self.phase = Phase::Leave;
            self.notify(EventKind::Eviction, watcher, meter)?;
        }
        // Step 6. The value comes back to the parent: it raises α, cuts off, or changes nothing (`phases`).
        if self.phase == Phase::Leave {
            meter.spend()?;
            let kind = self.leave::<M>(context);
            self.notify(kind, watcher, meter)?;
        }
        // Step 7. At the root: the next iteration, or the end (`deepening`).
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
        self.events += meter.counted - meter.left;
        self.last = meter.last;
        meter.counted = meter.left;
    }

    /// The event that has just happened, seen from the state it left.
    #[inline]
    pub fn describe(&self) -> Event {
        let kind = self.last;
        let top = &self.frames[self.frames.len() - 1];
        let open = top.current_window();
        let value = match kind {
            kind if kind.came_back() => Some(self.returned),
            EventKind::Finish => self.value(),
            EventKind::Hit
            | EventKind::Leaf
            | EventKind::Static
            | EventKind::StandPat
            | EventKind::Captures
            | EventKind::Terminal
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
                alpha: if kind == EventKind::Cutoff { self.before } else { open.alpha },
                ..open
            },
            value,
        }
    }
}
