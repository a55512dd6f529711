//! Watchpoints, and the watcher that stops a run at breakpoints, watchpoints and goals.

use super::{
    Breakpoint, Kinds, Line, SavedBreakpoint, Trigger,
    condition::{Plies, single_ply},
    names::moving_frame,
};
use crate::engine::{
    game::{Game, Key, Keyed, Score, Window},
    recording::{Running, StopAt},
    search::{Event, EventContext, EventKind, Mode, Search, Stop, Watcher},
    table::{AnyTable, Entry, Policy, Slot},
};

/// The access to a cache entry at which a watchpoint stops. Each has a command, as in gdb.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Access {
    #[strum(serialize = "watch")]
    Write,
    #[strum(serialize = "rwatch")]
    Read,
    #[strum(serialize = "awatch")]
    Any,
}

impl Access {
    /// The command that sets a watchpoint for this access, as in gdb.
    pub fn command(self) -> &'static str {
        self.into()
    }

    /// The kinds of events at which this access can happen. Leaves probe the table under the policy `rote` only. Probing
    /// children to order moves makes no event.
    pub(super) const fn kinds(self) -> Kinds {
        const WRITES: Kinds = Kinds::of(&[EventKind::Store]);
        const READS: Kinds =
            Kinds::of(&[EventKind::Hit, EventKind::Invalid, EventKind::Miss, EventKind::Leaf]);
        match self {
            Self::Write => WRITES,
            Self::Read => READS,
            Self::Any => WRITES.or(READS),
        }
    }
}

/// A watchpoint on a cache entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryWatch<K> {
    pub key: K,
    pub depth: Option<u8>,
    pub access: Access,
}

impl<K: Key> EntryWatch<K> {
    /// The key of the entry in a table with this policy.
    pub fn place(&self, policy: Policy) -> Keyed<K> {
        Keyed { key: self.key, depth: self.depth.filter(|_| policy.keys_depth()).unwrap_or(0) }
    }

    /// Whether an event, of one of the kinds of [`Access::kinds`], accesses the entry.
    pub fn holds<G: Game<Key = K>>(&self, context: &EventContext<'_, G>) -> bool {
        if self.depth.is_some_and(|depth| context.event.depth != depth) {
            return false;
        }
        let (frame, mode) = (context.frame(), context.mode);
        let key_of = |position| context.game.key(position, mode.scheme);
        match context.event.kind {
            EventKind::Store if mode.write_orbit => {
                context.game.orbit(&frame.position).iter().any(|twin| key_of(twin) == self.key)
            }
            EventKind::Leaf if !context.policy.has_leaf_values() => false,
            _ => {
                let probed = frame.slot.map(|Slot { key, .. }| key);
                probed.unwrap_or_else(|| key_of(&frame.position)) == self.key
            }
        }
    }
}

/// A value of a frame that can be watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum FrameValue {
    Alpha,
    Beta,
    Best,
}

impl FrameValue {
    /// The name in commands and replies.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The value with this name; `None` for other names.
    pub fn by_name(name: &str) -> Option<Self> {
        name.parse().ok()
    }

    const fn of(self, window: Window, best: Option<Score>) -> Option<Score> {
        match self {
            Self::Alpha => Some(window.alpha),
            Self::Beta => Some(window.beta),
            Self::Best => best,
        }
    }
}

/// A watchpoint on a value of the frame at a ply. Entering another node at that ply does not count as a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueWatch {
    pub value: FrameValue,
    pub ply: u32,
}

impl ValueWatch {
    /// The events at which the value can change, or another node is entered.
    pub(super) const EVENTS: Kinds = Kinds::of(&[
        EventKind::Iteration,
        EventKind::Pass,
        EventKind::Descend,
        EventKind::Invalid,
        EventKind::Raise,
        EventKind::Cutoff,
    ]);

    pub(super) const fn kinds(self) -> Kinds {
        match self.value {
            FrameValue::Beta => Kinds::of(&[EventKind::Invalid]),
            FrameValue::Alpha => {
                Kinds::of(&[EventKind::Invalid, EventKind::Raise, EventKind::Cutoff])
            }
            FrameValue::Best => Kinds::of(&[EventKind::Raise, EventKind::Cutoff]),
        }
    }

    /// Whether an event has changed the value.
    pub fn holds<G: Game>(self, context: &EventContext<'_, G>) -> bool {
        let event = context.event;
        if event.ply != self.ply {
            return false;
        }
        match event.kind {
            EventKind::Invalid => {
                self.value.of(event.window, None) != self.value.of(context.searched_window(), None)
            }
            // The first move of the root becomes its best even if its value is not above α.
            _ if self.value == FrameValue::Alpha => {
                event.raises() && !context.frame().keeps_alpha()
            }
            _ => event.raises(),
        }
    }

    pub(super) fn now<G: Game>(self, search: &Search<G>) -> Option<Score> {
        let frame = search.frames().get(self.ply as usize)?;
        let best = frame.best_move().map(|_| frame.best);
        self.value.of(frame.current_window(), best)
    }
}

