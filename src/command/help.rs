//! Help, made from the command table.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    command::{
        CommandSpec, CommandTable, Family, Fault, Param, Replied, Reply, Shell, boxed, suggest,
    },
    engine::{
        search::Stop,
        session::reply::PlainReply,
        settings::{SETTINGS, Setting},
    },
    text::{lines, parts, wrap},
};

/// A heading for the current state, and the commands that are useful in it.
type Situation = (&'static str, &'static str);

const NOTHING: Situation = (
    "There is no search and no game yet. To begin with:",
    "play, search run, step, break, eval, game, open, trace open, session load, help",
);

const PLAYING: Situation = (
    "A game is on the board.",
    "play, engine play, engine level, undo, moves, eval, search run, step, match run, session save",
);

const PAUSED: Situation = (
    "A search is paused.",
    "step, next, finish, continue, back, where, break, explain cutoff, explain tree, cache list",
);

const OVER: Situation = (
    "A search is over.",
    "search result, explain value, explain move, back, explain tree, cache list, last, audit run, engine play, search set",
);

const TRACE: Situation = (
    "A trace is open.",
    "step, next, continue, back, where, break, last, cache list, explain tree, trace close",
);

const HOW: &str = "`help COMMAND` shows arguments and examples, `help FAMILY` its commands, `help all` every command, `help WORD` \
                   everything that mentions it: commands, settings, keys and terms. `help start` is for the first five minutes.";

const START: &str = "\
Plyscope searches a game tree and lets you watch. Five steps:

  play d6        makes a move (`game chess` plays chess: play e4)
  search run     finds the best moves; `explain value` says why
  step 100       begins a search and stops it after a hundred events
  where          shows its stack: one line for each node, from the root down
  back 3         goes back three events; `continue` runs to a breakpoint

`break kind=cutoff` stops when a node is cut off, `cache list` shows the
transposition table, `last KEY` finds the event that wrote an entry. Tab
completes every line. `help` shows the commands that are useful now, `help all`
every command, `help WORD` everything that mentions a word. `plyscope demo`
is a tour of two minutes; `trace open FILE` opens the search of your own
program.";

/// A key of the full screen. The front end sets them: see [`Shell::keys`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeyHelp {
    /// The keys, as in the configuration.
    pub keys: Vec<String>,
    /// The name of the action in the configuration; empty if its keys cannot be changed.
    pub action: String,
    /// The pane in which they work. `None`: everywhere.
    pub pane: Option<&'static str>,
    /// The command line that they run, or begin to type.
    pub command: Option<String>,
    /// Their effect.
    pub help: String,
}

#[derive(Clone, Debug, Serialize)]
struct SettingHelp {
    name: &'static str,
    value: String,
    help: &'static str,
    values: Vec<&'static str>,
    takes: String,
    default: String,
}

/// Terms: a list in Markdown, with the names in bold.
const GLOSSARY: &str = include_str!("../../sessions/glossary.md");

#[derive(Clone, Debug, Default, Serialize)]
struct Found {
    terms: Vec<String>,
    families: Vec<Family>,
    settings: Vec<SettingHelp>,
    keys: Vec<KeyHelp>,
    examples: Vec<&'static str>,
    related: Vec<&'static str>,
}

/// The commands that are useful now, and the names of all families.
pub(super) fn now(shell: &Shell) -> Box<dyn Reply> {
    let session = shell.session();
    let (situation, commands) = if shell.engine.has_trace() {
        TRACE
    } else if let Ok(run) = session.result() {
        if run.stopped.is_some_and(Stop::is_own) { OVER } else { PAUSED }
    } else if session.position().undo > 0 {
        PLAYING
    } else {
        NOTHING
    };
    let named = |name: &str| shell.table.specs().find(|spec| spec.name == name);
    let commands: Vec<_> = commands.split(", ").filter_map(named).collect();
    let width = commands.iter().map(|spec| spec.name.len()).max().unwrap_or(0);
    let families = shell.table.families;
    let titles: Vec<_> = families.iter().map(|family| family.title).collect();
    let text = parts([
        below(situation, commands.iter().map(|spec| line(spec, width))),
        wrap("", &format!("All families: {}.", titles.join(", "))),
        wrap("", HOW),
    ]);
    let fields = json!({"doing": situation, "commands": commands, "families": families});
    boxed(PlainReply::new(text, fields))
}

