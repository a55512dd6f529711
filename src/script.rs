//! Runs commands from files, standard input and `-c`.
//!
//! A file and the text of `-c` are read whole: an unclosed quote or bracket is reported before anything runs. Standard input
//! is read and run statement by statement, so that another program can control this one. All other errors are reported when
//! their statement is run.

use std::{
    fmt,
    io::{self, BufRead, IsTerminal, Read, Write},
    path::Path,
    time::{Duration, Instant},
};

use clap::Args;

use crate::{
    command::{
        Failure, FailureKind, Outcome, Shell, SourceOrigin, command_list, files, open::Input,
    },
    config::Config,
    engine::session::reply::PlainReply,
    interrupt::{Front, Interrupt, NothingToStop},
    text::{fold, layout, timing, visible},
    ticker::Ticker,
    view::{self, Abilities, Colour},
};

/// Options of all front ends.
#[derive(Clone, Copy, Debug, Default, Args)]
#[group(skip)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Options {
    /// Print replies as JSON, one object to a line, which names its `command`; with --keep-going, failures too
    #[arg(long, global = true)]
    pub json: bool,
    /// Leave times and rates out of replies, so that they are the same in every run
    #[arg(long, global = true)]
    pub no_times: bool,
    /// Go on after a command has failed
    #[arg(long, global = true)]
    pub keep_going: bool,
    /// Print each command before its reply
    #[arg(long, global = true)]
    pub echo: bool,
    /// Print only errors and the results of `expect`
    #[arg(short, long, global = true, conflicts_with = "echo")]
    pub quiet: bool,
}

impl Options {
    /// A shell with these options. An error of the configuration is reported when a session's commands need `trust`.
    pub fn shell(self, config: Result<Config, String>) -> Shell {
        let mut shell = Shell::default();
        shell.json = self.json;
        shell.times = !self.no_times;
        shell.trusted_folders = config.map(|config| {
            shell.tips = config.tips.unwrap_or(true);
            shell.keys = config.key_help;
            config.trusted
        });
        shell
    }
}

/// The program's name and version, as in `plyscope 0.1.0`.
pub const PROGRAM: &str = concat!("plyscope ", env!("CARGO_PKG_VERSION"));
const FAILED: u8 = 1;
/// The exit status for arguments or commands that cannot be parsed.
pub const USAGE: u8 = 2;
const INTERRUPTED: u8 = 130;

/// Runs the inputs one after the other in one shell. Returns the exit status.
pub fn run(inputs: &[Input], options: Options, config: Result<Config, String>) -> u8 {
    let mut runner = Runner::new(options, config, Unattended);
    match inputs.iter().try_for_each(|input| runner.input(input)) {
        Err(ScriptStop::Output(error)) if error.kind() != io::ErrorKind::BrokenPipe => {
            complain(format_args!("cannot write the output: {error}"));
            FAILED
        }
        _ => runner.status,
    }
}

/// A script has no prompt, so Ctrl-C ends the program even between two commands.
struct Unattended;

impl Front for Unattended {
    fn ends_on(&self, _: NothingToStop) -> bool {
        true
    }
}

/// Prints an error that belongs to no command to stderr; on a terminal, wrapped to the width of a page.
pub fn complain(what: impl fmt::Display) {
    let what = what.to_string();
    let columns = if io::stderr().is_terminal() { layout::page_width() } else { usize::MAX };
    let text = layout::on_page(columns, || layout::wrap("error: ", &visible(&what)));
    let _ = writeln!(io::stderr(), "{text}");
}

enum ScriptStop {
    /// The script ends because of a failure, Ctrl-C or `quit`.
    Done,
    /// Writing to standard output failed; a closed pipe, as with `| head`, is no error.
    Output(io::Error),
}

impl From<io::Error> for ScriptStop {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// The time that a statement with a progress line took, and its rate.
type TimeTaken = (Duration, Option<String>);

/// Runs loaded text in a shell and prints the replies.
#[derive(Debug)]
pub struct Runner {
    /// The shell that runs the statements.
    pub shell: Shell,
    options: Options,
    interrupt: Interrupt,
    ticker: Ticker,
    colour: Colour,
    /// Whether a person types the lines: then tips are shown, and findings of `trace check` are no failure.
    attended: bool,
    /// Whether standard output is a terminal that can show only ASCII.
    ascii: bool,
    status: u8,
}

impl Runner {
    /// A runner with a new shell. `front` determines what signals do if they stop no command.
    pub fn new(options: Options, config: Result<Config, String>, front: impl Front) -> Self {
        let shell = options.shell(config);
        let interrupt = Interrupt::new(shell.interrupt());
        files::set_stop_flag(shell.interrupt());
        interrupt.handle_signals(front);
        let quiet = options.quiet;
        Self {
            ticker: if quiet { Ticker::default() } else { Ticker::start(shell.engine.progress()) },
            shell,
            options,
            interrupt,
            colour: Colour::for_terminal(io::stderr().is_terminal()),
            attended: false,
            ascii: io::stdout().is_terminal() && Abilities::of_environment().ascii,
            status: 0,
        }
    }

    /// Runs a typed line. After a failure or Ctrl-C, the rest of the line is dropped.
    pub fn line(&mut self, line: &str) {
        self.attended = true;
        let loaded = self.shell.load(SourceOrigin::Typed, line);
        if self.loaded(loaded).is_err() {
            self.shell.abandon();
        }
    }

