//! Rote trainings: begun, resumed, merged, and kept in files.

use std::{path::Path, sync::atomic::Ordering::Relaxed, time::Instant};

use super::{Answer, Desk};
use crate::engine::{
    arena::DrawRules,
    game::{Fault, Game},
    progress::Unit,
    reply::TrainingReport,
    search::Fidelity,
    training::{Shard, Training, TrainingDocument, TrainingSpec, check_new},
};

impl<G: Game> Desk<G> {
    fn play_games(
        &self,
        training: &mut Training<G>,
        file: &Path,
        (action, since): (&'static str, Instant),
    ) -> Answer<TrainingReport> {
        training.save(file)?;
        let games = (Unit::Games, training.document.played);
        let interrupted = self.watching("training", games, |watch| {
            let mut saved = training.document.played;
            while !training.is_done() && !watch.interrupt.load(Relaxed) {
                if !training.play_one(watch.interrupt)? {
                    break;
                }
                let played = training.document.played;
                (watch.progress)(played, training.games());
                if played.is_multiple_of(training.document.spec.save_interval) {
                    training.save(file)?;
                    saved = played;
                }
            }
            // A file that has everything is not written again: killed meanwhile, the program would leave a draft beside it.
            if saved != training.document.played {
                training.save(file)?;
            }
            Ok::<_, Fault>(!training.is_done())
        })?;
        let ms = Some(since.elapsed().as_secs_f64() * 1e3);
        Ok(TrainingReport { interrupted, ms, ..report(training, file, action) })
    }
}

fn report<G: Game>(training: &Training<G>, file: &Path, action: &'static str) -> TrainingReport {
    let TrainingDocument { spec, played, blocks, merged, .. } = &training.document;
    TrainingReport {
        action,
        file: file.display().to_string(),
        rote_file: training.rote_file(file).map(|rote| rote.display().to_string()),
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

door!(
    /// Rote training: tables of learned values in files of their own. The session's cache is not touched.
    pub trait Learning {}

    /// A training by the rules, the weights and the settings in force, so many plies deep; the rest at its default.
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

    /// Begins a training and plays its games, saving at intervals; Ctrl-C stops it at once: the
    /// game at hand is played anew by [`Learning::resume_training`].
    fn train(&self, spec: TrainingSpec, out: &Path) -> Answer<TrainingReport> {
        let happened = ("trained", Instant::now());
        check_new(out)?;
        self.play_games(&mut Training::new(self.game(), spec)?, out, happened)
    }

    /// Goes on with a training; with `games`, to so many over all its shards.
    fn resume_training(&self, file: &Path, games: Option<u64>) -> Answer<TrainingReport> {
        let happened = ("resumed", Instant::now());
        let mut training = Training::read(self.game(), file)?;
        if let Some(games) = games {
            let before = std::mem::replace(&mut training.document.spec.games, games);
            if games < before {
                let what =
                    format!("the training has {before} games already, and {games} are fewer");
                let fault = Fault::new(what).about("games");
                return Err(fault.hint("give as many or more, or leave --games out"));
            }
        }
        self.play_games(&mut training, file, happened)
    }

    /// What is known of a training.
    fn show_training(&self, file: &Path) -> Answer<TrainingReport> {
        Ok(report(&Training::read(self.game(), file)?, file, "shown"))
    }

    /// Puts the tables of all shards of a training together.
    fn merge_trainings(&self, files: &[&Path], out: &Path) -> Answer<TrainingReport> {
        check_new(out)?;
        let shards = files.iter().map(|file| Training::read(self.game(), file));
        let whole = Training::merged(shards.collect::<Answer<Vec<_>>>()?)?;
        whole.save(out)?;
        Ok(report(&whole, out, "merged"))
    }
);