pub(super) fn following(table: &CommandTable, words: &[&str]) -> Box<dyn Reply> {
    boxed(beginning(table, words))
}

fn beginning(table: &CommandTable, words: &[&str]) -> Found {
    let following = table.following(words);
    let wanted =
        |spec: &'static CommandSpec| following.iter().any(|other| std::ptr::eq(*other, spec));
    Found { families: families(table, wanted), ..Found::default() }
}

fn families(table: &CommandTable, wanted: impl Fn(&'static CommandSpec) -> bool) -> Vec<Family> {
    let families = table.families.iter().map(|Family { title, commands }| Family {
        title,
        commands: commands.iter().filter(|spec| wanted(spec)).cloned().collect(),
    });
    families.filter(|family| !family.commands.is_empty()).collect()
}

/// Help on words: the first that is found of a command, a family or key, a setting, commands that begin so, mentions, examples.
pub(super) fn about(shell: &Shell, words: &[&str]) -> Replied {
    let written = words.join(" ");
    let phrase = written.to_lowercase();
    // Single letters are keys: `S` is not `s`. `help Cache` is `help cache`.
    let lower: Vec<_> = phrase.split(' ').collect();
    let words = if phrase.chars().count() == 1 { words } else { lower.as_slice() };
    let query = HelpQuery { shell, words, phrase: phrase.clone(), written };
    let command = shell.table.exact(words).filter(|(_, length)| *length == words.len());
    if let Some((spec, _)) = command {
        return Ok(query.page(spec));
    }
    if query.phrase == "start" {
        return Ok(boxed(PlainReply::new(START, json!({"start": START}))));
    }
    let ways: [fn(&HelpQuery<'_>) -> Found; 5] = [
        |query| query.named(),
        |query| query.setting(),
        |query| beginning(query.shell.table, query.words),
        |query| query.mentioned(),
        |query| Found { examples: query.examples_with(&query.phrase), ..Found::default() },
    ];
    let mut found = ways.into_iter().map(|way| way(&query)).filter(|found| !found.is_empty());
    let found = Found { terms: query.terms(), ..found.next().unwrap_or_default() };
    if found.is_empty() { Err(query.nothing()) } else { Ok(boxed(found)) }
}

struct HelpQuery<'a> {
    shell: &'a Shell,
    words: &'a [&'a str],
    written: String,
    phrase: String,
}

