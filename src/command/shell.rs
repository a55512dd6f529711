//! Runs statements: keeps the texts being executed, the aliases and the last reply.

mod source;

use std::{
    any::Any,
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
    fs, mem,
    ops::Range,
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use self::source::{Positions, SourceFrame};

use crate::{
    command::{
        Args, CommandSpec, CommandTable, Fault, Kind, Param, Reply, boxed, command_list, files,
        help::{self, KeyHelp},
        lexer::{self, Statement, Word},
        open,
        spec::{Form, LiveList, SessionEffect},
        suggest, suites, table, tips,
    },
    engine::{
        self, Engine,
        session::{
            AnySession,
            comparing::SuiteEntry,
            explain::Slice,
            reply::{BoardPoint, MoveText, PlainReply, Stop},
            saving::SessionReport,
            search::{Run, StopReport},
        },
        settings::Setting,
    },
    picture::Shot,
    text::headline,
    text::style::{MoveNotation, Style, set_style},
};

pub use self::source::{Failure, FailureKind, SourceOrigin, SourcePlace};

/// Runs commands. A front end loads text and then takes one outcome after the other:
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
    /// The engine with the session that the commands use.
    pub engine: Engine,
    pub(super) table: &'static CommandTable,
    aliases: BTreeMap<String, String>,
    /// The aliases from a session file, which do not run before `trust`.
    untrusted: BTreeSet<String>,
    /// Commands of session files in these folders run without `trust`. Errors: why the configuration cannot be read.
    pub trusted_folders: Result<Vec<PathBuf>, String>,
    pub(super) last: Option<Response>,
    frames: Vec<SourceFrame>,
    /// Whether a person types commands: names can be abbreviated in typed lines only.
    pub interactive: bool,
    /// Whether every reply is JSON.
    pub json: bool,
    /// The notation of moves that people read: SAN or UCI.
    pub moves: MoveNotation,
    /// Whether replies contain times and rates, which differ from run to run.
    pub times: bool,
    /// The playing level, from 1 to 8; `None`: the search settings limit the search.
    pub(super) level: Option<u8>,
    /// The name of the external engine that plays in `engine play`; `None`: this program plays.
    pub(super) opponent: Option<String>,
    /// The search tree that `tree base` stored for comparisons.
    pub(super) tree_base: Option<Slice>,
    /// Whether `quit` has been run.
    pub quit: bool,
    /// The keys of the full screen, for `help`.
    pub keys: Vec<KeyHelp>,
    /// Whether to suggest commands after a search has stopped.
    pub tips: bool,
    tips_shown: Vec<&'static str>,
    pub(super) failed: Vec<String>,
    /// The screens of the last seconds, for `picture screen` and `picture film`; the last one is the current screen.
    pub(crate) screens: Vec<Shot>,
}

/// What [`Shell::upcoming`] returns before `foreach` goes to its next position.
const NEXT_POSITION: &str = "# the next position";

/// The greatest number of times that the same tip is shown.
const TIP_REPETITIONS: usize = 3;

/// The reply to a statement. As JSON one object: `command`, and the fields of the reply.
#[derive(Clone, Debug, Serialize)]
pub struct Response {
    /// The full name of the command.
    pub command: &'static str,
    /// The reply itself, printed as text or as JSON.
    #[serde(flatten, serialize_with = "fields")]
    pub reply: Arc<dyn Reply>,
    /// Whether the reply is to be printed as JSON.
    #[serde(skip)]
    pub json: bool,
    /// Whether the reply's text is not printed, because a breakpoint's command list starts with `silent`.
    #[serde(skip)]
    pub silent: bool,
    /// Whether the text contains the time that the command took.
    #[serde(skip)]
    pub has_time: bool,
    /// The command's effect on what a session file stores.
    #[serde(skip)]
    pub effect: SessionEffect,
}

/// The reply to a statement, or why it failed.
pub type Outcome = Result<Response, Box<Failure>>;

