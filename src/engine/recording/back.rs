//! Going backwards: to an event by its number, or to the last one of which something holds.

use std::{sync::Arc, time::Instant};

use super::{Bookmark, Recorder, Recording, Resume, StopAt, Stops, run::Deadlines};

use crate::engine::core::{
    game::{Fault, Keyed, Remedy, Result, SearchRules},
    search::{Event, EventContext, EventKind, Mode, Search, Stop, Unwatched, Watcher},
    searcher::Searcher,
    table::Policy,
};

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

/// Where a search is led.
pub(super) enum PendingRun<G: SearchRules> {
    /// Forwards to a goal.
    Ahead(StopAt),
    /// To the moment after so many events, from a checkpoint before it; why the search stands there, where that is known.
    Replay(u64, Option<Stop>),
    /// The same, event by event from where it stands.
    Walk(u64),
    /// Backwards.
    Backwards(BackwardScan<G>),
}

type Condition<G> = dyn Fn(&EventContext<'_, G>) -> bool + Send + Sync;

/// What is looked for backwards.
enum ScanFor<G: SearchRules> {
    /// A goal, or a breakpoint.
    StopAt(StopAt),
    /// An event of which something holds.
    Event(Box<Condition<G>>),
}

/// Looking backwards for a target: stretch by stretch between checkpoints, the later ones first, each forwards to its end.
pub(super) struct BackwardScan<G: SearchRules> {
    target: ScanFor<G>,
    /// Only moments up to this one are of interest.
    end: u64,
    /// Where the stretch at hand begins; none has been begun at first.
    begin: Option<u64>,
    /// The last moment found in it.
    found: Option<(u64, Stop)>,
    /// What is said if nothing is found, at the moment from which it began.
    missing: Option<(u64, String)>,
}

/// Notes the last event at which the target is, and never stops.
struct Finder<'a, G: SearchRules, D> {
    target: &'a ScanFor<G>,
    debugger: &'a D,
    scene: (&'a G, Mode, Policy),
    /// Events up to and with the last one of which it holds.
    found: Option<(u64, Stop)>,
}

impl<G: SearchRules, D: Stops<G>> Watcher<Search<G>> for Finder<'_, G, D> {
    fn see(&mut self, event: &Event, search: &Search<G>) -> bool {
        let (game, mode, policy) = self.scene;
        let scene = EventContext { game, event, search, mode, policy };
        let stop = match self.target {
            ScanFor::StopAt(StopAt::Breakpoint) => self.debugger.stop_here(&scene),
            ScanFor::StopAt(goal) => goal.is_reached(event, search).then_some(Stop::Goal),
            ScanFor::Event(holds) => holds(&scene).then_some(Stop::Goal),
        };
        if let Some(stop) = stop {
            self.found = Some((event.index + 1, stop));
        }
        false
    }
}

impl<G: SearchRules, D: Stops<G>> Recording<G, D> {
    /// Goes backwards.
    pub fn reverse(&mut self, way: Back) -> Result<()> {
        self.commit_edits();
        self.recorded()?;
        let running = self.under_way()?;
        let (now, height) = (running.search.events(), running.search.frames().len());
        let target = match way {
            Back::Step(events) => {
                self.start_run(PendingRun::Replay(now.saturating_sub(events), None));
                return Ok(());
            }
            Back::Last => return Err(Fault::new("`last` needs to know what was written")),
            Back::Next => StopAt::NoHigher(height),
            Back::Finish => StopAt::Lower(height.max(2)),
            Back::Until(kind) => StopAt::Kind(kind),
            Back::Continue => StopAt::Breakpoint,
        };
        self.scan_back(ScanFor::StopAt(target), now.saturating_sub(1), None);
        Ok(())
    }

    fn start_run(&mut self, run: PendingRun<G>) {
        self.notes.clear();
        self.begin_run(run);
    }

