use std::{
    collections::VecDeque,
    io::{self, BufRead, BufReader, Read, Write},
    os::unix::process::CommandExt as _,
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process_group};

/// The number of lines that a log keeps.
const KEPT: usize = 1000;
/// The greatest length of a line in bytes; a longer line is read as several.
const LONGEST: u64 = 1 << 16;
/// The number of output lines read ahead; beyond that, the engine blocks until lines are taken.
const WAITING: usize = 256;
/// The interval at which the interrupt flag is read.
const TICK: Duration = Duration::from_millis(20);
/// How long an engine has to end by itself after `quit`.
const GOODBYE: Duration = Duration::from_millis(200);

/// The last lines sent to and received from an engine.
#[derive(Clone, Debug, Default)]
pub struct Log {
    lines: Arc<Mutex<VecDeque<String>>>,
}

impl Log {
    fn add(&self, sign: char, line: &str) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == KEPT {
            lines.pop_front();
        }
        lines.push_back(format!("{sign} {line}"));
    }

    /// The lines of the log, the oldest first.
    pub fn lines(&self) -> Vec<String> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

/// A running process of an engine. Dropping the value ends the process.
#[derive(Debug)]
pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

/// The next line of output, or the reason why there is none.
pub enum Output {
    Line(String),
    /// The process has closed its output.
    Ended,
    /// No line came before the time limit.
    Silent,
    /// The user interrupted the running command.
    Interrupted,
}

impl Process {
    /// Starts a program with its arguments.
    pub fn start(command: &str, log: &Log) -> io::Result<Self> {
        let mut words = command.split_whitespace();
        let mut program = Command::new(words.next().unwrap_or_default());
        program.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // The engine gets its own process group; otherwise Ctrl-C in the terminal would end the engine too.
        program.process_group(0);
        let mut child = program.spawn()?;
        let (sender, lines) = mpsc::sync_channel(WAITING);
        if let Some(output) = child.stdout.take() {
            let log = log.clone();
            let read = move |line: String| {
                log.add('<', &line);
                sender.send(line).is_ok()
            };
            drop(thread::Builder::new().spawn(move || read_lines(output, read))?);
        }
        if let Some(errors) = child.stderr.take() {
            let log = log.clone();
            let read = move |line: String| {
                log.add('!', &line);
                true
            };
            drop(thread::Builder::new().spawn(move || read_lines(errors, read))?);
        }
        Ok(Self { input: child.stdin.take(), child, lines })
    }

    /// Sends a line to the process.
    pub fn send(&mut self, line: &str, log: &Log) -> io::Result<()> {
        log.add('>', line);
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        writeln!(input, "{line}")?;
        input.flush()
    }

    /// The next line of output, if one comes before `end`.
    pub fn next_line(&mut self, end: Instant, interrupt: &AtomicBool) -> Output {
        loop {
            if interrupt.load(Ordering::Relaxed) {
                return Output::Interrupted;
            }
            match self.lines.recv_timeout(TICK) {
                Ok(line) => return Output::Line(line),
                Err(RecvTimeoutError::Disconnected) => return Output::Ended,
                Err(RecvTimeoutError::Timeout) if Instant::now() >= end => {
                    return Output::Silent;
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// The exit status; `None` while the process is running.
    pub fn has_ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok()?
    }

    /// The exit status of a process that has closed its pipes; `None` if it does not end in [`GOODBYE`].
    pub fn wait_for_end(&mut self) -> Option<ExitStatus> {
        let end = Instant::now() + GOODBYE;
        while Instant::now() < end {
            if let Some(status) = self.has_ended() {
                return Some(status);
            }
            thread::sleep(TICK / 4);
        }
        None
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(mut input) = self.input.take() {
            let _ = writeln!(input, "quit");
        }
        self.wait_for_end();
        // Killing a shell script leaves the programs that it started running, so the whole process group is killed.
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads lines until the end of the stream, or until `read` returns `false`.
fn read_lines(source: impl Read, read: impl Fn(String) -> bool) {
    let (mut source, mut bytes) = (BufReader::new(source), Vec::new());
    while (&mut source).take(LONGEST).read_until(b'\n', &mut bytes).is_ok_and(|read| read > 0) {
        let line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
        if !read(line) {
            return;
        }
        bytes.clear();
    }
}
