//! Playing a tournament: its games side by side, results kept as they come.

use std::{collections::BTreeMap, ops::ControlFlow, sync::atomic::AtomicBool};

use rustc_hash::FxHashSet;

use super::{
    Bout, GameRecord, Standings, TournamentPlan, opponents, play,
    standings::{LiveGame, SprtStanding},
};
use crate::engine::{
    game::{Fault, Game},
    statistics::{Pairs, SprtVerdict},
    table::AnyTable,
    workers::{self, Finish, Worker},
};

/// A tournament with what has been played of it.
#[derive(Clone, Debug)]
pub struct Tournament<G: Game> {
    /// What is to be played.
    pub plan: TournamentPlan<G>,
    /// The games that were played, by number.
    pub records: BTreeMap<usize, GameRecord>,
    /// Rounds after which a test ended it.
    pub decided: Option<usize>,
    /// What the rounds that the test has seen say.
    tested: Pairs,
    /// Their games' moves.
    known: FxHashSet<[String; 2]>,
}

/// The table that a player's games begin with, by the player's number.
pub type Memories<K> = Vec<Option<AnyTable<K>>>;

/// Is offered positions of games under way; what it calls describes one.
pub type LookOn<'a> = dyn Fn(&dyn Fn() -> LiveGame) + Sync + 'a;

/// Is shown games that have ended, each with the tournament as it stood before.
pub type Ended<'a, G> = dyn FnMut(&Tournament<G>, &GameRecord) -> Result<(), Fault> + 'a;

impl<G: Game> Tournament<G> {
    /// A tournament with the games that were played of it.
    pub fn new(plan: TournamentPlan<G>, records: BTreeMap<usize, GameRecord>) -> Self {
        let (tested, known) = Default::default();
        let mut tournament = Self { plan, records, decided: None, tested, known };
        tournament.test();
        tournament
    }

    /// Games in all.
    pub fn total(&self) -> usize {
        match self.decided {
            Some(_) => self.records.len(),
            None => self.plan.fixtures.len(),
        }
    }

    /// Whether nothing is left to play.
    pub fn is_complete(&self) -> bool {
        self.records.len() >= self.total()
    }

    /// How it stands.
    pub fn standings(&self) -> Standings {
        let (plan, spec) = (&self.plan, &self.plan.spec);
        let sums = Standings::of(spec.players.clone(), self.records.values());
        let timed = plan.players.iter().filter(|player| player.settings.time_ms.is_some());
        let timed = timed.map(|player| {
            format!("{} is limited by time: other runs may have other results", player.name)
        });
        let mut notes: Vec<_> = timed.collect();
        if sums.duplicates > 0 {
            notes.push(format!(
                "{} of {} games repeat another one move by move; intervals count pairs that are different",
                sums.duplicates, sums.played
            ));
        }
        Standings {
            game: G::NAME.to_owned(),
            total: self.total(),
            status: match (self.decided, self.is_complete()) {
                (Some(_), _) => "decided",
                (None, true) => "complete",
                (None, false) => "open",
            },
            games: spec.games,
            openings: spec.openings,
            seed: spec.seed,
            draws: plan.rules.list::<G>(),
            sprt: spec.sprt.map(|test| {
                let pairs = sums.pairs.first().map(|pair| pair.pairs).unwrap_or_default();
                SprtStanding { test, state: test.state(&pairs) }
            }),
            notes,
            ..sums
        }
    }

    /// Plays what is left, until it is done, a test is decided or the flag stops it. Games are played on so many workers
    /// side by side; neither they nor who looks on change the results.
    pub fn play(
        &mut self,
        memories: &Memories<G::Key>,
        (workers, interrupt): (usize, &AtomicBool),
        watch: &LookOn<'_>,
        ended: &mut Ended<'_, G>,
    ) -> Result<Finish, Fault> {
        if self.decided.is_some() {
            return Ok(Finish::Complete);
        }
        let games = 0..self.plan.fixtures.len();
        let open: Vec<_> = games.filter(|game| !self.records.contains_key(game)).collect();
        let seating = Seating { plan: self.plan.clone(), memories, watch };
        let job = |game: &usize, worker: &Worker<'_, GameRecord>| {
            if let Some(record) = seating.play_game(*game, worker)? {
                (worker.send)(record);
            }
            Ok(())
        };
        let take = |record: GameRecord| {
            ended(self, &record)?;
            self.records.insert(record.game, record);
            self.test();
            Ok(match self.decided {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            })
        };
        workers::work(&open, workers, interrupt, job, take)
    }

    /// Asks the test after every complete round, in order, so that the answer does not depend on which game ended first.
    /// What was played of later rounds is dropped once it is decided.
    fn test(&mut self) {
        let Some(test) = self.plan.spec.sprt else {
            return;
        };
        while self.decided.is_none() {
            let round = self.tested.total() as usize;
            let games = [2 * round, 2 * round + 1].map(|game| self.records.get(&game));
            let ([Some(one), Some(back)], true) = (games, round < self.plan.spec.games) else {
                return;
            };
            let new = self.known.insert([one.moves.clone(), back.moves.clone()]);
            self.tested.add(one.half_points() + 2 - back.half_points(), new);
            if test.state(&self.tested).verdict != SprtVerdict::Open {
                self.decided = Some(round + 1);
                self.records.retain(|_, record| record.fixture.round <= round);
            }
        }
    }
}

struct Seating<'a, G: Game> {
    plan: TournamentPlan<G>,
    memories: &'a Memories<G::Key>,
    watch: &'a LookOn<'a>,
}

impl<G: Game> Seating<'_, G> {
    fn play_game(
        &self,
        number: usize,
        worker: &Worker<'_, GameRecord>,
    ) -> Result<Option<GameRecord>, Fault> {
        let TournamentPlan { game, openings, players, rules, fixtures, .. } = &self.plan;
        let fixture = fixtures[number];
        let opening = &openings[fixture.round];
        let bout = Bout { game, rules: *rules, opening, seed: self.plan.seed_of(&fixture) };
        let seat = |player: usize| {
            let mut searcher = players[player].searcher(game)?;
            searcher.reset(self.memories.get(player).and_then(Option::as_ref));
            Ok::<_, Fault>(searcher)
        };
        let mut seats = [seat(fixture.white)?, seat(fixture.black)?];
        let mut choose = opponents(&mut seats, worker.interrupt);
        let (mut ply, mut last) = (opening.moves.len(), opening.moves.last().copied());
        let played = play(&bout, |side, (position, history), random| {
            // One of the games under way is enough to look at.
            if worker.number == 0 {
                (self.watch)(&|| LiveGame {
                    game: number + 1,
                    white: players[fixture.white].name.clone(),
                    black: players[fixture.black].name.clone(),
                    ply,
                    side,
                    state: game.format_position(position),
                    board: game.board(position, history, last),
                });
            }
            let chosen = choose(side, (position, history), random)?;
            last = chosen.map(|(mv, _)| mv);
            ply += 1;
            Ok(chosen)
        })?;
        Ok(played.map(|played| GameRecord::new(game, (number, fixture), opening, played)))
    }
}