    /// To an event by its number, forwards or backwards.
    pub fn seek(&mut self, index: u64) -> Result<()> {
        if index >= self.events() {
            if let Some(end) = self.no_such_event(index) {
                return Err(Fault::new(end).needs(Remedy::Event));
            }
            return self.resume_to(Resume::Goto(index));
        }
        self.commit_edits();
        self.recorded()?;
        self.start_run(PendingRun::Replay(index + 1, None));
        Ok(())
    }

    /// To a moment of whichever timeline.
    pub fn seek_bookmark(&mut self, Bookmark { timeline, events }: Bookmark) -> Result<()> {
        self.commit_edits();
        if self.name().as_ref() != Some(&timeline) {
            return self.enter_timeline(&timeline, Some(events));
        }
        self.start_run(PendingRun::Replay(events, None));
        Ok(())
    }

    /// To the last event of which something holds, before a moment where one is given; `missing` is said where there is none.
    pub fn reverse_to(
        &mut self,
        holds: impl Fn(&EventContext<'_, G>) -> bool + Send + Sync + 'static,
        end: Option<u64>,
        missing: String,
    ) -> Result<()> {
        self.commit_edits();
        self.recorded()?;
        let now = self.events();
        let end = end.map_or(now, |end| end.min(now));
        self.scan_back(ScanFor::Event(Box::new(holds)), end, Some((now, missing)));
        Ok(())
    }

    fn scan_back(&mut self, target: ScanFor<G>, end: u64, missing: Option<(u64, String)>) {
        let scan = BackwardScan { target, end, begin: None, found: None, missing };
        self.start_run(PendingRun::Backwards(scan));
    }

    /// A moment after which an entry was surely not written.
    pub fn written_before(&self, at: Keyed<G::Key>) -> Option<u64> {
        let mark = self.searcher.table.entries().last_written(at)?;
        let later = self.recorder.checkpoints().iter().find(|kept| kept.mark > mark)?;
        Some(later.events())
    }

    /// Goes along a course until it ends or the slice is over.
    pub(super) fn follow(&mut self, run: &mut PendingRun<G>, ends: Deadlines) -> Stop {
        let scan = match run {
            PendingRun::Ahead(goal) => return self.run_ahead(*goal, ends),
            PendingRun::Replay(events, reason) => {
                return match self.replay(*events, ends) {
                    halt @ (Stop::Slice | Stop::Interrupt) => halt,
                    halt => reason.unwrap_or(halt),
                };
            }
            PendingRun::Walk(events) => return self.run_forward(*events, ends),
            PendingRun::Backwards(scan) => scan,
        };
        match self.scan(scan, ends) {
            Stop::Goal => {}
            halt => return halt,
        }
        let (events, reason) = self.scan_result(scan);
        *run = PendingRun::Replay(events, Some(reason));
        self.follow(run, ends)
    }

    /// Where a scan that is over leads, and why the search stands there.
    fn scan_result(&mut self, scan: &mut BackwardScan<G>) -> (u64, Stop) {
        match (scan.found, scan.missing.take()) {
            (Some(found), _) => found,
            (None, Some((events, what))) => {
                self.notes.push(what);
                (events, Stop::Goal)
            }
            (None, None) => (self.recorder.base(), Stop::Start),
        }
    }

    /// Looks stretch by stretch; [`Stop::Goal`] once something is found or nothing is left.
    fn scan(&mut self, scan: &mut BackwardScan<G>, ends: Deadlines) -> Stop {
        loop {
            if scan.begin.is_none() {
                if !scan.end.checked_sub(1).is_some_and(|end| self.restore_checkpoint_before(end)) {
                    return Stop::Goal;
                }
                scan.begin = Some(self.events());
            }
            match self.search_stretch(scan, ends) {
                Stop::Limit => {}
                halt => return halt,
            }
            if scan.found.is_some() {
                return Stop::Goal;
            }
            scan.end = scan.begin.take().unwrap_or(0);
        }
    }

    /// Goes on to the end of the stretch at hand, noting the last moment of interest; [`Stop::Limit`] at its end.
    fn search_stretch(&mut self, scan: &mut BackwardScan<G>, (_, slice_end): Deadlines) -> Stop {
        loop {
            let before = self.events();
            if before >= scan.end {
                return Stop::Limit;
            }
            let next_edit = self.now.as_ref().map_or(u64::MAX, |now| now.next_edit(before));
            let (target, found) = (&scan.target, &mut scan.found);
            let until = scan.end.min(next_edit);
            let halt = self.with_limits(
                until,
                (None, slice_end),
                |running, (game, table), debugger, limits| {
                    let scene = (game, running.mode, table.entries().policy());
                    let mut finder = Finder { target, debugger: &*debugger, scene, found: None };
                    let halt =
                        running.drive::<dyn Watcher<Search<G>>>(game, table, &mut finder, limits);
                    *found = finder.found.or(*found);
                    halt
                },
            );
            if self.events() > before {
                self.make_edits();
            }
            match self.halt_after_edits(halt) {
                Stop::Limit => {}
                stop if stop.is_own() => return Stop::Limit,
                stop => return stop,
            }
        }
    }

    pub(super) fn restore(&mut self, place: usize) {
        let Self { searcher: Searcher { game, table, .. }, recorder, running, now, .. } = self;
        let (Some(running), Some(now)) = (running, &*now) else {
            return;
        };
        let Some(checkpoint) = recorder.restore(place, table) else {
            return;
        };
        let weights = now.weights(checkpoint.events()).clone();
        running.search = checkpoint.search.clone();
        running.ms = checkpoint.ms;
        if let Ok(evaluator) = game.evaluator(&weights, running.search.root()) {
            running.evaluator = evaluator;
        }
        self.searcher.weights = weights;
        self.make_edits();
    }

    /// Puts the search back to the moment after `target` events, or on to it.
    pub(super) fn replay(&mut self, target: u64, ends: Deadlines) -> Stop {
        if self.seek_to_checkpoint_before(target) {
            self.run_forward(target, ends)
        } else {
            Stop::Start
        }
    }

    fn run_forward(&mut self, target: u64, (_, slice_end): Deadlines) -> Stop {
        loop {
            let before = self.events();
            if before >= target {
                let first = self.now.as_ref().map_or(0, |now| now.origin.start.events());
                return if before > first { Stop::Goal } else { Stop::Start };
            }
            let halt = self.run_on(target, slice_end, &mut Unwatched);
            match halt {
                Stop::Limit => {}
                stop if stop.is_own() && self.events() == target => {}
                stop => return stop,
            }
        }
    }

    /// Runs on to a moment of the timeline or to the next pause before it; stops at once where no search is under way.
    fn run_on<W: Watcher<Search<G>> + ?Sized>(
        &mut self,
        target: u64,
        slice_end: Option<Instant>,
        watcher: &mut W,
    ) -> Stop {
        let before = self.events();
        let until = self.next_pause().min(target);
        let ends = (None, slice_end);
        let halt = self.with_limits(until, ends, |running, (game, table), _, limits| {
            running.drive(game, table, watcher, limits)
        });
        self.pause(before);
        self.halt_after_edits(halt)
    }

    /// Why the search stands, now that the edits of this moment are made: one that raises the budget lets it go on.
    pub(super) fn halt_after_edits(&self, halt: Stop) -> Stop {
        let stopped =
            self.running.as_ref().is_none_or(|running| running.search.stopped().is_some());
        if halt.is_own() && !stopped { Stop::Limit } else { halt }
    }

    /// Runs on to a moment of the timeline, or to the end, under a watcher that never stops it; why it stands.
    pub fn rerun(&mut self, target: u64, watcher: &mut dyn Watcher<Search<G>>) -> Stop {
        loop {
            let before = self.events();
            let stop = self.run_on(target, None, watcher);
            let here = self.events();
            if stop != Stop::Limit || here >= target || here == before {
                return stop;
            }
        }
    }

    /// Where the search under way has ended before an event of this number: how, in words.
    pub fn no_such_event(&self, index: u64) -> Option<String> {
        let search = &self.running.as_ref()?.search;
        let ended = search.is_over() || search.stopped().is_some();
        let last = search.events().checked_sub(1)?;
        (ended && index > last)
            .then(|| format!("there is no event {index}: the search ended with event {last}"))
    }

    /// Goes to the nearest moment before a target that is kept, unless the search is already on its way there. `false` where
    /// nothing is kept from before it: then the search stands where the recording begins.
    fn seek_to_checkpoint_before(&mut self, target: u64) -> bool {
        self.jump(target);
        let kept = self.checkpoint_before(target);
        kept.is_some_and(|kept| (kept..=target).contains(&self.events()))
            || self.restore_checkpoint_before(target)
            || self.replay_from_origin(target)
    }

    /// After how many events the last moment before a target is that is kept.
    fn checkpoint_before(&self, target: u64) -> Option<u64> {
        let place = self.recorder.before(target)?;
        Some(self.recorder.checkpoints()[place].events())
    }

    /// Goes to the last moment before a target that is kept, or that a search can be put to; whether there is one.
    fn restore_checkpoint_before(&mut self, target: u64) -> bool {
        let Some(place) = self.recorder.before(target) else {
            return self.jump(target) || (self.jumped && self.replay_from_origin(target));
        };
        self.restore(place);
        true
    }

    /// Puts a search that is told to a moment before a target, where that is much nearer than any other that is kept.
    pub(super) fn jump(&mut self, target: u64) -> bool {
        let here = Some(self.events()).filter(|here| *here <= target);
        let near = here.max(self.checkpoint_before(target)).unwrap_or(0);
        let (Some(running), Some(now)) = (&mut self.running, &mut self.now) else {
            return false;
        };
        let begin = &now.origin.start;
        let told = self.debugger.jump(&self.searcher.game, begin, [near, target]);
        let (Some(search), [], Ok(table)) = (told, &*now.edits, Self::start_table(now)) else {
            return false;
        };
        now.reached = now.reached.max(search.events());
        running.search = search;
        self.searcher.table = table;
        self.recorder = Recorder::begin(&running.search, running.ms, &mut self.searcher.table);
        self.jumped = true;
        true
    }

    /// Goes all the way to where the search stands, so that the table has everything. [`Recording::pump`] does it.
    /// Errors: as a search that begins.
    pub fn read_table(&mut self) -> Result<()> {
        if let Some(now) = self.now.clone().filter(|_| self.jumped) {
            let here = self.events();
            self.start_over(now)?;
            self.start_run(PendingRun::Walk(here));
        }
        Ok(())
    }

    /// The recording no longer reaches back so far: starts over from the origin, if it is known.
    fn replay_from_origin(&mut self, target: u64) -> bool {
        let Some(now) = self.now.clone() else {
            return false;
        };
        let origin = now.origin.start.events();
        if target >= origin && now.origin.memo().is_some() && self.start_over(now).is_ok() {
            return true;
        }
        let base = self.recorder.base();
        if self.events() > base {
            self.restore(0);
        }
        let note = format!("the recording begins at event {base}");
        self.notes.push(note);
        false
    }

    /// Makes another timeline the one at hand, at the moment it was left or another.
    pub fn enter_timeline(&mut self, name: &str, events: Option<u64>) -> Result<()> {
        self.commit_edits();
        let place = self.timeline_called(name)?;
        self.notes.clear();
        let here = self.events();
        if let Some(now) = &mut self.now {
            now.at = here;
        }
        let target = self.others[place].clone();
        let events = events.unwrap_or(target.at);
        let sibling = self
            .now
            .as_ref()
            .filter(|now| Arc::ptr_eq(&now.origin, &target.origin) && self.running.is_some());
        let shared = sibling.map(|now| now.shared(&target));
        let kept = shared.and_then(|shared| self.recorder.before(shared));
        if let Some(kept) = kept {
            let target = self.others.remove(place);
            self.others.extend(self.now.replace(target));
            // Both are the same up to there, but for what was edited at that very moment.
            self.restore(kept);
        } else {
            // Whether it can be replayed must be known before anything is given up.
            Self::start_table(&target)?;
            self.leave_timeline();
            self.others.retain(|other| other.name != name);
            self.start_over(target)?;
        }
        self.begin_run(PendingRun::Replay(events, None));
        Ok(())
    }
}
