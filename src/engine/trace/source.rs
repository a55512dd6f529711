//! The events of a trace by number, from a file of any size or from a program that is still writing.

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

/// Events between two stored file offsets: a seek skips at most a thousand lines.
const STRIDE: u64 = 1 << 10;

/// The longest wait for the writing program at a time: short enough to draw the screen without stutter.
const WAIT: Duration = Duration::from_millis(4);

/// Bytes read from a pipe at a time: what a pipe holds on Linux.
const GULP: usize = 1 << 16;

/// The most names of fields: a bound in case a program puts numbers into names.
const MAX_OWN_FIELDS: usize = 1_000;

#[derive(Debug)]
pub(super) enum FoundEvent<T> {
    Event(T),
    /// The event is not written yet, and the program is still running.
    Pending,
    /// The trace ends, or cannot be read, before the event.
    Over,
}

/// A trace whose events are read on demand.
#[derive(Debug)]
pub(super) struct TraceEvents {
    pub reader: TraceReader<Box<dyn TraceInput>>,
    /// The line of the header.
    pub head: Box<[u8]>,
    next: u64,
    /// Some of the events, in ascending order, with their places.
    places: Vec<(u64, LinePlace)>,
    /// The number of events read so far; of a packed trace, the number of all events.
    known: u64,
    /// Bytes of the file when it was opened.
    size: u64,
    pipe: Option<Pipe>,
    /// Whether the program may write more.
    pub live: bool,
    /// Whether the trace is packed, so that `places` and `known` are complete from the beginning.
    pub indexed: bool,
    /// Why reading stopped before the end, if it did.
    pub fault: Option<Fault>,
    /// The names of the format's fields, followed by other names found so far.
    own_fields: Vec<String>,
    /// Whether the trace was read to its end or to `fault`.
    finished: bool,
}

#[derive(Debug)]
pub(super) struct Pipe {
    from: File,
    /// The bytes read from the pipe, so that earlier events can be read again.
    copy: NamedTempFile,
}

impl Pipe {
    /// Copies what the program has written, or waits [`WAIT`] for output; returns whether the program may write more.
    fn read_more(&mut self) -> io::Result<bool> {
        let waiting = &mut [PollFd::new(&self.from, PollFlags::IN)];
        let ready = poll(waiting, Timespec::try_from(WAIT).ok().as_ref());
        // A signal ends the poll early, with nothing to read: `read` would then block, and the signal go unnoticed.
        if matches!(ready, Ok(0) | Err(Errno::INTR)) {
            return Ok(true);
        }
        let mut buffer = vec![0; GULP];
        match self.from.read(&mut buffer) {
            Ok(0) => Ok(false),
            Ok(length) => self.copy.write_all(&buffer[..length]).map(|()| true),
            Err(error) if matches!(error.kind(), Interrupted | WouldBlock) => Ok(true),
            Err(error) => Err(error),
        }
    }

    fn wait_for_first_line(&mut self, interrupt: &AtomicBool) -> io::Result<()> {
        let mut copy = self.copy.reopen()?;
        let (mut line, mut more) = (Vec::new(), true);
        while more && !line.contains(&b'\n') && line.len() < LONGEST_LINE {
            if interrupt.load(Relaxed) {
                return Err(io::Error::other("interrupted"));
            }
            more = self.read_more()?;
            copy.read_to_end(&mut line)?;
        }
        Ok(())
    }
}

impl TraceEvents {
    /// Opens a file or a pipe and reads the header; with `follow`, reading waits at the end of the file for more.
    pub(super) fn open(path: &Path, follow: bool, interrupt: &AtomicBool) -> Result<Self> {
        let refused = |error| files::io_fault(path, files::FileAccess::Read, &error);
        let (file, pipe) = match files::stream(path)? {
            Stream::Document(file) => (file, None),
            Stream::Pipe(from) => {
                let mut pipe = Pipe { from, copy: NamedTempFile::new().map_err(refused)? };
                pipe.wait_for_first_line(interrupt).map_err(refused)?;
                (pipe.copy.reopen().map_err(refused)?, Some(pipe))
            }
        };
        Self::of(file, pipe, follow).map_err(|fault| fault.within(path.display()))
    }

    /// A trace in a file, to which `pipe` appends.
    pub(super) fn of(file: File, pipe: Option<Pipe>, follow: bool) -> Result<Self> {
        let size = file.metadata().map_or(0, |file| file.len());
        let reader = TraceReader::new(trace_input(file)?)?;
        let (head, index) = (reader.line().into(), reader.input.index());
        let indexed = index.is_some();
        let live = (follow || pipe.is_some()) && !indexed;
        let (places, known) = index.unwrap_or_default();
        // `open` is a common word in conditions, so there it does not name the field of the format.
        let names = FIELDS.into_iter().filter(|name| *name != "open");
        let own_fields = names.map(str::to_owned).collect();
        let (fault, finished) = Default::default();
        Ok(Self {
            reader,
            head,
            next: 0,
            places,
            known,
            size,
            pipe,
            live,
            indexed,
            fault,
            own_fields,
            finished,
        })
    }

