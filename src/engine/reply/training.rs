//! Rote trainings.

use serde::Serialize;

use super::{Plot, Reply};
use crate::{
    engine::training::TrainingBlock,
    text::{TextTable, count, counted, flow, layout, lines, took},
};

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
