//! Matches and tournaments at the workbench: players by name, games to play, to keep and to walk through.

mod playing;

use std::path::Path;

use super::{Answer, Desk, Pair, Positions, position::left_out};
use crate::engine::{
    arena::{
        CachePolicy, GameRecord, GamesAtHand, Opening, Player, Standings, Tournament,
        TournamentSpec,
        roundlog::{self, GameLog},
    },
    files,
    game::{Fault, Game},
    reply::{ArenaFile, GameReport, GamesReport, OpenedGame, PlayersReport, Reply as _},
};

/// How a tournament is to be run: nothing of it changes the results.
#[derive(Clone, Copy, Debug)]
pub struct RunWish<'a> {
    /// Games played side by side; as many as there are processors where nothing is said.
    pub workers: Option<usize>,
    /// Where its games are kept.
    pub file: Option<&'a Path>,
}

/// Matches and tournaments.
pub trait Arena {
    /// The players that have names.
    fn players(&self) -> PlayersReport;
    /// Names a player: the default settings and weights with these changes.
    fn define_player(&mut self, name: &str, pairs: &[Pair<'_>]) -> Answer<PlayersReport>;
    /// Forgets a player.
    fn remove_player(&mut self, name: &str) -> Answer<PlayersReport>;
    /// Plays a tournament or a round of matches by the rules in force, from the current position with `here`. Its players
    /// are names of defined ones, `current`, `default`, or lines of text with a colon. Games that have been played stay when
    /// the user stops it.
    fn play_tournament(
        &mut self,
        wish: TournamentSpec,
        here: bool,
        run: &RunWish<'_>,
    ) -> Answer<Standings>;
    /// Plays the tournament of a document.
    fn play_document(&mut self, text: &str, run: &RunWish<'_>) -> Answer<Standings>;
    /// The document of a tournament, to be written to a file.
    fn tournament_document(&self, wish: TournamentSpec) -> Answer<String>;
    /// Goes on with the tournament of a state file, or with the current one.
    fn resume_tournament(
        &mut self,
        path: Option<&Path>,
        workers: Option<usize>,
    ) -> Answer<Standings>;
    /// Takes over the tournament of a state file without playing on.
    fn load_tournament(&mut self, path: &Path) -> Answer<Standings>;
    /// How the current tournament or round stands.
    fn tournament(&self) -> Answer<Standings>;
    /// Writes that to a file, as JSON.
    fn save_results(&self, path: &Path, times: bool) -> Answer<ArenaFile>;
    /// The current games: `limit` of them from `first` on, counted from 1.
    fn games(&self, first: usize, limit: usize) -> Answer<GamesReport>;
    /// One of them with its moves, counted from 1.
    fn one_game(&self, number: usize) -> Answer<GameReport>;
    /// Writes the current games in the game's own file format, or as the state file of their tournament.
    fn save_games(&self, path: &Path, own_format: bool) -> Answer<ArenaFile>;
    /// Takes over the games of a log, or of a file in the game's own format.
    fn load_games(&mut self, path: &Path, own_format: bool) -> Answer<ArenaFile>;
    /// Sets up a game with `ply` of its moves played and the others to redo.
    fn open_game(&mut self, number: usize, ply: usize) -> Answer<OpenedGame>;
}

impl<G: Game> Desk<G> {
    fn games_at_hand(&self) -> Answer<&GamesAtHand<G>> {
        self.arena.as_ref().ok_or_else(|| {
            Fault::new("no games are at hand")
                .hint("`match run`, `tournament run` or `match load FILE` brings some")
        })
    }

    /// A player by its name, or spelled out. Faults have no places: the text stands somewhere in a command.
    fn player_or_faults(&self, text: &str) -> Result<Player, Vec<Fault>> {
        if text.contains(':') {
            let unplaced = |fault| Fault { at: None, ..fault };
            return Player::read_whole(&self.run.searcher.game, text)
                .map_err(|faults| faults.into_iter().map(unplaced).collect());
        }
        self.player_named(text).map_err(|fault| vec![fault])
    }

    fn player_named(&self, text: &str) -> Answer<Player> {
        if let Some(player) = self.players.get(text) {
            return Ok(player.clone());
        }
        match text {
            "default" => Ok(Player::named(&self.run.searcher.game, text)),
            "current" => Ok(Player {
                settings: self.run.searcher.settings.clone(),
                weights: self.run.searcher.weights.clone(),
                ..Player::named(&self.run.searcher.game, text)
            }),
            _ => {
                let names = self.players.keys().map(String::as_str);
                let names: Vec<_> = names.chain(["default", "current"]).collect();
                Err(Fault::new(format!("no player is called `{text}`")).hint(format!(
                    "there is {}; `player define` makes one, and so does \"{text}: budget=5000\"",
                    names.join(", ")
                )))
            }
        }
    }

    fn list_players(&self, notes: Vec<String>) -> PlayersReport {
        PlayersReport {
            players: self
                .players
                .values()
                .map(|player| player.line(&self.run.searcher.game))
                .collect(),
            notes,
        }
    }

    /// One of the games at hand, with its moves if they are wanted.
    fn report(held: &GamesAtHand<G>, record: &GameRecord, moves: bool) -> GameReport {
        GameReport {
            game: record.game + 1,
            white: held.name(record.white).to_owned(),
            black: held.name(record.black).to_owned(),
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

    /// One of the current games, to be taken to the board: it must have been played by the rules there.
    fn readable(&self, number: usize) -> Answer<Opening<G>> {
        let record = self.games_at_hand()?.numbered(number)?;
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
    fn arena_file(&self, path: &Path, action: &'static str, format: &'static str) -> ArenaFile {
        ArenaFile {
            file: path.display().to_string(),
            action,
            format,
            games: self.arena.as_ref().map_or(0, |held| held.records().count()),
            notes: Vec::new(),
        }
    }
}

impl<G: Game> Arena for Desk<G> {
    fn players(&self) -> PlayersReport {
        self.list_players(Vec::new())
    }

    fn define_player(&mut self, name: &str, pairs: &[Pair<'_>]) -> Answer<PlayersReport> {
        if matches!(name, "default" | "current") {
            return Err(
                Fault::new(format!("`{name}` has its meaning already")).hint("choose another name")
            );
        }
        let words = pairs.iter().map(|(key, value)| format!(" {key}={value}"));
        let line = format!("{name}:{}", words.collect::<Vec<_>>().concat());
        // Places in the line are none in what the user typed, but tell which pair is at fault.
        let player = Player::read(&self.run.searcher.game, &line).map_err(|fault| {
            let word = |at: usize| Some(&line[line.get(..at)?.rfind(' ')? + 1..]);
            let pair = fault.at.as_ref().and_then(|at| word(at.start));
            let about = pair.and_then(|pair| Some(pair.split_once('=')?.0.to_owned()));
            let at = None;
            Fault { at, about, ..fault }
        })?;
        let notes = match &player.cache {
            CachePolicy::Loaded(file) if !file.exists() => {
                vec![format!("there is no file {} yet", file.display())]
            }
            _ => Vec::new(),
        };
        self.players.insert(name.to_owned(), player);
        Ok(self.list_players(notes))
    }

    fn remove_player(&mut self, name: &str) -> Answer<PlayersReport> {
        match self.players.remove(name) {
            Some(_) => Ok(self.list_players(Vec::new())),
            None => Err(Fault::new(format!("no player is called `{name}`"))
                .hint("`player list` lists them")),
        }
    }

    fn play_tournament(
        &mut self,
        wish: TournamentSpec,
        here: bool,
        run: &RunWish<'_>,
    ) -> Answer<Standings> {
        let mut spec = self.spelled_out(wish)?;
        spec.start = here.then(|| self.run.searcher.game.format_position(&self.now.position));
        self.play_spec(&spec, run)
    }

    fn play_document(&mut self, text: &str, run: &RunWish<'_>) -> Answer<Standings> {
        self.play_spec(&TournamentSpec::read(text)?, run)
    }

    fn tournament_document(&self, wish: TournamentSpec) -> Answer<String> {
        let spec = self.spelled_out(wish)?;
        spec.plan(&self.run.searcher.game)?;
        spec.write()
    }

    fn resume_tournament(
        &mut self,
        path: Option<&Path>,
        workers: Option<usize>,
    ) -> Answer<Standings> {
        let (tournament, file, notes) = match (path, self.arena.as_ref()) {
            (Some(path), _) => {
                let (tournament, notes) = Tournament::read(&self.run.searcher.game, path)?;
                (tournament, Some(path.to_owned()), notes)
            }
            (None, Some(GamesAtHand::Tournament { tournament, file, .. })) => {
                (Tournament::clone(tournament), file.clone(), Vec::new())
            }
            (None, Some(GamesAtHand::Log(_))) => {
                return Err(Fault::new("the games at hand are of a log, not of a tournament")
                    .hint("`tournament resume FILE` goes on with the tournament of a state file"));
            }
            (None, None) => return self.tournament(),
        };
        let mut standings = self.play(tournament, file.as_deref(), workers)?;
        standings.notes.extend(notes);
        Ok(standings)
    }

    fn load_tournament(&mut self, path: &Path) -> Answer<Standings> {
        let (tournament, mut notes) = Tournament::read(&self.run.searcher.game, path)?;
        let missing = tournament.total() - tournament.records.len();
        if missing > 0 {
            notes.push(format!(
                "{missing} games are missing; `tournament resume {}` plays them",
                path.display()
            ));
        }
        self.arena = Some(GamesAtHand::Tournament {
            tournament: Box::new(tournament),
            file: Some(path.to_owned()),
            ms: 0.0,
            before: 0,
            interrupted: false,
        });
        Ok(self.games_at_hand()?.standings(notes))
    }

    fn tournament(&self) -> Answer<Standings> {
        Ok(self.games_at_hand()?.standings(Vec::new()))
    }

    fn save_results(&self, path: &Path, times: bool) -> Answer<ArenaFile> {
        let mut standings = self.tournament()?;
        standings.file = None;
        if !times {
            standings.forget_times();
        }
        standings.notes.retain(|note| !note.starts_with("stopped; "));
        let text = serde_json::to_string_pretty(&standings).map_err(|error| {
            Fault::new(format!("the results cannot be written as JSON: {error}"))
        })?;
        files::write_text(path, &(text + "\n"))?;
        Ok(self.arena_file(path, "saved", "json"))
    }

    fn games(&self, first: usize, limit: usize) -> Answer<GamesReport> {
        let held = self.games_at_hand()?;
        let mut listed = held.records().filter(|record| record.game + 1 >= first);
        let games =
            listed.by_ref().take(limit).map(|record| Self::report(held, record, false)).collect();
        Ok(GamesReport { games, more: listed.count() })
    }

    fn one_game(&self, number: usize) -> Answer<GameReport> {
        let held = self.games_at_hand()?;
        Ok(Self::report(held, held.numbered(number)?, true))
    }

    fn save_games(&self, path: &Path, own_format: bool) -> Answer<ArenaFile> {
        match self.games_at_hand()? {
            held if own_format => {
                self.write_game_file(path, &held.export(&self.run.searcher.game)?)?;
                Ok(self.arena_file(path, "saved", "pgn"))
            }
            GamesAtHand::Tournament { tournament, .. } => {
                files::write_text(path, &tournament.text()?)?;
                Ok(self.arena_file(path, "saved", "state"))
            }
            GamesAtHand::Log(_) => Err(Fault::new(
                "the games at hand were read from a file of games, which has them already",
            )
            .hint("name a file that ends in .pgn (chess) to write them in that format")),
        }
    }

    fn load_games(&mut self, path: &Path, own_format: bool) -> Answer<ArenaFile> {
        let text = files::read_text(path)?;
        let in_file = |fault: Fault| files::in_file(path, &text, fault);
        let log = if own_format {
            GameLog::import(&self.run.searcher.game, &text).map_err(in_file)?
        } else {
            roundlog::read(&self.run.searcher.game, &text).map_err(in_file)?
        };
        let held = GamesAtHand::Log(log);
        let notes = if own_format {
            left_out(&self.run.searcher.game.lost(&text, &held.export(&self.run.searcher.game)?))
        } else {
            None
        };
        self.arena = Some(held);
        let format = if own_format { "pgn" } else { "log" };
        Ok(ArenaFile {
            notes: notes.into_iter().collect(),
            ..self.arena_file(path, "loaded", format)
        })
    }

    fn open_game(&mut self, number: usize, ply: usize) -> Answer<OpenedGame> {
        let game = self.one_game(number)?;
        let Opening { start, moves } = self.readable(number)?;
        if ply > moves.len() {
            return Err(Fault::new(format!(
                "game {number} has {} moves, so none is number {ply}",
                moves.len()
            ))
            .hint(format!("give 0 to {}", moves.len())));
        }
        self.run.searcher.game.admits(&start)?;
        self.set_up_game(start, &moves, ply);
        Ok(OpenedGame { game, ply, position: self.position() })
    }
}
