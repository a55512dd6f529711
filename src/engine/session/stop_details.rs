//! What a stop shows besides its event: the change at a watchpoint, tracepoint lines, and displays.

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

/// An expression that is printed after every stop, with its value.
#[derive(Clone, Debug, Serialize)]
pub struct DisplayReport {
    pub(crate) id: u32,
    pub(crate) expression: String,
    /// The value at the selected frame; null if the expression has none there.
    pub(crate) value: Value,
}

impl DisplayReport {
    pub(crate) fn line(&self) -> String {
        format!("{}: {} = {}", self.id, self.expression, value_text(&self.value))
    }
}

/// What a stop shows besides its event: the change at a watchpoint, tracepoint lines, and displays.
#[derive(Clone, Debug, Default, Serialize)]
pub struct StopDetails {
    /// The change at the watchpoint that stopped the run; `None` for other stops.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub watch: Option<WatchReport>,
    /// The lines of all tracepoints in this run; `None` if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<TraceReport>,
    /// The displayed expressions with their values at the selected frame.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub displays: Vec<DisplayReport>,
}

/// The watched entry or value at which a watchpoint stopped the run.
#[derive(Clone, Debug, Serialize)]
pub struct WatchReport {
    /// What is watched: an entry's key, or a value such as `alpha at ply 2`.
    pub(crate) what: String,
    /// `read` or `write` for a cache entry, `change` for a value of a frame.
    pub access: &'static str,
    /// The watched entry or value before and after the event.
    #[serde(flatten)]
    pub change: ChangeReport,
}

/// A watched entry or value before and after the event; `None` if there was none.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
#[expect(missing_docs, reason = "the fields are called what they are")]
pub enum ChangeReport {
    /// A watched cache entry.
    Entry { previous: Option<Box<EntryReport>>, entry: Option<Box<EntryReport>> },
    /// A watched value of a frame, such as α.
    Value { previous: Option<Score>, now: Option<Score> },
}

/// The lines that tracepoints printed in one run.
#[derive(Clone, Debug, Serialize)]
pub struct TraceReport {
    /// The first tracepoint lines of the run, in the order of the events.
    pub lines: Vec<TraceLine>,
    /// Number of further tracepoint lines of the run, which were dropped.
    pub omitted: u64,
}

/// A line printed by a tracepoint at an event.
#[derive(Clone, Debug, Serialize)]
pub struct TraceLine {
    /// The number of the tracepoint that printed the line.
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
