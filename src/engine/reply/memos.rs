//! Memo policies side by side.

use std::ops::AddAssign;

use serde::Serialize;

use super::{CacheCounters, Reply, Score};
use crate::text::{
    Style,
    layout::{flow, lines},
    number::{self, count, counted},
    table::TextTable,
};

/// Every memo policy in both fidelities on the same positions, each with a cache of its own.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MemoComparison {
    /// The remaining depth of each search.
    pub depth: u8,
    /// The positions, each with its searches.
    pub positions: Vec<MemoPosition>,
    /// Each policy over all positions.
    pub totals: Vec<MemoRow>,
    /// Whether every search found the value that the search without memo in `sound` fidelity finds.
    pub agree: bool,
}

impl MemoComparison {
    /// Adds up the rows of all positions, policy by policy.
    pub fn new(depth: u8, positions: Vec<MemoPosition>) -> Self {
        let mut rows = positions.iter().map(|position| &position.rows);
        let mut totals = rows.next().cloned().unwrap_or_default();
        for rows in rows {
            for (total, row) in totals.iter_mut().zip(rows) {
                *total += row;
            }
        }
        let agree = totals.iter().all(|row| row.differing == 0);
        Self { depth, positions, totals, agree }
    }
}

impl Reply for MemoComparison {
    fn text(&self, style: Style) -> String {
        let depth = format!("depth {}", self.depth);
        let title = match self.positions.as_slice() {
            [only] => flow("", [only.state.clone(), depth]),
            several => {
                let positions = counted(several.len() as u64, "position", "positions");
                flow("", [positions, depth])
            }
        };
        let verdict = if self.agree {
            "every search finds the value of the search without memo in sound fidelity"
        } else {
            "* not the value of the search without memo in sound fidelity"
        };
        lines([
            title,
            values(&self.totals, style),
            cache(&self.totals, style),
            verdict.to_owned(),
            differing(self, style),
        ])
    }

    fn forget_times(&mut self) {
        let rows = self.positions.iter_mut().flat_map(|position| &mut position.rows);
        for row in rows.chain(&mut self.totals) {
            (row.ms, row.table_ms) = (None, None);
        }
    }
}

/// One position's searches.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MemoPosition {
    /// The position.
    pub state: String,
    /// What the search without memo in `sound` fidelity finds.
    pub value: Score,
    /// A search for each policy and fidelity.
    pub rows: Vec<MemoRow>,
}

impl MemoPosition {
    /// Compares all rows with the first one, the search without memo in `sound` fidelity.
    pub fn new(state: String, mut rows: Vec<MemoRow>) -> Self {
        let value = rows.first().and_then(|row| row.value).unwrap_or(Score::ZERO);
        for row in &mut rows {
            row.differing = u64::from(row.value != Some(value));
        }
        Self { state, value, rows }
    }
}

/// One search, or all searches under one policy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MemoRow {
    /// The memo policy.
    pub memo: &'static str,
    /// The fidelity.
    pub fidelity: &'static str,
    /// The value, for the side to move; none for several positions.
    pub value: Option<Score>,
    /// In how many positions it is not the one that the search without memo in `sound` fidelity finds.
    pub differing: u64,
    /// States visited.
    pub nodes: u64,
    /// Cutoffs at β.
    pub cutoffs: u64,
    /// What the search asked of its cache.
    #[serde(flatten)]
    pub cache: CacheCounters,
    /// Memory of the entries in bytes.
    pub bytes: u64,
    /// Milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// How many of them the look-ups and stores in the table take, estimated by timing as many in the table as the search
    /// left it, in random order. None under policies that nodes do not ask.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table_ms: Option<f64>,
}

impl AddAssign<&Self> for MemoRow {
    fn add_assign(&mut self, row: &Self) {
        let sum = |one: Option<f64>, other: Option<f64>| Some(one? + other?);
        self.value = None;
        self.differing += row.differing;
        self.nodes += row.nodes;
        self.cutoffs += row.cutoffs;
        self.cache += row.cache;
        self.bytes += row.bytes;
        self.ms = sum(self.ms, row.ms);
        self.table_ms = sum(self.table_ms, row.table_ms);
    }
}

/// Positions with differing values that are listed; the rest are only counted.
const NAMED: usize = 10;

fn values(rows: &[MemoRow], style: Style) -> String {
    let table = TextTable::default().left(["memo", "fidelity"]);
    let table = if rows.iter().all(|row| row.value.is_some()) {
        table.point(["value"])
    } else {
        table.right(["differing"])
    };
    let mut table = table.right(["nodes", "cutoffs", "time"]);
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
    let counts = ["hits", "invalid", "misses", "stores", "entries", "memory", "of the time"];
    let mut table = TextTable::default().left(["memo", "fidelity"]).right(counts);
    for row in rows.iter().filter(|row| row.memo != "none") {
        table.row([
            row.memo.to_owned(),
            row.fidelity.to_owned(),
            count(row.cache.hits),
            count(row.cache.invalid),
            count(row.cache.misses),
            count(row.cache.stores),
            count(row.cache.entries as u64),
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

/// The positions on which some policies differ, if several positions were searched.
fn differing(report: &MemoComparison, style: Style) -> String {
    if report.positions.len() < 2 {
        return String::new();
    }
    let mut described = report.positions.iter().filter_map(|position| {
        let rows = position.rows.iter().filter(|row| row.differing > 0).map(|row| {
            let value = number::score_or_none(row.value, style);
            format!("{} {} {value}", row.memo, row.fidelity)
        });
        let mut rows = rows.peekable();
        rows.peek()?;
        let value = number::score(position.value, style);
        let head = format!("{}  {value}, but", position.state);
        Some(flow("  ", std::iter::once(head).chain(rows)))
    });
    let named: Vec<_> = described.by_ref().take(NAMED).collect();
    let more = described.count();
    let more = (more > 0).then(|| format!("  and {} more", count(more as u64)));
    lines(named.into_iter().chain(more))
}
