//! An event of a search, and values by name, in words.

use serde::Serialize;
use serde_json::Value;

use crate::{
    engine::{
        game::{Score, Window},
        search::EventKind,
    },
    text::{flow, number},
};

/// An event of a search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EventReport {
    /// Which event of the search it is, from 0.
    pub index: u64,
    /// What happened.
    pub kind: EventKind,
    /// Distance of the node from the root.
    pub ply: u32,
    /// Remaining depth of the node.
    pub depth: u8,
    /// The node's position.
    pub state: String,
    /// The move that led to the node; where a value came back, or selective search decided on a move, that move.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The node's window: its α is the best value so far.
    #[serde(flatten)]
    pub window: Window,
    /// The value found, answered, stored or come back.
    pub value: Option<Score>,
    /// The event as the program traced tells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub told: Option<String>,
}

impl EventReport {
    /// Number, kind, move, place, window and value.
    pub fn line(&self) -> String {
        let [alpha, beta] = number::window(self.window, number::score);
        format!(
            "{} ply {} depth {} [{alpha}, {beta}]{}",
            self.what(),
            self.ply,
            self.depth,
            self.worth()
        )
    }

    /// The same without place and window.
    pub fn happened(&self) -> String {
        self.what() + &self.worth()
    }

    fn what(&self) -> String {
        let mv = self.mv.as_ref().map_or_else(String::new, |mv| format!(" {mv}"));
        self.numbered_kind() + &mv
    }

    fn numbered_kind(&self) -> String {
        format!("#{} {}", number::count(self.index), self.kind.name())
    }

    fn worth(&self) -> String {
        self.value.map_or_else(String::new, |value| format!(" = {}", number::score(value)))
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
    let [alpha, beta] = number::window(event.window, number::score);
    let pieces = [
        event.numbered_kind(),
        format!("ply {} depth {}", event.ply, event.depth),
        mv.unwrap_or_default(),
        format!("α {alpha} β {beta}"),
        value.unwrap_or_default(),
        reason(event).to_owned(),
    ];
    flow("", pieces)
}

/// Why selective search does what it does; the words of a program traced.
fn reason(event: &EventReport) -> &str {
    match event.kind {
        _ if event.told.is_some() => event.told.as_deref().unwrap_or_default(),
        EventKind::Null => "passing: is it still at β?",
        EventKind::Reduce => "late and quiet: less deep",
        EventKind::Extend => "gives check: deeper",
        EventKind::Prune => "left out: quiet, and the static value is too far below α",
        _ => "",
    }
}

/// A value by name in words; `none` where there is none.
pub(super) fn worth(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "none".to_owned(),
        Value::Array(items) => {
            let words: Vec<_> = items.iter().filter_map(Value::as_str).collect();
            words.join(" ")
        }
        Value::Number(number) if number.is_f64() => {
            let score = number.as_f64().and_then(Score::new);
            score.map_or_else(String::new, number::exact)
        }
        other => other.to_string(),
    }
}
