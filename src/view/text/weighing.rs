//! Weight sets against a base, over many positions or one.

use super::{
    Style,
    duel::duels,
    layout::{self, flow, lines, pad, took, width},
    number::{self, count, counted, signed},
    search,
    table::{Align, Table},
    tuning,
};
use crate::engine::report::{
    Disagreement, Preference, Prospect, SetChoice, SuiteEntry, SuiteHead, SuiteReport, TermGain,
    WeighedSet, WeighedVariant, WeightTable,
};

pub(super) fn suite(report: &SuiteReport) -> String {
    if let Some(file) = &report.file {
        return lines([head(&report.head, None), format!("written to {file}")]);
    }
    let row = |entry: &SuiteEntry| {
        let words = entry.comment.as_ref().unwrap_or(&entry.phase);
        layout::wrap(
            &format!("{:>4}  ", entry.position),
            &format!("{}  {words}", entry.state),
        )
    };
    lines(std::iter::once(head(&report.head, None)).chain(report.entries.iter().map(row)))
}

fn head(head: &SuiteHead, depth: Option<u8>) -> String {
    let depth = depth.map(|depth| format!("depth {depth}"));
    let pieces = if head.positions == 1 {
        vec![head.suite.clone()]
    } else {
        let phases = head.phases.iter();
        let phases: Vec<_> = phases
            .map(|phase| format!("{} {}", phase.positions, phase.phase))
            .collect();
        vec![
            format!("suite {}:", head.suite),
            counted(head.positions, "position", "positions"),
            phases.join(", "),
        ]
    };
    lines([
        flow("", pieces.into_iter().chain(depth)),
        layout::notes(&head.notes),
    ])
}

/// What the columns say.
const LEGEND: &str = "same: positions with the base's best moves; common: with one of them at least; apart: mean distance of the searched values; \
                      cost: what the choice loses in the eyes of the base, on average; static and searched: mean values for the side to move";

/// Variants of the weights against a base.
pub(super) fn table(report: &WeightTable, style: Style) -> String {
    let all = std::iter::once(&report.base).chain(report.variants.iter().map(|row| &row.set));
    let sets: Vec<_> = if report.varied == "set" {
        all.clone().collect()
    } else {
        vec![&report.base]
    };
    let weights = sets.iter().map(|set| {
        let weights = set.weights.iter();
        weights
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    });
    let weights: Vec<Vec<_>> = weights.collect();
    let named: Vec<_> = sets
        .iter()
        .zip(&weights)
        .map(|(set, weights)| (set.name.as_str(), weights.as_slice()))
        .collect();
    let games = report.variants.iter().filter_map(|row| {
        let name = row
            .value
            .map_or_else(|| row.set.name.clone(), number::digits);
        Some((name, row.games.as_ref()?))
    });
    let blocks = [
        head(&report.head, Some(report.depth)),
        tuning::sets(&named),
        lines([rows(report, style), layout::wrap("", LEGEND)]),
        best_moves(all, style),
    ];
    let blocks = blocks
        .into_iter()
        .chain(
            report
                .variants
                .iter()
                .map(|row| disagreements(row, &report.base, style)),
        )
        .chain([
            duels(
                &format!("games against {}", report.base.name),
                &report.varied,
                games,
                style,
            ),
            lines([
                if report.agree {
                    "all sets choose the same moves"
                } else {
                    ""
                },
                &report
                    .svg
                    .as_ref()
                    .map_or(String::new(), |file| format!("chart written to {file}")),
                &took(report.ms, None),
            ]),
        ]);
    let blocks = blocks.filter(|block| !block.is_empty());
    blocks.collect::<Vec<_>>().join("\n\n")
}

