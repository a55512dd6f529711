//! The terminal, which is taken over when the screen opens and restored on every exit. The line editor reads and writes
//! descriptors 0 and 1, so these are redirected to a pseudo-terminal, and the screen is drawn to a saved descriptor.

use std::{
    fs::File,
    io::{self, Write},
    os::fd::{AsFd, OwnedFd},
    panic::{self, AssertUnwindSafe},
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

/// The exit status after a panic, as that of other Rust programs.
pub const PANICKED: u8 = 101;

/// Switches to the alternate screen, switches bracketed paste on, and hides the cursor.
const ENTER: &str = "\x1b[?1049h\x1b[2J\x1b[?2004h\x1b[?25l";
/// Undoes [`ENTER`], and resets mouse and cursor shape.
const LEAVE: &str = "\x1b[?1006l\x1b[?1002l\x1b[?1000l\x1b[?2004l\x1b[0m\x1b[?25h\x1b[?1049l";
const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1002h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1002l\x1b[?1000l";

/// The real terminal. Signal and panic handlers restore it too, so it is shared between threads.
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
    /// Saves the descriptors and makes crossterm read keys from the terminal. Errors: there is no terminal.
    pub fn save() -> io::Result<Arc<Self>> {
        let stdin = stdio::stdin().try_clone_to_owned()?;
        let stdout = File::from(stdio::stdout().try_clone_to_owned()?);
        let stderr = stdio::stderr().try_clone_to_owned()?;
        let cooked = termios::tcgetattr(&stdin)?;
        termios::tcgetattr(&stdout)?;
        // If descriptor 0 is not a terminal, crossterm opens /dev/tty and keeps using it.
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

    pub fn enter(&self) -> io::Result<()> {
        let mut raw = self.cooked.clone();
        raw.make_raw();
        termios::tcsetattr(&self.stdin, OptionalActions::Now, &raw)?;
        self.open.store(true, SeqCst);
        self.write(ENTER)?;
        self.set_mouse(self.mouse.load(SeqCst))
    }

    /// Switches mouse reporting on, or off so that the terminal can select text.
    pub fn set_mouse(&self, on: bool) -> io::Result<()> {
        self.mouse.store(on, SeqCst);
        self.write(if on { MOUSE_ON } else { MOUSE_OFF })
    }

    /// Writes a text to the real terminal, such as the sequence that fills the clipboard.
    pub fn write(&self, text: &str) -> io::Result<()> {
        self.stdout().write_all(text.as_bytes())
    }

    fn stdout(&self) -> MutexGuard<'_, File> {
        self.stdout.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The file descriptor from which the terminal's input is read.
    pub fn input(&self) -> impl AsFd + '_ {
        &self.stdin
    }

    /// The columns and rows of the terminal; 80 by 24 if unknown.
    pub fn size(&self) -> (u16, u16) {
        match termios::tcgetwinsize(&self.stdin) {
            Ok(size) if size.ws_col > 0 && size.ws_row > 0 => (size.ws_col, size.ws_row),
            _ => (80, 24),
        }
    }

    /// A writer to the screen, which discards its output while the terminal is restored.
    pub fn drawing(self: &Arc<Self>) -> impl Write + use<> {
        TerminalWriter(Arc::clone(self))
    }

    /// Restores the terminal for a while; the descriptors stay redirected.
    pub fn leave(&self) {
        if self.open.swap(false, SeqCst) {
            let _ = termios::tcsetattr(&self.stdin, OptionalActions::Now, &self.cooked);
            let _ = self.write(LEAVE);
        }
    }

    /// Restores the terminal and standard error at the end of the program, from any thread. Descriptors 0 and 1 stay
    /// redirected, because the line editor may still be reading and must not take the shell's input.
    pub fn restore(&self) {
        self.leave();
        let _ = stdio::dup2_stderr(&self.stderr);
    }

    /// Stops the process after SIGTSTP, until the shell continues it with SIGCONT.
    pub fn suspend(&self) -> io::Result<()> {
        self.leave();
        low_level::raise(SIGSTOP)
    }

    /// Makes a panic restore the terminal before its message is printed.
    pub fn restore_on_panic(self: &Arc<Self>) {
        let terminal = Arc::clone(self);
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            terminal.restore();
            before(info);
        }));
    }
}

/// Runs the body of a thread that no other thread waits for: a panic there ends the program.
pub fn run_or_exit(body: impl FnOnce()) {
    if panic::catch_unwind(AssertUnwindSafe(body)).is_err() {
        process::exit(PANICKED.into());
    }
}

/// Stops the job, as Ctrl-Z does. Returns `false` if the job is its own process group, which no shell would continue.
pub fn stop_job() -> io::Result<bool> {
    let is_job = getpgid(None)? != getsid(None)?;
    if is_job {
        kill_current_process_group(Signal::TSTP)?;
    }
    Ok(is_job)
}

pub fn redirect(to: impl AsFd) -> io::Result<()> {
    stdio::dup2_stdin(&to)?;
    stdio::dup2_stdout(&to)?;
    Ok(stdio::dup2_stderr(&to)?)
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
