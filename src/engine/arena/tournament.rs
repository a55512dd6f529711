//! Playing a tournament: its games side by side, results kept as they come.

use std::{collections::BTreeMap, ops::ControlFlow, sync::atomic::AtomicBool};

use super::{
    Bout, CachePolicy, Cost, Fixture, GameRecord, Played, Players, Standings, TournamentPlan, play,
    standings::{self, SprtStanding},
    statistics::{Pairs, SprtVerdict},
};
use crate::engine::{
    game::{Fault, Game, Side},
    memo::AnyMemo,
    searcher::{Root, Searcher},
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
    /// Rounds whose pairs the test has seen.
    tested: usize,
}

/// The table that a player's games begin with, by the player's number.
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
    pub at: Root<'a, G>,
    /// The move that led here.
    pub last: Option<G::Move>,
}

/// Is shown positions of games under way.
pub type LookOn<'a, G> = dyn Fn(&Glimpse<'_, G>) + Sync + 'a;

/// Is shown games that have ended, each with the tournament as it stood before.
pub type Ended<'a, G> = dyn FnMut(&Tournament<G>, &GameRecord) -> Result<(), Fault> + 'a;

/// How a tournament is played: nothing of it changes the results.
pub struct Manner<'a, G: Game> {
    /// Games played side by side.
    pub workers: usize,
    /// Set by the user to stop.
    pub interrupt: &'a AtomicBool,
    /// Is shown the positions of one of the games under way.
    pub watch: &'a LookOn<'a, G>,
    /// Is shown every game that has ended.
    pub ended: &'a mut Ended<'a, G>,
}

impl<G: Game> Tournament<G> {
    /// A tournament with the games that were played of it.
    pub fn new(plan: TournamentPlan<G>, records: BTreeMap<usize, GameRecord>) -> Self {
        let mut tournament = Self { plan, records, decided: None, tested: 0 };
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
        let timed = plan.players.iter().filter(|player| player.is_timed());
        let mut notes: Vec<_> = timed
            .map(|player| {
                format!("{} is limited by time: other runs may have other results", player.name)
            })
            .collect();
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
            draws: plan.rules.list(),
            sprt: spec.sprt.map(|test| SprtStanding {
                test,
                state: test.state(&self.pairs_before(usize::MAX)),
            }),
            notes,
            ..sums
        }
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
        let unit = self.plan.unit;
        let is_open =
            |first: &usize| (*first..first + unit).any(|game| !self.records.contains_key(&game));
        let firsts = (0..self.plan.fixtures.len()).step_by(unit);
        let firsts: Vec<_> = firsts.filter(is_open).collect();
        // The workers look at the games that were there before, this thread adds to the others.
        let seating = Seating {
            plan: self.plan.clone(),
            before: if unit > 1 { self.records.clone() } else { BTreeMap::new() },
            memories,
            watch: manner.watch,
        };
        let ended = manner.ended;
        let job =
            |first: &usize, worker: &Worker<'_, GameRecord>| seating.play_unit(*first, worker);
        let take = |record: GameRecord| {
            ended(self, &record)?;
            self.records.insert(record.game, record);
            self.test();
            Ok(match self.decided {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            })
        };
        workers::work(&firsts, manner.workers, manner.interrupt, job, take)
    }

    /// Asks the test after every round that is complete, in order, so that the answer does not depend on which game ended
    /// first. What was played of later rounds is dropped when the test is decided.
    fn test(&mut self) {
        let Some(test) = self.plan.spec.sprt else {
            return;
        };
        while self.has_round(self.tested) {
            self.tested += 1;
            let pairs = self.pairs_before(self.tested);
            if test.state(&pairs).verdict != SprtVerdict::Open {
                let last = self.tested;
                self.decided = Some(last);
                self.records.retain(|_, record| record.round < last);
                return;
            }
        }
    }

    /// Whether all games of a round have been played.
    fn has_round(&self, round: usize) -> bool {
        let mut games =
            self.plan.fixtures.iter().enumerate().filter(|(_, game)| game.round == round);
        round < self.plan.spec.games && games.all(|(game, _)| self.records.contains_key(&game))
    }

    /// What the first two players scored in the rounds before this one.
    fn pairs_before(&self, round: usize) -> Pairs {
        let records = self.records.values().filter(|record| record.round < round);
        let pairs = standings::pairs(records).remove(&(0, 1));
        pairs.unwrap_or_default()
    }
}

