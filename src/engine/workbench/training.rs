//! Rote trainings: begun, resumed, merged, and kept in files.

use std::{
    path::Path,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    time::Instant,
};

use super::{Answer, Desk};
use crate::engine::{
    arena::{
        DrawRules, Player, Standings, TournamentSpec,
        training::{Shard, Training, TrainingDocument, TrainingFiles, TrainingSpec},
    },
    cachefile::{self, CacheHeader, Format, LoadOptions, Watch},
    game::{Fault, Game, KeyScheme},
    memo::{AnyMemo, Policy},
    progress::Unit,
    reply::TrainingReport,
    search::Fidelity,
    searcher::Searcher,
    settings::Settings,
};

/// What a training is to be; the rest is as the session has it: rules, weights and settings.
#[derive(Clone, Copy, Debug)]
pub struct TrainingWish<'a> {
    /// The document.
    pub out: &'a Path,
    /// Games over all shards.
    pub games: u64,
    /// Games between two saves, at least 1.
    pub save_interval: u64,
    /// Plies from the root of each search, at least 1.
    pub depth: u8,
    /// `sound` or `seed`; the setting where nothing is said.
    pub fidelity: Option<Fidelity>,
    /// What random choices start from; the setting where nothing is said.
    pub seed: Option<u64>,
    /// Which of the games are played.
    pub shard: Shard,
}

impl<G: Game> Desk<G> {
    fn training_spec(&self, wish: &TrainingWish<'_>) -> Answer<TrainingSpec> {
        let Searcher { game, settings, weights, .. } = &self.run.searcher;
        let mut own = TrainingSpec::settings(settings, wish.depth.max(1));
        if let Some(fidelity) = wish.fidelity {
            own.set("fidelity", fidelity.name())?;
        }
        let seed_like = own.fidelity == Fidelity::Seed && !G::HISTORIC;
        Ok(TrainingSpec {
            game: G::NAME.to_owned(),
            rules: game.rules().into_iter().map(|rule| (rule.name, rule.value)).collect(),
            weights: weights.clone(),
            draws: if seed_like { DrawRules::SEED } else { DrawRules::usual::<G>() },
            games: wish.games,
            save_interval: wish.save_interval.max(1),
            seed: wish.seed.unwrap_or(settings.seed),
            shard: wish.shard,
            settings: own,
        })
    }

