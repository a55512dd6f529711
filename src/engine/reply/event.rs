//! An event of a search, and values by name, in words.

use serde::Serialize;

use super::Score;
use crate::{
    engine::search::EventKind,
    text::{Style, layout::flow, number},
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
    /// The move that led to the node; where a value came back, the move it came back from.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The best value so far at the node, its α.
    pub alpha: Score,
    /// The node's β.
    pub beta: Score,
    /// The value found, answered, stored or come back.
    pub value: Option<Score>,
}

impl EventReport {
    /// Number, kind, move, place, window and value.
    pub fn line(&self, style: Style) -> String {
        let [alpha, beta] = [self.alpha, self.beta].map(|end| number::score(end, style));
        format!(
            "{} ply {} depth {} [{alpha}, {beta}]{}",
            self.what(),
            self.ply,
            self.depth,
            self.worth(style)
        )
    }

    /// The same without place and window.
    pub fn happened(&self, style: Style) -> String {
        self.what() + &self.worth(style)
    }

    fn what(&self) -> String {
        let mv = self.mv.as_ref();
        let mv = mv.map_or_else(String::new, |mv| format!(" {mv}"));
        format!("#{} {}{mv}", number::count(self.index), self.kind.name())
    }

    fn worth(&self, style: Style) -> String {
        let value = self.value.map(|value| number::score(value, style));
        value.map_or_else(String::new, |value| format!(" = {value}"))
    }
}

/// An event in a line.
pub(super) fn event(event: &EventReport, style: Style) -> String {
    let direction = if event.kind.came_back() { "from" } else { "after" };
    let mv = event.mv.as_ref().map(|mv| format!("{direction} {mv}"));
    let value = event.value.map(|value| format!("value {}", number::score(value, style)));
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
