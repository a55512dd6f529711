//! Playing a tournament on several threads.

use std::{collections::BTreeMap, ops::ControlFlow, sync::atomic::AtomicBool};

use rustc_hash::FxHashSet;

use super::{
    Choice, GameRecord, GameSetup, Standings, TournamentPlan,
    contestant::Contestant,
    play,
    standings::{LiveGame, SprtStanding},
};
use crate::engine::{
    game::{Fault, Game},
    statistics::{Pairs, SprtVerdict},
    table::AnyTable,
    workers::{self, Finish, Worker},
};

/// A tournament: its plan, and the games played so far.
#[derive(Clone, Debug)]
pub struct Tournament<G: Game> {
    /// The tournament's settings and all its games.
    pub plan: TournamentPlan<G>,
    /// The games played, by number.
    pub records: BTreeMap<usize, GameRecord>,
    /// The number of rounds after which the SPRT was decided; `None` if it is open, or there is no test.
    pub decided: Option<usize>,
    /// The scores of the pairs of games that the SPRT has counted.
    tested: Pairs,
    /// The moves of each counted pair, so that pairs with the same moves count only once.
    tested_moves: FxHashSet<[String; 2]>,
}

/// The initial tables of the players, by number; `None` for an empty one.
pub type InitialTables<K> = Vec<Option<AnyTable<K>>>;

/// Called before each move of one of the games, with a function that describes the game.
pub type OnMove<'a> = dyn Fn(&dyn Fn() -> LiveGame) + Sync + 'a;

/// Called when a game has ended, with the tournament as it was before that game.
pub type OnGameEnd<'a, G> = dyn FnMut(&Tournament<G>, &GameRecord) -> Result<(), Fault> + 'a;

impl<G: Game> Tournament<G> {
    /// A tournament in which these games have been played.
    pub fn new(plan: TournamentPlan<G>, records: BTreeMap<usize, GameRecord>) -> Self {
        let (decided, tested, tested_moves) = Default::default();
        let mut tournament = Self { plan, records, decided, tested, tested_moves };
        tournament.update_sprt();
        tournament
    }

    /// The number of games, played or not. A test that is decided ends the tournament.
    pub fn total(&self) -> usize {
        match self.decided {
            Some(_) => self.records.len(),
            None => self.plan.fixtures.len(),
        }
    }

    /// Whether all games are played, or the SPRT is decided.
    pub fn is_complete(&self) -> bool {
        self.records.len() >= self.total()
    }

    /// The standings after the games played so far.
    pub fn standings(&self) -> Standings {
        let (plan, spec) = (&self.plan, &self.plan.spec);
        let sums = Standings::of(spec.players.clone(), self.records.values());
        let notes = plan.timed().chain(sums.repetitions()).collect();
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
            sprt: spec.sprt.map(|test| SprtStanding::of(test, &sums)),
            notes,
            ..sums
        }
    }

    /// Plays the remaining games on a number of threads, until all are played, the test is decided or `interrupt` is set.
    /// The results do not depend on the number of threads.
    /// Errors: those of the searches, and of `on_game_end`.
    pub fn play(
        &mut self,
        tables: &InitialTables<G::Key>,
        workers: usize,
        interrupt: &AtomicBool,
        on_move: &OnMove<'_>,
        on_game_end: &mut OnGameEnd<'_, G>,
    ) -> Result<Finish, Fault> {
        if self.decided.is_some() {
            return Ok(Finish::Complete);
        }
        let games = 0..self.plan.fixtures.len();
        let open: Vec<_> = games.filter(|game| !self.records.contains_key(game)).collect();
        let plan = self.plan.clone();
        let job = |game: &usize, worker: &Worker<'_, GameRecord>| {
            if let Some(record) = plan.play_game(*game, tables, worker, on_move)? {
                (worker.send)(record);
            }
            Ok(())
        };
        let add = |record: GameRecord| {
            on_game_end(self, &record)?;
            self.records.insert(record.game, record);
            self.update_sprt();
            Ok(match self.decided {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            })
        };
        workers::work(&open, workers, interrupt, job, add)
    }

    /// Applies the SPRT to complete rounds in order, so that the verdict does not depend on which game ended first. Once the
    /// SPRT is decided, games of later rounds are dropped.
    fn update_sprt(&mut self) {
        let Some(test) = self.plan.spec.sprt else {
            return;
        };
        while self.decided.is_none() {
            let round = self.tested.total() as usize;
            let games = [2 * round, 2 * round + 1].map(|game| self.records.get(&game));
            let ([Some(first), Some(reversed)], true) = (games, round < self.plan.spec.games)
            else {
                return;
            };
            let is_new_pair =
                self.tested_moves.insert([first.moves.clone(), reversed.moves.clone()]);
            self.tested.add(first.half_points() + 2 - reversed.half_points(), is_new_pair);
            if test.state(&self.tested).verdict != SprtVerdict::Open {
                self.decided = Some(round + 1);
                self.records.retain(|_, record| record.fixture.round <= round);
            }
        }
    }
}

impl<G: Game> TournamentPlan<G> {
    /// A note for each player whose moves are limited by time, which makes results differ from run to run.
    pub(super) fn timed(&self) -> impl Iterator<Item = String> {
        let timed = self.players.iter().filter(|player| player.settings.time_ms.is_some());
        timed.map(|player| {
            format!("{} is limited by time: another run may have other results", player.name)
        })
    }

    fn play_game(
        &self,
        number: usize,
        tables: &InitialTables<G::Key>,
        worker: &Worker<'_, GameRecord>,
        on_move: &OnMove<'_>,
    ) -> Result<Option<GameRecord>, Fault> {
        let Self { game, openings, players, rules, fixtures, .. } = self;
        let fixture = fixtures[number];
        let opening = &openings[fixture.round];
        let setup = GameSetup { game, rules: *rules, opening, seed: self.seed_of(&fixture) };
        let contestant = |player: usize| {
            let table = tables.get(player).and_then(Option::as_ref);
            Contestant::new(&players[player], game, table)
        };
        let mut contestants = [contestant(fixture.white)?, contestant(fixture.black)?];
        let mut moves = opening.moves.clone();
        let played = play(&setup, |side, (position, history), random| {
            // The screen shows only the game that the first worker plays.
            if worker.number == 0 {
                on_move(&|| LiveGame {
                    game: number + 1,
                    white: players[fixture.white].name.clone(),
                    black: players[fixture.black].name.clone(),
                    ply: moves.len(),
                    side,
                    state: game.format_position(position),
                    board: game.board(position, history, moves.last().copied()),
                });
            }
            let line = (&opening.start, moves.as_slice());
            let contestant = &mut contestants[side.index()];
            let root = (position, history);
            let chosen = contestant.choose(game, root, line, random, worker.interrupt)?;
            if let Choice::Move(mv, _) = chosen {
                moves.push(mv);
            }
            Ok(chosen)
        })?;
        Ok(played.map(|played| GameRecord::new(game, (number, fixture), opening, played)))
    }
}
