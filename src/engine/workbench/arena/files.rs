//! Files of games and of results.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{Hall, Results, csv, reports::report_hall};
use crate::engine::{
    arena::{DrawRules, GameLine, Journal, State, Tournament, roundlog},
    files,
    game::{Fault, Game, Record, Side},
    report::{ArenaFile, TournamentReport},
    workbench::{Answer, Desk, position::left_out},
};

impl<G: Game> Desk<G> {
    pub(super) fn load_state(&mut self, path: &Path) -> Answer<TournamentReport> {
        let (tournament, notes) = Tournament::read(&self.game, path)?;
        self.seat_tournament(tournament, path, notes)
    }

    pub(super) fn merge_states(&mut self, parts: &[&Path], out: &Path) -> Answer<TournamentReport> {
        let mut read = Vec::new();
        let mut notes = Vec::new();
        for path in parts {
            let (part, told) = Tournament::read(&self.game, path)?;
            notes.extend(
                told.iter()
                    .map(|note| format!("{}: {note}", path.display())),
            );
            read.push((PathBuf::from(path), part.state));
        }
        let state = State::merge(&read)?;
        let tournament = Tournament::resume(state.spec.plan(&self.game)?, state);
        if out.exists() {
            return Err(Fault::new(format!("`{}` is there already", out.display()))
                .hint("give the merged tournament a name of its own"));
        }
        // As the file of a tournament that was played in one go.
        drop(Journal::begin(out, &tournament.state)?);
        self.seat_tournament(tournament, out, notes)
    }

    fn seat_tournament(
        &mut self,
        tournament: Tournament<G>,
        path: &Path,
        mut notes: Vec<String>,
    ) -> Answer<TournamentReport> {
        let missing = tournament.total() - tournament.state.lines.len();
        if missing > 0 {
            notes.push(format!(
                "{missing} games are missing; `tournament resume {}` plays them",
                path.display()
            ));
        }
        self.arena = Some(Hall::Tournament {
            tournament: Box::new(tournament),
            file: Some(path.to_owned()),
            ms: 0.0,
            before: 0,
            interrupted: false,
        });
        Ok(report_hall(self.hall()?, notes))
    }

    pub(super) fn write_results(
        &self,
        path: &Path,
        results: Results,
        times: bool,
    ) -> Answer<ArenaFile> {
        let hall = self.hall()?;
        let (format, text) = match results {
            Results::State => match hall {
                Hall::Tournament { tournament, .. } => ("state", tournament.state.text()?),
                Hall::Log { .. } => {
                    return Err(Fault::new("a log has no state to be resumed")
                        .hint("`match save FILE` writes its games"));
                }
            },
            Results::Ron => ("ron", ron_text(&Self::lasting(hall, times))?),
            Results::Json => ("json", json_text(&Self::lasting(hall, times))?),
            Results::Csv => ("csv", csv::standings(&Self::lasting(hall, times))),
            Results::GamesCsv => ("csv", csv::games(hall)),
        };
        files::write_text(path, &text)?;
        Ok(ArenaFile {
            file: path.display().to_string(),
            action: "saved",
            format,
            games: hall.lines().count(),
            notes: Vec::new(),
        })
    }

    /// The report without what changes from run to run.
    fn lasting(hall: &Hall<G>, times: bool) -> TournamentReport {
        let mut report = report_hall(hall, Vec::new());
        report.file = None;
        if !times {
            report.forget_times();
        }
        report.notes.retain(|note| !note.starts_with("stopped; "));
        report
    }

    pub(super) fn write_games(&self, path: &Path, own_format: bool) -> Answer<ArenaFile> {
        let hall = self.hall()?;
        let rules = match hall {
            Hall::Tournament { tournament, .. } => tournament.plan.rules,
            Hall::Log { .. } => DrawRules::usual::<G>(),
        };
        let (format, text) = if own_format {
            ("pgn", self.export_games(hall)?)
        } else {
            let games = hall
                .lines()
                .map(|line| (line, [hall.name(line.white), hall.name(line.black)]));
            let game = hall.rules().unwrap_or(&self.game);
            ("log", roundlog::write(game, &rules, games)?)
        };
        if own_format {
            self.write_game_file(path, &text)?;
        } else {
            files::write_text(path, &text)?;
        }
        Ok(ArenaFile {
            file: path.display().to_string(),
            action: "saved",
            format,
            games: hall.lines().count(),
            notes: Vec::new(),
        })
    }

