//! Details of a stop: the change at a watchpoint, the lines of tracepoints, and displays.

use serde::Serialize;
use serde_json::Value;

use super::{
    cache::EntryReport,
    event::{EventReport, event_text, value_text},
};
use crate::{
    engine::game::Score,
    text::{flow, layout, lines, number},
};

/// An expression that is shown after every stop.
#[derive(Clone, Debug, Serialize)]
pub struct DisplayReport {
    pub(crate) id: u32,
    pub(crate) expression: String,
    /// The value; null if the expression has none at the selected frame.
    pub(crate) value: Value,
}

impl DisplayReport {
    pub(crate) fn line(&self) -> String {
        format!("{}: {} = {}", self.id, self.expression, value_text(&self.value))
    }
}

/// Details of a stop: the change at a watchpoint, the lines of tracepoints, and displays.
#[derive(Clone, Debug, Default, Serialize)]
pub struct StopDetails {
    /// The change at the watchpoint that stopped the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub watch: Option<WatchReport>,
    /// The lines of tracepoints.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<TraceReport>,
    /// The displayed expressions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub displays: Vec<DisplayReport>,
}

/// The change at which a watchpoint stopped.
#[derive(Clone, Debug, Serialize)]
pub struct WatchReport {
    /// An entry's key, or a value's name and ply.
    pub(crate) what: String,
    /// `read`, `write` or, for a value of a frame, `change`.
    pub access: &'static str,
    /// The entry or value before and after the change.
    #[serde(flatten)]
    pub change: ChangeReport,
}

/// A watched entry or value before and after; `None` if it did not exist.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
#[expect(missing_docs, reason = "the fields are called what they are")]
pub enum ChangeReport {
    /// A cache entry.
    Entry { previous: Option<Box<EntryReport>>, entry: Option<Box<EntryReport>> },
    /// A value of a frame.
    Value { previous: Option<Score>, now: Option<Score> },
}

/// The lines of tracepoints in one run.
#[derive(Clone, Debug, Serialize)]
pub struct TraceReport {
    /// The first lines.
    pub lines: Vec<TraceLine>,
    /// How many lines were left out.
    pub omitted: u64,
}

/// A line of a tracepoint.
#[derive(Clone, Debug, Serialize)]
pub struct TraceLine {
    /// The number of the tracepoint.
    pub breakpoint: u32,
    /// The event at which the tracepoint's conditions held.
    pub event: EventReport,
}

pub(super) fn displays_text(displays: &[DisplayReport]) -> String {
    lines(displays.iter().map(|DisplayReport { id, expression, value }| {
        layout::wrap(&format!("{id}: {expression} = "), &value_text(value))
    }))
}

pub(super) fn trace_text(seen: &StopDetails) -> String {
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

pub(super) fn watch_text(seen: &StopDetails) -> String {
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
