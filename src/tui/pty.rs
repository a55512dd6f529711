//! A pseudo-terminal within the program, whose output is drawn on a screen in memory.

use std::{
    ffi::OsStr,
    fs::File,
    io::{self, Read, Write},
    num::NonZeroU16,
    os::{fd::OwnedFd, unix::ffi::OsStrExt},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{self, Sender},
    },
    thread,
    time::{Duration, Instant},
};

use rustix::{
    fs::{Mode, OFlags},
    process::{Signal, getpid, kill_process},
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::{self, InputModes, LocalModes, OptionalActions, Winsize},
};
use vt100::{
    Parser,
    capture::{BasicFormattedCaptureRange, BasicFormattedCaptureState},
};

use crate::text::or_empty;

const SCROLLBACK: usize = 5000;

/// The master side of a pseudo-terminal.
#[derive(Debug)]
pub struct Pty {
    master: File,
    keys: Sender<Vec<u8>>,
    parser: Arc<Mutex<Emulator>>,
    size: (u16, u16),
    /// When the size has changed last.
    resized: Option<Instant>,
}

/// The longest time, on a busy machine, from the editor's request for the terminal's size to its prompt.
const UNNOTICED: Duration = Duration::from_secs(2);

/// The terminal that is emulated in memory.
pub struct Emulator {
    parser: Parser,
}

impl std::fmt::Debug for Emulator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Emulator")
    }
}

impl Default for Emulator {
    fn default() -> Self {
        Self::new(80, 8)
    }
}

impl Emulator {
    /// A terminal with an empty screen.
    pub fn new(columns: u16, rows: u16) -> Self {
        Self { parser: Parser::new(at_least_one(rows), at_least_one(columns), SCROLLBACK) }
    }

    /// Writes output to the emulated terminal.
    pub fn process(&mut self, bytes: &[u8]) {
        self.parser.process(bytes);
    }

    /// The emulated screen, with text and cursor.
    pub fn screen(&self) -> &vt100::Screen {
        self.parser.screen()
    }

    /// Scrolls back by `lines` lines, or as far as possible. Returns the number of lines scrolled.
    pub fn scroll(&mut self, lines: usize) -> usize {
        self.parser.screen_mut().set_scrollback(lines);
        self.parser.screen().scrollback()
    }

    /// Changes the size of the terminal and wraps its lines anew. A line of the editor that has several rows in the old or the new
    /// width becomes as many empty rows as it had: the editor clears these and draws the line again.
    pub fn resize(&mut self, columns: u16, rows: u16) {
        self.scroll(0);
        let screen = self.parser.screen();
        let ((row, column), (height, width)) = (screen.cursor_position(), screen.size());
        let bottom = height.get() - 1;
        let wraps = |row: &u16| screen.row_wrapped(*row);
        let above = (0..row).rev().take_while(wraps).count();
        let below = (row..bottom).take_while(wraps).count();
        let later = (row..bottom).filter(|row| !wraps(row)).count();
        let has_text =
            |column: &u16| screen.cell(row, *column).is_some_and(vt100::Cell::has_contents);
        let used = (0..width.get()).rev().find(has_text).map_or(0, |last| last + 1);
        let is_redrawn = columns != width.get() && (above + below > 0 || used >= columns);
        let mut text = String::new();
        // Writing to a string cannot fail.
        let mut state = BasicFormattedCaptureState::default();
        let all = BasicFormattedCaptureRange::Full(&mut state);
        let _ = screen.write_contents_formatted_basic(&mut text, all);
        let begin = text.rmatch_indices('\n').nth(later).map_or(0, |(at, _)| at + 1);
        let (lines, line) = text.split_at(begin);
        let line = line.split('\n').next().unwrap_or_default();
        let line = if is_redrawn { "\r\n".repeat(above + below) } else { line.to_owned() };
        let lines = lines.replace('\n', "\r\n");
        let [up, right] = [(below as u16, 'A'), (column, 'C')]
            .map(|(by, way)| or_empty((by > 0).then(|| format!("\x1b[{by}{way}"))));
        *self = Self::new(columns, rows);
        self.process(format!("{lines}\x1b[m{line}\x1b[m\r{up}{right}").as_bytes());
    }
}

