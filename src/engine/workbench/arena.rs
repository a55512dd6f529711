//! Matches and tournaments at the workbench: players by name, games to play, to keep and to walk through.

use std::{
    collections::BTreeMap,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use serde_json::json;

use super::{Answer, Desk, Pair, Positions, position::left_out};
use crate::engine::{
    arena::{
        GameLog, GameRecord, GamesAtHand, Memories, Opening, Player, Standings, Tournament,
        TournamentJournal, TournamentSpec, read_log, standings::LiveGame,
    },
    cachefile::LoadOptions,
    files,
    game::{Fault, Game},
    memo::AnyMemo,
    progress::Unit,
    reply::{GameReport, GamesReport, PlainReply, Reply as _, opened_game, players},
    workers::{Finish, processors},
};
use crate::text::{counted, layout, lines};

/// Between two looks at the standings for whoever watches: adding up thousands of games takes its time.
const NEWS: Duration = Duration::from_millis(250);

/// Between two looks at the board of a game under way.
const GLIMPSE: Duration = Duration::from_millis(40);

door!(
    /// Matches and tournaments.
    pub trait Arena {}

    /// The players that have names, each as its line of text.
    fn players(&self) -> Vec<String> {
        self.players.values().map(|player| player.line(self.game())).collect()
    }

    /// Names a player: the default settings and weights with these changes.
    fn define_player(&mut self, name: &str, pairs: &[Pair<'_>]) -> Answer<PlainReply> {
        if matches!(name, "default" | "current") {
            let fault = Fault::new(format!("`{name}` has its meaning already"));
            return Err(fault.hint("choose another name"));
        }
        let player = Player::define(self.game(), name, pairs)?;
        let missing = player.cache_file.iter().filter(|file| !file.exists());
        let notes = missing.map(|file| format!("there is no file {} yet", file.display()));
        let notes: Vec<_> = notes.collect();
        self.players.insert(name.to_owned(), player);
        Ok(players(&self.players(), &notes))
    }

    /// Forgets a player.
    fn remove_player(&mut self, name: &str) -> Answer<PlainReply> {
        match self.players.remove(name) {
            Some(_) => Ok(players(&self.players(), &[])),
            None => Err(Fault::new(format!("no player is called `{name}`"))
                .hint("`player list` lists them")),
        }
    }

    /// A tournament by the rules in force, from the current position with `here`. Its players are names of defined ones,
    /// `current`, `default`, or lines of text with a colon; in the answer each is spelled out.
    fn tournament_spec(&self, wish: TournamentSpec, here: bool) -> Answer<TournamentSpec> {
        let (mut faults, mut lines) = (Vec::new(), Vec::new());
        for text in &wish.players {
            match self.player(text) {
                Ok(player) => lines.push(player.line(self.game())),
                Err(found) => faults.extend(found),
            }
        }
        if let Some(fault) = Fault::merge(faults) {
            return Err(fault);
        }
        let start = here.then(|| self.game().format_position(&self.now.position));
        let spec = TournamentSpec { start, ..wish.by_rules_of(self.game(), lines) };
        spec.plan(self.game())?;
        Ok(spec)
    }

    /// Plays a tournament, so many games side by side (as many as there are processors where nothing is said), and keeps
    /// them in a file, if one is named. Games that have been played stay when the user stops it.
    fn play_tournament(
        &mut self,
        spec: &TournamentSpec,
        file: Option<&Path>,
        workers: Option<usize>,
    ) -> Answer<Standings> {
        let plan = spec.plan(self.game())?;
        if let Some(path) = file.filter(|path| path.exists()) {
            return Err(Fault::new(format!("`{}` is there already", path.display())).hint(format!(
                "`tournament resume {}` goes on with it; --state FILE gives this one another name",
                path.display()
            )));
        }
        self.play(Tournament::new(plan, BTreeMap::new()), file, workers, Vec::new())
    }

    /// Goes on with the tournament of a state file, or with the current one.
    fn resume_tournament(
        &mut self,
        path: Option<&Path>,
        workers: Option<usize>,
    ) -> Answer<Standings> {
        if let Some(file) = path {
            let (tournament, notes) = Tournament::read(self.game(), file)?;
            return self.play(tournament, path, workers, notes);
        }
        let held = self.games_at_hand()?;
        let (tournament, file) = (held.tournament()?, held.standings.file.clone());
        self.play(tournament, file.as_deref().map(Path::new), workers, Vec::new())
    }

    /// How the current tournament or round stands; that of a state file is taken over first, without playing on.
    fn show_tournament(&mut self, path: Option<&Path>) -> Answer<Standings> {
        if let Some(file) = path {
            let (tournament, mut notes) = Tournament::read(self.game(), file)?;
            let missing = tournament.total() - tournament.records.len();
            if missing > 0 {
                let file = file.display();
                notes.push(format!(
                    "{missing} games are missing; `tournament resume {file}` plays them"
                ));
            }
            self.arena = Some(GamesAtHand::of(tournament, path, notes));
        }
        Ok(self.games_at_hand()?.shown())
    }

    /// Writes how the current one stands to a file, as JSON.
    fn save_results(&self, path: &Path, times: bool) -> Answer<PlainReply> {
        let held = self.games_at_hand()?;
        let mut standings = Standings { file: None, ..held.standings.clone() };
        if !times {
            standings.forget_times();
        }
        let text = serde_json::to_string_pretty(&standings).map_err(|error| {
            Fault::new(format!("the results cannot be written as JSON: {error}"))
        })?;
        files::write_text(path, &(text + "\n"))?;
        Ok(filed(held, (path, "json"), "saved", &[]))
    }

    /// The current games: `limit` of them from `first` on, counted from 1.
    fn games(&self, first: usize, limit: usize) -> Answer<GamesReport> {
        let held = self.games_at_hand()?;
        let mut listed = held.records.range(first.saturating_sub(1)..);
        let games = listed.by_ref().take(limit);
        let games = games.map(|(_, record)| report(&held.standings, record)).collect();
        Ok(GamesReport { games, more: listed.count() })
    }

    /// One of them with its moves, counted from 1.
    fn one_game(&self, number: usize) -> Answer<GameReport> {
        let held = self.games_at_hand()?;
        let record = held.numbered(number)?;
        let moves = record.moves.split_whitespace().map(str::to_owned).collect();
        Ok(GameReport { moves, ..report(&held.standings, record) })
    }

    /// Writes the current games in the game's own file format, or as the state file of their tournament.
    fn save_games(&self, path: &Path, own_format: bool) -> Answer<PlainReply> {
        let held = self.games_at_hand()?;
        if own_format {
            self.write_game_file(path, &held.export(self.game())?)?;
            return Ok(filed(held, (path, "pgn"), "saved", &[]));
        }
        let tournament = held.tournament().map_err(|fault| {
            fault.hint("name a file that ends in .pgn (chess) to write them in that format")
        })?;
        files::write_text(path, &tournament.text()?)?;
        Ok(filed(held, (path, "state"), "saved", &[]))
    }

    /// Takes over the games of a log, or of a file in the game's own format.
    fn load_games(&mut self, path: &Path, own_format: bool) -> Answer<PlainReply> {
        let text = files::read_text(path)?;
        let read = if own_format { GameLog::import } else { read_log };
        let log = read(self.game(), &text).map_err(|fault| files::in_file(path, &text, fault))?;
        let held = GamesAtHand::of_log(log);
        let mut notes = Vec::new();
        if own_format {
            notes.extend(left_out(&self.game().lost(&text, &held.export(self.game())?)));
        }
        let format = if own_format { "pgn" } else { "log" };
        let loaded = filed(&held, (path, format), "loaded", &notes);
        self.arena = Some(held);
        Ok(loaded)
    }

    /// Sets up a game with `ply` of its moves played and the others to redo.
    fn open_game(&mut self, number: usize, ply: usize) -> Answer<PlainReply> {
        let game = self.one_game(number)?;
        let Opening { start, moves } = self.readable(number)?;
        if ply > moves.len() {
            let most = moves.len();
            return Err(Fault::new(format!(
                "game {number} has {most} moves, so none is number {ply}"
            ))
            .hint(format!("give 0 to {most}")));
        }
        self.game().admits(&start)?;
        self.set_up_game(start, &moves, ply);
        Ok(opened_game(&game, ply, &self.position()))
    }
);

/// A game as it is listed, without its moves.
fn report(standings: &Standings, record: &GameRecord) -> GameReport {
    GameReport {
        game: record.game + 1,
        white: standings.name(record.fixture.white).to_owned(),
        black: standings.name(record.fixture.black).to_owned(),
        round: record.fixture.round + 1,
        plies: record.plies(),
        opening: record.opening,
        outcome: record.outcome.clone(),
        nodes: record.cost.map(|cost| cost.nodes),
        moves: Vec::new(),
    }
}

fn filed<G: Game>(
    held: &GamesAtHand<G>,
    (path, format): (&Path, &str),
    action: &str,
    notes: &[String],
) -> PlainReply {
    let (file, games) = (path.display().to_string(), held.records.len());
    let title = format!("{action} {file}: {} ({format})", counted(games as u64, "game", "games"));
    let fields =
        json!({"file": file, "action": action, "format": format, "games": games, "notes": notes});
    PlainReply::new(lines([title, layout::notes(notes)]), fields)
}

impl<G: Game> Desk<G> {
    fn games_at_hand(&self) -> Answer<&GamesAtHand<G>> {
        self.arena.as_ref().ok_or_else(|| {
            Fault::new("no games are at hand")
                .hint("`match run`, `tournament run` or `match load FILE` brings some")
        })
    }

    /// A player by its name, or spelled out.
    fn player(&self, text: &str) -> Result<Player, Vec<Fault>> {
        if text.contains(':') {
            return Player::read_whole(self.game(), text);
        }
        match (self.players.get(text), text) {
            (Some(player), _) => Ok(player.clone()),
            (None, "default") => Ok(Player::named(self.game(), text)),
            (None, "current") => Ok(Player {
                settings: self.settings().clone(),
                weights: self.run.searcher.weights.clone(),
                ..Player::named(self.game(), text)
            }),
            (None, _) => {
                let names = self.players.keys().map(String::as_str);
                let names: Vec<_> = names.chain(["default", "current"]).collect();
                Err(vec![Fault::new(format!("no player is called `{text}`")).hint(format!(
                    "there is {}; `player define` makes one, and so does \"{text}: budget=5000\"",
                    names.join(", ")
                ))])
            }
        }
    }

    /// One of the current games, to be taken to the board: it must have been played by the rules there.
    fn readable(&self, number: usize) -> Answer<Opening<G>> {
        let held = self.games_at_hand()?;
        let here = self.game().rules();
        let there = held.plan.as_ref().map_or_else(Vec::new, |plan| plan.game.rules());
        let other = there.into_iter().filter(|rule| !here.contains(rule));
        let other: Vec<_> = other.map(|rule| format!("{}={}", rule.name, rule.value)).collect();
        if other.is_empty() {
            return held.numbered(number)?.read(self.game());
        }
        let other = other.join(" ");
        Err(Fault::new(format!("game {number} was played by other rules: {other}"))
            .hint(format!("`rules set {other}` first")))
    }

    /// Plays what is left of a tournament and takes it over; the notes say how it came here.
    fn play(
        &mut self,
        mut tournament: Tournament<G>,
        file: Option<&Path>,
        workers: Option<usize>,
        mut notes: Vec<String>,
    ) -> Answer<Standings> {
        let memories = self.memories(&tournament)?;
        let journal = file.map(|path| TournamentJournal::begin(path, &tournament));
        let (begun, before) = (Instant::now(), tournament.records.len());
        let finish = self.play_on(&mut tournament, &memories, workers, journal.transpose()?);
        let written = file.map_or(Ok(()), |path| files::write_text(path, &tournament.text()?));
        if finish == Ok(Finish::Interrupted) {
            notes.push("stopped; `tournament resume` goes on".to_owned());
        }
        let mut held = GamesAtHand::of(tournament, file, notes);
        held.standings.ms = Some(begun.elapsed().as_secs_f64() * 1e3);
        held.standings.played_in_ms = Some(held.records.len().saturating_sub(before));
        self.arena = Some(held);
        finish?;
        written?;
        self.show_tournament(None)
    }

    /// Plays what is left of a tournament; whoever watches sees how it goes.
    fn play_on(
        &self,
        tournament: &mut Tournament<G>,
        memories: &Memories<G::Key>,
        workers: Option<usize>,
        mut journal: Option<TournamentJournal>,
    ) -> Answer<Finish> {
        let played = tournament.records.len() as u64;
        self.progress.begin("playing", Unit::Games, played);
        let mut told = Instant::now();
        let mut ended = |tournament: &Tournament<G>, record: &GameRecord| {
            if let Some(journal) = &mut journal {
                journal.add(record)?;
            }
            self.progress.tell(tournament.records.len() as u64 + 1, tournament.total() as u64);
            if told.elapsed() >= NEWS {
                told = Instant::now();
                self.tell_news(tournament);
            }
            Ok(())
        };
        self.progress.tell(played, tournament.total() as u64);
        self.tell_news(tournament);
        let seen = Mutex::new(None::<Instant>);
        let watch = |describe: &dyn Fn() -> LiveGame| {
            let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
            if seen.is_none_or(|seen| seen.elapsed() >= GLIMPSE) {
                *seen = Some(Instant::now());
                self.progress.show(|live| live.game = Some(Arc::new(describe())));
            }
        };
        let workers = workers.unwrap_or_else(processors);
        let finish = tournament.play(memories, (workers, &self.run.interrupt), &watch, &mut ended);
        self.progress.end();
        finish
    }

    fn tell_news(&self, tournament: &Tournament<G>) {
        let report = tournament.standings();
        let leaders = report.standings.iter().take(3);
        let words: Vec<_> =
            leaders.map(|row| format!("{} {}/{}", row.name, row.points, row.games)).collect();
        self.progress.report(words.join(", "));
        self.progress.show(|live| live.tournament = Some(Arc::new(report)));
    }

    fn memories(&self, tournament: &Tournament<G>) -> Answer<Memories<G::Key>> {
        let players = tournament.plan.players.iter();
        let memory = |player| self.memory_of(&tournament.plan.game, player);
        players
            .map(|player| {
                memory(player).map_err(|fault| fault.within(format!("player {}", player.name)))
            })
            .collect()
    }

    /// The cache of a player that begins with a file's entries: they are read, and refused, as `cache load` does.
    fn memory_of(&self, game: &G, player: &Player) -> Answer<Option<AnyMemo<G::Key>>> {
        let Some(path) = &player.cache_file else {
            return Ok(None);
        };
        let mut searcher = player.searcher(game)?;
        let policy = player.settings.memo();
        let loaded = self.read_file("loading", path, LoadOptions::default())?;
        if loaded.policy != policy {
            return Err(Fault::new(format!(
                "`{}` holds entries of the policy {}, not {policy}",
                path.display(),
                loaded.policy
            ))
            .hint(format!("give it memo={}", loaded.policy)));
        }
        loaded.check(&searcher)?;
        loaded.give_to(&mut searcher)?;
        Ok(Some(searcher.memo))
    }
}
