//! Searches of the same positions under several settings, side by side.

use std::{collections::BTreeMap, ops::AddAssign};

use serde::Serialize;

use super::{CacheCounters, Reply, Score, SuiteHead, nth_line, weighing};
use crate::text::{Style, TextTable, count, flow, layout, lines, number, width};

/// What a comparison of searches is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparisonKind {
    /// Nodes and time of any settings: `search compare`.
    Searches,
    /// What is asked of the cache under each memo policy: `memo compare`.
    Memos,
}

/// The same positions searched under several settings, each search with a cache of its own.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SearchComparison {
    /// What it is about.
    #[serde(skip)]
    pub kind: ComparisonKind,
    /// The positions in a few words.
    #[serde(flatten)]
    pub head: SuiteHead,
    /// Plies from the root of each search.
    pub depth: u8,
    /// The positions, each with its searches.
    #[serde(skip)]
    pub positions: Vec<ComparedPosition>,
    /// The searches of all positions together: a row for each variant, the base first.
    #[serde(rename = "variants")]
    pub totals: Vec<ComparedRow>,
    /// Whether all values are those that the base finds.
    pub agree: bool,
}

impl SearchComparison {
    /// Adds up the rows of all positions, variant by variant.
    pub fn new(
        kind: ComparisonKind,
        head: SuiteHead,
        depth: u8,
        positions: Vec<ComparedPosition>,
    ) -> Self {
        let mut rows = positions.iter().map(|position| &position.rows);
        let mut totals = rows.next().cloned().unwrap_or_default();
        for rows in rows {
            for (total, row) in totals.iter_mut().zip(rows) {
                *total += row;
            }
        }
        for (nth, total) in totals.iter_mut().enumerate() {
            let sum: f64 = positions.iter().map(|at| at.rows[nth].branching.ln()).sum();
            total.branching = (sum / positions.len() as f64).exp();
        }
        set_ratios(&mut totals);
        let agree = totals.iter().all(|row| row.differing == 0);
        Self { kind, head, depth, positions, totals, agree }
    }

    /// How many values are not those that the base finds.
    pub fn differing(&self) -> u64 {
        self.totals.iter().map(|row| row.differing).sum()
    }
}

impl Reply for SearchComparison {
    fn text(&self, style: Style) -> String {
        let head = weighing::head(&self.head, Some(self.depth));
        lines([head, table(self, style), verdict(self, style), differing(self, style)])
    }

    fn forget_times(&mut self) {
        let rows = self.positions.iter_mut().flat_map(|position| &mut position.rows);
        for row in rows.chain(&mut self.totals) {
            (row.ms, row.ratio_ms, row.table_ms) = (None, None, None);
        }
    }

    fn line(&self, style: Style) -> String {
        nth_line(&verdict(self, style), 0, style)
    }
}

/// One position's searches.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedPosition {
    /// The position.
    pub state: String,
    /// What the base finds, for the side to move.
    pub value: Option<Score>,
    /// A search for each variant, the base first.
    pub rows: Vec<ComparedRow>,
}

impl ComparedPosition {
    /// Compares all rows with the first one, the base.
    pub fn new(state: String, mut rows: Vec<ComparedRow>) -> Self {
        let value = rows.first().and_then(|row| row.value);
        for row in &mut rows {
            row.differing = u64::from(row.value != value);
        }
        set_ratios(&mut rows);
        Self { state, value, rows }
    }
}

/// One search, or the searches of all positions under the same settings.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ComparedRow {
    /// The settings that tell it from the others, as `search set` reads them.
    pub settings: String,
    /// How values are found.
    pub algorithm: String,
    /// The memo policy.
    pub memo: String,
    /// The order of moves.
    pub order: String,
    /// The fidelity.
    pub fidelity: String,
    /// The value, for the side to move; none for several positions.
    pub value: Option<Score>,
    /// In how many positions it is not the one that the base finds.
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
    /// left it, in random order. None under policies that nodes do not ask, and where a comparison is not about the cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table_ms: Option<f64>,
    /// The effective branching factor: the number whose power by the depth is the number of nodes, as a geometric mean over
    /// the positions.
    pub branching: f64,
    /// Nodes, as a multiple of the base's.
    pub ratio_nodes: f64,
    /// Time, as a multiple of the base's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio_ms: Option<f64>,
}