impl HelpQuery<'_> {
    fn is_in(&self, text: &str) -> bool {
        text.to_lowercase().contains(&self.phrase)
    }

    /// Whether the words name one of these keys. `S` is not `s`, but F5 is f5, and ^C of the footer is ctrl-c.
    fn is_pressed(&self, key: &KeyHelp) -> bool {
        let long = [("^", "ctrl-"), ("S-", "shift-"), ("M-", "alt-")];
        let same = |key: &String| match self.written.len() {
            1 => *key == self.written,
            _ => long.iter().any(|(short, long)| {
                key.eq_ignore_ascii_case(&self.written.replacen(short, long, 1))
            }),
        };
        key.keys.iter().any(same)
    }

    fn keys(&self, wanted: impl Fn(&KeyHelp) -> bool) -> Vec<KeyHelp> {
        self.shell.keys.iter().filter(|key| wanted(key)).cloned().collect()
    }

    fn settings(&self, wanted: impl Fn(&Setting) -> bool) -> Vec<SettingHelp> {
        let now = self.shell.session().settings(true).settings.into_iter().map(|(_, value)| value);
        let both = SETTINGS.iter().zip(now).filter(|(setting, _)| wanted(setting));
        both.map(|(setting, value)| SettingHelp::new(setting, value)).collect()
    }

    fn is_mentioned(&self, spec: &'static CommandSpec) -> bool {
        let explains = |param: &Param| {
            let choices = param.choices.iter().flat_map(|choice| [choice.name, choice.help]);
            [param.name, param.help].into_iter().chain(choices).any(|text| self.is_in(text))
        };
        let mut texts = spec.names().chain([spec.summary, &spec.details]);
        texts.any(|text| self.is_in(text)) || spec.params.iter().any(explains)
    }

    fn examples_with(&self, part: &str) -> Vec<&'static str> {
        let all = self.shell.table.specs().flat_map(|spec| spec.examples.iter().copied());
        all.filter(|line| line.to_lowercase().contains(part)).collect()
    }

    fn page(&self, spec: &'static CommandSpec) -> Box<dyn Reply> {
        let table = self.shell.table;
        let words: Vec<_> = spec.name.split(' ').collect();
        let related: Vec<_> = table.following(&words).iter().map(|spec| spec.name).collect();
        let runs = |key: &KeyHelp| {
            let line: Vec<_> = key.command.as_deref().unwrap_or_default().split(' ').collect();
            table.exact(&line).is_some_and(|(other, _)| std::ptr::eq(other, spec))
        };
        let keys = self.keys(|key| runs(key) || self.is_pressed(key));
        let family = self.family();
        let CommandSpec { name, aliases, summary, details, examples, params, .. } = spec;
        let described = |param: &Param| {
            let Param { required, help, choices, .. } = param;
            json!({"written": param.written(), "required": required, "help": help, "choices": choices})
        };
        let fields = json!({
            "name": name,
            "usage": spec.usage(),
            "aliases": aliases,
            "summary": summary,
            "details": details,
            "params": params.iter().map(described).collect::<Value>(),
            "examples": examples,
            "related": related,
            "keys": keys,
            "families": family,
        });
        // A word can name a command and a family: both are shown.
        let listed = Found { families: family, ..Found::default() };
        let text = parts([page(spec, &related, &keys), listed.text()]);
        boxed(PlainReply::new(text, fields))
    }

    fn family(&self) -> Vec<Family> {
        let mut families = families(self.shell.table, |_| true);
        families.retain(|family| family.title.to_lowercase() == self.phrase);
        families
    }

    fn named(&self) -> Found {
        let families =
            if self.phrase == "all" { families(self.shell.table, |_| true) } else { self.family() };
        Found { families, keys: self.keys(|key| self.is_pressed(key)), ..Found::default() }
    }

    fn setting(&self) -> Found {
        let Some(Setting { name, .. }) = Setting::called(&self.phrase) else {
            return Found::default();
        };
        let mentions = self.shell.table.specs().filter(|spec| self.is_mentioned(spec));
        Found {
            settings: self.settings(|other| other.name == *name),
            examples: self.examples_with(&format!("{name}=")),
            related: mentions.map(|spec| spec.name).collect(),
            ..Found::default()
        }
    }

    fn mentioned(&self) -> Found {
        let sets = |setting: &Setting| {
            let texts = [setting.name, setting.help].into_iter();
            texts.chain((setting.choices)()).any(|text| self.is_in(text))
        };
        Found {
            families: families(self.shell.table, |spec| self.is_mentioned(spec)),
            settings: self.settings(sets),
            keys: self.keys(|key| self.is_in(&key.help) || self.is_in(&key.action)),
            ..Found::default()
        }
    }

    fn terms(&self) -> Vec<String> {
        let wanted = format!("{} ", self.phrase);
        let is_named = |name: &str| {
            let name = name.trim_matches('*');
            let name = if name.contains('(') { name } else { name.trim_end_matches(')') };
            format!("{name} ").starts_with(&wanted)
        };
        let named = GLOSSARY.split("\n- ").filter(|entry| {
            let names = entry.split_once(':').map_or("", |(names, _)| names).to_lowercase();
            names.split(", ").flat_map(|name| name.split(" (")).any(is_named)
        });
        let plain =
            |entry: &str| entry.replace('*', "").split_whitespace().collect::<Vec<_>>().join(" ");
        named.map(plain).collect()
    }

    fn nothing(&self) -> Fault {
        let names = self.shell.table.names().map(|(name, _)| name);
        let names = names.chain(SETTINGS.iter().map(|setting| setting.name));
        let hint = suggest::did_you_mean(&self.phrase, names);
        Fault::new(format!("there is no help on `{}`", self.phrase))
            .hint(hint.unwrap_or_else(|| "`help` lists the commands".to_owned()))
    }
}

