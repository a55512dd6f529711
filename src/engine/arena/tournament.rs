//! Playing a tournament: units of work side by side, results kept as they come.

use std::{
    collections::BTreeMap,
    ops::{ControlFlow, Range},
    sync::atomic::AtomicBool,
};

use super::{
    Finish, Fixture, GameLine, Plan, Shard,
    journal::State,
    pool::{self, Worker},
    statistics::{SprtState, Verdict},
    tally::Tally,
    unit::Begun,
};
use crate::engine::{
    game::{Fault, Game},
    memo::AnyMemo,
};

/// A tournament with what has been played of it.
#[derive(Clone, Debug)]
pub struct Tournament<G: Game> {
    /// What is to be played.
    pub plan: Plan<G>,
    /// The document, the part at hand and its games.
    pub state: State,
    /// Rounds after which a test ended it.
    pub decided: Option<usize>,
    /// Rounds whose pairs the test has seen.
    tested: usize,
}

/// The cache that a player's games begin with, by the player's number.
pub type Memories<K> = Vec<Option<AnyMemo<K>>>;

/// A position of a game under way.
#[derive(Clone, Copy, Debug)]
pub struct Glimpse<'a, G: Game> {
    /// The game's number.
    pub game: usize,
    /// Who plays.
    pub fixture: Fixture,
    /// Moves since the opening's first position.
    pub ply: usize,
    /// The position and what lies before it.
    pub at: (&'a G::Position, &'a G::History),
    /// The move that led here.
    pub last: Option<G::Move>,
}

/// Is shown games under way.
pub type Watch<'a, G> = dyn Fn(&Glimpse<'_, G>) + Sync + 'a;

/// Is shown games that have ended, each with the tournament as it stood before.
pub type Ended<'a, G> = dyn FnMut(&Tournament<G>, &GameLine) -> Result<(), Fault> + 'a;

/// How a tournament is played: nothing of it changes the results.
pub struct Manner<'a, G: Game> {
    /// Games played side by side.
    pub workers: usize,
    /// Set by the user to stop.
    pub interrupt: &'a AtomicBool,
    /// Is shown a game under way, one of several.
    pub watch: &'a Watch<'a, G>,
    /// Is shown every game that has ended.
    pub ended: &'a mut Ended<'a, G>,
}

impl<G: Game> Tournament<G> {
    /// A tournament of which nothing has been played.
    pub fn new(plan: Plan<G>, shard: Shard) -> Self {
        Self {
            state: State {
                shard,
                spec: plan.spec.clone(),
                lines: BTreeMap::new(),
            },
            plan,
            decided: None,
            tested: 0,
        }
    }

    /// A tournament of which something has been played: its own games, which nobody doubts.
    pub fn resume(plan: Plan<G>, state: State) -> Self {
        let mut tournament = Self {
            plan,
            state,
            decided: None,
            tested: 0,
        };
        tournament.test();
        tournament
    }

    /// The units of the part at hand, each with its games.
    fn units(&self) -> impl Iterator<Item = (usize, &Range<usize>)> {
        let shard = self.state.shard;
        let units = self.plan.schedule.units().iter().enumerate();
        units.filter(move |(unit, _)| shard.holds(*unit))
    }

    /// Games of the part at hand.
    pub fn total(&self) -> usize {
        match self.decided {
            Some(_) => self.state.lines.len(),
            None => self.units().map(|(_, games)| games.len()).sum(),
        }
    }

    /// Whether nothing is left to play.
    pub fn is_complete(&self) -> bool {
        self.state.lines.len() >= self.total()
    }

    /// The sums over the games so far.
    pub fn tally(&self) -> Tally {
        Tally::of(self.plan.players.len(), self.state.lines.values())
    }

    /// How the test stands.
    pub fn sprt(&self) -> Option<SprtState> {
        let test = self.plan.spec.sprt?;
        let pairs = self.tally().pairs.get(&(0, 1)).copied();
        Some(test.state(&pairs.unwrap_or_default()))
    }

    /// Plays what is left, until it is done, a test is decided or the user stops it.
    ///
    /// # Errors
    /// What keeps a player from searching, what `ended` refuses, and a pairing with kept caches whose saved games do not
    /// come out again.
    pub fn play(
        &mut self,
        memories: &Memories<G::Key>,
        manner: Manner<'_, G>,
    ) -> Result<Finish, Fault> {
        if self.decided.is_some() {
            return Ok(Finish::Complete);
        }
        let Manner {
            workers,
            interrupt,
            watch,
            ended,
        } = manner;
        let lines = &self.state.lines;
        let is_open = |games: &Range<usize>| games.clone().any(|game| !lines.contains_key(&game));
        let units: Vec<_> = self
            .units()
            .filter(|(_, games)| is_open(games))
            .map(|(unit, _)| unit)
            .collect();
        // The workers look at the plan and the games that were there before, the caller's thread adds to the others.
        let before = Begun {
            plan: self.plan.clone(),
            lines: self.lines_of(&units),
        };
        let unit = |unit: usize, worker: &Worker<'_, GameLine>| {
            before.play_unit(unit, memories, worker, watch)
        };
        let take = |_: usize, line: GameLine| {
            ended(self, &line)?;
            self.state.lines.insert(line.game, line);
            self.test();
            Ok(match self.decided {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            })
        };
        pool::work(&units, workers, interrupt, unit, take)
    }

    /// The games that units which are not done have already.
    fn lines_of(&self, units: &[usize]) -> BTreeMap<usize, GameLine> {
        let all = self.plan.schedule.units();
        let games = units
            .iter()
            .filter_map(|&unit| all.get(unit))
            .cloned()
            .flatten();
        games
            .filter_map(|game| Some((game, self.state.lines.get(&game)?.clone())))
            .collect()
    }

    /// Asks the test after every round that is complete, in order, so that the answer does not depend on which game ended
    /// first. What was played of later rounds is dropped when the test is decided.
    fn test(&mut self) {
        let Some(test) = self
            .plan
            .spec
            .sprt
            .filter(|_| self.state.shard == Shard::WHOLE)
        else {
            return;
        };
        let games = self.plan.schedule.games();
        let mut rounds: BTreeMap<usize, usize> = BTreeMap::new();
        for line in self.state.lines.values() {
            *rounds.entry(line.round).or_default() += 1;
        }
        let of_round = games.iter().filter(|game| game.round == 0).count();
        while rounds.get(&self.tested) == Some(&of_round) {
            self.tested += 1;
            let seen = self
                .state
                .lines
                .values()
                .filter(|line| line.round < self.tested);
            let tally = Tally::of(2, seen);
            let pairs = tally.pairs.get(&(0, 1)).copied().unwrap_or_default();
            if test.state(&pairs).verdict != Verdict::Open {
                self.decided = Some(self.tested);
                let last = self.tested;
                self.state.lines.retain(|_, line| line.round < last);
                return;
            }
        }
    }
}
