//! Watchpoints, and the watcher that stops a run at them, at breakpoints and at goals.

use super::{
    Breakpoint, Kinds, Line, SavedBreakpoint, Trigger,
    condition::{Plies, only},
    names::maker,
};
use crate::engine::{
    game::{Game, Key, Keyed, Score, Window},
    recording::StopAt,
    search::{Event, EventContext, EventKind, Mode, Search, Stop, Watcher},
    table::{AnyTable, Entry, Policy, Slot},
};

/// What is done to a watched entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
pub enum Access {
    /// It is written.
    #[strum(serialize = "watch")]
    Write,
    /// A node asks for it.
    #[strum(serialize = "rwatch")]
    Read,
    /// Either.
    #[strum(serialize = "awatch")]
    Any,
}

impl Access {
    /// The command that watches for it.
    pub fn command(self) -> &'static str {
        self.into()
    }

    /// The events that may be it. Leaves ask a memo of the policy `rote` only; a node that orders its moves by the
    /// values of its children reads them in passing, which is no event.
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

/// Watches a cache entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryWatch<K> {
    pub key: K,
    /// Its depth, where the key has one.
    pub depth: Option<u8>,
    pub access: Access,
}

impl<K: Key> EntryWatch<K> {
    /// Where the entry stands under a policy.
    pub fn place(&self, policy: Policy) -> Keyed<K> {
        Keyed { key: self.key, depth: self.depth.filter(|_| policy.keys_depth()).unwrap_or(0) }
    }

    /// Whether an event reads or writes the entry, as `kinds` has it.
    pub fn holds<G: Game<Key = K>>(&self, scene: &EventContext<'_, G>) -> bool {
        if self.depth.is_some_and(|depth| scene.event.depth != depth) {
            return false;
        }
        let (frame, mode) = (scene.frame(), scene.mode);
        let key_of = |position| scene.game.key(position, mode.scheme);
        match scene.event.kind {
            EventKind::Store if mode.write_orbit => {
                scene.game.orbit(&frame.position).iter().any(|twin| key_of(twin) == self.key)
            }
            EventKind::Leaf if !scene.policy.has_leaf_values() => false,
            _ => {
                let asked = frame.slot.map(|Slot { key, .. }| key);
                asked.unwrap_or_else(|| key_of(&frame.position)) == self.key
            }
        }
    }
}

/// A value of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Figure {
    /// α in force.
    Alpha,
    /// β.
    Beta,
    /// The best value so far.
    Best,
}

impl Figure {
    /// The name in commands and reports.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// A figure by its name.
    pub fn called(name: &str) -> Option<Self> {
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

/// Watches a value of whichever frame is at a ply. Another node's frame there begins anew: that is no change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueWatch {
    pub figure: Figure,
    pub ply: u32,
}

impl ValueWatch {
    /// The events at which the value may change or begin anew.
    pub(super) const TOLD: Kinds = Kinds::of(&[
        EventKind::Iteration,
        EventKind::Pass,
        EventKind::Descend,
        EventKind::Invalid,
        EventKind::Raise,
        EventKind::Cutoff,
    ]);

    pub(super) const fn kinds(self) -> Kinds {
        match self.figure {
            Figure::Beta => Kinds::of(&[EventKind::Invalid]),
            Figure::Alpha => Kinds::of(&[EventKind::Invalid, EventKind::Raise, EventKind::Cutoff]),
            Figure::Best => Kinds::of(&[EventKind::Raise, EventKind::Cutoff]),
        }
    }

    /// Whether an event has changed the value.
    pub fn holds<G: Game>(self, scene: &EventContext<'_, G>) -> bool {
        let event = scene.event;
        if event.ply != self.ply {
            return false;
        }
        match event.kind {
            EventKind::Invalid => {
                self.figure.of(event.window, None) != self.figure.of(scene.searched_window(), None)
            }
            // The first move at the root is its best so far, even where it is worth no more than α was.
            _ if self.figure == Figure::Alpha => event.raises() && !scene.frame().keeps_alpha(),
            _ => event.raises(),
        }
    }

    /// The value where a search stands.
    pub(super) fn now<G: Game>(self, search: &Search<G>) -> Option<Score> {
        let frame = search.frames().get(self.ply as usize)?;
        let best = frame.best_move().map(|_| frame.best);
        self.figure.of(frame.current_window(), best)
    }
}

/// So many lines of traces are kept of a run; the others are counted.
const TRACE_LINES: usize = 100;

/// The kinds of events at which a goal may be reached.
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

/// What a watchpoint saw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change<K> {
    /// A cache entry was read or written.
    Entry { at: Keyed<K>, written: bool, before: Option<Entry>, now: Option<Entry> },
    /// A value of a frame changed.
    Value { figure: Figure, ply: u32, before: Option<Score>, now: Option<Score> },
}

