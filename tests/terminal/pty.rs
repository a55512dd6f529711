//! A pseudo-terminal for the real program, its output drawn on a screen in memory.

use std::{
    io::{Read, Write},
    num::NonZeroU16,
    path::Path,
    process::Command,
    sync::{Arc, Condvar, Mutex},
    thread,
    time::{Duration, Instant},
};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use tempfile::TempDir;
use vt100::Parser;

/// Path of the program.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_plyscope");

/// Timeout, longer than anything takes on a busy computer.
const PATIENCE: Duration = Duration::from_secs(120);

type Shared = Arc<(Mutex<Output>, Condvar)>;

struct Output {
    parser: Parser,
    written: Vec<u8>,
    closed: bool,
}

pub fn home() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// Sends a signal, such as `-TERM`, to a process.
#[track_caller]
pub fn signal(id: u32, name: &str) {
    let killed = Command::new("kill").args([name, &id.to_string()]).status();
    assert!(killed.unwrap().success());
}

pub struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    output: Shared,
}

fn size(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

fn length(length: u16) -> NonZeroU16 {
    NonZeroU16::new(length).unwrap()
}

impl Terminal {
    /// Runs the program in `home`, with no files other than those there.
    pub fn plyscope(home: &Path, arguments: &[&str], columns: u16, rows: u16) -> Self {
        let command: Vec<_> = [PROGRAM].iter().chain(arguments).copied().collect();
        Self::run(home, &command, columns, rows)
    }

    pub fn run(home: &Path, command: &[&str], columns: u16, rows: u16) -> Self {
        Self::run_with(home, command, (columns, rows), &[])
    }

    /// Runs a command with further variables in its environment.
    pub fn run_with(
        home: &Path,
        command: &[&str],
        (columns, rows): (u16, u16),
        variables: &[(&str, &str)],
    ) -> Self {
        let pair = native_pty_system().openpty(size(columns, rows)).unwrap();
        let mut builder = CommandBuilder::new(command[0]);
        builder.args(&command[1..]);
        builder.env_clear();
        builder.cwd(home);
        for (name, value) in [
            ("TERM", "xterm-256color"),
            ("LANG", "C.UTF-8"),
            ("PATH", "/usr/bin:/bin"),
            ("PLYSCOPE_PANIC", "1"),
            ("PS1", "shell> "),
        ] {
            builder.env(name, value);
        }
        for name in ["HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"] {
            builder.env(name, home);
        }
        for (name, value) in variables {
            builder.env(name, value);
        }
        let child = pair.slave.spawn_command(builder).unwrap();
        let output: Shared = Arc::new((
            Mutex::new(Output {
                parser: Parser::new(length(rows), length(columns), 0),
                written: Vec::new(),
                closed: false,
            }),
            Condvar::new(),
        ));
        read(pair.master.try_clone_reader().unwrap(), Arc::clone(&output));
        Self { child, writer: pair.master.take_writer().unwrap(), master: pair.master, output }
    }

    /// Types text.
    pub fn send(&mut self, keys: &str) {
        self.send_bytes(keys.as_bytes());
    }

    /// Types bytes, which may be no text.
    pub fn send_bytes(&mut self, keys: &[u8]) {
        self.writer.write_all(keys).unwrap();
        self.writer.flush().unwrap();
    }

    pub fn resize(&self, columns: u16, rows: u16) {
        self.output.0.lock().unwrap().parser.set_size(length(rows), length(columns));
        self.master.resize(size(columns, rows)).unwrap();
    }

    /// The screen's text.
    pub fn screen(&self) -> String {
        self.output.0.lock().unwrap().parser.screen().contents()
    }

    /// All output so far.
    pub fn written(&self) -> Vec<u8> {
        self.output.0.lock().unwrap().written.clone()
    }

    /// Waits until the program has written some bytes.
    #[track_caller]
    pub fn wait_written(&self, wanted: &str) {
        wait_until(wanted, || {
            let written = self.written();
            written.windows(wanted.len()).any(|bytes| bytes == wanted.as_bytes())
        });
    }

    pub fn has_colour(&self) -> bool {
        let output = self.output.0.lock().unwrap();
        let screen = output.parser.screen();
        let (rows, columns) = screen.size();
        let coloured = |(row, column)| {
            let cell = screen.cell(row, column);
            cell.is_some_and(|cell| cell.fgcolor() != vt100::Color::Default)
        };
        let (rows, columns) = (rows.get(), columns.get());
        (0..rows).any(|row| (0..columns).any(|column| coloured((row, column))))
    }

    /// Whether the alternate screen is on.
    pub fn is_alternate(&self) -> bool {
        self.output.0.lock().unwrap().parser.screen().alternate_screen()
    }

    /// Waits until the screen satisfies a condition.
    #[track_caller]
    pub fn wait(&self, what: &str, wanted: impl Fn(&vt100::Screen) -> bool) {
        let began = Instant::now();
        let (output, changed) = &*self.output;
        let mut output = output.lock().unwrap();
        while !wanted(output.parser.screen()) {
            let remaining = PATIENCE.saturating_sub(began.elapsed());
            assert!(
                !remaining.is_zero() && !output.closed,
                "waiting for {what}{}; the screen is\n{}",
                if output.closed { ", but the program has ended" } else { "" },
                output.parser.screen().contents()
            );
            output = changed.wait_timeout(output, remaining).unwrap().0;
        }
    }

    #[track_caller]
    pub fn wait_for(&self, text: &str) {
        self.wait(text, |screen| screen.contents().contains(text));
    }

    /// Waits for the program's end and all its output.
    #[track_caller]
    pub fn end(&mut self) -> ExitStatus {
        let began = Instant::now();
        let (output, changed) = &*self.output;
        let mut guard = output.lock().unwrap();
        while !guard.closed {
            let remaining = PATIENCE.saturating_sub(began.elapsed());
            assert!(
                !remaining.is_zero(),
                "it does not end; the screen is\n{}",
                guard.parser.screen().contents()
            );
            guard = changed.wait_timeout(guard, remaining).unwrap().0;
        }
        drop(guard);
        self.child.wait().unwrap()
    }

    /// Reads no output after a change of size, like a terminal that hangs, and runs `then`. Returns the exit status
    /// with which the program ends nevertheless.
    #[track_caller]
    pub fn end_unread(&mut self, columns: u16, rows: u16, then: impl FnOnce(u32)) -> ExitStatus {
        let _unread = self.output.0.lock().unwrap();
        self.master.resize(size(columns, rows)).unwrap();
        let id = self.child.process_id().unwrap();
        wait_until("it is blocked", || is_blocked(id));
        then(id);
        wait_until("the end", || self.child.try_wait().unwrap().is_some());
        self.child.wait().unwrap()
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// Asserts that the terminal is restored: no alternate screen, no mouse, no bracketed paste, a cursor.
    #[track_caller]
    pub fn assert_restored(&self) {
        let output = self.output.0.lock().unwrap();
        let screen = output.parser.screen();
        assert!(!screen.alternate_screen() && !screen.hide_cursor() && !screen.bracketed_paste());
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
    }
}

/// The processor time used by a process; unlike time on the clock, it does not depend on other processes.
pub fn processor_time(id: u32) -> Duration {
    let Ok(state) = std::fs::read_to_string(format!("/proc/{id}/stat")) else {
        return Duration::ZERO;
    };
    // proc(5): `utime` and `stime` in hundredths of a second, the 12th and 13th field after the name in parentheses.
    let fields = state.rsplit(')').next().unwrap().split_whitespace();
    let ticks: u64 = fields.skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap()).sum();
    Duration::from_millis(10 * ticks)
}

/// Whether the main thread of a process sleeps.
pub fn sleeps(id: u32) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{id}/task/{id}/stat"));
    state.map_or(true, |state| state.rsplit(')').next().unwrap().trim().starts_with('S'))
}

/// Whether the terminal's buffer is full: the drawing thread blocks in a write.
fn is_blocked(id: u32) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{id}/task/{id}/syscall"));
    // System call 1 is write(2) on x86-64, 64 on ARM.
    state.map_or(true, |state| state.starts_with("1 ") || state.starts_with("64 "))
}

/// Waits until a condition holds.
#[track_caller]
pub fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < PATIENCE, "waiting for {what}");
        thread::yield_now();
    }
}

fn read(mut reader: Box<dyn Read + Send>, output: Shared) {
    thread::spawn(move || {
        let mut buffer = [0; 4096];
        loop {
            let length = reader.read(&mut buffer).unwrap_or(0);
            let Ok(mut shared) = output.0.lock() else {
                return;
            };
            shared.parser.process(&buffer[..length]);
            shared.written.extend_from_slice(&buffer[..length]);
            shared.closed = length == 0;
            output.1.notify_all();
            if length == 0 {
                return;
            }
        }
    });
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}
