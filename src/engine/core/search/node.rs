//! The steps of a node: visit it, list its moves, search child after child, return its value.

use super::{
    Context, EventKind, Frame, Mode, MoveTreatment, Phase, Search, Stop,
    ordering::{MoveSorter, sorts_moves},
    probe::leaf_value,
    quiescence_depth_below, top,
};
use crate::engine::core::{
    game::{History, NodePlace, Score, SearchRules},
    table::SearchTable,
};

impl<G: SearchRules> Search<G> {
    #[inline(always)]
    pub(super) fn visit<M: SearchTable<G::Key>>(
        &mut self,
        context: &Context<'_, G>,
        table: &M,
    ) -> EventKind {
        if self.budget_ends(context.mode.budget_short_by_one) {
            self.stop = Some(Stop::Budget);
            return EventKind::Budget;
        }
        let frame = top(&mut self.frames);
        // endgame tables: a true value replaces the search
        if G::HAS_TABLES
            && context.mode.tables
            && let Some(value) = context.game.known_value(&frame.position)
        {
            return self.value_known::<M>(context, value, EventKind::Tables);
        }
        if frame.depth == 0 {
            let is_quiescence =
                G::HAS_QUIESCENCE && context.mode.quiescence && frame.quiescence_depth != Some(0);
            return if is_quiescence {
                self.visit_quiescence::<M>(context)
            } else {
                self.visit_leaf(context, table)
            };
        }
        if let Some(selective) = &context.mode.selective
            && let Some(value) = self.static_cutoff(context, selective)
        {
            return self.value_known::<M>(context, value, EventKind::StandPat);
        }
        let first = self.moves.len() as u32;
        let frame = top(&mut self.frames);
        if let Some(value) = context.game.expand(&frame.position, &self.history, &mut self.moves) {
            return self.game_over::<M>(context, value);
        }
        if self.moves.len() as u32 == first {
            // No legal move, and the rules of the game give no value: a draw.
            return self.game_over::<M>(context, Score::ZERO);
        }
        self.list_moves(context, first, EventKind::Expand)
    }

    /// Assigns the moves of `self.moves` from index `first` on to the top frame.
    #[inline(always)]
    pub(super) fn list_moves(
        &mut self,
        context: &Context<'_, G>,
        first: u32,
        kind: EventKind,
    ) -> EventKind {
        let frame = top(&mut self.frames);
        frame.moves = first..self.moves.len() as u32;
        frame.next = first;
        frame.unsorted = frame.moves.len() as u32;
        self.phase = Phase::Pick;
        if let Some(selective) = &context.mode.selective {
            self.add_null_move(context, selective);
        }
        kind
    }

    /// Sorts the next stage of the top frame's unsorted moves.
    #[inline]
    fn sort<M: SearchTable<G::Key>>(&mut self, context: &Context<'_, G>, table: &M) {
        let ply = self.frames.len() - 1;
        let frame = top(&mut self.frames);
        let unsorted = (frame.moves.end - frame.unsorted) as usize..frame.moves.end as usize;
        if !sorts_moves(&context.mode, frame) {
            frame.unsorted = 0;
            return;
        }
        self.history.push(&frame.position);
        let (history, cutoffs) = (&self.history, &self.cutoff_table);
        let sorter = MoveSorter { context, table, frame, ply, history, cutoffs };
        frame.unsorted = sorter.sort(&mut self.moves[unsorted], &mut self.scratch);
        self.history.pop();
    }

    /// Gives the top frame the value of a finished game.
    #[inline(always)]
    pub(super) fn game_over<M: SearchTable<G::Key>>(
        &mut self,
        context: &Context<'_, G>,
        value: Score,
    ) -> EventKind {
        let ply = self.ply();
        let frame = top(&mut self.frames);
        if G::USES_HISTORY && context.mode.skip_history_dependent {
            frame.depends_on_history =
                context.game.depends_on_history(&frame.position, &self.history);
        }
        let place = NodePlace { ply, depth: frame.depth };
        self.value_known::<M>(
            context,
            context.game.score_terminal(value, place),
            EventKind::Terminal,
        )
    }

