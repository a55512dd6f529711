//! What stops a run: goals of steps, breakpoints, watchpoints and traces.
//!
//! Whether a breakpoint [matches](Breakpoint::matches) an event is a question without side effects, so that going
//! backwards can ask it again. Counting hits, ignoring some of them and keeping trace lines is [`Debugging`]'s, the
//! watcher's, and happens only on the way forwards.
//!
//! A breakpoint costs nothing at events of kinds at which it cannot hold: these are worked out when it is set.

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
pub use watcher::{Access, Figure};
pub(crate) use watcher::{Change, Debugging, EntryWatch, Sightings, TracedEvent, ValueWatch};

use serde::{Deserialize, Serialize};

use super::{
    game::{Fault, Game, Keyed, Result},
    recording::{Recording, Running, StopAt, StopConditions},
    search::{Event, EventContext, EventKind, RunLimits, Search, Stop, Watcher},
    table::AnyTable,
};

/// The latest stops at breakpoints are remembered, so many of them.
const HITS: usize = 1_000;

/// Where a breakpoint has stopped the search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BreakpointHit {
    /// On which timeline.
    #[serde(skip)]
    pub timeline: String,
    /// At which event.
    pub event: u64,
    /// The breakpoint's number.
    #[serde(rename = "breakpoint")]
    pub id: u32,
}

/// The breakpoints of a recording, and what they have seen.
#[derive(Clone, Debug)]
pub struct Debugger<G: Game> {
    /// What stops the search.
    pub breakpoints: Vec<Breakpoint<G>>,
    /// What watchpoints and tracepoints have seen on the last run.
    pub sightings: Sightings<G>,
    /// Where breakpoints have stopped the search, each place once.
    pub hits: Vec<BreakpointHit>,
}

impl<G: Game> Debugger<G> {
    /// Takes down where a breakpoint has stopped the search. A temporary one is gone then, on the way back too.
    pub fn note_hit(&mut self, hit: BreakpointHit) {
        let done = |point: &mut Breakpoint<G>| point.told.id == hit.id && point.told.temporary;
        let done = self.breakpoints.extract_if(.., done);
        self.sightings.spent.extend(done.map(|point| point.told));
        self.hits.retain(|known| *known != hit);
        self.hits.push(hit);
        let surplus = self.hits.len().saturating_sub(HITS);
        self.hits.drain(..surplus);
    }
}

impl<G: Game> Default for Debugger<G> {
    fn default() -> Self {
        Self { breakpoints: Vec::new(), sightings: Sightings::default(), hits: Vec::new() }
    }
}

impl<G: Game> StopConditions<G> for Debugger<G> {
    fn any_enabled(&self) -> bool {
        self.breakpoints.iter().any(|point| point.told.enabled)
    }

    /// Reads the lines of moves that breakpoints wait for, from the root of the search.
    fn begin_run(&mut self, game: &G, search: &Search<G>) {
        self.sightings.clear();
        let (root, history) = (search.root(), search.history_at(0));
        let lines = self.breakpoints.iter_mut().flat_map(Breakpoint::lines_mut);
        for line in lines.chain(&mut self.sightings.line) {
            // A line that is no line of this root is not reached.
            let _ = line.read(game, root, &history);
        }
    }

    fn run(
        &mut self,
        running: &mut Running<G>,
        (game, table): (&G, &mut AnyTable<G::Key>),
        goal: StopAt,
        limits: &RunLimits<'_>,
    ) -> Stop {
        let (breakpoints, seen) = (&mut self.breakpoints, &mut self.sightings);
        let of_search = (&running.search, running.mode, &*table);
        let mut watcher = Debugging::new(game, (breakpoints, seen), goal, of_search);
        let halt = loop {
            match running.drive(game, table, &mut watcher, limits) {
                Stop::Watched => {}
                stop => break stop,
            }
            if let Some(stop) = watcher.finish_stop(table, &running.search) {
                break stop;
            }
        };
        let spent = &self.sightings.spent;
        self.breakpoints.retain(|point| spent.iter().all(|done| done.id != point.told.id));
        halt
    }

    fn breakpoint_at(&self, scene: &EventContext<'_, G>) -> Option<Stop> {
        let mut stops = self.breakpoints.iter().filter(|point| point.stops());
        let stop = stops.find(|point| point.matches(scene))?;
        Some(Stop::Breakpoint(stop.told.id))
    }

