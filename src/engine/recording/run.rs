use std::time::{Duration, Instant};

use super::{Backward, Pending, PendingRun, Recording, Running, StopAt, StopConditions, Timeline};
use crate::engine::{
    core::{
        game::{Fault, Remedy, Result, SearchRules, Window},
        search::{Context, EventKind, NoWatcher, Plan, Search, Stop, Watcher},
        table::AnyTable,
    },
    searcher::{Root, RunLimits, Searcher},
};

/// The times at which a run must stop.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Deadlines {
    /// The time at which the search must stop, by its limit of time.
    search: Option<Instant>,
    /// The time at which the slice ends.
    slice: Option<Instant>,
}

impl Deadlines {
    /// The deadlines of a replay, to which the time limit of the search does not apply.
    pub const fn slice_only(self) -> Self {
        Self { search: None, ..self }
    }
}

/// How a search is resumed: the command, with its argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resume {
    /// Forwards by a number of events.
    Step(u64),
    /// Forwards over one event, or over the subtree that the event enters.
    Next,
    /// Forwards until the current node is left.
    Finish,
    /// Forwards to the next event of a kind.
    Until(EventKind),
    /// Forwards to an event by its number, past breakpoints.
    Goto(u64),
    /// Forwards to the next breakpoint, or the end.
    Continue,
    /// Forwards to the end of the line of moves given to `advance`, which the debugger keeps.
    Advance,
    /// Backwards to an earlier event.
    Back(Backward),
}

impl Resume {
    /// The place at which the search stops if this command resumes it from the current event.
    pub fn stop_at<G: SearchRules>(self, search: &Search<G>) -> StopAt {
        let height = search.frames().len();
        match self {
            Self::Step(events) => {
                StopAt::Event(search.events().saturating_add(events).saturating_sub(1))
            }
            Self::Next => StopAt::HeightAtMost(height),
            Self::Finish => StopAt::HeightBelow(height.max(2)),
            Self::Until(kind) => StopAt::Kind(kind),
            Self::Goto(index) => StopAt::Goto(index),
            Self::Continue | Self::Back(_) => StopAt::Breakpoint,
            Self::Advance => StopAt::Line,
        }
    }
}

impl<G: SearchRules> Running<G> {
    /// The deadline of a run that begins now; `None` without a time limit.
    pub fn deadline(&self) -> Option<Instant> {
        self.time_ms.and_then(|ms| Instant::now().checked_add(Duration::from_millis(ms)))
    }

    /// Runs within limits, and adds the time taken to that of the search.
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

impl<G: SearchRules, D: StopConditions<G>> Recording<G, D> {
    /// A search from a position, ready to be started.
    /// Errors: weights that the game cannot use.
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

    /// Starts a search on a new timeline; [`Recording::pump`] drives it.
    pub fn start(&mut self, running: Running<G>, resume: Resume) {
        self.install(running);
        self.begin_forward(resume);
    }

    /// Starts a search as [`Recording::start`] does, but leaves it at its beginning.
    pub fn install(&mut self, running: Running<G>) {
        self.begin_timeline(&running);
        self.cleaned.clear();
        self.running = Some(running);
    }

    /// Resumes the search under way, forwards; [`Recording::pump`] drives it.
    /// Errors: no search is under way, or its budget is used up.
    pub fn resume_to(&mut self, resume: Resume) -> Result<()> {
        if self.under_way()?.search.stopped() == Some(Stop::Budget) {
            return Err(Fault::new("the search's budget of nodes is used up").needs(Remedy::Budget));
        }
        self.notes.clear();
        self.begin_forward(resume);
        Ok(())
    }

    fn begin_forward(&mut self, resume: Resume) {
        if let Some(running) = &self.running {
            let stop_at = resume.stop_at(&running.search);
            self.begin_run(PendingRun::Forward(stop_at));
        }
    }

    /// Begins a run; [`Recording::pump`] drives it.
    pub(super) fn begin_run(&mut self, run: PendingRun<G>) {
        self.commit_edits();
        let from = self.events();
        let reached = self.now.as_ref().map_or((0, 0), |now| (now.reached, now.iterations.len()));
        match run {
            PendingRun::Forward(StopAt::Goto(index)) => drop(self.jump(index)),
            // A jump passes breakpoints, so there is none while any is enabled.
            PendingRun::Forward(StopAt::Event(index)) if !self.debugger.any_enabled() => {
                self.jump(index);
            }
            _ => {}
        }
        let searches = matches!(run, PendingRun::Forward(_)) && !self.replays_from(from);
        let Some(running) = &mut self.running else {
            return;
        };
        running.halt = None;
        let selected = running.selected.take();
        let deadline = running.deadline().filter(|_| searches);
        self.debugger.begin_run(&self.searcher.game, &running.search);
        self.pending = Some(Pending { run, deadline, from, selected, reached });
    }

