//! Rote trainings.

use super::{
    Style,
    duel::duels,
    layout::{self, flow, lines, took},
    number::{count, counted},
    table::{Align, Table},
};
use crate::engine::report::{TrainingBlock, TrainingMatch, TrainingReport};

/// Rows at most: blocks are put together where there are more.
const ROWS: usize = 20;

pub(super) fn training(report: &TrainingReport, style: Style) -> String {
    let table = blocks(&report.blocks, style);
    let parts = [head(report), table, total(report), foot(report)];
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("\n\n")
}

pub(super) fn contest(report: &TrainingMatch, style: Style) -> String {
    let head = flow(
        "",
        [
            format!("trained by {}:", report.file),
            counted(report.entries, "value", "values"),
            format!("depth {}", report.depth),
            format!("fidelity {}", report.fidelity),
        ],
    );
    let games = &report.games;
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
        took(report.ms, None),
    ])
}

fn head(report: &TrainingReport) -> String {
    let played = match (report.done, report.interrupted) {
        (true, _) => format!("{} played", counted(report.games, "game", "games")),
        (false, true) => format!(
            "stopped after {} of {}",
            count(report.played),
            counted(report.games, "game", "games")
        ),
        (false, false) => format!(
            "{} of {} played",
            count(report.played),
            counted(report.games, "game", "games")
        ),
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
        format!(
            "saved every {}",
            counted(report.save_interval, "game", "games")
        ),
    ];
    let resume = (!report.done).then(|| format!("`train resume {}` plays the rest", report.file));
    lines([
        flow("", what.into_iter().flatten()),
        flow("", how),
        resume.unwrap_or_default(),
    ])
}

/// The blocks, each with how many games had been played by its end, put together so that no more than [`ROWS`] are left.
fn blocks(blocks: &[TrainingBlock], style: Style) -> String {
    if blocks.is_empty() {
        return String::new();
    }
    let mut table = Table::new([
        ("games", Align::Right),
        ("values", Align::Right),
        ("won lost drawn", Align::Right),
        ("plies", Align::Point),
        ("nodes", Align::Right),
    ]);
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
        Some(rote) => format!(
            "table {} and, in seed 001's format, {rote}",
            report.table_file
        ),
        None => format!("table {}", report.table_file),
    };
    lines([
        layout::wrap("", &tables),
        report
            .svg
            .as_ref()
            .map_or(String::new(), |file| format!("chart written to {file}")),
        took(report.ms, None),
    ])
}
