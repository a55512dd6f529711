//! Weight sets over many positions.

mod reasons;

use super::{
    Style,
    duel::duels,
    layout::{self, flow, lines, pad, took, width},
    number::{self, count, counted, signed},
    table::{Align, Table},
    tuning,
};
use crate::engine::report::{
    Ablation, Agreement, SuiteComparison, SuiteHead, SuitePair, SuiteReport, SuiteSet, Sweep,
};

/// Cells of a full bar.
const BAR: u64 = 10;

pub(super) fn suite(report: &SuiteReport) -> String {
    let written = report
        .file
        .as_ref()
        .map(|file| format!("written to {file}"));
    if written.is_some() {
        return lines([head(&report.head, None), written.unwrap_or_default()]);
    }
    let row = |entry: &crate::engine::report::SuiteEntry| {
        let words = entry.comment.as_ref().unwrap_or(&entry.phase);
        layout::wrap(
            &format!("{:>4}  ", entry.position),
            &format!("{}  {words}", entry.state),
        )
    };
    lines(std::iter::once(head(&report.head, None)).chain(report.entries.iter().map(row)))
}

fn head(head: &SuiteHead, depth: Option<u8>) -> String {
    let phases = head.phases.iter();
    let phases: Vec<_> = phases
        .map(|phase| format!("{} {}", phase.positions, phase.phase))
        .collect();
    let pieces = [
        Some(format!("suite {}:", head.suite)),
        Some(counted(head.positions, "position", "positions")),
        Some(phases.join(", ")),
        depth.map(|depth| format!("depth {depth}")),
    ];
    lines([
        flow("", pieces.into_iter().flatten()),
        layout::notes(&head.notes),
    ])
}

fn foot(svg: Option<&String>, ms: Option<f64>) -> String {
    lines([
        svg.map_or(String::new(), |file| format!("chart written to {file}")),
        took(ms, None),
    ])
}

fn blocks(blocks: impl IntoIterator<Item = String>) -> String {
    let blocks = blocks.into_iter().filter(|block| !block.is_empty());
    blocks.collect::<Vec<_>>().join("\n\n")
}

pub(super) fn comparison(report: &SuiteComparison, style: Style) -> String {
    let top = [head(&report.head, Some(report.depth)), sets(&report.sets)];
    let pairs = report.pairs.iter().map(|pair| self::pair(pair, style));
    let foot = foot(report.svg.as_ref(), report.ms);
    blocks(top.into_iter().chain(pairs).chain([foot]))
}

/// The sets with their weights and what they make of the suite as a whole.
fn sets(sets: &[SuiteSet]) -> String {
    let named: Vec<_> = sets
        .iter()
        .map(|set| (set.name.as_str(), set.weights.as_slice()))
        .collect();
    let widest = sets.iter().map(|set| width(&set.name)).max().unwrap_or(0);
    let of = |set: &SuiteSet| {
        let lead = format!("{}  ", pad(&set.name, widest));
        let mean = format!("mean value {}", signed(set.mean_value));
        flow(&lead, [mean, counted(set.nodes, "node", "nodes")])
    };
    lines([tuning::sets(&named), lines(sets.iter().map(of))])
}

fn pair(pair: &SuitePair, style: Style) -> String {
    let SuitePair {
        first,
        second,
        agreement,
        ..
    } = pair;
    let title = format!("{first} and {second}");
    let mut table = Table::new([("", Align::Left), ("", Align::Left), ("", Align::Left)]);
    let part = |share: u64| {
        let percent = number::percent(share, agreement.positions).unwrap_or_default();
        format!(
            "{} of {}, {percent}",
            count(share),
            count(agreement.positions)
        )
    };
    table.row([
        "the same best moves".to_owned(),
        part(agreement.same),
        bar(agreement.same, agreement.positions, style),
    ]);
    table.row([
        "a common best move".to_owned(),
        part(agreement.shared),
        bar(agreement.shared, agreement.positions, style),
    ]);
    let table = table.render(style);
    let table = table.trim_start_matches('\n').to_owned();
    lines([
        title,
        table,
        distances(agreement),
        layout::wrap(
            "",
            &format!(
                "cost of {first}'s choice under {second}: {} on average; of {second}'s under {first}: {}",
                size(agreement.cost_of_first),
                size(agreement.cost_of_second)
            ),
        ),
        phases(pair, style),
        reasons::disagreements(pair, style),
        duels(
            &format!("games of {first} against {second}"),
            "",
            pair.games.iter().map(|games| (String::new(), games)),
            style,
        ),
    ])
}

