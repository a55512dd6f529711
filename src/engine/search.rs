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
mod event;
mod mode;
mod ordering;

use std::ops::{ControlFlow, Range};

use serde::{Deserialize, Serialize};

pub use deepening::{Deepening, DeepeningPause, Iteration, Limits, Plan, RootMove, Stage, Stop};
pub use event::{Counters, Event, EventKind, Unwatched, Watcher};
pub use mode::{Algorithm, Context, Fidelity, Mode, Order};

use super::{
    game::{Game, History, KeyScheme, Packed, Place, Score, Side, Window},
    memo::{Memo, Probe, Slot},
};

/// Plies that a quiescence search goes beyond the horizon, as in seed 003.
pub const QUIESCENCE_PLIES: u8 = 4;

/// What the memo said when the node was entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Not asked yet, or the policy is not asked.
    Unasked,
    /// An answer.
    Hit,
    /// An entry that could not answer.
    Invalid,
    /// No entry.
    Miss,
}

/// One node of the line being searched.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct Frame<G: Game> {
    /// The position.
    pub position: G::Position,
    /// The window searched: the one the parent asks for, then widened or narrowed by the memo.
    pub window: Window,
    /// The best value so far; with alpha-beta it starts at α, and is the α in force.
    pub best: Score,
    /// Remaining depth.
    pub depth: u8,
    /// What the memo said.
    pub outcome: Outcome,
    /// Plies that a node beyond the horizon may still go on; nothing for those within the depth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beyond: Option<u8>,
    /// Whether a draw that rests on what lies before it had a part in the value; not told where nobody asks.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rests_on_past: bool,
    /// Its moves in the machine's list, in search order; empty until it is expanded.
    moves: Range<u32>,
    /// The next of them to try.
    next: u32,
    /// The move that gave `best`, once a value exceeded the start.
    choice: Option<G::Move>,
    /// Where the memo was asked, so that it is not worked out twice.
    #[serde(skip)]
    slot: Option<Slot<G::Key>>,
}

impl<G: Game> Frame<G> {
    fn new(position: G::Position, window: Window, depth: u8, first: u32) -> Self {
        Self {
            position,
            window,
            best: window.alpha,
            depth,
            outcome: Outcome::Unasked,
            beyond: None,
            rests_on_past: false,
            moves: first..first,
            next: first,
            choice: None,
            slot: None,
        }
    }

    /// Number of moves, once expanded.
    pub fn children(&self) -> usize {
        self.moves.len()
    }

    /// How many of them have been entered.
    pub fn entered(&self) -> usize {
        (self.next - self.moves.start) as usize
    }

    /// The move that gave the best value so far.
    pub fn choice(&self) -> Option<G::Move> {
        self.choice
    }

    /// Where the memo was asked for it; not known of a frame that was read from a session.
    pub fn slot(&self) -> Option<Slot<G::Key>> {
        self.slot
    }

