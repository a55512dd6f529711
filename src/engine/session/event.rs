//! Events of a search in replies, and named values as text.

use serde::Serialize;
use serde_json::Value;

use crate::{
    engine::{
        game::{MoveText, Score, Window},
        search::EventKind,
    },
    text::{flow, number, or_empty},
};

/// One event of a search, as replies show it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EventReport {
    /// The number of the event since the start of the search, from 0.
    pub index: u64,
    /// The kind of event, such as `descend`, `hit` or `cutoff`.
    pub kind: EventKind,
    /// The node's distance from the root in plies.
    pub ply: u32,
    /// The node's remaining depth in plies; 0 in quiescence.
    pub depth: u8,
    /// The node's position, in the game's notation.
    pub state: String,
    /// The move concerned: the one just searched or decided on, otherwise the one that led to the node; `None` at the root.
    #[serde(flatten, serialize_with = "MoveText::with_san")]
    pub mv: Option<MoveText>,
    /// The node's window; α is raised to the best value so far.
    #[serde(flatten)]
    pub window: Window,
    /// The window that texts show: [`Self::window`], but if it is empty, the one with which the node was entered.
    #[serde(skip)]
    pub(super) open: Window,
    /// The value found, stored or returned by the event; `None` if the event has none.
    pub value: Option<Score>,
    /// `upper` or `lower` if the value that a move has returned is only a bound; otherwise `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<&'static str>,
    /// The event's line of text in the trace file; `None` unless a trace is open.
    #[serde(rename = "told", skip_serializing_if = "Option::is_none")]
    pub trace_line: Option<String>,
    /// The line number of the event in the trace file, from 1; `None` unless a trace is open.
    #[serde(skip)]
    pub line_number: Option<u64>,
}

impl EventReport {
    /// The event on one line: number, kind, move, ply, depth, window and value.
    pub(crate) fn line(&self) -> String {
        let [alpha, beta] = number::window(self.open, number::score);
        let place = format!(" ply {} depth {} [{alpha}, {beta}]", self.ply, self.depth);
        self.numbered_move() + &place + &self.equals_value()
    }

    /// The event on a shorter line: number, kind, move and value.
    pub(crate) fn short_line(&self) -> String {
        self.numbered_move() + &self.equals_value()
    }

    fn numbered_move(&self) -> String {
        let mv = or_empty(self.mv.as_ref().map(|mv| format!(" {mv}")));
        self.numbered_kind() + &mv
    }

    fn numbered_kind(&self) -> String {
        // With a second word, it is not mistaken for a verdict on the trace.
        let is_hit = self.kind == EventKind::Invalid && self.trace_line.is_some();
        let kind = if is_hit { "invalid hit" } else { self.kind.name() };
        format!("event {}: {kind}", number::count(self.index))
    }

    fn equals_value(&self) -> String {
        let sign = self.bound.map_or("=", number::bound);
        or_empty(self.value.map(|value| format!(" {sign} {}", number::score(value))))
    }
}

pub(super) fn event_text(event: &EventReport) -> String {
    let direction = match event.kind {
        kind if kind.came_back() => "from",
        kind if kind.selects() => "with",
        _ => "after",
    };
    let mv = event.mv.as_ref().map(|mv| format!("{direction} {mv}"));
    let value = |it| number::bounded(event.bound.unwrap_or_default(), &number::score(it));
    let [alpha, beta] = number::window(event.open, number::score);
    let pieces = [
        event.numbered_kind(),
        format!("ply {} depth {}", event.ply, event.depth),
        or_empty(mv),
        format!("α {alpha} β {beta}"),
        or_empty(event.value.map(|it| format!("value {}", value(it)))),
        or_empty(event.trace_line.as_ref()),
    ];
    flow("", pieces)
}

/// A JSON value as text for people; `none` for null.
pub(super) fn value_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "none".to_owned(),
        Value::Array(items) => {
            let words: Vec<_> = items.iter().filter_map(Value::as_str).collect();
            words.join(" ")
        }
        Value::Number(number) if number.is_f64() => {
            let score = number.as_f64().and_then(Score::new);
            or_empty(score)
        }
        other => other.to_string(),
    }
}
