//! Comparisons of settings or weights over the same positions, and suites of positions.

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
    text::{TextTable, count, counted, flow, layout, lines, number, or_empty, signed, took, width},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ComparisonKind {
    Searches,
    Memos,
    Weights,
}

/// Variants of settings or weights, compared with a base over the same positions.
#[derive(Clone, Debug, Serialize)]
pub struct VariantTable {
    #[serde(skip)]
    pub(crate) kind: ComparisonKind,
    /// The positions searched.
    #[serde(flatten)]
    pub head: SuiteHead,
    /// The depth of each search in plies from the root.
    pub(crate) depth: u8,
    /// `settings`, `set`, `without`, or the name of a weight.
    pub(crate) varied: String,
    /// The weights compared against; where settings are compared, the first of `variants` is the base.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<ComparedRow>,
    /// The variants.
    pub variants: Vec<ComparedRow>,
    /// Whether all variants agree with the base: the same best moves under weights, the same values under settings.
    pub agree: bool,
    /// Wall time in milliseconds, where weights are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
}

/// The results of one variant on all positions together.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ComparedRow {
    /// A short name of the variant.
    pub name: String,
    /// Nodes visited.
    pub nodes: u64,
    /// The results of searches, where settings are compared.
    #[serde(flatten)]
    pub search: Option<SearchedRow>,
    /// The results of a set of weights, where weights are compared.
    #[serde(flatten)]
    pub heuristic: Option<WeighedRow>,
    /// Positions where the variant and the base disagree, the largest differences first.
    pub disagreements: Vec<Disagreement>,
    /// Disagreements that are not listed.
    pub omitted: u64,
}

/// Settings, and the cost of their searches.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SearchedRow {
    /// Algorithm, memo policy, order and what differs from the base, as `search set` reads them.
    pub settings: String,
    /// The search algorithm.
    pub algorithm: String,
    /// The memo policy, such as `bound`.
    pub memo: String,
    pub(crate) order: String,
    /// `sound` or `seed`.
    pub fidelity: String,
    /// The value for the side to move; `None` for several positions.
    pub value: Option<Score>,
    /// Positions where the value differs from the base's.
    pub differing: u64,
    /// β cutoffs.
    pub cutoffs: u64,
    /// Cache probes and stores of all searches.
    #[serde(flatten)]
    pub cache: CacheCounters,
    /// Memory of the entries in bytes.
    pub(crate) bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ms: Option<f64>,
    /// The effective branching factor: the geometric mean over positions of `nodes^(1/depth)`.
    pub branching: f64,
    /// Nodes, relative to the base's.
    pub ratio_nodes: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ratio_ms: Option<f64>,
}

/// A set of weights and its results. Values are for the side to move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WeighedRow {
    #[serde(serialize_with = "tuning::by_name")]
    pub(crate) weights: Weights,
    pub(crate) mean_static: f64,
    /// The mean searched value, for the side to move.
    pub mean_value: f64,
    /// The best moves, where there is one position.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub best: Vec<MoveText>,
    /// The value of the swept weight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// Whether the weights equal the base's.
    pub is_base: bool,
    /// The agreement with the base; `None` for the base itself.
    #[serde(flatten)]
    pub agreement: Option<Agreement>,
}

/// How far two sets of weights agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Agreement {
    /// Positions where the best moves are exactly the same.
    pub same: u64,
    /// Positions where at least one move is best for both.
    pub shared: u64,
    /// The mean absolute difference of the values, in the game's units.
    pub mean_difference: f64,
    /// The largest absolute difference of the values.
    pub max_difference: f64,
    /// How much the variant's choice loses by the base's own search, as the mean over positions and over moves that the
    /// variant finds equally good.
    pub cost: f64,
}

/// A position where a variant and the base disagree.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Disagreement {
    /// The position.
    #[serde(flatten)]
    pub at: SuiteEntry,
    /// The variant's choice, then the base's.
    pub choices: [VariantChoice; 2],
}

