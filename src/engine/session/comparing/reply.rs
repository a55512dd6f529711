//! Variants of settings or weights against a base, over the same positions; and suites of positions.

use std::iter;

use serde::Serialize;

use crate::{
    engine::{
        game::{Score, Weights},
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

/// What a comparison is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ComparisonKind {
    /// Nodes and time of any settings: `search compare`.
    #[default]
    Searches,
    /// What is asked of the cache under each memo policy: `memo compare`.
    Memos,
    /// What heuristics find: `weights compare`.
    Weights,
}

/// Variants of settings or weights, held against a base over the same positions.
#[derive(Clone, Debug, Serialize)]
pub struct VariantTable {
    /// What it is about.
    #[serde(skip)]
    pub kind: ComparisonKind,
    /// The positions.
    #[serde(flatten)]
    pub head: SuiteHead,
    /// Plies from the root of each search.
    pub depth: u8,
    /// What the variants differ in: `settings`, `set`, `without`, or the name of a weight.
    pub varied: String,
    /// What weights are held against.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<ComparedRow>,
    /// The variants; where settings are compared, the first of them is the base.
    pub variants: Vec<ComparedRow>,
    /// Whether all find what the base finds: the same best moves under weights, the same values under settings.
    pub agree: bool,
    /// Wall time in milliseconds, where weights are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
}

/// What is found, and what that takes, under one variant on all positions together.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ComparedRow {
    /// What tells it from the others, in few words.
    pub name: String,
    /// States visited.
    pub nodes: u64,
    /// Where settings are compared: what its searches took.
    #[serde(flatten)]
    pub search: Option<SearchedRow>,
    /// Where weights are compared: what they make of the positions.
    #[serde(flatten)]
    pub heuristic: Option<WeighedRow>,
    /// Positions where it finds something else than the base, those farthest apart first.
    pub disagreements: Vec<Disagreement>,
    /// How many more of them there are.
    pub omitted: u64,
}

/// Settings, and what their searches took.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SearchedRow {
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
    /// Cutoffs at β.
    pub cutoffs: u64,
    /// What the searches asked of their caches.
    #[serde(flatten)]
    pub cache: CacheCounters,
    /// Memory of the entries in bytes.
    pub bytes: u64,
    /// Milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// The effective branching factor: its power by the depth is the number of nodes, as a geometric mean.
    pub branching: f64,
    /// Nodes, as a multiple of the base's.
    pub ratio_nodes: f64,
    /// Time, as a multiple of the base's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio_ms: Option<f64>,
}

/// A set of weights, and what it makes of the positions. Values are for the side to move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WeighedRow {
    /// The weights.
    #[serde(serialize_with = "tuning::by_name")]
    pub weights: Weights,
    /// The mean heuristic value.
    pub mean_static: f64,
    /// The mean searched value.
    pub mean_value: f64,
    /// The best moves, where there is one position.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub best: Vec<String>,
    /// The value of the weight that is varied, where a range of values is tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// Whether it has the weights of the base.
    pub is_base: bool,
    /// How far it agrees with the base; none for the base itself.
    #[serde(flatten)]
    pub agreement: Option<Agreement>,
}

/// How far two sets of weights agree on some positions. Differences are in the game's units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Agreement {
    /// On how many positions the best moves are the very same.
    pub same: u64,
    /// On how many some move is best for both.
    pub shared: u64,
    /// The mean distance between the two values.
    pub mean_difference: f64,
    /// The greatest distance.
    pub max_difference: f64,
    /// What the variant's choice loses in the eyes of the base, on average; of several best moves each is as likely.
    pub cost: f64,
}

/// A position where a variant finds something else than the base.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Disagreement {
    /// The position.
    #[serde(flatten)]
    pub at: SuiteEntry,
    /// What the variant finds, and what the base finds.
    pub choices: [VariantChoice; 2],
}

/// What a variant finds in a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VariantChoice {
    /// The variant.
    pub set: String,
    /// The value for the side to move.
    pub value: Score,
    /// The best moves.
    pub best: Vec<String>,
}

impl VariantTable {
    /// All rows, the base first.
    pub fn rows(&self) -> impl Iterator<Item = &ComparedRow> + Clone {
        self.base.iter().chain(&self.variants)
    }

    /// The rows of weights.
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

    fn line(&self) -> String {
        let text = match self.kind {
            ComparisonKind::Weights => self.text(),
            _ => verdict(self),
        };
        nth_line(&text, 0)
    }

    fn forget_times(&mut self) {
        self.ms = None;
        for row in self.variants.iter_mut().filter_map(|row| row.search.as_mut()) {
            (row.ms, row.ratio_ms) = (None, None);
        }
    }

