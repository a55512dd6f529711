//! The result of a search: its best moves and their value.

use crate::engine::core::{
    game::{Score, SearchRules},
    search::{Iteration, Mode, Plan, RootMove, Search, Stop},
    table::Bound,
};

/// The result at the root so far.
#[derive(Clone, Debug)]
pub struct RootResult<'a, G: SearchRules> {
    /// The best value for the side to move; `None` before a move was searched.
    pub value: Option<Score>,
    /// The moves with the best value.
    pub best: Vec<&'a RootMove<G>>,
    /// All moves of the root, with their results.
    pub moves: &'a [RootMove<G>],
    /// What the result is based on.
    pub basis: ResultBasis,
}

/// What the result at the root is based on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultBasis {
    /// The result is that of the last complete iteration.
    Iteration,
    /// The result is that of an incomplete iteration, which found a better move than the last complete one.
    Deeper,
    /// No search, because the game is over.
    Over,
    /// No result: without a complete iteration all moves tie at 0, as in seed 002 (defect D7).
    Tie,
    /// The result is that of the moves searched so far in the first iteration.
    Part,
}

impl<G: SearchRules> Search<G> {
    /// The moves with the best value in the last complete iteration; with `shorter_wins_first`, of proven
    /// wins only the shortest and of proven losses only the longest.
    pub fn best_moves(&self) -> Vec<&RootMove<G>> {
        let (Some(complete), Some(value)) = (self.complete(), self.value()) else {
            return Vec::new();
        };
        let tied = complete
            .moves
            .iter()
            .filter(|root| root.value == Some(value) && root.bound == Bound::Exact);
        // A mate score includes its distance; only a win or loss at an end of the full window needs ranking.
        let is_decided = value == self.full_window().beta || value == self.full_window().alpha;
        let is_ranked =
            is_decided && matches!(self.plan(), Plan::Best(limits) if limits.shorter_wins_first);
        let lengths = tied.clone().filter_map(|root| root.decided);
        let length = if value == self.full_window().beta { lengths.min() } else { lengths.max() };
        tied.filter(|root| !is_ranked || root.decided == length).collect()
    }

    /// With `root=best`, the best move of an iteration that was stopped: the best of the last complete one was searched first,
    /// so that only a better move can replace it.
    fn deeper_move(&self, complete: &Iteration<G>) -> Option<&RootMove<G>> {
        let root = &self.frames()[0];
        let is_deeper = root.depth > complete.depth && !root.exact_moves;
        let best = root.best_move().filter(|_| is_deeper)?;
        let mut moves = self.root_moves().iter();
        moves.find(|known| known.mv == best && known.bound == Bound::Exact)
    }

    /// The result at the root so far.
    pub fn root_result(&self, mode: &Mode) -> RootResult<'_, G> {
        let under_way = self.root_moves();
        let known = |value, best, basis| RootResult { value, best, moves: under_way, basis };
        if let Some(complete) = self.complete() {
            if let Some(deeper) = self.deeper_move(complete) {
                return known(deeper.value, vec![deeper], ResultBasis::Deeper);
            }
            return RootResult {
                value: self.value(),
                best: self.best_moves(),
                moves: &complete.moves,
                basis: ResultBasis::Iteration,
            };
        }
        if under_way.is_empty() {
            return known(None, Vec::new(), ResultBasis::Over);
        }
        if self.stopped() == Some(Stop::Budget) && mode.budget_short_by_one {
            let all = under_way.iter().collect();
            return known(Some(Score::ZERO), all, ResultBasis::Tie);
        }
        let value = self.best();
        let best = under_way.iter().filter(|root| {
            root.value.is_some() && root.value == value && root.bound == Bound::Exact
        });
        known(value, best.collect(), ResultBasis::Part)
    }
}
