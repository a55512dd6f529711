//! Breakpoints, watchpoints, tracepoints, and the watcher that stops a run at them.
//!
//! `Breakpoint::matches` has no side effects, so that reverse execution can use it too. Hits are counted and lines of
//! tracepoints recorded by `BreakpointWatcher`, only in forward execution.
//!
//! When a breakpoint is set, the kinds of events at which it can match are computed: other events cost nothing.

mod breakpoint;
mod condition;
mod names;
mod watcher;

pub use breakpoint::{Action, SavedBreakpoint};
pub(crate) use breakpoint::{Breakpoint, Trigger};
pub use condition::CONDITIONS;
pub(crate) use condition::{Fails, KeyMatch, Kinds, Line};
pub(crate) use names::{Clause, ComparedWord, FrameFacts, Name};
pub use names::{NAMES, Names, event_kind};
pub use watcher::{Access, FrameValue};
pub(crate) use watcher::{
    BreakpointWatcher, Change, EntryWatch, RunRecords, TracedEvent, ValueWatch,
};

use serde::{Deserialize, Serialize};

use super::{
    game::{Fault, Game, Keyed, Result},
    recording::{Recording, Running, StopAt, StopConditions},
    search::{Event, EventContext, EventKind, Search, Stop, Watcher},
    searcher::RunLimits,
    table::AnyTable,
};

/// The number of latest stops at breakpoints that are kept; the time line on the screen shows them as ticks.
const HITS: usize = 1_000;

/// A stop of the search at a breakpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BreakpointHit {
    /// The name of the timeline on which the search stopped.
    #[serde(skip)]
    pub timeline: String,
    /// The number of the event, from 0.
    pub event: u64,
    /// The number of the breakpoint, as in `delete`.
    #[serde(rename = "breakpoint")]
    pub id: u32,
}

/// The breakpoints of a recording, and the records of the last run.
#[derive(Clone, Debug)]
pub struct Debugger<G: Game> {
    /// Breakpoints, watchpoints and tracepoints, as set by the user.
    pub breakpoints: Vec<Breakpoint<G>>,
    /// What watchpoints and tracepoints recorded in the last run.
    pub records: RunRecords<G>,
    /// Stops at breakpoints, each event once.
    pub hits: Vec<BreakpointHit>,
}

impl<G: Game> Debugger<G> {
    /// Records a stop at a breakpoint, and removes the breakpoint if it is temporary, in reverse execution too. An event that
    /// is reached again is no new hit; `counted` is the number of hits that the run has counted for the event.
    pub fn note_hit(&mut self, hit: BreakpointHit, counted: u64) {
        let is_new = !self.hits.contains(&hit);
        for point in self.breakpoints.iter_mut().filter(|point| point.saved.id == hit.id) {
            point.saved.hits = (point.saved.hits + u64::from(is_new)).saturating_sub(counted);
        }
        let done = |point: &mut Breakpoint<G>| point.saved.id == hit.id && point.saved.temporary;
        let done = self.breakpoints.extract_if(.., done);
        self.records.spent.extend(done.map(|point| point.saved));
        self.hits.retain(|known| *known != hit);
        self.hits.push(hit);
        let surplus = self.hits.len().saturating_sub(HITS);
        self.hits.drain(..surplus);
    }
}

impl<G: Game> Default for Debugger<G> {
    fn default() -> Self {
        Self { breakpoints: Vec::new(), records: RunRecords::default(), hits: Vec::new() }
    }
}

impl<G: Game> StopConditions<G> for Debugger<G> {
    fn any_enabled(&self) -> bool {
        self.breakpoints.iter().any(|point| point.saved.enabled)
    }

    /// Plays the move lines of breakpoints from the root of the search.
    fn begin_run(&mut self, game: &G, search: &Search<G>) {
        self.records.clear();
        let (root, history) = (search.root(), search.history_at(0));
        let lines = self.breakpoints.iter_mut().flat_map(Breakpoint::lines_mut);
        for line in lines.chain(&mut self.records.line) {
            // A line that is not legal at this root is never reached.
            let _ = line.read(game, root, &history);
        }
    }

    fn run(
        &mut self,
        running: &mut Running<G>,
        game: &G,
        table: &mut AnyTable<G::Key>,
        goal: StopAt,
        limits: &RunLimits<'_>,
    ) -> Stop {
        let (breakpoints, seen) = (&mut self.breakpoints, &mut self.records);
        let mut watcher = BreakpointWatcher::new(game, breakpoints, seen, goal, running, table);
        let halt = loop {
            match running.drive(game, table, &mut watcher, limits) {
                Stop::Watched => {}
                stop => break stop,
            }
            if let Some(stop) = watcher.finish_stop(table, &running.search) {
                break stop;
            }
        };
        let spent = &self.records.spent;
        self.breakpoints.retain(|point| spent.iter().all(|done| done.id != point.saved.id));
        halt
    }

