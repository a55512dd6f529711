//! An event of a search as a reply, and named values as text.

use serde::Serialize;
use serde_json::Value;

use crate::{
    engine::{
        game::{MoveText, Score, Window},
        search::EventKind,
    },
    text::{flow, number, or_empty},
};

/// An event of a search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EventReport {
    /// The number of the event in the search, from 0.
    pub index: u64,
    /// What happened.
    pub kind: EventKind,
    /// Plies from the root to the node.
    pub ply: u32,
    /// Remaining depth of the node.
    pub depth: u8,
    /// The position of the node.
    pub state: String,
    /// The move that led to the node; if a child returned a value or selective search decided on a move, that move.
    #[serde(flatten, serialize_with = "MoveText::with_san")]
    pub mv: Option<MoveText>,
    /// The window of the node; α is the best value so far if that is higher.
    #[serde(flatten)]
    pub window: Window,
    /// The value that was found, stored or returned.
    pub value: Option<Score>,
    /// The event's line in the traced program's file.
    #[serde(rename = "told", skip_serializing_if = "Option::is_none")]
    pub trace_line: Option<String>,
    /// The number of that line in the trace, from 1.
    #[serde(skip)]
    pub line_number: Option<u64>,
}

impl EventReport {
    /// Number, kind, move, ply, depth, window and value.
    pub(crate) fn line(&self) -> String {
        let [alpha, beta] = number::node_window(self.window, self.value, number::score);
        let place = format!(" ply {} depth {} [{alpha}, {beta}]", self.ply, self.depth);
        self.numbered_move() + &place + &self.equals_value()
    }

    /// Number, kind, move and value.
    pub(crate) fn short_line(&self) -> String {
        self.numbered_move() + &self.equals_value()
    }

    fn numbered_move(&self) -> String {
        let mv = or_empty(self.mv.as_ref().map(|mv| format!(" {mv}")));
        self.numbered_kind() + &mv
    }

    fn numbered_kind(&self) -> String {
        format!("#{} {}", number::count(self.index), self.kind.name())
    }

    fn equals_value(&self) -> String {
        or_empty(self.value.map(|value| format!(" = {}", number::score(value))))
    }
}

pub(super) fn event_text(event: &EventReport) -> String {
    let direction = match event.kind {
        kind if kind.came_back() => "from",
        kind if kind.selects() => "with",
        _ => "after",
    };
    let mv = event.mv.as_ref().map(|mv| format!("{direction} {mv}"));
    let value = event.value.map(|value| format!("value {}", number::score(value)));
    let [alpha, beta] = number::node_window(event.window, event.value, number::score);
    let pieces = [
        event.numbered_kind(),
        format!("ply {} depth {}", event.ply, event.depth),
        or_empty(mv),
        format!("α {alpha} β {beta}"),
        or_empty(value),
        or_empty(event.trace_line.as_ref()),
    ];
    flow("", pieces)
}

/// The value of a name or an expression as text; `none` for null.
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