    /// The window in force: from the best so far to β.
    pub fn open(&self) -> Window {
        Window {
            alpha: self.best,
            beta: self.window.beta,
        }
    }
}

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

    /// The value that goes up from the node at hand, once it is found.
    pub fn found(&self) -> Score {
        self.value
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
            window: top.map_or(Window::INFINITE, Frame::open),
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

    #[inline(always)]
    fn enter<M: Memo<G::Key>>(&mut self, context: &Context<'_, G>, memo: &mut M) -> EventKind {
        let Some(frame) = self.frames.last_mut() else {
            return self.finish();
        };
        let slot = slot(context, &frame.position, &self.history, frame.depth);
        frame.slot = Some(slot);
        let probe = if collides(context, memo, &frame.position, slot, frame.depth) {
            self.counters.collisions += 1;
            Probe::unknown(frame.window)
        } else {
            memo.probe(slot, frame.depth, frame.window)
        };
        match probe {
            Probe::Answer(value) => {
                frame.outcome = Outcome::Hit;
                self.counters.hits += 1;
                memo.touch(slot, frame.depth);
                self.value = value;
                self.phase = Phase::Leave;
                EventKind::Hit
            }
            Probe::Search { window, found } => {
                frame.window = window;
                if context.mode.algorithm == Algorithm::AlphaBeta {
                    frame.best = window.alpha;
                }
                self.phase = Phase::Visit;
                frame.outcome = if found {
                    Outcome::Invalid
                } else {
                    Outcome::Miss
                };
                if found {
                    memo.touch(slot, frame.depth);
                    EventKind::Invalid
                } else {
                    EventKind::Miss
                }
            }
        }
    }

    #[inline(always)]
    fn visit<M: Memo<G::Key>>(&mut self, context: &Context<'_, G>, memo: &M) -> EventKind {
        if self.budget_ends(context.mode.budget_short_by_one) {
            return EventKind::Budget;
        }
        let Some(frame) = self.frames.last_mut() else {
            return self.finish();
        };
        if frame.depth == 0 {
            let goes_on = G::QUIESCENT && context.mode.quiescence && frame.beyond != Some(0);
            return if goes_on {
                self.visit_restless(context, memo)
            } else {
                self.visit_leaf(context, memo)
            };
        }
        let first = self.moves.len() as u32;
        if let Some(value) = context
            .game
            .expand(&frame.position, &self.history, &mut self.moves)
        {
            return self.game_over::<M>(context, value);
        }
        self.list(context, memo, first)
    }

    /// The moves from `first` on are those of the top frame.
    #[inline(always)]
    fn list<M: Memo<G::Key>>(
        &mut self,
        context: &Context<'_, G>,
        memo: &M,
        first: u32,
    ) -> EventKind {
        let Some(frame) = self.frames.last_mut() else {
            return self.finish();
        };
        frame.moves = first..self.moves.len() as u32;
        frame.next = first;
        ordering::sort(
            context,
            memo,
            frame,
            &self.history,
            &mut self.moves[first as usize..],
            &mut self.scratch,
        );
        self.phase = Phase::Pick;
        EventKind::Expand
    }

    /// The value of a finished game, as the game counts it at this place.
    #[inline(always)]
    fn game_over<M: Memo<G::Key>>(&mut self, context: &Context<'_, G>, value: Score) -> EventKind {
        let ply = self.ply();
        let Some(frame) = self.frames.last_mut() else {
            return self.finish();
        };
        if G::HISTORIC && context.mode.skip_past {
            frame.rests_on_past = context.game.rests_on_past(&frame.position, &self.history);
        }
        let place = Place {
            ply,
            depth: frame.depth,
        };
        self.value_known::<M>(context.game.settle(value, place), EventKind::Terminal)
    }

    #[inline(always)]
    fn visit_leaf<M: Memo<G::Key>>(&mut self, context: &Context<'_, G>, memo: &M) -> EventKind {
        let Some(frame) = self.frames.last() else {
            return self.finish();
        };
        let Context {
            game,
            evaluator,
            mode,
        } = context;
        let before_end = mode.leaf_before_end && G::LISTS_SETS;
        if !before_end && let Some(value) = game.terminal(&frame.position, &self.history) {
            return self.game_over::<M>(context, value);
        }
        let learned = if M::LEAVES {
            learned(context, memo, &frame.position, &self.history)
        } else {
            None
        };
        let value = learned.unwrap_or_else(|| game.evaluate(evaluator, &frame.position));
        self.counters.leaves += 1;
        self.value_known::<M>(value, EventKind::Leaf)
    }

    /// A node at or beyond the horizon that is searched on: its side may leave it at the heuristic value, or make one of
    /// the forcing moves.
    fn visit_restless<M: Memo<G::Key>>(&mut self, context: &Context<'_, G>, memo: &M) -> EventKind {
        let Some(frame) = self.frames.last_mut() else {
            return self.finish();
        };
        let Context {
            game, evaluator, ..
        } = context;
        if let Some(value) = game.terminal(&frame.position, &self.history) {
            return self.game_over::<M>(context, value);
        }
        self.counters.leaves += 1;
        let stand = game.evaluate(evaluator, &frame.position);
        frame.best = frame.best.max(stand);
        let cut = context.mode.algorithm == Algorithm::AlphaBeta && frame.window.fails_high(stand);
        let (best, first) = (frame.best, self.moves.len() as u32);
        if !cut {
            game.forcing(&frame.position, &self.history, &mut self.moves);
        }
        if self.moves.len() as u32 == first {
            return self.value_known::<M>(best, EventKind::Leaf);
        }
        self.list(context, memo, first)
    }

    /// Counts the visit, unless the budget has no room for it.
    #[inline(always)]
    fn budget_ends(&mut self, short_by_one: bool) -> bool {
        let Some(budget) = self.budget else {
            self.counters.nodes += 1;
            return false;
        };
        let full = self.counters.nodes >= budget;
        let counted = short_by_one || !full;
        self.counters.nodes += u64::from(counted);
        full || (short_by_one && self.counters.nodes >= budget)
    }

    #[inline(always)]
    fn value_known<M: Memo<G::Key>>(&mut self, value: Score, kind: EventKind) -> EventKind {
        self.value = value;
        self.phase = self.homeward::<M>();
        kind
    }

    /// What comes after a node's value is known. Nodes beyond the horizon leave nothing in the memo.
    #[inline(always)]
    fn homeward<M: Memo<G::Key>>(&self) -> Phase {
        if M::ACTIVE && !(G::QUIESCENT && self.is_beyond()) {
            Phase::Store
        } else {
            Phase::Leave
        }
    }

    fn is_beyond(&self) -> bool {
        self.frames
            .last()
            .is_some_and(|frame| frame.beyond.is_some())
    }

    #[inline(always)]
    fn pick(&mut self, context: &Context<'_, G>) -> EventKind {
        let Some(frame) = self.frames.last_mut() else {
            return self.finish();
        };
        let mv = self.moves[frame.next as usize];
        frame.next += 1;
        let position = context.game.apply(&frame.position, mv);
        let algorithm = context.mode.algorithm;
        let window = match algorithm {
            Algorithm::AlphaBeta => context.game.below(frame.open()),
            Algorithm::Minimax => context.game.below(frame.window),
        };
        let depth = frame.depth.saturating_sub(1);
        let beyond = if G::QUIESCENT && frame.depth == 0 {
            Some(frame.beyond.unwrap_or(QUIESCENCE_PLIES).saturating_sub(1))
        } else {
            None
        };
        self.history.push(&frame.position);
        self.push(position, window, depth, algorithm);
        if G::QUIESCENT && beyond.is_some() {
            self.phase = Phase::Visit;
            if let Some(child) = self.frames.last_mut() {
                child.beyond = beyond;
            }
        }
        EventKind::Descend
    }

    #[inline(always)]
    fn store<M: Memo<G::Key>>(&mut self, context: &Context<'_, G>, memo: &mut M) -> EventKind {
        let Some(frame) = self.frames.last() else {
            return self.finish();
        };
        match frame.outcome {
            Outcome::Invalid => self.counters.invalid += 1,
            _ => self.counters.misses += 1,
        }
        if G::HISTORIC && frame.rests_on_past {
            self.phase = Phase::Leave;
            return EventKind::Skip;
        }
        self.counters.stores += 1;
        let window = match context.mode.algorithm {
            Algorithm::AlphaBeta => frame.window,
            Algorithm::Minimax => Window::INFINITE,
        };
        let (position, depth, value) = (&frame.position, frame.depth, self.value);
        let before = memo.evictions();
        match frame.slot {
            Some(slot) if !context.mode.write_orbit => {
                attend(context, memo, position);
                memo.store(slot, depth, window, value);
            }
            _ => remember(
                context,
                memo,
                (position, &self.history),
                depth,
                window,
                value,
            ),
        }
        let evicted = memo.evictions() - before;
        self.counters.evictions += evicted;
        self.phase = if evicted > 0 {
            Phase::Evict
        } else {
            Phase::Leave
        };
        EventKind::Store
    }

    #[inline(always)]
    fn leave<M: Memo<G::Key>>(&mut self, context: &Context<'_, G>) -> EventKind {
        let Some(child) = self.frames.pop() else {
            return self.finish();
        };
        self.moves.truncate(child.moves.start as usize);
        let Some(parent) = self.frames.last_mut() else {
            if child.choice.is_none() {
                self.lines.truncate(0);
            }
            return self.finish();
        };
        self.history.pop();
        let value = context.game.above(self.value);
        self.returned = value;
        if G::HISTORIC {
            parent.rests_on_past |= child.rests_on_past;
        }
        let mut kind = EventKind::Return;
        if value > parent.best {
            parent.best = value;
            kind = EventKind::Raise;
            let mv = self.moves[parent.next as usize - 1];
            parent.choice = Some(mv);
            lengthen(
                &mut self.lines,
                self.frames.len(),
                mv,
                child.choice.is_some(),
            );
        }
        let Some(parent) = self.frames.last() else {
            return self.finish();
        };
        let alphabeta = context.mode.algorithm == Algorithm::AlphaBeta;
        let cut = alphabeta && parent.window.fails_high(parent.best);
        if cut {
            self.counters.cutoffs += 1;
            kind = EventKind::Cutoff;
        }
        if cut || parent.next == parent.moves.end {
            self.value = parent.best;
            self.phase = self.homeward::<M>();
        } else {
            self.phase = Phase::Pick;
        }
        kind
    }

    fn finish(&mut self) -> EventKind {
        self.phase = Phase::Finished;
        EventKind::Finish
    }
}

