//! Rules, weights and settings.

use super::{
    Style,
    layout::{self, flow, lines, pad, width},
    number, search,
    table::{Align, Table},
};
use crate::engine::report::{
    ComparedSet, Comparison, RulesReport, SettingsReport, WeightSets, WeightsReport,
};

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
        layout::wrap(
            &format!("{}  {}  ", pad(name, names), pad(value, values)),
            help,
        )
    };
    let rows: Vec<_> = report.shown.iter().map(row).collect();
    let odd = report.odd_defects.join(", ");
    let odd = if odd.is_empty() {
        odd
    } else {
        format!("defects switched: {odd}")
    };
    lines([rows.join("\n"), odd, layout::notes(&report.notes)])
}

/// The longest name that can head a column.
const LONGEST: usize = 14;

pub(super) fn comparison(report: &Comparison, style: Style) -> String {
    let names = column_names(report);
    let labelled = names.iter().map(String::as_str).zip(&report.sets);
    let weights: Vec<_> = labelled
        .clone()
        .map(|(name, set)| (name, set.weights.as_slice()))
        .collect();
    let title = flow(
        "",
        [report.state.clone(), format!("depth {}", report.depth)],
    );
    let numbered: Vec<_> = labelled.collect();
    let tables = in_parts(&numbered, |sets| side_by_side(sets, style), style);
    let blocks = [
        lines([title, legend(report, &names)]),
        sets(&weights),
        lines([
            tables.as_str(),
            "(static and searched values are for the side to move)",
        ]),
        best_moves(&numbered, style),
        differences(report, &names, style),
    ];
    let blocks = blocks.into_iter().filter(|block| !block.is_empty());
    blocks.collect::<Vec<_>>().join("\n\n")
}

/// Tables with a column for each of the sets, as few as hold them all.
fn in_parts<T>(sets: &[T], table: impl Fn(&[T]) -> Table, style: Style) -> String {
    let mut tables = Vec::new();
    let mut rest = sets;
    while !rest.is_empty() {
        let most = (2..=rest.len()).rev();
        let fit = most.into_iter().find(|&many| table(&rest[..many]).fits());
        let (part, others) = rest.split_at(fit.unwrap_or(1));
        tables.push(table(part).render(style));
        rest = others;
    }
    tables.join("\n\n")
}

/// The sets' names, or letters where a name is too long for a column.
fn column_names(report: &Comparison) -> Vec<String> {
    let names = report.sets.iter().map(|set| set.name.clone());
    if report.sets.iter().all(|set| width(&set.name) <= LONGEST) {
        return names.collect();
    }
    let letters = ('A'..='Z').map(String::from);
    letters
        .chain((27..).map(|number| format!("#{number}")))
        .take(report.sets.len())
        .collect()
}

/// Which letter stands for which set.
fn legend(report: &Comparison, names: &[String]) -> String {
    let pairs = names
        .iter()
        .zip(&report.sets)
        .filter(|(name, set)| **name != set.name);
    lines(pairs.map(|(name, set)| layout::wrap(&format!("{name} = "), &set.name)))
}

/// What each set makes of the terms, and of the position.
fn side_by_side(sets: &[(&str, &ComparedSet)], style: Style) -> Table {
    let heads = [
        ("for White", Align::Left),
        ("white", Align::Right),
        ("black", Align::Right),
    ];
    let columns = sets.iter().map(|(name, _)| (*name, Align::Point));
    let mut table = Table::new(heads.into_iter().chain(columns));
    let terms = sets.first().map_or(&[][..], |(_, set)| &set.terms);
    for (place, term) in terms.iter().enumerate() {
        let counts = [number::digits(term.white), number::digits(term.black)];
        let balance = |(_, set): &(&str, &ComparedSet)| {
            set.terms
                .get(place)
                .map_or(String::new(), |term| number::score(term.balance(), style))
        };
        let cells = sets.iter().map(balance);
        table.row([term.name.clone()].into_iter().chain(counts).chain(cells));
    }
    let mut summary = |name: &str, cell: &dyn Fn(&ComparedSet) -> String| {
        let cells = sets.iter().map(|(_, set)| cell(set));
        table.row(
            [name.to_owned(), String::new(), String::new()]
                .into_iter()
                .chain(cells),
        );
    };
    summary("static value", &|set| {
        number::score(set.static_value, style)
    });
    summary("searched", &|set| number::score_or_none(set.value, style));
    summary("nodes", &|set| number::count(set.nodes));
    table
}

fn best_moves(sets: &[(&str, &ComparedSet)], style: Style) -> String {
    let names = sets.iter().map(|(name, _)| width(name)).max().unwrap_or(0);
    let line = |(name, set): &(&str, &ComparedSet)| {
        let lead = format!("best {}  ", pad(name, names));
        layout::wrap(&lead, &layout::some(&set.best, search::SHOWN, style))
    };
    lines(sets.iter().map(line))
}

/// The moves on whose worth the sets differ.
fn differences(report: &Comparison, names: &[String], style: Style) -> String {
    if report.agree {
        return "the sets agree on the best moves".to_owned();
    }
    let title = number::counted(report.differ.len() as u64, "move is", "moves are");
    let title = format!("{title} best under some sets only (marked *)");
    let places: Vec<_> = (0..report.sets.len()).collect();
    let table = |places: &[usize]| differing(report, names, places, style);
    lines([title, in_parts(&places, table, style)])
}

/// Their values under some of the sets.
fn differing(report: &Comparison, names: &[String], places: &[usize], style: Style) -> Table {
    let heads = places
        .iter()
        .map(|&place| (names[place].as_str(), Align::Point));
    let mut table = Table::new([("move", Align::Left)].into_iter().chain(heads));
    for row in &report.differ {
        let cell = |&place: &usize| {
            let value = row.values.get(place).copied().flatten();
            let best = row.best_for.contains(&report.sets[place].name);
            let mark = if best { "*" } else { "" };
            format!("{mark}{}", number::score_or_none(value, style))
        };
        table.row([row.mv.clone()].into_iter().chain(places.iter().map(cell)));
    }
    table
}
