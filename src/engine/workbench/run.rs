use std::time::{Duration, Instant};

use super::{Answer, Desk, Running, back::Course, breakpoints::Sightings};
use crate::engine::{
    debugger::{Breakpoint, Debugging, Goal},
    game::{Game, Window},
    memo::AnyMemo,
    search::{Context, EventKind, Leash, Plan, Search, Stop, Unwatched, Watcher, remember},
};

/// How a search goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Travel {
    /// So many events.
    Step(u64),
    /// One event, or over the subtree that it enters.
    Next,
    /// Out of the node at hand.
    Finish,
    /// To the next event of a kind.
    Until(EventKind),
    /// To an event by its number.
    Goto(u64),
    /// To the next breakpoint, or the end.
    Continue,
    /// To the end of the line of moves that was named.
    Advance,
    /// Backwards.
    Back(Back),
}

/// How a search goes backwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Back {
    /// So many events.
    Step(u64),
    /// One event, or over the subtree that it comes out of.
    Next,
    /// To before the node at hand was entered.
    Finish,
    /// To the last event of a kind.
    Until(EventKind),
    /// To the last breakpoint, or the beginning.
    Continue,
    /// To the event that last wrote something.
    Last,
}

impl Travel {
    /// Why the search stands after going so far.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Step(_) => "step",
            Self::Next => "next",
            Self::Finish => "finish",
            Self::Until(_) => "until",
            Self::Goto(_) => "goto",
            Self::Continue => "continue",
            Self::Advance => "advance",
            Self::Back(Back::Step(_)) => "back",
            Self::Back(Back::Next) => "back next",
            Self::Back(Back::Finish) => "back finish",
            Self::Back(Back::Until(_)) => "back until",
            Self::Back(Back::Continue) => "back continue",
            Self::Back(Back::Last) => "last",
        }
    }

    fn goal<G: Game>(self, search: &Search<G>) -> Goal {
        let height = search.frames().len();
        match self {
            Self::Step(events) => {
                Goal::Index(search.events().saturating_add(events).saturating_sub(1))
            }
            Self::Next => Goal::NoHigher(height),
            Self::Finish => Goal::Lower(height.max(2)),
            Self::Until(kind) => Goal::Kind(kind),
            Self::Goto(index) => Goal::Index(index),
            Self::Continue | Self::Back(_) => Goal::Breakpoint,
            Self::Advance => Goal::Line,
        }
    }
}

/// What a drive of the search under way is for, kept from slice to slice.
#[derive(Clone, Debug)]
pub(crate) struct Pending<G: Game> {
    /// What was asked for: a whole run, or a step of it.
    pub(super) purpose: Purpose,
    pub(super) course: Course<G>,
    pub(super) deadline: Option<Instant>,
    /// Events when it began.
    before: u64,
}

/// What was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// The best moves.
    Run,
    /// One of the best moves, to be played.
    Play,
    /// A step.
    Travel(Travel),
}

impl<G: Game> Running<G> {
    /// When a run that begins now must be over.
    fn deadline(&self) -> Option<Instant> {
        let left = self.time_ms.map(Duration::from_millis);
        left.and_then(|left| Instant::now().checked_add(left))
    }

    fn context<'a>(&'a self, game: &'a G) -> (Context<'a, G>, &'a Search<G>) {
        (
            Context {
                game,
                evaluator: &self.evaluator,
                mode: self.mode,
            },
            &self.search,
        )
    }

    /// Runs under a leash.
    pub(super) fn drive<W: Watcher<Search<G>>>(
        &mut self,
        game: &G,
        memo: &mut AnyMemo<G::Key>,
        watcher: &mut W,
        leash: &Leash<'_>,
    ) -> Stop {
        let start = Instant::now();
        let Self {
            search,
            evaluator,
            mode,
            ms,
            ..
        } = self;
        let context = Context {
            game,
            evaluator,
            mode: *mode,
        };
        let stop = search.drive(&context, memo, watcher, leash);
        *ms += start.elapsed().as_secs_f64() * 1e3;
        stop
    }
}

impl<G: Game> Desk<G> {
    /// A search from the position at hand that has not begun.
    pub(super) fn prepare(
        &self,
        plan: impl FnOnce(Window) -> Plan,
        budget: Option<u64>,
    ) -> Answer<Running<G>> {
        let evaluator = self.evaluator()?;
        let mode = self.settings.mode();
        let context = Context {
            game: &self.game,
            evaluator: &evaluator,
            mode,
        };
        let plan = plan(self.game.full_window(&evaluator));
        let search = Search::new(
            &context,
            plan,
            self.now.position.clone(),
            self.now.history.clone(),
            budget,
        );
        Ok(Running {
            search,
            evaluator,
            mode,
            ms: 0.0,
            time_ms: self.settings.time_ms,
            breakpoint: None,
            selected: None,
        })
    }

    /// Runs a search that nobody steps to its end, without looking at breakpoints.
    pub(super) fn run_through(&mut self, running: &mut Running<G>) -> Stop {
        let leash = Leash::new(&self.interrupt, running.deadline());
        let halt = running.drive(&self.game, &mut self.memo, &mut Unwatched, &leash);
        self.memo.entries_mut().edited_whole();
        self.counters = running.search.counters;
        halt
    }

