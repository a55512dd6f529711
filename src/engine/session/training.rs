//! Rote training by self-play (as in seed 001): starting, resuming, showing and merging.

use std::{path::Path, sync::atomic::Ordering::Relaxed, time::Instant};

use serde::Serialize;

use super::{Session, plot::Plot, reply::Reply};

use crate::{
    engine::{
        arena::DrawRules,
        game::{Fault, Game, Result},
        progress::Unit,
        search::Fidelity,
        training::{Shard, Training, TrainingBlock, TrainingDocument, TrainingSpec, check_new},
    },
    text::{TextTable, count, counted, flow, layout, lines, or_empty, timing},
};

impl<G: Game> Session<G> {
    fn play_games(
        &self,
        training: &mut Training<G>,
        file: &Path,
        action: &'static str,
        start: Instant,
    ) -> Result<TrainingReport> {
        training.save(file)?;
        let before = training.document.played;
        let interrupted = self.watching("training", Unit::Games, before, |watch| {
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
            // If the last game was saved already, nothing is saved: a kill during that save would leave a temporary file.
            if saved != training.document.played {
                training.save(file)?;
            }
            Ok::<_, Fault>(!training.is_done())
        })?;
        let ms = Some(start.elapsed().as_secs_f64() * 1e3);
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

/// Commands for rote training. Learned values go to files of their own; the session's cache stays unchanged.
pub trait TrainingCommands {
    /// A new training with the rules, weights and settings in force; searches go to `depth` plies.
    fn training_spec(&self, depth: u8, fidelity: Option<&str>) -> Result<TrainingSpec>;
    /// Plays the games of a new training, and saves the training at intervals. An interrupt stops at once, even in the middle
    /// of a game, which [`TrainingCommands::resume_training`] plays again.
    fn train(&self, spec: TrainingSpec, out: &Path) -> Result<TrainingReport>;
    /// Plays the remaining games of a training. `games` is a new, greater number of games of all shards together.
    fn resume_training(&self, file: &Path, games: Option<u64>) -> Result<TrainingReport>;
    /// Reads a training file and describes its progress.
    fn show_training(&self, file: &Path) -> Result<TrainingReport>;
    /// Merges the learned values of all shards of a training into a new file.
    fn merge_trainings(&self, files: &[&Path], out: &Path) -> Result<TrainingReport>;
}

impl<G: Game> TrainingCommands for Session<G> {
    fn training_spec(&self, depth: u8, fidelity: Option<&str>) -> Result<TrainingSpec> {
        let mut settings = TrainingSpec::settings(&self.usual().settings, depth);
        if let Some(fidelity) = fidelity {
            settings.set("fidelity", fidelity)?;
        }
        let seed_like = settings.fidelity == Fidelity::Seed && !G::USES_HISTORY;
        let rules = self.game().rules().into_iter();
        Ok(TrainingSpec {
            game: G::NAME.to_owned(),
            rules: rules.map(|rule| (rule.name, rule.value)).collect(),
            weights: self.run.searcher.weights.clone(),
            draws: if seed_like { DrawRules::SEED } else { DrawRules::usual::<G>() },
            games: 100,
            save_interval: 10,
            seed: self.usual().settings.seed,
            shard: Shard::WHOLE,
            settings,
        })
    }

    fn train(&self, spec: TrainingSpec, out: &Path) -> Result<TrainingReport> {
        let start = Instant::now();
        check_new(out)?;
        self.play_games(&mut Training::new(self.game(), spec)?, out, "trained", start)
    }

    fn resume_training(&self, file: &Path, games: Option<u64>) -> Result<TrainingReport> {
        let start = Instant::now();
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
        self.play_games(&mut training, file, "resumed", start)
    }

    fn show_training(&self, file: &Path) -> Result<TrainingReport> {
        Ok(report(&Training::read(self.game(), file)?, file, "shown"))
    }

    fn merge_trainings(&self, files: &[&Path], out: &Path) -> Result<TrainingReport> {
        check_new(out)?;
        let shards = files.iter().map(|file| Training::read(self.game(), file));
        let merged = Training::merged(shards.collect::<Result<Vec<_>>>()?)?;
        merged.save(out)?;
        Ok(report(&merged, out, "merged"))
    }
}

/// The reply of the `train` commands: settings and progress of a training.
#[derive(Clone, Debug, Serialize)]
pub struct TrainingReport {
    /// What the command did with the training: `trained`, `resumed`, `shown` or `merged`.
    pub(crate) action: &'static str,
    /// The path of the training file, which ends with the learned values.
    pub file: String,
    /// The path of the learned values in seed 001's format; `None` if the game has no keys in that format.
    pub rote_file: Option<String>,
    pub(crate) game: String,
    /// Depth of each search in plies.
    pub(crate) depth: u8,
    pub(crate) fidelity: &'static str,
    pub(crate) symmetry: bool,
    pub(crate) seed: u64,
    /// The number of the shard and the number of shards, as in `2/4`; `1/1` if the training is not split.
    pub(crate) shard: String,
    /// The number of shards merged into this training; 1 if it was not merged.
    pub merged: u64,
    /// Number of games of this shard, played or not.
    pub(crate) games: u64,
    /// Number of games played so far.
    pub played: u64,
    /// Whether all games of this shard have been played.
    pub done: bool,
    /// Whether an interrupt stopped the training.
    pub interrupted: bool,
    /// Number of games between two saves; also the number of games in a block.
    pub(crate) save_interval: u64,
    /// The totals of all blocks.
    pub total: TrainingBlock,
    /// Statistics of successive blocks of `save_interval` games.
    pub blocks: Vec<TrainingBlock>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ms: Option<f64>,
}

impl Reply for TrainingReport {
    fn text(&self) -> String {
        let played = match (self.done, counted(self.games, "game", "games")) {
            (true, games) => format!("{games} played"),
            (false, games) => format!("{} of {games} played", count(self.played)),
        };
        let what = [
            Some(format!("training {}:", self.file)),
            Some(played),
            (self.shard != "1/1").then(|| format!("shard {}", self.shard)),
            (self.merged > 1).then(|| format!("merged from {} shards", self.merged)),
        ];
        let how = [
            self.game.clone(),
            format!("depth {}", self.depth),
            format!("fidelity {}", self.fidelity),
            format!("symmetry {}", if self.symmetry { "on" } else { "off" }),
            format!("seed {}", self.seed),
            format!("saved every {}", counted(self.save_interval, "game", "games")),
        ];
        let resume = (!self.done).then(|| format!("`train resume {}` plays the rest", self.file));
        let total = [
            counted(self.total.entries, "value", "values"),
            counted(self.total.plies, "move", "moves"),
            counted(self.total.nodes, "node", "nodes"),
        ];
        let rote = self.rote_file.as_ref();
        let rote = rote.map(|rote| format!("the table is in {rote} too, in seed 001's format"));
        layout::parts([
            lines([flow("", what.into_iter().flatten()), flow("", how), or_empty(resume)]),
            blocks(&self.blocks),
            flow("in all: ", total),
            lines([or_empty(rote), timing(self.ms, None)]),
        ])
    }

    fn times_mut(&mut self) -> Vec<&mut Option<f64>> {
        vec![&mut self.ms]
    }

    /// A chart of the number of learned values over games.
    fn plots(&self) -> Vec<Plot> {
        let mut games = 0;
        let points = self.blocks.iter().map(|block| {
            games += block.games;
            (games as f64, block.entries as f64)
        });
        let title = "Learned values";
        vec![Plot::new(title, "games", "values in the table").with_series(title, points)]
    }
}

/// The blocks as a table; successive blocks are combined so that the table fits on a screen.
fn blocks(blocks: &[TrainingBlock]) -> String {
    const ROWS: usize = 20;
    let mut games = 0;
    let sums = blocks.chunks(blocks.len().div_ceil(ROWS).max(1)).map(|blocks| {
        let sum = TrainingBlock::sum(blocks);
        games += sum.games;
        (games, sum)
    });
    let table = TextTable::of(sums)
        .right("games", |(games, _)| count(*games))
        .right("values", |(_, sum)| count(sum.entries))
        .right("won lost drawn", |(_, sum)| format!("{} {} {}", sum.white, sum.black, sum.draws))
        .point("plies", |(_, sum)| format!("{:.1}", sum.plies as f64 / sum.games.max(1) as f64))
        .right("nodes", |(_, sum)| count(sum.nodes));
    if blocks.is_empty() {
        return String::new();
    }
    lines([table.render(), "(won and lost are White's)".to_owned()])
}
