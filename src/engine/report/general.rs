//! What the commands about the shell itself return.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

/// Text passed through.
#[derive(Clone, Debug, Serialize)]
pub struct Echo {
    /// The text.
    pub echo: String,
}

/// The end was asked for.
#[derive(Clone, Debug, Serialize)]
pub struct Quit {
    /// Always true.
    pub quit: bool,
}

/// A script begins; its commands answer for themselves.
#[derive(Clone, Debug, Serialize)]
pub struct Sourced {
    /// The script.
    pub source: String,
}

/// Which program this is.
#[derive(Clone, Debug, Serialize)]
pub struct Version {
    /// Its name.
    pub program: &'static str,
    /// Its version.
    pub version: &'static str,
}

/// The user's own commands.
#[derive(Clone, Debug, Serialize)]
pub struct Aliases {
    /// Name to statements.
    pub aliases: BTreeMap<String, String>,
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

/// Help in one of its forms.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Help {
    /// Several commands.
    Overview(Overview),
    /// One command.
    Page(Page),
    /// The table of all commands for a document.
    Markdown {
        /// The table.
        markdown: String,
    },
}

/// Commands with a line each.
#[derive(Clone, Debug, Serialize)]
pub struct Overview {
    /// The groups.
    pub families: Vec<HelpFamily>,
}

/// Commands that belong together.
#[derive(Clone, Debug, Serialize)]
pub struct HelpFamily {
    /// The heading.
    pub title: &'static str,
    /// The commands.
    pub commands: Vec<HelpLine>,
}

/// A command in one line.
#[derive(Clone, Debug, Serialize)]
pub struct HelpLine {
    /// The name.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// What it does.
    pub summary: &'static str,
}

/// All about a command.
#[derive(Clone, Debug, Serialize)]
pub struct Page {
    /// The name.
    pub name: &'static str,
    /// The name with everything that may follow it.
    pub usage: String,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// What it does, in one line.
    pub summary: &'static str,
    /// What that leaves open.
    pub details: &'static str,
    /// What may follow the name.
    pub params: Vec<HelpParam>,
    /// Statements that work.
    pub examples: &'static [&'static str],
    /// Commands whose names begin with this one's.
    pub related: Vec<&'static str>,
}

/// All about a parameter.
#[derive(Clone, Debug, Serialize)]
pub struct HelpParam {
    /// How it is written.
    pub written: String,
    /// Whether the command works without it.
    pub required: bool,
    /// What it means.
    pub help: &'static str,
    /// The values it can have, where they are few.
    pub choices: Vec<HelpChoice>,
}

/// A fixed value.
#[derive(Clone, Debug, Serialize)]
pub struct HelpChoice {
    /// As typed.
    pub value: &'static str,
    /// What it means.
    pub help: &'static str,
}
