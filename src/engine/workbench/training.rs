//! Rote trainings: begun, resumed, merged, and kept in files.

use std::{path::Path, sync::atomic::Ordering::Relaxed, time::Instant};

use super::{Answer, Desk};
use crate::engine::{
    arena::DrawRules,
    cachefile::Watch,
    game::{Fault, Game},
    progress::Unit,
    reply::TrainingReport,
    search::Fidelity,
    training::{Shard, Training, TrainingDocument, TrainingFiles, TrainingSpec},
};

impl<G: Game> Desk<G> {
    /// Plays the games that are left, saving as it goes.
    fn play_games(
        &self,
        training: &mut Training<G>,
        files: &TrainingFiles,
        (action, since): (&'static str, Instant),
    ) -> Answer<TrainingReport> {
        files.save(training)?;
        let games = (Unit::Games, training.document.played);
        let interrupted =
            self.watching("training", games, |watch| play_and_save(training, files, watch))?;
        let ms = Some(since.elapsed().as_secs_f64() * 1e3);
        Ok(TrainingReport { interrupted, ms, ..report(training, files, action) })
    }

    fn read_training(&self, file: &Path) -> Answer<(Training<G>, TrainingFiles)> {
        let files = TrainingFiles::of(file)?;
        Ok((files.read(self.game())?, files))
    }
}

/// Plays the games that are left; whether the user stopped it.
fn play_and_save<G: Game>(
    training: &mut Training<G>,
    files: &TrainingFiles,
    watch: &mut Watch,
) -> Answer<bool> {
    while !training.is_done() {
        if watch.interrupt.load(Relaxed) {
            files.save(training)?;
            return Ok(true);
        }
        training.play_one()?;
        let played = training.document.played;
        (watch.progress)(played, training.games());
        if played.is_multiple_of(training.document.spec.save_interval) || training.is_done() {
            files.save(training)?;
        }
    }
    Ok(false)
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
        rote_file: files.rote.exists().then(|| text(&files.rote)),
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
    /// A training by the rules, the weights and the settings in force, so many plies deep; the rest at its default.
    fn training_spec(&self, depth: u8, fidelity: Option<&str>) -> Answer<TrainingSpec>;
    /// Begins a training and plays its games; Ctrl-C stops it after a game. It is saved at the beginning, at its
    /// intervals and at the end.
    fn train(&self, spec: TrainingSpec, out: &Path) -> Answer<TrainingReport>;
    /// Goes on with a training; with `games`, to so many over all its shards.
    fn resume_training(&self, file: &Path, games: Option<u64>) -> Answer<TrainingReport>;
    /// What is known of a training.
    fn show_training(&self, file: &Path) -> Answer<TrainingReport>;
    /// Puts the tables of all shards of a training together.
    fn merge_trainings(&self, files: &[&Path], out: &Path) -> Answer<TrainingReport>;
}

impl<G: Game> Learning for Desk<G> {
    fn training_spec(&self, depth: u8, fidelity: Option<&str>) -> Answer<TrainingSpec> {
        let mut settings = TrainingSpec::settings(self.settings(), depth);
        if let Some(fidelity) = fidelity {
            settings.set("fidelity", fidelity)?;
        }
        let seed_like = settings.fidelity == Fidelity::Seed && !G::HISTORIC;
        let rules = self.game().rules().into_iter();
        Ok(TrainingSpec {
            game: G::NAME.to_owned(),
            rules: rules.map(|rule| (rule.name, rule.value)).collect(),
            weights: self.run.searcher.weights.clone(),
            draws: if seed_like { DrawRules::SEED } else { DrawRules::usual::<G>() },
            games: 100,
            save_interval: 10,
            seed: self.settings().seed,
            shard: Shard::WHOLE,
            settings,
        })
    }

    fn train(&self, spec: TrainingSpec, out: &Path) -> Answer<TrainingReport> {
        let happened = ("trained", Instant::now());
        let files = TrainingFiles::new_of(out)?;
        let mut training = Training::new(self.game(), spec)?;
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

    fn show_training(&self, file: &Path) -> Answer<TrainingReport> {
        let (training, files) = self.read_training(file)?;
        Ok(report(&training, &files, "shown"))
    }

    fn merge_trainings(&self, files: &[&Path], out: &Path) -> Answer<TrainingReport> {
        let target = TrainingFiles::new_of(out)?;
        let shards = files.iter().map(|file| self.read_training(file));
        let shards = shards.map(|read| read.map(|(training, _)| training));
        let whole = Training::merged(shards.collect::<Answer<Vec<_>>>()?)?;
        target.save(&whole)?;
        Ok(report(&whole, &target, "merged"))
    }
}
