//! The prompt, at which a person types commands.

pub mod helper;

use std::{
    fmt::Display,
    fs::DirBuilder,
    io::{self, IsTerminal, Write},
    os::unix::fs::DirBuilderExt,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

use etcetera::BaseStrategy;
use helper::Helper;
use rustix::{
    process::{getpgid, getsid},
    termios::{self, LocalModes, OptionalActions, QueueSelector, Termios},
};
use rustyline::{
    ColorMode, CompletionType, Editor, ExternalPrinter, error::ReadlineError, history::FileHistory,
};
use signal_hook::{
    consts::{SIGSTOP, SIGTSTP},
    low_level,
};

use crate::{
    command::{Completions, Shell, files},
    config::Config,
    interrupt::{Front, NothingToStop},
    script::{self, Options, Runner},
    view::Colour,
};

const HISTORY: usize = 10_000;

/// Runs the line `first`, if given, then reads and runs lines until `quit` or Ctrl-D. Returns the exit status.
pub fn run(options: Options, config: Result<Config, String>, first: Option<&str>) -> u8 {
    files::reserve_input();
    let cooked = Cooked {
        before: termios::tcgetattr(io::stdin()).ok(),
        printer: Arc::default(),
        used: Arc::default(),
    };
    let (printer, used) = (Arc::clone(&cooked.printer), Arc::clone(&cooked.used));
    let mut runner = Runner::new(options, config, cooked);
    runner.shell.interactive = true;
    if let Some(line) = first {
        used.store(true, Relaxed);
        runner.line(line);
    }
    let colour = Colour::for_terminal(io::stdout().is_terminal());
    let completions = Arc::new(Mutex::new(runner.shell.completions()));
    match editor(Helper::new(Arc::clone(&completions), colour)) {
        Ok(mut editor) => {
            let made = editor.create_external_printer().ok();
            *printer.lock().unwrap_or_else(PoisonError::into_inner) =
                made.map(|printer| Box::new(printer) as Box<_>);
            Repl { runner, colour, completions, editor, used }.lines()
        }
        Err(error) => unusable(&error),
    }
}

/// The text of the prompt, before the cursor.
pub fn prompt(shell: &Shell) -> String {
    format!("{}> ", shell.session().game())
}

/// The line editor of the prompt and of the full screen.
pub fn editor(helper: Helper) -> rustyline::Result<Editor<Helper, FileHistory>> {
    let config = rustyline::Config::builder()
        .completion_type(CompletionType::List)
        .completion_show_all_if_ambiguous(true)
        .history_ignore_space(true)
        // The editor calls the helper only if colours are on, and the helper escapes control characters.
        .color_mode(ColorMode::Forced)
        .max_history_size(HISTORY)?
        .build();
    let mut editor = Editor::with_config(config)?;
    editor.set_helper(Some(helper));
    if let Some(file) = history_file() {
        // Before the first session, the file does not exist.
        let _ = editor.load_history(&file);
    }
    Ok(editor)
}

/// The file with the history of lines, shared by all front ends; `None` if the user has no folder for state.
pub fn history_file() -> Option<PathBuf> {
    let folder = etcetera::base_strategy::Xdg::new().ok()?.state_dir()?;
    Some(folder.join("plyscope").join("history"))
}

/// Adds a line to the history. Errors in writing the file are ignored.
pub fn remember(editor: &mut Editor<Helper, FileHistory>, line: &str) {
    let added = !line.trim().is_empty() && editor.add_history_entry(line).unwrap_or(false);
    let Some(file) = history_file().filter(|_| added) else {
        return;
    };
    if let Some(folder) = file.parent() {
        let _ = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    }
    // The editor creates the file with mode 600, so that only the user can read it.
    let _ = editor.append_history(&file);
}

struct Repl {
    runner: Runner,
    colour: Colour,
    completions: Arc<Mutex<Completions>>,
    editor: Editor<Helper, FileHistory>,
    used: Arc<AtomicBool>,
}

impl Repl {
    fn lines(&mut self) -> u8 {
        if !self.runner.shell.json {
            // An error is ignored: if stdout is closed, reading at the prompt fails as well.
            let keys = "`help` lists the commands, Tab completes, Ctrl-D leaves";
            let _ = self.runner.print(&format!("{}: {keys}", script::PROGRAM));
        }
        while !self.runner.shell.quit {
            let plain = prompt(&self.runner.shell);
            let painted = self.colour.paint("1;38;5;75", &plain);
            match self.editor.readline(&(plain, painted)) {
                Ok(line) => self.line(&line),
                Err(ReadlineError::Interrupted | ReadlineError::Signal(_)) => {}
                Err(ReadlineError::Eof) => return 0,
                Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                    // The rest of a broken command must not run as a command.
                    let _ = termios::tcflush(io::stdin(), QueueSelector::IFlush);
                    complain(
                        "the line typed is not UTF-8: it is dropped, and so is what was typed after it",
                    );
                }
                Err(error) => return unusable(&error),
            }
        }
        0
    }

    fn line(&mut self, line: &str) {
        if line.trim().is_empty() {
            return;
        }
        remember(&mut self.editor, line);
        self.used.store(true, Relaxed);
        self.runner.line(line);
        let completions = self.runner.shell.completions();
        *self.completions.lock().unwrap_or_else(PoisonError::into_inner) = completions;
    }
}

