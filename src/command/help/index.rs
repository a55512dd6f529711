//! The index of the help: every command, option, setting, event, term, sign and key is a [`Topic`] that can be searched.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::KeyHelp;
use crate::{
    command::{
        CommandSpec, CommandTable, Form, Param, glossary::GLOSSARY, lexer, spec::JSON, suggest,
    },
    engine::settings::{SETTINGS, Setting},
    text::ascii,
};

/// The guide to the configuration: keys of the file in a table, environment variables in a list.
/// The least length, in letters, of a word that a hint takes from the help.
const WORD: usize = 4;
const CONFIGURATION: &str = include_str!("../../../sessions/configuration.md");

/// The kind of a help topic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, strum::Display)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum TopicKind {
    /// A command, such as `cache list`.
    #[default]
    Command,
    /// A setting of a search, such as `depth`.
    Setting,
    /// A kind of search event.
    Event,
    /// A term in the glossary.
    Term,
    /// A sign on the screen or in replies.
    Sign,
    /// An option of commands that means the same in each of them.
    Option,
    /// A key in the configuration file.
    Configuration,
    /// An environment variable that the program reads.
    Variable,
    /// A key of the full screen.
    Key,
}

/// A topic of the help.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Topic {
    /// Whether the topic is a command, a setting, an event and so on.
    pub kind: TopicKind,
    /// The topic's names, as shown.
    pub names: Vec<String>,
    /// The meaning of the topic in a sentence or two.
    pub help: String,
    /// Further fields of the topic in JSON, which depend on its kind.
    #[serde(flatten)]
    facts: Map<String, Value>,
    /// Facts of a setting, option or key as text, such as the values and the default of a setting.
    #[serde(skip)]
    pub note: String,
    /// Other names that find the topic as exactly as its own.
    #[serde(skip)]
    also: Vec<String>,
    /// The names of the topic's values and actions, which the search also finds.
    #[serde(skip)]
    parts: Vec<String>,
    /// Further text that the search looks into.
    #[serde(skip)]
    details: String,
    /// The command, if the topic is a command.
    #[serde(skip)]
    pub spec: Option<&'static CommandSpec>,
}

/// How well a topic matches a phrase, from the best match to the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// The phrase is a name of the topic.
    Exact,
    /// A name begins with the phrase or has it as a word, or the phrase is one of the topic's values or actions.
    Begins,
    /// A word in a name, value or action of the topic begins with the phrase.
    Word,
    /// A name, value or action of the topic contains the phrase.
    Inside,
    /// The help text contains a word that begins with the phrase.
    Help,
    /// The details contain a word that begins with the phrase.
    Details,
}

/// All topics of the help.
#[derive(Clone, Debug)]
pub struct HelpIndex {
    pub(super) table: &'static CommandTable,
    topics: Vec<Topic>,
}

impl HelpIndex {
    /// The index, with these keys of the full screen. The help shows the values of the given `settings`.
    pub fn new(
        table: &'static CommandTable,
        keys: &[KeyHelp],
        settings: &[(String, String)],
    ) -> Self {
        let value = |setting: &Setting| {
            settings.iter().find(|(name, _)| name == setting.name).map(|(_, value)| value.as_str())
        };
        let sections = GLOSSARY.split("\n## ").filter_map(|section| section.split_once('\n'));
        let glossary = sections.flat_map(|(title, section)| {
            let kind = match title {
                "Events" => TopicKind::Event,
                "Signs" => TopicKind::Sign,
                _ => TopicKind::Term,
            };
            listed(section, "**").map(move |entry| Topic::of_guide(kind, entry))
        });
        let variables =
            listed(CONFIGURATION, "`").map(|entry| Topic::of_guide(TopicKind::Variable, entry));
        let topics = table
            .specs()
            .map(Topic::of_command)
            .chain(SETTINGS.iter().map(|setting| Topic::of_setting(setting, value(setting))))
            .chain(glossary)
            .chain(options(table))
            .chain(configuration())
            .chain(variables)
            .chain(keys.iter().map(Topic::of_key));
        Self { table, topics: topics.collect() }
    }

