//! Rote trainings.

use serde::Serialize;

use super::Plot;
use crate::engine::arena::{Duel, training::TrainingBlock};

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
    /// Wall time in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
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
    pub games: Duel,
    /// Wall time in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
}

impl TrainingReport {
    /// How the table grows.
    pub fn plots(&self) -> Vec<Plot> {
        let mut games = 0;
        let points = self.blocks.iter().map(|block| {
            games += block.games;
            (games as f64, block.entries as f64)
        });
        let title = "Learned values";
        vec![Plot::new(title, "games", "values in the table").with(title, points)]
    }
}