    fn has_times(&self) -> bool {
        self.ms.is_some()
    }

    /// How far the variants agree with the base, variant by variant; nothing on a single position.
    fn plots(&self) -> Vec<Plot> {
        let variants: Vec<_> = self.weighed().skip(1).collect();
        if self.head.positions < 2 || variants.is_empty() {
            return Vec::new();
        }
        let swept = variants.iter().all(|(_, set)| set.value.is_some());
        let percent = |part: fn(&Agreement) -> u64| -> Vec<(f64, f64)> {
            let whole = self.head.positions as f64;
            let point = |(place, (_, set)): (usize, &(_, &WeighedRow))| {
                let part = part(set.agreement.as_ref()?) as f64;
                Some((set.value.unwrap_or(place as f64), part * 100.0 / whole))
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

/// What a suite is, and how deep its positions were searched.
fn head(head: &SuiteHead, depth: Option<u8>) -> String {
    let depth = depth.map(|depth| format!("depth {depth}"));
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
    lines([flow("", pieces.into_iter().chain(depth)), layout::notes(&head.notes)])
}

/// A column: its heading, whether its numbers stand point below point, and what it tells of a variant.
type ComparedColumn = (&'static str, bool, fn(&VariantTable, &ComparedRow) -> Option<String>);

const OF_SEARCHES: &[ComparedColumn] = &[
    ("nodes", false, |_, row| Some(count(row.nodes))),
    ("ratio", false, |_, row| Some(number::three_digits(row.search.as_ref()?.ratio_nodes))),
    ("time", false, |_, row| Some(number::time(row.search.as_ref()?.ms?))),
    ("ratio", false, |_, row| Some(number::three_digits(row.search.as_ref()?.ratio_ms?))),
    ("branch", false, |_, row| Some(number::three_digits(row.search.as_ref()?.branching))),
    DIFFERING,
];

const OF_MEMOS: &[ComparedColumn] = &[
    ("nodes", false, |_, row| Some(count(row.nodes))),
    ("time", false, |_, row| Some(number::time(row.search.as_ref()?.ms?))),
    ("hits", false, |_, row| Some(count(row.search.as_ref()?.cache.hits))),
    ("invalid", false, |_, row| Some(count(row.search.as_ref()?.cache.invalid))),
    ("entries", false, |_, row| Some(count(row.search.as_ref()?.cache.entries as u64))),
    ("memory", false, |_, row| Some(number::bytes(row.search.as_ref()?.bytes))),
    DIFFERING,
];

const OF_WEIGHTS: &[ComparedColumn] = &[
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
                      cost: what the choice loses in the eyes of the base, on average; static and searched: mean values for the side to move";

impl ComparedRow {
    fn agreement(&self) -> Option<&Agreement> {
        self.heuristic.as_ref()?.agreement.as_ref()
    }

    /// Its name in a table: of weights that are swept the value, and the base is marked.
    fn label(&self) -> String {
        match &self.heuristic {
            Some(WeighedRow { value: Some(value), .. }) => number::digits(*value),
            Some(WeighedRow { agreement: None, .. }) => format!("base {}", self.name),
            _ => self.name.clone(),
        }
    }
}

/// A row for each variant, and further ones for what does not fit of its name.
fn table(report: &VariantTable) -> String {
    let columns = match report.kind {
        ComparisonKind::Searches => OF_SEARCHES,
        ComparisonKind::Memos => OF_MEMOS,
        ComparisonKind::Weights => OF_WEIGHTS,
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

/// A number that is never below 0, rounded like a score.
fn size(number: f64) -> String {
    signed(number).trim_start_matches('+').to_owned()
}

/// How many values differ, and what the columns say.
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

/// The best moves of every set, where there is one position.
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

/// A suite position by position, or written to a file.
#[derive(Clone, Debug, Serialize)]
pub struct SuiteReport {
    /// The suite.
    #[serde(flatten)]
    pub head: SuiteHead,
    /// The file it was written to.
    pub file: Option<String>,
    /// Its positions.
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
    /// Its number, from 1.
    pub position: u64,
    /// The position.
    pub state: String,
    /// The phase of play.
    pub phase: String,
    /// What its line says of it.
    pub comment: Option<String>,
}

impl SuiteEntry {
    /// What its line says of it, or else the phase.
    pub fn words(&self) -> &str {
        self.comment.as_ref().unwrap_or(&self.phase)
    }

    fn line(&self) -> String {
        let Self { position, state, .. } = self;
        layout::wrap(&format!("{position:>4}  "), &format!("{state}  {}", self.words()))
    }
}
