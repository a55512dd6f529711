//! Rote trainings: begun, resumed, merged, and kept in files.

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
    text::{TextTable, count, counted, flow, layout, lines, took},
};

impl<G: Game> Session<G> {
    fn play_games(
        &self,
        training: &mut Training<G>,
        file: &Path,
        (action, since): (&'static str, Instant),
    ) -> Result<TrainingReport> {
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

/// Rote training: tables of learned values in files of their own. The session's cache is not touched.
pub trait TrainingCommands {
    /// A training by the rules, the weights and the settings in force, so many plies deep; the rest at its default.
    fn training_spec(&self, depth: u8, fidelity: Option<&str>) -> Result<TrainingSpec>;
    /// Begins a training and plays its games, saving at intervals; Ctrl-C stops it at once: the
    /// game at hand is played anew by [`TrainingCommands::resume_training`].
    fn train(&self, spec: TrainingSpec, out: &Path) -> Result<TrainingReport>;
    /// Goes on with a training; with `games`, to so many over all its shards.
    fn resume_training(&self, file: &Path, games: Option<u64>) -> Result<TrainingReport>;
    /// What is known of a training.
    fn show_training(&self, file: &Path) -> Result<TrainingReport>;
    /// Puts the tables of all shards of a training together.
    fn merge_trainings(&self, files: &[&Path], out: &Path) -> Result<TrainingReport>;
}

impl<G: Game> TrainingCommands for Session<G> {
    fn training_spec(&self, depth: u8, fidelity: Option<&str>) -> Result<TrainingSpec> {
        let mut settings = TrainingSpec::settings(self.settings(), depth);
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
            seed: self.settings().seed,
            shard: Shard::WHOLE,
            settings,
        })
    }

    fn train(&self, spec: TrainingSpec, out: &Path) -> Result<TrainingReport> {
        let happened = ("trained", Instant::now());
        check_new(out)?;
        self.play_games(&mut Training::new(self.game(), spec)?, out, happened)
    }

    fn resume_training(&self, file: &Path, games: Option<u64>) -> Result<TrainingReport> {
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

    fn show_training(&self, file: &Path) -> Result<TrainingReport> {
        Ok(report(&Training::read(self.game(), file)?, file, "shown"))
    }

    fn merge_trainings(&self, files: &[&Path], out: &Path) -> Result<TrainingReport> {
        check_new(out)?;
        let shards = files.iter().map(|file| Training::read(self.game(), file));
        let whole = Training::merged(shards.collect::<Result<Vec<_>>>()?)?;
        whole.save(out)?;
        Ok(report(&whole, out, "merged"))
    }
}

/// A training: what it is, how far it has come, what happened.
#[derive(Clone, Debug, Serialize)]
pub struct TrainingReport {
    /// `trained`, `resumed`, `shown` or `merged`.
    pub action: &'static str,
    /// Its document, with the table below it.
    pub file: String,
    /// Its table in seed 001's format, where the game has keys for that.
    pub rote_file: Option<String>,
    /// The game.
    pub game: String,
    /// Plies from the root of each search.
    pub depth: u8,
    /// `sound` or `seed`.
    pub fidelity: &'static str,
    /// Whether symmetric positions share what is learned.
    pub symmetry: bool,
    /// What random choices start from.
    pub seed: u64,
    /// Which part of the training this is, `1/1` for all of it.
    pub shard: String,
    /// How many tables it was merged from; 1 where it was not.
    pub merged: u64,
    /// Games that this part has.
    pub games: u64,
    /// Games played.
    pub played: u64,
    /// Whether all are.
    pub done: bool,
    /// Whether the user stopped it.
    pub interrupted: bool,
    /// Games between two saves, and in a block.
    pub save_interval: u64,
    /// All that happened.
    pub total: TrainingBlock,
    /// Block by block.
    pub blocks: Vec<TrainingBlock>,
    /// Wall time in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
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
            lines([
                flow("", what.into_iter().flatten()),
                flow("", how),
                resume.unwrap_or_default(),
            ]),
            blocks(&self.blocks),
            flow("in all: ", total),
            lines([rote.unwrap_or_default(), took(self.ms, None)]),
        ])
    }

    fn forget_times(&mut self) {
        self.ms = None;
    }

    fn has_times(&self) -> bool {
        self.ms.is_some()
    }

    /// How the table grows.
    fn plots(&self) -> Vec<Plot> {
        let mut games = 0;
        let points = self.blocks.iter().map(|block| {
            games += block.games;
            (games as f64, block.entries as f64)
        });
        let title = "Learned values";
        vec![Plot::new(title, "games", "values in the table").with(title, points)]
    }
}

/// Rows at most: blocks are put together where there are more.
const ROWS: usize = 20;

/// The blocks, each with how many games had been played by its end, put together so that no more than [`ROWS`] are left.
fn blocks(blocks: &[TrainingBlock]) -> String {
    let mut through = 0;
    let sums = blocks.chunks(blocks.len().div_ceil(ROWS).max(1)).map(|blocks| {
        let sum = TrainingBlock::sum(blocks);
        through += sum.games;
        (through, sum)
    });
    let table = TextTable::of(sums)
        .right("games", |(through, _)| count(*through))
        .right("values", |(_, sum)| count(sum.entries))
        .right("won lost drawn", |(_, sum)| format!("{} {} {}", sum.white, sum.black, sum.draws))
        .point("plies", |(_, sum)| format!("{:.1}", sum.plies as f64 / sum.games.max(1) as f64))
        .right("nodes", |(_, sum)| count(sum.nodes));
    if blocks.is_empty() {
        return String::new();
    }
    lines([table.render(), "(won and lost are White's)".to_owned()])
}
