//! Rote trainings.

use super::{
    Style,
    duel::duels,
    layout::{self, flow, lines, took},
    number::{self, count, counted, signed},
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

/// Blocks that follow each other, put together so that no more than [`ROWS`] are left.
fn gathered(blocks: &[TrainingBlock]) -> Vec<TrainingBlock> {
    let together = blocks.len().div_ceil(ROWS).max(1);
    let gather = |blocks: &[TrainingBlock]| {
        let last = blocks.last()?;
        let mut counts = blocks.first()?.counts;
        for block in &blocks[1..] {
            counts.add(&block.counts);
        }
        counts.entries = last.counts.entries;
        Some(TrainingBlock::new(last.through, counts))
    };
    blocks.chunks(together).filter_map(gather).collect()
}

fn blocks(blocks: &[TrainingBlock], style: Style) -> String {
    if blocks.is_empty() {
        return String::new();
    }
    let mut table = Table::new([
        ("games", Align::Right),
        ("values", Align::Right),
        ("new", Align::Right),
        ("rewritten", Align::Right),
        ("drift", Align::Point),
        ("leaves known", Align::Right),
        ("won lost drawn", Align::Right),
        ("plies", Align::Point),
    ]);
    for block in gathered(blocks) {
        let counts = &block.counts;
        table.row([
            count(block.through),
            count(counts.entries),
            count(counts.new),
            count(counts.rewritten),
            block
                .mean_drift
                .map_or_else(|| style.none().to_owned(), signed),
            number::percent(counts.hits, counts.leaves).unwrap_or_else(|| style.none().to_owned()),
            format!("{} {} {}", counts.white, counts.black, counts.draws),
            format!("{:.1}", counts.plies as f64 / counts.games.max(1) as f64),
        ]);
    }
    lines([
        table.render(style),
        layout::wrap(
            "",
            "(won and lost are White's; drift: mean distance of a value from the one it replaced)",
        ),
    ])
}

fn total(report: &TrainingReport) -> String {
    let counts = &report.total.counts;
    let known = number::percent(counts.hits, counts.leaves);
    let pieces = [
        Some(counted(counts.entries, "value", "values")),
        Some(counted(counts.plies, "move", "moves")),
        Some(counted(counts.nodes, "node", "nodes")),
        known.map(|known| format!("{known} of the leaves known")),
        report
            .total
            .mean_drift
            .map(|drift| format!("drift {}", signed(drift))),
    ];
    flow("in all: ", pieces.into_iter().flatten())
}

fn foot(report: &TrainingReport) -> String {
    let tables = match &report.rote_file {
        Some(rote) => format!(
            "table {} and, in seed 001's format, {rote}",
            report.table_file
        ),
        None => format!("table {}", report.table_file),
    };
    let written = |what: &str, file: &Option<String>| {
        let file = file.as_ref();
        file.map_or(String::new(), |file| format!("{what} written to {file}"))
    };
    lines([
        layout::wrap("", &tables),
        written("charts", &report.svg),
        written("blocks", &report.csv),
        took(report.ms, None),
    ])
}
