use std::time::{Duration, Instant};

use super::{Back, PendingRun, Recording, Running, StopAt, Stops, Underway};
use crate::engine::core::{
    game::{Fault, Remedy, Result, SearchRules, Window},
    search::{Context, EventKind, Plan, RunLimits, Search, Stop, Unwatched, Watcher},
    searcher::{Root, Searcher},
    table::AnyTable,
};

/// When the search's own time is up, and when the slice is over.
pub(super) type Deadlines = (Option<Instant>, Option<Instant>);

/// How a search goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resume {
    /// So many events.
    Step(u64),
    /// One event, or over the subtree that it enters.
    Next,
    /// Out of the node at hand.
    Finish,
    /// To the next event of a kind.
    Until(EventKind),
    /// To an event by its number; breakpoints on the way do not stop it.
    Goto(u64),
    /// To the next breakpoint, or the end.
    Continue,
    /// To the end of the line of moves that was named.
    Advance,
    /// Backwards.
    Back(Back),
}

impl Resume {
    /// Where that ends, for a search that stands here.
    pub fn goal<G: SearchRules>(self, search: &Search<G>) -> StopAt {
        let height = search.frames().len();
        match self {
            Self::Step(events) => {
                StopAt::Index(search.events().saturating_add(events).saturating_sub(1))
            }
            Self::Next => StopAt::NoHigher(height),
            Self::Finish => StopAt::Lower(height.max(2)),
            Self::Until(kind) => StopAt::Kind(kind),
            Self::Goto(index) => StopAt::Place(index),
            Self::Continue | Self::Back(_) => StopAt::Breakpoint,
            Self::Advance => StopAt::Line,
        }
    }
}

impl<G: SearchRules> Running<G> {
    /// When a run that begins now must be over.
    pub fn deadline(&self) -> Option<Instant> {
        self.time_ms.and_then(|ms| Instant::now().checked_add(Duration::from_millis(ms)))
    }

    /// Runs under a leash.
    pub fn drive<W: Watcher<Search<G>> + ?Sized>(
        &mut self,
        game: &G,
        table: &mut AnyTable<G::Key>,
        watcher: &mut W,
        limits: &RunLimits<'_>,
    ) -> Stop {
        let start = Instant::now();
        let Self { search, evaluator, mode, ms, .. } = self;
        let context = Context { game, evaluator, mode: *mode };
        let stop = search.drive(&context, table, watcher, limits);
        *ms += start.elapsed().as_secs_f64() * 1e3;
        stop
    }
}

impl<G: SearchRules, D: Stops<G>> Recording<G, D> {
    /// A search from a position that has not begun.
    pub fn prepare(
        &self,
        root: Root<'_, G>,
        plan: impl FnOnce(Window) -> Plan,
        budget: Option<u64>,
    ) -> Result<Running<G>> {
        let search = self.searcher.search(root, plan, budget)?;
        Ok(Running {
            time_ms: self.searcher.settings.time_ms,
            ..Running::new(search, self.searcher.mode())
        })
    }

    /// Puts a search that has not begun under way, on a timeline of its own. [`Recording::pump`] moves it.
    pub fn start(&mut self, running: Running<G>, resume: Resume) {
        self.install(running);
        self.run_forward_to(resume);
    }

    /// As [`Recording::start`], for a search that stays at its beginning.
    pub fn install(&mut self, running: Running<G>) {
        self.begin_timeline(&running);
        self.cleaned.clear();
        self.running = Some(running);
    }

    /// Has the search under way go on. [`Recording::pump`] does it.
    /// Errors: where its budget is used up.
    pub fn resume_to(&mut self, resume: Resume) -> Result<()> {
        if self.under_way()?.search.stopped() == Some(Stop::Budget) {
            return Err(
                Fault::new("the search has used up its budget of states").needs(Remedy::Budget)
            );
        }
        self.notes.clear();
        self.run_forward_to(resume);
        Ok(())
    }

    fn run_forward_to(&mut self, resume: Resume) {
        if let Some(running) = &self.running {
            let goal = resume.goal(&running.search);
            self.begin_run(PendingRun::Ahead(goal));
        }
    }

