//! Help: looks up topics in the index, and makes the replies.

mod index;

use std::fmt::Write as _;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use self::index::{Fit, TopicKind};
use crate::{
    command::{
        CommandSpec, CommandTable, Family, Fault, Param, Replied, Reply, Shell, boxed, suggest,
        table::kin,
    },
    engine::{search::Stop, session::reply::PlainReply},
    text::{
        layout::{self, named},
        lines, or_empty, parts, wrap,
    },
};

pub use self::index::{HelpIndex, Topic};

/// A heading that describes the current state, and the commands that are useful in that state.
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
                   its meaning, or everything that mentions it: commands, settings, events, keys, terms and signs. `help start` is for the first five minutes.";

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
is a tour, page by page; `trace open FILE` opens the search of your own
program.";

/// A key of the full screen and its effect. The front end sets the list: see [`Shell::keys`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeyHelp {
    /// The names of the keys, spelled as in the configuration.
    pub keys: Vec<String>,
    /// The name of the action in the configuration; empty if the keys of the action cannot be changed.
    pub action: String,
    /// The pane in which the keys work; `None`: in every pane.
    pub pane: Option<&'static str>,
    /// The command line that the keys run or begin to type, if there is one.
    pub command: Option<String>,
    /// What the keys do, in one line.
    pub help: String,
}

/// The result of looking up a phrase in the help.
#[derive(Clone, Debug, Default, Serialize)]
struct Help {
    /// The manual of the command with this name.
    #[serde(flatten)]
    page: Option<Page>,
    /// The topics with this name; if there are none, topics whose text contains the phrase, the best match first.
    topics: Vec<Topic>,
    /// The families of commands with this name, or with commands whose names begin with the phrase.
    families: Vec<Family>,
    /// Further topics that mention the phrase; in JSON, their names.
    #[serde(serialize_with = "names")]
    mentioned: Vec<Topic>,
    /// Synonyms of the phrase that are topics, if no topic mentions the phrase.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    instead: Vec<&'static str>,
    /// The phrase that was looked up.
    #[serde(skip)]
    phrase: String,
    /// Whether the phrase is a name of the topics.
    #[serde(skip)]
    is_exact: bool,
}

fn names<S: Serializer>(topics: &[Topic], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(topics.iter().map(|topic| &topic.names[0]))
}

/// The manual of a command.
#[derive(Clone, Debug, Serialize)]
struct Page {
    #[serde(flatten)]
    spec: &'static CommandSpec,
    usage: String,
    details: &'static str,
    params: Value,
    examples: &'static [&'static str],
    related: Vec<&'static str>,
}

/// The greatest number of further topics listed below an exact match.
const MENTIONED: usize = 12;

/// The commands that are useful in the current state, and the names of all families.
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

pub(super) fn following(table: &'static CommandTable, words: &[&str]) -> Box<dyn Reply> {
    boxed(Help { families: beginning(table, words), ..Help::default() })
}

/// The commands whose names begin with these words and have further words.
fn beginning(table: &CommandTable, words: &[&str]) -> Vec<Family> {
    let following = table.following(words);
    families(table, |spec| following.iter().any(|other| std::ptr::eq(*other, spec)))
}

