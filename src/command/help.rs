//! Help from the command table.

use std::fmt::Write as _;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::{CommandTable, Fault, Param, Replied, Reply, Shell, Spec, boxed, suggest};
use crate::{
    engine::search::Stop,
    text::{Style, lines, parts, wrap},
};

/// What matters to somebody who does this, as commands that work just then.
struct Occasion {
    doing: &'static str,
    commands: [&'static str; 10],
}

const NOTHING: Occasion = Occasion {
    doing: "Nothing is under way. To begin with:",
    commands: [
        "play",
        "search run",
        "step",
        "break",
        "eval",
        "game",
        "open",
        "trace open",
        "session load",
        "help",
    ],
};

const PLAYING: Occasion = Occasion {
    doing: "A game is on the board.",
    commands: [
        "play",
        "engine play",
        "engine level",
        "undo",
        "moves",
        "eval",
        "search run",
        "step",
        "match run",
        "session save",
    ],
};

const PAUSED: Occasion = Occasion {
    doing: "A search is paused.",
    commands: [
        "step",
        "next",
        "finish",
        "continue",
        "back",
        "where",
        "break",
        "explain cutoff",
        "explain tree",
        "cache list",
    ],
};

const OVER: Occasion = Occasion {
    doing: "A search is over.",
    commands: [
        "search result",
        "explain value",
        "explain move",
        "back",
        "explain tree",
        "cache list",
        "last",
        "audit run",
        "engine play",
        "search set",
    ],
};

const TRACE: Occasion = Occasion {
    doing: "A trace is open.",
    commands: [
        "step",
        "next",
        "continue",
        "back",
        "where",
        "break",
        "last",
        "cache list",
        "explain tree",
        "trace close",
    ],
};

/// What a newcomer reads first.
const START: &str = "\
Plyscope searches a game tree and lets you watch. Five steps:

