//! The terminal: taken over when the screen opens, given back on every way out.
//!
//! The line editor of the command pane reads and writes descriptors 0 and 1. So those lead to a pseudo-terminal of our
//! own while the screen is open, and the real terminal is drawn to through a descriptor saved before.

use std::{
    fs::File,
    io::{self, Write},
    os::fd::{AsFd, OwnedFd},
    process,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    time::Duration,
};

use crossterm::event;
use rustix::{
    process::{Signal, getpgid, getsid, kill_current_process_group},
    stdio,
    termios::{self, OptionalActions, Termios},
};
use signal_hook::{consts::SIGSTOP, low_level};

/// The alternate screen with bracketed paste and the cursor hidden.
const ENTER: &str = "\x1b[?1049h\x1b[2J\x1b[?2004h\x1b[?25l";
/// All of it undone, mouse and cursor shape included.
const LEAVE: &str = "\x1b[?1006l\x1b[?1002l\x1b[?1000l\x1b[?2004l\x1b[0m\x1b[?25h\x1b[?1049l";
const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1002h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1002l\x1b[?1000l";

/// The real terminal. It is shared: signals and panics restore it too.
#[derive(Debug)]
pub struct Terminal {
    stdin: OwnedFd,
    stdout: Mutex<File>,
    stderr: OwnedFd,
    cooked: Termios,
    open: AtomicBool,
    mouse: AtomicBool,
}

impl Terminal {
    /// Keeps the descriptors and makes sure that keys come from the terminal itself. Fails without one.
    pub fn save() -> io::Result<Arc<Self>> {
        let stdin = stdio::stdin().try_clone_to_owned()?;
        let stdout = File::from(stdio::stdout().try_clone_to_owned()?);
        let stderr = stdio::stderr().try_clone_to_owned()?;
        let cooked = termios::tcgetattr(&stdin)?;
        termios::tcgetattr(&stdout)?;
        // With descriptor 0 elsewhere the source of events opens /dev/tty, and keeps to it from the first look on.
        stdio::dup2_stdin(File::open("/dev/null")?)?;
        if let Err(error) = event::poll(Duration::from_millis(1)) {
            stdio::dup2_stdin(&stdin)?;
            return Err(error);
        }
        Ok(Arc::new(Self {
            stdin,
            stdout: Mutex::new(stdout),
            stderr,
            cooked,
            open: AtomicBool::new(false),
            mouse: AtomicBool::new(false),
        }))
    }

    /// Raw mode and the alternate screen.
    pub fn enter(&self) -> io::Result<()> {
        let mut raw = self.cooked.clone();
        raw.make_raw();
        termios::tcsetattr(&self.stdin, OptionalActions::Now, &raw)?;
        self.open.store(true, SeqCst);
        self.write(ENTER)?;
        if self.mouse.load(SeqCst) {
            self.write(MOUSE_ON)?;
        }
        Ok(())
    }

    /// Whether clicks and the wheel come here, or stay with the terminal's own selection of text.
    pub fn set_mouse(&self, on: bool) -> io::Result<()> {
        self.mouse.store(on, SeqCst);
        self.write(if on { MOUSE_ON } else { MOUSE_OFF })
    }

    /// Bytes for the terminal itself, such as a text for its clipboard.
    pub fn write(&self, text: &str) -> io::Result<()> {
        self.stdout().write_all(text.as_bytes())
    }

    fn stdout(&self) -> MutexGuard<'_, File> {
        self.stdout.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Columns and rows; the usual ones where nobody knows.
    pub fn size(&self) -> (u16, u16) {
        match termios::tcgetwinsize(&self.stdin) {
            Ok(size) if size.ws_col > 0 && size.ws_row > 0 => (size.ws_col, size.ws_row),
            _ => (80, 24),
        }
    }

    /// What the screen is drawn to. While the terminal is left, nothing is.
    pub fn drawing(self: &Arc<Self>) -> impl Write + use<> {
        TerminalWriter(Arc::clone(self))
    }

    /// The terminal as it was; the descriptors stay redirected.
    pub fn leave(&self) {
        if self.open.swap(false, SeqCst) {
            let _ = termios::tcsetattr(&self.stdin, OptionalActions::Now, &self.cooked);
            let _ = self.write(LEAVE);
        }
    }

    /// The terminal as it was, and messages go there again: for the end of the program, from any thread.
    ///
    /// Descriptors 0 and 1 stay: the line editor, which may be waiting for a key, must not take the shell's.
    pub fn restore(&self) {
        self.leave();
        let _ = stdio::dup2_stderr(&self.stderr);
    }

    /// Stops the process, which SIGTSTP has asked for. The shell wakes it up with SIGCONT: then it may enter again.
    pub fn suspend(&self) -> io::Result<()> {
        self.leave();
        low_level::raise(SIGSTOP)
    }

    /// A panic anywhere gives the terminal back, says what happened, and ends the program.
    pub fn restore_on_panic(self: &Arc<Self>) {
        let terminal = Arc::clone(self);
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            terminal.restore();
            before(panic);
            process::exit(101);
        }));
    }
}

/// Asks the whole job to stop, as Ctrl-Z does. False where no shell would wake it up: its job is a group of its own.
pub fn stop_job() -> io::Result<bool> {
    let is_job = getpgid(None)? != getsid(None)?;
    if is_job {
        kill_current_process_group(Signal::TSTP)?;
    }
    Ok(is_job)
}

/// Lets descriptors 0, 1 and 2 lead to another terminal.
pub fn redirect(to: impl AsFd) -> io::Result<()> {
    stdio::dup2_stdin(&to)?;
    stdio::dup2_stdout(&to)?;
    stdio::dup2_stderr(&to)?;
    Ok(())
}

struct TerminalWriter(Arc<Terminal>);

impl Write for TerminalWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut stdout = self.0.stdout();
        if self.0.open.load(SeqCst) { stdout.write(bytes) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.leave();
    }
}
