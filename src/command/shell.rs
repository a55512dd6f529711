//! Runs statements: whose text is being executed, what the user has named, and what was answered last.

mod failure;
mod frame;

use std::{
    cell::OnceCell,
    collections::BTreeMap,
    ops::Range,
    path::Path,
    sync::{Arc, atomic::AtomicBool},
};

pub use failure::{Failure, FailureKind, Place};
use frame::Frame;
pub use frame::Origin;
use serde_json::Value;

use super::{
    Args, Spec, Table,
    complete::Completions,
    help,
    lexer::{self, Statement, Word},
    table,
};
use crate::engine::{Engine, game::Fault, report::Report};

/// The state of a command session.
///
/// A front end loads text and then asks for one outcome after the other:
///
/// ```
/// use plyscope::command::{Origin, Shell};
/// let mut shell = Shell::default();
/// shell.load(Origin::Typed, "echo one; echo two").unwrap();
/// let mut replies = 0;
/// while let Some(outcome) = shell.advance() {
///     outcome.unwrap();
///     replies += 1;
/// }
/// assert_eq!(replies, 2);
/// ```
#[derive(Debug)]
pub struct Shell {
    /// Everything the commands work on.
    pub engine: Engine,
    pub(super) table: &'static Table,
    aliases: BTreeMap<String, String>,
    last: Option<Last>,
    frames: Vec<Frame>,
    interactive: bool,
    json: bool,
    quit: bool,
}

/// The last reply; as JSON once a query has asked for it.
#[derive(Debug)]
struct Last {
    report: Arc<Report>,
    json: OnceCell<Value>,
}

/// The answer to one statement.
#[derive(Clone, Debug)]
pub struct Reply {
    /// What the command returned.
    pub report: Arc<Report>,
    /// It is wanted as JSON.
    pub json: bool,
}

/// What became of one statement.
pub type Outcome = Result<Reply, Box<Failure>>;

/// A fault and whose it is.
pub(super) struct Trouble {
    pub fault: Fault,
    kind: FailureKind,
}

enum Target {
    Command(&'static Spec, usize),
    Alias(String),
    Noun,
}

impl Default for Shell {
    fn default() -> Self {
        Self::new(Engine::default())
    }
}

impl Shell {
    /// A shell over an engine, with all commands.
    pub fn new(engine: Engine) -> Self {
        Self::with_table(engine, table())
    }

    /// A shell with commands of the caller's choice.
    pub fn with_table(engine: Engine, table: &'static Table) -> Self {
        Self {
            engine,
            table,
            aliases: BTreeMap::new(),
            last: None,
            frames: Vec::new(),
            interactive: false,
            json: false,
            quit: false,
        }
    }

    /// Whether every reply is JSON.
    pub fn set_json(&mut self, json: bool) {
        self.json = json;
    }

    /// Whether every reply is JSON.
    pub fn json(&self) -> bool {
        self.json
    }

    /// Whether a person is typing: names may be abbreviated then, in what is typed and nowhere else.
    pub fn set_interactive(&mut self, interactive: bool) {
        self.interactive = interactive;
    }

    /// What stops a running search: see [`Engine::interrupt`].
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        self.engine.interrupt()
    }

    /// The user's own commands: name to statements.
    pub fn aliases(&self) -> &BTreeMap<String, String> {
        &self.aliases
    }

    /// Replaces the user's own commands, as a session file does.
    pub fn set_aliases(&mut self, aliases: BTreeMap<String, String>) {
        self.aliases = aliases;
    }

    pub(super) fn aliases_mut(&mut self) -> &mut BTreeMap<String, String> {
        &mut self.aliases
    }

    /// The last reply, in which queries look.
    pub fn last_reply(&self) -> Option<&Value> {
        let last = self.last.as_ref()?;
        Some(last.json.get_or_init(|| json(&last.report)))
    }

    /// Whether `quit` was said.
    pub fn has_quit(&self) -> bool {
        self.quit
    }

    /// Runs nothing more.
    pub fn leave(&mut self) {
        self.quit = true;
        self.abandon();
    }

    /// Prepares text to be executed next, before what is left of the text at hand.
    pub fn load(&mut self, origin: Origin, text: &str) -> Result<(), Box<Failure>> {
        self.load_from_line(origin, text, 1)
    }