/// The most lines of tracepoints kept from a run; a run can hit tracepoints millions of times, and the rest is only counted.
const TRACE_LINES: usize = 100;

const fn kinds_of(goal: StopAt) -> Kinds {
    match goal {
        StopAt::Breakpoint => Kinds::NONE,
        StopAt::Kind(kind) => Kinds::of(&[kind]),
        StopAt::Line => Kinds::of(&[EventKind::Descend]),
        StopAt::HeightAtMost(_) | StopAt::HeightBelow(_) | StopAt::Event(_) | StopAt::Goto(_) => {
            Kinds::ALL
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change<K> {
    Entry { at: Keyed<K>, written: bool, before: Option<Entry>, now: Option<Entry> },
    Value { value: FrameValue, ply: u32, before: Option<Score>, now: Option<Score> },
}

/// An event at which a tracepoint was hit.
#[derive(Clone, Debug)]
pub struct TracedEvent<G: Game> {
    /// The number of the tracepoint.
    pub breakpoint: u32,
    pub event: Event,
    /// The window with which the node was entered.
    pub window: Window,
    pub position: G::Position,
    /// The move that led to the node or has returned a value, with the position before it.
    pub mv: Option<(G::Position, G::Move)>,
}

/// The records of one run: hits of watchpoints and tracepoints.
#[derive(Clone, Debug)]
pub struct RunRecords<G: Game> {
    /// The line of moves that `advance` searches for.
    pub line: Option<Line<G>>,
    /// The first events at which tracepoints were hit.
    pub lines: Vec<TracedEvent<G>>,
    /// Temporary breakpoints that have stopped the run.
    pub spent: Vec<SavedBreakpoint>,
    /// Number of events at tracepoints that are not in `lines`.
    pub omitted: u64,
    /// The change at which a watchpoint has stopped the run.
    pub change: Option<Change<G::Key>>,
}

impl<G: Game> Default for RunRecords<G> {
    fn default() -> Self {
        Self { line: None, lines: Vec::new(), spent: Vec::new(), omitted: 0, change: None }
    }
}

impl<G: Game> RunRecords<G> {
    /// Clears the records of the last run, except the target line of the run that begins.
    pub(super) fn clear(&mut self) {
        *self = Self { line: self.line.take(), ..Self::default() };
    }
}

impl<G: Game> TracedEvent<G> {
    pub(super) fn of(breakpoint: u32, search: &Search<G>) -> Option<Self> {
        let (event, frame) = (search.describe(), search.frames().last()?);
        let mv = moving_frame(search, event.kind)
            .and_then(|frame| Some((frame.position.clone(), search.current_move(frame)?)));
        let (window, position) = (frame.window, frame.position.clone());
        Some(Self { breakpoint, event, window, position, mv })
    }
}

const KINDS: usize = EventKind::ALL.len();

#[derive(Debug)]
struct WatchedValue {
    /// Index of the breakpoint.
    place: usize,
    watch: ValueWatch,
    last: Option<Score>,
}

#[derive(Debug)]
struct WatchedEntry<K> {
    /// Index of the breakpoint.
    place: usize,
    watch: EntryWatch<K>,
    at: Keyed<K>,
    last: Option<Entry>,
    /// Whether the entry may have been written since the table was last read.
    is_written: bool,
}

/// A watcher that stops a run at a goal or a breakpoint.
#[derive(Debug)]
pub struct BreakpointWatcher<'a, G: Game> {
    game: &'a G,
    goal: StopAt,
    breakpoints: &'a mut [Breakpoint<G>],
    seen: &'a mut RunRecords<G>,
    mode: Mode,
    policy: Policy,
    /// For each kind of event, the plies at which a breakpoint or the goal can match.
    wanted_plies: [Plies; KINDS],
    watched_values: Vec<WatchedValue>,
    watched_entries: Vec<WatchedEntry<G::Key>>,
    /// Tracepoints hit by the last event. Their lines are recorded after the event, outside the search.
    traced: Vec<u32>,
    stopped_by: Option<usize>,
    reached: bool,
}

impl<'a, G: Game> BreakpointWatcher<'a, G> {
    pub fn new(
        game: &'a G,
        breakpoints: &'a mut [Breakpoint<G>],
        seen: &'a mut RunRecords<G>,
        goal: StopAt,
        running: &Running<G>,
        table: &AnyTable<G::Key>,
    ) -> Self {
        let mut watcher = Self {
            game,
            goal,
            breakpoints,
            seen,
            mode: running.mode,
            policy: table.entries().policy(),
            wanted_plies: [0; KINDS],
            watched_values: Vec::new(),
            watched_entries: Vec::new(),
            traced: Vec::new(),
            stopped_by: None,
            reached: false,
        };
        watcher.watch_all(&running.search, table);
        watcher
    }

    fn watch_all(&mut self, search: &Search<G>, table: &AnyTable<G::Key>) {
        self.want(kinds_of(self.goal), Plies::MAX);
        for place in 0..self.breakpoints.len() {
            let point = &self.breakpoints[place];
            if !point.saved.enabled {
                continue;
            }
            self.want(point.kinds(), point.plies());
            match self.breakpoints[place].trigger {
                Trigger::Place(_) => {}
                Trigger::Value(watch) => {
                    self.watched_values.push(WatchedValue {
                        place,
                        watch,
                        last: watch.now(search),
                    });
                    self.want(ValueWatch::EVENTS, single_ply(watch.ply));
                }
                Trigger::Entry(watch) => {
                    let at = watch.place(self.policy);
                    let last = table.entries().get(at);
                    let watch = EntryWatch { access: Access::Write, ..watch };
                    self.watched_entries.push(WatchedEntry {
                        place,
                        watch,
                        at,
                        last,
                        is_written: false,
                    });
                    self.want(Kinds::of(&[EventKind::Store, EventKind::Eviction]), Plies::MAX);
                }
            }
        }
    }

    fn want(&mut self, kinds: Kinds, plies: Plies) {
        for &kind in EventKind::ALL {
            if kinds.contains(kind) {
                self.wanted_plies[kind as usize] |= plies;
            }
        }
    }

    #[inline]
    fn context<'s>(&self, event: &'s Event, search: &'s Search<G>) -> EventContext<'s, G>
    where
        'a: 's,
    {
        EventContext { game: self.game, event, search, mode: self.mode, policy: self.policy }
    }

    /// Counts a hit of a breakpoint, and stops the run unless the hit is ignored or a tracepoint's.
    fn hit(&mut self, place: usize) {
        let saved = &mut self.breakpoints[place].saved;
        saved.hits += 1;
        if saved.ignore > 0 {
            saved.ignore -= 1;
            return;
        }
        if !saved.trace {
            self.stopped_by.get_or_insert(place);
            if saved.temporary {
                self.seen.spent.push(saved.clone());
            }
        } else if self.seen.lines.len() + self.traced.len() < TRACE_LINES {
            self.traced.push(saved.id);
        } else {
            self.seen.omitted += 1;
        }
    }

    /// Updates the watched values, and records the change of the value that stops the run.
    fn update_values(&mut self, event: &Event, search: &Search<G>) {
        for WatchedValue { place, watch, last } in &mut self.watched_values {
            let ValueWatch { value, ply } = *watch;
            if event.ply != ply || !ValueWatch::EVENTS.contains(event.kind) {
                continue;
            }
            let now = watch.now(search);
            let before = std::mem::replace(last, now);
            if self.stopped_by == Some(*place) {
                self.seen.change = Some(Change::Value { value, ply, before, now });
            }
        }
    }

    /// Marks the watched entries that an event may have written or evicted: each is read before the next event.
    fn mark_written(&mut self, event: &Event, search: &Search<G>) -> bool {
        let context = self.context(event, search);
        for entry in &mut self.watched_entries {
            entry.is_written |= event.kind == EventKind::Eviction || entry.watch.holds(&context);
        }
        self.watched_entries.iter().any(|entry| entry.is_written)
    }

    fn is_reached(&self, event: &Event, search: &Search<G>) -> bool {
        match self.goal {
            StopAt::Line => {
                event.kind == EventKind::Descend
                    && self.seen.line.as_ref().is_some_and(|line| line.holds(search, event.ply))
            }
            goal => goal.is_reached(event, search),
        }
    }

    /// Called between two events: reads watched entries that were written, records the lines of tracepoints, and returns why
    /// the run stops, if it does.
    pub fn finish_stop(&mut self, table: &AnyTable<G::Key>, search: &Search<G>) -> Option<Stop> {
        for entry in &mut self.watched_entries {
            let stops = self.stopped_by == Some(entry.place);
            if !stops && !entry.is_written {
                continue;
            }
            let now = table.entries().get(entry.at);
            let written = std::mem::take(&mut entry.is_written);
            let before = std::mem::replace(&mut entry.last, now);
            if stops {
                self.seen.change = Some(Change::Entry { at: entry.at, written, before, now });
            }
        }
        let traced = self.traced.drain(..);
        self.seen.lines.extend(traced.filter_map(|id| TracedEvent::of(id, search)));
        let reached = std::mem::take(&mut self.reached);
        match self.stopped_by.take() {
            Some(place) => Some(Stop::Breakpoint(self.breakpoints[place].saved.id)),
            None => reached.then_some(Stop::Goal),
        }
    }
}

impl<G: Game> Watcher<Search<G>> for BreakpointWatcher<'_, G> {
    #[inline]
    fn wants(&self, kind: EventKind, ply: u32) -> bool {
        self.wanted_plies[kind as usize] & single_ply(ply) != 0
    }

    fn see(&mut self, event: &Event, search: &Search<G>) -> bool {
        for place in 0..self.breakpoints.len() {
            if self.breakpoints[place].matches(&self.context(event, search)) {
                self.hit(place);
            }
        }
        self.update_values(event, search);
        self.reached = self.is_reached(event, search);
        let writes = matches!(event.kind, EventKind::Store | EventKind::Eviction);
        let is_written = writes && self.mark_written(event, search);
        self.reached || self.stopped_by.is_some() || !self.traced.is_empty() || is_written
    }
}
