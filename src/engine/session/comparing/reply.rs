//! Replies of comparisons, and lists of positions.

use std::iter;

use serde::Serialize;
use serde_json::Value;

use crate::{
    engine::{
        game::{MoveText, Score, Weights},
        session::{
            cache::CacheCounters,
            plot::Plot,
            reply::{Reply, nth_line},
            search, tuning,
        },
        suite::SuiteHead,
    },
    text::{TextTable, count, counted, flow, layout, lines, number, or_empty, timing, width},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ComparisonKind {
    Searches,
    Memos,
    Weights,
}

/// The reply of a comparison: one row per variant of settings or weights, each compared with the base.
#[derive(Clone, Debug, Serialize)]
pub struct VariantTable {
    #[serde(skip)]
    pub(crate) kind: ComparisonKind,
    /// The name of the suite, its number of positions, and notes.
    #[serde(flatten)]
    pub head: SuiteHead,
    /// Depth of each search in plies.
    pub(crate) depth: u8,
    /// The heading of the first column: `settings`, `set`, `without`, or the name of the swept weight.
    pub(crate) varied: String,
    /// The row of the base, when weights are compared; otherwise `None`, and the first of `variants` is the base.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<ComparedRow>,
    /// One row per variant, in the order given.
    pub variants: Vec<ComparedRow>,
    /// Whether every variant agrees with the base: the same best moves (weights) or the same values (settings).
    pub agree: bool,
    /// Wall-clock time in milliseconds, when weights are compared; otherwise each row has its time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
}

/// The results of one variant, totalled over all positions.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ComparedRow {
    /// A short name of the variant, for tables.
    pub name: String,
    /// Nodes visited in all positions together.
    pub nodes: u64,
    /// The cost of the searches; `None` when weights are compared.
    #[serde(flatten)]
    pub search: Option<SearchedRow>,
    /// The values and the agreement with the base; `None` unless weights are compared.
    #[serde(flatten)]
    pub heuristic: Option<WeighedRow>,
    /// The positions where variant and base disagree, the largest differences first, up to the limit.
    pub disagreements: Vec<Disagreement>,
    /// Number of disagreements that are not in `disagreements`.
    pub omitted: u64,
}

/// The settings of a variant, and the cost of its searches.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SearchedRow {
    /// Algorithm, memo policy, order and the settings that differ from the base, written as for `search set`.
    pub settings: String,
    /// The setting `algorithm`: `minimax`, `alphabeta`, `pvs` or `mtdf`.
    pub algorithm: String,
    /// The setting `memo`, such as `bound`.
    pub memo: String,
    pub(crate) order: String,
    /// The setting `fidelity`: `sound` or `seed`.
    pub fidelity: String,
    /// The root's value for the side to move; `None` if there are several positions.
    pub value: Option<Score>,
    /// Number of positions where the value differs from the base's.
    pub differing: u64,
    /// Number of β cutoffs in all positions together.
    pub cutoffs: u64,
    /// Cache probes, stores and entries of all searches together.
    #[serde(flatten)]
    pub cache: CacheCounters,
    /// Memory of the caches of all searches together, in bytes.
    pub(crate) bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ms: Option<f64>,
    /// The effective branching factor: the geometric mean of `nodes^(1/depth)` over the positions.
    pub branching: f64,
    /// Nodes divided by the base's nodes.
    pub ratio_nodes: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ratio_ms: Option<f64>,
}

/// A set of weights with its results. Values are for the side to move, in the unit of the evaluation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WeighedRow {
    #[serde(serialize_with = "tuning::by_name")]
    pub(crate) weights: Weights,
    pub(crate) mean_static: f64,
    /// The mean of the root's values over the positions.
    pub mean_value: f64,
    /// The best moves, if there is one position; empty if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub best: Vec<MoveText>,
    /// The value of the swept weight; `None` unless a weight is swept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// Whether the weights are the same as the base's.
    pub is_base: bool,
    /// The agreement with the base; `None` in the row of the base.
    #[serde(flatten)]
    pub agreement: Option<Agreement>,
}