/// An event that a tracepoint has let pass.
#[derive(Clone, Debug)]
pub struct TracedEvent<G: Game> {
    /// The tracepoint's number.
    pub breakpoint: u32,
    pub event: Event,
    pub position: G::Position,
    /// The move that led there, or from which a value came back, and the position it was made in.
    pub mv: Option<(G::Position, G::Move)>,
}

/// What watchpoints and traces have seen on one run.
#[derive(Clone, Debug)]
pub struct Sightings<G: Game> {
    /// The line of moves that `advance` goes along.
    pub line: Option<Line<G>>,
    /// The first lines of traces.
    pub lines: Vec<TracedEvent<G>>,
    /// Temporary breakpoints that have just done their work.
    pub spent: Vec<SavedBreakpoint>,
    /// How many more lines there were.
    pub omitted: u64,
    /// What the watchpoint that stopped it saw.
    pub change: Option<Change<G::Key>>,
}

impl<G: Game> Default for Sightings<G> {
    fn default() -> Self {
        Self { line: None, lines: Vec::new(), spent: Vec::new(), omitted: 0, change: None }
    }
}

impl<G: Game> Sightings<G> {
    /// Nothing has been seen: a run begins.
    pub(super) fn clear(&mut self) {
        *self = Self { line: self.line.take(), ..Self::default() };
    }
}

impl<G: Game> TracedEvent<G> {
    /// The last event of a search, for a tracepoint.
    pub(super) fn of(breakpoint: u32, search: &Search<G>) -> Option<Self> {
        let event = search.describe();
        let maker = maker(search, event.kind);
        Some(Self {
            breakpoint,
            event,
            position: search.frames().last()?.position.clone(),
            mv: maker.and_then(|maker| Some((maker.position.clone(), search.current_move(maker)?))),
        })
    }
}

const KINDS: usize = EventKind::ALL.len();

/// A watched value as it was last.
#[derive(Debug)]
struct Followed {
    place: usize,
    watch: ValueWatch,
    last: Option<Score>,
}

/// A watched entry as it was last.
#[derive(Debug)]
struct Guarded<K> {
    place: usize,
    /// What writes it.
    watch: EntryWatch<K>,
    at: Keyed<K>,
    last: Option<Entry>,
    /// It was written, which has not been looked at.
    touched: bool,
}

/// Stops a run at a goal or a breakpoint.
#[derive(Debug)]
pub struct Debugging<'a, G: Game> {
    game: &'a G,
    goal: StopAt,
    breakpoints: &'a mut [Breakpoint<G>],
    /// What the run leaves behind.
    seen: &'a mut Sightings<G>,
    mode: Mode,
    policy: Policy,
    /// For each kind, the plies at which anything waits for one.
    awake: [Plies; KINDS],
    followed: Vec<Followed>,
    guarded: Vec<Guarded<G::Key>>,
    /// Traces that wait for their lines.
    traced: Vec<u32>,
    stopped_by: Option<usize>,
    reached: bool,
}

impl<'a, G: Game> Debugging<'a, G> {
    /// A watcher over a search where it stands.
    pub fn new(
        game: &'a G,
        (breakpoints, seen): (&'a mut [Breakpoint<G>], &'a mut Sightings<G>),
        goal: StopAt,
        (search, mode, table): (&Search<G>, Mode, &AnyTable<G::Key>),
    ) -> Self {
        let mut watcher = Self {
            game,
            goal,
            breakpoints,
            seen,
            mode,
            policy: table.entries().policy(),
            awake: [0; KINDS],
            followed: Vec::new(),
            guarded: Vec::new(),
            traced: Vec::new(),
            stopped_by: None,
            reached: false,
        };
        watcher.wake(search, table);
        watcher
    }

