//! Rote training (seed 001): self-play over one table of learned values.
//!
//! Each move is decided by alpha-beta to a fixed depth, without deepening and without a memo, but with the table's values
//! in place of the heuristic at the leaves. The root's value is then written into the table, for the whole orbit where
//! symmetry is on, and one of the best moves is played.
//!
//! ```text
//! TrainingSpec + games played so far + table = Training: play -> Block (what happened), Document and table on disk
//! ```
//!
//! What happens in a game depends on the spec, the game's number and the table alone, so a training that was stopped after
//! any game and resumed leads to the table it would have led to, bit for bit.

mod block;
mod document;
mod learner;
mod merge;
mod spec;

use std::sync::atomic::AtomicBool;

pub use block::Block;
pub use document::{Document, Files};
pub use merge::merged;
pub use spec::TrainingSpec;

use self::learner::Learner;
use super::{Bout, Choice, Opening, Players, play};
use crate::engine::{
    game::{Fault, Game, Keyed, Score, Side, Weights, Window},
    memo::{Entries as _, Rote, ZeroIsMissing},
    random,
    search::{Context, Leash, Mode, Plan, Search, Stop, Unwatched, remember},
};

/// A training under way.
#[derive(Clone, Debug)]
pub struct Training<G: Game> {
    game: G,
    /// What it is.
    pub spec: TrainingSpec,
    /// Games played, of those that this training has to play.
    pub played: u64,
    /// What happened in them.
    pub blocks: Vec<Block>,
    /// How many tables it was merged from.
    pub merged: u64,
    /// What was learned.
    pub table: Rote<G::Key>,
}

impl<G: Game> Training<G> {
    /// A training that has not begun.
    ///
    /// # Errors
    /// A spec that the game cannot do with.
    pub fn new(game: &G, spec: TrainingSpec) -> Result<Self, Fault> {
        let game = spec.game_for(game)?;
        Ok(Self {
            table: Rote::with(ZeroIsMissing(
                spec.settings.as_seed(spec.settings.switches.zero),
            )),
            game,
            spec,
            played: 0,
            blocks: Vec::new(),
            merged: 1,
        })
    }

    /// A training as a document has it, its table still to be filled.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn resumed(game: &G, document: Document) -> Result<Self, Fault> {
        Ok(Self {
            played: document.played,
            blocks: document.blocks,
            merged: document.merged,
            ..Self::new(game, document.spec)?
        })
    }

    /// The game with the rules and the conduct of the training.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Games that it has to play in all.
    pub fn games(&self) -> u64 {
        self.spec.own_games()
    }

    /// Whether every game is played.
    pub fn is_done(&self) -> bool {
        self.played >= self.games()
    }

    /// Plays the next game.
    ///
    /// # Errors
    /// What keeps a position from being searched.
    pub fn play_one(&mut self) -> Result<(), Fault> {
        let TrainingSpec { seed, draws, .. } = self.spec;
        let number = self.spec.number_of(self.played);
        let bout = Bout {
            game: &self.game,
            rules: draws,
            opening: &Opening::of(&self.game),
            seed: random::mixed(&[seed, number]),
        };
        let mut pupil = Pupil {
            game: &self.game,
            weights: &self.spec.weights,
            mode: self.spec.settings.mode(),
            plan: Plan::Best(self.spec.settings.limits()),
            learner: Learner::new(&mut self.table),
            nodes: 0,
        };
        // A game is played to its end: what is learned in it is not taken back.
        let record = play(&bout, &mut pupil, &AtomicBool::new(false))?;
        let Some(record) = record else {
            return Err(Fault::new("a game of the training was cut short"));
        };
        let (leaves, hits) = pupil.learner.leaves();
        let won = |side| u64::from(record.outcome.winner == Some(side));
        let block = Block {
            games: 1,
            white: won(Side::White),
            black: won(Side::Black),
            draws: u64::from(record.outcome.winner.is_none()),
            plies: record.moves.len() as u64,
            nodes: pupil.nodes,
            leaves,
            hits,
            new: pupil.learner.new,
            rewritten: pupil.learner.rewritten,
            drift: pupil.learner.drift,
            entries: 0,
        };
        self.note(&block);
        Ok(())
    }

    fn note(&mut self, game: &Block) {
        if self.played.is_multiple_of(self.spec.block()) || self.blocks.is_empty() {
            self.blocks.push(Block::default());
        }
        let entries = self.table.len() as u64;
        if let Some(block) = self.blocks.last_mut() {
            block.add(game);
            block.entries = entries;
        }
        self.played += 1;
    }

    /// Everything that happened so far.
    pub fn total(&self) -> Block {
        let mut total = Block::default();
        self.blocks.iter().for_each(|block| total.add(block));
        total.entries = self.table.len() as u64;
        total
    }

    /// The learned value under a key, as it is stored.
    pub fn learned(&self, key: G::Key) -> Option<Score> {
        use crate::engine::memo::Record;
        let at = Keyed { key, depth: 0 };
        self.table.get(at).map(|record| record.entry(0).value)
    }
}

/// The one who plays both sides and learns.
struct Pupil<'a, G: Game> {
    game: &'a G,
    weights: &'a Weights,
    mode: Mode,
    plan: Plan,
    learner: Learner<'a, G::Key>,
    nodes: u64,
}

impl<G: Game> Players<G> for Pupil<'_, G> {
    fn choose(
        &mut self,
        _side: Side,
        (position, history): (&G::Position, &G::History),
        number: u64,
        interrupt: &AtomicBool,
    ) -> Result<Option<Choice<G>>, Fault> {
        let evaluator = self.game.evaluator(self.weights, position)?;
        let context = Context {
            game: self.game,
            evaluator: &evaluator,
            mode: self.mode,
        };
        let (root, past) = (position.clone(), history.clone());
        let mut search = Search::new(&context, self.plan, root, past, None);
        let leash = Leash::new(interrupt, None);
        let pulled = search.drive_with(&context, &mut self.learner, &mut Unwatched, &leash);
        if pulled == Stop::Interrupt {
            return Ok(None);
        }
        if let Some(value) = search.value() {
            let root = (position, history);
            remember(
                &context,
                &mut self.learner,
                root,
                0,
                Window::INFINITE,
                value,
            );
        }
        let best: Vec<_> = search.best_moves().iter().map(|root| root.mv).collect();
        let chosen = best.get(random::one_of(number, best.len()));
        let mv =
            *chosen.ok_or_else(|| Fault::new("the game is over: there is no move to choose"))?;
        self.nodes += search.counters.nodes;
        Ok(Some(Choice {
            mv,
            value: search.value(),
            depth: search.complete().map_or(0, |complete| complete.depth),
            counters: search.counters,
            ms: 0.0,
            best,
        }))
    }
}
