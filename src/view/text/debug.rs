//! Searches step by step: events, the stack and its frames.

use super::{
    Style, breakpoints,
    layout::{self, beside, flow, lines},
    number,
    position::side,
    search,
    table::{Align, Table},
};
use crate::engine::report::{
    EventKind, EventReport, FrameReport, Outcome, Printed, Score, StopReport, Where,
};

pub(super) fn stop(report: &StopReport, style: Style) -> String {
    let event = report.event.as_ref();
    let result = report.result.as_ref().map(|run| search::run(run, style));
    lines([
        breakpoints::traced(&report.seen, style),
        event.map_or(String::new(), |found| self::event(found, style)),
        event.map_or(String::new(), |found| format!("  {}", found.state)),
        format!("  {}", why(report)),
        breakpoints::watched(&report.seen, style),
        layout::notes(&report.notes),
        result.unwrap_or_default(),
        breakpoints::shown(&report.seen.displays),
    ])
}

/// Why the search stands.
fn why(report: &StopReport) -> String {
    let after = number::counted(report.events, "event", "events");
    let reason = match report.stopped.as_str() {
        "break" => {
            let id = report
                .breakpoint
                .map_or(String::new(), |id| format!(" {id}"));
            format!("breakpoint{id}")
        }
        "depth" => "the depth asked for is complete".to_owned(),
        "budget" => "the budget of states is used up".to_owned(),
        "time" => "the time is up".to_owned(),
        "exhausted" => "deeper iterations cannot change the result".to_owned(),
        "interrupt" => "interrupted".to_owned(),
        "start" => "the recording begins here".to_owned(),
        "end" => "the recording ends here".to_owned(),
        goal => return format!("{after} ({goal})"),
    };
    let over = if report.done { "search over: " } else { "" };
    format!("{over}{reason}, after {after}")
}

/// An event in a line.
pub(super) fn event(event: &EventReport, style: Style) -> String {
    let came_back = matches!(
        event.kind,
        EventKind::Return | EventKind::Raise | EventKind::Cutoff
    );
    let direction = if came_back { "from" } else { "after" };
    let mv = event.mv.as_ref().map(|mv| format!("{direction} {mv}"));
    let value = event
        .value
        .map(|value| format!("value {}", number::score(value, style)));
    let [alpha, beta] = [event.alpha, event.beta].map(|end| number::score(end, style));
    let pieces = [
        Some(format!("#{} {}", event.index, event.kind.name())),
        Some(format!("ply {} depth {}", event.ply, event.depth)),
        mv,
        Some(format!("{} {alpha} {} {beta}", style.alpha(), style.beta())),
        value,
    ];
    flow("", pieces.into_iter().flatten())
}

pub(super) fn stack(report: &Where, style: Style) -> String {
    let mut table = Table::new([
        ("  ply", Align::Left),
        ("depth", Align::Right),
        ("side", Align::Left),
        ("i/n", Align::Right),
        (style.alpha(), Align::Point),
        (style.beta(), Align::Point),
        ("best", Align::Point),
        ("move", Align::Left),
        ("memo", Align::Left),
    ]);
    for frame in &report.frames {
        table.row(stack_row(frame, report.selected, style));
    }
    let progress = [
        format!("iteration {}", report.iteration),
        format!("nodes {}", number::count(report.nodes)),
        "scores are for the side to move at each ply".to_owned(),
    ];
    let event = report.event.as_ref().map(|found| event(found, style));
    lines([
        table.render(style),
        flow("", progress),
        event.unwrap_or_default(),
    ])
}

fn stack_row(frame: &FrameReport, selected: usize, style: Style) -> [String; 9] {
    let here = frame.ply as usize == selected;
    let mark = if here { style.here() } else { " " };
    [
        format!("{mark} {:>3}", frame.ply),
        frame.depth.to_string(),
        side(&frame.side).to_owned(),
        progress(frame, style),
        number::score(frame.alpha, style),
        number::score(frame.beta, style),
        number::score_or_none(frame.best, style),
        frame.mv.clone().unwrap_or_else(|| style.none().to_owned()),
        memo(frame.memo, style).to_owned(),
    ]
}