impl ComparedRow {
    /// What tells it from the other rows, in few words.
    fn name(&self, kind: ComparisonKind) -> String {
        let Self { settings, algorithm, memo, order, fidelity, .. } = self;
        if kind == ComparisonKind::Memos {
            return format!("{memo} {fidelity}");
        }
        let known = ["algorithm", "memo", "order"];
        let others = settings
            .split(' ')
            .filter(|word| word.split_once('=').is_some_and(|(name, _)| !known.contains(&name)));
        [algorithm, memo, order]
            .map(String::as_str)
            .into_iter()
            .chain(others)
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// The table's share of the time.
    fn table_share(&self) -> Option<String> {
        let whole = (self.ms? * 1e6).round();
        let part = (self.table_ms? * 1e6).round().min(whole);
        number::percent(whole_number(part), whole_number(whole))
    }
}

#[expect(clippy::cast_sign_loss, reason = "times are not negative")]
fn whole_number(number: f64) -> u64 {
    number as u64
}

impl AddAssign<&Self> for ComparedRow {
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

/// Holds nodes and time against those of the first row, the base.
fn set_ratios(rows: &mut [ComparedRow]) {
    let base = rows.first().map(|base| (base.nodes as f64, base.ms));
    let (nodes, ms) = base.unwrap_or_default();
    for row in rows {
        row.ratio_nodes = row.nodes as f64 / nodes;
        row.ratio_ms = row.ms.zip(ms).map(|(one, base)| one / base);
    }
}

/// A column's heading and its cells.
type ComparedColumn = (&'static str, fn(&ComparedRow) -> String);

const OF_SEARCHES: &[ComparedColumn] = &[
    ("ratio", |row| ratio(Some(row.ratio_nodes))),
    ("time", |row| number::time_or_none(row.ms)),
    ("ratio", |row| ratio(row.ratio_ms)),
    ("branch", |row| ratio(Some(row.branching))),
];

const OF_MEMOS: &[ComparedColumn] = &[
    ("time", |row| number::time_or_none(row.ms)),
    ("hits", |row| count(row.cache.hits)),
    ("invalid", |row| count(row.cache.invalid)),
    ("entries", |row| count(row.cache.entries as u64)),
    ("memory", |row| number::bytes(row.bytes)),
    ("table", |row| row.table_share().unwrap_or_default()),
];

fn ratio(number: Option<f64>) -> String {
    number.map_or_else(String::new, number::three_digits)
}

/// A row for each variant, and further ones for what does not fit of its name.
fn table(report: &SearchComparison, style: Style) -> String {
    let columns = match report.kind {
        ComparisonKind::Searches => OF_SEARCHES,
        ComparisonKind::Memos => OF_MEMOS,
    };
    let rows = report.totals.iter().flat_map(|row| {
        let of = move |(place, name)| (name, (place == 0).then_some(row));
        folded(&row.name(report.kind)).into_iter().enumerate().map(of)
    });
    let table = TextTable::of(rows)
        .left("settings", |(name, _)| name.clone())
        .right("nodes", |(_, row)| row.map_or_else(String::new, |row| count(row.nodes)));
    let table = columns.iter().fold(table, |table, (head, cell)| {
        table.right(head, |(_, row)| row.map_or_else(String::new, cell))
    });
    let differing = |row: Option<&ComparedRow>| row.map_or(0, |row| row.differing);
    let table = table.right("*", |(_, row)| match differing(*row) {
        0 => String::new(),
        some => count(some),
    });
    table.render(style)
}

/// A variant's name on lines that leave room for the numbers.
fn folded(name: &str) -> Vec<String> {
    const ROOM: usize = 36;
    let mut lines = vec![String::new()];
    for part in name.split_inclusive([' ', '+']) {
        let line = lines.len() - 1;
        if width(&lines[line]) + width(part.trim_end()) <= ROOM || lines[line].is_empty() {
            lines[line].push_str(part);
        } else {
            lines.push(format!("  {part}"));
        }
    }
    lines
}

/// How many values differ, and what the columns say.
fn verdict(report: &SearchComparison, style: Style) -> String {
    let compared = report.positions.len() * report.totals.len().saturating_sub(1);
    let (differing, compared) = (report.differing(), count(compared as u64));
    let verdict = match (differing, report.positions.as_slice()) {
        (0, [only]) => {
            format!("every search finds {}", number::score_or_none(only.value, style))
        }
        (0, _) => format!("none of {compared} values differs from the first row's"),
        (some, _) => format!("* {} of {compared} values differ from the first row's", count(some)),
    };
    let legend = match report.kind {
        ComparisonKind::Searches => {
            "; ratio: to the first row; branch: the effective branching factor"
        }
        ComparisonKind::Memos if report.totals.iter().any(|row| row.table_ms.is_some()) => {
            "; table: its share of the time"
        }
        ComparisonKind::Memos => "",
    };
    layout::wrap("", &format!("{verdict}{legend}"))
}

/// The positions on which some variants differ, with the values they find.
fn differing(report: &SearchComparison, style: Style) -> String {
    /// Positions that are listed; the rest are only counted.
    const NAMED: usize = 10;
    let differs = |at: &&ComparedPosition| at.rows.iter().any(|row| row.differing > 0);
    let positions: Vec<_> = report.positions.iter().filter(differs).collect();
    let line = |at: &&ComparedPosition| {
        let mut found = BTreeMap::<_, Vec<_>>::new();
        for row in at.rows.iter().filter(|row| row.differing > 0) {
            let value = number::score_or_none(row.value, style);
            found.entry(value).or_default().push(row.name(report.kind));
        }
        let found = found.into_iter().map(|(value, names)| match names.as_slice() {
            [only] => format!("{value} ({only})"),
            several => format!("{value} ({} rows)", several.len()),
        });
        let head = format!("{}  {}, but", at.state, number::score_or_none(at.value, style));
        flow("  ", std::iter::once(head).chain(found))
    };
    let shown = layout::shown(positions.len(), NAMED);
    let more = positions.len() - shown;
    let more = (more > 0).then(|| format!("  {}", layout::and_more(more, style)));
    lines(positions[..shown].iter().map(line).chain(more))
}