    #[inline(always)]
    pub(super) fn visit_leaf<M: SearchTable<G::Key>>(
        &mut self,
        context: &Context<'_, G>,
        table: &M,
    ) -> EventKind {
        let frame = top(&mut self.frames);
        let Context { game, evaluator, mode } = context;
        let before_end = mode.leaf_before_end && G::REFERENCE_HAS_SETS;
        if !before_end && let Some(value) = game.terminal(&frame.position, &self.history) {
            return self.game_over::<M>(context, value);
        }
        let leaf_value = if M::HAS_LEAF_VALUES {
            leaf_value(context, table, &frame.position, &self.history)
        } else {
            None
        };
        let value = leaf_value.unwrap_or_else(|| game.evaluate(evaluator, &frame.position));
        self.counters.leaves += 1;
        self.value_known::<M>(context, value, EventKind::Leaf)
    }

    /// Counts a node; `true` if the budget is used up instead. `short_by_one`: the last node is not visited (defect D7).
    #[inline(always)]
    pub(super) fn budget_ends(&mut self, short_by_one: bool) -> bool {
        let Some(budget) = self.budget else {
            self.counters.nodes += 1;
            return false;
        };
        let is_used_up = self.counters.nodes >= budget;
        self.counters.nodes += u64::from(short_by_one || !is_used_up);
        is_used_up || (short_by_one && self.counters.nodes >= budget)
    }

    #[inline(always)]
    pub(super) fn value_known<M: SearchTable<G::Key>>(
        &mut self,
        context: &Context<'_, G>,
        value: Score,
        kind: EventKind,
    ) -> EventKind {
        self.value = value;
        self.phase = self.phase_after_value::<M>(&context.mode);
        kind
    }

    #[inline(always)]
    pub(super) fn first_phase(&self, mode: &Mode) -> Phase {
        if self.top_uses_table(mode) { Phase::Enter } else { Phase::Visit }
    }

    #[inline(always)]
    pub(super) fn phase_after_value<M: SearchTable<G::Key>>(&self, mode: &Mode) -> Phase {
        if M::ACTIVE && self.top_uses_table(mode) { Phase::Store } else { Phase::Leave }
    }

    #[inline(always)]
    fn top_uses_table(&self, mode: &Mode) -> bool {
        self.frames.last().is_some_and(|frame| frame.uses_table(mode))
    }

    #[inline(always)]
    pub(super) fn pick<M: SearchTable<G::Key>>(
        &mut self,
        context: &Context<'_, G>,
        table: &M,
    ) -> EventKind {
        let frame = top(&mut self.frames);
        // A re-search, or a move that selective search has just treated, stays the current move.
        let is_same_move = frame.research || frame.treatment != MoveTreatment::Full;
        if frame.unsorted > 0 && !is_same_move && frame.next + frame.unsorted == frame.moves.end {
            self.sort(context, table);
        }
        let frame = top(&mut self.frames);
        frame.next += u32::from(!is_same_move);
        if let Some(selective) = &context.mode.selective
            && !is_same_move
            && let Some(kind) = self.choose_treatment::<M>(context, selective)
        {
            return kind;
        }
        let frame = top(&mut self.frames);
        let mv = self.moves[frame.next as usize - 1];
        let position = context.game.apply(&frame.position, mv);
        let algorithm = context.mode.algorithm;
        let window = frame.child_window(context.game, algorithm);
        let selective = context.mode.selective.as_ref();
        let depth = selective.map_or_else(
            || frame.depth.saturating_sub(1),
            |selective| selective.child_depth(frame),
        );
        let quiescence_depth = if G::HAS_QUIESCENCE && frame.depth == 0 {
            Some(quiescence_depth_below(frame.quiescence_depth, &context.mode))
        } else {
            None
        };
        self.history.push(&frame.position);
        let frame = Frame::new(position, window, depth, self.moves.len() as u32);
        self.frames.push(Frame { quiescence_depth, ..frame.for_algorithm(algorithm) });
        self.phase = self.first_phase(&context.mode);
        EventKind::Descend
    }

