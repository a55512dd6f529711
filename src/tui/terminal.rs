//! The terminal: taken over when the screen opens, restored on every exit. The line editor reads and writes descriptors
//! 0 and 1, so these are redirected to a pseudo-terminal. The screen is drawn to a saved descriptor.

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

/// Alternate screen, bracketed paste, no cursor.
const ENTER: &str = "\x1b[?1049h\x1b[2J\x1b[?2004h\x1b[?25l";
/// Undoes `ENTER`, and resets mouse and cursor shape.
const LEAVE: &str = "\x1b[?1006l\x1b[?1002l\x1b[?1000l\x1b[?2004l\x1b[0m\x1b[?25h\x1b[?1049l";
const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1002h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1002l\x1b[?1000l";

/// The real terminal. Signal and panic handlers restore it too, so it is shared.
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
    /// Saves the descriptors and directs key events to the terminal. Fails if there is none.
    pub fn save() -> io::Result<Arc<Self>> {
        let stdin = stdio::stdin().try_clone_to_owned()?;
        let stdout = File::from(stdio::stdout().try_clone_to_owned()?);
        let stderr = stdio::stderr().try_clone_to_owned()?;
        let cooked = termios::tcgetattr(&stdin)?;
        termios::tcgetattr(&stdout)?;
        // crossterm opens /dev/tty if descriptor 0 is no terminal, and keeps using it.
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
        if self.mouse.load(SeqCst) {
            self.write(MOUSE_ON)?;
        }
        Ok(())
    }

    /// Switches mouse reporting on, or off to let the terminal select text.
    pub fn set_mouse(&self, on: bool) -> io::Result<()> {
        self.mouse.store(on, SeqCst);
        self.write(if on { MOUSE_ON } else { MOUSE_OFF })
    }

    /// Writes bytes to the terminal itself, such as a clipboard sequence.
    pub fn write(&self, text: &str) -> io::Result<()> {
        self.stdout().write_all(text.as_bytes())
    }

    fn stdout(&self) -> MutexGuard<'_, File> {
        self.stdout.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The file descriptor of the terminal's input.
    pub fn input(&self) -> impl AsFd + '_ {
        &self.stdin
    }

    /// Columns and rows; 80 by 24 if unknown.
    pub fn size(&self) -> (u16, u16) {
        match termios::tcgetwinsize(&self.stdin) {
            Ok(size) if size.ws_col > 0 && size.ws_row > 0 => (size.ws_col, size.ws_row),
            _ => (80, 24),
        }
    }

    /// A writer to the screen that discards everything while the terminal is left.
    pub fn drawing(self: &Arc<Self>) -> impl Write + use<> {
        TerminalWriter(Arc::clone(self))
    }

    /// Restores the terminal; the descriptors stay redirected.
    pub fn leave(&self) {
        if self.open.swap(false, SeqCst) {
            let _ = termios::tcsetattr(&self.stdin, OptionalActions::Now, &self.cooked);
            let _ = self.write(LEAVE);
        }
    }

    /// Restores the terminal and standard error, at the end of the program, from any thread. Descriptors 0 and 1 stay
    /// redirected: the line editor may be reading, and must not take the shell's input.
    pub fn restore(&self) {
        self.leave();
        let _ = stdio::dup2_stderr(&self.stderr);
    }

    /// Stops the process after SIGTSTP. The shell continues it with SIGCONT.
    pub fn suspend(&self) -> io::Result<()> {
        self.leave();
        low_level::raise(SIGSTOP)
    }

    /// On a panic in any thread, restores the terminal, prints the panic and ends the program.
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

/// Stops the job, as Ctrl-Z does. False if it is a process group of its own, which no shell would continue.
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
