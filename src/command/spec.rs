//! What a command is: its entry in a [`Chapter`](super::Chapter) and its handler.

use serde::Serialize;

use super::{Args, Fault, Replied, Shell};

/// Commands that belong together, in the order `help` lists them.
#[derive(Clone, Debug, Serialize)]
pub struct Family {
    /// The heading in `help`.
    pub title: &'static str,
    /// The commands.
    pub commands: Vec<Spec>,
}

/// Runs a command. A fault's `at` is a place in the text being executed, as [`Args::blame`] gives it.
pub type Action = fn(&mut Shell, &Args<'_>) -> Replied;

/// A command; as JSON what one line tells of it.
#[derive(Clone, Debug, Serialize)]
pub struct Spec {
    /// One or more plain words: noun, then verb.
    pub name: &'static str,
    /// Other names.
    pub aliases: Vec<&'static str>,
    /// What may follow the name, `--json` apart.
    #[serde(skip)]
    pub params: Vec<Param>,
    /// Whether it works on the trace of another program too.
    #[serde(skip)]
    pub works_on_trace: bool,
    /// Whether it needs all of the table, where a trace may not have been read from its beginning.
    #[serde(skip)]
    pub needs_table: bool,
    /// One line, without a full stop.
    pub summary: &'static str,
    /// What the summary leaves open: meaning, limits, defaults.
    #[serde(skip)]
    pub details: String,
    /// Statements that work, the commonest first.
    #[serde(skip)]
    pub examples: Vec<&'static str>,
    /// Whether it may change what a session file holds.
    #[serde(skip)]
    pub changes: Changes,
    /// Runs it.
    #[serde(skip)]
    pub run: Action,
}

/// When a command may change what a session file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changes {
    /// Never.
    Never,
    /// Where something follows its name.
    WithArguments,
    /// Always.
    Always,
    /// Another game takes the place of the one at hand, unless something may follow the name and does not.
    AnotherGame,
}

/// One thing that may follow a command's name.
#[derive(Clone, Debug)]
pub struct Param {
    /// The placeholder of a word (`KEY`) or of a pair's key, or the flag without its dashes (`limit`).
    pub name: &'static str,
    /// How it is written.
    pub form: Form,
    /// Whether the command works without it.
    pub required: bool,
    /// What its value is.
    pub kind: Kind,
    /// The values it can have, if its kind is [`Kind::Choice`].
    pub choices: Vec<Choice>,
    /// One line for `help`.
    pub help: &'static str,
}

static JSON: Param = Param {
    name: "json",
    form: Form::Flag,
    required: false,
    kind: Kind::Switch,
    choices: Vec::new(),
    help: "the answer as one JSON object",
};

/// How a parameter is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One word, by position.
    Word,
    /// All remaining words, one value each.
    Many,
    /// Everything up to the end of the statement as one text, flags at the end excepted.
    Rest,
    /// Everything up to the end of the statement as one text, flags included.
    Verbatim,
    /// `KEY=VALUE`, any number of them, with keys that the engine knows.
    Pairs,
    /// `--flag VALUE` or `--flag=VALUE`; `--flag` alone where the kind is [`Kind::Switch`].
    Flag,
}

/// What a value is: decides what is accepted and what completion offers.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// No value: being there is the value.
    Switch,
    /// A whole number within these bounds; `_` may group digits.
    Range(u64, u64),
    /// A search value: a number, `inf` or `-inf`.
    Score,
    /// One of the parameter's choices.
    Choice,
    /// Anything the engine can read.
    Text,
    /// A file's path.
    File,
    /// Words of a command's name.
    CommandName,
    /// A command with its arguments.
    CommandLine,
    /// Anything the engine can read; completion offers what the session holds just now.
    Live(&'static LiveList),
}

/// One of the fixed values of a parameter.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Choice {
    /// As typed.
    #[serde(rename = "value")]
    pub name: &'static str,
    /// What it means, in a few words.
    pub help: &'static str,
}

/// Values that depend on the session: moves, keys, names of sets.
#[derive(Debug)]
pub struct LiveList {
    /// What they are, unique among all lists.
    pub name: &'static str,
    /// The values now; a list of thousands helps nobody and costs time after each command.
    pub list: fn(&Shell) -> Vec<String>,
}

impl LiveList {
    /// A list of this name.
    pub const fn new(name: &'static str, list: fn(&Shell) -> Vec<String>) -> Self {
        Self { name, list }
    }
}

impl Param {
    /// It is known by its position.
    pub const fn is_positional(&self) -> bool {
        matches!(self.form, Form::Word | Form::Many | Form::Rest | Form::Verbatim)
    }

    /// How it is written, placeholder included, without the brackets of an optional one.
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

impl Spec {
    /// The name and the aliases.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    pub(super) fn flags(&self) -> impl Iterator<Item = &Param> {
        self.params.iter().filter(|param| param.form == Form::Flag).chain([&JSON])
    }

    /// Whether it is for what is on the workbench: the game, or the trace of another program.
    pub(super) fn works(&self, shell: &Shell) -> bool {
        self.works_on_trace || !shell.engine.has_trace()
    }

    pub(super) fn answer(&self, shell: &mut Shell, args: &Args<'_>) -> Replied {
        if !self.works(shell) {
            let what = format!("`{}` is not for the trace that is open", self.name);
            return Err(Fault::new(what).hint("`trace close` goes back to the game"));
        }
        if self.needs_table {
            shell.session_mut().read_table()?;
        }
        (self.run)(shell, args)
    }

    /// The name with everything that may follow it.
    pub fn usage(&self) -> String {
        format!("{}{}", self.name, usage(&self.params))
    }
}

/// These parameters as a usage line shows them, each with a blank before it.
pub(super) fn usage<'p>(params: impl IntoIterator<Item = &'p Param>) -> String {
    let written = params.into_iter().map(|param| match param.written() {
        needed if param.required => format!(" {needed}"),
        optional => format!(" [{optional}]"),
    });
    written.collect()
}
