//! Packing a trace into the format of [`pack`](mod@super::pack), with landmarks: checkpoints from which a reader can go on
//! without the events before.
//!
//! A landmark is the shortest trace that leads to the same stack, with all events of open nodes. Of a finished node it contains
//! `in` and `out` and, if the node is its parent's best so far, also its changes of the window and those of its own best move,
//! and so the principal variation. The first line contains the counters. The table is not included.

use std::{
    fmt::Write as _,
    io::{self, Write},
};

use flate2::{Compression, GzBuilder, write::GzEncoder};

use super::{
    TraceEvent, TraceGame, TraceKind, TracedKey,
    node::{DEEPEST, LandmarkHead},
    pack::{FIELD_LENGTH, FIELD_START},
};
use crate::engine::{
    files::FileFailure,
    game::{Result, Rules, TraceStep},
    search::{EventKind, Plan, Search},
    searcher::Searcher,
    table::NoTable,
};

/// The most lines of an open node. Beyond this limit the trace gets no more landmarks, because they would be too large.
const MAX_LINES: usize = 1 << 14;

/// The number of an event, and its line in the trace.
type NumberedLine = (u64, String);

#[derive(Debug, Default)]
struct OpenNode {
    lines: Vec<NumberedLine>,
    /// The lines of the node's best move, which are among `lines`.
    best: Vec<NumberedLine>,
    /// The lines that change the node's window, which are among `lines`. Whether a value is the best depends on the window.
    windows: Vec<NumberedLine>,
}

/// Follows a trace and collects the lines of the next landmark.
#[derive(Debug)]
struct LandmarkBuilder<'a> {
    trace: &'a TraceGame,
    search: Search<TraceGame>,
    table: NoTable<TracedKey>,
    /// The last `root` event, with its number.
    root: Option<NumberedLine>,
    open: Vec<OpenNode>,
    /// Whether there can be a landmark after the last event.
    possible: bool,
    /// Whether the trace can have no more landmarks.
    given_up: bool,
}

impl<'a> LandmarkBuilder<'a> {
    fn new(trace: &'a TraceGame) -> Result<Self> {
        let searcher = Searcher::usual(trace.clone());
        let plan = |window| Plan::Value { depth: 0, window };
        let (search, ()) = searcher.search((&trace.start(), &()), plan, None)?;
        Ok(Self {
            trace,
            search,
            table: NoTable::default(),
            root: None,
            open: Vec::new(),
            possible: false,
            given_up: false,
        })
    }

    fn add(&mut self, number: u64, event: &TraceEvent<'_>, line: &[u8]) {
        self.given_up |= self.search.ply() == DEEPEST;
        if self.given_up {
            return;
        }
        let step = self.trace.step_of(number, event, self.search.open_node());
        self.possible = self.trace.is_shown(event)
            && !matches!(step, TraceStep::Remark | TraceStep::Dropped(_) | TraceStep::Begun(_));
        let leaves = matches!(step, TraceStep::Left { .. });
        let sets_window = matches!(step, TraceStep::Invalid(Some(_)) | TraceStep::Window(_));
        self.search.apply_trace_step(&mut self.table, number, step);
        let numbered = || (number, String::from_utf8_lossy(line).trim().to_owned());
        if event.e == TraceKind::Root {
            self.root = Some(numbered());
            self.open.clear();
        } else if self.possible {
            self.keep(numbered(), leaves);
            if let Some(node) = self.open.last_mut().filter(|_| sets_window) {
                node.windows.extend(node.lines.last().cloned());
            }
        }
    }

    /// Reads an event and adds it; false if there is no such event.
    fn read(&mut self, number: u64) -> Result<bool> {
        let trace = self.trace;
        trace.read_event(number, |event, line| self.add(number, event, line))
    }

    /// Reads the events that a landmark lists, which must precede event `end`. `None` if its lines are not those of the trace.
    fn go_to(&mut self, landmark: &str, end: u64) -> Option<()> {
        for line in landmark.lines().skip(1) {
            let (number, line) = line.split_once(' ')?;
            let number = number.parse().ok()?;
            if number < self.search.events() || number >= end {
                return None;
            }
            let (trace, mut same) = (self.trace, false);
            let read = trace.read_event(number, |event, found| {
                same = String::from_utf8_lossy(found).trim() == line;
                self.add(number, event, found);
            });
            read.ok().filter(|read| *read && same)?;
        }
        let head: LandmarkHead = serde_json::from_str(landmark.lines().next()?).ok()?;
        (self.search.counters, self.search.iterations) = (head.counters, head.iterations);
        Some(())
    }

