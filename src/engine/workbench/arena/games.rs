//! The current games: as reports, and in files.

use std::path::Path;

use super::GamesAtHand;
use crate::engine::{
    arena::{Ending, GameRecord, MatchOutcome, Opening, roundlog::GameLog},
    game::{Fault, Game, LineOfPlay, Side},
    reply::{ArenaFile, GameReport},
    workbench::{Answer, Desk},
};

impl<G: Game> GamesAtHand<G> {
    /// One of the current games.
    pub(super) fn report_game(&self, record: &GameRecord, moves: bool) -> GameReport {
        GameReport {
            game: record.game + 1,
            white: self.name(record.white).to_owned(),
            black: self.name(record.black).to_owned(),
            round: record.round + 1,
            plies: record.plies(),
            opening: record.opening,
            winner: record.winner,
            ending: record.ending.to_string(),
            nodes: record.cost.map(|cost| cost.nodes),
            moves: if moves {
                record.moves.split_whitespace().map(str::to_owned).collect()
            } else {
                Vec::new()
            },
        }
    }
}

impl<G: Game> Desk<G> {
    /// One of the current games by its number from 1.
    pub(super) fn record_numbered(&self, number: usize) -> Answer<&GameRecord> {
        let held = self.games_at_hand()?;
        held.records().find(|record| record.game + 1 == number).ok_or_else(|| {
            Fault::new(format!("no game {number} is at hand")).hint("`match show` lists the games")
        })
    }

    /// One of the current games, to be taken to the board: it must have been played by the rules there.
    pub(super) fn readable(&self, number: usize) -> Answer<Opening<G>> {
        let record = self.record_numbered(number)?;
        let here = self.run.searcher.game.rules();
        let there = self.games_at_hand()?.rules().map_or(here.clone(), Game::rules);
        let other: Vec<_> = there
            .into_iter()
            .filter(|rule| !here.contains(rule))
            .map(|rule| format!("{}={}", rule.name, rule.value))
            .collect();
        if other.is_empty() {
            return record.read(&self.run.searcher.game);
        }
        let other = other.join(" ");
        Err(Fault::new(format!("game {number} was played by other rules: {other}"))
            .hint(format!("`rules set {other}` first")))
    }

    /// What was done with a file of the current games.
    pub(super) fn arena_file(
        &self,
        path: &Path,
        action: &'static str,
        format: &'static str,
    ) -> ArenaFile {
        ArenaFile {
            file: path.display().to_string(),
            action,
            format,
            games: self.arena.as_ref().map_or(0, |held| held.records().count()),
            notes: Vec::new(),
        }
    }

    /// The games in the game's own file format, one after the other.
    pub(super) fn export_games(&self, held: &GamesAtHand<G>) -> Answer<String> {
        let game = held.rules().unwrap_or(&self.run.searcher.game);
        let mut games = Vec::new();
        for record in held.records() {
            let Opening { start, moves } = record.read(game)?;
            let result = match (record.winner, record.ending.words()) {
                (_, "unfinished") => "*",
                (Some(Side::White), _) => "1-0",
                (Some(Side::Black), _) => "0-1",
                (None, _) => "1/2-1/2",
            };
            let tags = [
                ("Event", "Plyscope".to_owned()),
                ("Round", (record.round + 1).to_string()),
                ("White", held.name(record.white).to_owned()),
                ("Black", held.name(record.black).to_owned()),
                ("Result", result.to_owned()),
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

    /// Reads games in the game's own format.
    pub(super) fn import_games(&self, text: &str) -> Answer<GameLog> {
        let game = &self.run.searcher.game;
        let mut log = GameLog::default();
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
