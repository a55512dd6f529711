//! Breakpoints, and what watchpoints, traces and displays show.

use super::{
    Style,
    debug::{event, worth},
    layout::{self, flow, lines},
    number,
    table::{Align, Table},
};
use crate::engine::report::{
    BreakpointList, BreakpointReport, ChangeReport, DisplayList, DisplayReport, EntryReport, Score,
    Seen, TraceReport, WatchReport,
};

/// All of them, with the commands that set them: these are typed again, so they are never cut.
pub(super) fn list(report: &BreakpointList) -> String {
    if report.breakpoints.is_empty() {
        return "no breakpoints".to_owned();
    }
    let heads = [
        ("#", Align::Right),
        ("hits", Align::Right),
        ("", Align::Left),
    ];
    let mut table = Table::new(heads);
    for point in &report.breakpoints {
        let state = if point.enabled { "on" } else { "off" };
        let hits = number::count(point.hits);
        table.row([point.id.to_string(), hits, state.to_owned()]);
    }
    let text = table.render(Style::default());
    let widest = text.lines().map(layout::width).max().unwrap_or(0);
    let mut rows = text.lines();
    let head = rows.next().unwrap_or_default();
    let head = format!("{}  command", layout::pad(head, widest));
    let point = |(row, point): (&str, &BreakpointReport)| {
        let lead = format!("{}  ", layout::pad(row, widest));
        let command = format!("{} {}", point.command, point.condition);
        lines([
            layout::wrap(&lead, &command),
            details(point, layout::width(&lead) + 2),
        ])
    };
    let points = rows.zip(&report.breakpoints).map(point);
    lines(std::iter::once(head).chain(points))
}

/// What else there is to know of a breakpoint.
fn details(point: &BreakpointReport, indent: usize) -> String {
    let lead = layout::blank(indent);
    let ignored = match point.ignore {
        0 => String::new(),
        1 => format!("{lead}ignored once more"),
        times => format!("{lead}ignored {} more times", number::count(times)),
    };
    let commands = point.commands.iter().flat_map(|command| command.lines());
    let untrusted = if point.untrusted {
        format!("{lead}not run before `trust`:")
    } else {
        String::new()
    };
    let commands = commands.map(|command| format!("{lead}> {command}"));
    lines([ignored, untrusted].into_iter().chain(commands))
}

/// Displays, one a line.
pub(super) fn displays(report: &DisplayList) -> String {
    if report.displays.is_empty() {
        return "nothing is displayed".to_owned();
    }
    shown(&report.displays)
}

pub(super) fn shown(displays: &[DisplayReport]) -> String {
    let line = |display: &DisplayReport| {
        let lead = format!("{}: {} = ", display.id, display.expression);
        layout::wrap(&lead, &worth(&display.value))
    };
    lines(displays.iter().map(line))
}

/// The lines of traces.
pub(super) fn traced(seen: &Seen, style: Style) -> String {
    let Some(TraceReport {
        lines: kept,
        omitted,
    }) = &seen.trace
    else {
        return String::new();
    };
    let line = |line: &crate::engine::report::TraceLine| {
        format!("trace {}  {}", line.breakpoint, event(&line.event, style))
    };
    let rest = if *omitted == 0 {
        String::new()
    } else {
        let more = number::counted(*omitted, "more line is", "more lines are");
        format!("{more} not shown")
    };
    lines(kept.iter().map(line).chain([rest]))
}

/// What the watchpoint that stopped the search saw.
pub(super) fn watched(seen: &Seen, style: Style) -> String {
    let Some(WatchReport {
        what,
        access,
        change,
    }) = &seen.watch
    else {
        return String::new();
    };
    let score = |score: &Option<Score>| number::score_or_none(*score, style);
    let (before, now) = match change {
        ChangeReport::Value { previous, now } => (score(previous), score(now)),
        ChangeReport::Entry { previous, entry } => (
            described(previous.as_deref(), style),
            described(entry.as_deref(), style),
        ),
    };
    match *access {
        "read" => flow("  ", [format!("{what} is read:"), now]),
        _ => flow(
            "  ",
            [
                format!("{what}:"),
                format!("was {before},"),
                format!("is {now}"),
            ],
        ),
    }
}

/// An entry in a few words.
fn described(entry: Option<&EntryReport>, style: Style) -> String {
    let Some(entry) = entry else {
        return "not there".to_owned();
    };
    let window = entry.alpha.zip(entry.beta).map(|(alpha, beta)| {
        let [alpha, beta] = [alpha, beta].map(|end| number::score(end, style));
        format!(" for [{alpha}, {beta}]")
    });
    let bound = entry
        .bound
        .map_or_else(String::new, |bound| format!(" {bound}"));
    let value = number::score(entry.value, style);
    format!("{value}{bound}{}", window.unwrap_or_default())
}
