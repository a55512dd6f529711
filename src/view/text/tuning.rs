//! Rules, weights and settings.

use super::{
    Style,
    layout::{self, flow, lines, pad, width},
    number,
    table::{Align, Table},
};
use crate::engine::report::{RulesReport, SettingsReport, WeightSets, WeightsReport};

pub(super) fn rules(report: &RulesReport) -> String {
    if report.rules.is_empty() {
        return format!("{} has no rules to choose", report.game);
    }
    let mut table = Table::new([
        ("rule", Align::Left),
        ("value", Align::Left),
        ("choices", Align::Left),
    ]);
    for rule in &report.rules {
        table.row([&rule.name, &rule.value, &rule.choices.join(", ")]);
    }
    let help = report.rules.iter().map(|rule| {
        let lead = format!("{}: ", rule.name);
        layout::wrap(&lead, &rule.help)
    });
    let table = table.render(Style::default());
    lines([table, lines(help), layout::notes(&report.notes)])
}

pub(super) fn weights(report: &WeightsReport) -> String {
    let mut pieces = vec![pairs(&report.weights)];
    pieces.extend(report.name.as_ref().map(|name| format!("({name})")));
    lines([flow("weights ", pieces), layout::notes(&report.notes)])
}

fn pairs(weights: &[(String, f64)]) -> String {
    let pair = |(name, value): &(String, f64)| format!("{name}={}", number::digits(*value));
    weights.iter().map(pair).collect::<Vec<_>>().join(" ")
}

pub(super) fn weight_sets(report: &WeightSets) -> String {
    let named = report.sets.iter().map(|set| {
        let name = set.name.as_deref().unwrap_or_default();
        (name, set.weights.as_slice())
    });
    sets(&named.collect::<Vec<_>>())
}

/// Weight sets below each other: as a table, or one after the other where there are too many weights for that.
pub(super) fn sets(sets: &[(&str, &[(String, f64)])]) -> String {
    let Some((_, first)) = sets.first() else {
        return "no weight sets".to_owned();
    };
    let weights = first.iter().map(|(name, _)| (name.as_str(), Align::Point));
    let mut table = Table::new([("set", Align::Left)].into_iter().chain(weights));
    for (name, weights) in sets {
        let weights = weights.iter().map(|(_, weight)| number::digits(*weight));
        table.row([(*name).to_owned()].into_iter().chain(weights));
    }
    if table.fits() {
        return table.render(Style::default());
    }
    let spelled = sets
        .iter()
        .map(|(name, weights)| layout::wrap("", &format!("{name}: {}", pairs(weights))));
    lines(spelled)
}

pub(super) fn settings(report: &SettingsReport) -> String {
    let column = |at: usize| {
        let widths = report.shown.iter().map(|row: &[String; 3]| width(&row[at]));
        widths.max().unwrap_or(0)
    };
    let (names, values) = (column(0), column(1));
    let row = |[name, value, help]: &[String; 3]| {
        let lead = format!("{}  {}  ", pad(name, names), pad(value, values));
        layout::wrap(&lead, help)
    };
    let rows = if report.shown.iter().all(|[_, _, help]| help.is_empty()) {
        flow(
            "",
            report
                .shown
                .iter()
                .map(|[name, value, _]| format!("{name}={value}")),
        )
    } else {
        lines(report.shown.iter().map(row))
    };
    let odd = report.odd_defects.join(", ");
    let odd = if odd.is_empty() {
        odd
    } else {
        format!("defects switched: {odd}")
    };
    lines([rows, odd, layout::notes(&report.notes)])
}
