//! The search machine: alpha-beta and minimax as data.
//!
//! A [`Search`] is the call stack of the recursive algorithm spelled out: one [`Frame`] a node, a phase that says what the
//! top frame does next, and the moves still to try. [`Search::step`] advances it by one event. It is saved, loaded and
//! looked at like any other value, and running it fast is nothing but going on.

#![expect(
    clippy::inline_always,
    reason = "the phases are one loop body: apart, each would look again for what the one before had at hand"
)]

mod check;
mod deepening;
mod drive;
mod event;
mod frame;
mod known;
mod mode;
mod ordering;
mod phases;
mod quiescence;
mod recall;

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

pub use deepening::{Deepening, DeepeningPause, Iteration, Limits, Plan, RootMove, Stage, Stop};
pub use drive::{Leash, Pull};
pub use event::{Counters, Event, EventKind, Unwatched, Watcher};
pub use frame::{Frame, Outcome};
pub use known::{Basis, Known};
pub use mode::{Algorithm, Context, Fidelity, Mode, Order};
pub use quiescence::QUIESCENCE_PLIES;
pub(super) use recall::{remember, slot};

use super::{
    game::{Game, Score, Window},
    memo::Memo,
};

/// What the top frame does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Phase {
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
    /// Nothing: the root's value is known.
    Finished,
}

/// A search for the value of one position, at any point of its way.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct Search<G: Game> {
    frames: Vec<Frame<G>>,
    moves: Vec<G::Move>,
    /// The best line found below each ply; left over from another node where the frame there has no choice yet.
    lines: Vec<Vec<G::Move>>,
    history: G::History,
    phase: Phase,
    /// The value that goes up from the top frame.
    value: Score,
    /// The value that came back last, from the receiving parent's point of view.
    returned: Score,
    /// The best value of that parent before it came back.
    #[serde(default)]
    before: Score,
    /// What was searched so far.
    pub counters: Counters,
    events: u64,
    /// What happened last.
    last: EventKind,
    /// Distance of the first frame from the root of the game tree shown to the user.
    base: u32,
    /// At most so many states are visited.
    pub budget: Option<u64>,
    #[serde(skip)]
    scratch: ordering::Scratch<G::Move>,
}

/// Why a run came back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pause {
    /// The value is known.
    Finished(Score),
    /// The watcher wants to look.
    Watched,
    /// The budget of states is used up.
    Budget,
    /// The slice is over.
    Fuel,
}

/// The fuel of a run and the events it went into, counted in registers and noted where somebody can look.
struct Meter {
    left: u64,
    counted: u64,
    last: EventKind,
}

impl Meter {
    #[inline(always)]
    fn spend(&mut self) -> ControlFlow<Pause> {
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(Pause::Fuel),
        }
    }
}

impl<G: Game> Search<G> {
    /// A machine with nothing to do. `base` is the ply of the positions it will be given.
    pub fn idle(history: G::History, base: u32, budget: Option<u64>) -> Self {
        Self {
            frames: Vec::new(),
            moves: Vec::new(),
            lines: Vec::new(),
            history,
            phase: Phase::Finished,
            value: Score::ZERO,
            returned: Score::ZERO,
            before: Score::ZERO,
            counters: Counters::default(),
            events: 0,
            last: EventKind::Finish,
            base,
            budget,
            scratch: ordering::Scratch::default(),
        }
    }

    /// Starts on a position; counters and the count of events go on.
    pub fn begin(
        &mut self,
        position: G::Position,
        window: Window,
        depth: u8,
        algorithm: Algorithm,
    ) {
        self.frames.clear();
        self.moves.clear();
        self.push(position, window, depth, algorithm);
    }

    /// The first frame, just begun at depth 0, lies beyond the horizon and may go on for so many plies of forcing moves.
    pub fn begin_beyond(&mut self, left: u8) {
        if let Some(frame) = self.frames.last_mut() {
            frame.beyond = Some(left);
            self.phase = Phase::Visit;
        }
    }

    /// The value that goes up from the node at hand, once it is found.
    pub fn found(&self) -> Score {
        self.value
    }

    /// The window that the node at hand was asked for, before the memo changed it; `first` is what the first frame was.
    pub fn asked(&self, game: &G, algorithm: Algorithm, first: Window) -> Window {
        let parent = self.frames.iter().rev().nth(1);
        parent.map_or(first, |parent| parent.asks(game, algorithm))
    }

    /// The frames from the first position to the node at hand; empty when finished.
    pub fn frames(&self) -> &[Frame<G>] {
        &self.frames
    }

    /// The moves of a frame in search order.
    pub fn moves_of(&self, frame: &Frame<G>) -> &[G::Move] {
        &self.moves[frame.moves.start as usize..frame.moves.end as usize]
    }

    /// The move being searched at a frame that has been expanded.
    pub fn current_move(&self, frame: &Frame<G>) -> Option<G::Move> {
        self.moves_of(frame)[..frame.entered()].last().copied()
    }

    /// The best line from the first position, as far as it is known; cut short where the memo answered.
    pub fn line(&self) -> &[G::Move] {
        match self.frames.first() {
            Some(frame) if frame.choice.is_none() => &[],
            _ => self.lines.first().map_or(&[], Vec::as_slice),
        }
    }

    /// What lies before the node at hand.
    pub fn history(&self) -> &G::History {
        &self.history
    }

    /// Ply of the node at hand, from the root.
    pub fn ply(&self) -> u32 {
        self.base + (self.frames.len() as u32).saturating_sub(1)
    }

