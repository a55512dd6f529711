use std::{
    collections::VecDeque,
    io::{self, Read},
    sync::atomic::AtomicBool,
    time::Instant,
};

use super::{
    Log, READY, parts,
    process::{Output, Process},
};
use crate::engine::game::{Fault, Result};

/// The beginning of a trace line in an engine's output.
const TRACE_LINE: &str = "info string ply ";

/// The trace that an engine prints in its output, in lines that begin with `info string ply `.
#[derive(Debug)]
pub struct EngineTrace<'a> {
    process: Process,
    /// The commands that have not been sent yet.
    commands: VecDeque<String>,
    /// The last command sent, and the start of the line by which the engine reports the end of the command.
    awaited: Option<(String, &'static str)>,
    /// The current line of the trace, and the number of its bytes read so far.
    line: Vec<u8>,
    read: usize,
    interrupt: &'a AtomicBool,
}

impl<'a> EngineTrace<'a> {
    /// Starts an engine and sends the commands one after the other.
    /// Errors: a program that cannot be run.
    pub fn start(
        command: &str,
        commands: impl IntoIterator<Item = String>,
        interrupt: &'a AtomicBool,
    ) -> Result<Self> {
        let (program, options) = parts(command);
        let process = Process::start(program, &Log::default()).map_err(|error| {
            Fault::new(format!("cannot run `{command}`: {error}"))
                .about_word(command)
                .hint("is the program installed, and in a folder of PATH?")
        })?;
        let words = |word: &str| word.to_owned();
        // Engines print no final line for `bench` and the like, so `isready` follows, and `readyok` marks the end.
        let commands =
            [words("uci")].into_iter().chain(options).chain(commands).chain([words("isready")]);
        let (commands, line) = (commands.collect(), Vec::new());
        Ok(Self { process, commands, awaited: None, line, read: 0, interrupt })
    }

    /// Sends commands up to the next one that ends with a known line; `false` if there are none left.
    fn send_next(&mut self) -> io::Result<bool> {
        while self.awaited.is_none() {
            let Some(command) = self.commands.pop_front() else {
                return Ok(false);
            };
            if self.process.send(&command, &Log::default()).is_err() {
                let ended = format!("the engine has ended before `{command}`");
                return Err(io::Error::other(ended));
            }
            let end = match command.split_whitespace().next() {
                Some("uci") => Some("uciok"),
                Some("isready") => Some("readyok"),
                Some("go") => Some("bestmove"),
                _ => None,
            };
            self.awaited = end.map(|end| (command, end));
        }
        Ok(true)
    }

    /// Reads the next line of the trace; `false` at its end.
    fn next_line(&mut self) -> io::Result<bool> {
        while self.send_next()? {
            let end = self.awaited.as_ref().map_or("", |(_, end)| *end);
            let failed = |awaited: &Option<(String, _)>, what: &str| {
                let command = awaited.as_ref().map_or("", |(command, _)| command);
                Err(io::Error::other(format!("the engine {what} `{command}`")))
            };
            match self.process.next_line(Instant::now() + READY, self.interrupt) {
                Output::Line(line) if line.starts_with(TRACE_LINE) => {
                    (self.line, self.read) = (line[TRACE_LINE.len()..].into(), 0);
                    self.line.push(b'\n');
                    return Ok(true);
                }
                Output::Line(line) if line.starts_with(end) => self.awaited = None,
                Output::Line(_) => {}
                // A search may be silent for a long time.
                Output::Silent if end == "bestmove" => {}
                Output::Silent => return failed(&self.awaited, "has not replied to"),
                Output::Interrupted => return Err(io::Error::other("interrupted")),
                Output::Ended => return failed(&self.awaited, "has ended after"),
            }
        }
        Ok(false)
    }
}

impl Read for EngineTrace<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.read == self.line.len() && !self.next_line()? {
            return Ok(0);
        }
        let length = (&self.line[self.read..]).read(buffer)?;
        self.read += length;
        Ok(length)
    }
}
