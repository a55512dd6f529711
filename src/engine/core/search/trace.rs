//! Another program's search: what it did is told event by event, and carried out on the same stack and table.

use super::{
    EventKind, Frame, MoveTreatment, Phase, ProbeOutcome, Search, Stop, Watcher, WindowChange,
    node::update_pv,
};
use crate::engine::core::{
    game::{RecordedSearch, Score, SearchRules, TraceStep, Window},
    table::{SearchTable, Slot},
};

impl<G: SearchRules> Search<G> {
    /// As [`Search::run`], for a search that is told. Where nothing is told yet, fuel is left.
    pub(super) fn follow<M: SearchTable<G::Key>, W: Watcher<Self> + ?Sized>(
        &mut self,
        recorded: &dyn RecordedSearch<G>,
        table: &mut M,
        watcher: &mut W,
        fuel: &mut u64,
    ) -> Stop {
        while let Some(left) = fuel.checked_sub(1) {
            match recorded.step(self.events, self.open_node()) {
                TraceStep::Over => {
                    self.finish(Stop::End);
                    return Stop::End;
                }
                TraceStep::Pending => return Stop::Limit,
                told => self.apply_trace_step(table, self.events, told),
            }
            *fuel = left;
            let wants = watcher.is_active() && watcher.wants(self.last, self.ply());
            if wants && watcher.see(&self.describe(), self) {
                return Stop::Watched;
            }
        }
        Stop::Limit
    }

    /// The node at hand of a search that is told, and the moves behind it; none while no node is open.
    pub fn open_node(&self) -> Option<(&G::Position, &[G::Move])> {
        let node = self.frames.last().filter(|_| self.phase != Phase::Start);
        node.map(|frame| (&frame.position, self.moves_of(frame)))
    }

    /// Carries out what is told as the event of this number.
    pub fn apply_trace_step<M: SearchTable<G::Key>>(
        &mut self,
        table: &mut M,
        event: u64,
        told: TraceStep<G>,
    ) {
        self.events = event;
        self.last = self.apply_step(table, told);
        self.events += 1;
    }

    fn apply_step<M: SearchTable<G::Key>>(
        &mut self,
        table: &mut M,
        told: TraceStep<G>,
    ) -> EventKind {
        let top = self.frames.len() - 1;
        match told {
            TraceStep::Iteration(depth) => {
                self.clear();
                let root = self.frames[0].position.clone();
                self.frames[0] = Frame::new(root, Window::INFINITE, depth, 0);
                self.iterations.push((depth, self.events));
                EventKind::Iteration
            }
            TraceStep::Entered { position, mv, window, depth, key, again, null } => {
                if self.phase == Phase::Start {
                    self.clear();
                    self.frames.clear();
                    self.phase = Phase::Pick;
                } else {
                    let treatment = if null { MoveTreatment::Null } else { MoveTreatment::Full };
                    (self.frames[top].again, self.frames[top].treatment) = (again, treatment);
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
            TraceStep::Cut => {
                self.returned = self.frames[top].best;
                self.before = self.returned;
                self.counters.cutoffs += 1;
                EventKind::Cutoff
            }
            TraceStep::Left { value, seen, zero } => self.apply_leave(value, seen, zero),
            ref of_table => self.apply_table_step(table, of_table),
        }
    }

    fn apply_table_step<M: SearchTable<G::Key>>(
        &mut self,
        table: &mut M,
        told: &TraceStep<G>,
    ) -> EventKind {
        let top = self.frames.len() - 1;
        match *told {
            TraceStep::Answered(value) => {
                self.value = value;
                self.frames[top].outcome = ProbeOutcome::Hit;
                self.counters.hits += 1;
                EventKind::Hit
            }
            TraceStep::Found(window) => {
                let frame = &mut self.frames[top];
                frame.outcome = ProbeOutcome::Invalid;
                if let (Some(window), 0) = (window, frame.entered()) {
                    frame.begin_again(window);
                    frame.changed = Some(WindowChange::Entry);
                }
                self.counters.invalid += 1;
                EventKind::Invalid
            }
            TraceStep::Missed => {
                self.frames[top].outcome = ProbeOutcome::Miss;
                self.counters.misses += 1;
                EventKind::Miss
            }
            TraceStep::Stored(key, depth, window, value) => {
                let slot = Slot { key, negated: false };
                table.store(slot, depth, window, value);
                self.value = value;
                self.frames[top].slot = Some(slot);
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

    /// No node is open.
    fn clear(&mut self) {
        self.frames.truncate(1);
        self.moves.clear();
        self.phase = Phase::Start;
    }

    /// The node at hand has tried one more move.
    fn add_move(&mut self, mv: G::Move) {
        self.moves.push(mv);
        if let Some(frame) = self.frames.last_mut() {
            frame.moves.end += 1;
            frame.next += 1;
        }
    }

    fn apply_leave(&mut self, value: Score, seen: Option<Score>, zero: bool) -> EventKind {
        let height = self.frames.len() - 1;
        self.value = value;
        if height == 0 {
            self.phase = Phase::Start;
            return EventKind::Leave;
        }
        let child = self.frames.remove(height);
        let parent = &mut self.frames[height - 1];
        self.moves.truncate(child.moves.start as usize);
        self.returned = seen.unwrap_or(-value);
        self.before = parent.best;
        if seen.is_none_or(|value| value <= parent.best) {
            return EventKind::Return;
        }
        // Then the move is searched again, unless it cuts off.
        if zero && parent.current_window().holds(self.returned) {
            return EventKind::Research;
        }
        parent.best = self.returned;
        let mv = self.moves[parent.next as usize - 1];
        parent.best_move = Some(mv);
        update_pv(&mut self.pv_table, height, mv, child.best_move.is_some());
        EventKind::Raise
    }
}
