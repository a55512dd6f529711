use super::{
    Access, Breakpoint, EntryWatch, Figure, Kinds, Line, SavedBreakpoint, Trigger, ValueWatch,
    condition::{Plies, only},
    names::maker,
};
use crate::engine::{
    game::{Game, Keyed, Score},
    memo::{AnyMemo, Entry, Policy},
    recording::Goal,
    search::{Event, EventKind, Mode, Scene, Search, Stop, Watcher},
};

/// So many lines of traces are kept of a run; the others are counted.
const TRACE_LINES: usize = 100;

/// The kinds of events at which a goal may be reached.
const fn kinds_of(goal: Goal) -> Kinds {
    match goal {
        Goal::Breakpoint => Kinds::NONE,
        Goal::Kind(kind) => Kinds::of(&[kind]),
        Goal::Line => Kinds::of(&[EventKind::Descend]),
        Goal::NoHigher(_) | Goal::Lower(_) | Goal::Index(_) => Kinds::ALL,
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
    goal: Goal,
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
        goal: Goal,
        (search, mode, memo): (&Search<G>, Mode, &AnyMemo<G::Key>),
    ) -> Self {
        let mut watcher = Self {
            game,
            goal,
            breakpoints,
            seen,
            mode,
            policy: memo.entries().policy(),
            awake: [0; KINDS],
            followed: Vec::new(),
            guarded: Vec::new(),
            traced: Vec::new(),
            stopped_by: None,
            reached: false,
        };
        watcher.wake(search, memo);
        watcher
    }

    /// Makes lists of what is switched on.
    fn wake(&mut self, search: &Search<G>, memo: &AnyMemo<G::Key>) {
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
                    let last = memo.entries().get(at);
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
    fn scene<'s>(&self, event: &'s Event, search: &'s Search<G>) -> Scene<'s, G>
    where
        'a: 's,
    {
        Scene { game: self.game, event, search, mode: self.mode, policy: self.policy }
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
            Goal::Line => {
                event.kind == EventKind::Descend
                    && self.seen.line.as_ref().is_some_and(|line| line.holds(search, event.ply))
            }
            goal => goal.is_reached(event, search),
        }
    }

    /// The machine stands: takes note of what the memo holds now, keeps the lines of traces, and says whether the run is
    /// to stop.
    pub fn settle(&mut self, memo: &AnyMemo<G::Key>, search: &Search<G>) -> Option<Stop> {
        for guarded in &mut self.guarded {
            let stops = self.stopped_by == Some(guarded.place);
            if !stops && !guarded.touched {
                continue;
            }
            let now = memo.entries().get(guarded.at);
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