    fn input(&mut self, input: &Input) -> Result<(), ScriptStop> {
        let loaded = match input {
            Input::Script(file) if file == Path::new("-") => return self.stdin(),
            Input::Script(file) => self.shell.load_file(file),
            Input::Open(_) => {
                let loaded = self.shell.load(SourceOrigin::Open(None), &input.line());
                // The user has not typed `open`: only the commands that it runs are answered.
                match loaded.map(|()| self.shell.advance()) {
                    Ok(Some(Err(failure))) => return self.fail(&failure, FAILED),
                    loaded => loaded.map(drop),
                }
            }
            Input::Commands(text) => self.shell.load(SourceOrigin::Named("-c"), text),
        };
        self.loaded(loaded)
    }

    fn loaded(&mut self, loaded: Result<(), Box<Failure>>) -> Result<(), ScriptStop> {
        match loaded {
            Ok(()) => self.drain(),
            Err(failure) => self.fail(&failure, USAGE),
        }
    }

    /// Reads and runs standard input line by line; a statement of several lines is read whole.
    fn stdin(&mut self) -> Result<(), ScriptStop> {
        files::reserve_input();
        let mut stdin = io::stdin().lock();
        let mut text = String::new();
        let mut first_line = 1;
        loop {
            let room = (files::LONGEST_SCRIPT + 1 - text.len()) as u64;
            let at_end = match (&mut stdin).take(room).read_line(&mut text) {
                Ok(read) => read == 0,
                Err(error) => {
                    return self.unreadable(&format!("cannot read standard input: {error}"));
                }
            };
            if text.len() > files::LONGEST_SCRIPT {
                return self.unreadable(&files::too_long("-").message);
            }
            if !at_end && command_list::check(&text).is_some_and(|problem| problem.incomplete) {
                continue;
            }
            let origin = SourceOrigin::Named("-");
            let loaded = self.shell.load_from_line(origin, &text, first_line);
            self.loaded(loaded)?;
            if at_end {
                return Ok(());
            }
            first_line += text.matches('\n').count();
            text.clear();
        }
    }

    fn unreadable(&mut self, why: &str) -> Result<(), ScriptStop> {
        complain(format_args!("-: {why}"));
        self.status = USAGE;
        Err(ScriptStop::Done)
    }

    fn drain(&mut self) -> Result<(), ScriptStop> {
        self.interrupt.begin();
        let drained = self.statements();
        self.interrupt.end();
        drained
    }

    fn statements(&mut self) -> Result<(), ScriptStop> {
        loop {
            self.echo()?;
            let since = Instant::now();
            let outcome = self.shell.advance();
            let long = self.ticker.clear().map(|operation| (since.elapsed(), operation.rate()));
            let at_end = outcome.is_none();
            let answered = outcome.map_or(Ok(()), |outcome| self.answer(outcome, long));
            if self.interrupt.stop_requested() {
                self.status = INTERRUPTED;
                return Err(ScriptStop::Done);
            }
            answered?;
            if self.shell.quit {
                return Err(ScriptStop::Done);
            }
            if at_end {
                return Ok(());
            }
        }
    }

    /// Prints the next statement; with `--json` to stderr, because programs read replies from stdout.
    fn echo(&mut self) -> io::Result<()> {
        let Some(statement) = self.shell.upcoming().filter(|_| self.options.echo) else {
            return Ok(());
        };
        let echo = format!("> {}", visible(statement).replace('\n', "\n> "));
        if self.options.json {
            let _ = writeln!(io::stderr(), "{echo}");
            return Ok(());
        }
        self.print(&echo)
    }

    /// Prints a reply. If progress was shown and the reply contains no time, adds the time taken.
    fn answer(&mut self, outcome: Outcome, long: Option<TimeTaken>) -> Result<(), ScriptStop> {
        let reply = match outcome {
            Ok(reply) => reply,
            Err(failure) => {
                let status = if failure.kind == FailureKind::Parse { USAGE } else { FAILED };
                return self.fail(&failure, status);
            }
        };
        let plain = reply.reply.downcast_ref::<PlainReply>();
        let is_shown = !self.options.quiet || plain.is_some_and(|plain| plain.is_check);
        let text = view::response(&reply);
        if is_shown && !text.is_empty() {
            self.print(&text)?;
        }
        let shows_time = long.filter(|_| self.shell.times && !reply.has_time);
        if let Some((time, rate)) = shows_time {
            let took = timing(Some(time.as_secs_f64() * 1e3), rate);
            let _ = writeln!(io::stderr(), "{}", self.colour.paint("2", &took));
        }
        if self.attended
            && io::stdout().is_terminal()
            && let Some(tip) = self.shell.tip(&reply)
        {
            self.print(&Colour::for_terminal(true).paint("2", &tip))?;
        }
        match self.shell.failing(&reply).filter(|_| !self.attended) {
            Some(failure) => self.fail(&failure, FAILED),
            None => Ok(()),
        }
    }

    /// Prints a line and flushes, because a program at the other end of a pipe may wait for the line.
    pub fn print(&mut self, line: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        if self.ascii && !self.options.json {
            writeln!(out, "{}", fold(line))?;
        } else {
            writeln!(out, "{line}")?;
        }
        out.flush()
    }

    fn fail(&mut self, failure: &Failure, status: u8) -> Result<(), ScriptStop> {
        self.status = self.status.max(status);
        let text = view::failure_as(failure, self.options.json, self.colour);
        // A failure of writing to stderr cannot be reported anywhere.
        let _ = writeln!(io::stderr(), "{text}");
        if self.options.keep_going {
            if self.options.json {
                self.print(&view::json_no_reply(failure))?;
            }
            return Ok(());
        }
        self.shell.abandon();
        Err(ScriptStop::Done)
    }
}