enum StatementTarget {
    /// A command, with the number of words in its name.
    Command(&'static CommandSpec, usize),
    Alias(String),
    /// The first word of several command names, which `help` lists.
    Prefix,
}

impl Default for Shell {
    fn default() -> Self {
        Self::new(Engine::default())
    }
}

impl Shell {
    /// A shell with all commands.
    pub fn new(engine: Engine) -> Self {
        Self::with_table(engine, table())
    }

    /// A shell with the commands of `table` only.
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
            moves: MoveNotation::default(),
            times: true,
            level: None,
            opponent: None,
            tree_base: None,
            quit: false,
            keys: Vec::new(),
            tips: false,
            tips_shown: Vec::new(),
            failed: Vec::new(),
            screens: Vec::new(),
        }
    }

    /// The session of the current game or of the open trace, read-only.
    pub fn session(&self) -> &dyn AnySession {
        self.engine.session()
    }

    /// Sets the style in which this thread writes moves and values: that of the game and the user. Every command does so before
    /// and after it runs; a thread that only prints replies calls this first.
    pub fn set_style(&self) {
        set_style(Style { moves: self.moves, scale: self.session().scale() });
    }

    /// The session of the current game or of the open trace, to change.
    pub fn session_mut(&mut self) -> &mut dyn AnySession {
        self.engine.session_mut()
    }

    /// The flag that stops a running command: see [`Engine::interrupt`].
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        self.engine.interrupt()
    }

    /// The aliases by name, each with the statements that it stands for.
    pub fn aliases(&self) -> &BTreeMap<String, String> {
        &self.aliases
    }

    /// Sets an alias, replacing one of the same name.
    pub fn set_alias(&mut self, name: &str, body: String) {
        self.untrusted.remove(name);
        self.aliases.insert(name.to_owned(), body);
    }

    pub(super) fn remove_alias(&mut self, name: &str) -> bool {
        self.untrusted.remove(name);
        self.aliases.remove(name).is_some()
    }

    /// The last reply as JSON, for `expect`.
    pub fn last_reply(&self) -> Option<Value> {
        self.last.as_ref().map(Response::value)
    }

    /// Drops all loaded text and sets [`Shell::quit`].
    pub fn leave(&mut self) {
        self.quit = true;
        self.abandon();
    }

    /// Loads a text to be executed next, before the rest of the current text. A text typed at a prompt may be an answer to the open
    /// question of the quiz, or moves.
    /// Errors: the first statement that is never closed; then nothing is loaded.
    pub fn load(&mut self, origin: SourceOrigin, text: &str) -> Result<(), Box<Failure>> {
        self.failed.retain(|line| line != text);
        // The key that opens the command line may be typed in it once more.
        let line = text.trim_start().trim_start_matches(':');
        let words = line.split(|sign: char| sign.is_whitespace() || sign == ';');
        let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
        let is_typed = origin == SourceOrigin::Typed && self.interactive;
        let whole = match words.as_slice() {
            words if !is_typed || self.table.exact(words).is_some() => None,
            _ if self.answers_quiz(text) => Some(format!("quiz answer {text}")),
            words if self.are_moves(words) => Some(format!("play {}", words.join(" "))),
            _ => None,
        };
        self.load_from_line(origin, whole.as_deref().unwrap_or(text), 1)
    }

    /// Whether words are moves: the first is legal or looks like a move, the others look like moves. An illegal move gets the error
    /// of a move, not that of an unknown command.
    fn are_moves(&self, words: &[&str]) -> bool {
        let is_alias = words.iter().any(|word| self.aliases.contains_key(*word));
        let Some((first, others)) = words.split_first().filter(|_| !is_alias) else { return false };
        let points = self.session().board(None).map_or_else(|_| Vec::new(), |it| it.board.points);
        let is_move = |word: &&str| looks_like_move(word, &points);
        others.iter().all(is_move) && (is_move(first) || self.is_legal(first))
    }

    /// Whether a typed text answers the open question of the quiz.
    fn answers_quiz(&self, text: &str) -> bool {
        let begins_number = |sign: char| sign.is_ascii_digit() || "+-#".contains(sign);
        // No command begins with a number, so that a number answers any question.
        let quiz = self.session();
        quiz.quiz_reads(text)
            || text.trim_start().starts_with(begins_number) && quiz.quiz_score().question.is_some()
    }

    /// Whether a word is a legal move in the game's position, as shown or in plain notation.
    fn is_legal(&self, word: &str) -> bool {
        let written = |mv: &MoveText| [mv.to_string(), mv.plain().to_owned()];
        let moves = self.session().moves().moves;
        moves.iter().any(|found| written(&found.mv).iter().any(|name| name == word))
    }

    /// Like [`Shell::load`], with the number of the text's first line.
    pub fn load_from_line(
        &mut self,
        origin: SourceOrigin,
        text: &str,
        first_line: usize,
    ) -> Result<(), Box<Failure>> {
        let frame = SourceFrame::new(origin, text, first_line);
        let problem = command_list::check(&frame.text);
        self.frames.push(frame);
        let Some(problem) = problem else { return Ok(()) };
        let fault = Fault::new(problem.message).at(problem.at);
        let failure = self.failure(FailureKind::Parse, fault);
        self.frames.pop();
        Err(failure)
    }

    /// Loads a script. Errors: a file that cannot be read, or a script that is already running.
    pub fn load_file(&mut self, file: &Path) -> Result<(), Box<Failure>> {
        let running = self.frames.iter().filter_map(|frame| frame.origin.file());
        let interrupt = self.engine.interrupt();
        match source::open(file, running, &interrupt) {
            Ok((origin, text)) => self.load(origin, &text),
            Err(fault) => Err(self.failure(FailureKind::Command, fault)),
        }
    }

    /// The text of the next statement, including its command list; `None` if no statement is left.
    pub fn upcoming(&self) -> Option<&str> {
        self.frames.iter().rev().find_map(|frame| {
            let positions = || frame.positions.as_ref().is_some_and(|it| it.entries.len() > 0);
            let Some(lexed) = lexer::next_statement(&frame.text, frame.next) else {
                return positions().then_some(NEXT_POSITION);
            };
            let list = command_list::end_of(&frame.text, &lexed);
            let end = list.map_or(lexed.span.end, |list| list.after);
            Some(frame.text.get(lexed.span.start..end)?.trim_end())
        })
    }

    /// The command that the next statement runs, with aliases and abbreviations resolved.
    pub fn upcoming_command(&self) -> Option<&'static CommandSpec> {
        let text = self.upcoming()?;
        let words = lexer::next_statement(text, 0)?.words;
        let (typed, first) = (plain(&words), words.first()?);
        let alias =
            self.aliases.get(*typed.first()?).filter(|_| self.table.exact(&typed).is_none());
        let Some(body) = alias else { return self.table.by_name(&typed) };
        let expanded = format!("{body}{}", &text[first.span.end..]);
        self.table.by_name(&plain(&lexer::next_statement(&expanded, 0)?.words))
    }

    /// The file of a session, cache or trace that the next statement writes; `None` for other statements.
    pub fn upcoming_output(&self) -> Option<PathBuf> {
        let saves = ["session save", "cache save", "trace record"];
        let spec = self.upcoming_command()?;
        saves.contains(&spec.name).then(|| self.upcoming_argument("FILE").map(PathBuf::from))?
    }

    /// Whether the next statement replaces the session or its game, which `undo` does not bring back. A statement whose file cannot be
    /// read replaces nothing, so the file is first loaded into a session of its own.
    pub fn upcoming_replaces(&mut self) -> bool {
        let is_game = |name: String| engine::games().any(|(known, _)| *known == name);
        let command = self.upcoming_command().map(|spec| spec.name);
        if command == Some("game") {
            return self.upcoming_argument("NAME").is_some_and(is_game);
        }
        let loads = ["session load", "pgn load"].map(Some).contains(&command);
        let file = loads.then(|| self.upcoming_argument("FILE")).flatten();
        let apart = self.engine.new_session(self.session().game());
        let (Some(file), Ok(apart)) = (file, apart) else { return false };
        let former = self.engine.exchange((apart, None));
        let is_read = match command {
            Some("session load") => self.engine.load_session(Path::new(&file)).is_ok(),
            _ => open::load_games(self, &file).is_ok(),
        };
        self.engine.exchange(former);
        is_read
    }

    /// The argument `name` of the next statement, as typed but without quotes; `None` if it is not given.
    fn upcoming_argument(&self, name: &str) -> Option<String> {
        let (spec, text) = (self.upcoming_command()?, self.upcoming()?);
        let words = lexer::next_statement(text, 0)?.words;
        let (_, length) = self.table.exact(&plain(&words))?;
        Some(Args::so_far(spec, text, &words[length..]).0.text(name)?.to_owned())
    }

    /// Executes the next statement; `None` if no statement is left.
    pub fn advance(&mut self) -> Option<Outcome> {
        loop {
            let frame = self.frames.last_mut()?;
            let text = Arc::clone(&frame.text);
            let Some(lexed) = lexer::next_statement(&text, frame.next) else {
                if let Some(outcome) = self.next_position() {
                    return Some(outcome);
                }
                self.frames.pop();
                continue;
            };
            frame.next = lexed.end;
            frame.current = lexed.span.clone();
            match self.statement(&text, &lexed) {
                Ok(Some(response)) => return Some(Ok(response)),
                Ok(None) => {}
                Err(failure) => {
                    let typed = self.frames.iter().find(|it| it.origin == SourceOrigin::Typed);
                    self.failed.extend(typed.map(|frame| frame.text.to_string()));
                    return Some(Err(failure.located(&self.frames)));
                }
            }
        }
    }

    /// Loads commands to be executed once at each position of a suite.
    pub(super) fn load_positions(&mut self, suite: &str, entries: Vec<SuiteEntry>, commands: &str) {
        let mut frame = SourceFrame::new(SourceOrigin::Position(suite.to_owned()), commands, 1);
        frame.next = frame.text.len();
        frame.positions = Some(Positions {
            suite: suite.to_owned(),
            total: entries.len(),
            entries: entries.into_iter(),
            before: self.session().position().undo,
        });
        self.frames.push(frame);
    }

    /// For `foreach`: sets up the next position and executes the innermost text again; after the last position, restores the
    /// position before `foreach`. `None` if the innermost text has no positions.
    fn next_position(&mut self) -> Option<Outcome> {
        let positions = self.frames.last_mut()?.positions.as_mut()?;
        let (before, entry) = (positions.before, positions.entries.next());
        // The commands may have changed the number of moves that can be undone, so the difference is undone or redone.
        let undo = self.session().position().undo;
        let _ = match undo.cmp(&before) {
            Ordering::Greater => self.session_mut().undo(undo - before),
            Ordering::Less => self.session_mut().redo(before - undo),
            Ordering::Equal => Ok(self.session().position()),
        };
        let entry = entry?;
        let frame = self.frames.last_mut()?;
        let Positions { suite, total, .. } = frame.positions.as_ref()?;
        let place = suites::place_of(suite, &entry);
        let pieces = [
            format!("{} of {total}", entry.position),
            place.clone(),
            entry.id.clone().unwrap_or_default(),
        ];
        let reply = PlainReply::not_compared(headline(pieces), json!(entry));
        (frame.next, frame.current) = (0, 0..0);
        frame.origin = SourceOrigin::Position(place);
        if let Err(fault) = self.session_mut().set_position(&entry.state) {
            return Some(Err(self.failure(FailureKind::Command, fault)));
        }
        let response = self.reply("foreach", boxed(reply), false);
        Some(Ok(Response { effect: SessionEffect::Changed, ..response }))
    }

    /// Drops all loaded text.
    pub fn abandon(&mut self) {
        self.frames.clear();
    }

    /// Executes a typed line up to the first failure.
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

    /// The failure that a script reports for a reply, if any: `trace check` with findings.
    pub fn failing(&self, response: &Response) -> Option<Box<Failure>> {
        let fault = response.reply.fault()?;
        Some(self.failure(FailureKind::Command, fault))
    }

    fn failure(&self, kind: FailureKind, fault: Fault) -> Box<Failure> {
        Failure::new(kind, fault).located(&self.frames)
    }

    /// The folder of the running script, in which `source` looks for files.
    pub(super) fn script_folder(&self) -> Option<&Path> {
        self.frames.iter().rev().find_map(|frame| frame.origin.folder())
    }

    /// Whether a search is running in time slices: see [`Shell::advance_search`].
    pub fn is_searching(&self) -> bool {
        self.session().is_running()
    }

    /// A tip after a search has stopped. The same tip is never shown twice in a row, and `TIP_REPETITIONS` times at most.
    pub fn tip(&mut self, response: &Response) -> Option<String> {
        let is_read = self.interactive && !response.json && !response.silent;
        if !self.tips || !is_read || self.upcoming().is_some() {
            return None;
        }
        let (kind, next) = tips::tip(self, &*response.reply)?;
        let shown = self.tips_shown.iter().filter(|shown| **shown == kind).count();
        if shown == TIP_REPETITIONS || self.tips_shown.last() == Some(&kind) {
            return None;
        }
        self.tips_shown.push(kind);
        Some(format!("next: {next}"))
    }

    /// Continues the search for a time slice. Returns the reply when the command is done.
    pub fn advance_search(&mut self, slice: Duration) -> Option<Response> {
        self.set_style();
        let reply = self.session_mut().advance(slice)?;
        let command = self.last.as_ref().map_or("", |last| last.command);
        let effect = SessionEffect::Changed;
        Some(Response { effect, ..self.reply(command, reply, false) })
    }

    /// Runs a statement for a pane. The last reply, which `expect` tests, stays the same.
    pub fn look_up(&mut self, statement: &str) -> Result<Arc<dyn Reply>, Fault> {
        let lexed =
            lexer::next_statement(statement, 0).ok_or_else(|| Fault::new("there is no command"))?;
        // Reading the whole table of a trace can take minutes, so a pane does not do it.
        let found = self.table.exact(&plain(&lexed.words));
        if found.is_some_and(|(spec, _)| spec.needs_table) && self.session().lacks_entries() {
            return Err(Fault::new("the entries stored before this event have not been read")
                .hint("`cache stats` reads them"));
        }
        Ok(self.run_now(statement, &lexed.words)?.reply)
    }

    /// Like [`Shell::look_up`], for a reply of type `R`.
    pub fn look_up_as<R: Reply + Clone>(&mut self, statement: &str) -> Result<R, Fault> {
        let reply: Arc<dyn Any + Send + Sync> = self.look_up(statement)?;
        let reply = reply.downcast().map(Arc::unwrap_or_clone);
        reply.map_err(|_| Fault::new("the reply is of another type"))
    }

    /// Executes a statement; if it is an alias, only loads the alias. The failure has no place yet.
    fn statement(
        &mut self,
        text: &str,
        statement: &Statement<'_>,
    ) -> Result<Option<Response>, Box<Failure>> {
        self.set_style();
        let typed = plain(&statement.words);
        let not_found = |fault: Fault| {
            let at = fault.at.clone().unwrap_or_else(|| self.unknown_word(&statement.words));
            Failure::new(FailureKind::Parse, fault.at(at))
        };
        match self.resolve(&typed).map_err(not_found)? {
            StatementTarget::Command(spec, length) => {
                let command = Some(spec.name);
                let failed =
                    |kind, fault| Box::new(Failure { command, ..*Failure::new(kind, fault) });
                let args = self
                    .arguments(spec, length, text, &statement.words, statement.span.end)
                    .map_err(|fault| failed(FailureKind::Parse, fault))?;
                let reply = spec
                    .execute(self, &args)
                    .map_err(|fault| failed(FailureKind::Command, args.place(fault)))?;
                let is_idle = reply.is_without_effect();
                let effect = if is_idle { SessionEffect::None } else { spec.effect(&args) };
                let response = self.reply(spec.name, reply, args.json());
                Ok(Some(Response { effect, ..response }))
            }
            StatementTarget::Alias(name) => {
                let rest = &text[statement.words[0].span.end..statement.span.end];
                self.expand(name, rest).map(|()| None)
            }
            StatementTarget::Prefix => {
                let reply = help::following(self.table, &typed);
                Ok(Some(self.reply("help", reply, false)))
            }
        }
    }

    /// Reads the arguments after a command name of `length` words.
    fn arguments<'a>(
        &self,
        spec: &'static CommandSpec,
        length: usize,
        text: &'a str,
        words: &'a [Word<'a>],
        end: usize,
    ) -> Result<Args<'a>, Fault> {
        Args::parse(spec, text, &words[length..], end).map_err(|fault| {
            // `weights sweep` is read as `weights` with an extra word, which may be an option of `weights compare`.
            let takes_none = !spec.params.iter().any(Param::is_positional);
            let takes_pairs = spec.params.iter().any(|param| param.form == Form::Pairs);
            let is_extra = |word: &&Word<'_>| takes_none && fault.at.as_ref() == Some(&word.span);
            let extra = words.get(length).filter(is_extra).map(|word| &*word.text);
            let noun = spec.name.split(' ').next().unwrap_or_default();
            let meant = |word| {
                let swapped = self.table.swapped(&words[0].text, word);
                if takes_pairs {
                    return swapped;
                }
                let meant = swapped.or_else(|| self.table.meant_after(noun, word));
                meant.or_else(|| self.taking(word))
            };
            let is_name = |word: &&str| !word.starts_with('-') && *word != words[0].text;
            let extra = extra.filter(is_name);
            let is_noun =
                length == 1 && words[0].text == noun && !self.table.verbs(noun).is_empty();
            let unknown = extra.filter(|_| is_noun).zip(fault.at.clone());
            let unknown = unknown.map(|(word, at)| self.table.unknown(&[noun, word]).at(at));
            let fault = unknown.unwrap_or(fault);
            match extra.and_then(meant) {
                Some(hint) => fault.hint(hint),
                None => fault,
            }
        })
    }

    /// The command whose first parameter has this word among its values: `game` for the word `chess`.
    fn taking(&self, word: &str) -> Option<String> {
        let lists = |list: &LiveList| list.values(self).iter().any(|(name, _)| name == word);
        let has = |kind| matches!(kind, Kind::Live(list) if lists(list));
        let mut specs = self.table.specs();
        let spec = specs.find(|spec| spec.params.first().is_some_and(|param| has(param.kind)))?;
        Some(suggest::these(&[&format!("{} {word}", spec.name)]))
    }

    fn reply(&mut self, command: &'static str, mut reply: Box<dyn Reply>, json: bool) -> Response {
        // A document written to standard output takes the place of the reply.
        let wrote_document = files::wrote_output();
        let response = Response {
            silent: self.load_commands(&mut *reply) || wrote_document,
            json: (json || self.json) && !wrote_document,
            ..self.named(command, reply)
        };
        // `expect` tests the last reply that is not one of `expect` or `echo`.
        let plain = response.reply.downcast_ref::<PlainReply>();
        if !plain.is_some_and(|plain| plain.is_remark) {
            self.last = Some(response.clone());
        }
        response
    }

    fn named(&self, command: &'static str, mut reply: Box<dyn Reply>) -> Response {
        if !self.times {
            reply.forget_times();
        }
        self.set_style();
        let has_time = reply.times_mut().first().is_some_and(|ms| ms.is_some());
        let (reply, json, effect) = (Arc::from(reply), self.json, SessionEffect::None);
        Response { command, reply, json, silent: false, has_time, effect }
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
                return Ok(StatementTarget::Prefix);
            }
            if let Some((spec, length)) = self.table.abbreviated(typed)? {
                return Ok(StatementTarget::Command(spec, length));
            }
        }
        match self.table.abbreviated(typed) {
            // An abbreviation in a script would become ambiguous when a new command is added.
            Ok(Some((spec, length))) => {
                let what = format!("`{}` is short for `{}`", typed[..length].join(" "), spec.name);
                Err(Fault::new(what).hint("write the name in full in scripts and aliases"))
            }
            _ => Err(self.unknown(typed)),
        }
    }

    fn unknown(&self, typed: &[&str]) -> Fault {
        let fault = self.table.unknown(typed);
        let aliases = self.aliases.keys().map(String::as_str);
        let first = typed.first().copied().unwrap_or_default();
        if self.is_legal(first) {
            return fault.hint(format!("`play {first}` plays the move"));
        }
        let is_known = || help::HelpIndex::new(self.table, &[], &[]).explains(first);
        let is_setting = Setting::by_name(first).is_some();
        if self.table.verbs(first).is_empty() && !is_setting && is_known() {
            return Fault::new(format!("`{first}` is not a command"))
                .hint(format!("`help {first}` explains it"));
        }
        match suggest::did_you_mean(first, aliases) {
            Some(hint) if self.table.verbs(first).is_empty() => fault.hint(hint),
            _ => fault,
        }
    }

    /// The range of the unknown word: the second word if several names begin with the first word, else the first.
    fn unknown_word(&self, words: &[Word<'_>]) -> Range<usize> {
        let is_prefix = words.first().is_some_and(|word| !self.table.verbs(&word.text).is_empty());
        words.get(usize::from(is_prefix)).or(words.first()).map_or(0..0, |word| word.span.clone())
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

    /// Runs a command on behalf of another command, which gets the reply.
    pub(super) fn run_now(&mut self, source: &str, words: &[Word<'_>]) -> Result<Response, Fault> {
        let end = words.last().map_or(0, |word| word.span.end);
        let place = words.first().map_or(end, |word| word.span.start)..end;
        let typed = plain(words);
        self.set_style();
        let Some((spec, length)) = self.table.exact(&typed) else {
            let alias = typed.first().filter(|first| self.aliases.contains_key(**first));
            let fault = alias.map(|alias| {
                Fault::new(format!("the alias `{alias}` cannot be used here"))
                    .hint("write the command of the alias")
            });
            let fault = fault.unwrap_or_else(|| self.table.unknown(&typed));
            return Err(fault.at(self.unknown_word(words)));
        };
        let args = self.arguments(spec, length, source, words, end)?;
        let depth = self.frames.len();
        let reply = spec.execute(self, &args).map_err(|fault| match args.place(fault) {
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

    /// Takes the command list that follows, up to `end`, from the text being executed.
    pub(super) fn take_command_list(&mut self) -> Result<String, Fault> {
        let missing = || {
            Fault::new("the list of commands is missing")
                .hint("write the list on the next lines and `end` after it, or on the same line in quotes")
        };
        let frame = self.frames.last_mut().ok_or_else(missing)?;
        let begin = lexer::next_statement(&frame.text, frame.current.start).ok_or_else(missing)?;
        let list = command_list::end_of(&frame.text, &begin).ok_or_else(missing)?;
        frame.next = list.after;
        Ok(frame.text[begin.end..list.end].to_owned())
    }

    /// Checks that the words name a command or an alias.
    pub(super) fn check_name(&self, words: &[Word<'_>]) -> Result<(), Fault> {
        let typed = lexer::texts(words);
        let first = typed.first().copied().unwrap_or_default();
        if self.table.exact(&typed).is_some() || self.aliases.contains_key(first) {
            return Ok(());
        }
        let place = words.first().map_or(0..0, |word| word.span.clone());
        Err(self.table.unknown(&typed).at(place))
    }

    /// If a breakpoint has stopped the search, loads its command list. Returns whether the stop is not to be printed.
    pub(super) fn load_commands(&mut self, reply: &mut dyn Reply) -> bool {
        let of_stop = |stop: &StopReport| stop.breakpoint.filter(|_| stop.stopped == "break");
        let of_run =
            |run: &Run| run.breakpoint.filter(|_| matches!(run.stopped, Some(Stop::Breakpoint(_))));
        let stop = reply.downcast_ref().and_then(of_stop);
        let Some(id) = stop.or_else(|| reply.downcast_ref().and_then(of_run)) else { return false };
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
        let silent = lines.first().is_some_and(|line| line == command_list::SILENT);
        if silent {
            lines.remove(0);
        }
        if lines.is_empty() {
            return silent;
        }
        // A command list that continued the search is dropped at the next stop; otherwise lists would pile up.
        let is_no_alias = |frame: &SourceFrame| !matches!(frame.origin, SourceOrigin::Alias(_));
        if let Some(place) = self.frames.iter().rposition(is_no_alias)
            && matches!(self.frames[place].origin, SourceOrigin::Breakpoint(_))
        {
            self.frames.truncate(place);
        }
        let text = lines.join("\n");
        self.frames.push(SourceFrame::new(SourceOrigin::Breakpoint(id), &text, 1));
        silent
    }

    /// Loads a session. Its commands and aliases run after [`Shell::trust`], or at once if the file is in a trusted folder.
    pub(super) fn load_session(&mut self, path: &Path) -> Result<SessionReport, Fault> {
        let (aliases, mut report) = self.engine.load_session(path)?;
        self.untrusted = aliases.keys().cloned().collect();
        self.aliases = aliases;
        let Some(carried) = &mut report.carried else { return Ok(report) };
        match &self.trusted_folders {
            Ok(folders) => carried.trusted = lies_in(path, folders),
            Err(what) => carried.notes.push(format!("no folder is trusted: {what}")),
        }
        if carried.trusted {
            self.trust();
        }
        Ok(report)
    }

    /// Permits the commands and aliases of the session to run. Returns a line for each breakpoint and alias.
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

/// Whether a word is castling, or consists of the signs of moves and contains the letter of a column followed by a digit, as a point
/// does that may be beside the board.
fn looks_like_move(word: &str, points: &[BoardPoint]) -> bool {
    let fits = |sign: char| sign.is_ascii_alphanumeric() || "-+#=".contains(sign);
    let is_column = |letter| points.iter().any(|point| point.name.starts_with(letter));
    let pairs = word.chars().zip(word.chars().skip(1));
    let mut names = pairs.filter(|(_, digit)| digit.is_ascii_digit()).map(|(letter, _)| letter);
    word.starts_with("O-O") || names.any(is_column) && word.chars().all(fits)
}

impl Response {
    /// Whether the command may have changed what a session file holds.
    pub fn changed(&self) -> bool {
        self.effect != SessionEffect::None
    }

    pub(super) fn value(&self) -> Value {
        serde_json::to_value(self).unwrap_or(Value::Null)
    }
}

/// The words, with an empty one for each quoted word, because a quoted word never names a command.
fn plain<'w>(words: &'w [Word<'_>]) -> Vec<&'w str> {
    words.iter().map(|word| if word.quoted { "" } else { &*word.text }).collect()
}

/// Whether a file is in one of the folders or below. Links are followed.
fn lies_in(file: &Path, folders: &[PathBuf]) -> bool {
    let mut folders = folders.iter().filter_map(|folder| fs::canonicalize(folder).ok());
    fs::canonicalize(file).is_ok_and(|file| folders.any(|folder| file.starts_with(folder)))
}
