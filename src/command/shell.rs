//! Runs statements: whose text is being executed, what the user has named, and what was answered last.

mod source;

use std::{
    any::Any,
    collections::{BTreeMap, BTreeSet},
    fs, mem,
    ops::Range,
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use ratatui::buffer::Buffer;
use serde::{Serialize, Serializer};
use serde_json::Value;

use self::source::SourceFrame;

use crate::{
    command::{
        Args, CommandTable, Fault, Reply, Spec, block, files,
        help::{self, KeyHelp},
        lexer::{self, Statement, Word},
        suggest, table, tips,
    },
    engine::{
        Engine,
        session::{
            AnySession,
            reply::{PlainReply, Stop},
            saving::SessionReport,
            search::{Run, StopReport},
        },
    },
};

pub use self::source::{Failure, FailureKind, SourceOrigin, SourcePlace};

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
    /// Sessions anywhere below these folders may run their commands; or why the configuration cannot be read.
    pub trusted_folders: Result<Vec<PathBuf>, String>,
    pub(super) last: Option<Response>,
    frames: Vec<SourceFrame>,
    /// Whether a person is typing: names may be abbreviated then, in what is typed and nowhere else.
    pub interactive: bool,
    /// Whether every reply is JSON.
    pub json: bool,
    /// Whether replies hold what differs from run to run: times and rates.
    pub times: bool,
    /// How well the engine plays, from 1 to 8; as the settings say where nobody has chosen.
    pub(super) level: Option<u8>,
    /// Whether `quit` was said.
    pub quit: bool,
    /// The keys of the full screen, for `help`.
    pub keys: Vec<KeyHelp>,
    /// Whether a person is told what to do next after a search has stopped.
    pub tips: bool,
    tips_told: Vec<&'static str>,
    /// What a front end with a screen shows just now, for pictures of it.
    pub screen: Option<Buffer>,
}

/// So often a tip is told: whoever has seen it thrice knows it.
const TIMES_TOLD: usize = 3;

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