    fn keep(&mut self, line: NumberedLine, leaves: bool) {
        let kind = self.search.last_kind();
        match kind {
            EventKind::Descend => {
                self.open.truncate(self.search.frames().len() - 1);
                return self.open.push(OpenNode { lines: vec![line], ..<_>::default() });
            }
            EventKind::Iteration => {
                self.open.truncate(1);
                for root in &mut self.open {
                    *root = OpenNode { lines: vec![root.lines.swap_remove(0)], ..<_>::default() };
                }
            }
            EventKind::Leave => {}
            _ if leaves => return self.leave(line, kind == EventKind::Raise),
            _ => {}
        }
        match self.open.last_mut() {
            Some(node) => {
                node.lines.push(line);
                self.given_up |= node.lines.len() > MAX_LINES;
            }
            None => self.open.push(OpenNode { lines: vec![line], ..<_>::default() }),
        }
    }

    /// Reduces a finished node to its `in`, `out` and best move.
    fn leave(&mut self, line: NumberedLine, is_best: bool) {
        let nodes = (self.open.pop(), self.open.last_mut());
        let (Some(OpenNode { mut lines, best, windows }), Some(parent)) = nodes else { return };
        lines.truncate(1);
        if is_best {
            lines.extend(best.into_iter().chain(windows));
            lines.sort_by_key(|(number, _)| *number);
        }
        lines.push(line);
        parent.lines.extend(lines.iter().cloned());
        self.given_up |= parent.lines.len() > MAX_LINES;
        if is_best {
            parent.best = lines;
        }
    }

    /// The landmark after the last event, if there can be one.
    fn landmark(&self) -> Option<String> {
        if self.given_up || !self.possible {
            return None;
        }
        let (counters, iterations) = (self.search.counters, self.search.iterations.clone());
        let mut text = serde_json::to_string(&LandmarkHead { counters, iterations }).ok()?;
        let open = self.open.iter().flat_map(|node| &node.lines);
        for (number, line) in self.root.iter().chain(open) {
            let _ = write!(text, "\n{number} {line}");
        }
        Some(text)
    }
}

/// Whether the events since the previous landmark (or since the beginning) lead to this landmark.
pub(super) fn is_confirmed(trace: &TraceGame, landmarks: &[u64], place: usize) -> bool {
    let before = place.checked_sub(1);
    let (begin, end) = (before.map_or(0, |before| landmarks[before]), landmarks[place]);
    // If landmarks are far apart, each jump would take seconds: such landmarks are not used.
    if end.saturating_sub(begin) > 4 * LANDMARK_SPACING {
        return false;
    }
    let rebuild = || {
        let mut builder = LandmarkBuilder::new(trace).ok()?;
        if let Some(before) = before {
            let before = trace.events().reader.input.landmark(before)?;
            builder.go_to(&before, begin)?;
        }
        for number in begin..end {
            builder.read(number).ok().filter(|read| *read)?;
        }
        builder.landmark()
    };
    let text = trace.events().reader.input.landmark(place);
    text.is_some() && rebuild() == text
}

/// The landmarks of a packed trace that its events contradict, each by the number of events before it. `next` is called
/// after each event.
/// Errors: a trace that cannot be read, and those of `next`.
pub fn wrong_landmarks(
    trace: &TraceGame,
    next: &mut dyn FnMut() -> Result<()>,
) -> Result<Vec<u64>> {
    let landmarks = trace.events().reader.input.landmarks();
    let (mut builder, mut wrong, mut number) = (LandmarkBuilder::new(trace)?, Vec::new(), 0);
    for (place, end) in landmarks.into_iter().enumerate() {
        while number < end && builder.read(number)? {
            number += 1;
            next()?;
        }
        let landmark = trace.events().reader.input.landmark(place);
        if landmark.is_none() || landmark != builder.landmark() {
            wrong.push(end);
        }
    }
    Ok(wrong)
}

