//! Selective search: pruning, reductions and extensions. All of it is off by default, because it changes values.

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
/// Futility: remaining depth up to which moves and nodes are pruned.
// Frontier and pre-frontier nodes (depths 1 and 2) are the classic limit. In matches at 25,000 nodes a move, 6 was worth as
// much as late move pruning in addition to 2.
const FRONTIER: u8 = 6;

/// The settings of selective search; the default is a full search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Selective {
    /// Null-move pruning (Goetsch and Campbell 1988; Donninger 1993): if the value after a pass is at least β, the node is cut
    /// off. The number is the reduction R in plies.
    pub null: Option<u8>,
    /// Late move reductions: from the fourth move on, quiet moves are searched this many plies less deep, more the deeper the
    /// node and the later the move, and again in full if they are better than the best so far.
    pub lmr: Option<u8>,
    /// Futility pruning (Schaeffer 1986): near the leaves, quiet moves and quiescence captures are not searched if the static
    /// value plus this margin per ply stays below α; nodes are not searched if their static value exceeds β by the margin.
    pub futility: Option<Score>,
    /// Check extensions: a move that gives check does not reduce the remaining depth, up to a ply of twice the root's depth.
    pub extend: bool,
}

/// How selective search treats a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveTreatment {
    /// A move searched in full: one ply less deep than its node.
    #[default]
    Full,
    /// A null move, searched with a zero window at β and the reduction R.
    Null,
    /// A late move, searched less deep (LMR).
    Reduced,
    /// A move that gives check, searched as deep as its node.
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

    /// The remaining depth of the current child.
    #[inline]
    pub fn child_depth<G: SearchRules>(&self, node: &Frame<G>) -> u8 {
        let full = node.depth.saturating_sub(1);
        match node.treatment {
            MoveTreatment::Full => full,
            MoveTreatment::Null => full.saturating_sub(self.null.unwrap_or(0)),
            MoveTreatment::Reduced => full.saturating_sub(self.reduction(node)),
            MoveTreatment::Extended => node.depth,
        }
    }

    /// LMR: the number of plies by which the current move is searched less deep.
    // The reduction grows with the product of the logarithms of depth and move number (chessprogramming: Late Move Reductions);
    // at least one ply of search remains.
    fn reduction<G: SearchRules>(&self, node: &Frame<G>) -> u8 {
        let grows = node.depth.max(1).ilog2() * (node.moves_entered().max(1)).ilog2() / 4;
        let open = u8::from(!node.has_zero_window());
        let plies = self.lmr.map_or(0, |lmr| lmr.saturating_add(grows as u8));
        plies.saturating_sub(open).min(node.depth.saturating_sub(2))
    }

    /// Reverse futility pruning: whether the static value exceeds β by so much that the node fails high.
    fn is_far_above<G: SearchRules>(&self, static_eval: Score, node: &Frame<G>) -> bool {
        let beta = node.window.beta.get();
        node.has_zero_window()
            && node.depth <= FRONTIER
            && self.futility.is_some_and(|margin| {
                static_eval.get() - margin.get() * f64::from(node.depth) >= beta
            })
    }

    /// The highest value that a quiet move can be expected to reach; `None` if futility pruning does not apply at this depth.
    fn futility_bound(&self, static_eval: Score, depth: u8) -> Option<Score> {
        let margin = self.futility.filter(|_| depth <= FRONTIER)?;
        Some(Score::from_finite(static_eval.get() + margin.get() * f64::from(depth)))
    }
}

impl<G: SearchRules> Search<G> {
    /// The static value of the top frame, above the horizon and before its moves are listed, if it is the value of the node
    /// (reverse futility pruning).
    #[cold]
    pub(super) fn static_cutoff(
        &mut self,
        context: &Context<'_, G>,
        selective: &Selective,
    ) -> Option<Score> {
        let Context { game, evaluator, .. } = context;
        let ply = self.frames.len() - 1;
        self.static_evals.resize(ply + 1, None);
        let frame = self.frames.last().filter(|_| ply > 0)?;
        let is_calm = selective.prunes() && !game.in_check(&frame.position);
        self.static_evals[ply] = is_calm.then(|| game.evaluate(evaluator, &frame.position));
        self.static_evals[ply].filter(|static_eval| {
            selective.is_far_above(*static_eval, frame)
                && !game.is_won(frame.window.beta, self.full)
                && game.terminal(&frame.position, &self.history).is_none()
        })
    }

    /// Puts a null move before the listed moves of the top frame, if it is likely to cut off.
    #[cold]
    pub(super) fn add_null_move(&mut self, context: &Context<'_, G>, selective: &Selective) {
        let ply = self.frames.len() - 1;
        let [.., parent, frame] = self.frames.as_mut_slice() else {
            return;
        };
        let static_eval = self.static_evals.get(ply).copied().flatten();
        let Some(static_eval) = static_eval.filter(|_| frame.depth > 0) else {
            return;
        };
        let (game, beta) = (context.game, frame.window.beta);
        let is_likely_cutoff = static_eval >= beta && !game.is_won(beta, self.full);
        let is_deep = selective.null.is_some_and(|reduction| frame.depth > reduction);
        // Two null moves in a row would repeat the search of the node above.
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
        // late-move reduction (LMR)
        let is_late = frame.moves_entered() > EARLY_MOVES && frame.depth >= REDUCIBLE;
        if is_late && selective.reduction(frame) > 0 {
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
        // A win after a pass does not prove a win, because the pass is not legal.
        frame.best = if context.game.is_won(value, self.full) { beta } else { value };
        self.value = frame.best;
        self.counters.cutoffs += 1;
        self.phase = self.phase_after_value::<M>(&context.mode);
        EventKind::Cutoff
    }
}
