use std::sync::atomic::AtomicBool;

use crate::engine::{
    game::{Fault, Game, History, Score, Weights},
    memo::{AnyMemo, Policy},
    search::{Context, Leash, Plan, Search, Unwatched},
    settings::Settings,
};

/// Searches positions under whatever weights, each time with an empty memo.
#[derive(Clone, Copy, Debug)]
pub struct Examiner<'a, G: Game> {
    /// The game, told of the settings.
    pub game: &'a G,
    /// How to search. The depth is set; budget and time do not count.
    pub settings: &'a Settings,
}

/// What a search under one weight set makes of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Opinion<G: Game> {
    /// The value for the side to move.
    pub value: Score,
    /// The heuristic value of the position itself.
    pub static_value: Score,
    /// Every move with its value for the side to move, in the game's order.
    pub moves: Vec<(G::Move, Score)>,
    /// Which of them are the best.
    pub best: Vec<bool>,
    /// Whether the value tells of a win or a loss.
    pub decided: bool,
    /// States visited.
    pub nodes: u64,
}

/// Where a move leads when both sides play on as a weight set has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Variation<G: Game> {
    /// The moves, the first one included.
    pub moves: Vec<G::Move>,
    /// The position after them.
    pub end: G::Position,
    /// Whether the game is over there.
    pub over: bool,
}

impl<G: Game> Opinion<G> {
    /// The best moves.
    pub fn best_moves(&self) -> impl Iterator<Item = G::Move> {
        let marked = self.moves.iter().zip(&self.best);
        marked.filter(|(_, best)| **best).map(|((mv, _), _)| *mv)
    }
}

impl<G: Game> Examiner<'_, G> {
    /// The opinion of a weight set on a position that has moves.
    ///
    /// # Errors
    /// Weights that the game refuses; and an interrupt.
    pub fn opinion(
        &self,
        weights: &Weights,
        position: &G::Position,
        interrupt: &AtomicBool,
    ) -> Result<Opinion<G>, Fault> {
        let evaluator = self.game.evaluator(weights, position)?;
        let context = self.context(&evaluator);
        let plan = Plan::Best(self.settings.limits());
        let history = G::History::default();
        let mut search = Search::new(&context, plan, position.clone(), history, None);
        let mut memo = self.settings.new_memo();
        Self::drive(&context, &mut memo, &mut search, interrupt)?;
        let (Some(complete), Some(value)) = (search.complete(), search.value()) else {
            return Err(Fault::new("there is no move to choose in the position"));
        };
        let best: Vec<_> = search.best_moves().iter().map(|root| root.mv).collect();
        let full = search.full_window();
        let worth = |value: Option<Score>| value.unwrap_or(full.alpha);
        let won = |value| self.game.is_won(value, full);
        Ok(Opinion {
            value,
            static_value: self.game.evaluate(&evaluator, position),
            decided: won(value) || self.game.is_won(-value, full.negate()),
            moves: complete
                .moves
                .iter()
                .map(|root| (root.mv, worth(root.value)))
                .collect(),
            best: complete
                .moves
                .iter()
                .map(|root| best.contains(&root.mv))
                .collect(),
            nodes: search.counters.nodes,
        })
    }

    /// The line behind the value that a move has, found without a memo, so that nothing cuts it short.
    ///
    /// # Errors
    /// As [`Self::opinion`].
    pub fn variation(
        &self,
        weights: &Weights,
        root: &G::Position,
        mv: G::Move,
        interrupt: &AtomicBool,
    ) -> Result<Variation<G>, Fault> {
        let evaluator = self.game.evaluator(weights, root)?;
        let context = self.context(&evaluator);
        let mut history = G::History::default();
        history.push(root);
        let child = self.game.apply(root, mv);
        let depth = self.settings.depth.unwrap_or(1).saturating_sub(1);
        let window = self.game.full_window(&evaluator).child(self.game);
        let plan = Plan::Value { depth, window };
        let mut search = Search::new(&context, plan, child.clone(), history.clone(), None);
        let mut none = AnyMemo::new(Policy::None);
        Self::drive(&context, &mut none, &mut search, interrupt)?;
        let mut line = Variation {
            moves: vec![mv],
            end: child,
            over: false,
        };
        for &mv in search.line() {
            history.push(&line.end);
            line.end = self.game.apply(&line.end, mv);
            line.moves.push(mv);
        }
        line.over = self.game.terminal(&line.end, &history).is_some();
        Ok(line)
    }

    fn context<'c>(&'c self, evaluator: &'c G::Evaluator) -> Context<'c, G> {
        Context {
            game: self.game,
            evaluator,
            mode: self.settings.mode(),
        }
    }

    fn drive(
        context: &Context<'_, G>,
        memo: &mut AnyMemo<G::Key>,
        search: &mut Search<G>,
        interrupt: &AtomicBool,
    ) -> Result<(), Fault> {
        let leash = Leash::new(interrupt, None);
        match search.drive(context, memo, &mut Unwatched, &leash) {
            stop if stop.is_own() => Ok(()),
            _ => Err(interrupted()),
        }
    }
}

/// The user stopped a comparison.
pub fn interrupted() -> Fault {
    Fault::new("the comparison was interrupted").hint("give the command again to start over")
}
