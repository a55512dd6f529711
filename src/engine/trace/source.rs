//! The events of a trace by their numbers, from a file of any size or from a program that is still writing.

use std::{
    fs::File,
    io::{
        self, BufReader,
        ErrorKind::{Interrupted, WouldBlock},
        Read as _, Write as _,
    },
    path::Path,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde_json::Value;
use tempfile::NamedTempFile;

use super::{
    TraceEvent, TraceHeader, TraceReader,
    read::{LONGEST_LINE, LinePlace},
};
use crate::engine::{
    files::{self, Stream},
    game::{Answer, Fault},
};

/// Of so many events the first one's place is kept.
const STRIDE: u64 = 1 << 10;

/// So long a program is waited for at a time.
const GLANCE: Timespec = Timespec { tv_sec: 0, tv_nsec: 4_000_000 };

/// Bytes taken from a pipe at a time.
const GULP: usize = 1 << 16;

/// The fields that the format knows.
const FIELDS: [&str; 12] = ["e", "a", "b", "d", "v", "t", "m", "k", "p", "s", "r", "u"];

/// Fields of the program's own at most.
const MOST_OWN: usize = 1_000;

/// What there is of an event.
#[derive(Debug)]
pub(super) enum Read<T> {
    /// It.
    Event(T),
    /// Nothing yet: the program is still at work.
    Pending,
    /// Nothing, and nothing will be.
    Over,
}

/// A trace whose events are read as they are asked for.
#[derive(Debug)]
pub(super) struct TraceSource {
    header: TraceHeader,
    tape: Mutex<Tape>,
}

#[derive(Debug)]
struct Tape {
    reader: TraceReader<BufReader<File>>,
    /// The event that is read next.
    next: u64,
    /// Where every [`STRIDE`]th event is, as far as it is known.
    marks: Vec<LinePlace>,
    /// Events read so far.
    known: u64,
    /// Where it comes from, where that is no file.
    pipe: Option<Pipe>,
    /// More may be written.
    live: bool,
    /// Why it cannot be read on.
    fault: Option<Fault>,
    /// The fields that only the program knows.
    own: Vec<String>,
}

/// The part of a pipe that has been read.
#[derive(Debug)]
struct Pipe {
    /// Where the program writes.
    from: File,
    /// What it has written.
    held: NamedTempFile,
}

impl Pipe {
    /// Takes what there is, or waits a moment for it; whether the program may write more.
    fn take(&mut self) -> io::Result<bool> {
        let waiting = &mut [PollFd::new(&self.from, PollFlags::IN)];
        if poll(waiting, Some(&GLANCE)).is_ok_and(|ready| ready == 0) {
            return Ok(true);
        }
        let mut buffer = [0; GULP];
        match self.from.read(&mut buffer) {
            Ok(0) => Ok(false),
            Ok(more) => self.held.write_all(&buffer[..more]).map(|()| true),
            Err(error) if matches!(error.kind(), Interrupted | WouldBlock) => Ok(true),
            Err(error) => Err(error),
        }
    }

    /// Waits for the first line.
    fn first_line(&mut self, interrupt: &AtomicBool) -> io::Result<()> {
        let mut held = self.held.reopen()?;
        let (mut line, mut more) = (Vec::new(), true);
        while more && !line.contains(&b'\n') && line.len() < LONGEST_LINE as usize {
            if interrupt.load(Relaxed) {
                return Err(io::Error::other("interrupted"));
            }
            more = self.take()?;
            held.read_to_end(&mut line)?;
        }
        Ok(())
    }
}

impl TraceSource {
    /// Opens a file or a stream, and reads its header; `follow` waits for more where a file ends.
    ///
    /// # Errors
    /// What cannot be read, and what is no trace.
    pub(super) fn open(path: &Path, follow: bool, interrupt: &AtomicBool) -> Answer<Self> {
        let refused = |error| files::explain(path, files::Doing::Read, &error);
        let (file, pipe) = match files::stream(path)? {
            Stream::Document(file) => (file, None),
            Stream::Pipe(from) => {
                let mut pipe = Pipe { from, held: NamedTempFile::new().map_err(refused)? };
                pipe.first_line(interrupt).map_err(refused)?;
                (pipe.held.reopen().map_err(refused)?, Some(pipe))
            }
        };
        let reader = TraceReader::new(BufReader::with_capacity(GULP, file));
        let reader = reader.map_err(|fault| fault.within(path.display()))?;
        let live = follow || pipe.is_some();
        let tape = Tape {
            reader,
            next: 0,
            marks: Vec::new(),
            known: 0,
            pipe,
            live,
            fault: None,
            own: Vec::new(),
        };
        Ok(Self { header: tape.reader.header().clone(), tape: Mutex::new(tape) })
    }

    fn tape(&self) -> MutexGuard<'_, Tape> {
        self.tape.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The header.
    pub(super) fn header(&self) -> &TraceHeader {
        &self.header
    }

    /// Events read so far, and whether there may be more.
    pub(super) fn extent(&self) -> (u64, bool) {
        let tape = self.tape();
        (tape.known, tape.live)
    }

    /// Why it cannot be read on.
    pub(super) fn fault(&self) -> Option<Fault> {
        self.tape().fault.clone()
    }

    /// Does something with an event.
    pub(super) fn event<T>(&self, number: u64, does: impl FnOnce(&TraceEvent<'_>) -> T) -> Read<T> {
        let mut tape = self.tape();
        match tape.event(number, does) {
            Ok(read) => read,
            Err(fault) => {
                tape.fault = Some(fault);
                Read::Over
            }
        }
    }

    /// The line of an event that was read before.
    pub(super) fn line(&self, number: u64) -> Option<String> {
        let mut tape = self.tape();
        if number >= tape.known || !tape.go_to(number).ok()? || !tape.reader.next_line().ok()? {
            return None;
        }
        tape.next = number + 1;
        Some(String::from_utf8_lossy(tape.reader.line()).trim().to_owned())
    }

    /// The fields that only the program knows, as far as it was read.
    pub(super) fn own(&self) -> Vec<String> {
        self.tape().own.clone()
    }
}

impl TraceSource {
    /// The place of a field among those that only the program knows, where it may still be told.
    pub(super) fn expect(&self, name: &str) -> Option<usize> {
        let mut tape = self.tape();
        let is_name = name.starts_with(|sign: char| sign.is_alphabetic() || sign == '_');
        if tape.live && is_name {
            tape.learn(name);
        }
        tape.own.iter().position(|own| own == name)
    }
}

impl Tape {
    fn event<T>(
        &mut self,
        number: u64,
        does: impl FnOnce(&TraceEvent<'_>) -> T,
    ) -> Answer<Read<T>> {
        if !self.go_to(number)? {
            return Ok(Read::Over);
        }
        let before = self.reader.end();
        let found = self.reader.next_line()?;
        if self.live && !(found && self.reader.line().ends_with(b"\n")) {
            self.reader.go_to(before)?;
            self.wait()?;
            return Ok(Read::Pending);
        }
        if !found {
            return Ok(Read::Over);
        }
        let event = self.reader.event_here()?;
        let (did, more) = (does(&event), event.more);
        if number == self.known {
            self.known += 1;
            if number % STRIDE == 0 {
                self.marks.push(self.reader.place());
            }
            if more {
                self.learn_own();
            }
        }
        self.next = number + 1;
        Ok(Read::Event(did))
    }

    /// Goes where an event is read next; not where it is none of those known or the one after them.
    fn go_to(&mut self, number: u64) -> Answer<bool> {
        if number > self.known || self.fault.is_some() && number == self.known {
            return Ok(false);
        }
        let near = (number / STRIDE).min(self.marks.len().saturating_sub(1) as u64);
        let begin = near * STRIDE;
        if (number < self.next || self.next < begin)
            && let Some(place) = self.marks.get(near as usize)
        {
            self.reader.go_to(*place)?;
            self.next = begin;
        }
        while self.next < number && self.reader.next_line()? {
            self.next += 1;
        }
        Ok(self.next == number)
    }

    /// Waits a moment for more to be written.
    fn wait(&mut self) -> Answer<()> {
        if let Some(pipe) = &mut self.pipe {
            let taken = pipe.take();
            self.live = taken.map_err(|error| Fault::new(format!("the pipe broke: {error}")))?;
        } else {
            thread::sleep(Duration::from_millis(4));
        }
        Ok(())
    }

    /// Takes down the names of the fields on the line at hand that only the program knows.
    fn learn_own(&mut self) {
        let fields: Option<serde_json::Map<String, Value>> =
            serde_json::from_slice(self.reader.line()).ok();
        for (name, _) in fields.into_iter().flatten() {
            self.learn(&name);
        }
    }

    fn learn(&mut self, name: &str) {
        let known = FIELDS.contains(&name) || self.own.iter().any(|own| own == name);
        if !known && self.own.len() < MOST_OWN {
            self.own.push(name.to_owned());
        }
    }
}