    #[inline(always)]
    pub(super) fn leave<M: SearchTable<G::Key>>(&mut self, context: &Context<'_, G>) -> EventKind {
        let height = self.frames.len() - 1;
        if height == 0 {
            return self.root_value_known(context);
        }
        let Some(child) = self.frames.pop() else {
            return self.finish(Stop::Depth);
        };
        let parent = top(&mut self.frames);
        self.moves.truncate(child.moves.start as usize);
        self.history.pop();
        let value = self.value.parent(context.game);
        self.returned = value;
        self.best_before = parent.best;
        if G::USES_HISTORY {
            parent.depends_on_history |= child.depends_on_history;
        }
        let Mode { algorithm, fail_soft, .. } = context.mode;
        if parent.treatment == MoveTreatment::Null {
            return self.null_move_returned::<M>(context, value);
        }
        if parent.needs_research(algorithm, value, child.window.holds(self.value)) {
            self.phase = Phase::Pick;
            return EventKind::Research;
        }
        let searched_window = parent.current_window();
        let has_best_move = child.best_move.is_some();
        let raises = self.update_best(value, has_best_move, fail_soft);
        let parent = top(&mut self.frames);
        let node_value = parent.node_value(fail_soft);
        let last = parent.next == parent.moves.end;
        let cut = parent.is_cut_off(algorithm);
        let kind = match (cut, raises) {
            (true, _) => self.cut_off(context),
            (false, true) => EventKind::Raise,
            (false, false) => EventKind::Return,
        };
        if height == 1 && !self.root_moves.is_empty() {
            self.root_move_returned(context, value, searched_window, has_best_move, cut || last);
        } else if cut || last {
            self.value = node_value;
            self.phase = self.phase_after_value::<M>(&context.mode);
        } else {
            self.phase = Phase::Pick;
        }
        kind
    }

    /// Updates best value and principal variation of the top frame with the value that its move returned; `true` if that is
    /// the best so far. `has_best_move`: the child's variation follows.
    #[inline(always)]
    fn update_best(&mut self, value: Score, has_best_move: bool, fail_soft: bool) -> bool {
        let height = self.frames.len();
        let frame = top(&mut self.frames);
        // At the root with `root=all` there is a best move even if every move loses.
        let raises = value > frame.best || (frame.exact_moves && frame.best_move.is_none());
        if raises {
            let mv = self.moves[frame.next as usize - 1];
            (frame.best, frame.best_move) = (value, Some(mv));
            update_pv(&mut self.pv_table, height, mv, has_best_move);
        } else if fail_soft && value > frame.best_below_alpha {
            frame.best_below_alpha = value;
        }
        raises
    }

    /// The current move cuts off the top frame: updates killers and history.
    #[inline(always)]
    fn cut_off(&mut self, context: &Context<'_, G>) -> EventKind {
        self.counters.cutoffs += 1;
        if context.mode.keeps_cutoffs() {
            let ply = self.frames.len() - 1;
            let frame = top(&mut self.frames);
            let mv = self.moves[frame.next as usize - 1];
            self.cutoff_table.record(context.game, ply, frame, mv);
        }
        EventKind::Cutoff
    }

    pub(super) fn finish(&mut self, stop: Stop) -> EventKind {
        self.stop = Some(stop);
        self.phase = Phase::Over;
        EventKind::Finish
    }
}

/// Sets the principal variation at `height` frames: a move, then the child's variation if it has one.
pub(super) fn update_pv<M: Copy>(
    pv_table: &mut Vec<Vec<M>>,
    height: usize,
    mv: M,
    has_best_move: bool,
) {
    if pv_table.len() <= height {
        pv_table.resize_with(height + 1, Vec::new);
    }
    let (above, below) = pv_table.split_at_mut(height);
    if let (Some(line), Some(rest)) = (above.last_mut(), below.first()) {
        line.clear();
        line.push(mv);
        if has_best_move {
            line.extend_from_slice(rest);
        }
    }
}
