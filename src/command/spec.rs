//! Commands, their parameters, and the kinds of their values.

use serde::Serialize;

use super::{Args, Fault, Replied, Shell, glossary::event_meaning, open};
use crate::engine::settings::Setting;

/// A group of related commands, listed together in `help`.
#[derive(Clone, Debug, Serialize)]
pub struct Family {
    /// The heading of the family in `help`.
    pub title: &'static str,
    /// The commands, in the order of `help`.
    pub commands: Vec<CommandSpec>,
}

/// The function that runs a command. The place of a fault is a byte range of the text being executed: see [`Args::blame`].
pub type Handler = fn(&mut Shell, &Args<'_>) -> Replied;

/// A command. As JSON it has name, other names and summary.
#[derive(Clone, Debug, Serialize)]
pub struct CommandSpec {
    /// The name of one or more plain words, mostly a noun and then a verb: `cache list`.
    pub name: &'static str,
    /// Other names of the command.
    pub aliases: Vec<&'static str>,
    /// The parameters, without `--json`.
    #[serde(skip)]
    pub params: Vec<Param>,
    /// Whether the command works while a trace is open.
    #[serde(skip)]
    pub works_on_trace: bool,
    /// Whether the command needs the whole table. After `goto` in a packed trace, reading the table can take minutes.
    #[serde(skip)]
    pub needs_table: bool,
    /// The summary: one line, without a full stop.
    pub summary: &'static str,
    /// The details for `help`: meaning, limits, defaults.
    #[serde(skip)]
    pub details: String,
    /// Example statements that work, the most common first.
    #[serde(skip)]
    pub examples: Vec<&'static str>,
    /// When the command may change what a session file stores.
    #[serde(skip)]
    pub changes: Changes,
    /// The function that runs the command.
    #[serde(skip)]
    pub run: Handler,
}

/// When a command may change what a session file stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Changes {
    Never,
    WithArguments,
    Always,
    /// The command replaces the current game; if it has parameters, only when an argument is given.
    ReplacesGame,
}

/// The effect that a command has had on what a session file stores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SessionEffect {
    /// The command has changed nothing.
    #[default]
    None,
    /// The command may have changed the session.
    Changed,
    /// The command has replaced the game.
    NewGame,
}

/// A parameter of a command.
#[derive(Clone, Debug)]
pub struct Param {
    /// The placeholder of a word or of a pair's key (`KEY`), or the flag without its dashes (`limit`).
    pub name: &'static str,
    /// The form in which the parameter is written.
    pub form: Form,
    /// Whether the command requires the parameter.
    pub required: bool,
    /// The kind of values that the parameter takes.
    pub kind: Kind,
    /// Possible values or names with their meaning. A parameter of the kind [`Kind::Choice`] takes no others.
    pub choices: Vec<Choice>,
    /// One line about the parameter for `help`.
    pub help: &'static str,
}

pub(super) static JSON: Param = Param {
    name: "json",
    form: Form::Flag,
    required: false,
    kind: Kind::Switch,
    choices: Vec::new(),
    help: "the reply as one JSON object",
};

/// The form in which a parameter is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One word, which its position in the statement assigns to the parameter.
    Word,
    /// All remaining words of the statement, each of which is a value.
    Many,
    /// The rest of the statement as one text, without the flags at its end.
    Rest,
    /// The rest of the statement as one text, including flags.
    Verbatim,
    /// Any number of pairs `KEY=VALUE`.
    Pairs,
    /// `--flag VALUE` or `--flag=VALUE`; `--flag` alone if the kind is [`Kind::Switch`].
    Flag,
}

/// The kind of a value, which determines what is accepted and what completion offers.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// No value; the flag itself is given or not.
    Switch,
    /// A whole number between two bounds, both included; `_` may group digits.
    Range(u64, u64),
    /// A search value: a number, `inf` or `-inf`.
    Score,
    /// One of [`Param::choices`].
    Choice,
    /// Any text, for which completion offers nothing.
    Text,
    /// The path of a file.
    File,
    /// The words of a command's name.
    CommandName,
    /// A command with its arguments.
    CommandLine,
    /// Any text; completion offers the current values of this list.
    Live(&'static LiveList),
}

/// One of the fixed values of a parameter.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Choice {
    /// The value as the user types it.
    #[serde(rename = "value")]
    pub name: &'static str,
    /// The meaning of the value in a few words.
    pub help: &'static str,
}

/// A list of values that depend on the session: moves, keys, names of sets.
#[derive(Debug)]
pub struct LiveList {
    /// The name of the list in manuals, after `@`; unique among all lists.
    pub name: &'static str,
    values: Values,
}

/// The function that returns the current values, at most a few hundred, because the list is made again after each command.
#[derive(Debug)]
enum Values {
    Bare(fn(&Shell) -> Vec<String>),
    Explained(fn(&Shell) -> Vec<(String, String)>),
}

impl LiveList {
    /// A list of this name, with the values that `values` returns.
    pub const fn new(name: &'static str, values: fn(&Shell) -> Vec<String>) -> Self {
        Self { name, values: Values::Bare(values) }
    }