    /// The topics with this name, whatever its capitals; for a single letter, topics with the same capitals come first. Every
    /// mate, such as `#3`, is a name of the sign `#`.
    pub fn exact(&self, written: &str) -> Vec<&Topic> {
        let written = if lexer::is_mate(written) { "#" } else { written };
        let phrase = written.to_lowercase();
        let named = |topic: &&Topic| topic.fit(&phrase) == Some(Fit::Exact);
        let mut found: Vec<_> = self.topics.iter().filter(named).collect();
        if phrase.chars().count() == 1 {
            found.sort_by_key(|topic| !topic.names().any(|name| name == written));
        }
        found
    }

    /// Whether a topic that is neither a command nor a part of one, such as a term of the glossary, has this name.
    pub fn explains(&self, word: &str) -> bool {
        use TopicKind::{Configuration, Event, Sign, Term, Variable};
        let kinds = [Configuration, Event, Sign, Term, Variable];
        self.exact(word).iter().any(|topic| kinds.contains(&topic.kind))
    }

    /// The topics in which all words occur, the best match first.
    pub fn search(&self, written: &str) -> Vec<(Fit, &Topic)> {
        let phrase = written.to_lowercase();
        let fitting = |topic| Some((Topic::fit_of_words(topic, &phrase)?, topic));
        let mut found: Vec<(Fit, &Topic)> = self.topics.iter().filter_map(fitting).collect();
        found.sort_by_key(|(fit, topic)| {
            (*fit, topic.kind != TopicKind::Command, !topic.parts.contains(&phrase))
        });
        found
    }

    /// The keys of the full screen that the phrase names, or whose effects or command lines it fits; the best match first.
    pub fn keys_on(&self, written: &str) -> Vec<&Topic> {
        let specs = self.exact(written).into_iter().filter_map(|topic| topic.spec);
        // A single letter occurs as a word in too many texts.
        let is_near = |(fit, _): &(Fit, _)| *fit == Fit::Exact || written.chars().count() > 1;
        let fitting = self.search(written).into_iter().filter(is_near).map(|(_, topic)| topic);
        let all = fitting.chain(specs.flat_map(|spec| self.keys_of(spec)));
        let mut keys: Vec<_> = all.filter(|topic| topic.kind == TopicKind::Key).collect();
        let mut seen = BTreeSet::new();
        keys.retain(|key| seen.insert((&key.names, &key.help)));
        keys
    }

    /// The topics of a kind, named by its plural: `events`.
    pub fn of_kind(&self, plural: &str) -> Vec<&Topic> {
        let is_it = |topic: &&Topic| plural.strip_suffix('s') == Some(&topic.kind.to_string());
        self.topics.iter().filter(is_it).collect()
    }

    /// The keys of the full screen that run this command.
    pub fn keys_of(&self, spec: &CommandSpec) -> Vec<&Topic> {
        let runs = |topic: &&Topic| {
            let line = topic.facts.get("command").and_then(Value::as_str).unwrap_or_default();
            let line: Vec<_> = line.split(' ').collect();
            self.table.exact(&line).is_some_and(|(other, _)| std::ptr::eq(other, spec))
        };
        self.topics.iter().filter(runs).collect()
    }

    /// The hint "did you mean …?" with similar names or, if there are none, words of the help; `None` if nothing is similar.
    pub fn did_you_mean(&self, written: &str) -> Option<String> {
        let names = self.topics.iter().flat_map(Topic::names).filter(|name| name.is_ascii());
        let names = names.flat_map(|name| [name, name.split(' ').next().unwrap_or(name)]);
        let words = self
            .topics
            .iter()
            .flat_map(|topic| topic.help.split(|sign: char| !sign.is_ascii_alphabetic()));
        let written = written.to_lowercase();
        let near = suggest::did_you_mean(&written, names);
        near.or_else(|| suggest::did_you_mean(&written, words.filter(|word| word.len() >= WORD)))
    }
}

impl Topic {
    fn new(kind: TopicKind, names: impl IntoIterator<Item = String>, help: &str) -> Self {
        Self { kind, names: names.into_iter().collect(), help: help.to_owned(), ..Self::default() }
    }

