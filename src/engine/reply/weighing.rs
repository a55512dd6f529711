//! Suites, and weight sets against a base, over many positions or one.

use serde::Serialize;

use super::{
    Agreement, Disagreement, Plot, Reply, SetChoice, SuiteHead, WeighedSet, WeighedVariant,
    WeightTable, search, tournament::scores, tuning,
};
use crate::text::{
    Style, TextTable, count, counted, flow, layout, lines, number, pad, signed, told, took, width,
};

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
    fn text(&self, _: Style) -> String {
        if let Some(file) = &self.file {
            return lines([head(&self.head, None), format!("written to {file}")]);
        }
        let row = |entry: &SuiteEntry| {
            let words = entry.comment.as_ref().unwrap_or(&entry.phase);
            layout::wrap(&format!("{:>4}  ", entry.position), &format!("{}  {words}", entry.state))
        };
        lines(std::iter::once(head(&self.head, None)).chain(self.entries.iter().map(row)))
    }
}

/// A position of a suite.
#[derive(Clone, Debug, Serialize)]
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

impl Reply for WeightTable {
    // Variants of the weights against a base.
    fn text(&self, style: Style) -> String {
        let all = std::iter::once(&self.base).chain(self.variants.iter().map(|row| &row.set));
        let told = if self.varied == "set" { usize::MAX } else { 1 };
        let games = self.variants.iter().filter_map(|row| Some((row, row.games.as_ref()?)));
        let games = TextTable::of(games).left(&self.varied, |(row, _)| name(row));
        let played = match scores(games, |(_, games)| games, style) {
            none if none.is_empty() => none,
            played => lines([format!("games against {}", self.base.name), played]),
        };
        let agree = if self.agree { "all sets choose the same moves" } else { "" };
        let blocks = [
            head(&self.head, Some(self.depth)),
            tuning::sets(all.clone().take(told).map(|set| (set.name.as_str(), &set.weights))),
            lines([rows(self, style), layout::wrap("", LEGEND)]),
            best_moves(all, style),
        ];
        let disagreements = self.variants.iter().map(|row| disagreements(row, &self.base, style));
        let ends = [played, lines([agree, &took(self.ms, None)])];
        layout::parts(blocks.into_iter().chain(disagreements).chain(ends))
    }

    fn forget_times(&mut self) {
        self.ms = None;
    }

    /// How far the variants agree with the base, by the weight that is varied or variant by variant; and how strong they
    /// are, where games were played. Nothing on a single position.
    fn plots(&self) -> Vec<Plot> {
        if self.head.positions < 2 {
            return Vec::new();
        }
        let swept = self.variants.iter().all(|variant| variant.value.is_some());
        let x = |(place, variant): (usize, &WeighedVariant)| variant.value.unwrap_or(place as f64);
        let points = |y: &dyn Fn(&WeighedVariant) -> Option<f64>| -> Vec<(f64, f64)> {
            self.variants.iter().enumerate().filter_map(|row| Some((x(row), y(row.1)?))).collect()
        };
        let plot = |title: String, y: &str| {
            let mut plot = Plot::new(title, self.varied.as_str(), y);
            if !swept {
                let names = self.variants.iter().map(|variant| variant.set.name.clone());
                plot.places = names.collect();
            }
            plot
        };
        let percent = |part: u64| Some(part as f64 * 100.0 / self.head.positions as f64);
        let title = format!("Agreement with {}, depth {}", self.base.name, self.depth);
        let mut agreement = plot(title, "% of positions")
            .with("the same best moves", points(&|variant| percent(variant.agreement.same)));
        let elo = points(&|variant| Some(variant.games.as_ref()?.strength?.elo.value));
        let strength = plot(format!("Strength against {}", self.base.name), "Elo").with("Elo", elo);
        if swept {
            agreement = agreement
                .with("a common best move", points(&|variant| percent(variant.agreement.shared)));
        }
        [agreement, strength].into_iter().filter(|plot| !plot.is_empty()).collect()
    }
}

