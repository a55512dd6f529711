//! Playing a tournament: units of work side by side, results kept as they come.

use std::{
    collections::BTreeMap,
    ops::{ControlFlow, Range},
    sync::atomic::AtomicBool,
};

use super::{
    Bout, CachePolicy, Choice, Contender, Finish, Fixture, GameLine, Plan, Players, Shard,
    journal::State,
    play,
    pool::{self, Worker},
    statistics::{SprtState, Verdict},
    tally::Tally,
};
use crate::engine::{
    game::{Fault, Game, Side},
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

    /// A tournament of which something has been played.
    ///
    /// # Errors
    /// Games that are not the tournament's.
    pub fn resume(plan: Plan<G>, state: State) -> Result<Self, Fault> {
        for line in state.lines.values() {
            let known = plan.schedule.games().get(line.game);
            if known != Some(&line.fixture()) {
                return Err(Fault::new(format!(
                    "game {} is not one of this tournament",
                    line.game + 1
                ))
                .hint("the file was changed by hand, or is of another version"));
            }
        }
        let mut tournament = Self {
            plan,
            state,
            decided: None,
            tested: 0,
        };
        tournament.test();
        Ok(tournament)
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

/// What workers look at.
struct Begun<G: Game> {
    plan: Plan<G>,
    lines: BTreeMap<usize, GameLine>,
}

impl<G: Game> Begun<G> {
    /// Plays the games of a unit. Where a player keeps its cache, those that were played before are played again, for the
    /// cache's sake, and must come out the same.
    fn play_unit(
        &self,
        unit: usize,
        memories: &Memories<G::Key>,
        worker: &Worker<'_, GameLine>,
        watch: &Watch<'_, G>,
    ) -> Result<(), Fault> {
        let games = self
            .plan
            .schedule
            .units()
            .get(unit)
            .cloned()
            .unwrap_or_default();
        let mut seats: Option<[Contender<G>; 2]> = None;
        for number in games {
            let Some(&fixture) = self.plan.schedule.games().get(number) else {
                continue;
            };
            let pair = [fixture.white, fixture.black];
            let seats = match &mut seats {
                Some(seats) => {
                    for (seat, player) in seats.iter_mut().zip(pair) {
                        if self.plan.players[player].cache != CachePolicy::Kept {
                            seat.reset(memories.get(player).and_then(Option::as_ref));
                        }
                    }
                    seats
                }
                empty => empty.insert(self.seat(pair, memories)?),
            };
            let Some(line) = self.play_game(number, fixture, seats, worker, watch)? else {
                return Ok(());
            };
            match self.lines.get(&number) {
                None => worker.hand_in(line),
                Some(known) if known.timeless() == line.timeless() => {}
                Some(_) => {
                    return Err(Fault::new(format!(
                        "game {} came out otherwise than it was saved",
                        number + 1
                    ))
                    .hint("the file is of another version, or a player is limited by time: start afresh"));
                }
            }
        }
        Ok(())
    }

    fn seat(
        &self,
        pair: [usize; 2],
        memories: &Memories<G::Key>,
    ) -> Result<[Contender<G>; 2], Fault> {
        let seat = |player: usize| {
            let mut seat = Contender::new(&self.plan.game, &self.plan.players[player])?;
            if let Some(memory) = memories.get(player).and_then(Option::as_ref) {
                seat.reset(Some(memory));
            }
            Ok(seat)
        };
        Ok([seat(pair[0])?, seat(pair[1])?])
    }

    fn play_game(
        &self,
        number: usize,
        fixture: Fixture,
        seats: &mut [Contender<G>; 2],
        worker: &Worker<'_, GameLine>,
        watch: &Watch<'_, G>,
    ) -> Result<Option<GameLine>, Fault> {
        let Plan {
            game,
            rules,
            openings,
            ..
        } = &self.plan;
        let Some(opening) = openings.get(fixture.round) else {
            return Ok(None);
        };
        let bout = Bout {
            game,
            rules: *rules,
            opening,
            seed: self.plan.seed_of(&fixture),
        };
        let mut table = Table {
            seats,
            // One of the games under way is enough to look at.
            watch: (worker.number == 0).then_some(watch),
            game: number,
            fixture,
            ply: opening.moves.len(),
            last: opening.moves.last().copied(),
        };
        let record = play::play(&bout, &mut table, worker.interrupt)?;
        Ok(record
            .filter(|_| !worker.stopped())
            .map(|record| GameLine::of(game, number, fixture, &record)))
    }
}

/// The two players of a game, somebody perhaps looking on.
struct Table<'a, G: Game> {
    seats: &'a mut [Contender<G>; 2],
    watch: Option<&'a Watch<'a, G>>,
    game: usize,
    fixture: Fixture,
    ply: usize,
    last: Option<G::Move>,
}

impl<G: Game> Players<G> for Table<'_, G> {
    fn choose(
        &mut self,
        side: Side,
        at: (&G::Position, &G::History),
        number: u64,
        interrupt: &AtomicBool,
    ) -> Result<Option<Choice<G>>, Fault> {
        if let Some(watch) = self.watch {
            watch(&Glimpse {
                game: self.game,
                fixture: self.fixture,
                ply: self.ply,
                at,
                last: self.last,
            });
        }
        let choice = self.seats[side.index()].choose(at, number, interrupt)?;
        self.last = choice.as_ref().map(|choice| choice.mv);
        self.ply += 1;
        Ok(choice)
    }
}