    fn with(mut self, facts: Value) -> Self {
        if let Value::Object(facts) = facts {
            self.facts = facts;
        }
        self
    }

    fn of_command(spec: &'static CommandSpec) -> Self {
        let params = spec.params.iter().flat_map(|param| {
            let choices = param.choices.iter().flat_map(|choice| [choice.name, choice.help]);
            [param.name, param.help].into_iter().chain(choices)
        });
        let texts = params.chain([&*spec.details]).chain(spec.examples.iter().copied());
        let names = spec.names().map(str::to_owned);
        Self {
            details: texts.collect::<Vec<_>>().join(" "),
            spec: Some(spec),
            ..Self::new(TopicKind::Command, names, spec.summary)
        }
    }

    fn of_setting(setting: &Setting, value: Option<&str>) -> Self {
        let Setting { name, help, .. } = *setting;
        let (values, takes) = ((setting.choices)(), (setting.accepts)());
        let default = setting.default_value();
        let other_name = Setting::by_name("seed").filter(|seed| seed.name == name);
        Self {
            note: format!("{takes}; default: {default}"),
            also: other_name.map(|_| "seed".to_owned()).into_iter().collect(),
            parts: values.iter().map(|value| (*value).to_owned()).collect(),
            ..Self::new(TopicKind::Setting, [name.to_owned()], help)
        }
        .with(json!({"value": value, "values": values, "takes": takes, "default": default}))
    }

    fn of_guide(kind: TopicKind, (names, help): (Vec<String>, String)) -> Self {
        let signs = names.iter().filter(|_| kind == TopicKind::Sign);
        let pieces = signs.clone().flat_map(|name| name.split(' ')).map(str::to_owned).collect();
        let stand_in = |name: &String| Some(ascii(name.chars().next()?).to_owned());
        let parts = signs.filter(|name| !name.is_ascii()).filter_map(stand_in).collect();
        Self { also: pieces, parts, ..Self::new(kind, names, &help) }
    }

    fn of_key(key: &KeyHelp) -> Self {
        let KeyHelp { keys, action, pane, command, help } = key;
        let short = |key: &String| {
            let long = [("ctrl-", "^"), ("shift-", "S-"), ("alt-", "Alt-")];
            let (lead, sign) = long.into_iter().find(|(lead, _)| key.starts_with(lead))?;
            Some(key.replacen(lead, sign, 1))
        };
        let line = command.iter().map(|line| format!("runs `{line}`"));
        let place = pane.iter().map(|pane| format!("in the pane {pane}"));
        let called = || format!("called `{action}` in the configuration");
        let name = (!action.is_empty()).then(called);
        Self {
            note: line.chain(place).chain(name).collect::<Vec<_>>().join("; "),
            also: keys.iter().filter_map(short).collect(),
            parts: [action.clone()].into_iter().chain(command.clone()).collect(),
            ..Self::new(TopicKind::Key, keys.iter().cloned(), help)
        }
        .with(json!({"action": action, "pane": pane, "command": command}))
    }

    /// A further field of the topic in JSON as text: the `value` of a setting, the `pane` of a key.
    pub fn fact(&self, name: &str) -> Option<&str> {
        self.facts.get(name)?.as_str()
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().chain(&self.also).map(String::as_str)
    }

    /// How well the topic matches a phrase; of several words, the worst match counts.
    fn fit_of_words(&self, phrase: &str) -> Option<Fit> {
        let whole = self.fit(phrase);
        let each = phrase.split(' ').map(|word| self.fit(word));
        let words = each.collect::<Option<Vec<_>>>().and_then(|fits| fits.into_iter().max());
        [whole, words].into_iter().flatten().min()
    }