fn unusable(error: &ReadlineError) -> u8 {
    complain(format_args!("cannot read from the terminal: {error}"));
    1
}

/// Reports an error on the line below the prompt.
fn complain(what: impl Display) {
    let _ = writeln!(io::stderr());
    script::complain(what);
}

/// The terminal's mode before the editor changed it (cooked mode).
struct Cooked {
    before: Option<Termios>,
    /// A printer of the line editor; printing through it redraws the line being typed.
    printer: Arc<Mutex<Option<Box<dyn ExternalPrinter + Send>>>>,
    used: Arc<AtomicBool>,
}

/// How long the editor may take to restore the terminal after it has read Ctrl-Z as a key.
const SETTLING: Duration = Duration::from_millis(30);

impl Front for Cooked {
    const MORE: &'static [i32] = &[SIGTSTP];

    /// Stops the process if a shell can continue it. The terminal is restored for the shell, then set up for the editor.
    fn take(&self, _: i32) {
        thread::sleep(SETTLING);
        let is_job = getpgid(None).ok() != getsid(None).ok();
        let Some(now) = termios::tcgetattr(io::stdin()).ok().filter(|_| is_job) else {
            return;
        };
        self.leave();
        let _ = low_level::raise(SIGSTOP);
        let _ = termios::tcsetattr(io::stdin(), OptionalActions::Now, &now);
        if is_prompt(&now) {
            let _ = write!(io::stdout(), "\x1b[?2004h").and_then(|()| io::stdout().flush());
            let mut printer = self.printer.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = printer.as_mut().map(|printer| printer.print("\n".to_owned()));
        }
    }

    fn leave(&self) {
        if let Some(before) = &self.before {
            let _ = termios::tcsetattr(io::stdin(), OptionalActions::Now, before);
        }
        // The editor has switched on bracketed paste, so it is switched off.
        let _ = writeln!(io::stdout(), "\x1b[?2004l");
    }

    // At the prompt the editor reads Ctrl-C as a key, so a SIGINT comes from `kill` and ends the program. Between a command's
    // end and the prompt, SIGINT is a Ctrl-C too late for the command. Before the first command, it ends the program.
    fn ends_on(&self, reason: NothingToStop) -> bool {
        let now = termios::tcgetattr(io::stdin()).ok();
        let was_used = self.used.load(Relaxed);
        reason == NothingToStop::Idle && (!was_used || now.as_ref().is_none_or(is_prompt))
    }
}

/// Whether the terminal is in the mode of the editor's prompt.
fn is_prompt(now: &Termios) -> bool {
    !now.local_modes.contains(LocalModes::ISIG)
}