/// The line at `height` frames becomes a move with, where the child has a choice, the child's line after it.
fn lengthen<M: Copy>(lines: &mut Vec<Vec<M>>, height: usize, mv: M, chosen: bool) {
    if lines.len() <= height {
        lines.resize_with(height + 1, Vec::new);
    }
    let (above, below) = lines.split_at_mut(height);
    if let (Some(line), Some(rest)) = (above.last_mut(), below.first()) {
        line.clear();
        line.push(mv);
        if chosen {
            line.extend_from_slice(rest);
        }
    }
}

/// The slot of a position under the mode in force.
#[inline]
pub(super) fn slot<G: Game>(
    context: &Context<'_, G>,
    position: &G::Position,
    history: &G::History,
    depth: u8,
) -> Slot<G::Key> {
    let Context { game, mode, .. } = context;
    let negated = mode.negate_black && game.side(position) == Side::Black;
    Slot {
        key: game.node_key(position, history, mode.scheme, depth),
        negated,
    }
}

/// Whether a memo that verifies its keys has an entry of another position in this one's place.
#[inline]
pub(super) fn collides<G: Game, M: Memo<G::Key>>(
    context: &Context<'_, G>,
    memo: &M,
    position: &G::Position,
    slot: Slot<G::Key>,
    depth: u8,
) -> bool {
    if !memo.verifies() {
        return false;
    }
    let state = context.game.pack(position, context.mode.scheme);
    state.is_some_and(|state| memo.is_another(slot, depth, &state))
}

