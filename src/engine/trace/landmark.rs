//! Packing a trace: see [`pack`](mod@super::pack) for what comes of it. Landmarks are moments that a reader can be put to
//! without reading all that came before.
//!
//! A landmark is the shortest trace that leads to the same stack. Of a node that is open everything is told; of one that has
//! been left only how it was entered and left, and, where it is its parent's best so far, the same of its own best: that
//! is the line it stands for. Counts stand at the head. The table is not in it.

use std::{
    fmt::Write as _,
    io::{self, Write},
};

use flate2::{Compression, GzBuilder, write::GzEncoder};

use super::{
    TraceEvent, TraceGame, TraceKind,
    game::{DEEPEST, LandmarkHead, TracedKey},
    pack::{FIELD, LEAD},
};
use crate::engine::{
    files::FileFailure,
    game::{Result, Rules, TraceStep},
    search::{EventKind, Plan, Search},
    searcher::Searcher,
    table::NoTable,
};

/// Lines of an open node at most: a trace in which one has more gets no more landmarks.
const MOST: usize = 1 << 14;

/// The line of an event, with its number.
type KeptLine = (u64, String);

/// What must be told of an open node.
#[derive(Debug)]
struct OpenNode {
    lines: Vec<KeptLine>,
    /// Those of its best move, which are among them.
    best: Vec<KeptLine>,
}

/// Follows a trace and keeps what a landmark needs.
#[derive(Debug)]
struct Landmarks<'a> {
    trace: &'a TraceGame,
    search: Search<TraceGame>,
    table: NoTable<TracedKey>,
    /// The position that the search at hand began with.
    root: Option<KeptLine>,
    open: Vec<OpenNode>,
    /// It is clear what to tell of the last event.
    fits: bool,
    /// There are no more landmarks.
    over: bool,
}

