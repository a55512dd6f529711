//! Rote trainings.

use serde::Serialize;

use super::{DuelReport, Plot};
use crate::engine::arena::training::Block;

/// A training: what it is, how far it has come, what happened.
#[derive(Clone, Debug, Serialize)]
pub struct TrainingReport {
    /// `trained`, `resumed`, `shown` or `merged`.
    pub action: &'static str,
    /// Its document.
    pub file: String,
    /// Its table in our own format.
    pub table_file: String,
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
    /// The file of the charts.
    pub svg: Option<String>,
    /// The file of the blocks.
    pub csv: Option<String>,
    /// Wall time in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
}

/// What happened in some games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TrainingBlock {
    /// Games played by the end of them.
    pub through: u64,
    /// What is counted.
    #[serde(flatten)]
    pub counts: Block,
    /// The part of the leaves whose value the table knew.
    pub hit_rate: Option<f64>,
    /// The mean distance of a value from the one it replaced.
    pub mean_drift: Option<f64>,
}

/// Games of the trained player against one with the same search and no table.
#[derive(Clone, Debug, Serialize)]
pub struct TrainingMatch {
    /// The training's document.
    pub file: String,
    /// Values in its table.
    pub entries: u64,
    /// Plies from the root of each search.
    pub depth: u8,
    /// `sound` or `seed`.
    pub fidelity: &'static str,
    /// What came of the games, from the trained player's side.
    pub games: DuelReport,
    /// Wall time in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
}

impl TrainingBlock {
    /// Games up to the `through`-th.
    pub fn new(through: u64, counts: Block) -> Self {
        Self {
            through,
            hit_rate: counts.hit_rate(),
            mean_drift: counts.mean_drift(),
            counts,
        }
    }
}

impl TrainingReport {
    /// How the table grows, how often it is of use, and how far its values still move.
    pub fn plots(&self) -> Vec<Plot> {
        let points = |of: fn(&TrainingBlock) -> Option<f64>| {
            let point = move |block: &TrainingBlock| Some((block.through as f64, of(block)?));
            self.blocks.iter().filter_map(point).collect::<Vec<_>>()
        };
        let plot = |title: &str, y: &str, of| Plot::new(title, "games", y).with(title, points(of));
        vec![
            plot("Learned values", "values in the table", |block| {
                Some(block.counts.entries as f64)
            }),
            plot("Leaves that the table knew", "%", |block| {
                block.hit_rate.map(|rate| rate * 100.0)
            }),
            plot("Drift of rewritten values", "mean distance", |block| {
                block.mean_drift
            }),
        ]
    }

    /// The blocks as comma-separated values, with a heading.
    pub fn csv_text(&self) -> String {
        let mut text = String::from(
            "through,games,white,black,draws,plies,nodes,leaves,hits,hit_rate,new,rewritten,drift,mean_drift,entries\n",
        );
        let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
        for block in &self.blocks {
            let counts = &block.counts;
            let cells = [
                block.through.to_string(),
                counts.games.to_string(),
                counts.white.to_string(),
                counts.black.to_string(),
                counts.draws.to_string(),
                counts.plies.to_string(),
                counts.nodes.to_string(),
                counts.leaves.to_string(),
                counts.hits.to_string(),
                number(block.hit_rate),
                counts.new.to_string(),
                counts.rewritten.to_string(),
                counts.drift.to_string(),
                number(block.mean_drift),
                counts.entries.to_string(),
            ];
            text.push_str(&cells.join(","));
            text.push('\n');
        }
        text
    }
}
