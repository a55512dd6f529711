//! Playing tournaments: from what was asked for to the games.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use super::{Arena as _, RunWish};
use crate::engine::{
    arena::{
        CachePolicy, GameRecord, GamesAtHand, Manner, Memories, Player, Standings, Tournament,
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
    /// A tournament by the rules in force, its players spelled out.
    pub(super) fn spelled_out(&self, wish: TournamentSpec) -> Answer<TournamentSpec> {
        let game = &self.run.searcher.game;
        let (mut faults, mut lines) = (Vec::new(), Vec::new());
        for text in &wish.players {
            match self.player_or_faults(text) {
                Ok(player) => lines.push(player.line(game)),
                Err(found) => faults.extend(found),
            }
        }
        if let Some(fault) = Fault::merge(faults) {
            return Err(fault);
        }
        let TournamentSpec { version, game, rules, players, .. } = TournamentSpec::of(game, lines);
        Ok(TournamentSpec { version, game, rules, players, ..wish })
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
        self.arena = Some(GamesAtHand::Tournament {
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
        let seen = Mutex::new(None::<Instant>);
        let watch = |describe: &dyn Fn() -> LiveGame| {
            let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
            if seen.is_none_or(|seen| seen.elapsed() >= GLIMPSE) {
                *seen = Some(Instant::now());
                self.progress.show(|live| live.game = Some(Arc::new(describe())));
            }
        };
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

    /// The caches that players begin with.
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
        let CachePolicy::Loaded(path) = &player.cache else {
            return Ok(None);
        };
        let mut searcher = player.searcher(game)?;
        let policy = player.settings.memo();
        let loaded = self.read_file("loading", path, (None, None), policy)?;
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