    fn breakpoint_at(&self, context: &EventContext<'_, G>) -> Option<Stop> {
        let mut stops = self.breakpoints.iter().filter(|point| point.stops());
        let stop = stops.find(|point| point.matches(context))?;
        Some(Stop::Breakpoint(stop.saved.id))
    }

    fn jump(&self, game: &G, begin: &Search<G>, between: [u64; 2]) -> Option<Search<G>> {
        game.trace()?.jump(begin, between)
    }
}

impl<G: Game> Recording<G, Debugger<G>> {
    /// Reverses to the event that last wrote a cache entry, described by `text`.
    /// Errors: the search is not recorded.
    pub fn last_write(&mut self, at: Keyed<G::Key>, text: &str) -> Result<()> {
        self.commit_edits();
        let watch = EntryWatch {
            key: at.key,
            depth: self.searcher.settings.memo().keys_depth().then_some(at.depth),
            access: Access::Write,
        };
        let wrote = move |context: &EventContext<'_, G>| {
            context.event.kind == EventKind::Store && watch.holds(context)
        };
        let end = self.last_write_before(at);
        self.reverse_to(wrote, end, format!("no event of this recording wrote {text}"))
    }

    /// Reverses to the event that last changed a value of the frame at a ply, by default the selected one.
    /// Errors: no search is under way, or the search is not recorded.
    pub fn last_change(&mut self, value: FrameValue, ply: Option<u32>) -> Result<()> {
        let ply = ply.unwrap_or(self.under_way()?.selected_ply() as u32);
        let watch = ValueWatch { value, ply };
        let missing = format!("no event of this recording changed {} at ply {ply}", value.name());
        self.reverse_to(move |context| watch.holds(context), None, missing)
    }

    /// Runs two recordings side by side up to the first event at which they differ, or to their ends. `report` receives the
    /// number of events run so far in the two recordings together. Errors: an interrupt.
    pub(crate) fn first_difference(
        &mut self,
        other: &mut Self,
        report: &mut dyn FnMut(u64),
    ) -> Result<Option<Difference<G::Move>>> {
        let mut chunks = [Vec::new(), Vec::new()];
        let mut same = 0;
        loop {
            let began = (self.events(), other.events());
            report(began.0 + began.1);
            let until = (began.0.max(began.1) / CHUNK + 1) * CHUNK;
            for (rerun, events) in [&mut *self, &mut *other].into_iter().zip(&mut chunks) {
                events.clear();
                if rerun.rerun(until, events) == Stop::Interrupt {
                    return Err(Fault::new("the comparison was interrupted"));
                }
            }
            let [first, second] = &chunks;
            let equal = first.iter().zip(second).take_while(|(a, b)| a == b).count();
            same += equal as u64;
            if equal < first.len() || equal < second.len() {
                let events = chunks.each_ref().map(|chunk| chunk.get(equal).copied());
                return Ok(Some(Difference { same, events }));
            }
            if began == (self.events(), other.events()) {
                return Ok(None);
            }
        }
    }
}

/// Events compared at a time; between chunks, progress is reported and interrupts are tested.
const CHUNK: u64 = 1 << 12;

/// An event, with the move of the node that it enters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RecordedEvent<M> {
    pub event: Event,
    pub entered: Option<M>,
}

impl<G: Game> Watcher<Search<G>> for Vec<RecordedEvent<G::Move>> {
    fn see(&mut self, event: &Event, search: &Search<G>) -> bool {
        let enters = event.kind == EventKind::Descend;
        let parent = search.frames().iter().rev().nth(1).filter(|_| enters);
        let entered = parent.and_then(|parent| search.current_move(parent));
        self.push(RecordedEvent { event: *event, entered });
        false
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Difference<M> {
    /// The number of equal events before the first difference.
    pub same: u64,
    /// The event of each run; `None` if the run has ended.
    pub events: [Option<RecordedEvent<M>>; 2],
}

/// The expressions of `display`, shown after every stop.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Displays {
    /// The expressions with their numbers, the lowest number first.
    pub shown: Vec<(u32, String)>,
    /// The highest number that an expression has had.
    pub last: u32,
}

impl Displays {
    /// Adds an expression to the displays, under the next number.
    pub fn add(&mut self, text: &str) {
        self.last += 1;
        self.shown.push((self.last, text.trim().to_owned()));
    }

    /// Removes one expression, or all. Errors: no expression has this number.
    pub fn remove(&mut self, id: Option<u32>) -> Result<()> {
        let before = self.shown.len();
        self.shown.retain(|(known, _)| id.is_some_and(|id| id != *known));
        match id {
            Some(id) if self.shown.len() == before => {
                Err(Fault::new(format!("there is no display {id}"))
                    .hint("`display` alone lists them"))
            }
            _ => Ok(()),
        }
    }
}