/// How far a set of weights agrees with the base, over all positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Agreement {
    /// Number of positions where the set and the base have exactly the same best moves.
    pub same: u64,
    /// Number of positions where the set and the base have a best move in common.
    pub shared: u64,
    /// The mean absolute difference of the root's values, in the unit of the evaluation (centipawns in chess).
    pub mean_difference: f64,
    /// The largest absolute difference of the root's values, in the same unit as `mean_difference`.
    pub max_difference: f64,
    /// How much the variant's best moves lose by the base's own search, in the unit of the evaluation: a mean over positions
    /// and over equally good moves.
    pub cost: f64,
}

/// A position where a variant and the base find different best moves or values.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Disagreement {
    /// The position with its number and name in the suite.
    #[serde(flatten)]
    pub at: SuiteEntry,
    /// What the variant finds, then what the base finds.
    pub choices: [VariantChoice; 2],
}

/// What a variant's search finds in one position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VariantChoice {
    /// The short name of the variant.
    pub set: String,
    /// The root's value for the side to move.
    pub value: Score,
    /// The best moves, all of the same value.
    pub best: Vec<MoveText>,
}

impl VariantTable {
    /// All rows, the base first.
    fn rows(&self) -> impl Iterator<Item = &ComparedRow> + Clone {
        self.base.iter().chain(&self.variants)
    }

    fn weighed(&self) -> impl Iterator<Item = (&ComparedRow, &WeighedRow)> + Clone {
        self.rows().filter_map(|row| Some((row, row.heuristic.as_ref()?)))
    }

    fn base_name(&self) -> &str {
        self.rows().next().map_or("", |base| &base.name)
    }
}

impl Reply for VariantTable {
    fn text(&self) -> String {
        let head = head(&self.head, Some(format!("depth {}", self.depth)));
        let disagreements = self.rows().map(|row| disagreements(row, self.base_name()));
        if self.kind != ComparisonKind::Weights {
            let table = lines([head, table(self), verdict(self)]);
            return layout::parts(iter::once(table).chain(disagreements));
        }
        let sets = self.weighed().map(|(row, set)| (row.name.as_str(), &set.weights));
        let agree = if self.agree { "all sets choose the same moves" } else { "" };
        let blocks = [
            head,
            tuning::sets(sets.take(if self.varied == "set" { usize::MAX } else { 1 })),
            lines([table(self), layout::wrap("", LEGEND)]),
            best_moves(self),
        ];
        let end = lines([agree, &timing(self.ms, None)]);
        layout::parts(blocks.into_iter().chain(disagreements).chain([end]))
    }

    /// The base and the variants, one row each.
    fn table_rows(&self) -> Option<Value> {
        serde_json::to_value(self.rows().collect::<Vec<_>>()).ok()
    }

    fn line(&self) -> String {
        let text = match self.kind {
            ComparisonKind::Weights => self.text(),
            _ => verdict(self),
        };
        nth_line(&text, 0)
    }

    fn times_mut(&mut self) -> Vec<&mut Option<f64>> {
        let rows = self.variants.iter_mut().filter_map(|row| row.search.as_mut());
        let rows = rows.flat_map(|row| [&mut row.ms, &mut row.ratio_ms]);
        iter::once(&mut self.ms).chain(rows).collect()
    }

    /// A chart of how far each variant agrees with the base; none if there is only one position.
    fn plots(&self) -> Vec<Plot> {
        let variants: Vec<_> = self.weighed().skip(1).collect();
        if self.head.positions < 2 || variants.is_empty() {
            return Vec::new();
        }
        let swept = variants.iter().all(|(_, set)| set.value.is_some());
        let percent = |part: fn(&Agreement) -> u64| -> Vec<(f64, f64)> {
            let positions = self.head.positions as f64;
            let point = |(place, (_, set)): (usize, &(_, &WeighedRow))| {
                let part = part(set.agreement.as_ref()?) as f64;
                Some((set.value.unwrap_or(place as f64), part * 100.0 / positions))
            };
            variants.iter().enumerate().filter_map(point).collect()
        };
        let title = format!("Agreement with {}, depth {}", self.base_name(), self.depth);
        let mut plot = Plot::new(title, self.varied.as_str(), "% of positions")
            .with_series("the same best moves", percent(|it| it.same));
        if swept {
            plot = plot.with_series("a common best move", percent(|it| it.shared));
        } else {
            plot.places = variants.iter().map(|(row, _)| row.name.clone()).collect();
        }
        vec![plot]
    }
}

