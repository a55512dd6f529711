//! Help from the command table.

use std::fmt::Write as _;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::{CommandTable, Fault, Param, Replied, Reply, Spec, boxed, suggest};
use crate::text::{Style, lines, parts, wrap};

/// What `help` answers.
#[derive(Clone, Debug)]
enum Help {
    /// Commands with a line each, below the headings of their families.
    Overview(Vec<(&'static str, Vec<&'static Spec>)>),
    /// All about one, and the commands whose names begin with its own.
    Page(&'static Spec, Vec<&'static str>),
    /// The table of all commands for a document.
    Markdown(String),
}

/// Every command.
pub(super) fn all(table: &CommandTable) -> Box<dyn Reply> {
    boxed(overview(table, |_| true))
}

/// The commands whose names go on after these words.
pub(super) fn following(table: &CommandTable, words: &[&str]) -> Box<dyn Reply> {
    let following = table.following(words);
    boxed(overview(table, |spec| following.iter().any(|other| std::ptr::eq(*other, spec))))
}

/// All commands, or those wanted, with a line each.
fn overview(table: &CommandTable, wanted: impl Fn(&'static Spec) -> bool) -> Help {
    let families = table.families().iter().map(|family| {
        (family.title, family.commands.iter().filter(|spec| wanted(spec)).collect::<Vec<_>>())
    });
    Help::Overview(families.filter(|(_, commands)| !commands.is_empty()).collect())
}

/// Help on a command, on all that begin so, or on all that mention a word.
pub(super) fn about(table: &CommandTable, words: &[&str]) -> Replied {
    if let Some((spec, length)) = table.exact(words)
        && length == words.len()
    {
        let words: Vec<_> = spec.name.split(' ').collect();
        let related = table.following(&words).iter().map(|spec| spec.name).collect();
        return Ok(boxed(Help::Page(spec, related)));
    }
    if !table.following(words).is_empty() {
        return Ok(following(table, words));
    }
    let phrase = words.join(" ").to_lowercase();
    let mentions = |spec: &'static Spec| {
        let texts = spec.names().chain([spec.summary, &spec.details]);
        texts.into_iter().any(|text| text.to_lowercase().contains(&phrase))
    };
    let found = overview(table, mentions);
    if matches!(&found, Help::Overview(families) if families.is_empty()) {
        let hint = suggest::did_you_mean(&phrase, table.names().map(|(name, _)| name));
        return Err(Fault::new(format!("there is no help on `{phrase}`"))
            .hint(hint.unwrap_or_else(|| "`help` lists the commands".to_owned())));
    }
    Ok(boxed(found))
}

/// The command table for a document.
pub(super) fn document(table: &CommandTable) -> Box<dyn Reply> {
    boxed(Help::Markdown(markdown(table)))
}

impl Serialize for Help {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let line = |spec: &&Spec| json!({"name": spec.name, "aliases": spec.aliases, "summary": spec.summary});
        let lines = |specs: &[&Spec]| specs.iter().map(line).collect::<Value>();
        let family =
            |(title, specs): &(&str, Vec<&Spec>)| json!({"title": title, "commands": lines(specs)});
        let param = |param: &Param| {
            let choice =
                |choice: &super::Choice| json!({"value": choice.name, "help": choice.help});
            json!({
                "written": param.written(),
                "required": param.required,
                "help": param.help,
                "choices": param.choices.iter().map(choice).collect::<Value>(),
            })
        };
        match self {
            Self::Overview(families) => {
                json!({"families": families.iter().map(family).collect::<Value>()})
            }
            Self::Page(spec, related) => json!({
                "name": spec.name,
                "usage": spec.usage(),
                "aliases": spec.aliases,
                "summary": spec.summary,
                "details": spec.details,
                "params": spec.params.iter().map(param).collect::<Value>(),
                "examples": spec.examples,
                "related": related,
            }),
            Self::Markdown(markdown) => json!({"markdown": markdown}),
        }
        .serialize(serializer)
    }
}

impl Reply for Help {
    fn text(&self, _: Style) -> String {
        match self {
            Self::Overview(families) => {
                let names = families.iter().flat_map(|(_, commands)| commands);
                let width = names.map(|spec| spec.name.len()).max().unwrap_or(0);
                let families = families.iter().map(|(title, commands)| {
                    let commands = commands.iter().map(|spec| line(spec, width));
                    lines([(*title).to_owned()].into_iter().chain(commands))
                });
                let how = "`help COMMAND` shows arguments and examples.".to_owned();
                parts(families.chain([how]))
            }
            Self::Page(spec, related) => page(spec, related),
            Self::Markdown(markdown) => markdown.trim_end().to_owned(),
        }
    }
}

fn line(spec: &Spec, width: usize) -> String {
    let others = match spec.aliases.as_slice() {
        [] => String::new(),
        aliases => format!(" ({})", aliases.join(", ")),
    };
    format!("  {:width$}  {}{others}", spec.name, spec.summary)
}

fn page(spec: &Spec, related: &[&str]) -> String {
    let listed = |lead: &str, names: &[&str]| match names {
        [] => String::new(),
        names => format!("  {lead} {}", names.join(", ")),
    };
    let width = spec.params.iter().map(|param| param.written().chars().count()).max().unwrap_or(0);
    parts([
        spec.usage(),
        lines([format!("  {}", spec.summary), listed("also:", &spec.aliases)]),
        if spec.details.is_empty() { String::new() } else { wrap("  ", &spec.details) },
        lines(spec.params.iter().map(|param| self::param(param, width))),
        format!("  for example\n    {}", spec.examples.join("\n    ")),
        listed("see also", related),
    ])
}

fn param(param: &Param, width: usize) -> String {
    let optional = if param.required { "" } else { " (optional)" };
    let mut text = format!("  {:width$}  {}{optional}", param.written(), param.help);
    for choice in param.choices.iter().filter(|choice| !choice.help.is_empty()) {
        let _ = write!(text, "\n  {:width$}    {}: {}", "", choice.name, choice.help);
    }
    text
}

/// The command table as a Markdown document's table: name and arguments, other names, summary.
pub fn markdown(table: &CommandTable) -> String {
    let mut text = String::new();
    for family in table.families() {
        let _ = writeln!(text, "### {}\n", family.title);
        text.push_str("| command | also | what it does |\n|---|---|---|\n");
        for spec in &family.commands {
            let aliases: Vec<_> = spec.aliases.iter().map(|alias| format!("`{alias}`")).collect();
            let usage = spec.usage().replace('|', "\\|");
            let summary = spec.summary.replace('|', "\\|");
            let _ = writeln!(text, "| `{usage}` | {} | {summary} |", aliases.join(", "));
        }
        text.push('\n');
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}
