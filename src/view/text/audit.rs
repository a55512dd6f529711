//! Audits: wrong entries, and where a search departs from the plain one.

use super::{
    Style, debug,
    layout::{self, headline, lines},
    number::{self, count, counted},
    search::time,
    table::{Align, Table},
    timeline,
};
use crate::engine::report::{AuditReport, AuditRunReport, DepartureReport, EventKind, FlawReport};

pub(super) fn entries(report: &AuditReport, style: Style) -> String {
    let checked = format!(
        "{} of {} checked",
        count(report.checked as u64),
        counted(report.entries as u64, "entry", "entries")
    );
    let pieces = [
        checked,
        format!("{} right", count(report.right as u64)),
        format!("{} wrong", count(report.wrong as u64)),
    ];
    lines([
        headline(pieces),
        unchecked(report),
        kinds(report),
        flaws(report, style),
        time(report.nodes, report.ms, None),
        stopped(report),
        layout::notes(&report.notes),
    ])
}

/// What the wrong values say about themselves.
fn kinds(report: &AuditReport) -> String {
    let negated = (report.negated > 0).then(|| {
        format!(
            "{} of the wrong values would be right with the sign turned (defect D2)",
            count(report.negated as u64)
        )
    });
    let over = (report.over > 0).then(|| {
        format!(
            "{} of them stand for a finished game at depth 0 (defect D5)",
            count(report.over as u64)
        )
    });
    lines([negated.unwrap_or_default(), over.unwrap_or_default()])
}

fn unchecked(report: &AuditReport) -> String {
    let ignored = (report.ignored > 0).then(|| {
        format!(
            "{} no search uses: a learned 0 counts as unknown (defect D3)",
            counted(report.ignored as u64, "entry", "entries")
        )
    });
    let reasons = report.unchecked.iter().map(|census| {
        let entries = counted(census.entries as u64, "entry", "entries");
        format!("{entries} not checked: {}", census.of)
    });
    lines(ignored.into_iter().chain(reasons))
}

fn stopped(report: &AuditReport) -> String {
    let seen = report.checked + report.ignored;
    let seen = seen
        + report
            .unchecked
            .iter()
            .map(|census| census.entries)
            .sum::<usize>();
    if report.interrupted {
        let rest = report.chosen.saturating_sub(seen);
        return format!(
            "interrupted: {} not looked at",
            counted(rest as u64, "entry", "entries")
        );
    }
    String::new()
}

fn flaws(report: &AuditReport, style: Style) -> String {
    if report.flaws.is_empty() {
        return String::new();
    }
    let mut heads = vec![
        ("key", Align::Left),
        ("stored", Align::Point),
        ("true", Align::Point),
        ("off by", Align::Point),
    ];
    if report.read_twice {
        heads.push(("read by", Align::Left));
    }
    heads.push(("state", Align::Left));
    let mut table = Table::new(heads);
    for flaw in &report.flaws {
        table.row(flaw_row(flaw, report.read_twice, style));
    }
    let more = report.wrong - report.flaws.len();
    let more = (more > 0).then(|| layout::and_more(more, style));
    let writers = report.flaws.iter().filter_map(|flaw| {
        let writer = timeline::writer(flaw.writer.as_ref()?, style);
        Some(format!("{}\n{}", flaw.key, indented(&writer)))
    });
    let table = [table.render(style), more.unwrap_or_default()];
    lines(table.into_iter().chain(writers))
}

fn indented(text: &str) -> String {
    let line = |line: &str| format!("  {line}");
    lines(text.lines().map(line))
}

fn flaw_row(flaw: &FlawReport, read_twice: bool, style: Style) -> Vec<String> {
    let value = number::score(flaw.value, style);
    let mut row = vec![
        flaw.key.clone(),
        bounded(flaw.bound, &value, style),
        number::score(flaw.true_value, style),
        number::score(flaw.amount, style),
    ];
    row.extend(read_twice.then(|| flaw.read_by.to_string()));
    row.push(flaw.state.clone());
    row
}

/// A value with what it says of the true one.
pub(super) fn bounded(bound: &str, value: &str, style: Style) -> String {
    match bound {
        "lower" => format!("{} {value}", style.at_least()),
        "upper" => format!("{} {value}", style.at_most()),
        _ => value.to_owned(),
    }
}

pub(super) fn run(report: &AuditRunReport, style: Style) -> String {
    let looked = [
        counted(report.events, "event", "events"),
        format!(
            "{} held against the plain search",
            counted(report.checked, "value", "values")
        ),
        format!("nodes {}", count(report.nodes)),
        format!("plain nodes {}", count(report.plain_nodes)),
    ];
    let verdict = match (&report.departure, report.stopped) {
        (Some(departure), _) => departed(departure, style),
        (None, Some(stop)) => format!(
            "no departure to depth {} ({}): every value is the plain search's",
            report.depth,
            stop.name()
        ),
        (None, None) => String::new(),
    };
    lines([
        verdict,
        headline(looked),
        time(report.nodes + report.plain_nodes, report.ms, None),
    ])
}

fn departed(departure: &DepartureReport, style: Style) -> String {
    let line = match departure.line.as_slice() {
        [] => "at the root".to_owned(),
        moves => format!("after {}", moves.join(" ")),
    };
    let [alpha, beta, truth] = [departure.alpha, departure.beta, departure.true_value]
        .map(|score| number::score(score, style));
    let side = departure.side;
    let what = match departure.event.kind {
        EventKind::Hit => "the cache answers",
        EventKind::Leaf => "the leaf is worth",
        _ => "the search finds",
    };
    let value = bounded(
        departure.bound,
        &number::exact(departure.value, style),
        style,
    );
    let text = format!(
        "{line}, {side} to move, window {alpha} to {beta}: {what} {value}; the plain search of that node, {} deep, finds {truth}.",
        counted(u64::from(departure.event.depth), "ply", "plies")
    );
    lines([
        "the search departs from the plain one:".to_owned(),
        format!("  {}", debug::event(&departure.event, style)),
        format!("  {}", departure.event.state),
        layout::wrap("", &text),
        layout::wrap("", &why(departure, style)),
    ])
}

/// The cause in words.
fn why(departure: &DepartureReport, style: Style) -> String {
    match departure.cause {
        "sign" => "Black's entries stand with the sign turned, and the side that wrote this one is not the side that reads it (defect D2).".to_owned(),
        "zero" => "The cache has learned 0 for it, which the look-up takes for unknown; the heuristic stood in (defect D3).".to_owned(),
        "leaf" => "The game is over there, but depth 0 gives the heuristic without looking (defect D5).".to_owned(),
        "depth" => {
            let depth = departure.entry.as_ref().and_then(|entry| entry.depth);
            let depth = depth.map_or_else(|| style.none().to_owned(), |depth| depth.to_string());
            format!(
                "The entry was searched to depth {depth}, and depth {} was asked (defect D13).",
                departure.event.depth
            )
        }
        "window" => format!(
            "An entry had changed the window to {} to {} before the search, and what it promised does not hold at this depth (defect D14).",
            number::score(departure.window[0], style),
            number::score(departure.window[1], style)
        ),
        "before" => "The entry was in the cache before this run: it was computed with other weights or rules (defect D9), loaded or edited.".to_owned(),
        _ => "The entry itself is wrong; `explain entry` tells what it claims.".to_owned(),
    }
}
