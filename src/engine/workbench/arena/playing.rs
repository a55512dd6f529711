//! Playing tournaments: from what was asked for to the games.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use super::{Arena as _, Hall, RunWish, TournamentWish};
use crate::engine::{
    arena::{
        CachePolicy, GameRecord, Glimpse, Manner, Memories, Player, Standings, Tournament,
        TournamentJournal, TournamentSpec, standings::LiveGame,
    },
    files,
    game::{Fault, Game},
    memo::AnyMemo,
    progress::Unit,
    workbench::{Answer, Desk},
    workers::{Finish, processors},
};

/// Between two looks at the standings for whoever watches: adding up thousands of games takes its time.
const NEWS: Duration = Duration::from_millis(250);

/// Between two looks at the board of a game under way.
const GLIMPSE: Duration = Duration::from_millis(40);

impl<G: Game> Desk<G> {
    /// The tournament that was asked for, as a document.
    pub(super) fn spec_of(&self, wish: &TournamentWish<'_>) -> Answer<TournamentSpec> {
        let mut faults = Vec::new();
        let mut players = Vec::new();
        for text in &wish.players {
            match self.player_or_faults(text) {
                Ok(player) => players.push(player.line_for(&self.run.searcher.game)),
                Err(found) => faults.extend(found),
            }
        }
        if let Some(fault) = Fault::merge(faults) {
            return Err(fault);
        }
        Ok(TournamentSpec {
            games: wish.games,
            first_is_white: wish.first_is_white,
            openings: wish.openings,
            start: wish.here.then(|| self.run.searcher.game.format_position(&self.now.position)),
            seed: wish.seed,
            draws: wish
                .draws
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
            sprt: wish.sprt,
            ..self.blank_spec(players)
        })
    }

    /// A tournament under the rules in force.
    fn blank_spec(&self, players: Vec<String>) -> TournamentSpec {
        let original = self.run.searcher.game.original().rules();
        let changed = self.run.searcher.game.rules().into_iter().zip(original);
        TournamentSpec {
            rules: changed
                .filter(|(rule, usual)| rule.value != usual.value)
                .map(|(rule, _)| (rule.name, rule.value))
                .collect(),
            ..TournamentSpec::of(G::NAME, players)
        }
    }

    pub(super) fn play_spec(
        &mut self,
        spec: &TournamentSpec,
        run: &RunWish<'_>,
    ) -> Answer<Standings> {
        let plan = spec.plan(&self.run.searcher.game)?;
        if let Some(path) = run.file.filter(|path| path.exists()) {
            return Err(Fault::new(format!("`{}` is there already", path.display())).hint(format!(
                "`tournament resume {}` goes on with it; --state FILE gives this one another name",
                path.display()
            )));
        }
        self.play(Tournament::new(plan, BTreeMap::new()), run.file, run.workers)
    }

    /// Plays what is left of a tournament and takes it over.
    pub(super) fn play(
        &mut self,
        mut tournament: Tournament<G>,
        file: Option<&Path>,
        workers: Option<usize>,
    ) -> Answer<Standings> {
        let memories = self.memories(&tournament)?;
        let journal = file.map(|path| TournamentJournal::begin(path, &tournament)).transpose()?;
        let begun = Instant::now();
        let before = tournament.records.len();
        self.progress.begin("playing", Unit::Games);
        let workers = workers.unwrap_or_else(processors);
        let finish = self.play_on(&mut tournament, &memories, workers, journal);
        self.progress.end();
        let written = file.map_or(Ok(()), |path| files::write_text(path, &tournament.text()?));
        self.arena = Some(Hall::Tournament {
            tournament: Box::new(tournament),
            file: file.map(PathBuf::from),
            ms: begun.elapsed().as_secs_f64() * 1e3,
            before,
            interrupted: finish == Ok(Finish::Interrupted),
        });
        finish?;
        written?;
        self.tournament()
    }