  play d6        makes a move (`game chess` plays chess: play e4)
  search run     finds the best moves; `explain value` says why
  step 100       begins a search and stops it after a hundred events
  where          shows its stack: one line a node, from the root down
  back 3         goes back three events; `continue` runs to a breakpoint

`break kind=cutoff` stops where a node is cut off, `cache list` shows the
transposition table, `last KEY` finds who wrote an entry. Tab completes every
line. `help` shows what matters just now, `help all` every command, `help WORD`
whatever mentions a word, settings included. `plyscope demo` shows it all in two
minutes; `trace open FILE` does it with the search of your own program.";

/// What `help` answers.
#[derive(Clone, Debug)]
enum Help {
    /// What matters just now, and the families.
    Now(&'static str, Vec<&'static Spec>, Families),
    /// What a newcomer reads first.
    Start,
    /// Commands with a line each, below the headings of their families, and settings.
    Overview(Families, Vec<[String; 3]>),
    /// All about one, and the commands whose names begin with its own.
    Page(&'static Spec, Vec<&'static str>),
    /// The table of all commands for a document.
    Markdown(String),
}

/// Families with some of their commands.
type Families = Vec<(&'static str, Vec<&'static Spec>)>;

/// The commands that matter for what is being done, and what else there is.
pub(super) fn now(shell: &Shell) -> Box<dyn Reply> {
    let bench = shell.bench();
    let Occasion { doing, commands } = if shell.engine.has_trace() {
        TRACE
    } else if let Ok(run) = bench.result() {
        if run.stopped.is_some_and(Stop::is_own) { OVER } else { PAUSED }
    } else if bench.position().undo > 0 {
        PLAYING
    } else {
        NOTHING
    };
    let named = |name: &&str| shell.table.specs().find(|spec| spec.name == *name);
    let commands = commands.iter().filter_map(named).collect();
    boxed(Help::Now(doing, commands, families(shell.table, |_| true)))
}

/// The commands whose names go on after these words.
pub(super) fn following(table: &CommandTable, words: &[&str]) -> Box<dyn Reply> {
    let following = table.following(words);
    let wanted = |spec: &'static Spec| following.iter().any(|other| std::ptr::eq(*other, spec));
    boxed(Help::Overview(families(table, wanted), Vec::new()))
}

/// The families with the commands wanted.
fn families(table: &CommandTable, wanted: impl Fn(&'static Spec) -> bool) -> Families {
    let families = table.families().iter().map(|family| {
        (family.title, family.commands.iter().filter(|spec| wanted(spec)).collect::<Vec<_>>())
    });
    families.filter(|(_, commands)| !commands.is_empty()).collect()
}

/// Help on a command, on a family, on all that begin so, or on all that mention a word.
pub(super) fn about(shell: &Shell, words: &[&str]) -> Replied {
    let table = shell.table;
    let phrase = words.join(" ").to_lowercase();
    let of = |family: &(&'static str, Vec<_>)| phrase == "all" || family.0.to_lowercase() == phrase;
    let whole: Families = families(table, |_| true).into_iter().filter(of).collect();
    if phrase == "start" {
        return Ok(boxed(Help::Start));
    }
    if let Some((spec, length)) = table.exact(words)
        && length == words.len()
    {
        let words: Vec<_> = spec.name.split(' ').collect();
        let related = table.following(&words).iter().map(|spec| spec.name).collect();
        return Ok(boxed(Help::Page(spec, related)));
    }
    if !whole.is_empty() {
        return Ok(boxed(Help::Overview(whole, Vec::new())));
    }
    if !table.following(words).is_empty() {
        return Ok(following(table, words));
    }
    let says = |text: &str| text.to_lowercase().contains(&phrase);
    let explains = |param: &Param| {
        let choices = param.choices.iter().flat_map(|choice| [choice.name, choice.help]);
        [param.name, param.help].into_iter().chain(choices).any(says)
    };
    let mentions = |spec: &'static Spec| {
        let mut texts = spec.names().chain([spec.summary, &spec.details]);
        texts.any(says) || spec.params.iter().any(explains)
    };
    let found = families(table, mentions);
    let mut settings = shell.bench().settings(true).shown;
    settings.retain(|setting| setting.iter().any(|text| says(text)));
    if found.is_empty() && settings.is_empty() {
        let hint = suggest::did_you_mean(&phrase, table.names().map(|(name, _)| name));
        return Err(Fault::new(format!("there is no help on `{phrase}`"))
            .hint(hint.unwrap_or_else(|| "`help` lists the commands".to_owned())));
    }
    Ok(boxed(Help::Overview(found, settings)))
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
            Self::Now(doing, commands, families) => json!({
                "doing": doing,
                "commands": lines(commands),
                "families": families.iter().map(family).collect::<Value>(),
            }),
            Self::Start => json!({"start": START}),
            Self::Overview(families, settings) => {
                let setting = |[name, value, help]: &[String; 3]| json!({"name": name, "value": value, "help": help});
                json!({
                    "families": families.iter().map(family).collect::<Value>(),
                    "settings": settings.iter().map(setting).collect::<Value>(),
                })
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
            Self::Now(doing, commands, families) => {
                let width = commands.iter().map(|spec| spec.name.len()).max().unwrap_or(0);
                let titles: Vec<_> = families.iter().map(|(title, _)| *title).collect();
                let more = format!("There are more: {}.", titles.join(", "));
                let how = "`help COMMAND` shows arguments and examples, `help FAMILY` the commands of one, `help all` every command, `help WORD` whatever mentions it, settings included; `help start` is for the first five minutes.";
                parts([
                    lines(
                        [(*doing).to_owned()]
                            .into_iter()
                            .chain(commands.iter().map(|spec| line(spec, width))),
                    ),
                    wrap("", &more),
                    wrap("", how),
                ])
            }
            Self::Start => START.to_owned(),
            Self::Overview(families, settings) => {
                let names = families.iter().flat_map(|(_, commands)| commands);
                let width = names.map(|spec| spec.name.len()).max().unwrap_or(0);
                let families = families.iter().map(|(title, commands)| {
                    let commands = commands.iter().map(|spec| line(spec, width));
                    lines([(*title).to_owned()].into_iter().chain(commands))
                });
                let setting = |[name, value, help]: &[String; 3]| {
                    wrap("  ", &format!("{name}={value}  {help}"))
                };
                let settings = if settings.is_empty() {
                    String::new()
                } else {
                    lines(["Settings".to_owned()].into_iter().chain(settings.iter().map(setting)))
                };
                let how = "`help COMMAND` shows arguments and examples.".to_owned();
                parts(families.chain([settings, how]))
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