impl SettingHelp {
    fn new(setting: &'static Setting, value: String) -> Self {
        let Setting { name, help, .. } = *setting;
        let (values, takes) = ((setting.choices)(), (setting.expects)());
        Self { name, value, help, values, takes, default: setting.default_value() }
    }

    fn text(&self) -> String {
        let Self { name, value, help, takes, default, .. } = self;
        let takes = takes.trim_start_matches("give ");
        lines([
            wrap(&format!("  {name}={value}  "), help),
            wrap("      ", &format!("{takes}; default: {default}")),
        ])
    }
}

impl Found {
    fn is_empty(&self) -> bool {
        let Self { terms, families, settings, keys, examples, .. } = self;
        let is_nothing = terms.is_empty() && families.is_empty() && settings.is_empty();
        is_nothing && keys.is_empty() && examples.is_empty()
    }
}

impl Reply for Found {
    fn text(&self) -> String {
        let names = self.families.iter().flat_map(|family| &family.commands);
        let width = names.map(|spec| spec.name.len()).max().unwrap_or(0);
        let families = self.families.iter().map(|Family { title, commands }| {
            below(title, commands.iter().map(|spec| line(spec, width)))
        });
        let related = match self.related.as_slice() {
            [] => String::new(),
            names => wrap("see also ", &names.join(", ")),
        };
        let how = (!self.families.is_empty())
            .then(|| "`help COMMAND` shows arguments and examples.".to_owned());
        let last = [
            below("Settings", self.settings.iter().map(SettingHelp::text)),
            below(KEYS, self.keys.iter().map(key)),
            below("For example", self.examples.iter().map(|line| format!("  {line}"))),
            related,
            how.unwrap_or_default(),
        ];
        let terms = self.terms.iter().map(|term| wrap("", term));
        parts(terms.chain(families).chain(last))
    }
}

pub(super) fn document(table: &CommandTable) -> Box<dyn Reply> {
    let text = markdown(table);
    boxed(PlainReply::new(text.trim_end(), json!({"markdown": text})))
}

fn line(spec: &CommandSpec, width: usize) -> String {
    let others = match spec.aliases.as_slice() {
        [] => String::new(),
        aliases => format!(" ({})", aliases.join(", ")),
    };
    format!("  {:width$}  {}{others}", spec.name, spec.summary)
}

fn below(heading: &str, rows: impl Iterator<Item = String>) -> String {
    let rows = lines(rows);
    if rows.is_empty() { rows } else { format!("{heading}\n{rows}") }
}

const KEYS: &str = "Keys of the full screen, with their names in the configuration";

fn key(key: &KeyHelp) -> String {
    let KeyHelp { keys, action, pane, command, help } = key;
    let mut text = help.clone();
    let _ = command.iter().try_for_each(|line| write!(text, ": `{line}`"));
    let _ = pane.iter().try_for_each(|pane| write!(text, "; in the pane {pane}"));
    if !action.is_empty() {
        let _ = write!(text, " ({action})");
    }
    wrap(&format!("  {}  ", keys.join(" ")), &text)
}

fn page(spec: &CommandSpec, related: &[&str], keys: &[KeyHelp]) -> String {
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
        below(&format!("  {KEYS}"), keys.iter().map(|it| format!("  {}", key(it)))),
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

/// The command table as a table in Markdown: usage, other names, summary.
pub fn markdown(table: &CommandTable) -> String {
    let mut text = String::new();
    for family in table.families {
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