    /// The games in the game's own file format, one after the other.
    fn export_games(&self, hall: &Hall<G>) -> Answer<String> {
        let game = hall.rules().unwrap_or(&self.game);
        let mut games = Vec::new();
        for line in hall.lines() {
            let record = line.record(game)?;
            let result = match (line.winner, line.ending.words()) {
                (_, "unfinished") => "*",
                (Some(Side::White), _) => "1-0",
                (Some(Side::Black), _) => "0-1",
                (None, _) => "1/2-1/2",
            };
            let tags = [
                ("Event", "Plyscope".to_owned()),
                ("Round", (line.round + 1).to_string()),
                ("White", hall.name(line.white).to_owned()),
                ("Black", hall.name(line.black).to_owned()),
                ("Result", result.to_owned()),
                ("Termination", line.ending.to_string()),
            ];
            let text = game.export(&Record {
                start: &record.opening.start,
                moves: &record.moves,
                tags: &tags,
            });
            games.push(text.ok_or_else(|| {
                Fault::new(format!("{} has no file format for games", G::NAME))
                    .hint("name a file that ends in .txt: a log of states")
            })?);
        }
        Ok(games.join("\n"))
    }

    pub(super) fn read_games(&mut self, path: &Path, own_format: bool) -> Answer<ArenaFile> {
        let text = files::read_text(path)?;
        let in_file = |fault: Fault| files::in_file(path, &text, fault);
        let logged = if own_format {
            self.import_games(&text).map_err(in_file)?
        } else {
            roundlog::read(&self.game, &text).map_err(in_file)?
        };
        let mut names: Vec<String> = Vec::new();
        let mut lines = Vec::new();
        for game in logged {
            let [white, black] = game.names.map(|name| {
                let name = if name.is_empty() {
                    "?".to_owned()
                } else {
                    name
                };
                let known = names.iter().position(|known| *known == name);
                known.unwrap_or_else(|| {
                    names.push(name);
                    names.len() - 1
                })
            });
            lines.push(GameLine {
                white,
                black,
                ..game.line
            });
        }
        let games = lines.len();
        let hall = Hall::Log { names, lines };
        let notes = if own_format {
            left_out(&self.game.lost(&text, &self.export_games(&hall)?))
        } else {
            None
        };
        self.arena = Some(hall);
        Ok(ArenaFile {
            file: path.display().to_string(),
            action: "loaded",
            format: if own_format { "pgn" } else { "log" },
            games,
            notes: notes.into_iter().collect(),
        })
    }

    /// Reads games in the game's own format.
    fn import_games(&self, text: &str) -> Answer<Vec<roundlog::Logged>> {
        let games = self.game.import(text, usize::MAX)?;
        let logged = games.into_iter().enumerate().map(|(number, game)| {
            let tag = |name: &str| {
                let found = game.tags.iter().find(|(known, _)| known == name);
                found.map_or("", |(_, value)| value)
            };
            roundlog::Logged::of(
                &self.game,
                number,
                ["White", "Black"].map(|name| tag(name).to_owned()),
                (game.start.clone(), game.moves.clone()),
                tag("Result"),
                tag("Termination"),
            )
        });
        Ok(logged.collect())
    }
}

fn ron_text<T: Serialize>(value: &T) -> Answer<String> {
    let pretty = ron::ser::PrettyConfig::new().struct_names(false);
    ron::ser::to_string_pretty(value, pretty)
        .map(|text| text + "\n")
        .map_err(|error| Fault::new(format!("the results cannot be written as RON: {error}")))
}

fn json_text<T: Serialize>(value: &T) -> Answer<String> {
    serde_json::to_string_pretty(value)
        .map(|text| text + "\n")
        .map_err(|error| Fault::new(format!("the results cannot be written as JSON: {error}")))
}