impl<'a> Landmarks<'a> {
    /// At the beginning.
    /// Errors: as a search that begins.
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
            fits: false,
            over: false,
        })
    }

    fn see(&mut self, number: u64, event: &TraceEvent<'_>, line: &[u8]) {
        self.over |= self.search.ply() == DEEPEST;
        if self.over {
            return;
        }
        let told = self.trace.step_of(number, event, self.search.open_node());
        self.fits = !matches!(told, TraceStep::Remark | TraceStep::Dropped(_));
        let leaves = matches!(told, TraceStep::Left { .. });
        self.search.apply_trace_step(&mut self.table, number, told);
        let kept = || (number, String::from_utf8_lossy(line).trim().to_owned());
        if event.e == TraceKind::Root {
            self.root = Some(kept());
        } else if self.fits {
            self.keep(kept(), leaves);
        }
    }

    /// Reads the event of a number; whether there is one.
    fn read(&mut self, number: u64) -> Result<bool> {
        let trace = self.trace;
        trace.read_event(number, |event, line| self.see(number, event, line))
    }

    /// Goes to a landmark of so many events whose lines are those of the trace.
    fn stand(&mut self, landmark: &str, end: u64) -> Option<()> {
        for kept in landmark_lines(landmark) {
            let (number, line) = kept?;
            let is_there = |found: &[u8]| String::from_utf8_lossy(found).trim() == line;
            let is_next = number >= self.search.events() && number < end;
            if !is_next || !trace_line(self.trace, number).is_some_and(|found| is_there(&found)) {
                return None;
            }
            self.read(number).ok().filter(|read| *read)?;
        }
        let head: LandmarkHead = serde_json::from_str(landmark.lines().next()?).ok()?;
        (self.search.counters, self.search.iterations) = (head.counters, head.iterations);
        Some(())
    }

    fn keep(&mut self, line: KeptLine, leaves: bool) {
        let kind = self.search.last_kind();
        match kind {
            EventKind::Descend => {
                self.open.truncate(self.search.frames().len() - 1);
                self.open.push(OpenNode { lines: vec![line], best: Vec::new() });
                return;
            }
            EventKind::Iteration => {
                self.open.truncate(1);
                for root in &mut self.open {
                    root.lines.truncate(1);
                    root.best.clear();
                }
            }
            EventKind::Leave => {}
            _ if leaves => return self.leave(line, kind == EventKind::Raise),
            _ => {}
        }
        match self.open.last_mut() {
            Some(node) => {
                node.lines.push(line);
                self.over |= node.lines.len() > MOST;
            }
            None => self.open.push(OpenNode { lines: vec![line], best: Vec::new() }),
        }
    }

    /// A node below another is left.
    fn leave(&mut self, line: KeptLine, is_best: bool) {
        let Some(OpenNode { mut lines, best }) = self.open.pop() else {
            return;
        };
        let Some(parent) = self.open.last_mut() else {
            return;
        };
        lines.truncate(1);
        if is_best {
            lines.extend(best);
        }
        lines.push(line);
        parent.lines.extend(lines.iter().cloned());
        self.over |= parent.lines.len() > MOST;
        if is_best {
            parent.best = lines;
        }
    }

    /// The landmark after the last event, where there can be one.
    fn here(&self) -> Option<String> {
        if self.over || !self.fits {
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

/// The line of an event.
fn trace_line(trace: &TraceGame, number: u64) -> Option<Vec<u8>> {
    let mut line = None;
    trace.read_event(number, |_, found| line = Some(found.to_owned())).ok()?;
    line
}

/// The numbers and lines of the events that a landmark is made of, behind its head.
fn landmark_lines(landmark: &str) -> impl Iterator<Item = Option<(u64, &str)>> {
    let lines = landmark.lines().skip(1);
    lines.map(|line| {
        let (number, line) = line.split_once(' ')?;
        Some((number.parse().ok()?, line))
    })
}

/// Whether a landmark is what comes of the one before it (the first: of the beginning) and the events between the two. One too
/// far behind the other to be walked to at once is not believed.
pub(super) fn leads_to(trace: &TraceGame, landmarks: &[u64], place: usize) -> bool {
    let before = place.checked_sub(1);
    let (begin, end) = (before.map_or(0, |before| landmarks[before]), landmarks[place]);
    let follows = || {
        let mut walk = Landmarks::new(trace).ok()?;
        if let Some(before) = before {
            let before = trace.tape().reader.input.landmark(before)?;
            walk.stand(&before, begin)?;
        }
        for number in begin..end {
            walk.read(number).ok().filter(|read| *read)?;
        }
        walk.here()
    };
    let text = trace.tape().reader.input.landmark(place);
    text.is_some() && end.saturating_sub(begin) <= 4 * LANDMARK_SPACING && follows() == text
}

/// The landmarks of a packed trace that its events contradict, each by the number of events before it; `next` is called after
/// each event.
/// Errors: what cannot be read, and what `next` says.
pub fn wrong_landmarks(
    trace: &TraceGame,
    next: &mut dyn FnMut() -> Result<()>,
) -> Result<Vec<u64>> {
    let landmarks = trace.tape().reader.input.landmarks();
    let (mut walk, mut wrong, mut number) = (Landmarks::new(trace)?, Vec::new(), 0);
    for (place, end) in landmarks.into_iter().enumerate() {
        while number < end && walk.read(number)? {
            number += 1;
            next()?;
        }
        let landmark = trace.tape().reader.input.landmark(place);
        if landmark.is_none() || landmark != walk.here() {
            wrong.push(end);
        }
    }
    Ok(wrong)
}

/// How many landmarks before the one wanted are held against the events, together less than a second's walk. In a trace that
/// has more of them, only `trace check` sees what all of them have wrong alike.
pub(super) const LANDMARKS_CHECKED: usize = 8;

/// A block is full with so many bytes.
const FULL: usize = 1 << 20;

/// So many events lie between two landmarks: less than a tenth of a second to walk.
pub const LANDMARK_SPACING: u64 = 1 << 18;

/// Bytes of a packed landmark at most: a header has room for little more.
const LARGEST: usize = 60_000;

/// Packs a trace, with a landmark each `spacing` events or so; `next` is called after each event. How many bytes it takes.
/// Errors: what cannot be read or written, and what `next` says.
pub fn pack(
    trace: &TraceGame,
    spacing: u64,
    out: impl Write,
    next: &mut dyn FnMut() -> Result<()>,
) -> Result<u64, FileFailure> {
    let mut packer = Packer { out, lines: Vec::new(), events: 0, written: 0 };
    let mut landmarks = Landmarks::new(trace)?;
    packer.add_line(trace.tape().reader.line());
    packer.write_block(None)?;
    let mut due = spacing;
    for number in 0.. {
        let read = trace.read_event(number, |event, line| {
            packer.add_line(line);
            landmarks.see(number, event, line);
        });
        if !read? {
            break;
        }
        packer.events += 1;
        if packer.lines.len() >= FULL {
            packer.write_block(None)?;
        }
        if number + 1 >= due
            && let Some(landmark) = landmarks.here()
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
    /// The block at hand, and the events in it.
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

    /// Writes a landmark behind what there is; not one that is too large.
    fn write_landmark(&mut self, landmark: &str) -> io::Result<()> {
        let mut packing = GzEncoder::new(Vec::new(), Compression::default());
        packing.write_all(landmark.as_bytes())?;
        let landmark = packing.finish()?;
        if landmark.len() <= LARGEST {
            self.write_block(None)?;
            self.write_block(Some(&landmark))?;
        }
        Ok(())
    }

    /// Writes the block at hand, or an empty one with a landmark.
    fn write_block(&mut self, landmark: Option<&[u8]>) -> io::Result<()> {
        if self.lines.is_empty() && landmark.is_none() {
            return Ok(());
        }
        let field = |length: u32| {
            let numbers = [length, self.lines.len() as u32, self.events];
            let name = [b'P', b'T', FIELD as u8, 0];
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
        let told = field(member.len() as u32);
        member[LEAD - 4..LEAD - 4 + told.len()].copy_from_slice(&told);
        self.out.write_all(&member)?;
        self.written += member.len() as u64;
        self.lines.clear();
        self.events = 0;
        Ok(())
    }
}