/// A variant's result in a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VariantChoice {
    /// The name of the variant.
    pub set: String,
    /// The value for the side to move.
    pub value: Score,
    /// The best moves.
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
        let head = head(&self.head, Some(self.depth));
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
        let end = lines([agree, &took(self.ms, None)]);
        layout::parts(blocks.into_iter().chain(disagreements).chain([end]))
    }

    /// The base and the variants.
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

    fn times(&mut self) -> Vec<&mut Option<f64>> {
        let rows = self.variants.iter_mut().filter_map(|row| row.search.as_mut());
        let rows = rows.flat_map(|row| [&mut row.ms, &mut row.ratio_ms]);
        iter::once(&mut self.ms).chain(rows).collect()
    }

    /// How far each variant agrees with the base, unless there is only one position.
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
            .with("the same best moves", percent(|it| it.same));
        if swept {
            plot = plot.with("a common best move", percent(|it| it.shared));
        } else {
            plot.places = variants.iter().map(|(row, _)| row.name.clone()).collect();
        }
        vec![plot]
    }
}

/// A suite's name and size, and the depth its positions were searched to.
fn head(head: &SuiteHead, depth: Option<u8>) -> String {
    let limit = depth.map(|depth| format!("depth {depth}"));
    head_within(head, limit)
}

/// A suite's name and size, and the limit of each search.
pub(super) fn head_within(head: &SuiteHead, limit: Option<String>) -> String {
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

/// A column: heading, whether decimal points are aligned, and the text of a cell.
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
    ("static", true, |_, row| Some(signed(row.heuristic.as_ref()?.mean_static))),
    ("searched", true, |_, row| Some(signed(row.heuristic.as_ref()?.mean_value))),
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

    /// The first cell of its row: the value of a swept weight, or the name; the base is marked.
    fn label(&self) -> String {
        match &self.heuristic {
            Some(WeighedRow { value: Some(value), .. }) => number::digits(*value),
            Some(WeighedRow { agreement: None, .. }) => format!("base {}", self.name),
            _ => self.name.clone(),
        }
    }
}

/// A row for each variant; a long name takes further rows.
fn table(report: &VariantTable) -> String {
    let columns = match report.kind {
        ComparisonKind::Searches => SEARCH_COLUMNS,
        ComparisonKind::Memos => MEMO_COLUMNS,
        ComparisonKind::Weights => WEIGHT_COLUMNS,
    };
    let rows = report.rows().flat_map(|row| {
        let names = folded(&row.label()).into_iter().enumerate();
        names.map(move |(place, name)| (name, (place == 0).then_some(row)))
    });
    let table = TextTable::of(rows).left(&report.varied, |(name, _)| name.clone());
    let table = columns.iter().fold(table, |table, (head, point, cell)| {
        let cell =
            |(_, row): &(_, Option<&ComparedRow>)| or_empty(row.and_then(|row| cell(report, row)));
        if *point { table.point(head, cell) } else { table.right(head, cell) }
    });
    table.render()
}

/// A variant's name, broken into lines that leave room for the numbers.
pub(super) fn folded(name: &str) -> Vec<String> {
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

/// A number without sign, rounded like a score.
fn size(number: f64) -> String {
    signed(number).trim_start_matches('+').to_owned()
}

/// How many values differ, and the legend of the columns.
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

/// The positions of a suite, or the file to which they were written.
#[derive(Clone, Debug, Serialize)]
pub struct SuiteReport {
    /// The suite.
    #[serde(flatten)]
    pub head: SuiteHead,
    /// The file that the suite was written to, if to a file.
    pub(crate) file: Option<String>,
    /// The positions.
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

/// A position of a suite.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SuiteEntry {
    /// The number in the suite, from 1.
    pub(crate) position: u64,
    /// The name in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The line of the file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The position.
    pub state: String,
    pub(crate) phase: String,
    pub(crate) comment: Option<String>,
}

impl SuiteEntry {
    /// The comment on the position's line, or else the phase.
    pub fn words(&self) -> &str {
        self.comment.as_ref().unwrap_or(&self.phase)
    }

    fn line(&self) -> String {
        let Self { position, state, .. } = self;
        layout::wrap(&format!("{position:>4}  "), &format!("{state}  {}", self.words()))
    }
}
