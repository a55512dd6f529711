//! What the commands about the shell itself answer.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::Reply;
use crate::text::Style;

/// A sentence.
#[derive(Clone, Debug, Serialize)]
pub struct Message {
    /// The sentence.
    pub message: String,
}

impl Reply for Message {
    fn text(&self, _: Style) -> String {
        self.message.clone()
    }
}

/// Text passed through.
#[derive(Clone, Debug, Serialize)]
pub struct Echo {
    /// The text.
    pub echo: String,
}

impl Reply for Echo {
    fn text(&self, _: Style) -> String {
        self.echo.clone()
    }
}

/// The end was asked for.
#[derive(Clone, Debug, Serialize)]
pub struct Quit {
    /// Always true.
    pub quit: bool,
}

impl Reply for Quit {
    fn text(&self, _: Style) -> String {
        String::new()
    }
}

/// A script begins; its commands answer for themselves.
#[derive(Clone, Debug, Serialize)]
pub struct Sourced {
    /// The script.
    pub source: String,
}

impl Reply for Sourced {
    fn text(&self, _: Style) -> String {
        String::new()
    }
}

/// Which program this is.
#[derive(Clone, Debug, Serialize)]
pub struct Version {
    /// Its name.
    pub program: &'static str,
    /// Its version.
    pub version: &'static str,
}

impl Reply for Version {
    fn text(&self, _: Style) -> String {
        format!("{} {}", self.program, self.version)
    }
}

/// The user's own commands.
#[derive(Clone, Debug, Serialize)]
pub struct Aliases {
    /// Name to statements.
    pub aliases: BTreeMap<String, String>,
}

impl Reply for Aliases {
    fn text(&self, _: Style) -> String {
        if self.aliases.is_empty() {
            return "no aliases".to_owned();
        }
        let line = |(name, body): (&String, &String)| {
            let several = body.contains([';', '\n', '#']);
            // A body with both kinds of quotes cannot be quoted back; it is shown as it is.
            let quote = match (several, body.contains('\''), body.contains('"')) {
                (true, false, _) => "'",
                (true, true, false) => "\"",
                _ => "",
            };
            format!("alias {name} = {quote}{body}{quote}")
        };
        self.aliases.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

/// An expectation that held.
#[derive(Clone, Debug, Serialize)]
pub struct Expectation {
    /// What was expected, as written.
    pub expect: String,
    /// Always true: what does not hold is a failure.
    pub passed: bool,
    /// What the query found, or the error that was expected.
    pub found: Value,
}

impl Reply for Expectation {
    fn text(&self, _: Style) -> String {
        format!("ok: {}", self.expect)
    }
}