/// What the workers share.
struct Seating<'a, G: Game> {
    plan: TournamentPlan<G>,
    /// Games that were played before, where games of a pairing depend on each other.
    before: BTreeMap<usize, GameRecord>,
    memories: &'a Memories<G::Key>,
    watch: &'a LookOn<'a, G>,
}

impl<G: Game> Seating<'_, G> {
    /// Plays the games that one worker plays one after the other. Where a player keeps its cache, those that were played
    /// before are played again, for the cache's sake, and must come out the same.
    fn play_unit(&self, first: usize, worker: &Worker<'_, GameRecord>) -> Result<(), Fault> {
        let fixtures = self.plan.fixtures.iter().copied().enumerate();
        let mut seats: Option<[Searcher<G>; 2]> = None;
        for (number, fixture) in fixtures.skip(first).take(self.plan.unit) {
            let pair = [fixture.white, fixture.black];
            let mut taken = match seats.take() {
                None => [self.seat(pair[0])?, self.seat(pair[1])?],
                Some(mut seats) => {
                    for (seat, player) in seats.iter_mut().zip(pair) {
                        if self.plan.players[player].cache != CachePolicy::Kept {
                            seat.reset(self.memory(player));
                        }
                    }
                    seats
                }
            };
            let Some(record) = self.play_game(number, fixture, &mut taken, worker)? else {
                return Ok(());
            };
            match self.before.get(&number) {
                None => (worker.hand_in)(record),
                Some(known) if known.timeless() == record.timeless() => {}
                Some(_) => {
                    return Err(Fault::new(format!(
                        "game {} came out otherwise than it was saved",
                        number + 1
                    ))
                    .hint("the file is of another version, or a player is limited by time: start afresh"));
                }
            }
            seats = Some(taken);
        }
        Ok(())
    }

    fn memory(&self, player: usize) -> Option<&AnyMemo<G::Key>> {
        self.memories.get(player)?.as_ref()
    }

    fn seat(&self, player: usize) -> Result<Searcher<G>, Fault> {
        let mut seat = self.plan.players[player].searcher(&self.plan.game)?;
        seat.reset(self.memory(player));
        Ok(seat)
    }

    fn play_game(
        &self,
        number: usize,
        fixture: Fixture,
        seats: &mut [Searcher<G>; 2],
        worker: &Worker<'_, GameRecord>,
    ) -> Result<Option<GameRecord>, Fault> {
        let game = &self.plan.game;
        let opening = &self.plan.openings[fixture.round];
        let bout =
            Bout { game, rules: self.plan.rules, opening, seed: self.plan.seed_of(&fixture) };
        let mut watched = Watched {
            seats,
            // One of the games under way is enough to look at.
            watch: (worker.number == 0).then_some(self.watch),
            game: number,
            fixture,
            ply: opening.moves.len(),
            last: opening.moves.last().copied(),
        };
        let played = play(&bout, &mut watched, worker.interrupt)?;
        Ok(played.map(|Played { moves, outcome, cost }| {
            GameRecord::new(game, (number, fixture), opening, &moves, outcome, cost)
        }))
    }
}

/// The two players of a game, somebody perhaps looking on.
struct Watched<'a, G: Game> {
    seats: &'a mut [Searcher<G>; 2],
    watch: Option<&'a LookOn<'a, G>>,
    game: usize,
    fixture: Fixture,
    ply: usize,
    last: Option<G::Move>,
}

impl<G: Game> Players<G> for Watched<'_, G> {
    fn choose(
        &mut self,
        side: Side,
        at: Root<'_, G>,
        number: u64,
        interrupt: &AtomicBool,
    ) -> Result<Option<(G::Move, Cost)>, Fault> {
        if let Some(watch) = self.watch {
            watch(&Glimpse {
                game: self.game,
                fixture: self.fixture,
                ply: self.ply,
                at,
                last: self.last,
            });
        }
        let chosen = self.seats.choose(side, at, number, interrupt)?;
        self.last = chosen.map(|(mv, _)| mv);
        self.ply += 1;
        Ok(chosen)
    }
}