fn distances(agreement: &Agreement) -> String {
    let at = agreement
        .widest
        .filter(|_| agreement.max_difference > 0.0)
        .map_or(String::new(), |number| format!(" (position {number})"));
    format!(
        "values apart: {} on average, {} at most{at}",
        size(agreement.mean_difference),
        size(agreement.max_difference)
    )
}

/// A number that is never below 0, rounded like a score.
fn size(number: f64) -> String {
    signed(number).trim_start_matches('+').to_owned()
}

/// So much of a whole; something where it is not nothing.
fn bar(part: u64, whole: u64, style: Style) -> String {
    let cells = (part * BAR).div_ceil(whole.max(1));
    style.bar().repeat(cells.min(BAR) as usize)
}

fn phases(pair: &SuitePair, style: Style) -> String {
    if pair.phases.len() < 2 {
        return String::new();
    }
    let mut table = Table::new([
        ("phase", Align::Left),
        ("positions", Align::Right),
        ("same", Align::Right),
        ("common", Align::Right),
        ("apart", Align::Point),
    ]);
    for phase in &pair.phases {
        let agreement = &phase.agreement;
        table.row([
            phase.phase.clone(),
            count(agreement.positions),
            count(agreement.same),
            count(agreement.shared),
            size(agreement.mean_difference),
        ]);
    }
    table.render(style)
}

/// Variants of a heuristic, each against the whole one.
fn variants<'a>(
    name: &str,
    rows: impl Iterator<Item = (String, &'a Agreement, f64, u64)>,
    style: Style,
) -> String {
    let mut table = Table::new([
        (name, Align::Point),
        ("same", Align::Right),
        ("common", Align::Right),
        ("apart", Align::Point),
        ("cost", Align::Point),
        ("mean value", Align::Point),
        ("nodes", Align::Right),
        ("", Align::Left),
    ]);
    for (name, agreement, mean, nodes) in rows {
        let percent = |part| number::percent(part, agreement.positions).unwrap_or_default();
        table.row([
            name,
            percent(agreement.same),
            percent(agreement.shared),
            size(agreement.mean_difference),
            size(agreement.cost_of_first),
            signed(mean),
            count(nodes),
            bar(agreement.same, agreement.positions, style),
        ]);
    }
    table.render(style)
}

/// What the columns say.
const LEGEND: &str = "same: positions with the base's best moves; common: with one of them at least; apart: mean distance of the values; cost: what \
                      the choice loses in the eyes of the base, on average";

pub(super) fn sweep(report: &Sweep, style: Style) -> String {
    let rows = report.points.iter().map(|point| {
        let mark = if point.is_base { "base " } else { "" };
        let value = format!("{mark}{}", number::digits(point.value));
        (value, &point.agreement, point.mean_value, point.nodes)
    });
    blocks([
        head(&report.head, Some(report.depth)),
        sets(std::slice::from_ref(&report.base)),
        lines([
            variants(&report.weight, rows, style),
            layout::wrap("", LEGEND),
        ]),
        duels(
            &format!("games against {}", report.base.name),
            &report.weight,
            report
                .points
                .iter()
                .filter_map(|point| Some((number::digits(point.value), point.games.as_ref()?))),
            style,
        ),
        foot(report.svg.as_ref(), report.ms),
    ])
}

pub(super) fn ablation(report: &Ablation, style: Style) -> String {
    let rows = report.terms.iter().map(|term| {
        let name = format!("{} ({})", term.term, number::digits(term.weight));
        (name, &term.agreement, term.mean_value, term.nodes)
    });
    blocks([
        head(&report.head, Some(report.depth)),
        sets(std::slice::from_ref(&report.base)),
        lines([variants("without", rows, style), layout::wrap("", LEGEND)]),
        duels(
            &format!("games against {}", report.base.name),
            "without",
            report
                .terms
                .iter()
                .filter_map(|term| Some((term.term.clone(), term.games.as_ref()?))),
            style,
        ),
        foot(report.svg.as_ref(), report.ms),
    ])
}