    /// A list of this name, with the values that `values` returns, each with its meaning in a few words.
    pub const fn explained(
        name: &'static str,
        values: fn(&Shell) -> Vec<(String, String)>,
    ) -> Self {
        Self { name, values: Values::Explained(values) }
    }

    /// The current values, each with its meaning; the meaning is empty if the list does not give it.
    pub fn values(&self, shell: &Shell) -> Vec<(String, String)> {
        match self.values {
            Values::Bare(names) => {
                names(shell).into_iter().map(|name| (name, String::new())).collect()
            }
            Values::Explained(values) => values(shell),
        }
    }
}

impl Param {
    /// Whether the parameter is given by position, without a name.
    pub const fn is_positional(&self) -> bool {
        matches!(self.form, Form::Word | Form::Many | Form::Rest | Form::Verbatim)
    }

    /// The parameter as written in a usage line, with a placeholder for its value, but without the brackets of an optional one.
    pub fn written(&self) -> String {
        let value = match self.kind {
            Kind::Switch => String::new(),
            Kind::Range(..) => " N".to_owned(),
            Kind::Score => " X".to_owned(),
            Kind::Choice => format!(" {}", self.choice_names().join("|")),
            Kind::File => " FILE".to_owned(),
            Kind::Text => " TEXT".to_owned(),
            Kind::CommandName | Kind::CommandLine => " COMMAND".to_owned(),
            Kind::Live(live) => format!(" {}", live.name.to_uppercase()),
        };
        match self.form {
            Form::Word => self.name.to_owned(),
            Form::Many | Form::Rest | Form::Verbatim => format!("{}…", self.name),
            Form::Pairs => format!("{}=VALUE…", self.name),
            Form::Flag => format!("--{}{value}", self.name),
        }
    }

    /// The values of the parameter in a few words: the range of a number, and the meaning.
    pub(super) fn value_hint(&self) -> String {
        match self.kind {
            Kind::Range(least, most) if most < u64::MAX => {
                format!("{least} to {most}: {}", self.help)
            }
            _ => self.help.to_owned(),
        }
    }

    /// The meaning of a value or key in the parameter's live list: of an event from the glossary, of a setting from the settings,
    /// of others from the manual.
    pub(super) fn meaning(&self, offered: &str) -> &'static str {
        let Kind::Live(list) = self.kind else { return "" };
        let bare = ["event", "caught"].contains(&list.name).then_some(offered);
        let event = bare.or(offered.strip_prefix("kind=")).and_then(event_meaning);
        let name = offered.split('=').next().unwrap_or_default();
        let setting = || Setting::by_name(name).filter(|_| list.name == "setting");
        let choice = || self.choices.iter().find(|it| it.name == name);
        let meaning = event.or_else(|| Some(choice()?.help)).or_else(|| Some(setting()?.help));
        meaning.unwrap_or_default()
    }

    pub(super) fn choice_names(&self) -> Vec<&'static str> {
        self.choices.iter().map(|choice| choice.name).collect()
    }
}

impl CommandSpec {
    /// The command's name, then its other names.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    pub(super) fn flags(&self) -> impl Iterator<Item = &Param> {
        self.params.iter().filter(|param| param.form == Form::Flag).chain([&JSON])
    }

    /// Whether the command can be used now: some commands do not work while a trace is open.
    pub(super) fn is_usable(&self, shell: &Shell) -> bool {
        self.works_on_trace || !shell.engine.has_trace()
    }

    /// The effect of the command when given these arguments.
    pub(super) fn effect(&self, args: &Args<'_>) -> SessionEffect {
        match self.changes {
            Changes::WithArguments if args.any() => SessionEffect::Changed,
            Changes::Always => SessionEffect::Changed,
            Changes::ReplacesGame if args.any() || self.params.is_empty() => SessionEffect::NewGame,
            _ => SessionEffect::None,
        }
    }

    pub(super) fn execute(&self, shell: &mut Shell, args: &Args<'_>) -> Replied {
        if !self.is_usable(shell) {
            let what = format!("`{}` does not work on a trace", self.name);
            let hint = if self.name.ends_with(" load") {
                "`open FILE` closes the trace and opens the file"
            } else {
                "`trace findings` lists the defects of the trace, `trace close` goes back to the game"
            };
            return Err(Fault::new(what).hint(hint));
        }
        if self.needs_table {
            shell.session_mut().read_table()?;
        }
        let mut result = (self.run)(shell, args);
        if let Err(fault) = &mut result
            && let Some(hint) = open::opened_by_another(self.name, args)
        {
            fault.hint = Some(hint);
        }
        // Of several values, those before a wrong one have no effect either.
        if let Err(fault) = &mut result
            && args.pairs().len() > 1
            && !fault.is_interrupt()
        {
            fault.message += "; nothing is changed";
        }
        result
    }

    /// The usage line: the name with all parameters.
    pub fn usage(&self) -> String {
        format!("{}{}", self.name, usage(&self.params))
    }
}

/// The parameters in a usage line, each after a blank.
pub(super) fn usage<'p>(params: impl IntoIterator<Item = &'p Param>) -> String {
    let written = params.into_iter().map(|param| match param.written() {
        needed if param.required => format!(" {needed}"),
        optional => format!(" [{optional}]"),
    });
    written.collect()
}
