//! The machine interface: one object on one line.

use serde_json::json;

use super::text::visible_json;
use crate::{command::Failure, engine::report::Report};

/// A report on one line.
pub fn render(report: &Report) -> String {
    let line = serde_json::to_string(report).unwrap_or_else(|error| {
        json!({"error": {"message": format!("this reply cannot be JSON: {error}")}}).to_string()
    });
    visible_json(&line).into_owned()
}

/// A failure on one line.
pub fn failure(failure: &Failure) -> String {
    let place = failure.place.as_ref();
    let line = json!({"error": {
        "message": failure.fault.message,
        "file": place.and_then(|place| place.file.as_deref()),
        "line": place.map(|place| place.line),
        "column": place.map(|place| place.column),
        "hint": failure.fault.hint,
    }});
    visible_json(&line.to_string()).into_owned()
}
