//! The games at hand, of a tournament or of a file, and files of games in the game's own format.

use std::path::PathBuf;

use super::{
    Ending, GameRecord, MatchOutcome, Opening, Standings, Tournament, result_token,
    roundlog::GameLog,
};
use crate::engine::game::{Fault, Game, LineOfPlay, Side};

/// The games at hand.
#[derive(Clone, Debug)]
pub enum GamesAtHand<G: Game> {
    /// Of a tournament or a round of matches.
    Tournament {
        /// It, with its games.
        tournament: Box<Tournament<G>>,
        /// Where the games are kept.
        file: Option<PathBuf>,
        /// Milliseconds since it was begun or resumed.
        ms: f64,
        /// Games that had been played before.
        before: usize,
        /// Whether the user stopped it.
        interrupted: bool,
    },
    /// Of a log.
    Log(GameLog),
}

impl<G: Game> GamesAtHand<G> {
    /// The games, by their numbers.
    pub fn records(&self) -> Box<dyn Iterator<Item = &GameRecord> + '_> {
        match self {
            Self::Tournament { tournament, .. } => Box::new(tournament.records.values()),
            Self::Log(log) => Box::new(log.records.iter()),
        }
    }

    /// The game with the rules that were played by, where they are known.
    pub fn rules(&self) -> Option<&G> {
        match self {
            Self::Tournament { tournament, .. } => Some(&tournament.plan.game),
            Self::Log(_) => None,
        }
    }

    /// A player's name.
    pub fn name(&self, player: usize) -> &str {
        let name = match self {
            Self::Tournament { tournament, .. } => {
                tournament.plan.players.get(player).map(|player| &player.name)
            }
            Self::Log(log) => log.names.get(player),
        };
        name.map_or("?", String::as_str)
    }

    /// How the games stand.
    pub fn standings(&self, mut notes: Vec<String>) -> Standings {
        let (tournament, file, ms, before, interrupted) = match self {
            Self::Log(log) => {
                return Standings {
                    game: G::NAME.to_owned(),
                    status: "loaded",
                    total: log.records.len(),
                    notes,
                    ..Standings::of(log.names.clone(), &log.records)
                };
            }
            Self::Tournament { tournament, file, ms, before, interrupted } => {
                (tournament, file, ms, before, interrupted)
            }
        };
        let sums = tournament.standings();
        if *interrupted {
            notes.push("stopped; `tournament resume` goes on".to_owned());
        }
        notes.extend(sums.notes);
        let timed = *ms > 0.0;
        Standings {
            file: file.as_ref().map(|file| file.display().to_string()),
            ms: timed.then_some(*ms),
            played_in_ms: timed.then(|| sums.played.saturating_sub(*before)),
            notes,
            ..sums
        }
    }

    /// One of them by its number, from 1.
    ///
    /// # Errors
    /// A number that none has.
    pub fn numbered(&self, number: usize) -> Result<&GameRecord, Fault> {
        self.records().find(|record| record.game + 1 == number).ok_or_else(|| {
            Fault::new(format!("no game {number} is at hand")).hint("`match show` lists the games")
        })
    }

    /// The games in the game's own file format, one after the other.
    /// `usual` has the rules where those that were played by are not known.
    ///
    /// # Errors
    /// A game without such a format, and records that do not go with it.
    pub fn export(&self, usual: &G) -> Result<String, Fault> {
        let game = self.rules().unwrap_or(usual);
        let mut games = Vec::new();
        for record in self.records() {
            let Opening { start, moves } = record.read(game)?;
            let tags = [
                ("Event", "Plyscope".to_owned()),
                ("Round", (record.round + 1).to_string()),
                ("White", self.name(record.white).to_owned()),
                ("Black", self.name(record.black).to_owned()),
                ("Result", result_token(record.winner, record.ending.words()).to_owned()),
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
