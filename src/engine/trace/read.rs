//! Reading a trace line by line.

use std::io::{BufRead, ErrorKind, Seek};

use serde::Deserialize;

use super::{TraceEvent, TraceHeader, TraceInput, TraceKind, quick};
use crate::{
    engine::game::{Fault, Result},
    text::{counted, or_empty},
};

/// The most bytes of a line. Without a limit, a binary file without line ends would be read into memory whole.
pub(super) const LONGEST_LINE: usize = 1 << 20;

/// The most lines that are counted after a line that cannot be read, because a trace may have gigabytes.
const MOST_COUNTED: usize = 100_000;

/// Reads a trace event by event.
#[derive(Debug)]
pub struct TraceReader<R> {
    pub(super) input: R,
    line: Vec<u8>,
    pub(super) place: LinePlace,
    header: TraceHeader,
}

/// Where a line of a trace begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinePlace {
    /// The number of bytes before the line.
    pub offset: u64,
    /// The number of the line, from 1.
    pub number: u64,
}

impl<R: BufRead> TraceReader<R> {
    /// Reads the header.
    /// Errors: a first line that is not a header of version 1.
    pub fn new(input: R) -> Result<Self> {
        let mut reader = Self {
            input,
            line: Vec::new(),
            place: LinePlace::default(),
            header: TraceHeader::default(),
        };
        let hint = "a trace begins with a line such as {\"plytrace\":1}";
        if !reader.read_line()? {
            return Err(Fault::new("the trace is empty").hint(hint));
        }
        let header: TraceHeader =
            reader.parse("the header of a trace").map_err(|fault| fault.hint(hint))?;
        match header.plytrace {
            1 => Ok(Self { header, ..reader }),
            0 => Err(Fault::new("line 1 is not the header of a trace").hint(hint)),
            version => Err(Fault::new(format!("line 1: the trace has version {version}"))
                .hint("this program reads version 1")),
        }
    }

    /// The header of the trace, its first line.
    pub fn header(&self) -> &TraceHeader {
        &self.header
    }

    /// Reads the next event; `None` at the end. Empty lines are skipped.
    /// Errors: a line that is not an event, with its number.
    pub fn next_event(&mut self) -> Result<Option<TraceEvent<'_>>> {
        if self.next_line()? { self.event().map(Some) } else { Ok(None) }
    }

    /// The event on the current line.
    #[inline]
    pub(super) fn event(&self) -> Result<TraceEvent<'_>> {
        let mut event = TraceEvent::of(TraceKind::Note);
        let is_usual =
            quick::fill(&mut event, &self.line).is_some() && event.missing_field().is_none();
        if is_usual { Ok(event) } else { self.unusual_event() }
    }

    #[cold]
    fn unusual_event(&self) -> Result<TraceEvent<'_>> {
        let event = TraceEvent { more: true, ..self.parse("an event")? };
        let Some(field) = event.missing_field() else {
            return Ok(event);
        };
        let (number, name) = (self.place.number, event.e.name());
        Err(Fault::new(format!("line {number}: the event `{name}` has no valid `{field}`"))
            .hint("`sessions/trace-format.md` has the fields of each event"))
    }

    /// Reads the next line that is not empty; false at the end.
    /// Errors: a file that cannot be read, and a line that is too long.
    pub fn next_line(&mut self) -> Result<bool> {
        while self.read_line()? {
            let blank = self.line[0] <= b' ' && self.line.trim_ascii().is_empty();
            if !blank {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Adds to the fault of a line the number of lines after it, and reads to the end of the file.
    pub fn count_unread(&mut self, fault: Fault) -> Fault {
        let lines = std::iter::from_fn(|| self.next_line().ok().filter(|found| *found));
        let lines = lines.take(MOST_COUNTED).count();
        let follow = counted(lines as u64, "line after it is", "lines after it are");
        let the = if lines == MOST_COUNTED { "at least" } else { "the" };
        let follow = or_empty((lines > 0).then(|| format!("; {the} {follow} not read")));
        Fault { message: fault.message + &follow, ..fault }
    }

    /// The line read last; the header at first.
    pub fn line(&self) -> &[u8] {
        &self.line
    }

    /// The place of the line after the current one.
    pub(super) fn end(&self) -> LinePlace {
        let LinePlace { offset, number } = self.place;
        LinePlace { offset: offset + self.line.len() as u64, number: number + 1 }
    }

    fn read_line(&mut self) -> Result<bool> {
        self.place.offset += self.line.len() as u64;
        self.place.number += 1;
        self.line.clear();
        let number = self.place.number;
        loop {
            let bytes = match self.input.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => {
                    return Err(Fault::new(format!("line {number} cannot be read: {error}")));
                }
                Ok(bytes) => bytes,
            };
            let end = memchr::memchr(b'\n', bytes);
            let length = end.map_or(bytes.len(), |end| end + 1);
            self.line.extend_from_slice(&bytes[..length]);
            self.input.consume(length);
            if self.line.len() > LONGEST_LINE {
                let long = format!("line {number} is longer than {LONGEST_LINE} bytes");
                return Err(Fault::new(long).hint("write each event on a line of its own"));
            }
            if end.is_some() || length == 0 {
                return Ok(!self.line.is_empty());
            }
        }
    }

    /// The line as a `T`, which an error calls `what`.
    fn parse<'a, T: Deserialize<'a>>(&'a self, what: &str) -> Result<T> {
        let number = self.place.number;
        let text = std::str::from_utf8(&self.line).map_err(|error| {
            let at = error.valid_up_to() + 1;
            Fault::new(format!("line {number} is not UTF-8 at byte {at}"))
                .hint("`trace open FILE --salvage` reads the events before it")
        })?;
        serde_json::from_str(text).map_err(|error| {
            let wrong = if error.is_eof() {
                format!("line {number} is cut off")
            } else {
                let words = error.to_string();
                let (words, _) = words.split_once(" at line ").unwrap_or((&words, ""));
                let words = words.trim_start_matches("invalid type: ");
                let words = words.replace(", expected ", " in place of ");
                format!("line {number} is not {what} (column {}: {words})", error.column())
            };
            let hint = if ["Infinity", "NaN"].iter().any(|word| text.contains(word)) {
                "JSON has no infinite numbers: write 1e300 for an open bound"
            } else {
                "`trace open FILE --salvage` reads the events before it"
            };
            Fault::new(wrong).hint(hint)
        })
    }
}

impl TraceReader<Box<dyn TraceInput>> {
    /// Whether the trace is packed with landmarks.
    pub fn has_landmarks(&self) -> bool {
        !self.input.landmarks().is_empty()
    }
}

impl<R: BufRead + Seek> TraceReader<R> {
    /// Seeks to a line: the line at `place` is the next one read.
    pub(super) fn seek(&mut self, place: LinePlace) -> Result<()> {
        let distance = place.offset.cast_signed() - self.end().offset.cast_signed();
        self.line.clear();
        self.place = LinePlace { number: place.number - 1, ..place };
        self.input
            .seek_relative(distance)
            .map_err(|error| Fault::new(format!("the trace cannot be read: {error}")))
    }
}
