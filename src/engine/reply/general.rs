//! What the commands about the shell itself answer.

use std::{collections::BTreeMap, fmt::Write as _};

use serde::Serialize;
use serde_json::Value;

use super::Reply;
use crate::text::{Style, layout::wrap};

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

/// Help in one of its forms.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Help {
    /// Several commands.
    Overview(Overview),
    /// One command.
    HelpPage(HelpPage),
    /// The table of all commands for a document.
    Markdown {
        /// The table.
        markdown: String,
    },
}

impl Reply for Help {
    fn text(&self, _: Style) -> String {
        match self {
            Help::Overview(overview) => self::overview(overview),
            Help::HelpPage(page) => self::page(page),
            Help::Markdown { markdown } => markdown.trim_end().to_owned(),
        }
    }
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
pub struct HelpPage {
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

fn overview(overview: &Overview) -> String {
    let names = overview.families.iter().flat_map(|family| &family.commands);
    let width = names.map(|line| line.name.len()).max().unwrap_or(0);
    let families: Vec<_> = overview.families.iter().map(|family| group(family, width)).collect();
    format!("{}\n\n`help COMMAND` shows arguments and examples.", families.join("\n\n"))
}

fn group(family: &HelpFamily, width: usize) -> String {
    let line = |line: &HelpLine| {
        let mut text = format!("  {:width$}  {}", line.name, line.summary);
        if !line.aliases.is_empty() {
            let _ = write!(text, " ({})", line.aliases.join(", "));
        }
        text
    };
    let lines: Vec<_> = family.commands.iter().map(line).collect();
    format!("{}\n{}", family.title, lines.join("\n"))
}

fn page(page: &HelpPage) -> String {
    let mut text = format!("{}\n\n  {}", page.usage, page.summary);
    if !page.aliases.is_empty() {
        let _ = write!(text, "\n  also: {}", page.aliases.join(", "));
    }
    if !page.details.is_empty() {
        let _ = write!(text, "\n\n{}", wrap("  ", page.details));
    }
    if !page.params.is_empty() {
        let width =
            page.params.iter().map(|param| param.written.chars().count()).max().unwrap_or(0);
        let params: Vec<_> = page.params.iter().map(|param| self::param(param, width)).collect();
        let _ = write!(text, "\n\n{}", params.join("\n"));
    }
    if !page.examples.is_empty() {
        let _ = write!(text, "\n\n  for example\n    {}", page.examples.join("\n    "));
    }
    if !page.related.is_empty() {
        let _ = write!(text, "\n\n  see also {}", page.related.join(", "));
    }
    text
}

fn param(param: &HelpParam, width: usize) -> String {
    let optional = if param.required { "" } else { " (optional)" };
    let mut text = format!("  {:width$}  {}{optional}", param.written, param.help);
    for choice in param.choices.iter().filter(|choice| !choice.help.is_empty()) {
        let _ = write!(text, "\n  {:width$}    {}: {}", "", choice.value, choice.help);
    }
    text
}
