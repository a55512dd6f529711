//! Selective search: pruning, reductions and extensions. All of it is off by default, because values are then no longer those of
//! the full search.

use serde::{Deserialize, Serialize};

use super::{Context, EventKind, Frame, Phase, Search, top};
use crate::engine::core::{
    game::{Score, SearchRules},
    table::SearchTable,
};

/// LMR: moves that are searched in full before later ones are reduced.
// The usual values, Fruit's too: the best move is mostly among the first three, and below depth 3 a reduced search would be
// quiescence only and too unreliable for the time it saves.
const EARLY_MOVES: usize = 3;
/// LMR: remaining depth from which late moves are reduced.
const REDUCIBLE: u8 = 3;
/// Futility: remaining depth up to which moves are pruned.
// Frontier and pre-frontier nodes. Further up the margin no longer bounds what a quiet move can gain with its successors.
const FRONTIER: u8 = 2;

/// The settings of selective search; the default is a full search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Selective {
    /// Null-move pruning (Goetsch and Campbell 1988; Donninger 1993): if the value after a pass is at least β, the node is cut
    /// off. The number is the reduction R in plies.
    pub null: Option<u8>,
    /// Late move reductions: from the fourth move on, quiet moves are searched this many plies less deep, and again in full if
    /// they are better than the best so far.
    pub lmr: Option<u8>,
    /// Futility pruning (Schaeffer 1986): at depths 1 and 2 quiet moves are not searched if the static value and this margin per
    /// ply do not exceed α.
    pub futility: Option<Score>,
    /// Check extensions: a move that gives check does not reduce the depth, up to twice the depth of the root.
    pub extend: bool,
}

/// How selective search treats a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveTreatment {
    /// Searched in full: one ply less deep than the node.
    #[default]
    Full,
    /// A null move: with a zero window at β and the reduction R.
    Null,
    /// A late move: less deep (LMR).
    Reduced,
    /// A move that gives check: as deep as the node.
    Extended,
}

impl Selective {
    /// Whether the search is selective at all.
    #[inline]
    pub fn is_on(&self) -> bool {
        self.prunes() || self.extend
    }

    /// Whether moves are pruned or reduced.
    #[inline]
    pub fn prunes(&self) -> bool {
        self.null.is_some() || self.lmr.is_some() || self.futility.is_some()
    }

    /// The remaining depth of the child under way.
    #[inline]
    pub fn child_depth<G: SearchRules>(&self, node: &Frame<G>) -> u8 {
        let full = node.depth.saturating_sub(1);
        match node.treatment {
            MoveTreatment::Full => full,
            MoveTreatment::Null => full.saturating_sub(self.null.unwrap_or(0)),
            MoveTreatment::Reduced => full.saturating_sub(self.lmr.unwrap_or(0)),
            MoveTreatment::Extended => node.depth,
        }
    }

    /// The most that a quiet move can be expected to reach; `None` without futility pruning at this depth.
    fn futility_bound(&self, static_eval: Score, depth: u8) -> Option<Score> {
        let margin = self.futility.filter(|_| depth <= FRONTIER)?;
        Some(Score::from_finite(static_eval.get() + margin.get() * f64::from(depth)))
    }
}

impl<G: SearchRules> Search<G> {
    /// Prepares the top frame, whose moves are listed: its static value, and a null move before the others.
    #[cold]
    pub(super) fn prepare_selective(&mut self, context: &Context<'_, G>, selective: &Selective) {
        let Context { game, evaluator, .. } = context;
        let ply = self.frames.len() - 1;
        self.static_evals.resize(ply + 1, None);
        let [.., parent, frame] = self.frames.as_mut_slice() else {
            return;
        };
        let is_calm = frame.depth > 0 && !game.in_check(&frame.position);
        self.static_evals[ply] =
            (is_calm && selective.prunes()).then(|| game.evaluate(evaluator, &frame.position));
        let Some(static_eval) = self.static_evals[ply] else {
            return;
        };
        let beta = frame.window.beta;
        // null move
        let is_likely_cutoff = static_eval >= beta && !game.is_won(beta, self.full);
        let is_deep = selective.null.is_some_and(|reduction| frame.depth > reduction);
        // Two null moves in a row would search the node above once more.
        let is_second = parent.treatment == MoveTreatment::Null;
        let tries = is_deep && is_likely_cutoff && !is_second;
        if let Some(pass) = game.null_move(&frame.position).filter(|_| tries) {
            self.moves.insert(frame.moves.start as usize, pass);
            frame.moves.end += 1;
            frame.has_null_move = true;
        }
    }

    /// Decides how the move that the top frame has just picked is treated; `None` if it is searched in full.
    #[cold]
    pub(super) fn choose_treatment<M: SearchTable<G::Key>>(
        &mut self,
        context: &Context<'_, G>,
        selective: &Selective,
    ) -> Option<EventKind> {
        let Context { game, mode, .. } = context;
        let ply = self.frames.len() - 1;
        // Without this limit a perpetual check would extend for ever.
        let is_too_deep = ply >= 2 * usize::from(self.depth());
        let frame = self.frames.last_mut().filter(|frame| frame.depth > 0)?;
        if frame.is_at_null_move() {
            frame.treatment = MoveTreatment::Null;
            return Some(EventKind::Null);
        }
        let mv = self.moves[frame.next as usize - 1];
        // check extension; checks are neither pruned nor reduced
        if G::HAS_CHECKS && game.gives_check(&frame.position, mv) {
            let extends = selective.extend && !is_too_deep;
            frame.treatment = if extends { MoveTreatment::Extended } else { MoveTreatment::Full };
            return extends.then_some(EventKind::Extend);
        }
        let is_quiet = game.capture_score(&frame.position, mv) == 0;
        let static_eval = (*self.static_evals.get(ply)?).filter(|_| is_quiet)?;
        // futility pruning, but not before a defence against a proven loss is found
        if let Some(futility_bound) = selective.futility_bound(static_eval, frame.depth)
            && futility_bound <= frame.best
            && !game.is_won(-frame.best, self.full)
        {
            frame.best_below_alpha = frame.best_below_alpha.max(futility_bound);
            if frame.next == frame.moves.end {
                self.value = frame.node_value(mode.fail_soft);
                self.phase = self.phase_after_value::<M>(mode);
            }
            return Some(EventKind::Prune);
        }
        // LMR
        let is_late = frame.moves_entered() > EARLY_MOVES && frame.depth >= REDUCIBLE;
        if selective.lmr.is_some() && is_late {
            frame.treatment = MoveTreatment::Reduced;
            return Some(EventKind::Reduce);
        }
        None
    }

    /// The value of a null move has returned: it cuts off, or changes nothing.
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
        // A win after a pass is no proven win: the pass is not legal.
        frame.best = if context.game.is_won(value, self.full) { beta } else { value };
        self.value = frame.best;
        self.counters.cutoffs += 1;
        self.phase = self.phase_after_value::<M>(&context.mode);
        EventKind::Cutoff
    }
}