    /// Puts a search that has not begun under way, on a timeline of its own. [`Desk::pump`] moves it.
    pub(super) fn launch(&mut self, running: Running<G>, purpose: Purpose) {
        self.begin_timeline(&running);
        self.tidied.clear();
        self.running = Some(running);
        self.go_on(purpose, None);
    }

    /// Moves the search under way on, along a course or forwards. [`Desk::pump`] does it.
    pub(super) fn go_on(&mut self, purpose: Purpose, course: Option<Course<G>>) {
        self.settle_edits();
        let Some(running) = &mut self.running else {
            return;
        };
        running.breakpoint = None;
        running.selected = None;
        let goal = match purpose {
            Purpose::Run | Purpose::Play => Goal::Breakpoint,
            Purpose::Travel(travel) => travel.goal(&running.search),
        };
        let before = running.search.events();
        let root = running.search.root().clone();
        let searches = course.is_none() && !self.timelines.replays_from(before);
        let deadline = running.deadline().filter(|_| searches);
        self.sightings.clear();
        self.read_lines(&root);
        self.pending = Some(Pending {
            purpose,
            course: course.unwrap_or(Course::Ahead(goal)),
            deadline,
            before,
        });
    }

    /// Runs the search under way to its goal, a breakpoint or its end; `None` where the slice was over before. The number
    /// is that of the events it went forwards or backwards.
    pub(super) fn pump(&mut self, slice: Option<Duration>) -> Option<(Purpose, Stop, u64)> {
        let mut pending = self.pending.take()?;
        let slice_end = slice.map(|slice| Instant::now() + slice);
        let halt = self.follow_course(&mut pending.course, (pending.deadline, slice_end));
        let running = self.running.as_mut()?;
        self.counters = running.search.counters;
        if halt == Stop::Slice {
            self.pending = Some(pending);
            return None;
        }
        if let Stop::Breakpoint(id) = halt {
            running.breakpoint = Some(id);
        }
        let here = running.search.events();
        if matches!(halt, Stop::Time | Stop::Interrupt) {
            self.timelines.end(here);
        }
        let events = here.abs_diff(pending.before);
        Some((pending.purpose, halt, events))
    }

    /// Forwards to a goal, with checkpoints on the way and the edits that the timeline at hand has there.
    pub(super) fn run_ahead(
        &mut self,
        goal: Goal,
        (deadline, slice_end): (Option<Instant>, Option<Instant>),
    ) -> Stop {
        loop {
            let end = self.timelines.recorded_end(self.events_so_far());
            let until = self.next_pause().min(end);
            let Self {
                game,
                memo,
                breakpoints,
                sightings,
                interrupt,
                running,
                ..
            } = self;
            let Some(running) = running else {
                return Stop::Exhausted;
            };
            let leash = Leash {
                interrupt,
                deadline,
                slice_end,
                until,
            };
            let before = running.search.events();
            let watched = goal != Goal::Breakpoint || breakpoints.iter().any(|point| point.enabled);
            let halt = if watched {
                running.drive_watched(game, memo, (breakpoints, sightings), goal, &leash)
            } else {
                running.drive(game, memo, &mut Unwatched, &leash)
            };
            self.pass(before);
            if halt != Stop::Limit {
                return halt;
            }
            if self.events_so_far() == end {
                return Stop::End;
            }
        }
    }

    /// A decision has been made: it teaches a rote table (seed 001), and the cache may be cleaned (seed 000).
    pub(super) fn learn(&mut self) {
        let Some(running) = &self.running else { return };
        let Some(value) = running.search.value().filter(|_| running.search.is_over()) else {
            return;
        };
        let (context, search) = running.context(&self.game);
        let Plan::Best(_) = search.plan() else { return };
        if let AnyMemo::Rote(memo) = &mut self.memo {
            let root = (search.root(), search.history());
            remember(&context, memo, root, 0, Window::INFINITE, value);
        }
        // Seed 000's program cleans its cache when a move is decided on, not before.
        self.tidied = self.memo.entries_mut().tidy();
    }
}

impl<G: Game> Running<G> {
    fn drive_watched(
        &mut self,
        game: &G,
        memo: &mut AnyMemo<G::Key>,
        (breakpoints, sightings): (&mut Vec<Breakpoint<G>>, &mut Sightings<G>),
        goal: Goal,
        leash: &Leash<'_>,
    ) -> Stop {
        let Sightings { line, lines, .. } = sightings;
        let mut watcher = Debugging::new(
            game,
            breakpoints,
            (goal, line.as_ref()),
            (&self.search, self.mode, memo),
            lines.len(),
        );
        let halt = loop {
            match self.drive(game, memo, &mut watcher, leash) {
                Stop::Watched => {}
                stop => break stop,
            }
            let (traced, stop) = watcher.settle(memo);
            lines.extend(self.trace_lines(game, &traced));
            if let Some(stop) = stop {
                break stop;
            }
        };
        let outcome = watcher.outcome();
        let spent = breakpoints.extract_if(.., |point| outcome.spent.contains(&point.id));
        sightings.spent = spent.map(|point| (point.id, point.commands)).collect();
        sightings.take(&outcome);
        halt
    }
}