pub(super) fn head(head: &SuiteHead, depth: Option<u8>) -> String {
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

/// A variant's name, or the value of the weight that is varied.
fn name(variant: &WeighedVariant) -> String {
    variant.value.map_or_else(|| variant.set.name.clone(), number::digits)
}

/// A variant, or nothing for the base, with its set.
type WeighedRow<'a> = (Option<&'a WeighedVariant>, &'a WeighedSet);

/// What the columns say.
const LEGEND: &str = "same: positions with the base's best moves; common: with one of them at least; apart: mean distance of the searched values; \
                      cost: what the choice loses in the eyes of the base, on average; static and searched: mean values for the side to move";

fn rows(report: &WeightTable, style: Style) -> String {
    let all = std::iter::once((None, &report.base));
    let all = all.chain(report.variants.iter().map(|row| (Some(row), &row.set)));
    let percent = |part| number::percent(part, report.head.positions).unwrap_or_default();
    let agreement = |tell: &dyn Fn(&Agreement) -> String, row: &WeighedRow<'_>| {
        told(row.0.map(|variant| tell(&variant.agreement)))
    };
    TextTable::of(all)
        .left(&report.varied, |(variant, set)| {
            variant.map_or_else(|| format!("base {}", set.name), name)
        })
        .right("same", |row| agreement(&|it| percent(it.same), row))
        .right("common", |row| agreement(&|it| percent(it.shared), row))
        .point("apart", |row| agreement(&|it| size(it.mean_difference), row))
        .point("cost", |row| agreement(&|it| size(it.cost), row))
        .point("static", |(_, set)| signed(set.mean_static))
        .point("searched", |(_, set)| signed(set.mean_value))
        .right("nodes", |(_, set)| count(set.nodes))
        .render(style)
}

/// A number that is never below 0, rounded like a score.
fn size(number: f64) -> String {
    signed(number).trim_start_matches('+').to_owned()
}

/// The best moves of every set, where there is one position.
fn best_moves<'a>(sets: impl Iterator<Item = &'a WeighedSet> + Clone, style: Style) -> String {
    let widest = sets.clone().map(|set| width(&set.name)).max().unwrap_or(0);
    lines(sets.filter(|set| !set.best.is_empty()).map(|set| {
        let lead = format!("best {}  ", pad(&set.name, widest));
        layout::wrap(&lead, &layout::some(&set.best, search::SHOWN, style))
    }))
}

/// Where a variant chooses otherwise than the base.
fn disagreements(variant: &WeighedVariant, base: &WeighedSet, style: Style) -> String {
    if variant.disagreements.is_empty() {
        return String::new();
    }
    let title = format!("{} against {}", variant.set.name, base.name);
    let listed = variant.disagreements.iter();
    let listed = listed.map(|disagreement| self::disagreement(disagreement, style));
    let omitted = (variant.omitted > 0).then(|| {
        let more = counted(variant.omitted, "disagreement", "disagreements");
        format!("{more} more: --limit shows them")
    });
    lines(std::iter::once(title).chain(listed).chain(omitted))
}

fn disagreement(disagreement: &Disagreement, style: Style) -> String {
    let Disagreement { position, state, phase, comment, choices } = disagreement;
    let words = comment.as_ref().unwrap_or(phase);
    let lead = format!("{position:>4}  ");
    let names = choices.iter().map(|choice| width(&choice.set)).max();
    let choice = |choice: &SetChoice| {
        let name = pad(&choice.set, names.unwrap_or(0));
        let value = number::score(choice.value, style);
        let best = layout::some(&choice.best, search::SHOWN, style);
        layout::wrap(&format!("      {name}  "), &format!("{value}  {best}"))
    };
    lines([layout::wrap(&lead, &format!("{state}  {words}")), lines(choices.iter().map(choice))])
}
