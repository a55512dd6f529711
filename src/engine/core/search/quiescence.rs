//! Beyond the horizon: only forcing moves, and leave to stand.

use super::{Context, EventKind, Search, top};
use crate::engine::core::{game::SearchRules, table::SearchTable};

/// Plies that a quiescence search goes beyond the horizon, as in seed 003.
pub const QUIESCENCE_PLIES: u8 = 4;

/// Plies of forcing moves left to a child of a node at the horizon, or beyond it with so many left itself.
#[inline]
pub fn quiescence_depth_below(quiescence_depth: Option<u8>) -> u8 {
    quiescence_depth.unwrap_or(QUIESCENCE_PLIES).saturating_sub(1)
}

impl<G: SearchRules> Search<G> {
    /// A node at or beyond the horizon that is searched on: its side may leave it at the heuristic value, or make one of
    /// the forcing moves.
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
        let stand = game.evaluate(evaluator, &frame.position);
        if context.mode.soft {
            frame.best_below_alpha = stand;
        }
        frame.best = frame.best.max(stand);
        let cut = context.mode.algorithm.has_windows() && frame.window.fails_high(stand);
        let (node_value, first) = (frame.node_value(context.mode.soft), self.moves.len() as u32);
        if !cut {
            game.quiescence_moves(&frame.position, &self.history, &mut self.moves);
        }
        if self.moves.len() as u32 == first {
            return self.value_known::<M>(context, node_value, EventKind::StandPat);
        }
        self.value = stand;
        self.list(context, first, EventKind::Captures)
    }
}
