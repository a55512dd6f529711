//! The search of another program: the events of its trace, applied to stack and table.

use super::{
    EventKind, Frame, MoveTreatment, Phase, ProbeOutcome, Search, Stop, Watcher, WindowChange,
    node::update_pv,
};
use crate::engine::core::{
    game::{Score, SearchRules, TraceStep, TracedSearch, Window},
    table::{SearchTable, Slot},
};

impl<G: SearchRules> Search<G> {
    /// [`Search::run`] for a trace. Fuel is left over if the program has not written the next event yet.
    pub(super) fn run_trace<M: SearchTable<G::Key>, W: Watcher<Self> + ?Sized>(
        &mut self,
        traced: &dyn TracedSearch<G>,
        table: &mut M,
        watcher: &mut W,
        fuel: &mut u64,
    ) -> Stop {
        while let Some(left) = fuel.checked_sub(1) {
            match traced.step(self.events, self.open_node()) {
                TraceStep::Over => {
                    self.finish(Stop::End);
                    return Stop::End;
                }
                TraceStep::Pending => return Stop::Limit,
                step => self.apply_trace_step(table, self.events, step),
            }
            *fuel = left;
            let wants = watcher.is_active() && watcher.wants(self.last, self.ply());
            if wants && watcher.see(&self.describe(), self) {
                return Stop::Watched;
            }
        }
        Stop::Limit
    }

    /// The open node of a trace with its moves so far; `None` before the root is entered.
    pub fn open_node(&self) -> Option<(&G::Position, &[G::Move])> {
        let node = self.frames.last().filter(|_| self.phase != Phase::Start);
        node.map(|frame| (&frame.position, self.moves_of(frame)))
    }

    /// Applies a step of a trace as the event with this number.
    pub fn apply_trace_step<M: SearchTable<G::Key>>(
        &mut self,
        table: &mut M,
        event: u64,
        step: TraceStep<G>,
    ) {
        self.events = event;
        self.last = self.apply_step(table, step);
        self.events += 1;
    }

    fn restart_root(&mut self, position: G::Position, depth: u8) {
        self.clear();
        self.frames[0] = Frame::new(position, Window::INFINITE, depth, 0);
    }

    fn apply_step<M: SearchTable<G::Key>>(
        &mut self,
        table: &mut M,
        step: TraceStep<G>,
    ) -> EventKind {
        let top = self.frames.len() - 1;
        match step {
            TraceStep::Iteration(depth) => {
                self.restart_root(self.frames[0].position.clone(), depth);
                self.iterations.push((depth, self.events));
                EventKind::Iteration
            }
            TraceStep::Begun(position) => {
                self.restart_root(position, 0);
                EventKind::Note
            }
            TraceStep::Entered { position, mv, window, depth, key, research, null_move } => {
                if self.phase == Phase::Start {
                    self.clear();
                    self.frames.clear();
                    self.phase = Phase::Pick;
                } else {
                    let frame = &mut self.frames[top];
                    frame.research = research;
                    frame.treatment =
                        if null_move { MoveTreatment::Null } else { MoveTreatment::Full };
                    self.add_move(mv);
                }
                let slot = key.map(|key| Slot { key, negated: false });
                let frame = Frame::new(position, window, depth, self.moves.len() as u32);
                self.frames.push(Frame { slot, ..frame });
                self.counters.nodes += 1;
                EventKind::Descend
            }
            TraceStep::Static(value) => {
                self.value = value;
                let leaf = self.frames[top].depth == 0;
                self.counters.leaves += u64::from(leaf);
                if leaf { EventKind::Leaf } else { EventKind::Static }
            }
            TraceStep::Skipped(mv) => {
                self.add_move(mv);
                EventKind::Prune
            }
            TraceStep::Cut(value) => self.apply_cut(value),
            TraceStep::Left { value, parent_value, counts, again, other_best, zero_window } => {
                if again && top > 0 {
                    self.forget_value(other_best);
                }
                (self.value, self.returned) = (value, parent_value);
                self.apply_leave(counts, zero_window)
            }
            ref other => self.apply_table_step(table, other),
        }
    }

