//! Timelines, and two of them side by side.

use super::{
    Style,
    debug::event,
    layout::{flow, lines},
    number,
    table::{Align, Table},
};
use crate::engine::report::{
    DiffReport, DivergenceReport, RunSide, Score, TimelineList, TimelineReport, WriterReport,
};

pub(super) fn list(report: &TimelineList, style: Style) -> String {
    if report.timelines.is_empty() {
        return "no search was recorded yet".to_owned();
    }
    let mut table = Table::new([
        ("  timeline", Align::Left),
        ("at event", Align::Right),
        ("of", Align::Right),
        ("root", Align::Left),
    ]);
    for timeline in &report.timelines {
        let mark = if timeline.current { style.here() } else { " " };
        table.row([
            format!("{mark} {}", timeline.name),
            last(timeline.events),
            last(timeline.reached),
            timeline.state.clone(),
        ]);
    }
    let branches = report.timelines.iter().filter_map(branch);
    let marks = report.marks.iter().map(|mark| {
        let event = number::count(mark.event);
        format!(
            "mark {}: event {event} of timeline {}",
            mark.name, mark.timeline
        )
    });
    let memory = format!("recording: {}", number::bytes(report.bytes as u64));
    let rest = branches.chain(marks).chain([memory]);
    lines(std::iter::once(table.render(style)).chain(rest))
}

/// The number of the last of so many events.
fn last(events: u64) -> String {
    events.checked_sub(1).map_or("-".into(), number::count)
}

fn branch(timeline: &TimelineReport) -> Option<String> {
    let parent = timeline.parent.as_ref()?;
    let after = number::count(timeline.branched.unwrap_or(0));
    let head = format!(
        "timeline {}: off {parent} after event {after}",
        timeline.name
    );
    let edits = timeline.edits.iter().map(|edit| format!("  {edit}"));
    Some(lines(std::iter::once(head).chain(edits)))
}

pub(super) fn writer(report: &WriterReport, style: Style) -> String {
    let line = if report.line.is_empty() {
        "at the root".to_owned()
    } else {
        format!("after {}", report.line.join(" "))
    };
    let [alpha, beta, value] =
        [report.alpha, report.beta, report.value].map(|score| number::score(score, style));
    let answered = match report.answered {
        0 => "has not answered since".to_owned(),
        times => format!("answered {} since", number::counted(times, "time", "times")),
    };
    let pieces = [
        format!("written by event {}", number::count(report.event)),
        line,
        format!("window {alpha} to {beta}"),
        format!("value {value}"),
        answered,
    ];
    flow("", pieces)
}

pub(super) fn diff(report: &DiffReport, style: Style) -> String {
    let names = [&report.a.timeline, &report.b.timeline];
    let parting = match &report.divergence {
        None => "the same events from beginning to end".to_owned(),
        Some(divergence) => self::divergence(divergence, names, style),
    };
    lines([parting, sides(report, style), moves(report, style)])
}

fn divergence(report: &DivergenceReport, names: [&String; 2], style: Style) -> String {
    let same = match report.same {
        0 => "they differ from the first event".to_owned(),
        events => format!(
            "the first {} are the same",
            number::counted(events, "event", "events")
        ),
    };
    let [a, b] = names;
    let side = |name: &str, found: &Option<_>| match found {
        None => format!("{name}: over"),
        Some(found) => lines([
            format!("{name}: {}", event(found, style)),
            format!("   {}", found.state),
        ]),
    };
    lines([same, side(a, &report.a), side(b, &report.b)])
}

/// A counter of both sides.
type Row = (&'static str, fn(&RunSide) -> u64);

fn sides(report: &DiffReport, style: Style) -> String {
    let mut table = Table::new([
        ("", Align::Left),
        (report.a.timeline.as_str(), Align::Right),
        (report.b.timeline.as_str(), Align::Right),
    ]);
    let value = |side: &RunSide| score(side.value, style);
    table.row(["value".into(), value(&report.a), value(&report.b)]);
    let rows: [Row; 9] = [
        ("depth", |side| side.depth.into()),
        ("events", |side| side.events),
        ("nodes", |side| side.nodes),
        ("hits", |side| side.hits),
        ("invalid", |side| side.invalid),
        ("misses", |side| side.misses),
        ("stores", |side| side.stores),
        ("cutoffs", |side| side.cutoffs),
        ("entries", |side| side.entries as u64),
    ];
    for (name, of) in rows {
        table.row([
            name.into(),
            number::count(of(&report.a)),
            number::count(of(&report.b)),
        ]);
    }
    let best = |side: &RunSide| format!("best in {}: {}", side.timeline, side.best.join(" "));
    lines([table.render(style), best(&report.a), best(&report.b)])
}

fn score(value: Option<Score>, style: Style) -> String {
    value.map_or("-".into(), |value| number::score(value, style))
}

/// Root moves whose values differ.
fn moves(report: &DiffReport, style: Style) -> String {
    let differing = report.moves.iter().filter(|pair| pair.a != pair.b);
    let mut table = Table::new([
        ("move", Align::Left),
        (report.a.timeline.as_str(), Align::Point),
        (report.b.timeline.as_str(), Align::Point),
    ]);
    let mut any = false;
    for pair in differing {
        any = true;
        table.row([pair.mv.clone(), score(pair.a, style), score(pair.b, style)]);
    }
    if any {
        table.render(style)
    } else {
        "every root move has the same value".to_owned()
    }
}