    /// Memory that a copy of it takes beside its own size, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let lines = self.lines.iter().map(|line| size_of_val(line.as_slice()));
        size_of_val(self.frames.as_slice())
            + size_of_val(self.moves.as_slice())
            + size_of_val(self.lines.as_slice())
            + lines.sum::<usize>()
    }

    /// Puts another window in force at the node at hand. Its best move stays if it is still above α.
    pub(super) fn set_window(&mut self, window: Window) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let keeps = frame.choice.is_some() && frame.best > window.alpha;
        frame.window = window;
        if !keeps {
            frame.best = window.alpha;
            frame.choice = None;
        }
    }

    /// Events so far.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// The value found, once finished.
    pub fn result(&self) -> Option<Score> {
        (self.phase == Phase::Finished).then_some(self.value)
    }

    /// An event of the outer machine; `new` unless it only renames the last one.
    pub(super) fn note(&mut self, kind: EventKind, new: bool) {
        self.events += u64::from(new);
        self.last = kind;
    }

    /// Runs until the value is known, the watcher stops it, the budget ends or `fuel` events have happened.
    pub fn run<M: Memo<G::Key>, W: Watcher<Self>>(
        &mut self,
        context: &Context<'_, G>,
        memo: &mut M,
        watcher: &mut W,
        fuel: &mut u64,
    ) -> Pause {
        let mut meter = Meter {
            left: *fuel,
            counted: *fuel,
            last: self.last,
        };
        let pause = loop {
            if let ControlFlow::Break(pause) = self.round(context, memo, watcher, &mut meter) {
                break pause;
            }
        };
        self.note_all(&mut meter);
        *fuel = meter.left;
        pause
    }

    /// One event.
    pub fn step<M: Memo<G::Key>>(&mut self, context: &Context<'_, G>, memo: &mut M) -> EventKind {
        self.run(context, memo, &mut Unwatched, &mut 1);
        self.last
    }

    /// Every phase once if it is its turn, in the order in which most nodes go through them: seldom is one passed over,
    /// and what one phase leaves in registers the next one finds there.
    #[inline(always)]
    fn round<M: Memo<G::Key>, W: Watcher<Self>>(
        &mut self,
        context: &Context<'_, G>,
        memo: &mut M,
        watcher: &mut W,
        meter: &mut Meter,
    ) -> ControlFlow<Pause> {
        if self.phase == Phase::Pick {
            meter.spend()?;
            let kind = self.pick(context);
            self.happened(kind, watcher, meter)?;
        }
        if M::ACTIVE && self.phase == Phase::Enter {
            meter.spend()?;
            let kind = self.enter(context, memo);
            self.happened(kind, watcher, meter)?;
        }
        if matches!(self.phase, Phase::Enter | Phase::Visit) {
            meter.spend()?;
            let kind = self.visit(context, memo);
            self.happened(kind, watcher, meter)?;
        }
        if M::ACTIVE && self.phase == Phase::Store {
            meter.spend()?;
            let kind = self.store(context, memo);
            self.happened(kind, watcher, meter)?;
        }
        if M::ACTIVE && self.phase == Phase::Evict {
            meter.spend()?;
            self.phase = Phase::Leave;
            self.happened(EventKind::Eviction, watcher, meter)?;
        }
        if self.phase == Phase::Leave {
            meter.spend()?;
            let kind = self.leave::<M>(context);
            self.happened(kind, watcher, meter)?;
        }
        if self.phase == Phase::Finished {
            meter.spend()?;
            self.happened(EventKind::Finish, watcher, meter)?;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn happened<W: Watcher<Self>>(
        &mut self,
        kind: EventKind,
        watcher: &mut W,
        meter: &mut Meter,
    ) -> ControlFlow<Pause> {
        meter.last = kind;
        if W::ACTIVE && watcher.wants(kind, self.ply()) {
            self.note_all(meter);
            if watcher.see(&self.describe(), self) {
                return ControlFlow::Break(Pause::Watched);
            }
        }
        match kind {
            EventKind::Finish => ControlFlow::Break(Pause::Finished(self.value)),
            EventKind::Budget => ControlFlow::Break(Pause::Budget),
            _ => ControlFlow::Continue(()),
        }
    }

    fn note_all(&mut self, meter: &mut Meter) {
        self.events += meter.counted - meter.left;
        self.last = meter.last;
        meter.counted = meter.left;
    }

    /// The event that has just happened, seen from the state it left.
    #[inline]
    pub fn describe(&self) -> Event {
        let kind = self.last;
        let top = self.frames.last();
        let open = top.map_or(Window::INFINITE, Frame::open);
        let value = match kind {
            EventKind::Iteration
            | EventKind::Descend
            | EventKind::Expand
            | EventKind::Miss
            | EventKind::Invalid
            | EventKind::Eviction
            | EventKind::Budget => None,
            EventKind::Return | EventKind::Raise | EventKind::Cutoff => Some(self.returned),
            EventKind::Hit
            | EventKind::Leaf
            | EventKind::StandPat
            | EventKind::Captures
            | EventKind::Terminal
            | EventKind::Store
            | EventKind::Skip
            | EventKind::Finish => Some(self.value),
        };
        Event {
            index: self.events.saturating_sub(1),
            kind,
            ply: self.ply(),
            depth: top.map_or(0, |frame| frame.depth),
            window: Window {
                alpha: if kind == EventKind::Cutoff {
                    self.before
                } else {
                    open.alpha
                },
                ..open
            },
            value,
        }
    }

    #[inline(always)]
    fn push(&mut self, position: G::Position, window: Window, depth: u8, algorithm: Algorithm) {
        let mut frame = Frame::new(position, window, depth, self.moves.len() as u32);
        if algorithm == Algorithm::Minimax {
            frame.best = Score::NEG_INFINITY;
        }
        self.frames.push(frame);
        self.phase = Phase::Enter;
    }
}