    fn apply_cut(&mut self, value: Option<Score>) -> EventKind {
        self.counters.cutoffs += 1;
        let frame = &self.frames[self.frames.len() - 1];
        // A cutoff before any move, even a null move, was searched: the static value is the reason.
        if let Some(value) = value.filter(|_| frame.entered() == 0) {
            self.value = value;
            return EventKind::StandPat;
        }
        (self.returned, self.best_before) = (frame.best, frame.best);
        EventKind::Cutoff
    }

    fn apply_table_step<M: SearchTable<G::Key>>(
        &mut self,
        table: &mut M,
        step: &TraceStep<G>,
    ) -> EventKind {
        let top = self.frames.len() - 1;
        match *step {
            TraceStep::Hit(value) => {
                self.value = value;
                self.frames[top].outcome = ProbeOutcome::Hit;
                self.counters.hits += 1;
                EventKind::Hit
            }
            TraceStep::Invalid(window) => {
                let frame = &mut self.frames[top];
                frame.outcome = ProbeOutcome::Invalid;
                if let (Some(window), 0) = (window, frame.entered()) {
                    frame.restart(window);
                    frame.changed = Some(WindowChange::Entry);
                    self.counters.changed_window += 1;
                }
                self.counters.invalid += 1;
                EventKind::Invalid
            }
            TraceStep::Window(window) => {
                let frame = &mut self.frames[top];
                if frame.entered() == 0 {
                    frame.restart(window);
                } else if frame.best_move().is_some() {
                    frame.window = window;
                } else {
                    (frame.window, frame.best) = (window, window.alpha);
                }
                frame.changed = Some(WindowChange::Node);
                EventKind::Note
            }
            TraceStep::Missed => {
                self.frames[top].outcome = ProbeOutcome::Miss;
                self.counters.misses += 1;
                EventKind::Miss
            }
            TraceStep::Stored(key, depth, window, value, own) => {
                let slot = Slot { key, negated: false };
                table.store(slot, depth, window, value);
                self.value = value;
                if own {
                    self.frames[top].slot = Some(slot);
                }
                self.counters.stores += 1;
                EventKind::Store
            }
            TraceStep::Dropped(key) => {
                table.drop_entry(Slot { key, negated: false }, 0);
                self.counters.evictions += 1;
                EventKind::Eviction
            }
            _ => EventKind::Note,
        }
    }

    /// Closes all nodes and empties the list of moves.
    fn clear(&mut self) {
        self.frames.truncate(1);
        self.moves.clear();
        self.phase = Phase::Start;
    }

    /// Adds a tried move to the list of the current node.
    fn add_move(&mut self, mv: G::Move) {
        self.moves.push(mv);
        if let Some(frame) = self.frames.last_mut() {
            frame.moves.end += 1;
            frame.next += 1;
        }
    }

    /// Takes back the value that the current move returned before, so that the best of the other moves counts.
    fn forget_value(&mut self, other_best: Option<(G::Move, Score)>) {
        let height = self.frames.len() - 1;
        let parent = &mut self.frames[height - 1];
        let alpha = parent.window.alpha;
        let other = other_best.filter(|(_, value)| *value > alpha);
        parent.best = other.map_or(alpha, |(_, value)| value);
        let best_move = other.map(|(mv, _)| mv);
        if parent.best_move != best_move {
            parent.best_move = best_move;
            if let Some(mv) = best_move {
                update_pv(&mut self.pv_table, height, mv, false);
            }
        }
    }

    fn apply_leave(&mut self, counts: bool, zero_window: bool) -> EventKind {
        let height = self.frames.len() - 1;
        if height == 0 {
            self.phase = Phase::Start;
            return EventKind::Leave;
        }
        let child = self.frames.remove(height);
        let parent = &mut self.frames[height - 1];
        self.moves.truncate(child.moves.start as usize);
        self.best_before = parent.best;
        if !counts || self.returned <= parent.best {
            return EventKind::Return;
        }
        // PVS: after a zero-window value inside the window, the move is searched again.
        if zero_window && parent.current_window().holds(self.returned) {
            return EventKind::Research;
        }
        parent.best = self.returned;
        let mv = self.moves[parent.next as usize - 1];
        parent.best_move = Some(mv);
        update_pv(&mut self.pv_table, height, mv, child.best_move.is_some());
        EventKind::Raise
    }
}
