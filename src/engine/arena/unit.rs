//! A unit of work: the games that one worker plays, one after the other.

use std::{collections::BTreeMap, sync::atomic::AtomicBool};

use super::{
    Bout, CachePolicy, Choice, Contender, Fixture, GameLine, Glimpse, Memories, Plan, Players,
    Watch, play, pool::Worker,
};
use crate::engine::game::{Fault, Game, Side};

/// What workers look at.
pub(super) struct Begun<G: Game> {
    /// What is to be played.
    pub(super) plan: Plan<G>,
    /// The games that units which are not done have already.
    pub(super) lines: BTreeMap<usize, GameLine>,
}

impl<G: Game> Begun<G> {
    /// Plays the games of a unit. Where a player keeps its cache, those that were played before are played again, for the
    /// cache's sake, and must come out the same.
    pub(super) fn play_unit(
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
