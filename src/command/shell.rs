//! Runs statements: whose text is being executed, what the user has named, and what was answered last.

mod commands;
mod execute;
mod failure;
mod frame;
mod live;
mod trust;

use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
};

pub use failure::{Failure, FailureKind, SourcePlace};
use frame::SourceFrame;
pub use frame::SourceOrigin;
use ratatui::buffer::Buffer;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::{CommandTable, Spec, block, complete::Completions, lexer, table};
use crate::engine::{
    Engine,
    game::Fault,
    progress::Progress,
    reply::{CacheCheck, Reply},
};

/// The state of a command session.
///
/// A front end loads text and then asks for one outcome after the other:
///
/// ```
/// use plyscope::command::{SourceOrigin, Shell};
/// let mut shell = Shell::default();
/// shell.load(SourceOrigin::Typed, "echo one; echo two").unwrap();
/// let mut replies = 0;
/// while let Some(outcome) = shell.advance() {
///     outcome.unwrap();
///     replies += 1;
/// }
/// assert_eq!(replies, 2);
/// ```
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Shell {
    /// Everything the commands work on.
    pub engine: Engine,
    pub(super) table: &'static CommandTable,
    aliases: BTreeMap<String, String>,
    /// Aliases that came with a session and are not to be run until the user trusts them.
    untrusted: BTreeSet<String>,
    trusted_folders: Result<Vec<PathBuf>, String>,
    last: Option<Last>,
    frames: Vec<SourceFrame>,
    interactive: bool,
    json: bool,
    times: bool,
    quit: bool,
    screen: Option<Buffer>,
}

/// The last reply; as JSON once a query has asked for it.
#[derive(Debug)]
struct Last {
    response: Response,
    json: OnceCell<Value>,
}

/// The answer to one statement; as JSON one object, with the fields of the reply beside the command.
#[derive(Clone, Debug, Serialize)]
pub struct Response {
    /// The command by its full name.
    pub command: &'static str,
    /// What the command returned.
    #[serde(flatten, serialize_with = "fields")]
    pub reply: Arc<dyn Reply>,
    /// It is wanted as JSON.
    #[serde(skip)]
    pub json: bool,
    /// It is not to be printed as text: a breakpoint's commands say so.
    #[serde(skip)]
    pub silent: bool,
}

/// What became of one statement.
pub type Outcome = Result<Response, Box<Failure>>;

/// A fault and whose it is.
pub(super) struct Trouble {
    fault: Fault,
    kind: FailureKind,
    /// The command, where it is known.
    command: Option<&'static str>,
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
    pub fn with_table(engine: Engine, table: &'static CommandTable) -> Self {
        Self {
            engine,
            table,
            aliases: BTreeMap::new(),
            untrusted: BTreeSet::new(),
            trusted_folders: Ok(Vec::new()),
            last: None,
            frames: Vec::new(),
            interactive: false,
            json: false,
            times: true,
            quit: false,
            screen: None,
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

    /// Whether replies hold what differs from run to run: times and rates.
    pub fn set_times(&mut self, times: bool) {
        self.times = times;
    }

    /// Whether a person is typing: names may be abbreviated then, in what is typed and nowhere else.
    pub fn set_interactive(&mut self, interactive: bool) {
        self.interactive = interactive;
    }

    /// What stops a running search: see [`Engine::interrupt`].
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        self.engine.interrupt()
    }

    /// How far a long operation is.
    pub fn progress(&self) -> Arc<Progress> {
        self.engine.progress()
    }

    /// The user's own commands: name to statements.
    pub fn aliases(&self) -> &BTreeMap<String, String> {
        &self.aliases
    }

    /// Gives a command of the user's own, in place of one of this name.
    pub fn set_alias(&mut self, name: &str, body: String) {
        self.untrusted.remove(name);
        self.aliases.insert(name.to_owned(), body);
    }

    /// Forgets a command of the user's own; whether there was one.
    pub(super) fn remove_alias(&mut self, name: &str) -> bool {
        self.untrusted.remove(name);
        self.aliases.remove(name).is_some()
    }

    /// The last reply, in which queries look.
    pub fn last_reply(&self) -> Option<&Value> {
        let last = self.last.as_ref()?;
        Some(last.json.get_or_init(|| last.response.value()))
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
    pub fn load(&mut self, origin: SourceOrigin, text: &str) -> Result<(), Box<Failure>> {
        self.load_from_line(origin, text, 1)
    }

    /// As [`Shell::load`], for text that is not a file's beginning.
    pub fn load_from_line(
        &mut self,
        origin: SourceOrigin,
        text: &str,
        first_line: usize,
    ) -> Result<(), Box<Failure>> {
        let frame = SourceFrame::new(origin, text, first_line);
        let problem = block::check(&frame.text);
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
        let interrupt = self.engine.interrupt();
        match frame::open(file, running, &interrupt) {
            Ok((origin, text)) => self.load(origin, &text),
            Err(fault) => Err(self.failure(Trouble::command(fault))),
        }
    }

    /// The next statement's text, for those who echo it.
    pub fn upcoming(&self) -> Option<&str> {
        self.frames.iter().rev().find_map(|frame| {
            let lexed = lexer::next_statement(&frame.text, frame.next)?;
            let block = block::end_of(&frame.text, &lexed);
            let end = block.map_or(lexed.statement.span.end, |block| block.after);
            let whole = frame.text.get(lexed.statement.span.start..end)?;
            Some(whole.trim_end())
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
                Ok(Some(response)) => return Some(Ok(response)),
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
        if let Err(failure) = self.load(SourceOrigin::Typed, line) {
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

    /// The failure that a reply amounts to, just after it was given.
    pub fn failing(&self, response: &Response) -> Option<Box<Failure>> {
        let fault = response.reply.downcast_ref::<CacheCheck>()?.fault()?;
        Some(self.failure(Trouble::command(fault)))
    }

    /// Says where a fault is, from the statements being executed.
    fn failure(&self, trouble: Trouble) -> Box<Failure> {
        failure::locate(&self.frames, trouble)
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
        Self { fault, kind, command: None }
    }

    fn command(fault: Fault) -> Self {
        let kind = FailureKind::Command;
        Self { fault, kind, command: None }
    }

    /// The command that failed is known.
    fn of(self, spec: &Spec) -> Self {
        let command = Some(spec.name);
        Self { command, ..self }
    }
}

fn fields<S: Serializer>(reply: &Arc<dyn Reply>, serializer: S) -> Result<S::Ok, S::Error> {
    reply.as_ref().serialize(serializer)
}

impl Response {
    /// The reply as programs and queries see it.
    pub(super) fn value(&self) -> Value {
        serde_json::to_value(self).unwrap_or(Value::Null)
    }
}