    /// Moves the search under way along a course. [`Recording::pump`] does it.
    pub(super) fn begin_run(&mut self, run: PendingRun<G>) {
        self.commit_edits();
        let before = self.events();
        match run {
            PendingRun::Ahead(StopAt::Place(index)) => drop(self.jump(index)),
            // Breakpoints want to see all of the way.
            PendingRun::Ahead(StopAt::Index(index)) if !self.debugger.are_awake() => {
                self.jump(index);
            }
            _ => {}
        }
        let searches = matches!(run, PendingRun::Ahead(_)) && !self.replays_from(before);
        let Some(running) = &mut self.running else {
            return;
        };
        running.halt = None;
        running.selected = None;
        let deadline = running.deadline().filter(|_| searches);
        self.debugger.begin(&self.searcher.game, &running.search);
        self.pending = Some(Underway { run, deadline, before });
    }

    /// Runs the search under way to its goal, a breakpoint or its end; `None` where the slice was over before. The number
    /// is that of the events it went forwards or backwards.
    pub fn pump(&mut self, slice: Option<Duration>) -> Option<(Stop, u64)> {
        let mut pending = self.pending.take()?;
        let (before, stood) = (self.events(), self.edits_unchanged());
        let slice_end = slice.map(|slice| Instant::now() + slice);
        let halt = self.follow(&mut pending.run, (pending.deadline, slice_end));
        let running = self.running.as_mut()?;
        self.counters = running.search.counters;
        if running.search.events() > before {
            self.note_overwritten(stood);
        }
        let running = self.running.as_mut()?;
        if halt == Stop::Slice {
            self.pending = Some(pending);
            return None;
        }
        running.halt = Some(halt);
        let here = running.search.events();
        if matches!(halt, Stop::Time | Stop::Interrupt) {
            self.end(here);
        }
        let events = here.abs_diff(pending.before);
        Some((halt, events))
    }

    /// Forwards to a goal, with checkpoints on the way and the edits that the timeline at hand has there.
    pub(super) fn run_ahead(&mut self, goal: StopAt, ends: Deadlines) -> Stop {
        loop {
            let end = self.recorded_end(self.events());
            let place = if let StopAt::Place(index) = goal { index.saturating_add(1) } else { end };
            let until = self.next_pause().min(end).min(place);
            let before = self.events();
            let halt = self.with_limits(until, ends, |running, (game, table), debugger, limits| {
                let is_watched = match goal {
                    StopAt::Place(_) => false,
                    StopAt::Breakpoint => debugger.are_awake(),
                    _ => true,
                };
                if is_watched {
                    debugger.run(running, (game, table), goal, limits)
                } else {
                    running.drive(game, table, &mut Unwatched, limits)
                }
            });
            self.pause(before);
            match self.halt_after_edits(halt) {
                Stop::Limit => {}
                halt => return halt,
            }
            if matches!(goal, StopAt::Place(_)) && self.events() >= place {
                return Stop::Goal;
            }
            if self.events() == end {
                return Stop::End;
            }
        }
    }

    /// Has the search under way do something that stops at a moment, or when time is up. Nothing where none is under way.
    pub(super) fn with_limits(
        &mut self,
        until: u64,
        (deadline, slice_end): Deadlines,
        run: impl FnOnce(&mut Running<G>, (&G, &mut AnyTable<G::Key>), &mut D, &RunLimits<'_>) -> Stop,
    ) -> Stop {
        let Self { searcher: Searcher { game, table, .. }, debugger, interrupt, running, .. } =
            self;
        let limits = RunLimits { interrupt, deadline, slice_end, until };
        match running {
            Some(running) => run(running, (game, table), debugger, &limits),
            None => Stop::Exhausted,
        }
    }

    /// A decision has been made: the searcher learns from it.
    pub(super) fn learn(&mut self) {
        if let Some(running) = &self.running
            && running.search.is_over()
            && matches!(running.search.plan(), Plan::Best(_))
            && running.search.value().is_some()
        {
            self.cleaned = self.searcher.learn(&running.search, &running.evaluator);
        }
    }
}
