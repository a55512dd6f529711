//! The games at hand, of a tournament or of a file, and files of games in the game's own format.

use std::{collections::BTreeMap, path::Path};

use super::{
    Ending, GameRecord, MatchOutcome, Opening, Standings, Tournament, TournamentPlan, result_token,
    roundlog::GameLog,
};
use crate::engine::game::{Fault, Game, LineOfPlay, Side};

/// The games at hand.
#[derive(Clone, Debug)]
pub struct GamesAtHand<G: Game> {
    /// What they add up to.
    pub standings: Standings,
    /// The games, by their numbers.
    pub records: BTreeMap<usize, GameRecord>,
    /// The tournament or round that they are of; nothing where they were read from a file of games.
    pub plan: Option<TournamentPlan<G>>,
    /// What a person should know of how they came here.
    pub notes: Vec<String>,
}

impl<G: Game> GamesAtHand<G> {
    /// The games of a tournament, kept in this file.
    pub fn of(tournament: Tournament<G>, file: Option<&Path>, notes: Vec<String>) -> Self {
        let file = file.map(|file| file.display().to_string());
        Self {
            standings: Standings { file, ..tournament.standings() },
            records: tournament.records,
            plan: Some(tournament.plan),
            notes,
        }
    }

    /// The games of a log.
    pub fn of_log(GameLog { names, records }: GameLog) -> Self {
        let standings = Standings {
            game: G::NAME.to_owned(),
            status: "loaded",
            total: records.len(),
            ..Standings::of(names, &records)
        };
        let records = records.into_iter().map(|record| (record.game, record)).collect();
        Self { standings, records, plan: None, notes: Vec::new() }
    }

    /// The tournament that they are of, to go on with.
    ///
    /// # Errors
    /// Games that are of none.
    pub fn tournament(&self) -> Result<Tournament<G>, Fault> {
        let plan = self.plan.clone().ok_or_else(|| {
            Fault::new("the games at hand were read from a file of games, not of a tournament")
                .hint("`tournament resume FILE` goes on with the tournament of a state file")
        })?;
        Ok(Tournament::new(plan, self.records.clone()))
    }

    /// How the games stand, and how they came here.
    pub fn shown(&self) -> Standings {
        let notes = self.notes.iter().chain(&self.standings.notes).cloned().collect();
        Standings { notes, ..self.standings.clone() }
    }

    /// One of them by its number, from 1.
    ///
    /// # Errors
    /// A number that none has.
    pub fn numbered(&self, number: usize) -> Result<&GameRecord, Fault> {
        number.checked_sub(1).and_then(|number| self.records.get(&number)).ok_or_else(|| {
            Fault::new(format!("no game {number} is at hand")).hint("`match show` lists the games")
        })
    }

    /// The games in the game's own file format, one after the other.
    /// `usual` has the rules where those that were played by are not known.
    ///
    /// # Errors
    /// A game without such a format, and records that do not go with it.
    pub fn export(&self, usual: &G) -> Result<String, Fault> {
        let game = self.plan.as_ref().map_or(usual, |plan| &plan.game);
        let mut games = Vec::new();
        for record in self.records.values() {
            let Opening { start, moves } = record.read(game)?;
            let tags = [
                ("Event", "Plyscope".to_owned()),
                ("Round", (record.round + 1).to_string()),
                ("White", self.standings.name(record.white).to_owned()),
                ("Black", self.standings.name(record.black).to_owned()),
                ("Result", result_token(record.winner, &record.ending.to_string()).to_owned()),
                ("Termination", record.ending.to_string()),
            ];
            let text = game.export(&LineOfPlay { start: &start, moves: &moves, tags: &tags });
            games.push(text.ok_or_else(|| {
                Fault::new(format!("{} has no file format for games", G::NAME))
                    .hint("name a file that ends in .jsonl")
            })?);
        }
        Ok(games.join("\n"))
    }
}

impl GameLog {
    /// Reads games in the game's own format.
    ///
    /// # Errors
    /// What cannot be read, with its place in the text.
    pub fn import<G: Game>(game: &G, text: &str) -> Result<Self, Fault> {
        let mut log = Self::default();
        for imported in game.import(text, usize::MAX)? {
            let tag = |name: &str| {
                let found = imported.tags.iter().find(|(known, _)| known == name);
                found.map_or("", |(_, value)| value)
            };
            let outcome = outcome(tag("Result"), tag("Termination"));
            let names = [tag("White"), tag("Black")];
            let played = Opening { start: imported.start.clone(), moves: imported.moves.clone() };
            log.add(game, names, &played, outcome);
        }
        Ok(log)
    }
}

/// How a game ended, by the result and the termination that its file names.
fn outcome(result: &str, termination: &str) -> MatchOutcome {
    MatchOutcome {
        winner: match result {
            "1-0" => Some(Side::White),
            "0-1" => Some(Side::Black),
            _ => None,
        },
        ending: match (result, termination) {
            ("" | "*", _) => Ending::Unfinished,
            (_, "") => Ending::Rules("as the file says".to_owned()),
            (_, words) => Ending::from(words.to_owned()),
        },
    }
}