    /// Continues the pending run until it ends, or until the slice of time is over (`None`). Returns why the run ended, and how
    /// many events forwards or backwards it went.
    pub fn pump(&mut self, slice: Option<Duration>) -> Option<(Stop, u64)> {
        let mut pending = self.pending.take()?;
        let (before, unchanged) = (self.events(), self.edits_unchanged());
        let slice = slice.map(|slice| Instant::now() + slice);
        let deadlines = Deadlines { search: pending.deadline, slice };
        let mut halt = self.continue_run(&mut pending.run, deadlines);
        // If the search ends before the target, it returns to the event where the run began, unless that is its beginning, and
        // the recording ends where it did.
        let has_begun = |now: &Timeline<G>| pending.from > now.origin.start.events();
        if let PendingRun::Forward(StopAt::Goto(index)) = pending.run
            && self.now.as_ref().is_some_and(has_begun)
            && let Some(ended) = self.ended_before(index)
        {
            self.notes.push(ended);
            if let Some(now) = &mut self.now {
                now.reached = pending.reached.0;
                now.iterations.truncate(pending.reached.1);
            }
            pending.run = PendingRun::Seek(pending.from, None);
            halt = self.continue_run(&mut pending.run, deadlines);
        }
        let running = self.running.as_mut()?;
        self.counters = running.search.counters;
        if running.search.events() > before {
            self.note_overwritten(unchanged);
        }
        let running = self.running.as_mut()?;
        if halt == Stop::Slice {
            self.pending = Some(pending);
            return None;
        }
        running.halt = Some(halt);
        let here = running.search.events();
        running.selected = pending.selected.filter(|_| here == pending.from);
        // An interrupted jump does not mark the end of the recording: later jumps may go further.
        let is_jump = matches!(pending.run, PendingRun::Forward(StopAt::Goto(_)));
        if halt == Stop::Time || halt == Stop::Interrupt && !is_jump {
            self.note_end(here);
        }
        let events = here.abs_diff(pending.from);
        Some((halt, events))
    }

    /// Runs forwards, saving checkpoints and applying the edits of the timeline on the way.
    pub(super) fn run_forward(&mut self, stop_at: StopAt, deadlines: Deadlines) -> Stop {
        loop {
            let end = self.recorded_end(self.events());
            let goto = if let StopAt::Goto(index) = stop_at { index.checked_add(1) } else { None };
            let until = self.next_pause().min(end).min(goto.unwrap_or(end));
            let before = self.events();
            let halt =
                self.with_limits(until, deadlines, |running, game, table, debugger, limits| {
                    let is_watched = match stop_at {
                        StopAt::Goto(_) => false,
                        StopAt::Breakpoint => debugger.any_enabled(),
                        _ => true,
                    };
                    if is_watched {
                        debugger.run(running, game, table, stop_at, limits)
                    } else {
                        running.drive(game, table, &mut NoWatcher, limits)
                    }
                });
            self.pause(before);
            match self.halt_after_edits(halt) {
                Stop::Limit => {}
                halt => return halt,
            }
            if goto.is_some_and(|goto| self.events() >= goto) {
                return Stop::Goal;
            }
            if self.events() == end {
                return Stop::End;
            }
        }
    }

    /// Calls `run` with the search under way, limited to a number of events and by deadlines.
    pub(super) fn with_limits(
        &mut self,
        until: u64,
        deadlines: Deadlines,
        run: impl FnOnce(&mut Running<G>, &G, &mut AnyTable<G::Key>, &mut D, &RunLimits<'_>) -> Stop,
    ) -> Stop {
        let Self { searcher: Searcher { game, table, .. }, debugger, interrupt, running, .. } =
            self;
        let Deadlines { search: deadline, slice: slice_end } = deadlines;
        let limits = RunLimits { interrupt, deadline, slice_end, until };
        match running {
            Some(running) => run(running, game, table, debugger, &limits),
            None => Stop::Exhausted,
        }
    }

    /// If the search has just chosen a move, the searcher [learns](Searcher::learn) from it.
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