/// The heading of a table: name and size of the suite, and the limit of each search.
pub(super) fn head(head: &SuiteHead, limit: Option<String>) -> String {
    let pieces = if head.positions == 1 {
        vec![head.suite.clone()]
    } else {
        let phases = head.phases.iter();
        let phases: Vec<_> =
            phases.map(|phase| format!("{} {}", phase.positions, phase.phase)).collect();
        vec![
            format!("suite {}:", head.suite),
            counted(head.positions, "position", "positions"),
            phases.join(", "),
        ]
    };
    lines([flow("", pieces.into_iter().chain(limit)), layout::notes(&head.notes)])
}

/// A column: heading, whether to align decimal points, and the function that writes a cell.
type ComparedColumn = (&'static str, bool, fn(&VariantTable, &ComparedRow) -> Option<String>);

const SEARCH_COLUMNS: &[ComparedColumn] = &[
    ("nodes", false, |_, row| Some(count(row.nodes))),
    ("ratio", false, |_, row| Some(number::three_digits(row.search.as_ref()?.ratio_nodes))),
    ("time", false, |_, row| Some(number::time(row.search.as_ref()?.ms?))),
    ("ratio", false, |_, row| Some(number::three_digits(row.search.as_ref()?.ratio_ms?))),
    ("branch", false, |_, row| Some(number::three_digits(row.search.as_ref()?.branching))),
    DIFFERING,
];

const MEMO_COLUMNS: &[ComparedColumn] = &[
    ("nodes", false, |_, row| Some(count(row.nodes))),
    ("time", false, |_, row| Some(number::time(row.search.as_ref()?.ms?))),
    ("hits", false, |_, row| Some(count(row.search.as_ref()?.cache.hits))),
    ("invalid", false, |_, row| Some(count(row.search.as_ref()?.cache.invalid))),
    ("entries", false, |_, row| Some(count(row.search.as_ref()?.cache.entries as u64))),
    ("memory", false, |_, row| Some(number::bytes(row.search.as_ref()?.bytes))),
    DIFFERING,
];

const WEIGHT_COLUMNS: &[ComparedColumn] = &[
    ("same", false, |report, row| number::percent(row.agreement()?.same, report.head.positions)),
    ("common", false, |report, row| {
        number::percent(row.agreement()?.shared, report.head.positions)
    }),
    ("apart", true, |_, row| Some(size(row.agreement()?.mean_difference))),
    ("cost", true, |_, row| Some(size(row.agreement()?.cost))),
    ("static", true, |_, row| Some(number::difference(row.heuristic.as_ref()?.mean_static))),
    ("searched", true, |_, row| Some(number::difference(row.heuristic.as_ref()?.mean_value))),
    ("nodes", false, |_, row| Some(count(row.nodes))),
];

const DIFFERING: ComparedColumn = ("*", false, |_, row| {
    let differing = row.search.as_ref()?.differing;
    (differing > 0).then(|| count(differing))
});

const LEGEND: &str = "same: positions with the base's best moves; common: with one of them at least; apart: mean distance of the searched values; \
                      cost: how much the choice loses, by the base's own search, on average; static and searched: mean values for the side to move";

impl ComparedRow {
    fn agreement(&self) -> Option<&Agreement> {
        self.heuristic.as_ref()?.agreement.as_ref()
    }

    /// The first cell of the row: the value of the swept weight, or the name, with `base` before that of the base.
    fn label(&self) -> String {
        match &self.heuristic {
            Some(WeighedRow { value: Some(value), .. }) => number::digits(*value),
            Some(WeighedRow { agreement: None, .. }) => format!("base {}", self.name),
            _ => self.name.clone(),
        }
    }
}

/// The table of variants; a long name is continued in further rows.
fn table(report: &VariantTable) -> String {
    let columns = match report.kind {
        ComparisonKind::Searches => SEARCH_COLUMNS,
        ComparisonKind::Memos => MEMO_COLUMNS,
        ComparisonKind::Weights => WEIGHT_COLUMNS,
    };
    let rows = report.rows().flat_map(|row| folded(&row.label(), row));
    let table = TextTable::of(rows).left(&report.varied, |(name, _)| name.clone());
    let table = columns.iter().fold(table, |table, (head, point, cell)| {
        let cell =
            |(_, row): &(_, Option<&ComparedRow>)| or_empty(row.and_then(|row| cell(report, row)));
        if *point { table.point(head, cell) } else { table.right(head, cell) }
    });
    table.render()
}

/// A variant's name, folded into lines that leave room for the numbers; the first line has `row`, whose numbers are beside it.
pub(super) fn folded<T: Copy>(name: &str, row: T) -> Vec<(String, Option<T>)> {
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
    let numbered = lines.into_iter().enumerate();
    numbered.map(|(place, line)| (line, (place == 0).then_some(row))).collect()
}

/// A non-negative number, rounded like a score and written without sign.
fn size(number: f64) -> String {
    number::difference(number).trim_start_matches('+').to_owned()
}

/// How many values differ, with an explanation of the columns.
fn verdict(report: &VariantTable) -> String {
    let rows = || report.rows().filter_map(|row| row.search.as_ref());
    let differing = rows().map(|row| row.differing).sum();
    let compared = count(report.head.positions * rows().skip(1).count() as u64);
    let verdict = match (differing, rows().next().and_then(|base| base.value)) {
        (0, Some(value)) => format!("every search finds {}", number::score(value)),
        (0, None) => format!("none of {compared} values differs from the first row's"),
        (some, _) => format!("* {} of {compared} values differ from the first row's", count(some)),
    };
    let legend = match report.kind {
        ComparisonKind::Memos => "",
        _ => "; ratio: to the first row; branch: the effective branching factor",
    };
    layout::wrap("", &format!("{verdict}{legend}"))
}

fn best_moves(report: &VariantTable) -> String {
    let rows = report.weighed().filter(|(_, set)| !set.best.is_empty());
    let best = |set: &WeighedRow| layout::some(&set.best, search::SHOWN);
    layout::named("best ", rows.map(|(row, set)| (&row.name, best(set))))
}

fn disagreements(row: &ComparedRow, base: &str) -> String {
    if row.disagreements.is_empty() {
        return String::new();
    }
    let title = layout::wrap("", &format!("{} against {base}", row.name));
    let listed = row.disagreements.iter().map(disagreement);
    let omitted = (row.omitted > 0).then(|| {
        let more = counted(row.omitted, "disagreement", "disagreements");
        format!("{more} more: --limit shows them")
    });
    lines(iter::once(title).chain(listed).chain(omitted))
}

fn disagreement(disagreement: &Disagreement) -> String {
    let choices = disagreement.choices.iter().map(|VariantChoice { set, value, best }| {
        let best = layout::some(best, search::SHOWN);
        (set, format!("{} {best}", number::score(*value)))
    });
    lines([disagreement.at.line(), layout::named("      ", choices)])
}

/// The reply of `suite`: its positions, or the file to which they were written.
#[derive(Clone, Debug, Serialize)]
pub struct SuiteReport {
    /// The name of the suite, its number of positions, and notes.
    #[serde(flatten)]
    pub head: SuiteHead,
    /// The path of the file, if the suite was written to one.
    pub(crate) file: Option<String>,
    /// The positions in the order of the suite.
    pub entries: Vec<SuiteEntry>,
}

impl Reply for SuiteReport {
    fn text(&self) -> String {
        if let Some(file) = &self.file {
            return lines([head(&self.head, None), format!("written to {file}")]);
        }
        lines(iter::once(head(&self.head, None)).chain(self.entries.iter().map(SuiteEntry::line)))
    }
}

/// A position of a suite, with its number, its name and its line in the file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SuiteEntry {
    /// The number of the position in the suite, from 1.
    pub(crate) position: u64,
    /// The operation `id` of an EPD line; `None` without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The line of the file, from 1; `None` if the suite is not from a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The position in the game's notation (FEN in chess).
    pub state: String,
    pub(crate) phase: String,
    pub(crate) comment: Option<String>,
}

impl SuiteEntry {
    /// The comment on the position in the file; without one, the phase of play.
    pub fn words(&self) -> &str {
        self.comment.as_ref().unwrap_or(&self.phase)
    }

    fn line(&self) -> String {
        let Self { position, state, .. } = self;
        layout::wrap(&format!("{position:>4}  "), &format!("{state}  {}", self.words()))
    }
}