    /// Plays the games that are left, saving as it goes.
    fn play_games(
        &self,
        training: &mut Training<G>,
        files: &TrainingFiles,
        (action, since): (&'static str, Instant),
    ) -> Answer<TrainingReport> {
        save(training, files)?;
        self.progress.begin("training", Unit::Games);
        let played = self.play_and_save(training, files);
        self.progress.end();
        let report = report(training, files, action);
        Ok(TrainingReport {
            interrupted: played?,
            ms: Some(since.elapsed().as_secs_f64() * 1e3),
            ..report
        })
    }

    /// Whether the user stopped it.
    fn play_and_save(&self, training: &mut Training<G>, files: &TrainingFiles) -> Answer<bool> {
        while !training.is_done() {
            if self.run.interrupt.load(Relaxed) {
                save(training, files)?;
                return Ok(true);
            }
            training.play_one()?;
            self.progress.tell(training.document.played, training.games());
            let due = training.document.played.is_multiple_of(training.document.spec.save_interval);
            if due || training.is_done() {
                save(training, files)?;
            }
        }
        Ok(false)
    }

    fn read_training(&self, file: &Path) -> Answer<(Training<G>, TrainingFiles)> {
        let files = TrainingFiles::of(file)?;
        let (document, table) = files.read()?;
        let training = load(&self.run.searcher.game, document, &table);
        Ok((training.map_err(|fault| fault.within(file.display()))?, files))
    }
}

/// Reads the table of a training.
fn load<G: Game>(game: &G, document: TrainingDocument, path: &Path) -> Answer<Training<G>> {
    let options = LoadOptions {
        format: Some(Format::Native),
        convention: None,
        policy: Policy::Rote,
        salvage: false,
    };
    let mut training = Training::of(game, document)?;
    let loaded = quietly(|watch| cachefile::load(training.game(), path, options, watch))?;
    let here = CacheHeader::of(training.searcher());
    let differences = loaded.header.as_ref().map(|header| header.differences(&here));
    if let Some(difference) = differences.unwrap_or_default().first() {
        return Err(Fault::new(format!("the table is of another training: {difference}"))
            .hint("put the two files of one save together again"));
    }
    let AnyMemo::Rote(table) = loaded.memo else {
        return Err(Fault::new(format!("`{}` is no table of learned values", path.display())));
    };
    training.set_table(table);
    Ok(training)
}

/// Saves a training: document, table, and the table in seed 001's format where there is one for the game.
fn save<G: Game>(training: &Training<G>, files: &TrainingFiles) -> Answer<()> {
    files.write(training, |path| save_table(training, path, Format::Native))?;
    if has_seed_keys(training.game()) {
        save_table(training, &files.rote, Format::SeedRote)?;
    }
    Ok(())
}

fn save_table<G: Game>(training: &Training<G>, path: &Path, format: Format) -> Answer<()> {
    let header = CacheHeader::of(training.searcher());
    let entries = training.table().entries();
    quietly(|watch| cachefile::save(training.game(), entries, path, format, &header, watch))
        .map(drop)
}

/// Whether the game's positions have keys in the seeds' files.
fn has_seed_keys<G: Game>(game: &G) -> bool {
    game.seed_key(game.key(&game.start(), KeyScheme::Colour)).is_some()
}

/// Does something with a file that is not to be interrupted.
fn quietly<T>(work: impl FnOnce(&mut Watch) -> T) -> T {
    work(&mut Watch { interrupt: &AtomicBool::new(false), progress: &mut |_, _| {} })
}

fn report<G: Game>(
    training: &Training<G>,
    files: &TrainingFiles,
    action: &'static str,
) -> TrainingReport {
    let text = |path: &Path| path.display().to_string();
    let TrainingDocument { spec, played, blocks, merged, .. } = &training.document;
    TrainingReport {
        action,
        file: text(&files.document),
        table_file: text(&files.table),
        rote_file: has_seed_keys(training.game()).then(|| text(&files.rote)),
        game: G::NAME.to_owned(),
        depth: spec.settings.depth.unwrap_or_default(),
        fidelity: spec.settings.fidelity.name(),
        symmetry: spec.settings.symmetry,
        seed: spec.seed,
        shard: spec.shard.to_string(),
        merged: *merged,
        games: training.games(),
        played: *played,
        done: training.is_done(),
        interrupted: false,
        save_interval: spec.save_interval,
        total: training.total(),
        blocks: blocks.clone(),
        ms: None,
    }
}

/// Rote training: tables of learned values in files of their own. The session's cache is not touched.
pub trait Learning {
    /// Begins a training and plays its games; Ctrl-C stops it after a game. It is saved at the beginning, at its
    /// intervals and at the end.
    fn train(&self, wish: &TrainingWish<'_>) -> Answer<TrainingReport>;
    /// Goes on with a training; with `games`, to so many over all its shards.
    fn resume_training(&self, file: &Path, games: Option<u64>) -> Answer<TrainingReport>;
    /// What is known of a training.
    fn show_training(&self, file: &Path) -> Answer<TrainingReport>;
    /// Lets the trained player and one with the same search and no table play.
    fn match_training(
        &self,
        file: &Path,
        wish: &TournamentSpec,
        workers: Option<usize>,
    ) -> Answer<Standings>;
    /// Puts the tables of all shards of a training together.
    fn merge_trainings(&self, files: &[&Path], out: &Path) -> Answer<TrainingReport>;
}

impl<G: Game> Learning for Desk<G> {
    fn train(&self, wish: &TrainingWish<'_>) -> Answer<TrainingReport> {
        let happened = ("trained", Instant::now());
        let files = TrainingFiles::new_of(wish.out)?;
        let mut training = Training::new(&self.run.searcher.game, self.training_spec(wish)?)?;
        self.play_games(&mut training, &files, happened)
    }

    fn resume_training(&self, file: &Path, games: Option<u64>) -> Answer<TrainingReport> {
        let happened = ("resumed", Instant::now());
        let (mut training, files) = self.read_training(file)?;
        if let Some(games) = games {
            let before = std::mem::replace(&mut training.document.spec.games, games);
            if games < before {
                let what =
                    format!("the training has {before} games already, and {games} are fewer");
                let fault = Fault::new(what).about("games");
                return Err(fault.hint("give as many or more, or leave --games out"));
            }
        }
        self.play_games(&mut training, &files, happened)
    }

    fn match_training(
        &self,
        file: &Path,
        wish: &TournamentSpec,
        workers: Option<usize>,
    ) -> Answer<Standings> {
        let since = Instant::now();
        let (training, _) = self.read_training(file)?;
        let TrainingSpec { settings, weights, .. } = &training.document.spec;
        let game = training.game();
        let player = |name, settings: &Settings| Player {
            settings: settings.clone(),
            weights: weights.clone(),
            ..Player::named(game, name)
        };
        let untrained = Settings { memo: Policy::None, ..settings.clone() };
        let players = [player("trained", settings), player("untrained", &untrained)];
        let memories = vec![Some(training.table().clone()), None];
        let mut standings = self.rivals(game, &players, &memories, (wish, workers))?;
        let values = training.table().entries().len();
        standings.notes.push(format!("trained by {}: {values} values", file.display()));
        standings.ms = Some(since.elapsed().as_secs_f64() * 1e3);
        Ok(standings)
    }

    fn show_training(&self, file: &Path) -> Answer<TrainingReport> {
        let (training, files) = self.read_training(file)?;
        Ok(report(&training, &files, "shown"))
    }

    fn merge_trainings(&self, files: &[&Path], out: &Path) -> Answer<TrainingReport> {
        let target = TrainingFiles::new_of(out)?;
        let shards = files.iter().map(|file| self.read_training(file));
        let shards = shards.map(|read| read.map(|(training, _)| training));
        let whole = Training::merged(shards.collect::<Answer<Vec<_>>>()?)?;
        save(&whole, &target)?;
        Ok(report(&whole, &target, "merged"))
    }
}