fn rows(report: &WeightTable, style: Style) -> String {
    let mut table = Table::new([
        (report.varied.as_str(), Align::Left),
        ("same", Align::Right),
        ("common", Align::Right),
        ("apart", Align::Point),
        ("cost", Align::Point),
        ("static", Align::Point),
        ("searched", Align::Point),
        ("nodes", Align::Right),
    ]);
    let mut row = |name: String, agreement: [String; 4], set: &WeighedSet| {
        let values = [
            signed(set.mean_static),
            signed(set.mean_value),
            count(set.nodes),
        ];
        table.row([name].into_iter().chain(agreement).chain(values));
    };
    row(
        format!("base {}", report.base.name),
        [""; 4].map(str::to_owned),
        &report.base,
    );
    for variant in &report.variants {
        let agreement = &variant.agreement;
        let percent = |part| number::percent(part, report.head.positions).unwrap_or_default();
        let name = variant
            .value
            .map_or_else(|| variant.set.name.clone(), number::digits);
        row(
            name,
            [
                percent(agreement.same),
                percent(agreement.shared),
                size(agreement.mean_difference),
                size(agreement.cost),
            ],
            &variant.set,
        );
    }
    table.render(style)
}

/// A number that is never below 0, rounded like a score.
fn size(number: f64) -> String {
    signed(number).trim_start_matches('+').to_owned()
}

/// The best moves of every set, where there is one position.
fn best_moves<'a>(sets: impl Iterator<Item = &'a WeighedSet> + Clone, style: Style) -> String {
    let widest = sets.clone().map(|set| width(&set.name)).max().unwrap_or(0);
    let sets = sets.filter(|set| !set.best.is_empty());
    lines(sets.map(|set| {
        let lead = format!("best {}  ", pad(&set.name, widest));
        layout::wrap(&lead, &layout::some(&set.best, search::SHOWN, style))
    }))
}

/// Where a variant chooses otherwise than the base, and why.
fn disagreements(variant: &WeighedVariant, base: &WeighedSet, style: Style) -> String {
    if variant.disagreements.is_empty() {
        return String::new();
    }
    let title = format!("{} against {}", variant.set.name, base.name);
    let listed = variant.disagreements.iter();
    let listed = listed.map(|disagreement| self::disagreement(disagreement, style));
    let omitted = (variant.omitted > 0).then(|| {
        let more = counted(variant.omitted, "disagreement", "disagreements");
        format!("{more} more: --list shows them")
    });
    lines(std::iter::once(title).chain(listed).chain(omitted))
}

fn disagreement(disagreement: &Disagreement, style: Style) -> String {
    let Disagreement {
        position,
        state,
        phase,
        comment,
        choices,
        why,
    } = disagreement;
    let words = comment.as_ref().unwrap_or(phase);
    let lead = format!("{position:>4}  ");
    let names = choices.iter().map(|choice| width(&choice.set)).max();
    let choice = |choice: &SetChoice| {
        let name = pad(&choice.set, names.unwrap_or(0));
        let value = number::score(choice.value, style);
        let best = layout::some(&choice.best, search::SHOWN, style);
        layout::wrap(&format!("      {name}  "), &format!("{value}  {best}"))
    };
    lines([
        layout::wrap(&lead, &format!("{state}  {words}")),
        lines(choices.iter().map(choice)),
        lines(why.iter().map(|why| preference(why, style))),
    ])
}

/// Why a set prefers its move, in a sentence.
fn preference(why: &Preference, style: Style) -> String {
    let Preference {
        set,
        prefers,
        to,
        terms,
    } = why;
    let line = |prospect: &Prospect| {
        let ending = if prospect.over { ", the end" } else { "" };
        format!("{}{ending}", prospect.line.join(" "))
    };
    let values = [prefers, to].map(|prospect| number::score(prospect.value, style));
    let gains: Vec<_> = terms.iter().map(gain).collect();
    let reason = match (prefers.value == to.value, gains.is_empty()) {
        (true, _) => "both are worth the same, but not as soon or as late".to_owned(),
        (false, true) => "the game is over at the end of a line".to_owned(),
        (false, false) => format!("at its end {}", gains.join(", ")),
    };
    layout::wrap(
        "      ",
        &format!(
            "{set} expects {} ({}), not {} ({}): {reason}",
            line(prefers),
            values[0],
            line(to),
            values[1]
        ),
    )
}

fn gain(term: &TermGain) -> String {
    format!(
        "{} {} ({})",
        term.name,
        signed(term.count),
        signed(term.gain)
    )
}
