//! Rote trainings.

use serde::Serialize;

use super::{Plot, Reply, duel::duels};
use crate::{
    engine::{arena::training::TrainingBlock, statistics::Duel},
    text::{
        Style,
        layout::{self, flow, lines, took},
        number::{count, counted},
        table::TextTable,
    },
};

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

impl Reply for TrainingReport {
    fn text(&self, style: Style) -> String {
        let table = blocks(&self.blocks, style);
        layout::parts([head(self), table, total(self), foot(self)])
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

impl Reply for TrainingMatch {
    fn text(&self, style: Style) -> String {
        let head = flow(
            "",
            [
                format!("trained by {}:", self.file),
                counted(self.entries, "value", "values"),
                format!("depth {}", self.depth),
                format!("fidelity {}", self.fidelity),
            ],
        );
        let games = &self.games;
        lines([
            head,
            duels(
                "games of the trained player against the untrained one",
                "",
                [(String::new(), games)],
                style,
            ),
            format!(
                "nodes a move: trained {:.0}, untrained {:.0}",
                games.nodes_a_move[0], games.nodes_a_move[1]
            ),
            took(self.ms, None),
        ])
    }

    fn forget_times(&mut self) {
        self.ms = None;
    }
}

/// Rows at most: blocks are put together where there are more.
const ROWS: usize = 20;

fn head(report: &TrainingReport) -> String {
    let played = match (report.done, report.interrupted) {
        (true, _) => format!("{} played", counted(report.games, "game", "games")),
        (false, true) => format!(
            "stopped after {} of {}",
            count(report.played),
            counted(report.games, "game", "games")
        ),
        (false, false) => {
            format!("{} of {} played", count(report.played), counted(report.games, "game", "games"))
        }
    };
    let what = [
        Some(format!("training {}:", report.file)),
        Some(played),
        (report.shard != "1/1").then(|| format!("shard {}", report.shard)),
        (report.merged > 1).then(|| format!("merged from {} shards", report.merged)),
    ];
    let how = [
        report.game.clone(),
        format!("depth {}", report.depth),
        format!("fidelity {}", report.fidelity),
        format!("symmetry {}", if report.symmetry { "on" } else { "off" }),
        format!("seed {}", report.seed),
        format!("saved every {}", counted(report.save_interval, "game", "games")),
    ];
    let resume = (!report.done).then(|| format!("`train resume {}` plays the rest", report.file));
    lines([flow("", what.into_iter().flatten()), flow("", how), resume.unwrap_or_default()])
}

/// The blocks, each with how many games had been played by its end, put together so that no more than [`ROWS`] are left.
fn blocks(blocks: &[TrainingBlock], style: Style) -> String {
    if blocks.is_empty() {
        return String::new();
    }
    let mut table = TextTable::default()
        .right(["games", "values", "won lost drawn"])
        .point(["plies"])
        .right(["nodes"]);
    let together = blocks.len().div_ceil(ROWS).max(1);
    let mut through = 0;
    for blocks in blocks.chunks(together) {
        let mut sum = TrainingBlock::default();
        for block in blocks {
            sum.add(block);
        }
        through += sum.games;
        table.row([
            count(through),
            count(sum.entries),
            format!("{} {} {}", sum.white, sum.black, sum.draws),
            format!("{:.1}", sum.plies as f64 / sum.games.max(1) as f64),
            count(sum.nodes),
        ]);
    }
    lines([table.render(style), "(won and lost are White's)".to_owned()])
}

fn total(report: &TrainingReport) -> String {
    let total = &report.total;
    let pieces = [
        counted(total.entries, "value", "values"),
        counted(total.plies, "move", "moves"),
        counted(total.nodes, "node", "nodes"),
    ];
    flow("in all: ", pieces)
}

fn foot(report: &TrainingReport) -> String {
    let tables = match &report.rote_file {
        Some(rote) => format!("table {} and, in seed 001's format, {rote}", report.table_file),
        None => format!("table {}", report.table_file),
    };
    lines([
        layout::wrap("", &tables),
        report.svg.as_ref().map_or(String::new(), |file| format!("chart written to {file}")),
        took(report.ms, None),
    ])
}