    fn jump(&self, game: &G, begin: &Search<G>, between: [u64; 2]) -> Option<Search<G>> {
        game.trace()?.jump(begin, between)
    }
}

impl<G: Game> Recording<G, Debugger<G>> {
    /// To the event that last wrote a cache entry.
    pub fn last_write(&mut self, at: Keyed<G::Key>, text: &str) -> Result<()> {
        self.commit_edits();
        let watch = EntryWatch {
            key: at.key,
            depth: self.searcher.settings.memo().keys_depth().then_some(at.depth),
            access: Access::Write,
        };
        let wrote = move |scene: &EventContext<'_, G>| {
            scene.event.kind == EventKind::Store && watch.holds(scene)
        };
        let end = self.last_write_before(at);
        self.reverse_to(wrote, end, format!("no event of this recording wrote {text}"))
    }

    /// To the event that last changed a value of the frame at a ply.
    pub fn last_change(&mut self, figure: Figure, ply: Option<u32>) -> Result<()> {
        let ply = ply.unwrap_or(self.under_way()?.selected_ply() as u32);
        let watch = ValueWatch { figure, ply };
        let missing = format!("no event of this recording changed {} at ply {ply}", figure.name());
        self.reverse_to(move |scene| watch.holds(scene), None, missing)
    }

    /// Goes on with two recordings side by side until they part or are over; `told` hears of the events of both together.
    /// Errors: where it is interrupted.
    pub(crate) fn part_ways(
        &mut self,
        other: &mut Self,
        told: &mut dyn FnMut(u64),
    ) -> Result<Option<Parted<G::Move>>> {
        let mut tapes = [Vec::new(), Vec::new()];
        let mut same = 0;
        loop {
            let began = (self.events(), other.events());
            told(began.0 + began.1);
            let until = (began.0.max(began.1) / STRETCH + 1) * STRETCH;
            for (rerun, events) in [&mut *self, &mut *other].into_iter().zip(&mut tapes) {
                events.clear();
                if rerun.rerun(until, events) == Stop::Interrupt {
                    return Err(Fault::new("the comparison was interrupted"));
                }
            }
            let [first, second] = &tapes;
            let equal = first.iter().zip(second).take_while(|(a, b)| a == b).count();
            same += equal as u64;
            if equal < first.len() || equal < second.len() {
                let events = tapes.each_ref().map(|tape| tape.get(equal).copied());
                return Ok(Some(Parted { same, events }));
            }
            if began == (self.events(), other.events()) {
                return Ok(None);
            }
        }
    }
}

/// Events compared at a time.
const STRETCH: u64 = 1 << 12;

/// An event with the move that was entered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Taped<M> {
    pub event: Event,
    /// The move that leads to the node, where the event enters one.
    pub entered: Option<M>,
}

/// Takes down every event.
impl<G: Game> Watcher<Search<G>> for Vec<Taped<G::Move>> {
    fn see(&mut self, event: &Event, search: &Search<G>) -> bool {
        let enters = event.kind == EventKind::Descend;
        let parent = search.frames().iter().rev().nth(1).filter(|_| enters);
        let entered = parent.and_then(|parent| search.current_move(parent));
        self.push(Taped { event: *event, entered });
        false
    }
}

/// Where two runs part.
#[derive(Clone, Debug)]
pub(crate) struct Parted<M> {
    /// So many events were the same.
    pub same: u64,
    /// The first event of each run that differs; nothing of one that was over.
    pub events: [Option<Taped<M>>; 2],
}

/// The expressions that are shown after every stop.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Displays {
    /// With their numbers, in the order they were made.
    pub shown: Vec<(u32, String)>,
    /// The last number given.
    pub last: u32,
}

impl Displays {
    /// Adds one.
    pub fn add(&mut self, text: &str) {
        self.last += 1;
        self.shown.push((self.last, text.trim().to_owned()));
    }

    /// Removes one, or all.
    /// Errors: where there is none of that number.
    pub fn remove(&mut self, id: Option<u32>) -> Result<()> {
        let before = self.shown.len();
        self.shown.retain(|(known, _)| id.is_some_and(|id| id != *known));
        match id {
            Some(id) if self.shown.len() == before => {
                Err(Fault::new(format!("no display {id}")).hint("`display` alone lists them"))
            }
            _ => Ok(()),
        }
    }
}
