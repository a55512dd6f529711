//! The machine interface: one object on one line.

use serde_json::{Value, json};

use crate::command::{Failure, Response};
use crate::text::visible_json;

/// A reply on one line.
pub fn render(reply: &Response) -> String {
    let line = serde_json::to_string(reply).unwrap_or_else(|error| {
        json!({"error": {"message": format!("this reply cannot be JSON: {error}")}}).to_string()
    });
    visible_json(&line).into_owned()
}

/// A failure on one line.
pub fn failure(failure: &Failure) -> String {
    line(&json!({"error": error(failure)}))
}

/// What stands among the replies in place of one that failed.
pub fn no_reply(failure: &Failure) -> String {
    line(&json!({"command": failure.command, "error": error(failure)}))
}

fn line(value: &Value) -> String {
    visible_json(&value.to_string()).into_owned()
}

fn error(failure: &Failure) -> Value {
    let place = failure.place.as_ref();
    json!({
        "message": failure.fault.message,
        "file": place.and_then(|place| place.file.as_deref()),
        "line": place.map(|place| place.line),
        "column": place.map(|place| place.column),
        "hint": failure.fault.hint,
    })
}
