//! The events of a trace by their numbers, from a file of any size or from a program that is still writing.

use std::{
    fs::File,
    io::{
        self,
        ErrorKind::{Interrupted, WouldBlock},
        Read as _, Write as _,
    },
    path::Path,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    thread,
    time::Duration,
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
};
use serde_json::{Map, Value};
use tempfile::NamedTempFile;

use super::{
    FIELDS, TraceEvent, TraceInput, TraceReader,
    pack::trace_input,
    read::{LONGEST_LINE, LinePlace},
};
use crate::engine::{
    files::{self, Stream},
    game::{Fault, Result},
};

/// Of so many events the first one's place is kept.
const STRIDE: u64 = 1 << 10;

/// So long a program is waited for at a time: a screen that is drawn meanwhile does not falter.
const GLANCE: Duration = Duration::from_millis(4);

/// Bytes taken from a pipe at a time.
const GULP: usize = 1 << 16;

/// Fields of the program's own at most.
const MOST_OWN: usize = 1_000;

#[derive(Debug)]
pub(super) enum FoundEvent<T> {
    Event(T),
    /// Nothing yet: the program is still at work.
    Pending,
    /// Nothing, and nothing will be.
    Over,
}

/// A trace whose events are read as they are asked for.
#[derive(Debug)]
pub(super) struct TraceTape {
    pub reader: TraceReader<Box<dyn TraceInput>>,
    /// The event that is read next.
    next: u64,
    /// Where some of the events are, by their numbers.
    marks: Vec<(u64, LinePlace)>,
    /// Events read so far.
    known: u64,
    /// Where it comes from, where that is no file.
    pipe: Option<Pipe>,
    /// More may be written.
    pub live: bool,
    /// It told at once where its events are.
    indexed: bool,
    /// Why it cannot be read on.
    pub fault: Option<Fault>,
    /// The fields that only the program knows, as far as they have been told.
    own: Vec<String>,
    /// It was read to its end, or as far as it can be.
    whole: bool,
}

/// The part of a pipe that has been read.
#[derive(Debug)]
pub(super) struct Pipe {
    /// Where the program writes.
    from: File,
    /// What it has written.
    held: NamedTempFile,
}

impl Pipe {
    /// Takes what there is, or waits a moment for it; whether the program may write more.
    fn take(&mut self) -> io::Result<bool> {
        let waiting = &mut [PollFd::new(&self.from, PollFlags::IN)];
        let ready = poll(waiting, Timespec::try_from(GLANCE).ok().as_ref());
        // After a signal there may be nothing to read either: reading would wait where no signal is heeded.
        if matches!(ready, Ok(0) | Err(Errno::INTR)) {
            return Ok(true);
        }
        let mut buffer = vec![0; GULP];
        match self.from.read(&mut buffer) {
            Ok(0) => Ok(false),
            Ok(more) => self.held.write_all(&buffer[..more]).map(|()| true),
            Err(error) if matches!(error.kind(), Interrupted | WouldBlock) => Ok(true),
            Err(error) => Err(error),
        }
    }

    fn first_line(&mut self, interrupt: &AtomicBool) -> io::Result<()> {
        let mut held = self.held.reopen()?;
        let (mut line, mut more) = (Vec::new(), true);
        while more && !line.contains(&b'\n') && line.len() < LONGEST_LINE {
            if interrupt.load(Relaxed) {
                return Err(io::Error::other("interrupted"));
            }
            more = self.take()?;
            held.read_to_end(&mut line)?;
        }
        Ok(())
    }
}

impl TraceTape {
    /// Opens a file or a stream, and reads its header; `follow` waits for more where a file ends.
    /// Errors: what cannot be read, and what is no trace.
    pub(super) fn open(path: &Path, follow: bool, interrupt: &AtomicBool) -> Result<Self> {
        let refused = |error| files::io_fault(path, files::FileAccess::Read, &error);
        let (file, pipe) = match files::stream(path)? {
            Stream::Document(file) => (file, None),
            Stream::Pipe(from) => {
                let mut pipe = Pipe { from, held: NamedTempFile::new().map_err(refused)? };
                pipe.first_line(interrupt).map_err(refused)?;
                (pipe.held.reopen().map_err(refused)?, Some(pipe))
            }
        };
        Self::of(file, pipe, follow).map_err(|fault| fault.within(path.display()))
    }

    /// What stands in a file, and what a pipe adds to it.
    /// Errors: what is no trace.
    pub(super) fn of(file: File, pipe: Option<Pipe>, follow: bool) -> Result<Self> {
        let reader = TraceReader::new(trace_input(file)?)?;
        let index = reader.input.index();
        let indexed = index.is_some();
        let live = (follow || pipe.is_some()) && !indexed;
        let (marks, known) = index.unwrap_or_default();
        Ok(Self {
            reader,
            next: 0,
            marks,
            known,
            pipe,
            live,
            indexed,
            fault: None,
            own: Vec::new(),
            whole: false,
        })
    }