    /// As [`Shell::load`], for text that is not a file's beginning.
    pub fn load_from_line(
        &mut self,
        origin: Origin,
        text: &str,
        first_line: usize,
    ) -> Result<(), Box<Failure>> {
        let frame = Frame::new(origin, text, first_line);
        let problem = lexer::check(&frame.text);
        self.frames.push(frame);
        let Some(problem) = problem else {
            return Ok(());
        };
        let fault = Fault::new(problem.message).at(problem.at);
        let failure = self.failure(Trouble::parse(fault));
        self.frames.pop();
        Err(failure)
    }

    /// Loads a script; its name is meant from the folder of the script that names it.
    pub fn load_file(&mut self, file: &Path) -> Result<(), Box<Failure>> {
        let running = self.frames.iter().filter_map(|frame| frame.origin.file());
        match frame::open(file, running) {
            Ok((origin, text)) => self.load(origin, &text),
            Err(fault) => Err(self.failure(Trouble::command(fault))),
        }
    }

    /// The next statement's text, for those who echo it.
    pub fn upcoming(&self) -> Option<&str> {
        self.frames.iter().rev().find_map(|frame| {
            let lexed = lexer::next_statement(&frame.text, frame.next)?;
            frame.text.get(lexed.statement.span)
        })
    }

    /// Executes the next statement, or tells that none is left.
    pub fn advance(&mut self) -> Option<Outcome> {
        loop {
            let frame = self.frames.last_mut()?;
            let text = Arc::clone(&frame.text);
            let Some(lexed) = lexer::next_statement(&text, frame.next) else {
                self.frames.pop();
                continue;
            };
            frame.next = lexed.end;
            frame.current = lexed.statement.span.clone();
            match self.statement(&text, &lexed.statement) {
                Ok(Some(reply)) => return Some(Ok(reply)),
                Ok(None) => {}
                Err(trouble) => return Some(Err(self.failure(trouble))),
            }
        }
    }

    /// Forgets all text that was loaded and not yet executed.
    pub fn abandon(&mut self) {
        self.frames.clear();
    }

    /// Executes one typed line up to the first failure.
    pub fn run_line(&mut self, line: &str) -> Vec<Outcome> {
        if let Err(failure) = self.load(Origin::Typed, line) {
            return vec![Err(failure)];
        }
        let mut outcomes = Vec::new();
        while let Some(outcome) = self.advance() {
            let failed = outcome.is_err();
            outcomes.push(outcome);
            if failed {
                self.abandon();
            }
        }
        outcomes
    }

    /// What completion needs to know, apart from the shell itself.
    pub fn completions(&self) -> Completions {
        Completions::of(self)
    }

    /// Executes a statement; an alias is only loaded.
    fn statement(
        &mut self,
        text: &str,
        statement: &Statement<'_>,
    ) -> Result<Option<Reply>, Trouble> {
        let typed = plain(&statement.words);
        let misnamed = |fault: Fault| match fault.at {
            Some(_) => Trouble::parse(fault),
            None => Trouble::parse(fault.at(self.culprit(&statement.words))),
        };
        let (report, json) = match self.resolve(&typed).map_err(misnamed)? {
            Target::Command(spec, length) => {
                let words = &statement.words[length..];
                let args =
                    Args::parse(spec, text, words, statement.span.end).map_err(Trouble::parse)?;
                let report = (spec.run)(self, &args).map_err(Trouble::command)?;
                (report, args.json())
            }
            Target::Alias(name) => {
                let rest = &text[statement.words[0].span.end..statement.span.end];
                return self.expand(name, rest).map(|()| None);
            }
            Target::Noun => (help::following(self.table, &typed), false),
        };
        Ok(Some(self.reply(report, json)))
    }

    fn reply(&mut self, report: Report, json: bool) -> Reply {
        let report = Arc::new(report);
        // Remarks about other replies leave those in place for the next query.
        if !matches!(
            *report,
            Report::Echo(_) | Report::Expectation(_) | Report::Sourced(_)
        ) {
            self.last = Some(Last {
                report: Arc::clone(&report),
                json: OnceCell::new(),
            });
        }
        Reply {
            report,
            json: json || self.json,
        }
    }

