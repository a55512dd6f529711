//! Reports and failures as people and programs read them.
//!
//! What a front end prints comes from here: no text of a file or a user steers the terminal, only our own colours do.

use std::{
    ffi::OsStr,
    fmt::{Display, Write as _},
};

use serde_json::{Value, json};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::{
    command::{Failure, Response, SourcePlace},
    engine::session::reply::Reply,
    text::{visible, visible_json},
};

/// Whether colours may be used. They never say what words do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// A terminal, and nobody asked for plain text.
    On,
    /// Anything else.
    Off,
}

impl Colour {
    /// On for a terminal without `NO_COLOR`.
    pub fn for_terminal(is_terminal: bool) -> Self {
        Self::choose(is_terminal, std::env::var_os("NO_COLOR").as_deref())
    }

    /// On for a terminal where the variable `NO_COLOR` has this value.
    pub fn choose(is_terminal: bool, no_color: Option<&OsStr>) -> Self {
        let refused = no_color.is_some_and(|value| !value.is_empty());
        if is_terminal && !refused { Self::On } else { Self::Off }
    }

    /// The text in a style given by its SGR numbers.
    pub fn paint(self, style: &str, text: &str) -> String {
        if self == Self::On { format!("\x1b[{style}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// A reply as it is printed, without the last newline; empty where there is nothing to say.
pub fn response(response: &Response) -> String {
    if response.json {
        json_reply(response)
    } else if response.silent {
        String::new()
    } else {
        text(&*response.reply)
    }
}

/// A reply in words, without the last newline.
pub fn text(reply: &dyn Reply) -> String {
    visible(&reply.text()).into_owned()
}

/// A reply on one line of a log.
pub fn line(reply: &dyn Reply) -> String {
    visible(&reply.line()).into_owned()
}

/// What went wrong outside of any command.
pub fn error(what: impl Display) -> String {
    format!("error: {}", visible(&what.to_string()))
}

/// A failure as it is printed: JSON, or for people.
pub fn told(failure: &Failure, json: bool, colour: Colour) -> String {
    if json {
        json_line(&json!({"error": json_error(failure)}))
    } else {
        self::failure(failure, colour)
    }
}

/// A failure for people: where, what, the line with the culprit underlined, who called, and the remedy.
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

/// Orange and blue are told apart by colour-blind people too.
const ERROR: &str = "1;38;5;208";
const HELP: &str = "1;38;5;75";

/// Longer lines are not repeated: the place says enough.
const LONGEST: usize = 400;

/// The source line with carets under the culprit. A typed line is on the screen: it is repeated only to point into it.
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

/// As wide as a character, and empty.
fn blank(character: char) -> &'static str {
    match (character, character.width()) {
        ('\t', _) => "\t",
        (_, Some(2)) => "  ",
        (_, Some(0)) => "",
        _ => " ",
    }
}

/// A reply as one object on one line.
pub fn json_reply(reply: &Response) -> String {
    let line = serde_json::to_string(reply).unwrap_or_else(|error| {
        json!({"error": {"message": format!("this reply cannot be JSON: {error}")}}).to_string()
    });
    visible_json(&line).into_owned()
}

/// What stands among replies in JSON in place of one that failed.
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
