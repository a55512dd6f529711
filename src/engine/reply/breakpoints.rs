//! Breakpoints, and what watchpoints, traces and displays show.

use serde::Serialize;

use super::{
    EntryReport, EventReport, Reply, Score,
    event::{event_text, worth},
};
use crate::text::{TextTable, flow, layout, lines, number};

/// The breakpoints.
#[derive(Clone, Debug, Serialize)]
pub struct BreakpointList {
    /// In the order they were set.
    pub breakpoints: Vec<BreakpointReport>,
}

impl Reply for BreakpointList {
    // All of them, with the commands that set them: these are typed again, so they are never cut.
    fn text(&self) -> String {
        if self.breakpoints.is_empty() {
            return "no breakpoints".to_owned();
        }
        let text = TextTable::of(&self.breakpoints)
            .right("#", |point| point.id)
            .right("hits", |point| number::count(point.hits))
            .left("", |point| if point.enabled { "on" } else { "off" })
            .render();
        let widest = text.lines().map(layout::width).max().unwrap_or(0);
        let mut rows = text.lines();
        let head = rows.next().unwrap_or_default();
        let head = format!("{}  command", layout::pad(head, widest));
        let point = |(row, point): (&str, &BreakpointReport)| {
            let lead = format!("{}  ", layout::pad(row, widest));
            let command = format!("{} {}", point.command, point.condition);
            lines([layout::wrap(&lead, &command), details(point, layout::width(&lead) + 2)])
        };
        let points = rows.zip(&self.breakpoints).map(point);
        lines(std::iter::once(head).chain(points))
    }

    fn line(&self) -> String {
        if self.breakpoints.is_empty() {
            return self.text();
        }
        let spelled = self.breakpoints.iter().map(|point| {
            let BreakpointReport { id, condition, .. } = point;
            let off = if point.enabled { "" } else { " (off)" };
            match point.command {
                "break" | "tbreak" => format!("{id}: {condition}{off}"),
                command => format!("{id}: {command} {condition}{off}"),
            }
        });
        spelled.collect::<Vec<_>>().join("  ")
    }
}

/// A breakpoint, watchpoint or tracepoint.
#[derive(Clone, Debug, Serialize)]
pub struct BreakpointReport {
    /// Its number.
    pub id: u32,
    /// The command that sets such a one: `break`, `tbreak`, `watch`, `rwatch`, `awatch` or `tracepoint`.
    pub command: &'static str,
    /// What it waits for, its condition included.
    pub condition: String,
    /// Whether it is removed when it stops.
    pub temporary: bool,
    /// Whether it is looked at.
    pub enabled: bool,
    /// How often what it waits for has happened.
    pub hits: u64,
    /// So many times it is still to be ignored.
    pub ignore: u64,
    /// Command lines to run when it stops.
    pub commands: Vec<String>,
    /// They came with a session and do not run until `trust` is given.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub untrusted: bool,
}

/// Displays with their values now.
#[derive(Clone, Debug, Serialize)]
pub struct DisplayList {
    /// In the order they were made.
    pub displays: Vec<DisplayReport>,
}

impl Reply for DisplayList {
    // Displays, one a line.
    fn text(&self) -> String {
        match self.displays.as_slice() {
            [] => "nothing is displayed".to_owned(),
            displays => shown(displays),
        }
    }

    fn line(&self) -> String {
        let shown: Vec<_> = self.displays.iter().map(DisplayReport::line).collect();
        if shown.is_empty() { self.text() } else { shown.join("  ") }
    }
}

/// An expression that is shown after every stop.
#[derive(Clone, Debug, Serialize)]
pub struct DisplayReport {
    /// Its number.
    pub id: u32,
    /// As typed.
    pub expression: String,
    /// What it is worth now; null where that is nothing.
    pub value: serde_json::Value,
}

impl DisplayReport {
    /// Number, expression and value.
    pub fn line(&self) -> String {
        format!("{}: {} = {}", self.id, self.expression, worth(&self.value))
    }
}

/// What watchpoints, traces and displays have to show after a run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Seen {
    /// What the watchpoint that stopped it saw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub watch: Option<WatchReport>,
    /// Lines of traces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<TraceReport>,
    /// Expressions that are shown after every stop.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub displays: Vec<DisplayReport>,
}

/// What a watchpoint saw: the thing before and after.
#[derive(Clone, Debug, Serialize)]
pub struct WatchReport {
    /// An entry's key, or a value's name and ply.
    pub what: String,
    /// `read`, `write` or, of a frame's value, `change`.
    pub access: &'static str,
    /// Before and after.
    #[serde(flatten)]
    pub change: ChangeReport,
}

/// A watched thing before and after.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum ChangeReport {
    /// A cache entry.
    Entry {
        /// As it was; none where there was none.
        previous: Option<Box<EntryReport>>,
        /// As it is.
        entry: Option<Box<EntryReport>>,
    },
    /// A value of a frame.
    Value {
        /// As it was; none where there was none.
        previous: Option<Score>,
        /// As it is.
        now: Option<Score>,
    },
}

/// Lines of traces of one run.
#[derive(Clone, Debug, Serialize)]
pub struct TraceReport {
    /// The first of them, in order.
    pub lines: Vec<TraceLine>,
    /// How many more there were.
    pub omitted: u64,
}

/// One line of a tracepoint.
#[derive(Clone, Debug, Serialize)]
pub struct TraceLine {
    /// The tracepoint's number.
    pub breakpoint: u32,
    /// Where its conditions held.
    pub event: EventReport,
}

fn details(point: &BreakpointReport, indent: usize) -> String {
    let lead = layout::blank(indent);
    let ignored = match point.ignore {
        0 => String::new(),
        1 => format!("{lead}ignored once more"),
        times => format!("{lead}ignored {} more times", number::count(times)),
    };
    let commands = point.commands.iter().flat_map(|command| command.lines());
    let untrusted =
        if point.untrusted { format!("{lead}not run before `trust`:") } else { String::new() };
    let commands = commands.map(|command| format!("{lead}> {command}"));
    lines([ignored, untrusted].into_iter().chain(commands))
}

pub(super) fn shown(displays: &[DisplayReport]) -> String {
    lines(displays.iter().map(|DisplayReport { id, expression, value }| {
        layout::wrap(&format!("{id}: {expression} = "), &worth(value))
    }))
}

pub(super) fn traced(seen: &Seen) -> String {
    let Some(TraceReport { lines: kept, omitted }) = &seen.trace else {
        return String::new();
    };
    let line = |TraceLine { breakpoint, event }: &TraceLine| {
        format!("tracepoint {breakpoint}  {}", event_text(event))
    };
    let more = number::counted(*omitted, "more line is", "more lines are");
    let rest = (*omitted > 0).then(|| format!("{more} not shown"));
    lines(kept.iter().map(line).chain(rest))
}

pub(super) fn watched(seen: &Seen) -> String {
    let Some(WatchReport { what, access, change }) = &seen.watch else {
        return String::new();
    };
    let score = |score: &Option<Score>| number::score_or_none(*score);
    let (before, now) = match change {
        ChangeReport::Value { previous, now } => (score(previous), score(now)),
        ChangeReport::Entry { previous, entry } => {
            let words = |entry: &Option<Box<EntryReport>>| {
                entry.as_ref().map_or_else(|| "not there".to_owned(), |entry| entry.brief())
            };
            (words(previous), words(entry))
        }
    };
    match *access {
        "read" => flow("  ", [format!("{what} is read:"), now]),
        _ => flow("  ", [format!("{what}:"), format!("was {before},"), format!("is {now}")]),
    }
}