    fn play_on(
        &self,
        tournament: &mut Tournament<G>,
        memories: &Memories<G::Key>,
        workers: usize,
        mut journal: Option<TournamentJournal>,
    ) -> Answer<Finish> {
        let mut told = Instant::now();
        let mut ended = |tournament: &Tournament<G>, record: &GameRecord| {
            if let Some(journal) = &mut journal {
                journal.add(tournament, record)?;
            }
            let done = tournament.records.len() as u64 + 1;
            self.progress.tell(done, tournament.total() as u64);
            if told.elapsed() >= NEWS {
                told = Instant::now();
                self.tell_news(tournament);
            }
            Ok(())
        };
        self.progress.tell(tournament.records.len() as u64, tournament.total() as u64);
        self.tell_news(tournament);
        let names: Vec<_> =
            tournament.plan.players.iter().map(|player| player.name.clone()).collect();
        let seen = Mutex::new(None::<Instant>);
        let watch = |glimpse: &Glimpse<'_, G>| self.glance(glimpse, &names, &seen);
        tournament.play(
            memories,
            Manner { workers, interrupt: &self.run.interrupt, watch: &watch, ended: &mut ended },
        )
    }

    /// Shows the standings to whoever watches.
    fn tell_news(&self, tournament: &Tournament<G>) {
        let report = tournament.standings();
        let leaders = report.standings.iter().take(3);
        let words: Vec<_> =
            leaders.map(|row| format!("{} {}/{}", row.name, row.points, row.games)).collect();
        self.progress.report(words.join(", "));
        self.progress.show(|live| live.tournament = Some(Arc::new(report)));
    }

    /// Shows the board of a game under way, not more often than anybody can look.
    fn glance(&self, glimpse: &Glimpse<'_, G>, names: &[String], seen: &Mutex<Option<Instant>>) {
        let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.is_some_and(|seen| seen.elapsed() < GLIMPSE) {
            return;
        }
        *seen = Some(Instant::now());
        let name = |player: usize| names.get(player).cloned().unwrap_or_default();
        let (position, history) = glimpse.at;
        let game = LiveGame {
            game: glimpse.game + 1,
            white: name(glimpse.fixture.white),
            black: name(glimpse.fixture.black),
            ply: glimpse.ply,
            side: self.run.searcher.game.side(position),
            state: self.run.searcher.game.format_position(position),
            board: self.run.searcher.game.board(position, history, glimpse.last),
        };
        self.progress.show(|live| live.game = Some(Arc::new(game)));
    }

    /// The caches that players begin with.
    fn memories(&self, tournament: &Tournament<G>) -> Answer<Memories<G::Key>> {
        let players = tournament.plan.players.iter();
        players.map(|player| self.memory_of(&tournament.plan.game, player)).collect()
    }

    /// The cache of a player that begins with a file's entries: they are read, and refused, as `cache load` does.
    fn memory_of(&self, game: &G, player: &Player) -> Answer<Option<AnyMemo<G::Key>>> {
        let CachePolicy::Loaded(path) = &player.cache else {
            return Ok(None);
        };
        let mut desk = Self::new(game.clone(), Arc::clone(&self.run.interrupt));
        desk.progress = Arc::clone(&self.progress);
        desk.run.searcher.settings = player.settings.clone();
        desk.run.searcher.weights = player.weights.clone();
        desk.run.searcher.memo = AnyMemo::new(player.settings.memo);
        desk.configure_memo();
        let named = |fault: Fault| fault.within(format!("player {}", player.name));
        desk.load_cache_file(path, None, None).map_err(named)?;
        if desk.run.searcher.settings.memo != player.settings.memo {
            return Err(named(Fault::new(format!(
                "`{}` holds entries of the policy {}, not {}",
                path.display(),
                desk.run.searcher.settings.memo,
                player.settings.memo
            )))
            .hint(format!("give it memo={}", desk.run.searcher.settings.memo)));
        }
        Ok(Some(desk.run.searcher.memo))
    }
}