    /// Makes lists of what is switched on.
    fn wake(&mut self, search: &Search<G>, table: &AnyTable<G::Key>) {
        self.wake_at(kinds_of(self.goal), Plies::MAX);
        for place in 0..self.breakpoints.len() {
            let point = &self.breakpoints[place];
            if !point.told.enabled {
                continue;
            }
            self.wake_at(point.kinds(), point.plies());
            match self.breakpoints[place].trigger {
                Trigger::Place(_) => {}
                Trigger::Value(watch) => {
                    self.followed.push(Followed { place, watch, last: watch.now(search) });
                    self.wake_at(ValueWatch::TOLD, only(watch.ply));
                }
                Trigger::Entry(watch) => {
                    let at = watch.place(self.policy);
                    let last = table.entries().get(at);
                    let watch = EntryWatch { access: Access::Write, ..watch };
                    self.guarded.push(Guarded { place, watch, at, last, touched: false });
                    self.wake_at(Kinds::of(&[EventKind::Store, EventKind::Eviction]), Plies::MAX);
                }
            }
        }
    }

    fn wake_at(&mut self, kinds: Kinds, plies: Plies) {
        for &kind in EventKind::ALL {
            if kinds.contains(kind) {
                self.awake[kind as usize] |= plies;
            }
        }
    }

    #[inline]
    fn scene<'s>(&self, event: &'s Event, search: &'s Search<G>) -> EventContext<'s, G>
    where
        'a: 's,
    {
        EventContext { game: self.game, event, search, mode: self.mode, policy: self.policy }
    }

    /// What a breakpoint waits for has happened.
    fn hit(&mut self, place: usize) {
        let told = &mut self.breakpoints[place].told;
        told.hits += 1;
        if told.ignore > 0 {
            told.ignore -= 1;
            return;
        }
        if !told.trace {
            self.stopped_by.get_or_insert(place);
            if told.temporary {
                self.seen.spent.push(told.clone());
            }
        } else if self.seen.lines.len() + self.traced.len() < TRACE_LINES {
            self.traced.push(told.id);
        } else {
            self.seen.omitted += 1;
        }
    }

    /// Keeps up with the watched values; notes the change of the one that stops the run.
    fn follow(&mut self, event: &Event, search: &Search<G>) {
        for Followed { place, watch, last } in &mut self.followed {
            let ValueWatch { figure, ply } = *watch;
            if event.ply != ply || !ValueWatch::TOLD.contains(event.kind) {
                continue;
            }
            let now = watch.now(search);
            let before = std::mem::replace(last, now);
            if self.stopped_by == Some(*place) {
                self.seen.change = Some(Change::Value { figure, ply, before, now });
            }
        }
    }

    /// Notes which watched entries an event has written: each must be looked at before the next one. Where room was made,
    /// any of them may be gone.
    fn touch(&mut self, event: &Event, search: &Search<G>) -> bool {
        let scene = self.scene(event, search);
        for guarded in &mut self.guarded {
            guarded.touched |= event.kind == EventKind::Eviction || guarded.watch.holds(&scene);
        }
        self.guarded.iter().any(|guarded| guarded.touched)
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

    /// The machine stands: takes note of what the memo holds now, keeps the lines of traces, and says whether the run is
    /// to stop.
    pub fn finish_stop(&mut self, table: &AnyTable<G::Key>, search: &Search<G>) -> Option<Stop> {
        for guarded in &mut self.guarded {
            let stops = self.stopped_by == Some(guarded.place);
            if !stops && !guarded.touched {
                continue;
            }
            let now = table.entries().get(guarded.at);
            if stops {
                self.seen.change = Some(Change::Entry {
                    at: guarded.at,
                    written: guarded.touched,
                    before: guarded.last,
                    now,
                });
            }
            guarded.last = now;
            guarded.touched = false;
        }
        let traced = self.traced.drain(..);
        self.seen.lines.extend(traced.filter_map(|id| TracedEvent::of(id, search)));
        let reached = std::mem::take(&mut self.reached);
        match self.stopped_by.take() {
            Some(place) => Some(Stop::Breakpoint(self.breakpoints[place].told.id)),
            None => reached.then_some(Stop::Goal),
        }
    }
}

impl<G: Game> Watcher<Search<G>> for Debugging<'_, G> {
    #[inline]
    fn wants(&self, kind: EventKind, ply: u32) -> bool {
        self.awake[kind as usize] & only(ply) != 0
    }

    fn see(&mut self, event: &Event, search: &Search<G>) -> bool {
        for place in 0..self.breakpoints.len() {
            if self.breakpoints[place].matches(&self.scene(event, search)) {
                self.hit(place);
            }
        }
        self.follow(event, search);
        self.reached = self.is_reached(event, search);
        let writes = matches!(event.kind, EventKind::Store | EventKind::Eviction);
        let touched = writes && self.touch(event, search);
        self.reached || self.stopped_by.is_some() || !self.traced.is_empty() || touched
    }
}