    fn fit(&self, phrase: &str) -> Option<Fit> {
        let whole = self.names().map(|name| (name, Fit::Exact));
        let parts = self.parts.iter().map(|part| (part.as_str(), Fit::Begins));
        let texts = [(self.help.as_str(), Fit::Help), (&self.details, Fit::Details)];
        let called = whole.chain(parts).filter_map(|(name, equal)| {
            let name = name.to_lowercase();
            match () {
                () if name == phrase => Some(equal),
                () if name.starts_with(phrase) || name.split(' ').any(|word| word == phrase) => {
                    Some(Fit::Begins)
                }
                () if has_word(&name, phrase) => Some(Fit::Word),
                () if name.contains(phrase) && phrase.len() > 2 => Some(Fit::Inside),
                () => None,
            }
        });
        let read = texts.into_iter().filter(|(text, _)| has_word(&text.to_lowercase(), phrase));
        called.chain(read.map(|(_, fit)| fit)).min()
    }
}

/// Whether a word of the text begins with the phrase; if the phrase is short, it must be the whole word.
fn has_word(text: &str, phrase: &str) -> bool {
    let is_short = phrase.chars().count() < 3;
    let is_letter = |c: char| c.is_alphanumeric() || c == '\'';
    let is_word = |(at, _): (usize, &str)| {
        let after = text[at + phrase.len()..].chars().next();
        let begins = !text[..at].chars().next_back().is_some_and(is_letter);
        begins && !(is_short && after.is_some_and(is_letter))
    };
    text.match_indices(phrase).any(is_word)
}

/// The entries of a Markdown list, `- **name**, **name** (other name): text`, each as names and text.
fn listed<'a>(
    section: &'a str,
    quote: &'a str,
) -> impl Iterator<Item = (Vec<String>, String)> + use<'a> {
    section.split("\n- ").skip(1).filter_map(move |entry| {
        let entry = entry.split("\n\n").next().unwrap_or_default();
        let (names, text) = entry.split_once(": ").or_else(|| entry.split_once(":\n"))?;
        let pieces = names.strip_prefix(quote)?.split(quote).enumerate();
        // Between the bold names there are commas, and other names in parentheses.
        let bare = pieces.map(|(nth, piece)| match nth % 2 {
            0 => piece,
            _ => piece.trim_matches([' ', ',', '(', ')']),
        });
        let names = bare.filter(|name| !name.is_empty()).map(|name| name.replace("\\*", "*"));
        let names = names.collect();
        let words: Vec<_> = text.split_whitespace().collect();
        Some((names, words.join(" ").replace('*', "")))
    })
}

/// The configuration keys, from the rows of the table in the guide.
fn configuration() -> impl Iterator<Item = Topic> {
    CONFIGURATION.lines().filter_map(|row| {
        let cells: Vec<_> = row.strip_prefix("| `")?.split('|').map(str::trim).collect();
        let [name, values, help, flag, ..] = *cells else { return None };
        let topic = Topic::new(TopicKind::Configuration, [name.trim_matches('`').to_owned()], help);
        let values = values.replace('`', "");
        let flag = flag.replace('`', "");
        let shown = if flag.is_empty() { String::new() } else { format!("; {flag} overrides it") };
        Some(Topic {
            note: format!("{values}{shown}"),
            also: flag.split_whitespace().take(1).map(str::to_owned).collect(),
            ..topic
        })
    })
}

/// The options of all commands. Options of one name and meaning are a single topic.
fn options(table: &CommandTable) -> impl Iterator<Item = Topic> + use<> {
    let mut found: Vec<(&Param, Vec<&str>)> = vec![(&JSON, vec!["every command"])];
    for spec in table.specs() {
        for param in spec.params.iter().filter(|param| param.form == Form::Flag) {
            let same = |(other, _): &&mut (&Param, _)| {
                (other.name, other.help) == (param.name, param.help)
            };
            match found.iter_mut().find(same) {
                Some((_, commands)) => commands.push(spec.name),
                None => found.push((param, vec![spec.name])),
            }
        }
    }
    found.into_iter().map(|(param, commands)| {
        Topic {
            note: format!("of {}", commands.join(", ")),
            also: vec![param.name.to_owned()],
            parts: param.choice_names().into_iter().map(str::to_owned).collect(),
            ..Topic::new(TopicKind::Option, [format!("--{}", param.name)], param.help)
        }
        .with(json!({"commands": commands}))
    })
}
