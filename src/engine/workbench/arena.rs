//! Matches and tournaments at the workbench: players by name, games to play, to keep and to walk through.

mod csv;
mod differ;
mod files;
mod games;
mod playing;
mod reports;

use std::path::{Path, PathBuf};

use reports::report_hall;

use super::{Answer, Desk, Pair};
use crate::engine::{
    arena::{CachePolicy, GameLine, GameRecord, Player, Shard, Spec, Tournament, statistics::Sprt},
    game::{Fault, Game},
    report::{
        ArenaFile, DifferReport, GameReport, GamesReport, OpenedGame, PlayersReport,
        TournamentReport,
    },
};

/// Who is to play a tournament, how often and by which rules.
#[derive(Clone, Debug, Default)]
pub struct TournamentWish<'a> {
    /// The players: names of defined ones, `current`, `default`, or lines of text with a colon.
    pub players: Vec<&'a str>,
    /// Games of every ordered pair.
    pub games: usize,
    /// Whether of two players only the one named first has the first move.
    pub first_is_white: bool,
    /// Random moves that begin a game.
    pub openings: usize,
    /// Whether games begin in the position at hand.
    pub here: bool,
    /// Decides among equal moves.
    pub seed: u64,
    /// Draw rules.
    pub draws: Vec<Pair<'a>>,
    /// A test that ends it.
    pub sprt: Option<Sprt>,
}

/// How a tournament is to be run: nothing of it changes the results.
#[derive(Clone, Copy, Debug)]
pub struct RunWish<'a> {
    /// Games played side by side; as many as there are processors where nothing is said.
    pub workers: Option<usize>,
    /// Which part of it.
    pub shard: Shard,
    /// Where its games are kept.
    pub file: Option<&'a Path>,
}

/// What is written of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Results {
    /// Everything, as RON.
    Ron,
    /// Everything, as JSON.
    Json,
    /// The standings, as comma-separated values.
    Csv,
    /// The games, as comma-separated values.
    GamesCsv,
    /// The state, to be resumed.
    State,
}