fn at_least_one(length: u16) -> NonZeroU16 {
    NonZeroU16::new(length).unwrap_or(NonZeroU16::MIN)
}

impl Pty {
    /// Opens a pseudo-terminal whose output the emulator `parser` draws; also returns the slave side. A thread calls `changed`
    /// after each output.
    pub fn open(
        parser: Arc<Mutex<Emulator>>,
        (columns, rows): (u16, u16),
        changed: impl Fn() + Send + 'static,
    ) -> io::Result<(Self, OwnedFd)> {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
        grantpt(&master)?;
        unlockpt(&master)?;
        let name = ptsname(&master, Vec::new())?;
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let slave = rustix::fs::open(OsStr::from_bytes(name.as_bytes()), flags, Mode::empty())?;
        let mut modes = termios::tcgetattr(&slave)?;
        // The editor echoes keys itself. The terminal would echo again those typed while the editor is not reading.
        modes.local_modes &= !(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG);
        // Ctrl-S and Ctrl-Q are ordinary keys: as flow control, Ctrl-S would stop the editor's output.
        modes.input_modes &= !(InputModes::IXON | InputModes::IXOFF | InputModes::IXANY);
        termios::tcsetattr(&slave, OptionalActions::Now, &modes)?;
        let master = File::from(master);
        read(master.try_clone()?, Arc::clone(&parser), changed)?;
        let keys = write(master.try_clone()?)?;
        let pty = Self { keys, master, parser, size: (columns, rows), resized: None };
        pty.emulator().resize(columns, rows);
        pty.notify_size()?;
        Ok((pty, slave))
    }

    /// Sends input to the program on the slave side.
    pub fn send(&self, bytes: impl Into<Vec<u8>>) {
        let _ = self.keys.send(bytes.into());
    }

    fn emulator(&self) -> MutexGuard<'_, Emulator> {
        self.parser.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the terminal's size and notifies the editor.
    pub fn resize(&mut self, columns: u16, rows: u16) -> io::Result<()> {
        if self.size == (columns, rows) || columns == 0 || rows == 0 {
            return Ok(());
        }
        (self.size, self.resized) = ((columns, rows), Some(Instant::now()));
        self.emulator().resize(columns, rows);
        self.notify_size()?;
        Ok(kill_process(getpid(), Signal::WINCH)?)
    }

    /// Notifies the editor of a recent change of size again. The editor misses a notification that
    /// comes after its request for the size and before its prompt, so this is called after each output.
    pub fn notify_again(&self) -> io::Result<()> {
        if self.resized.is_some_and(|at| at.elapsed() < UNNOTICED) {
            kill_process(getpid(), Signal::WINCH)?;
        }
        Ok(())
    }

    fn notify_size(&self) -> io::Result<()> {
        let (ws_col, ws_row) = self.size;
        let size = Winsize { ws_row, ws_col, ws_xpixel: 0, ws_ypixel: 0 };
        Ok(termios::tcsetwinsize(&self.master, size)?)
    }
}

fn read(
    mut master: File,
    parser: Arc<Mutex<Emulator>>,
    changed: impl Fn() + Send + 'static,
) -> io::Result<()> {
    let spawned = thread::Builder::new().spawn(move || {
        let mut buffer = [0; 1 << 13];
        while let Ok(length @ 1..) = master.read(&mut buffer) {
            let mut emulator = parser.lock().unwrap_or_else(PoisonError::into_inner);
            emulator.process(&buffer[..length]);
            drop(emulator);
            changed();
        }
    });
    spawned.map(drop)
}

/// Writes input from a separate thread, because a paste may exceed the kernel's buffer and block.
fn write(mut master: File) -> io::Result<Sender<Vec<u8>>> {
    let (sender, keys) = mpsc::channel::<Vec<u8>>();
    let spawned = thread::Builder::new().spawn(move || {
        for bytes in keys {
            if master.write_all(&bytes).is_err() {
                return;
            }
        }
    });
    spawned.map(|_| sender)
}
