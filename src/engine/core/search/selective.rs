//! Selective search: moves that are left out, or searched less deep or deeper than by one ply. All of it is off unless the
//! settings say otherwise, for values are then no longer those of the full search.

use serde::{Deserialize, Serialize};

use super::{Context, EventKind, Frame, Phase, Search, top};
use crate::engine::core::{
    game::{Score, SearchRules},
    table::SearchTable,
};

/// Quiet moves that are searched in full before later ones are reduced.
const EARLY_MOVES: usize = 3;
/// Remaining depth from which late moves are reduced.
const REDUCIBLE: u8 = 3;
/// Remaining depth up to which futile moves are left out.
const FRONTIER: u8 = 2;

/// What a search leaves out, and where it goes deeper; with nothing in it, a full search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Selective {
    /// Null move pruning (Goetsch and Campbell 1988; Donninger 1993): a side that still has β after passing has it after
    /// a move. So many plies less are searched below the pass than below a move.
    pub null: Option<u8>,
    /// Late move reductions: from the fourth move on, quiet ones are searched so many plies less deep; one that turns out
    /// better than the best so far is searched again in full.
    pub lmr: Option<u8>,
    /// Futility pruning (Schaeffer 1986): in the last two plies quiet moves are left out where the static value does not
    /// come up to α even with this margin for each ply.
    pub futility: Option<Score>,
    /// Check extensions: below a move that gives check the depth is not counted down, up to twice the depth of the root.
    pub extend: bool,
}

/// How the move under way is searched, as selective search has decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveTreatment {
    /// One ply less deep than the node.
    #[default]
    Full,
    /// It is a pass: with a zero window at β.
    Null,
    /// A late move, less deep.
    Reduced,
    /// It gives check: as deep as the node.
    Extended,
}

impl Selective {
    /// Whether anything is left out or goes deeper.
    #[inline]
    pub fn is_on(&self) -> bool {
        self.leaves_out() || self.extend
    }

    /// Whether moves are left out or searched less deep.
    #[inline]
    pub fn leaves_out(&self) -> bool {
        self.null.is_some() || self.lmr.is_some() || self.futility.is_some()
    }

    /// Remaining depth below a node's move under way.
    #[inline]
    pub fn depth_below<G: SearchRules>(&self, node: &Frame<G>) -> u8 {
        let below = node.depth.saturating_sub(1);
        match node.treatment {
            MoveTreatment::Full => below,
            MoveTreatment::Null => below.saturating_sub(self.null.unwrap_or(0)),
            MoveTreatment::Reduced => below.saturating_sub(self.lmr.unwrap_or(0)),
            MoveTreatment::Extended => node.depth,
        }
    }

    /// The most that a quiet move is hoped to come to, where futile ones are left out.
    fn futility_bound(&self, static_eval: Score, depth: u8) -> Option<Score> {
        let margin = self.futility.filter(|_| depth <= FRONTIER)?;
        Some(Score::from_finite(static_eval.get() + margin.get() * f64::from(depth)))
    }
}

impl<G: SearchRules> Search<G> {
    /// The moves of the top frame are listed: whether any may be left out, and whether passing comes before them.
    #[cold]
    pub(super) fn prepare_selective(&mut self, context: &Context<'_, G>, selective: &Selective) {
        let Context { game, evaluator, .. } = context;
        let ply = self.frames.len() - 1;
        self.static_evals.resize(ply + 1, None);
        let [.., parent, frame] = self.frames.as_mut_slice() else {
            return;
        };
        let calm = frame.depth > 0 && !game.in_check(&frame.position);
        self.static_evals[ply] =
            (calm && selective.leaves_out()).then(|| game.evaluate(evaluator, &frame.position));
        let Some(static_eval) = self.static_evals[ply] else {
            return;
        };
        let beta = frame.window.beta;
        let promising = static_eval >= beta && !game.is_won(beta, self.full);
        let deep = selective.null.is_some_and(|less| frame.depth > less);
        // Two passes in a row would ask again what the node above asks.
        let asks = deep && promising && parent.treatment != MoveTreatment::Null;
        if let Some(pass) = game.null_move(&frame.position).filter(|_| asks) {
            self.moves.insert(frame.moves.start as usize, pass);
            frame.moves.end += 1;
            frame.passes = true;
        }
    }

    /// Decides how the move that the top frame has just taken is searched; the event, unless it is searched in full.
    #[cold]
    pub(super) fn choose_treatment<M: SearchTable<G::Key>>(
        &mut self,
        context: &Context<'_, G>,
        selective: &Selective,
    ) -> Option<EventKind> {
        let Context { game, mode, .. } = context;
        let ply = self.frames.len() - 1;
        let far = ply >= 2 * usize::from(self.depth());
        let frame = self.frames.last_mut().filter(|frame| frame.depth > 0)?;
        if frame.is_passing() {
            frame.treatment = MoveTreatment::Null;
            return Some(EventKind::Null);
        }
        let mv = self.moves[frame.next as usize - 1];
        if G::HAS_CHECKS && game.in_check(&game.apply(&frame.position, mv)) {
            let extends = selective.extend && !far;
            frame.treatment = if extends { MoveTreatment::Extended } else { MoveTreatment::Full };
            return extends.then_some(EventKind::Extend);
        }
        let quiet = game.capture_score(&frame.position, mv) == 0;
        let static_eval = (*self.static_evals.get(ply)?).filter(|_| quiet)?;
        if let Some(futility_bound) = selective.futility_bound(static_eval, frame.depth)
            && futility_bound <= frame.best
            && !game.is_won(-frame.best, self.full)
        {
            frame.best_below_alpha = frame.best_below_alpha.max(futility_bound);
            if frame.next == frame.moves.end {
                self.value = frame.node_value(mode.soft);
                self.phase = self.phase_after_value::<M>(mode);
            }
            return Some(EventKind::Prune);
        }
        let late = frame.moves_entered() > EARLY_MOVES && frame.depth >= REDUCIBLE;
        if selective.lmr.is_some() && late {
            frame.treatment = MoveTreatment::Reduced;
            return Some(EventKind::Reduce);
        }
        None
    }

    /// A value has come back from a pass: it cuts off, or changes nothing. That a win was found proves no win.
    #[cold]
    pub(super) fn null_move_returned<M: SearchTable<G::Key>>(
        &mut self,
        context: &Context<'_, G>,
        value: Score,
    ) -> EventKind {
        let frame = top(&mut self.frames);
        frame.treatment = MoveTreatment::Full;
        let beta = frame.window.beta;
        if value < beta {
            self.phase = Phase::Pick;
            return EventKind::Return;
        }
        frame.best = if context.game.is_won(value, self.full) { beta } else { value };
        self.value = frame.best;
        self.counters.cutoffs += 1;
        self.phase = self.phase_after_value::<M>(&context.mode);
        EventKind::Cutoff
    }
}