/// Matches and tournaments.
pub trait Arena {
    /// The players that have names.
    fn players(&self) -> PlayersReport;
    /// Names a player: the settings in force with these changes, or else the defaults with them.
    fn define_player(&mut self, name: &str, pairs: &[Pair<'_>]) -> Answer<PlayersReport>;
    /// Forgets a player.
    fn remove_player(&mut self, name: &str) -> Answer<PlayersReport>;
    /// Plays a tournament or a round of matches. Games that have been played stay when the user stops it.
    fn play_tournament(
        &mut self,
        wish: &TournamentWish<'_>,
        run: &RunWish<'_>,
    ) -> Answer<TournamentReport>;
    /// Plays the tournament of a document.
    fn play_document(&mut self, text: &str, run: &RunWish<'_>) -> Answer<TournamentReport>;
    /// The document of a tournament, to be written to a file.
    fn tournament_document(&self, wish: &TournamentWish<'_>) -> Answer<String>;
    /// Plays the experiment of the seeds' authors: six players, with the permutations of 1, 2, 3 as weights.
    fn play_seeds(
        &mut self,
        budget: u64,
        games: usize,
        seed: u64,
        as_seed: bool,
        run: &RunWish<'_>,
    ) -> Answer<TournamentReport>;
    /// Goes on with the tournament of a state file, or with the one at hand.
    fn resume_tournament(
        &mut self,
        path: Option<&Path>,
        workers: Option<usize>,
    ) -> Answer<TournamentReport>;
    /// Takes over the tournament of a state file without playing on.
    fn load_tournament(&mut self, path: &Path) -> Answer<TournamentReport>;
    /// Puts the parts of a tournament together, in a file and at the workbench.
    fn merge_tournament(&mut self, parts: &[&Path], out: &Path) -> Answer<TournamentReport>;
    /// How the tournament or round at hand stands.
    fn tournament(&self) -> Answer<TournamentReport>;
    /// Writes its results to a file.
    fn save_results(&self, path: &Path, results: Results, times: bool) -> Answer<ArenaFile>;
    /// The games at hand: `limit` of them from `first` on, counted from 1.
    fn games(&self, first: usize, limit: usize) -> Answer<GamesReport>;
    /// One of them with its moves, counted from 1.
    fn one_game(&self, number: usize) -> Answer<GameReport>;
    /// Writes the games at hand as a log, or in the game's own file format.
    fn save_games(&self, path: &Path, own_format: bool) -> Answer<ArenaFile>;
    /// Takes over the games of a log, or of a file in the game's own format.
    fn load_games(&mut self, path: &Path, own_format: bool) -> Answer<ArenaFile>;
    /// Takes a game to the workbench, with so many of its moves played and the others to redo.
    fn open_game(&mut self, number: usize, ply: usize) -> Answer<OpenedGame>;
    /// Asks two players about every position of a game, or plays on from the position at hand as long as they agree, and goes
    /// to where they part.
    fn differ(&mut self, players: [&str; 2], game: Option<usize>) -> Answer<DifferReport>;
}

/// The games at hand.
#[derive(Clone, Debug)]
pub(crate) enum Hall<G: Game> {
    /// Of a tournament or a round of matches.
    Tournament {
        tournament: Box<Tournament<G>>,
        file: Option<PathBuf>,
        /// Milliseconds since it was begun or resumed.
        ms: f64,
        /// Games that had been played before.
        before: usize,
        interrupted: bool,
    },
    /// Of a log.
    Log {
        names: Vec<String>,
        lines: Vec<GameLine>,
    },
}

impl<G: Game> Hall<G> {
    /// The games, by their numbers.
    fn lines(&self) -> Box<dyn Iterator<Item = &GameLine> + '_> {
        match self {
            Self::Tournament { tournament, .. } => Box::new(tournament.state.lines.values()),
            Self::Log { lines, .. } => Box::new(lines.iter()),
        }
    }

    /// The game with the rules that were played by, where they are known.
    fn rules(&self) -> Option<&G> {
        match self {
            Self::Tournament { tournament, .. } => Some(&tournament.plan.game),
            Self::Log { .. } => None,
        }
    }

    /// A player's name.
    fn name(&self, player: usize) -> &str {
        let name = match self {
            Self::Tournament { tournament, .. } => tournament
                .plan
                .players
                .get(player)
                .map(|player| &player.name),
            Self::Log { names, .. } => names.get(player),
        };
        name.map_or("?", String::as_str)
    }
}

impl<G: Game> Desk<G> {
    fn hall(&self) -> Answer<&Hall<G>> {
        self.arena.as_ref().ok_or_else(|| {
            Fault::new("no games are at hand")
                .hint("`match run`, `tournament run` or `match load FILE` brings some")
        })
    }

    /// A game at hand by its number from 1.
    fn line_numbered(&self, number: usize) -> Answer<&GameLine> {
        let hall = self.hall()?;
        hall.lines()
            .find(|line| line.game + 1 == number)
            .ok_or_else(|| {
                Fault::new(format!("no game {number} is at hand"))
                    .hint("`match show` lists the games")
            })
    }

    /// A game at hand, to be taken to the board: it must have been played by the rules there.
    fn record_numbered(&self, number: usize) -> Answer<GameRecord<G>> {
        let line = self.line_numbered(number)?;
        let here = self.game.rules();
        let there = self.hall()?.rules().map_or(here.clone(), Game::rules);
        let other: Vec<_> = there
            .into_iter()
            .filter(|rule| !here.contains(rule))
            .map(|rule| format!("{}={}", rule.name, rule.value))
            .collect();
        if other.is_empty() {
            return line.record(&self.game);
        }
        let other = other.join(" ");
        Err(
            Fault::new(format!("game {number} was played by other rules: {other}"))
                .hint(format!("`rules set {other}` first")),
        )
    }

    /// A player by its name, or spelled out. Faults have no places: the text stands somewhere in a command.
    fn player_called(&self, text: &str) -> Answer<Player> {
        let merged = |faults| Fault::merge(faults).unwrap_or_else(|| Fault::new("no player"));
        self.player_or_faults(text).map_err(merged)
    }

    fn player_or_faults(&self, text: &str) -> Result<Player, Vec<Fault>> {
        if text.contains(':') {
            let unplaced = |fault| Fault { at: None, ..fault };
            return Player::read_whole(&self.game, text)
                .map_err(|faults| faults.into_iter().map(unplaced).collect());
        }
        self.player_named(text).map_err(|fault| vec![fault])
    }

    fn player_named(&self, text: &str) -> Answer<Player> {
        if let Some(player) = self.players.get(text) {
            return Ok(player.clone());
        }
        match text {
            "default" => Ok(Player::named(&self.game, text)),
            "current" => Ok(Player {
                settings: self.settings.clone(),
                weights: self.weights.clone(),
                ..Player::named(&self.game, text)
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
                .map(|player| player.line_for(&self.game))
                .collect(),
            notes,
        }
    }

    fn put_player(&mut self, name: &str, pairs: &[Pair<'_>]) -> Answer<PlayersReport> {
        if matches!(name, "default" | "current") {
            return Err(
                Fault::new(format!("`{name}` has its meaning already")).hint("choose another name")
            );
        }
        let words = pairs.iter().map(|(key, value)| format!(" {key}={value}"));
        let line = format!("{name}:{}", words.collect::<Vec<_>>().concat());
        // Places in the line are none in what the user typed, but tell which pair is at fault.
        let player = Player::read_for(&self.game, &line).map_err(|fault| {
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
}

impl<G: Game> Arena for Desk<G> {
    fn players(&self) -> PlayersReport {
        self.list_players(Vec::new())
    }

    fn define_player(&mut self, name: &str, pairs: &[Pair<'_>]) -> Answer<PlayersReport> {
        self.put_player(name, pairs)
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
        wish: &TournamentWish<'_>,
        run: &RunWish<'_>,
    ) -> Answer<TournamentReport> {
        let spec = self.spec_of(wish)?;
        self.play_spec(&spec, run)
    }

    fn play_document(&mut self, text: &str, run: &RunWish<'_>) -> Answer<TournamentReport> {
        self.play_spec(&Spec::read(text)?, run)
    }

    fn tournament_document(&self, wish: &TournamentWish<'_>) -> Answer<String> {
        let spec = self.spec_of(wish)?;
        spec.plan(&self.game)?;
        spec.write()
    }

    fn play_seeds(
        &mut self,
        budget: u64,
        games: usize,
        seed: u64,
        as_seed: bool,
        run: &RunWish<'_>,
    ) -> Answer<TournamentReport> {
        let spec = self.seeds_spec(budget, games, seed, as_seed)?;
        self.play_spec(&spec, run)
    }

    fn resume_tournament(
        &mut self,
        path: Option<&Path>,
        workers: Option<usize>,
    ) -> Answer<TournamentReport> {
        self.resume(path, workers)
    }

    fn load_tournament(&mut self, path: &Path) -> Answer<TournamentReport> {
        self.load_state(path)
    }

    fn merge_tournament(&mut self, parts: &[&Path], out: &Path) -> Answer<TournamentReport> {
        self.merge_states(parts, out)
    }

    fn tournament(&self) -> Answer<TournamentReport> {
        Ok(report_hall(self.hall()?, Vec::new()))
    }

    fn save_results(&self, path: &Path, results: Results, times: bool) -> Answer<ArenaFile> {
        self.write_results(path, results, times)
    }

    fn games(&self, first: usize, limit: usize) -> Answer<GamesReport> {
        self.list_games(first, limit)
    }

    fn one_game(&self, number: usize) -> Answer<GameReport> {
        self.show_game(number)
    }

    fn save_games(&self, path: &Path, own_format: bool) -> Answer<ArenaFile> {
        self.write_games(path, own_format)
    }

    fn load_games(&mut self, path: &Path, own_format: bool) -> Answer<ArenaFile> {
        self.read_games(path, own_format)
    }

    fn open_game(&mut self, number: usize, ply: usize) -> Answer<OpenedGame> {
        self.take_up_game(number, ply)
    }

    fn differ(&mut self, players: [&str; 2], game: Option<usize>) -> Answer<DifferReport> {
        self.find_difference(players, game)
    }
}