/// Tells a memo that verifies its keys for which position the next value is.
#[inline]
fn attend<G: Game, M: Memo<G::Key>>(
    context: &Context<'_, G>,
    memo: &mut M,
    position: &G::Position,
) {
    if memo.verifies() {
        let state = context.game.pack(position, context.mode.scheme);
        memo.attend(state.unwrap_or(Packed::UNKNOWN));
    }
}

/// What the memo has learned of a position.
fn learned<G: Game, M: Memo<G::Key>>(
    context: &Context<'_, G>,
    memo: &M,
    position: &G::Position,
    history: &G::History,
) -> Option<Score> {
    let slot = slot(context, position, history, 0);
    if collides(context, memo, position, slot, 0) {
        None
    } else {
        memo.leaf(slot)
    }
}

/// Stores a value for a position, or for its whole orbit where the mode says so.
pub(super) fn remember<G: Game, M: Memo<G::Key>>(
    context: &Context<'_, G>,
    memo: &mut M,
    (position, history): (&G::Position, &G::History),
    depth: u8,
    window: Window,
    value: Score,
) {
    if !context.mode.write_orbit {
        attend(context, memo, position);
        memo.store(
            slot(context, position, history, depth),
            depth,
            window,
            value,
        );
        return;
    }
    let orbit = context.game.orbit(position);
    for twin in &orbit {
        memo.fetch(slot(context, twin, history, depth), depth);
    }
    for twin in &orbit {
        attend(context, memo, twin);
        memo.store(slot(context, twin, history, depth), depth, window, value);
    }
}

impl Mode {
    /// Whether positions that symmetry makes equal share one entry.
    pub fn symmetric(&self) -> bool {
        self.write_orbit || self.scheme == KeyScheme::Canonical
    }
}
