//! A player at the board.

use std::{
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use super::Player;
use crate::engine::{
    game::{Fault, Game, Score, Weights, Window},
    memo::AnyMemo,
    random,
    search::{
        Basis, Context, Counters, Leash, Mode, Plan, RootMove, Search, Stop, Unwatched, remember,
    },
    settings::Settings,
};

/// A player at the board, with a game, a heuristic and a memo of its own: whoever holds it needs no locks.
#[derive(Clone, Debug)]
pub struct Contender<G: Game> {
    game: G,
    settings: Settings,
    mode: Mode,
    weights: Weights,
    /// What it remembers.
    pub memo: AnyMemo<G::Key>,
    /// Whether a rote table takes the value of every position decided on (seed 001); on from the beginning.
    pub learns: bool,
}

/// What a player chose, and what it took.
#[derive(Clone, Debug)]
pub struct Choice<G: Game> {
    /// The move to play.
    pub mv: G::Move,
    /// The moves it was chosen from: those with the best value.
    pub best: Vec<G::Move>,
    /// That value for the side to move; `None` where nothing was looked at.
    pub value: Option<Score>,
    /// Plies of the last complete iteration.
    pub depth: u8,
    /// What was searched.
    pub counters: Counters,
    /// Milliseconds.
    pub ms: f64,
}

impl<G: Game> Contender<G> {
    /// A player with an empty memo.
    ///
    /// # Errors
    /// Settings and weights that the game cannot do with.
    pub fn new(game: &G, player: &Player) -> Result<Self, Fault> {
        player.settings.check_for::<G>()?;
        game.evaluator(&player.weights, &game.start())?;
        let mut game = game.clone();
        game.conduct(player.settings.conduct());
        Ok(Self {
            game,
            mode: player.settings.mode(),
            weights: player.weights.clone(),
            memo: player.settings.new_memo(),
            learns: true,
            settings: player.settings.clone(),
        })
    }

    /// Forgets everything, or remembers just this.
    pub fn reset(&mut self, memo: Option<&AnyMemo<G::Key>>) {
        self.memo = match memo {
            Some(memo) => memo.clone(),
            None => self.settings.new_memo(),
        };
        self.settings.set_up(&mut self.memo);
    }

    /// How it searches.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Searches a position that is not over and chooses one of the best moves, the random number deciding among equals.
    /// `None`: interrupted.
    ///
    /// # Errors
    /// Weights with which the position cannot be searched.
    pub fn choose(
        &mut self,
        (position, history): (&G::Position, &G::History),
        number: u64,
        interrupt: &AtomicBool,
    ) -> Result<Option<Choice<G>>, Fault> {
        let start = Instant::now();
        let evaluator = self.game.evaluator(&self.weights, position)?;
        let context = Context {
            game: &self.game,
            evaluator: &evaluator,
            mode: self.mode,
        };
        let plan = Plan::Best(self.settings.limits());
        let budget = self.settings.budget();
        let mut search = Search::new(&context, plan, position.clone(), history.clone(), budget);
        let time = self.settings.time_ms.map(Duration::from_millis);
        let leash = Leash::new(interrupt, time.map(|time| start + time));
        if search.drive(&context, &mut self.memo, &mut Unwatched, &leash) == Stop::Interrupt {
            return Ok(None);
        }
        if let (true, Some(value), AnyMemo::Rote(memo)) =
            (self.learns, search.value(), &mut self.memo)
        {
            let root = (position, history);
            remember(&context, memo, root, 0, Window::INFINITE, value);
        }
        let known = search.known(&self.mode);
        let listed = |moves: &[&RootMove<G>]| moves.iter().map(|root| root.mv).collect::<Vec<_>>();
        let mut best = listed(&known.best);
        if best.is_empty() {
            // The time was up before anything was looked at: any move will do.
            best = listed(&known.moves.iter().collect::<Vec<_>>());
        }
        let chosen = best.get(random::one_of(
            random::mixed(&[number, self.settings.seed]),
            best.len(),
        ));
        let mv =
            *chosen.ok_or_else(|| Fault::new("the game is over: there is no move to choose"))?;
        Ok(Some(Choice {
            mv,
            value: known.value.filter(|_| known.basis != Basis::Over),
            depth: search.complete().map_or(0, |complete| complete.depth),
            counters: search.counters,
            ms: start.elapsed().as_secs_f64() * 1e3,
            best,
        }))
    }
}
