//! Quiescence search: at and beyond the horizon only forcing moves are searched. It ends after four plies, or with `see=on`
//! when every forcing move left loses material by static exchange evaluation (SEE).

use super::{Context, EventKind, Mode, Search, top};
use crate::engine::core::{
    game::{Score, SearchRules},
    table::SearchTable,
};

/// The most plies of quiescence search with SEE. Only perpetual checks need more.
pub const SEE_PLIES: u8 = 30;

/// The most plies of a quiescence search: four, as in seed 003, or with SEE [`SEE_PLIES`].
#[inline]
pub const fn quiescence_plies(see: bool) -> u8 {
    if see { SEE_PLIES } else { 4 }
}

/// Quiescence plies left for a child of a node with `quiescence_depth` plies left; `None`: the node is at the horizon.
#[inline]
pub fn quiescence_depth_below(quiescence_depth: Option<u8>, mode: &Mode) -> u8 {
    quiescence_depth.unwrap_or(quiescence_plies(mode.see)).saturating_sub(1)
}

impl<G: SearchRules> Search<G> {
    /// A node of the quiescence search: the side to move keeps the static value or makes a forcing move.
    pub(super) fn visit_quiescence<M: SearchTable<G::Key>>(
        &mut self,
        context: &Context<'_, G>,
    ) -> EventKind {
        let frame = top(&mut self.frames);
        let Context { game, evaluator, .. } = context;
        if let Some(value) = game.terminal(&frame.position, &self.history) {
            return self.game_over::<M>(context, value);
        }
        self.counters.leaves += 1;
        // stand pat
        let static_eval = game.evaluate(evaluator, &frame.position);
        if context.mode.fail_soft {
            frame.best_below_alpha = static_eval;
        }
        frame.best = frame.best.max(static_eval);
        let is_cutoff =
            context.mode.algorithm.has_windows() && frame.window.fails_high(static_eval);
        let node_value = frame.node_value(context.mode.fail_soft);
        let first = self.moves.len() as u32;
        if !is_cutoff {
            // delta pruning: a capture that leaves the value below α is not tried
            let margin = context.mode.selective.and_then(|selective| selective.futility);
            let gain = margin.map_or(Score::NEG_INFINITY, |margin| {
                Score::from_finite(frame.best.get() - static_eval.get() - margin.get())
            });
            game.quiescence_moves(&frame.position, context.mode.see, gain, &mut self.moves);
        }
        if self.moves.len() as u32 == first {
            return self.value_known::<M>(context, node_value, EventKind::StandPat);
        }
        self.value = static_eval;
        self.list_moves(context, first, EventKind::Captures)
    }
}
