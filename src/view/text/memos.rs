//! Memo policies side by side.

use super::{
    Style,
    layout::{flow, lines},
    number::{self, count, counted},
    table::{Align, Table},
};
use crate::engine::report::{MemoComparison, MemoRow};

/// Positions with differing values that are named; more are counted.
const NAMED: usize = 10;

pub(super) fn comparison(report: &MemoComparison, style: Style) -> String {
    let depth = format!("depth {}", report.depth);
    let title = match report.positions.as_slice() {
        [only] => flow("", [only.state.clone(), depth]),
        several => {
            let positions = counted(several.len() as u64, "position", "positions");
            flow("", [positions, depth])
        }
    };
    let verdict = if report.agree {
        "every search finds the value of the search without memo in sound fidelity"
    } else {
        "* not the value of the search without memo in sound fidelity"
    };
    lines([
        title,
        values(&report.totals, style),
        cache(&report.totals, style),
        verdict.to_owned(),
        differing(report, style),
    ])
}

fn values(rows: &[MemoRow], style: Style) -> String {
    let single = rows.iter().all(|row| row.value.is_some());
    let found = if single { "value" } else { "differing" };
    let heads = [
        ("memo", Align::Left),
        ("fidelity", Align::Left),
        (found, if single { Align::Point } else { Align::Right }),
        ("nodes", Align::Right),
        ("cutoffs", Align::Right),
        ("time", Align::Right),
    ];
    let mut table = Table::new(heads);
    for row in rows {
        let mark = if row.differing > 0 { "*" } else { "" };
        let found = match row.value {
            Some(value) => number::score(value, style),
            None => count(row.differing),
        };
        table.row([
            row.memo.to_owned(),
            row.fidelity.to_owned(),
            format!("{mark}{found}"),
            count(row.nodes),
            count(row.cutoffs),
            number::time_or_none(row.ms),
        ]);
    }
    table.render(style)
}

fn cache(rows: &[MemoRow], style: Style) -> String {
    let counts = [
        "hits",
        "invalid",
        "misses",
        "stores",
        "entries",
        "memory",
        "of the time",
    ];
    let heads = [("memo", Align::Left), ("fidelity", Align::Left)];
    let heads = heads
        .into_iter()
        .chain(counts.map(|name| (name, Align::Right)));
    let mut table = Table::new(heads);
    for row in rows.iter().filter(|row| row.memo != "none") {
        table.row([
            row.memo.to_owned(),
            row.fidelity.to_owned(),
            count(row.hits),
            count(row.invalid),
            count(row.misses),
            count(row.stores),
            count(row.entries),
            number::bytes(row.bytes),
            share(row).unwrap_or_default(),
        ]);
    }
    table.render(style)
}

/// The table's share of the time.
fn share(row: &MemoRow) -> Option<String> {
    let whole = (row.ms? * 1e6).round();
    let part = (row.table_ms? * 1e6).round().min(whole);
    number::percent(whole_number(part), whole_number(whole))
}

#[expect(clippy::cast_sign_loss, reason = "times are not negative")]
fn whole_number(number: f64) -> u64 {
    number as u64
}

/// Where several positions were searched: those on which some policies differ.
fn differing(report: &MemoComparison, style: Style) -> String {
    if report.positions.len() < 2 {
        return String::new();
    }
    let differ = |row: &&MemoRow| row.differing > 0;
    let differing = report.positions.iter().filter(|position| {
        let rows = &position.rows;
        rows.iter().any(|row| row.differing > 0)
    });
    let described = differing.clone().take(NAMED).map(|position| {
        let rows = position.rows.iter().filter(differ).map(|row| {
            let value = number::score_or_none(row.value, style);
            format!("{} {} {value}", row.memo, row.fidelity)
        });
        let value = number::score(position.value, style);
        let head = format!("{}  {value}, but", position.state);
        flow("  ", std::iter::once(head).chain(rows))
    });
    let more = differing.count().saturating_sub(NAMED);
    let more = (more > 0).then(|| format!("  and {} more", count(more as u64)));
    lines(described.chain(more))
}
