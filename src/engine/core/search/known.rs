//! What a search for the best moves has to say, whether or not it is over.

use super::{Mode, RootMove, Search, Stop};
use crate::engine::core::{
    game::{Rules, Score},
    memo::Bound,
};

/// What is known of the root.
#[derive(Clone, Debug)]
pub struct Known<'a, G: Rules> {
    /// The value; `None` where nothing has been looked at.
    pub value: Option<Score>,
    /// The best moves: those that share that value.
    pub best: Vec<&'a RootMove<G>>,
    /// All moves of the root.
    pub moves: &'a [RootMove<G>],
    /// What it rests on.
    pub basis: Basis,
}

/// What is known of the root rests on …
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// … a complete iteration.
    Iteration,
    /// … the rules: the game is over.
    Over,
    /// … nothing: without a complete iteration all moves tie at 0, as in seed 002 (defect D7).
    Tie,
    /// … the moves that were looked at so far.
    Part,
}

impl<G: Rules> Search<G> {
    /// What is known of the root now.
    pub fn known(&self, mode: &Mode) -> Known<'_, G> {
        let under_way = self.root_moves();
        if let Some(complete) = self.complete() {
            return Known {
                value: self.value(),
                best: self.best_moves(),
                moves: &complete.moves,
                basis: Basis::Iteration,
            };
        }
        let known = |value, best, basis| Known { value, best, moves: under_way, basis };
        if under_way.is_empty() {
            return known(None, Vec::new(), Basis::Over);
        }
        if self.stopped() == Some(Stop::Budget) && mode.budget_short_by_one {
            let all = under_way.iter().collect();
            return known(Some(Score::ZERO), all, Basis::Tie);
        }
        let value = self.best();
        let best = under_way.iter().filter(|root| {
            root.value.is_some() && root.value == value && root.bound == Bound::Exact
        });
        known(value, best.collect(), Basis::Part)
    }
}
