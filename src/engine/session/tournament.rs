//! Commands for matches and tournaments: named players, playing, standings, saving and loading games.

use std::{
    collections::BTreeMap,
    iter,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use serde::Serialize;
use serde_json::json;

use super::{
    Pair, Session,
    plot::Plot,
    position::{PositionCommands, PositionReport},
    reply::{PlainReply, Reply},
};

use crate::{
    engine::{
        arena::{
            CurrentGames, GameLog, GameRecord, InitialTables, MatchOutcome, Opening, Player,
            Standings, Tournament, TournamentJournal, TournamentPart, TournamentSpec, read_log,
            standings::{
                EndingCount, LiveGame, PairStanding, PlayerStanding, SprtStanding, player_json,
            },
        },
        cachefile::LoadOptions,
        files,
        game::{Fault, Game, Result, TaggedGame, pgn},
        progress::Unit,
        settings::Settings,
        statistics::{FEW, SprtVerdict, Strength},
        table::AnyTable,
        workers::{Finish, processors},
    },
    text::{
        TextTable, count, counted, flow, headline, layout, lines, number, or_empty, timing, wrap,
    },
};

// Computing the standings of thousands of games takes time, so they are updated at this interval.
const STANDINGS_INTERVAL: Duration = Duration::from_millis(250);

/// The time that the player `play` has for a move, in milliseconds.
const PLAY_MS: u64 = 100;

// The board of a game is shown at most 25 times a second.
const BOARD_INTERVAL: Duration = Duration::from_millis(40);

/// Commands for named players, matches and tournaments.
pub trait TournamentCommands {
    /// The named players, each written as for `player define`.
    fn players(&self) -> Vec<String>;
    /// Defines a named player: the default settings and weights with the changes in `pairs`.
    fn define_player(&mut self, name: &str, pairs: &[Pair<'_>]) -> Result<PlainReply>;
    /// Removes a named player. Fails if there is none of that name.
    fn remove_player(&mut self, name: &str) -> Result<PlainReply>;
    /// Completes a tournament: adds the rules in force, with `here` the current position, and the settings of the players. A
    /// player is given by name, as `current`, `default` or `play`, or written out with a colon.
    fn tournament_spec(&self, spec: TournamentSpec, here: bool) -> Result<TournamentSpec>;
    /// Plays a tournament on `workers` threads (default: one per processor). The games are saved to `file`, if given, which
    /// must not exist. An interrupt keeps the finished games.
    fn play_tournament(
        &mut self,
        spec: &TournamentSpec,
        file: Option<&Path>,
        workers: Option<usize>,
    ) -> Result<Standings>;
    /// Continues the tournament of a state file (default: the current tournament).
    fn resume_tournament(
        &mut self,
        path: Option<&Path>,
        workers: Option<usize>,
    ) -> Result<Standings>;
    /// The standings of the current games. A state file makes its tournament the current one, without playing; several are
    /// combined as parts of one tournament. A fault in a file carries the file's index, from 0.
    fn show_tournament(&mut self, paths: &[&Path]) -> Result<Standings>;
    /// Saves the current standings to a file as JSON; with `times` also the times, which vary between runs.
    fn save_results(&self, path: &Path, times: bool) -> Result<PlainReply>;
    /// Lists up to `limit` of the current games, beginning with number `first`, which counts from 1.
    fn games(&self, first: usize, limit: usize) -> Result<GamesReport>;
    /// One of the current games with its moves, by its number from 1.
    fn one_game(&self, number: usize) -> Result<GameReport>;
    /// Saves the current games as PGN (`own_format`) or as the state file of their tournament.
    fn save_games(&self, path: &Path, own_format: bool) -> Result<PlainReply>;
    /// Loads games from a PGN file (`own_format`) or from a log of the seed programs.
    fn load_games(&mut self, path: &Path, own_format: bool) -> Result<PlainReply>;
    /// Makes one of the current games the session's game, with its first `ply` moves played; `redo` plays the rest.
    fn open_game(&mut self, number: usize, ply: usize) -> Result<PlainReply>;
}

impl<G: Game> TournamentCommands for Session<G> {
    fn players(&self) -> Vec<String> {
        self.players.values().map(|player| player.line(self.game())).collect()
    }

    fn define_player(&mut self, name: &str, pairs: &[Pair<'_>]) -> Result<PlainReply> {
        if matches!(name, "default" | "current" | "play") {
            let fault = Fault::word(name, "is a reserved name");
            return Err(fault.hint("choose another name"));
        }
        let player = Player::define(self.game(), name, pairs)?;
        let missing = player.cache_file.iter().filter(|file| !file.exists());
        let notes = missing.map(|file| format!("there is no file {} yet", file.display()));
        let notes: Vec<_> = notes.collect();
        self.players.insert(name.to_owned(), player);
        Ok(players(&self.players(), &notes))
    }

    fn remove_player(&mut self, name: &str) -> Result<PlainReply> {
        match self.players.remove(name) {
            Some(_) => Ok(players(&self.players(), &[])),
            None => Err(Fault::new(format!("no player is called `{name}`"))
                .about_word(name)
                .hint("`player list` shows the players")),
        }
    }

    fn tournament_spec(&self, spec: TournamentSpec, here: bool) -> Result<TournamentSpec> {
        let (mut faults, mut lines) = (Vec::new(), Vec::new());
        for text in &spec.players {
            match self.player(text) {
                Ok(player) => lines.push(player.line(self.game())),
                Err(more) => faults.extend(more),
            }
        }
        if let Some(fault) = Fault::merge(faults) {
            return Err(fault);
        }
        let start = here.then(|| self.game().format_position(&self.now.position));
        let spec = TournamentSpec { start, ..spec.with_players(self.game(), lines) };
        spec.plan(self.game())?;
        Ok(spec)
    }

    fn play_tournament(
        &mut self,
        spec: &TournamentSpec,
        file: Option<&Path>,
        workers: Option<usize>,
    ) -> Result<Standings> {
        let plan = spec.plan(self.game())?;
        if let Some(path) = file.filter(|path| path.exists()) {
            return Err(Fault::word(path.display(), "already exists").hint(format!(
                "`tournament resume {}` continues that tournament; --state FILE names another file for the new one",
                path.display()
            )));
        }
        self.play(Tournament::new(plan, BTreeMap::new()), file, workers, Vec::new())
    }

    fn resume_tournament(
        &mut self,
        path: Option<&Path>,
        workers: Option<usize>,
    ) -> Result<Standings> {
        if let Some(file) = path {
            let (tournament, notes) = Tournament::read(self.game(), file)?;
            return self.play(tournament, path, workers, notes);
        }
        let held = self.current_games()?;
        let (tournament, file) = (held.tournament()?, held.standings.file.clone());
        self.play(tournament, file.as_deref().map(Path::new), workers, Vec::new())
    }

    fn show_tournament(&mut self, paths: &[&Path]) -> Result<Standings> {
        let (mut parts, mut notes) = (Vec::new(), Vec::new());
        for (place, path) in paths.iter().enumerate() {
            let read = Tournament::read(self.game(), path);
            let (tournament, more) = read.map_err(|fault| fault.about_nth(place))?;
            notes.extend(more);
            let missing = tournament.total() - tournament.records.len();
            let file = path.display().to_string();
            if missing > 0 {
                notes.push(format!(
                    "{missing} games are missing; `tournament resume {file}` plays them"
                ));
            }
            parts.push(TournamentPart { file, tournament });
        }
        self.arena = match (paths, parts.as_slice()) {
            ([_], [only]) => Some(CurrentGames::of(only.tournament.clone(), Some(paths[0]), notes)),
            _ => CurrentGames::of_parts(&parts, notes)?.or_else(|| self.arena.take()),
        };
        Ok(self.current_games()?.standings_with_notes())
    }

    fn save_results(&self, path: &Path, times: bool) -> Result<PlainReply> {
        let held = self.current_games()?;
        let mut standings = Standings { file: None, ..held.standings.clone() };
        if !times {
            standings.forget_times();
        }
        let text = serde_json::to_string_pretty(&standings).map_err(|error| {
            Fault::new(format!("the results cannot be written as JSON: {error}"))
        })?;
        files::write_text(path, &(text + "\n"))?;
        Ok(saved_or_loaded(held, path, "json", "saved", &[]))
    }

    fn games(&self, first: usize, limit: usize) -> Result<GamesReport> {
        let held = self.current_games()?;
        let mut listed = held.records.range(first.saturating_sub(1)..);
        let games = listed.by_ref().take(limit);
        let games = games.map(|(_, record)| report(&held.standings, record)).collect();
        Ok(GamesReport { games, more: listed.count() })
    }

    fn one_game(&self, number: usize) -> Result<GameReport> {
        let held = self.current_games()?;
        let record = held.numbered(number)?;
        let moves = record.moves.split_whitespace().map(str::to_owned).collect();
        Ok(GameReport { moves, ..report(&held.standings, record) })
    }

    fn save_games(&self, path: &Path, own_format: bool) -> Result<PlainReply> {
        let held = self.current_games()?;
        if own_format {
            self.write_game_file(path, held.export(self.game())?.as_bytes())?;
            return Ok(saved_or_loaded(held, path, "pgn", "saved", &[]));
        }
        let tournament = held.tournament().map_err(|fault| {
            fault.hint("name a file that ends in .pgn to write the games in that format")
        })?;
        files::write_text(path, &tournament.text()?)?;
        Ok(saved_or_loaded(held, path, "state", "saved", &[]))
    }

    fn load_games(&mut self, path: &Path, own_format: bool) -> Result<PlainReply> {
        let text = files::read_text(path)?;
        let read = if own_format { GameLog::import } else { read_log };
        let log = read(self.game(), &text).map_err(|fault| files::in_file(path, &text, fault))?;
        let located = |fault: &Fault| files::in_file(path, &text, fault.clone()).message;
        let mut notes: Vec<_> =
            log.faults.iter().map(|fault| format!("left out: {}", located(fault))).collect();
        let held = CurrentGames::of_log(log);
        if own_format {
            let kept = held.export(self.game())?;
            let lost = pgn::lost_content(self.game(), &text, &kept);
            notes.extend((!lost.is_empty()).then(|| format!("left out: {}", lost.join(", "))));
        }
        let format = if own_format { "pgn" } else { "log" };
        let loaded = saved_or_loaded(&held, path, format, "loaded", &notes);
        self.arena = Some(held);
        Ok(loaded)
    }

    fn open_game(&mut self, number: usize, ply: usize) -> Result<PlainReply> {
        let game = self.one_game(number)?;
        let Opening { start, moves } = self.readable(number)?;
        if ply > moves.len() {
            let most = moves.len();
            return Err(Fault::new(format!("game {number} ends before ply {ply}"))
                .hint(format!("give a number from 0 to {most}")));
        }
        let held = self.current_games()?;
        let tags = held.tags(held.numbered(number)?);
        self.set_up_game(TaggedGame::plain(start, &moves, tags), ply);
        Ok(opened_game(&game, ply, &self.position()))
    }
}

/// A game for the list of games, without its moves.
fn report(standings: &Standings, record: &GameRecord) -> GameReport {
    GameReport {
        game: record.game + 1,
        white: standings.name(record.fixture.white).to_owned(),
        black: standings.name(record.fixture.black).to_owned(),
        round: record.fixture.round + 1,
        plies: record.plies(),
        opening: record.opening,
        outcome: record.outcome.clone(),
        nodes: NodesBySide { white: record.cost[0].nodes, black: record.cost[1].nodes },
        result: record.outcome.token(),
        moves: Vec::new(),
    }
}

fn saved_or_loaded<G: Game>(
    held: &CurrentGames<G>,
    path: &Path,
    format: &str,
    action: &str,
    notes: &[String],
) -> PlainReply {
    let (file, games) = (path.display().to_string(), held.records.len());
    let title = format!("{action} {file}: {} ({format})", counted(games as u64, "game", "games"));
    let fields =
        json!({"file": file, "action": action, "format": format, "games": games, "notes": notes});
    PlainReply::new(lines([title, layout::notes(notes)]), fields)
}

impl<G: Game> Session<G> {
    fn current_games(&self) -> Result<&CurrentGames<G>> {
        self.arena.as_ref().ok_or_else(|| {
            Fault::new("no games are loaded")
                .hint("play some with `match run` or `tournament run`, or load some with `match load FILE`")
        })
    }

    /// A player, named or written out. Returns all faults found in the text.
    pub(super) fn player(&self, text: &str) -> Result<Player, Vec<Fault>> {
        if text.contains(':') {
            return Player::read_with_faults(self.game(), text);
        }
        match (self.players.get(text), text) {
            (Some(player), _) => Ok(player.clone()),
            (None, "default") => Ok(Player::named(self.game(), text)),
            (None, "play") => Ok(Player {
                settings: Settings { time_ms: Some(PLAY_MS), ..Settings::for_play::<G>() },
                weights: self.game().weights_for_play(),
                ..Player::named(self.game(), text)
            }),
            (None, "current") => Ok(Player {
                settings: self.usual().settings.clone(),
                weights: self.run.searcher.weights.clone(),
                ..Player::named(self.game(), text)
            }),
            (None, _) => {
                let names = self.players.keys().map(String::as_str);
                let names: Vec<_> = names.chain(["default", "current", "play"]).collect();
                Err(vec![Fault::new(format!("no player is called `{text}`")).about_word(text).hint(format!(
                    "the players are {}; `player define` makes one, and so does \"{text}: budget=5000\"",
                    names.join(", ")
                ))])
            }
        }
    }

    /// One of the current games, replayed under the rules in force.
    /// Fails if the game was played under other rules.
    fn readable(&self, number: usize) -> Result<Opening<G>> {
        let held = self.current_games()?;
        let in_force = self.game().rules();
        let played_by = held.plan.as_ref().map_or_else(Vec::new, |plan| plan.game.rules());
        let other = played_by.into_iter().filter(|rule| !in_force.contains(rule));
        let other: Vec<_> = other.map(|rule| format!("{}={}", rule.name, rule.value)).collect();
        if other.is_empty() {
            return held.numbered(number)?.read(self.game());
        }
        let other = other.join(" ");
        Err(Fault::new(format!("game {number} was played by other rules: {other}"))
            .hint(format!("set the rules first: `rules set {other}`")))
    }

    /// Plays the unplayed games of a tournament, and makes the tournament current. Its standings show `notes`.
    fn play(
        &mut self,
        mut tournament: Tournament<G>,
        file: Option<&Path>,
        workers: Option<usize>,
        mut notes: Vec<String>,
    ) -> Result<Standings> {
        let initial_tables = self.initial_tables(&tournament)?;
        let journal = file.map(|path| TournamentJournal::begin(path, &tournament));
        let (start, before) = (Instant::now(), tournament.records.len());
        let finish =
            self.play_remaining(&mut tournament, &initial_tables, workers, journal.transpose()?);
        let written = file.map_or(Ok(()), |path| files::write_text(path, &tournament.text()?));
        if finish == Ok(Finish::Interrupted) {
            notes.push("stopped; `tournament resume` goes on".to_owned());
        }
        let mut held = CurrentGames::of(tournament, file, notes);
        held.standings.ms = Some(start.elapsed().as_secs_f64() * 1e3);
        held.standings.played_in_ms = Some(held.records.len().saturating_sub(before));
        self.arena = Some(held);
        finish?;
        written?;
        self.show_tournament(&[])
    }

    /// Plays the unplayed games of a tournament, and reports progress, standings and the board of one game meanwhile.
    fn play_remaining(
        &self,
        tournament: &mut Tournament<G>,
        initial_tables: &InitialTables<G::Key>,
        workers: Option<usize>,
        mut journal: Option<TournamentJournal>,
    ) -> Result<Finish> {
        let played = tournament.records.len() as u64;
        self.progress.begin("playing", Unit::Games, played);
        let mut shown = Instant::now();
        let mut ended = |tournament: &Tournament<G>, record: &GameRecord| {
            if let Some(journal) = &mut journal {
                journal.add(record)?;
            }
            self.progress.update(tournament.records.len() as u64 + 1, tournament.total() as u64);
            if shown.elapsed() >= STANDINGS_INTERVAL {
                shown = Instant::now();
                self.show_standings(tournament);
            }
            Ok(())
        };
        self.progress.update(played, tournament.total() as u64);
        self.show_standings(tournament);
        let last_shown = Mutex::new(None::<Instant>);
        let watch = |describe: &dyn Fn() -> LiveGame| {
            let mut last_shown = last_shown.lock().unwrap_or_else(PoisonError::into_inner);
            if last_shown.is_none_or(|last| last.elapsed() >= BOARD_INTERVAL) {
                *last_shown = Some(Instant::now());
                self.progress.update_live(|live| live.game = Some(Arc::new(describe())));
            }
        };
        let workers = workers.unwrap_or_else(processors);
        let finish =
            tournament.play(initial_tables, workers, &self.run.interrupt, &watch, &mut ended);
        self.progress.end();
        finish
    }

    fn show_standings(&self, tournament: &Tournament<G>) {
        let report = tournament.standings();
        let leaders = report.standings.iter().take(3);
        let leaders: Vec<_> =
            leaders.map(|row| format!("{} {}/{}", row.name, row.points, row.games)).collect();
        self.progress.set_note(leaders.join(", "));
        self.progress.update_live(|live| live.tournament = Some(Arc::new(report)));
    }

    fn initial_tables(&self, tournament: &Tournament<G>) -> Result<InitialTables<G::Key>> {
        let plan = &tournament.plan;
        let table = |player: &Player| {
            let table = self.initial_table(&plan.game, player);
            table.map_err(|fault| fault.within(format!("player {}", player.name)))
        };
        plan.players.iter().map(table).collect()
    }

    /// The cache with which a player starts each game, read from the player's cache file; `None` without a file.
    fn initial_table(&self, game: &G, player: &Player) -> Result<Option<AnyTable<G::Key>>> {
        let Some(path) = &player.cache_file else { return Ok(None) };
        let mut searcher = player.searcher(game)?;
        let policy = player.settings.memo();
        let loaded = self.read_file("loading", path, LoadOptions::default())?;
        if loaded.policy != policy {
            return Err(Fault::new(format!(
                "`{}` holds entries of the policy {}, not {policy}",
                path.display(),
                loaded.policy
            ))
            .about_word(path.display())
            .hint(format!("add memo={} to the player", loaded.policy)));
        }
        loaded.check(&searcher)?;
        loaded.add_to(&mut searcher)?;
        Ok(Some(searcher.table))
    }
}

impl Reply for Standings {
    fn text(&self) -> String {
        lines([
            title(self),
            conditions(self),
            self.table(layout::page_width()).join("\n"),
            few_pairs_note(self),
            cross(self),
            pairs(self),
            sprt(self),
            endings(&self.endings),
            cost(self),
            layout::notes(&self.notes),
            time(self),
        ])
    }

    fn forget_times(&mut self) {
        self.played_in_ms = None;
        self.times_mut().into_iter().for_each(|time| *time = None);
    }

    fn times_mut(&mut self) -> Vec<&mut Option<f64>> {
        let rows = self.standings.iter_mut().map(|row| &mut row.cost.ms_a_move);
        iter::once(&mut self.ms).chain(rows).collect()
    }

    /// A chart of the percentage of points of each player, the best first.
    fn plots(&self) -> Vec<Plot> {
        let ranked = (0..).map(f64::from).zip(&self.standings);
        let points = ranked.filter(|(_, row)| row.games > 0);
        let points = points.map(|(rank, row)| (rank, row.percentage()));
        let places = self.standings.iter().map(|row| row.name.clone()).collect();
        let plot = Plot { places, ..Plot::new("Score", "player", "% of points") };
        vec![plot.with_series("Score", points)]
    }
}

// A cross table of more players would be wider than 80 columns.
const MOST_CROSSED: usize = 8;

const TIMES_PER_LINE: usize = 3;

// Six players have 15 pairs; a longer table would fill the screen.
const MOST_PAIRS: usize = 15;

fn title(report: &Standings) -> String {
    let all = counted(report.total as u64, "game", "games");
    let is_played = report.played == report.total;
    let games = if is_played { all } else { format!("{} of {all}", count(report.played as u64)) };
    let pieces = [
        report.game.clone(),
        counted(report.players.len() as u64, "player", "players"),
        games,
        format!("({})", report.status),
    ];
    headline(pieces)
}

fn conditions(report: &Standings) -> String {
    if report.games == 0 {
        return String::new();
    }
    let openings = match report.openings {
        0 => "from the first position".to_owned(),
        plies => format!("openings of {}", counted(plies as u64, "ply", "plies")),
    };
    let on = report.draws.iter().filter(|(_, value)| value != "off" && value != "sound");
    let on = on.map(|(name, value)| format!("{name}={value}"));
    let pieces = [
        format!("{} a pairing", counted(report.games as u64, "game", "games")),
        openings,
        match report.parts.len() {
            0 => format!("seed {}", report.seed),
            parts => format!("{parts} parts"),
        },
    ];
    lines([
        flow("", pieces),
        flow("draws ", on),
        or_empty(report.file.as_ref().map(|file| format!("kept in {file}"))),
    ])
}

/// An Elo difference in whole numbers, because matches do not measure more exactly.
fn elo(value: f64) -> String {
    match value.round() {
        f64::INFINITY => "+∞".to_owned(),
        f64::NEG_INFINITY => "−∞".to_owned(),
        0.0 => "0".to_owned(),
        value => format!("{value:+}").replace('-', "−"),
    }
}

fn share(part: f64) -> String {
    format!("{:.1} %", part * 100.0)
}

/// A probability in percent; `<0.1 %` or `>99.9 %` at the ends, because no number of games gives certainty.
fn likelihood(part: f64) -> String {
    match (part * 1000.0).round() {
        1000.0.. => ">99.9 %".to_owned(),
        ..1.0 => "<0.1 %".to_owned(),
        _ => share(part),
    }
}

/// The cells of a table: Elo, its 95 % interval, and the likelihood of superiority (LOS); `—` if unknown.
fn strength_cells(strength: Option<&Strength>) -> [String; 3] {
    let Some(strength) = strength else {
        return [(); 3].map(|()| "—".to_owned());
    };
    let interval = strength.elo_interval();
    let ends = format!("{} … {}", elo(interval.low), elo(interval.high));
    [elo(interval.value), ends, likelihood(strength.likelihood())]
}

/// A note that the 95 % intervals are rough, if there are too few games or all pairs of games ended alike.
fn few_pairs_note(report: &Standings) -> String {
    const BOUNDS: &str = "the intervals (95 %) are the widest that fit such results";
    let all = || report.pairs.iter().filter_map(|pair| pair.strength);
    let fewest = all().map(|strength| strength.distinct).min().unwrap_or(FEW);
    if fewest < FEW {
        let pairs = counted(fewest, "different pair of games is", "different pairs of games are");
        wrap(
            "note: ",
            &format!("{pairs} too few to be sure of: {BOUNDS}; from {FEW} on they are measured"),
        )
    } else if all().any(|strength| !strength.measured) {
        wrap("note: ", &format!("all pairs of games of two players ended alike: {BOUNDS}"))
    } else {
        String::new()
    }
}

impl Standings {
    /// A warning in a few words, if there are too few different games to measure strength; otherwise `None`.
    pub fn small_sample_warning(&self) -> Option<String> {
        let all = self.pairs.iter().filter_map(|pair| pair.strength);
        let fewest = all.map(|strength| strength.distinct).min().unwrap_or(0);
        let pairs = counted(fewest, "different pair of games", "different pairs of games");
        (fewest < FEW).then(|| format!("{pairs}, from {FEW} on strength is measured"))
    }

    /// The standings as a table of at most `columns` columns, one line each; a narrow table leaves out redundant columns.
    pub fn table(&self, columns: usize) -> Vec<String> {
        let strength = |row: &PlayerStanding| strength_cells(row.strength.as_ref());
        let score = |row: &PlayerStanding| match row.games {
            0 => "—".to_owned(),
            _ => format!("{:.1} %", row.percentage()),
        };
        let table = |wide: bool| {
            let room = if wide { usize::MAX } else { columns / 3 };
            let if_wide = |cell: String| if wide { cell } else { String::new() };
            TextTable::of(self.standings.iter().zip(1..))
                .right("", |(_, rank)| *rank)
                .left("player", |(row, _)| layout::cut(&row.name, room))
                .right("games", |(row, _)| row.games)
                .right("won", |(row, _)| if_wide(row.wins.to_string()))
                .right("drawn", |(row, _)| if_wide(row.draws.to_string()))
                .right("lost", |(row, _)| if_wide(row.losses.to_string()))
                .point("points", |(row, _)| if_wide(row.points.to_string()))
                .right("score", |(row, _)| score(row))
                .right("Elo", |(row, _)| strength(row)[0].clone())
                .right("95 %", |(row, _)| strength(row)[1].clone())
                .right("LOS", |(row, _)| if_wide(strength(row)[2].clone()))
        };
        let wide = table(true);
        if wide.width(1) <= columns { wide } else { table(false) }.within(columns)
    }
}

/// The cross table: the score of each player with White against each other player.
fn cross(report: &Standings) -> String {
    let names = report.names();
    if names.len() > MOST_CROSSED || names.len() < 3 {
        return String::new();
    }
    let mut table = TextTable::of(names.iter().zip(&report.cross))
        .left("white \\ black", |(name, _)| (**name).to_owned());
    for (place, name) in names.iter().enumerate() {
        table = table.right(name, |(_, row)| {
            let [wins, draws, losses] = row[place];
            let points = wins as f64 + draws as f64 / 2.0;
            match wins + draws + losses {
                0 => "—".to_owned(),
                games => format!("{points}/{games}"),
            }
        });
    }
    table.render()
}

/// A table of pairs of players, by the points scored per pair of games; normalised Elo is left out if the table is too wide.
fn pairs(report: &Standings) -> String {
    if report.pairs.len() > MOST_PAIRS {
        return String::new();
    }
    let table = |normalised: bool| {
        let strength = |pair: &&PairStanding| strength_cells(pair.strength.as_ref());
        let mut table = TextTable::of(&report.pairs)
            .left("pair", |pair| format!("{} - {}", pair.first, pair.second));
        for (place, points) in ["0", "0.5", "1", "1.5", "2"].into_iter().enumerate() {
            table = table.right(points, |pair| pair.pairs.counts[place]);
        }
        table
            .right("distinct", |pair| pair.pairs.distinct)
            .right("Elo", |pair| strength(pair)[0].clone())
            .right("95 %", |pair| strength(pair)[1].clone())
            .right("normalised", |pair| match (normalised, &pair.strength) {
                (true, Some(strength)) if strength.measured => elo(strength.normalised.value),
                (true, _) => "—".to_owned(),
                (false, _) => String::new(),
            })
            .right("LOS", |pair| strength(pair)[2].clone())
    };
    let wide = table(true);
    if wide.fits() { wide } else { table(false) }.render()
}

fn sprt(report: &Standings) -> String {
    let Some(SprtStanding { test, state }) = &report.sprt else { return String::new() };
    let verdict = match state.verdict {
        SprtVerdict::H0 => "H0 is accepted",
        SprtVerdict::H1 => "H1 is accepted",
        SprtVerdict::Open => "open",
    };
    flow(
        "test ",
        [
            format!("LLR {:.2} ({:.2}, {:.2})", state.llr, state.lower, state.upper),
            format!("[{}, {}]", test.elo0, test.elo1),
            verdict.to_owned(),
        ],
    )
}

fn endings(endings: &[EndingCount]) -> String {
    TextTable::of(endings)
        .left("ended by", |row| &row.ending)
        .right("white won", |row| row.white)
        .right("drawn", |row| row.draws)
        .right("black won", |row| row.black)
        .render()
}

fn cost(report: &Standings) -> String {
    TextTable::of(report.standings.iter().filter(|row| row.cost.moves > 0))
        .left("cost a move", |row| &row.name)
        .right("nodes", |row| format!("{:.0}", row.cost.nodes_a_move))
        .right("depth", |row| format!("{:.2}", row.cost.depth))
        .right("hits", |row| row.cost.hit_rate.map_or_else(|| "—".to_owned(), share))
        .render()
}

/// The total time, and the time per move of each player.
fn time(report: &Standings) -> String {
    let timed = report.standings.iter().filter_map(|row| {
        Some(format!("{} {} a move", row.name, number::time(row.cost.ms_a_move?)))
    });
    let timed: Vec<_> = timed.collect();
    let rate = number::rate(report.played_in_ms.unwrap_or(0) as u64, "games", report.ms);
    let rows = timed.chunks(TIMES_PER_LINE).map(|row| flow("time ", row));
    lines([timing(report.ms, rate), lines(rows)])
}

/// The reply of `player list`: the named players, each written as for `player define`.
pub fn players(lines_of_text: &[String], notes: &[String]) -> PlainReply {
    let text = match lines_of_text {
        [] => "no player has a name; there are default, current and play".to_owned(),
        players => lines(players.iter().map(|player| wrap("", player))),
    };
    let players: Vec<_> = lines_of_text.iter().map(|line| player_json(line)).collect();
    let fields = json!({"players": players, "notes": notes});
    PlainReply::new(lines([text, layout::notes(notes)]), fields)
}

/// The reply that lists the games of a tournament, match or log.
#[derive(Clone, Debug, Serialize)]
pub struct GamesReport {
    pub(crate) games: Vec<GameReport>,
    /// Number of games beyond those in `games`.
    pub(crate) more: usize,
}

impl Reply for GamesReport {
    fn text(&self) -> String {
        if self.games.is_empty() {
            return "no games".to_owned();
        }
        let table = TextTable::of(&self.games)
            .right("game", |game| game.game)
            .left("white", |game| &game.white)
            .left("black", |game| &game.black)
            .right("round", |game| game.round)
            .right("moves", |game| game.plies)
            .left("result", |game| game.result)
            .left("ended by", |game| game.outcome.ending.to_string());
        lines([table.render(), layout::and_more(self.more)])
    }

    fn line(&self) -> String {
        number::counted((self.games.len() + self.more) as u64, "game", "games")
    }
}

/// The reply that shows one game of a tournament, match or log.
#[derive(Clone, Debug, Serialize)]
pub struct GameReport {
    /// The number of the game, from 1.
    pub(crate) game: usize,
    pub(crate) white: String,
    pub(crate) black: String,
    /// The number of the game within its pairing, from 1.
    pub(crate) round: usize,
    /// Length of the game in plies, opening included.
    pub(crate) plies: usize,
    /// Length of the opening in plies.
    pub(crate) opening: usize,
    #[serde(flatten)]
    pub(crate) outcome: MatchOutcome,
    /// The result as in PGN, such as `1-0`.
    pub(crate) result: &'static str,
    /// Nodes searched by White's player and by Black's.
    pub(crate) nodes: NodesBySide,
    /// The moves of the game; empty in a list of games.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
}

/// Nodes searched in a game, by side.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct NodesBySide {
    pub(crate) white: u64,
    pub(crate) black: u64,
}

impl Reply for GameReport {
    fn text(&self) -> String {
        let pieces = [
            format!("game {}", self.game),
            format!("{} - {}", self.white, self.black),
            format!("round {}", self.round),
            self.result.to_owned(),
            format!("({})", self.outcome.ending),
            counted(self.plies as u64, "ply", "plies"),
            match self.opening {
                0 => String::new(),
                plies => format!("opening of {plies}"),
            },
        ];
        lines([headline(pieces), wrap("", &self.moves.join(" "))])
    }
}

/// The reply of `match open`: a game that was set up with its first `ply` moves played.
fn opened_game(game: &GameReport, ply: usize, position: &PositionReport) -> PlainReply {
    let GameReport { game: number, white, black, plies, .. } = game;
    let title = format!("game {number}, {white} - {black}: after {ply} of {plies} plies");
    let fields = json!({"game": game, "ply": ply, "position": position});
    PlainReply::new(lines([title, position.text()]), fields)
}
