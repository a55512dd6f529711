//! Replies and failures, as front ends print them: text or JSON.
//!
//! Control characters in the texts of files and users are escaped, so nothing but the colours controls the terminal.

mod abilities;
pub mod background;
mod colour;

use std::fmt::{Display, Write as _};

use serde_json::{Value, json};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::{
    command::{Failure, Response, SourcePlace},
    engine::session::reply::Reply,
    text::{visible, visible_json},
};

pub use abilities::Abilities;
pub use colour::{Colour, FewColours, few};

/// A response as printed, in JSON or as text, without the last newline. May be empty.
pub fn response(response: &Response) -> String {
    if response.json {
        json_reply(response)
    } else if response.silent {
        String::new()
    } else {
        text(&*response.reply)
    }
}

/// The text of a reply, without the last newline.
pub fn text(reply: &dyn Reply) -> String {
    visible(&reply.text()).into_owned()
}

/// The text of a reply in one line, for a log.
pub fn line(reply: &dyn Reply) -> String {
    visible(&reply.line()).into_owned()
}

/// The message of an error that belongs to no command.
pub fn error(what: impl Display) -> String {
    format!("error: {}", visible(&what.to_string()))
}

/// A failure as printed: in JSON or for people.
pub fn failure_as(failure: &Failure, json: bool, colour: Colour) -> String {
    if json {
        json_line(&json!({"error": json_error(failure)}))
    } else {
        self::failure(failure, colour)
    }
}

/// A failure for people: place, message, the line with the fault underlined, callers, and the hint.
pub fn failure(failure: &Failure, colour: Colour) -> String {
    let mut text = String::new();
    let place = failure.place.as_ref();
    if let Some(SourcePlace { file: Some(file), line, column, .. }) = place {
        let _ = write!(text, "{}:{line}:{column}: ", visible(file));
    }
    let _ = write!(text, "{} {}", colour.paint(ERROR, "error:"), visible(&failure.fault.message));
    if let Some(place) = place {
        excerpt(&mut text, place, colour);
    }
    for caller in &failure.trail {
        let _ = write!(text, "\n{}", visible(caller));
    }
    if let Some(hint) = &failure.fault.hint {
        let help = colour.paint(HELP, "help:");
        let _ = write!(text, "\n{help} {}", visible(hint));
    }
    text
}

// Orange and blue, which colour-blind people can tell apart.
const ERROR: &str = "1;38;5;208";
const HELP: &str = "1;38;5;75";

/// The greatest length of a line that is quoted, in characters.
const LONGEST: usize = 400;

/// Appends the source line with carets below the fault. A typed line is still on the screen, so it is repeated only if a part
/// of it is underlined.
fn excerpt(text: &mut String, place: &SourcePlace, colour: Colour) {
    let long = place.source.chars().count() > LONGEST;
    if long || place.file.is_none() && place.width == 0 {
        return;
    }
    let part = |from, length| {
        let part: String = place.source.chars().skip(from).take(length).collect();
        visible(&part).into_owned()
    };
    let indent: String = part(0, place.column - 1).chars().map(blank).collect();
    let marked = part(place.column - 1, place.width).width().max(1);
    let carets = colour.paint(ERROR, &"^".repeat(marked));
    let source = visible(&place.source);
    let _ = write!(text, "\n    {source}\n    {indent}{carets}");
}

/// A string of blanks as wide as the character.
fn blank(character: char) -> &'static str {
    match (character, character.width()) {
        ('\t', _) => "\t",
        (_, Some(2)) => "  ",
        (_, Some(0)) => "",
        _ => " ",
    }
}

/// A response as a JSON object on one line.
pub fn json_reply(reply: &Response) -> String {
    let line = serde_json::to_string(reply).unwrap_or_else(|error| {
        json!({"error": {"message": format!("this reply cannot be JSON: {error}")}}).to_string()
    });
    visible_json(&line).into_owned()
}

/// The JSON object printed in place of the reply of a failed command.
pub fn json_no_reply(failure: &Failure) -> String {
    json_line(&json!({"command": failure.command, "error": json_error(failure)}))
}

fn json_line(value: &Value) -> String {
    visible_json(&value.to_string()).into_owned()
}

fn json_error(failure: &Failure) -> Value {
    let place = failure.place.as_ref();
    json!({
        "message": failure.fault.message,
        "file": place.and_then(|place| place.file.as_deref()),
        "line": place.map(|place| place.line),
        "column": place.map(|place| place.column),
        "hint": failure.fault.hint,
    })
}