    pub(super) fn count(&self) -> Option<u64> {
        (self.finished || self.indexed).then_some(self.known)
    }

    pub(super) const fn known(&self) -> u64 {
        self.known
    }

    /// How much of the file was read up to an event: done and total, in bytes or, of a packed trace, in events.
    pub(super) fn part(&self, event: u64) -> (u64, u64) {
        let bytes = self.reader.end().offset.min(self.size);
        if self.indexed { (event, self.known) } else { (bytes, self.size) }
    }

    /// Reads an event and passes it to `visit` with its line. A fault is kept in `fault`.
    pub(super) fn event<T>(
        &mut self,
        number: u64,
        visit: impl FnOnce(&TraceEvent<'_>, &[u8]) -> T,
    ) -> FoundEvent<T> {
        self.read(number, visit).unwrap_or_else(|fault| {
            let fault = self.reader.count_unread(fault);
            // The reader is at the end of the file, so the next event must be sought.
            self.next = self.known + 1;
            self.stop(fault);
            FoundEvent::Over
        })
    }

    /// The value of a field, by the number of its name, at an event read before.
    pub(super) fn own_field(&mut self, field: u16, number: u64) -> Option<Value> {
        let name = self.own_fields.get(usize::from(field))?.clone();
        memchr::memmem::find(self.line(number)?, name.as_bytes())?;
        let mut line: Map<String, Value> = serde_json::from_slice(self.line(number)?).ok()?;
        line.remove(&name)
    }

    /// The number of the field with this name. With `expected`, a name that no event has had so far gets a number too.
    pub(super) fn own_field_number(&mut self, name: &str, expected: bool) -> Option<u16> {
        let is_name = name.starts_with(|sign: char| sign.is_alphabetic() || sign == '_');
        if expected && !self.finished && is_name {
            self.add_own_field(name);
        }
        let place = self.own_fields.iter().position(|own| own == name)?;
        u16::try_from(place).ok()
    }

    fn read<T>(
        &mut self,
        number: u64,
        visit: impl FnOnce(&TraceEvent<'_>, &[u8]) -> T,
    ) -> Result<FoundEvent<T>> {
        if !self.seek(number)? {
            return Ok(FoundEvent::Over);
        }
        let before = self.reader.end();
        let found = self.reader.next_line()?;
        // A program that is still writing may have written half of the line.
        if self.live && !(found && self.reader.line().ends_with(b"\n")) {
            self.reader.seek(before)?;
            self.wait()?;
            return Ok(FoundEvent::Pending);
        }
        if !found {
            self.finished = true;
            return Ok(FoundEvent::Over);
        }
        self.next = number + 1;
        let event = self.reader.event()?;
        let (visited, more) = (visit(&event, self.reader.line()), event.more);
        if more {
            let line = self.reader.line().to_owned();
            self.add_own_fields(&line);
        }
        if number == self.known {
            self.known += 1;
            if number.is_multiple_of(STRIDE) {
                self.places.push((number, self.reader.place));
            }
        }
        Ok(FoundEvent::Event(visited))
    }

    /// The line of an event that was read before, mostly the last one.
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

    /// Treats the events read so far as the whole trace.
    pub(super) fn stop(&mut self, fault: Fault) {
        self.fault = Some(fault);
        self.finished = true;
    }

    /// Makes an event the next one to be read; false unless it was read before or follows the last one read.
    fn seek(&mut self, number: u64) -> Result<bool> {
        if number > self.known || self.fault.is_some() && number == self.known {
            return Ok(false);
        }
        if number == self.next {
            return Ok(true);
        }
        let near = self.places.partition_point(|(event, _)| *event <= number);
        if let Some((begin, place)) = near.checked_sub(1).map(|near| self.places[near])
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

    fn wait(&mut self) -> Result<()> {
        if let Some(pipe) = &mut self.pipe {
            let more = pipe.read_more();
            self.live =
                more.map_err(|error| Fault::new(format!("reading the pipe failed: {error}")))?;
        } else {
            thread::sleep(WAIT);
        }
        Ok(())
    }

    /// Numbers the names of the fields on a line that the format does not define.
    pub(super) fn add_own_fields(&mut self, line: &[u8]) {
        let fields: Option<Map<String, Value>> = serde_json::from_slice(line).ok();
        for (name, _) in fields.into_iter().flatten() {
            self.add_own_field(&name);
        }
    }

    fn add_own_field(&mut self, name: &str) {
        let known = self.own_fields.iter().any(|own| own == name);
        if !known && self.own_fields.len() < MAX_OWN_FIELDS {
            self.own_fields.push(name.to_owned());
        }
    }
}