fn families(table: &CommandTable, wanted: impl Fn(&'static CommandSpec) -> bool) -> Vec<Family> {
    let families = table.families.iter().map(|Family { title, commands }| Family {
        title,
        commands: commands.iter().filter(|spec| wanted(spec)).cloned().collect(),
    });
    families.filter(|family| !family.commands.is_empty()).collect()
}

impl HelpIndex {
    /// The help on a phrase: every topic with this name; else every topic that mentions the phrase, or synonyms.
    pub fn about(&self, written: &str) -> Replied {
        let phrase = written.to_lowercase();
        if phrase == "start" {
            return Ok(boxed(PlainReply::new(START, json!({"start": START}))));
        }
        let named = self.named(written, &phrase);
        if named.page.is_some() || !named.topics.is_empty() || !named.families.is_empty() {
            return Ok(boxed(named));
        }
        let mut hits = self.search(&phrase);
        let mut instead = Vec::new();
        if hits.is_empty() {
            let near = |word: &str| {
                let mut hits = self.search(word);
                hits.retain(|(fit, _)| *fit <= Fit::Word);
                hits
            };
            instead.extend(kin(&phrase).filter(|word| !near(word).is_empty()));
            hits = instead.iter().flat_map(|word| near(word)).collect();
        }
        if hits.is_empty() {
            let hint = self.did_you_mean(&phrase);
            return Err(Fault::new(format!("there is no help on `{written}`"))
                .hint(hint.unwrap_or_else(|| "`help` lists the commands".to_owned())));
        }
        let best = hits.iter().map(|(fit, _)| *fit).min();
        let (topics, mentioned): (Vec<_>, Vec<_>) =
            hits.into_iter().partition(|(fit, _)| *fit < Fit::Details || Some(*fit) == best);
        Ok(boxed(Help {
            topics: topics.into_iter().map(|(_, topic)| topic.clone()).collect(),
            mentioned: mentioned.into_iter().map(|(_, topic)| topic.clone()).collect(),
            instead,
            phrase,
            ..Help::default()
        }))
    }

    /// Every topic with this name.
    fn named(&self, written: &str, phrase: &str) -> Help {
        let (mut page, mut topics) = (None, Vec::new());
        for topic in self.exact(written) {
            match topic.spec {
                // `S` is a key, while `s` is a command.
                Some(_) if written.chars().count() == 1 && written != phrase => {}
                Some(spec) => {
                    page = Some(Page::new(self.table, spec));
                    topics.extend(self.keys_of(spec).into_iter().cloned());
                }
                None => topics.push(topic.clone()),
            }
        }
        topics.extend(self.of_kind(phrase).into_iter().cloned());
        let titled = families(self.table, |_| true).into_iter();
        let titled = titled.filter(|it| phrase == "all" || it.title.to_lowercase() == phrase);
        let mut families: Vec<_> = titled.collect();
        if families.is_empty() && page.is_none() {
            families = beginning(self.table, &phrase.split(' ').collect::<Vec<_>>());
            let others = self.search(phrase).into_iter().map(|(_, topic)| topic);
            let keys = others.filter(|it| it.kind == TopicKind::Key && !families.is_empty());
            topics.extend(keys.cloned());
        }
        let mut mentioned = Vec::new();
        let is_letter = phrase.chars().count() == 1 && phrase.chars().all(char::is_alphanumeric);
        if page.is_none() && families.is_empty() && !topics.is_empty() && !is_letter {
            let others = self.search(phrase).into_iter().filter(|(fit, _)| *fit > Fit::Exact);
            mentioned = others.map(|(_, topic)| topic.clone()).collect();
            mentioned.dedup_by(|one, other| one.names[0] == other.names[0]);
        }
        let phrase = phrase.to_owned();
        Help { page, topics, families, mentioned, phrase, is_exact: true, ..Help::default() }
    }
}

impl Page {
    fn new(table: &CommandTable, spec: &'static CommandSpec) -> Self {
        let words: Vec<_> = spec.name.split(' ').collect();
        let described = |param: &Param| {
            let Param { required, help, choices, .. } = param;
            json!({"written": param.written(), "required": required, "help": help, "choices": choices})
        };
        Self {
            spec,
            usage: spec.usage(),
            details: &spec.details,
            params: spec.params.iter().map(described).collect(),
            examples: &spec.examples,
            related: table.following(&words).iter().map(|spec| spec.name).collect(),
        }
    }

    fn text(&self) -> String {
        let listed = |lead: &str, names: &[&str]| match names {
            [] => String::new(),
            names => wrap(&format!("  {lead} "), &names.join(", ")),
        };
        parts([
            wrap(&format!("{} ", self.spec.name), &self.usage[self.spec.name.len()..]),
            lines([wrap("  ", self.spec.summary), listed("also:", &self.spec.aliases)]),
            if self.details.is_empty() { String::new() } else { wrap("  ", self.details) },
            parameters(&self.spec.params),
            format!("  for example\n    {}", self.examples.join("\n    ")),
            listed("see also", &self.related),
        ])
    }
}

impl Topic {
    /// The topic's names; if there are more than `most`, only the first two.
    fn short_names(&self, most: usize) -> String {
        let gap = if self.kind == TopicKind::Key { " " } else { ", " };
        match self.names.as_slice() {
            names if names.len() <= most => names.join(gap),
            names => format!("{}{gap}…", names[..2].join(gap)),
        }
    }

    fn text(&self) -> String {
        let value = self.fact("value").map_or_else(String::new, |value| format!("={value}"));
        let text =
            format!("{}{value} ({}): {}", self.short_names(usize::MAX), self.kind, self.help);
        lines([wrap("", &text), wrap("  ", &self.note)])
    }

    /// The topic's name and meaning, as a row in a list of topics.
    fn row(&self) -> (String, String) {
        let help = match self.kind {
            TopicKind::Command => self.help.clone(),
            TopicKind::Option => format!("option {}: {}", self.note, self.help),
            _ => format!("{}: {}", self.kind, self.help),
        };
        (self.short_names(3), help)
    }
}

impl Reply for Help {
    fn text(&self) -> String {
        let names = self.families.iter().flat_map(|family| &family.commands);
        let width = names.map(|spec| spec.name.len()).max().unwrap_or(0);
        let families = self.families.iter().map(|Family { title, commands }| {
            below(title, commands.iter().map(|spec| line(spec, width)))
        });
        let families = parts(families);
        let how = "`help COMMAND` shows arguments and examples.";
        let how = or_empty((!self.families.is_empty()).then_some(how));
        let others = suggest::listed_with_or(&self.instead);
        let instead = format!("There is no help on `{}`. On {others}:", self.phrase);
        let instead = or_empty((!self.instead.is_empty()).then(|| wrap("", &instead)));
        let page = or_empty(self.page.as_ref().map(Page::text));
        // Topics with exactly this name are explained in full, others are listed.
        let topics = if self.is_exact {
            parts(self.topics.iter().map(Topic::text))
        } else {
            named("  ", self.topics.iter().map(Topic::row))
        };
        let most = if self.is_exact { MENTIONED } else { self.mentioned.len() };
        let (shown, more) = self.mentioned.split_at(layout::shown(self.mentioned.len(), most));
        let mentioned = match shown {
            [] => String::new(),
            _ if self.is_exact => {
                let rows = named("  ", shown.iter().map(Topic::row));
                lines(["see also".to_owned(), rows, layout::and_more(more.len())])
            }
            _ => {
                let names: Vec<_> = shown.iter().map(|topic| &*topic.names[0]).collect();
                wrap("see also ", &names.join(", "))
            }
        };
        parts([page, instead, families, how, topics, mentioned])
    }
}

fn line(spec: &CommandSpec, width: usize) -> String {
    let others = match spec.aliases.as_slice() {
        [] => String::new(),
        aliases => format!(" ({})", aliases.join(", ")),
    };
    wrap(&format!("  {:width$}  ", spec.name), &format!("{}{others}", spec.summary))
}

fn below(heading: &str, rows: impl Iterator<Item = String>) -> String {
    let rows = lines(rows);
    if rows.is_empty() { rows } else { format!("{heading}\n{rows}") }
}

fn parameters(params: &[Param]) -> String {
    let width = params.iter().map(|param| param.written().chars().count()).max().unwrap_or(0);
    let rows = params.iter().map(|param| {
        let optional = if param.required { "" } else { " (optional)" };
        let lead = format!("  {:width$}  ", param.written());
        let choices = param.choices.iter().filter(|choice| !choice.help.is_empty());
        let choices = choices
            .map(|choice| wrap(&format!("  {:width$}    {}: ", "", choice.name), choice.help));
        let first = wrap(&lead, &format!("{}{optional}", param.help));
        lines(std::iter::once(first).chain(choices))
    });
    lines(rows)
}

/// All commands as a Markdown table: usage, other names, summary.
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
    text.trim_end().to_owned() + "\n"
}