/// The number of earlier landmarks that are checked before one is used, which takes less than a second. If all landmarks of a
/// long trace have counters wrong by the same number, only `trace check` finds it.
pub(super) const LANDMARKS_CHECKED: usize = 8;

/// Bytes from which a block is full: large enough to compress well, and unpacked in a few milliseconds.
const FULL_BLOCK: usize = 1 << 20;

/// The default number of events between two landmarks, which are read in less than a tenth of a second.
pub const LANDMARK_SPACING: u64 = 1 << 18;

/// The most bytes of a packed landmark: the extra fields of a gzip header have room for 65,535 bytes.
const MAX_LANDMARK: usize = 60_000;

/// Packs a trace with a landmark about every `spacing` events and returns the number of bytes written. `next` is called
/// after each event.
/// Errors: a trace that cannot be read, those of writing, and those of `next`.
pub fn pack(
    trace: &TraceGame,
    spacing: u64,
    out: impl Write,
    next: &mut dyn FnMut() -> Result<()>,
) -> Result<u64, FileFailure> {
    let mut packer = Packer { out, lines: Vec::new(), events: 0, written: 0 };
    let mut landmarks = LandmarkBuilder::new(trace)?;
    packer.add_line(&trace.events().head);
    packer.write_block(None)?;
    let mut due = spacing;
    for number in 0.. {
        let read = trace.read_event(number, |event, line| {
            packer.add_line(line);
            landmarks.add(number, event, line);
        });
        if !read? {
            break;
        }
        packer.events += 1;
        if packer.lines.len() >= FULL_BLOCK {
            packer.write_block(None)?;
        }
        if number + 1 >= due
            && let Some(landmark) = landmarks.landmark()
        {
            packer.write_landmark(&landmark)?;
            due = number + 1 + spacing;
        }
        next()?;
    }
    packer.write_block(None)?;
    Ok(packer.written)
}

#[derive(Debug)]
struct Packer<W> {
    out: W,
    /// The block that is not written yet, and the number of events in it.
    lines: Vec<u8>,
    events: u32,
    written: u64,
}

impl<W: Write> Packer<W> {
    fn add_line(&mut self, line: &[u8]) {
        self.lines.extend_from_slice(line);
        if !line.ends_with(b"\n") {
            self.lines.push(b'\n');
        }
    }

    /// Writes the lines so far and a landmark, unless the landmark is too large.
    fn write_landmark(&mut self, landmark: &str) -> io::Result<()> {
        let mut packing = GzEncoder::new(Vec::new(), Compression::default());
        packing.write_all(landmark.as_bytes())?;
        let landmark = packing.finish()?;
        if landmark.len() <= MAX_LANDMARK {
            self.write_block(None)?;
            self.write_block(Some(&landmark))?;
        }
        Ok(())
    }

    /// Writes the lines so far as a block, or a member without lines for a landmark.
    fn write_block(&mut self, landmark: Option<&[u8]>) -> io::Result<()> {
        if self.lines.is_empty() && landmark.is_none() {
            return Ok(());
        }
        let field = |length: u32| {
            let numbers = [length, self.lines.len() as u32, self.events];
            let name = [b'P', b'T', FIELD_LENGTH as u8, 0];
            let mut field: Vec<u8> =
                name.into_iter().chain(numbers.into_iter().flat_map(u32::to_le_bytes)).collect();
            if let Some(landmark) = landmark {
                field.extend(b"PL");
                field.extend((landmark.len() as u16).to_le_bytes());
                field.extend(landmark);
            }
            field
        };
        let mut packing =
            GzBuilder::new().extra(field(0)).write(Vec::new(), Compression::default());
        packing.write_all(&self.lines)?;
        let mut member = packing.finish()?;
        // The length of the member is not known before this point.
        let (field, begin) = (field(member.len() as u32), FIELD_START - 4);
        member[begin..begin + field.len()].copy_from_slice(&field);
        self.out.write_all(&member)?;
        self.written += member.len() as u64;
        self.lines.clear();
        self.events = 0;
        Ok(())
    }
}
