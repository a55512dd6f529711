//! Commands, their parameters and the kinds of values.

use serde::Serialize;

use super::{Args, Fault, Replied, Shell};

/// Commands that belong together, in the order of `help`.
#[derive(Clone, Debug, Serialize)]
pub struct Family {
    /// The heading in `help`.
    pub title: &'static str,
    /// The commands.
    pub commands: Vec<CommandSpec>,
}

/// Runs a command. The place of a fault counts in the text being executed, as [`Args::blame`] sets it.
pub type Handler = fn(&mut Shell, &Args<'_>) -> Replied;

/// A command. As JSON its name, other names and summary.
#[derive(Clone, Debug, Serialize)]
pub struct CommandSpec {
    /// The name: one or more plain words, mostly noun, then verb: `cache list`.
    pub name: &'static str,
    /// Other names.
    pub aliases: Vec<&'static str>,
    /// Parameters, without `--json`.
    #[serde(skip)]
    pub params: Vec<Param>,
    /// Whether the command can be used while a trace is open.
    #[serde(skip)]
    pub works_on_trace: bool,
    /// Whether the command needs the whole table, which must be read after `goto` in a packed trace. That can take minutes.
    #[serde(skip)]
    pub needs_table: bool,
    /// One line, without a full stop.
    pub summary: &'static str,
    /// Meaning, limits, defaults.
    #[serde(skip)]
    pub details: String,
    /// Statements that work, the most common first.
    #[serde(skip)]
    pub examples: Vec<&'static str>,
    /// When the command may change what a session file holds.
    #[serde(skip)]
    pub changes: Changes,
    /// The function that runs the command.
    #[serde(skip)]
    pub run: Handler,
}

/// When a command may change what a session file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Changes {
    Never,
    WithArguments,
    Always,
    /// Replaces the current game; a command with parameters only if it has arguments.
    ReplacesGame,
}

/// The effect of a command on what a session file holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SessionEffect {
    /// No effect.
    #[default]
    None,
    /// The session may have changed.
    Changed,
    /// The game was replaced.
    NewGame,
}

/// A parameter of a command.
#[derive(Clone, Debug)]
pub struct Param {
    /// The placeholder of a word (`KEY`) or of a pair's key, or the flag without its dashes (`limit`).
    pub name: &'static str,
    /// How the parameter is written.
    pub form: Form,
    /// Whether the command needs it.
    pub required: bool,
    /// The kind of the value.
    pub kind: Kind,
    /// The possible values of a [`Kind::Choice`].
    pub choices: Vec<Choice>,
    /// One line for `help`.
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

/// How a parameter is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One word, by position.
    Word,
    /// All remaining words, one value each.
    Many,
    /// Everything up to the end of the statement as one text, except flags at its end.
    Rest,
    /// Everything up to the end of the statement as one text, flags included.
    Verbatim,
    /// `KEY=VALUE`, any number of them.
    Pairs,
    /// `--flag VALUE` or `--flag=VALUE`; `--flag` alone if the kind is [`Kind::Switch`].
    Flag,
}

/// The kind of a value: which values are accepted, and which ones completion offers.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// No value: the flag is given or not.
    Switch,
    /// A whole number from the first to the second bound; `_` may group digits.
    Range(u64, u64),
    /// A search value: a number, `inf` or `-inf`.
    Score,
    /// One of the parameter's choices.
    Choice,
    /// Any text.
    Text,
    /// A file's path.
    File,
    /// Words of a command's name.
    CommandName,
    /// A command with its arguments.
    CommandLine,
    /// Any text; completion offers values that depend on the session.
    Live(&'static LiveList),
}

/// One of the fixed values of a parameter.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Choice {
    /// The value as typed.
    #[serde(rename = "value")]
    pub name: &'static str,
    /// The meaning in a few words.
    pub help: &'static str,
}

/// Values that depend on the session: moves, keys, names of sets.
#[derive(Debug)]
pub struct LiveList {
    /// The name after `@` in manuals, unique among all lists.
    pub name: &'static str,
    /// The current values, at most a few hundred: the list is made again after each command.
    pub list: fn(&Shell) -> Vec<String>,
}

impl LiveList {
    /// A list of this name, whose values `list` returns.
    pub const fn new(name: &'static str, list: fn(&Shell) -> Vec<String>) -> Self {
        Self { name, list }
    }
}

impl Param {
    /// Whether the value is typed without a name, so that its position identifies the parameter.
    pub const fn is_positional(&self) -> bool {
        matches!(self.form, Form::Word | Form::Many | Form::Rest | Form::Verbatim)
    }

    /// How the parameter is written, with a placeholder for the value and without the brackets of an optional one.
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

    pub(super) fn choice_names(&self) -> Vec<&'static str> {
        self.choices.iter().map(|choice| choice.name).collect()
    }
}

impl CommandSpec {
    /// The name and the aliases.
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

    /// The effect of the command with these arguments.
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
            let hint = "`trace findings` lists the defects of the trace, `trace close` goes back to the game";
            return Err(Fault::new(what).hint(hint));
        }
        if self.needs_table {
            shell.session_mut().read_table()?;
        }
        (self.run)(shell, args)
    }

    /// The name with all parameters.
    pub fn usage(&self) -> String {
        format!("{}{}", self.name, usage(&self.params))
    }
}

/// Parameters in a usage line, each with a blank before it.
pub(super) fn usage<'p>(params: impl IntoIterator<Item = &'p Param>) -> String {
    let written = params.into_iter().map(|param| match param.written() {
        needed if param.required => format!(" {needed}"),
        optional => format!(" [{optional}]"),
    });
    written.collect()
}