    /// What the words of a statement call.
    fn resolve(&self, typed: &[&str]) -> Result<Target, Fault> {
        if let Some((spec, length)) = self.table.exact(typed) {
            return Ok(Target::Command(spec, length));
        }
        let first = typed.first().copied().unwrap_or_default();
        let origin = self.frames.last().map(|frame| &frame.origin);
        let in_alias = matches!(origin, Some(Origin::Alias(_)));
        if !in_alias && self.aliases.contains_key(first) {
            return Ok(Target::Alias(first.to_owned()));
        }
        if self.interactive && matches!(origin, Some(Origin::Typed)) {
            if !self.table.following(typed).is_empty() {
                return Ok(Target::Noun);
            }
            if let Some((spec, length)) = self.table.abbreviated(typed)? {
                return Ok(Target::Command(spec, length));
            }
        }
        Err(self.unknown(typed))
    }

    fn unknown(&self, typed: &[&str]) -> Fault {
        let fault = self.table.unknown(typed);
        let aliases = self.aliases.keys().map(String::as_str);
        let first = typed.first().copied().unwrap_or_default();
        match super::suggest::did_you_mean(first, aliases) {
            Some(hint) if self.table.verbs(first).is_empty() => fault.hint(hint),
            _ => fault,
        }
    }

    /// The word at fault where no command is called so: the second one after a word that begins several names.
    fn culprit(&self, words: &[Word<'_>]) -> Range<usize> {
        let is_noun = words
            .first()
            .is_some_and(|noun| !self.table.verbs(&noun.text).is_empty());
        let culprit = words.get(usize::from(is_noun)).or(words.first());
        culprit.map_or(0..0, |word| word.span.clone())
    }

    /// Loads an alias with what was typed behind it.
    fn expand(&mut self, name: String, rest: &str) -> Result<(), Trouble> {
        let body = self.aliases.get(&name).map_or("", String::as_str);
        let text = format!("{body}{rest}");
        self.load(Origin::Alias(name), &text).map_err(|failure| {
            Trouble::parse(Fault {
                at: None,
                ..failure.fault
            })
        })
    }

    /// Runs a command within another one; its report goes to the caller and nowhere else.
    pub(super) fn run_now(&mut self, source: &str, words: &[Word<'_>]) -> Result<Report, Fault> {
        let end = words.last().map_or(0, |word| word.span.end);
        let place = words.first().map_or(end, |word| word.span.start)..end;
        let typed = plain(words);
        let Some((spec, length)) = self.table.exact(&typed) else {
            let fault = if self
                .aliases
                .contains_key(typed.first().copied().unwrap_or_default())
            {
                Fault::new(format!("the alias `{}` cannot be used here", typed[0]))
                    .hint("write the command it stands for")
            } else {
                self.table.unknown(&typed)
            };
            return Err(fault.at(self.culprit(words)));
        };
        let args = Args::parse(spec, source, &words[length..], end)?;
        let depth = self.frames.len();
        let report = (spec.run)(self, &args).map_err(|fault| match fault.at {
            Some(_) => fault,
            None => fault.at(place.clone()),
        })?;
        if self.frames.len() > depth {
            self.frames.truncate(depth);
            let fault = Fault::new(format!(
                "`{}` runs other commands, which cannot be done here",
                spec.name
            ));
            return Err(fault.at(place));
        }
        Ok(report)
    }

    /// Says where a fault is, from the statements being executed.
    fn failure(&self, trouble: Trouble) -> Box<Failure> {
        failure::locate(&self.frames, trouble.fault, trouble.kind)
    }

    /// The folder from which the running script means its files.
    pub(super) fn script_folder(&self) -> Option<&Path> {
        let frames = self.frames.iter().rev();
        frames.into_iter().find_map(|frame| frame.origin.folder())
    }
}

impl Trouble {
    fn parse(fault: Fault) -> Self {
        let kind = FailureKind::Parse;
        Self { fault, kind }
    }

    fn command(fault: Fault) -> Self {
        let kind = FailureKind::Command;
        Self { fault, kind }
    }
}

/// A report as queries see it.
pub(super) fn json(report: &Report) -> Value {
    serde_json::to_value(report).unwrap_or(Value::Null)
}

/// The words as they can name a command: a quoted word cannot.
fn plain<'w>(words: &'w [Word<'_>]) -> Vec<&'w str> {
    words
        .iter()
        .map(|word| if word.quoted { "" } else { &*word.text })
        .collect()
}

#[cfg(test)]
mod tests;
