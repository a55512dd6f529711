//! Replies and failures, as front ends print them: text or JSON.
//!
//! Control characters in the texts of files and users are escaped, so nothing but the colours controls the terminal.

mod abilities;
pub mod background;
mod colour;

use std::fmt::Write as _;

use serde_json::{Value, json};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::{
    command::{Failure, Response, SourcePlace},
    engine::session::reply::Reply,
    text::{blank, cut, layout, visible, visible_json},
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
    // A paragraph is one line.
    visible(&layout::on_page(u16::MAX.into(), || reply.line())).into_owned()
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
    let message = cut(&visible(&failure.fault.message), MESSAGE);
    let _ = write!(text, "{} {message}", colour.paint(ERROR, "error:"));
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
/// The greatest length of an error message in columns: a message can repeat a long pasted word.
const MESSAGE: usize = 600;

/// Appends the source line with carets below the fault, cut around the fault to the width of the page. A typed line is still on
/// the screen, so it is repeated only if a part of it is underlined.
fn excerpt(text: &mut String, place: &SourcePlace, colour: Colour) {
    if place.file.is_none() && place.width == 0 {
        return;
    }
    let part = |from, length| {
        let part: String = place.source.chars().skip(from).take(length).collect();
        visible(&part).into_owned()
    };
    let begin = place.column - 1;
    let (before, after) = (part(0, begin), part(begin + place.width, usize::MAX));
    // The line is indented by four columns; two more are for a `…` at either end.
    let room = layout::page_width().saturating_sub(4).max(3);
    let marked = cut(&part(begin, place.width), room - 2);
    let free = room - marked.width().max(1);
    let backwards = |text: &str| text.chars().rev().collect::<String>();
    let most = (free / 2).max(free.saturating_sub(after.width()));
    let before = backwards(&cut(&backwards(&before), most));
    let after = cut(&after, free - before.width());
    let blank =
        |sign: char| if sign == '\t' { sign.into() } else { blank(sign.width().unwrap_or(1)) };
    let indent: String = before.chars().map(blank).collect();
    let carets = colour.paint(ERROR, &"^".repeat(marked.width().max(1)));
    let _ = write!(text, "\n    {before}{marked}{after}\n    {indent}{carets}");
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