enum StatementTarget {
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
            level: None,
            quit: false,
            keys: Vec::new(),
            tips: false,
            tips_told: Vec::new(),
            screen: None,
        }
    }

    /// The workbench.
    pub fn session(&self) -> &dyn AnySession {
        self.engine.session()
    }

    /// The workbench, to work with.
    pub fn session_mut(&mut self) -> &mut dyn AnySession {
        self.engine.session_mut()
    }

    /// What stops a running search: see [`Engine::interrupt`].
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        self.engine.interrupt()
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

    pub(super) fn remove_alias(&mut self, name: &str) -> bool {
        self.untrusted.remove(name);
        self.aliases.remove(name).is_some()
    }

    /// The last reply, in which queries look.
    pub fn last_reply(&self) -> Option<Value> {
        self.last.as_ref().map(Response::value)
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
        let failure = self.failure(FailureKind::Parse, fault);
        self.frames.pop();
        Err(failure)
    }

    /// Loads a script; its name is meant from the folder of the script that names it.
    pub fn load_file(&mut self, file: &Path) -> Result<(), Box<Failure>> {
        let running = self.frames.iter().filter_map(|frame| frame.origin.file());
        let interrupt = self.engine.interrupt();
        match source::open(file, running, &interrupt) {
            Ok((origin, text)) => self.load(origin, &text),
            Err(fault) => Err(self.failure(FailureKind::Command, fault)),
        }
    }

    /// The next statement's text, for those who echo it.
    pub fn upcoming(&self) -> Option<&str> {
        self.frames.iter().rev().find_map(|frame| {
            let lexed = lexer::next_statement(&frame.text, frame.next)?;
            let block = block::end_of(&frame.text, &lexed);
            let end = block.map_or(lexed.span.end, |block| block.after);
            Some(frame.text.get(lexed.span.start..end)?.trim_end())
        })
    }

    /// The command that the next statement runs and the name it is called by, with aliases and abbreviations resolved, for
    /// front ends that prepare for some commands.
    pub fn upcoming_command(&self) -> Option<(&'static Spec, &'static str)> {
        let text = self.upcoming()?;
        let words = lexer::next_statement(text, 0)?.words;
        let (typed, first) = (plain(&words), words.first()?);
        let alias =
            self.aliases.get(*typed.first()?).filter(|_| self.table.exact(&typed).is_none());
        let Some(body) = alias else {
            return self.table.called(&typed);
        };
        let expanded = format!("{body}{}", &text[first.span.end..]);
        self.table.called(&plain(&lexer::next_statement(&expanded, 0)?.words))
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
            frame.current = lexed.span.clone();
            match self.statement(&text, &lexed) {
                Ok(Some(response)) => return Some(Ok(response)),
                Ok(None) => {}
                Err(failure) => return Some(Err(failure.located(&self.frames))),
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
            if outcome.is_err() {
                self.abandon();
            }
            outcomes.push(outcome);
        }
        outcomes
    }

    /// The failure that a reply amounts to, just after it was given.
    pub fn failing(&self, response: &Response) -> Option<Box<Failure>> {
        let fault = response.reply.fault()?;
        Some(self.failure(FailureKind::Command, fault))
    }

    /// A fault with its place in the statements being executed.
    fn failure(&self, kind: FailureKind, fault: Fault) -> Box<Failure> {
        Failure::new(kind, fault).located(&self.frames)
    }

    /// The folder from which the running script means its files.
    pub(super) fn script_folder(&self) -> Option<&Path> {
        self.frames.iter().rev().find_map(|frame| frame.origin.folder())
    }

    /// Whether a command has begun a search that is to go on.
    pub fn is_searching(&self) -> bool {
        self.session().is_running()
    }

    /// What to do next, where a person is told so: no tip twice in a row, and none more often than [`TIMES_TOLD`].
    pub fn tip(&mut self, response: &Response) -> Option<String> {
        let is_read = self.interactive && !response.json && !response.silent;
        if !self.tips || !is_read || self.upcoming().is_some() {
            return None;
        }
        let (kind, next) = tips::tip(self, &*response.reply)?;
        let told = self.tips_told.iter().filter(|told| **told == kind).count();
        if told == TIMES_TOLD || self.tips_told.last() == Some(&kind) {
            return None;
        }
        self.tips_told.push(kind);
        Some(format!("next: {next}"))
    }

    /// Lets the search run for a slice; the reply once the command that began it is done.
    pub fn advance_search(&mut self, slice: Duration) -> Option<Response> {
        let reply = self.session_mut().advance(slice)?;
        let command = self.last.as_ref().map_or("", |last| last.command);
        Some(self.reply(command, reply, false))
    }

    /// Runs one statement for a pane: nobody sees the reply, and the last one stays what it was.
    pub fn look_up(&mut self, statement: &str) -> Result<Arc<dyn Reply>, Fault> {
        let lexed =
            lexer::next_statement(statement, 0).ok_or_else(|| Fault::new("nothing to ask"))?;
        // To read the table of a trace can take minutes: no pane does that.
        let asked = self.table.exact(&plain(&lexed.words));
        if asked.is_some_and(|(spec, _)| spec.needs_table) && self.session().lacks_entries() {
            return Err(
                Fault::new("what was stored before is not read yet").hint("`cache stats` reads it")
            );
        }
        Ok(self.run_now(statement, &lexed.words)?.reply)
    }

    /// [`Shell::look_up`], for a reply of one kind.
    pub fn ask<R: Reply + Clone>(&mut self, statement: &str) -> Result<R, Fault> {
        let reply: Arc<dyn Any + Send + Sync> = self.look_up(statement)?;
        let reply = reply.downcast().map(Arc::unwrap_or_clone);
        reply.map_err(|_| Fault::new("this is no answer to that"))
    }

    /// Executes a statement; an alias is only loaded. Where a failure stands is still to be found.
    fn statement(
        &mut self,
        text: &str,
        statement: &Statement<'_>,
    ) -> Result<Option<Response>, Box<Failure>> {
        let typed = plain(&statement.words);
        let misnamed = |fault: Fault| {
            let at = fault.at.clone().unwrap_or_else(|| self.culprit(&statement.words));
            Failure::new(FailureKind::Parse, fault.at(at))
        };
        let (command, reply, json) = match self.resolve(&typed).map_err(misnamed)? {
            StatementTarget::Command(spec, length) => {
                let command = Some(spec.name);
                let failed =
                    |kind, fault| Box::new(Failure { command, ..*Failure::new(kind, fault) });
                let words = &statement.words[length..];
                let args = Args::parse(spec, text, words, statement.span.end)
                    .map_err(|fault| failed(FailureKind::Parse, fault))?;
                let reply = spec
                    .answer(self, &args)
                    .map_err(|fault| failed(FailureKind::Command, args.place(fault)))?;
                (spec.name, reply, args.json())
            }
            StatementTarget::Alias(name) => {
                let rest = &text[statement.words[0].span.end..statement.span.end];
                return self.expand(name, rest).map(|()| None);
            }
            StatementTarget::Noun => ("help", help::following(self.table, &typed), false),
        };
        Ok(Some(self.reply(command, reply, json)))
    }

    fn reply(&mut self, command: &'static str, mut reply: Box<dyn Reply>, json: bool) -> Response {
        // A document on standard output stands in place of the reply.
        let taken = files::took_output();
        let response = Response {
            silent: self.load_commands(&mut *reply) || taken,
            json: (json || self.json) && !taken,
            ..self.named(command, reply)
        };
        // Remarks about other replies leave those in place for the next query.
        let answer = &response.reply;
        if !answer.downcast_ref().is_some_and(|said: &PlainReply| said.is_remark) {
            self.last = Some(response.clone());
        }
        response
    }

    fn named(&self, command: &'static str, mut reply: Box<dyn Reply>) -> Response {
        if !self.times {
            reply.forget_times();
        }
        Response { command, reply: Arc::from(reply), json: self.json, silent: false }
    }

    fn resolve(&self, typed: &[&str]) -> Result<StatementTarget, Fault> {
        if let Some((spec, length)) = self.table.exact(typed) {
            return Ok(StatementTarget::Command(spec, length));
        }
        let first = typed.first().copied().unwrap_or_default();
        let origin = self.frames.last().map(|frame| &frame.origin);
        let in_alias = matches!(origin, Some(SourceOrigin::Alias(_)));
        if !in_alias && self.aliases.contains_key(first) {
            return Ok(StatementTarget::Alias(first.to_owned()));
        }
        if self.interactive && matches!(origin, Some(SourceOrigin::Typed)) {
            if !self.table.following(typed).is_empty() {
                return Ok(StatementTarget::Noun);
            }
            if let Some((spec, length)) = self.table.abbreviated(typed)? {
                return Ok(StatementTarget::Command(spec, length));
            }
        }
        match self.table.abbreviated(typed) {
            // Names may be cut short where a person types them and nowhere else.
            Ok(Some((spec, length))) => {
                let what = format!("`{}` is short for `{}`", typed[..length].join(" "), spec.name);
                Err(Fault::new(what).hint("scripts, and aliases, spell words out"))
            }
            _ => Err(self.unknown(typed)),
        }
    }

    fn unknown(&self, typed: &[&str]) -> Fault {
        let fault = self.table.unknown(typed);
        let aliases = self.aliases.keys().map(String::as_str);
        let first = typed.first().copied().unwrap_or_default();
        match suggest::did_you_mean(first, aliases) {
            Some(hint) if self.table.verbs(first).is_empty() => fault.hint(hint),
            _ => fault,
        }
    }

    /// The word at fault where no command is called so: the second one after a word that begins several names.
    fn culprit(&self, words: &[Word<'_>]) -> Range<usize> {
        let is_noun = words.first().is_some_and(|noun| !self.table.verbs(&noun.text).is_empty());
        words.get(usize::from(is_noun)).or(words.first()).map_or(0..0, |word| word.span.clone())
    }

    fn expand(&mut self, name: String, rest: &str) -> Result<(), Box<Failure>> {
        if self.untrusted.contains(&name) {
            let message = format!("the alias `{name}` came with the session and is not trusted");
            let hint = format!("`alias {name}` shows it, `trust` lets it run");
            return Err(Failure::new(FailureKind::Command, Fault::new(message).hint(hint)));
        }
        let body = self.aliases.get(&name).map_or("", String::as_str);
        let text = format!("{body}{rest}");
        self.load(SourceOrigin::Alias(name), &text).map_err(|failure| {
            Failure::new(FailureKind::Parse, Fault { at: None, ..failure.fault })
        })
    }

    /// Runs a command within another one; its reply goes to the caller and nowhere else.
    pub(super) fn run_now(&mut self, source: &str, words: &[Word<'_>]) -> Result<Response, Fault> {
        let end = words.last().map_or(0, |word| word.span.end);
        let place = words.first().map_or(end, |word| word.span.start)..end;
        let typed = plain(words);
        let Some((spec, length)) = self.table.exact(&typed) else {
            let alias = typed.first().filter(|first| self.aliases.contains_key(**first));
            let fault = alias.map(|alias| {
                Fault::new(format!("the alias `{alias}` cannot be used here"))
                    .hint("write the command it stands for")
            });
            let fault = fault.unwrap_or_else(|| self.table.unknown(&typed));
            return Err(fault.at(self.culprit(words)));
        };
        let args = Args::parse(spec, source, &words[length..], end)?;
        let depth = self.frames.len();
        let reply = spec.answer(self, &args).map_err(|fault| match args.place(fault) {
            fault if fault.at.is_some() => fault,
            fault => fault.at(place.clone()),
        })?;
        if self.frames.len() > depth {
            self.frames.truncate(depth);
            let what = format!("`{}` runs other commands, which cannot be done here", spec.name);
            return Err(Fault::new(what).at(place));
        }
        Ok(self.named(spec.name, reply))
    }

    /// Takes the lines up to `end` out of the text being executed.
    pub(super) fn take_block(&mut self) -> Result<String, Fault> {
        let missing = || {
            Fault::new("the lines of these commands are missing")
                .hint("write them after it up to `end`, or on the same line in quotes")
        };
        let frame = self.frames.last_mut().ok_or_else(missing)?;
        let begin = lexer::next_statement(&frame.text, frame.current.start).ok_or_else(missing)?;
        let block = block::end_of(&frame.text, &begin).ok_or_else(missing)?;
        frame.next = block.after;
        Ok(frame.text[begin.end..block.end].to_owned())
    }

    /// Refuses words that name no command; an alias is one.
    pub(super) fn check_name(&self, words: &[Word<'_>]) -> Result<(), Fault> {
        let typed = lexer::texts(words);
        let first = typed.first().copied().unwrap_or_default();
        if self.table.exact(&typed).is_some() || self.aliases.contains_key(first) {
            return Ok(());
        }
        let place = words.first().map_or(0..0, |word| word.span.clone());
        Err(self.table.unknown(&typed).at(place))
    }

    /// Has the commands of the breakpoint run next that has stopped a search. Whether the stop is to go unmentioned.
    pub(super) fn load_commands(&mut self, reply: &mut dyn Reply) -> bool {
        let of_stop = |stop: &StopReport| stop.breakpoint.filter(|_| stop.stopped == "break");
        let of_run =
            |run: &Run| run.breakpoint.filter(|_| matches!(run.stopped, Some(Stop::Breakpoint(_))));
        let stop = reply.downcast_ref().and_then(of_stop);
        let Some(id) = stop.or_else(|| reply.downcast_ref().and_then(of_run)) else {
            return false;
        };
        let commands = self.session().commands_of(id);
        if commands.untrusted {
            let note = format!(
                "the commands of breakpoint {id} came with the session and were not run: `info breakpoints` shows them, `trust` lets them run"
            );
            if let Some(stop) = reply.downcast_mut::<StopReport>() {
                stop.notes.push(note);
            } else if let Some(run) = reply.downcast_mut::<Run>() {
                run.notes.push(note);
            }
            return false;
        }
        let mut lines = commands.commands;
        let silent = lines.first().is_some_and(|line| line == block::SILENT);
        if silent {
            lines.remove(0);
        }
        if lines.is_empty() {
            return silent;
        }
        // A list that goes on with the search gives way to the next one, so that lists never pile up.
        let below = |frame: &SourceFrame| !matches!(frame.origin, SourceOrigin::Alias(_));
        if let Some(place) = self.frames.iter().rposition(below)
            && matches!(self.frames[place].origin, SourceOrigin::Breakpoint(_))
        {
            self.frames.truncate(place);
        }
        let text = lines.join("\n");
        self.frames.push(SourceFrame::new(SourceOrigin::Breakpoint(id), &text, 1));
        silent
    }

    /// Loads a session. Its commands and aliases wait for [`Shell::trust`], unless it lies in a trusted folder.
    pub(super) fn load_session(&mut self, path: &Path) -> Result<SessionReport, Fault> {
        let (aliases, mut report) = self.engine.load_session(path)?;
        self.untrusted = aliases.keys().cloned().collect();
        self.aliases = aliases;
        let Some(carried) = &mut report.carried else {
            return Ok(report);
        };
        match &self.trusted_folders {
            Ok(folders) => carried.trusted = lies_in(path, folders),
            Err(what) => carried.notes.push(format!("no folder is trusted: {what}")),
        }
        if carried.trusted {
            self.trust();
        }
        Ok(report)
    }

    /// Lets the commands and aliases run that came with a session; says whose they are.
    pub(super) fn trust(&mut self) -> Vec<String> {
        let points = self.session_mut().trust_commands().into_iter();
        let aliases = mem::take(&mut self.untrusted).into_iter();
        let aliases = aliases.map(|name| format!("alias {name}"));
        points.map(|id| format!("breakpoint {id}")).chain(aliases).collect()
    }
}

fn fields<S: Serializer>(reply: &Arc<dyn Reply>, serializer: S) -> Result<S::Ok, S::Error> {
    reply.as_ref().serialize(serializer)
}

impl Response {
    pub(super) fn value(&self) -> Value {
        serde_json::to_value(self).unwrap_or(Value::Null)
    }
}

/// The words as they can name a command: a quoted word cannot.
fn plain<'w>(words: &'w [Word<'_>]) -> Vec<&'w str> {
    words.iter().map(|word| if word.quoted { "" } else { &*word.text }).collect()
}

/// Whether a file is in one of the folders, however deep, links followed.
fn lies_in(file: &Path, folders: &[PathBuf]) -> bool {
    let mut folders = folders.iter().filter_map(|folder| fs::canonicalize(folder).ok());
    fs::canonicalize(file).is_ok_and(|file| folders.any(|folder| file.starts_with(folder)))
}