/// How many of a frame's moves have been entered.
fn progress(frame: &FrameReport, style: Style) -> String {
    if frame.children == 0 {
        return style.none().to_owned();
    }
    format!("{}/{}", frame.child, frame.children)
}

const fn memo(outcome: Outcome, style: Style) -> &'static str {
    match outcome {
        Outcome::Unasked => style.none(),
        Outcome::Hit => "hit",
        Outcome::Invalid => "invalid",
        Outcome::Miss => "miss",
    }
}

pub(super) fn frame(report: &FrameReport, style: Style) -> String {
    let none = || style.none().to_owned();
    let best = report
        .best
        .map_or_else(none, |best| number::exact(best, style));
    let by = report.best_move.as_ref();
    let by = by.map_or(String::new(), |mv| format!(" by {mv}"));
    let mut details = vec![
        format!(
            "ply {}  depth {}  {} to move",
            report.ply,
            report.depth,
            side(&report.side)
        ),
        report.state.clone(),
    ];
    let facts = [
        ("key", report.key.clone()),
        ("memo", memo(report.memo, style).to_owned()),
        (style.alpha(), number::exact(report.alpha, style)),
        (style.beta(), number::exact(report.beta, style)),
        ("best", best + &by),
        ("move", report.mv.clone().unwrap_or_else(none)),
    ];
    let facts = facts.map(|(name, fact)| format!("{}  {fact}", layout::pad(name, "alpha".len())));
    details.extend(facts);
    let board = style.board(&report.board, &report.board_ascii);
    lines([beside(board, details), moves(report, style)])
}

/// The moves around the current one, which stands in brackets.
fn moves(report: &FrameReport, style: Style) -> String {
    const BEFORE: usize = 12;
    const SHOWN: usize = 48;
    let Some(last) = report.moves.len().checked_sub(1) else {
        return String::new();
    };
    let current = report.child.checked_sub(1).filter(|_| report.mv.is_some());
    let latest = (last + 1).saturating_sub(SHOWN);
    let first = current.unwrap_or(0).saturating_sub(BEFORE).min(latest);
    let mark = |(place, mv): (usize, &String)| {
        if current == Some(place) {
            format!("[{mv}]")
        } else {
            mv.clone()
        }
    };
    let moves = report.moves.iter().enumerate().skip(first).take(SHOWN);
    let mut words: Vec<_> = moves.map(mark).collect();
    if first > 0 {
        words.insert(0, format!("({first} before)"));
    }
    let after = report.moves.len().saturating_sub(first + SHOWN);
    if after > 0 {
        words.push(layout::and_more(after, style));
    }
    layout::wrap(
        &format!("moves {}/{}: ", report.child, report.children),
        &words.join(" "),
    )
}

/// Names and values, one a line.
pub(super) fn printed(report: &Printed) -> String {
    let width = report.values.keys().map(|name| layout::width(name)).max();
    let line = |(name, value): (&String, &serde_json::Value)| {
        let name = layout::pad(name, width.unwrap_or(0));
        format!("{name}  {}", worth(value))
    };
    let lines: Vec<_> = report.values.iter().map(line).collect();
    lines.join("\n")
}

/// A value by name in words; `none` where there is none.
pub fn worth(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Null => "none".to_owned(),
        serde_json::Value::Array(items) => {
            let words: Vec<_> = items.iter().filter_map(serde_json::Value::as_str).collect();
            words.join(" ")
        }
        serde_json::Value::Number(number) if number.is_f64() => {
            let score = number.as_f64().and_then(Score::new);
            score.map_or_else(String::new, |score| number::exact(score, Style::default()))
        }
        other => other.to_string(),
    }
}