    pub(super) fn events(&self) -> Option<u64> {
        (self.whole || self.indexed).then_some(self.known)
    }

    /// Does something with an event and its line.
    pub(super) fn event<T>(
        &mut self,
        number: u64,
        does: impl FnOnce(&TraceEvent<'_>, &[u8]) -> T,
    ) -> FoundEvent<T> {
        self.read(number, does).unwrap_or_else(|fault| {
            self.stop(fault);
            FoundEvent::Over
        })
    }

    /// What an event that was read before says in a field that only the program knows, by the place of its name.
    pub(super) fn own(&mut self, field: u16, number: u64) -> Option<Value> {
        let name = self.own.get(usize::from(field))?.clone();
        let mut line: Map<String, Value> = serde_json::from_slice(self.line(number)?).ok()?;
        line.remove(&name)
    }

    /// The place of the name of such a field; `expected` also takes one that may still be told.
    pub(super) fn own_called(&mut self, name: &str, expected: bool) -> Option<u16> {
        let is_name = name.starts_with(|sign: char| sign.is_alphabetic() || sign == '_');
        if expected && !self.whole && is_name {
            self.learn(name);
        }
        let place = self.own.iter().position(|own| own == name)?;
        u16::try_from(place).ok()
    }

    fn read<T>(
        &mut self,
        number: u64,
        does: impl FnOnce(&TraceEvent<'_>, &[u8]) -> T,
    ) -> Result<FoundEvent<T>> {
        if !self.seek(number)? {
            return Ok(FoundEvent::Over);
        }
        let before = self.reader.end();
        let found = self.reader.next_line()?;
        if self.live && !(found && self.reader.line().ends_with(b"\n")) {
            self.reader.seek(before)?;
            self.wait()?;
            return Ok(FoundEvent::Pending);
        }
        if !found {
            self.whole = true;
            return Ok(FoundEvent::Over);
        }
        self.next = number + 1;
        let line = self.reader.line();
        let event = self.reader.event()?;
        let (did, more) = (does(&event, line), event.more);
        if more {
            for name in field_names(self.reader.line()) {
                self.learn(&name);
            }
        }
        if number == self.known {
            self.known += 1;
            if number.is_multiple_of(STRIDE) {
                self.marks.push((number, self.reader.place));
            }
        }
        Ok(FoundEvent::Event(did))
    }

    /// The line of an event that was read before: most often the one at hand.
    pub(super) fn line(&mut self, number: u64) -> Option<&[u8]> {
        if self.next != number + 1 || self.reader.line().is_empty() {
            let is_there = number < self.known && self.seek(number).ok()?;
            if !is_there || !self.reader.next_line().ok()? {
                return None;
            }
            self.next = number + 1;
        }
        Some(self.reader.line())
    }

    /// Nothing is read beyond what was read so far.
    pub(super) fn stop(&mut self, fault: Fault) {
        self.fault = Some(fault);
        self.whole = true;
    }

    /// Goes where an event is read next; not where it is none of those known or the one after them.
    fn seek(&mut self, number: u64) -> Result<bool> {
        if number > self.known || self.fault.is_some() && number == self.known {
            return Ok(false);
        }
        if number == self.next {
            return Ok(true);
        }
        let near = self.marks.partition_point(|(event, _)| *event <= number);
        if let Some((begin, place)) = near.checked_sub(1).map(|near| self.marks[near])
            && (number < self.next || self.next < begin)
        {
            self.reader.seek(place)?;
            self.next = begin;
        }
        while self.next < number && self.reader.next_line()? {
            self.next += 1;
        }
        Ok(self.next == number)
    }

    /// Waits a moment for more to be written.
    fn wait(&mut self) -> Result<()> {
        if let Some(pipe) = &mut self.pipe {
            let taken = pipe.take();
            self.live = taken.map_err(|error| Fault::new(format!("the pipe broke: {error}")))?;
        } else {
            thread::sleep(GLANCE);
        }
        Ok(())
    }

    pub(super) fn learn(&mut self, name: &str) {
        let known = FIELDS.contains(&name) || self.own.iter().any(|own| own == name);
        if !known && self.own.len() < MOST_OWN {
            self.own.push(name.to_owned());
        }
    }
}

/// The names of the fields on a line.
pub(super) fn field_names(line: &[u8]) -> Vec<String> {
    let fields: Option<Map<String, Value>> = serde_json::from_slice(line).ok();
    fields.into_iter().flatten().map(|(name, _)| name).collect()
}
