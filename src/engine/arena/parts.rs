//! Adds up the parts of a tournament that were played separately, such as on several machines.

use std::collections::BTreeMap;

use super::{
    CurrentGames, Fixture, GameRecord, Standings, Tournament, TournamentSpec, number_of,
    standings::{PartStanding, SprtStanding, player_name as name},
};
use crate::engine::game::{Fault, Game};

/// A part of a tournament: its file and its games.
#[derive(Clone, Debug)]
pub struct TournamentPart<G: Game> {
    /// The name of the part's tournament file.
    pub file: String,
    /// The part's plan and the games it has played.
    pub tournament: Tournament<G>,
}

/// A round of any part: the part's random seed, and the round's number in the part. Games of one round have the same opening.
type SeededRound = (u64, usize);

/// A game of any part: its round, then the numbers of its players.
type PartGame = (usize, usize, usize);

/// The games of all parts, with common numbers for players and rounds.
#[derive(Default)]
struct Sum<'a> {
    /// The texts that define the players.
    players: Vec<String>,
    rounds: BTreeMap<SeededRound, usize>,
    games: BTreeMap<PartGame, (&'a str, GameRecord)>,
    /// The number of repeated records: games that another part has too.
    repeated: usize,
}

impl<G: Game> TournamentPart<G> {
    /// The conditions in which the part differs from the first part, in words.
    fn misfits(&self, first: &Self) -> Vec<String> {
        let (own, other) = (&self.tournament.plan.spec, &first.tournament.plan.spec);
        let conditions = |spec: &TournamentSpec| {
            [
                ("rules", format!("{:?}", spec.rules)),
                ("draw rules", format!("{:?}", spec.draws)),
                ("the length of the openings", spec.openings.to_string()),
                ("the first position", format!("{:?}", spec.start)),
                ("the test", format!("{:?}", spec.sprt)),
            ]
        };
        let pairs = conditions(own).into_iter().zip(conditions(other));
        let mut differing: Vec<_> = pairs
            .filter(|(own, other)| own != other)
            .map(|((what, _), _)| what.to_owned())
            .collect();
        for line in &own.players {
            let namesake = |known: &&String| name(known) == name(line) && *known != line;
            if let Some(known) = other.players.iter().find(namesake) {
                differing.push(format!("the player {} (`{line}`, not `{known}`)", name(line)));
            }
        }
        differing
    }
}

impl<'a> Sum<'a> {
    /// Adds a part. Errors: a game that another part has too, with other moves.
    fn add<G: Game>(&mut self, part: &'a TournamentPart<G>) -> Result<(), Fault> {
        let spec = &part.tournament.plan.spec;
        let numbers: Vec<_> =
            spec.players.iter().map(|line| number_of(&mut self.players, line)).collect();
        for record in part.tournament.records.values() {
            let Fixture { white, black, round } = record.fixture;
            let count = self.rounds.len();
            let round = *self.rounds.entry((spec.seed, round)).or_insert(count);
            let game = (round, numbers[white], numbers[black]);
            let fixture = Fixture { white: numbers[white], black: numbers[black], round };
            match self.games.get(&game) {
                None => {
                    let record = GameRecord { fixture, ..record.clone() };
                    self.games.insert(game, (&part.file, record));
                }
                Some((_, known))
                    if (&known.moves, &known.outcome) == (&record.moves, &record.outcome) =>
                {
                    self.repeated += 1;
                }
                Some((file, _)) => {
                    let [white, black] = [white, black].map(|number| name(&spec.players[number]));
                    let what = format!(
                        "does not fit {file}: both have the game {white} - {black} of the random seed {}, with other moves",
                        spec.seed
                    );
                    return Err(Fault::new(what).hint("give each part a --random-seed of its own"));
                }
            }
        }
        Ok(())
    }
}

impl<G: Game> CurrentGames<G> {
    /// Adds up the games of parts, as if one tournament had played them all; `None` without parts. A game that several parts
    /// have counts once.
    /// Errors: a part that does not fit the first one, by its number from 0; a game that two parts have with different moves.
    pub fn of_parts(
        parts: &[TournamentPart<G>],
        mut notes: Vec<String>,
    ) -> Result<Option<Self>, Fault> {
        let Some(first) = parts.first() else {
            return Ok(None);
        };
        let mut sum = Sum::default();
        for (place, part) in parts.iter().enumerate() {
            let misfits = part.misfits(first);
            let added = if misfits.is_empty() {
                sum.add(part)
            } else {
                let what = format!("does not fit {}: {}", first.file, misfits.join(", "));
                Err(Fault::new(what).hint("all parts need the same players, rules and openings"))
            };
            added.map_err(|fault| fault.within(&part.file).about_nth(place))?;
        }
        if sum.repeated > 0 {
            notes.push(format!("{} games are in several parts: each counts once", sum.repeated));
        }
        let records = sum.games.into_values().zip(0..);
        let records: BTreeMap<_, _> =
            records.map(|((_, record), game)| (game, GameRecord { game, ..record })).collect();
        let standings = standings(parts, sum.players, &records, sum.repeated);
        Ok(Some(Self { standings, records, plan: Some(first.tournament.plan.clone()), notes }))
    }
}

fn standings<G: Game>(
    parts: &[TournamentPart<G>],
    players: Vec<String>,
    records: &BTreeMap<usize, GameRecord>,
    repeated: usize,
) -> Standings {
    let sums = Standings::of(players, records.values());
    let mut notes = Vec::new();
    for part in parts {
        let plan = &part.tournament.plan;
        notes.extend(plan.timed().filter(|note| !notes.contains(note)).collect::<Vec<_>>());
    }
    notes.extend(sums.repetitions());
    let mut games: BTreeMap<u64, usize> = BTreeMap::new();
    for part in parts {
        let spec = &part.tournament.plan.spec;
        let most = games.entry(spec.seed).or_default();
        *most = spec.games.max(*most);
    }
    let plan = &parts[0].tournament.plan;
    let is_complete = parts.iter().all(|part| part.tournament.is_complete());
    let total = parts.iter().map(|part| part.tournament.total()).sum::<usize>() - repeated;
    let part = |part: &TournamentPart<G>| PartStanding {
        file: part.file.clone(),
        seed: part.tournament.plan.spec.seed,
        played: part.tournament.records.len(),
        total: part.tournament.total(),
    };
    Standings {
        game: G::NAME.to_owned(),
        total,
        status: if is_complete { "complete" } else { "open" },
        games: games.values().sum(),
        openings: plan.spec.openings,
        seed: plan.spec.seed,
        draws: plan.rules.list::<G>(),
        sprt: plan.spec.sprt.map(|test| SprtStanding::of(test, &sums)),
        parts: parts.iter().map(part).collect(),
        notes,
        ..sums
    }
}
