//! Going backwards: to an event by its number, or to the last one of which something holds.

use std::{sync::Arc, time::Instant};

use super::{Goal, Mark, Recorder, Recording, Stops, Travel, run::Ends};

use crate::engine::core::{
    game::{Answer, Fault, Keyed, Remedy, Rules},
    memo::Policy,
    search::{Event, EventKind, Mode, Scene, Search, Stop, Unwatched, Watcher},
    searcher::Searcher,
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
pub(super) enum Course<G: Rules> {
    /// Forwards to a goal.
    Ahead(Goal),
    /// To the moment after so many events, from a checkpoint before it; why the search stands there, where that is known.
    Replay(u64, Option<Stop>),
    /// The same, event by event from where it stands.
    Walk(u64),
    /// Backwards.
    Backwards(BackwardScan<G>),
}

type Holds<G> = dyn Fn(&Scene<'_, G>) -> bool + Send + Sync;

/// What is looked for backwards.
enum Target<G: Rules> {
    /// A goal, or a breakpoint.
    Goal(Goal),
    /// An event of which something holds.
    Event(Box<Holds<G>>),
}

/// Looking backwards for a target: stretch by stretch between checkpoints, the later ones first, each forwards to its end.
pub(super) struct BackwardScan<G: Rules> {
    target: Target<G>,
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
struct Finder<'a, G: Rules, D> {
    target: &'a Target<G>,
    debugger: &'a D,
    scene: (&'a G, Mode, Policy),
    /// Events up to and with the last one of which it holds.
    found: Option<(u64, Stop)>,
}

impl<G: Rules, D: Stops<G>> Watcher<Search<G>> for Finder<'_, G, D> {
    fn see(&mut self, event: &Event, search: &Search<G>) -> bool {
        let (game, mode, policy) = self.scene;
        let scene = Scene { game, event, search, mode, policy };
        let stop = match self.target {
            Target::Goal(Goal::Breakpoint) => self.debugger.stop_here(&scene),
            Target::Goal(goal) => goal.is_reached(event, search).then_some(Stop::Goal),
            Target::Event(holds) => holds(&scene).then_some(Stop::Goal),
        };
        if let Some(stop) = stop {
            self.found = Some((event.index + 1, stop));
        }
        false
    }
}

impl<G: Rules, D: Stops<G>> Recording<G, D> {
    /// Goes backwards.
    pub fn walk_back(&mut self, way: Back) -> Answer<()> {
        self.settle_edits();
        self.recorded()?;
        let running = self.under_way()?;
        let (now, height) = (running.search.events(), running.search.frames().len());
        let target = match way {
            Back::Step(events) => {
                self.set_course(Course::Replay(now.saturating_sub(events), None));
                return Ok(());
            }
            Back::Last => return Err(Fault::new("`last` needs to know what was written")),
            Back::Next => Goal::NoHigher(height),
            Back::Finish => Goal::Lower(height.max(2)),
            Back::Until(kind) => Goal::Kind(kind),
            Back::Continue => Goal::Breakpoint,
        };
        self.scan_back(Target::Goal(target), now.saturating_sub(1), None);
        Ok(())
    }

    fn set_course(&mut self, course: Course<G>) {
        self.notes.clear();
        self.go_along(course);
    }

    /// To an event by its number, forwards or backwards.
    pub fn go_to(&mut self, index: u64) -> Answer<()> {
        if index >= self.events() {
            if let Some(end) = self.no_such_event(index) {
                return Err(Fault::new(end).needs(Remedy::Event));
            }
            return self.take_up(Travel::Goto(index));
        }
        self.settle_edits();
        self.recorded()?;
        self.set_course(Course::Replay(index + 1, None));
        Ok(())
    }

    /// To a moment of whichever timeline.
    pub fn go_to_moment(&mut self, Mark { timeline, events }: Mark) -> Answer<()> {
        self.settle_edits();
        if self.name().as_ref() != Some(&timeline) {
            return self.enter_timeline(&timeline, Some(events));
        }
        self.set_course(Course::Replay(events, None));
        Ok(())
    }

    /// To the last event of which something holds, before a moment where one is given; `missing` is said where there is none.
    pub fn look_back(
        &mut self,
        holds: impl Fn(&Scene<'_, G>) -> bool + Send + Sync + 'static,
        end: Option<u64>,
        missing: String,
    ) -> Answer<()> {
        self.settle_edits();
        self.recorded()?;
        let now = self.events();
        let end = end.map_or(now, |end| end.min(now));
        self.scan_back(Target::Event(Box::new(holds)), end, Some((now, missing)));
        Ok(())
    }

    fn scan_back(&mut self, target: Target<G>, end: u64, missing: Option<(u64, String)>) {
        let scan = BackwardScan { target, end, begin: None, found: None, missing };
        self.set_course(Course::Backwards(scan));
    }

    /// A moment after which an entry was surely not written.
    pub fn written_before(&self, at: Keyed<G::Key>) -> Option<u64> {
        let mark = self.searcher.memo.entries().last_written(at)?;
        let later = self.recorder.checkpoints().iter().find(|kept| kept.mark > mark)?;
        Some(later.events())
    }

    /// Goes along a course until it ends or the slice is over.
    pub(super) fn follow_course(&mut self, course: &mut Course<G>, ends: Ends) -> Stop {
        let scan = match course {
            Course::Ahead(goal) => return self.run_ahead(*goal, ends),
            Course::Replay(events, reason) => {
                return match self.replay(*events, ends) {
                    halt @ (Stop::Slice | Stop::Interrupt) => halt,
                    halt => reason.unwrap_or(halt),
                };
            }
            Course::Walk(events) => return self.walk(*events, ends),
            Course::Backwards(scan) => scan,
        };
        match self.scan(scan, ends) {
            Stop::Goal => {}
            halt => return halt,
        }
        let (events, reason) = self.scan_result(scan);
        *course = Course::Replay(events, Some(reason));
        self.follow_course(course, ends)
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
    fn scan(&mut self, scan: &mut BackwardScan<G>, ends: Ends) -> Stop {
        loop {
            if scan.begin.is_none() {
                if !scan.end.checked_sub(1).is_some_and(|end| self.stand_before(end)) {
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
    fn search_stretch(&mut self, scan: &mut BackwardScan<G>, (_, slice_end): Ends) -> Stop {
        loop {
            let before = self.events();
            if before >= scan.end {
                return Stop::Limit;
            }
            let next_edit = self.now.as_ref().map_or(u64::MAX, |now| now.next_edit(before));
            let (target, found) = (&scan.target, &mut scan.found);
            let until = scan.end.min(next_edit);
            let halt = self.under_leash(
                until,
                (None, slice_end),
                |running, (game, memo), debugger, leash| {
                    let scene = (game, running.mode, memo.entries().policy());
                    let mut finder = Finder { target, debugger: &*debugger, scene, found: None };
                    let halt =
                        running.drive::<dyn Watcher<Search<G>>>(game, memo, &mut finder, leash);
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
        let Self { searcher: Searcher { game, memo, .. }, recorder, running, now, .. } = self;
        let (Some(running), Some(now)) = (running, &*now) else {
            return;
        };
        let Some(checkpoint) = recorder.restore(place, memo) else {
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
    pub(super) fn replay(&mut self, target: u64, ends: Ends) -> Stop {
        if self.approach(target) { self.walk(target, ends) } else { Stop::Start }
    }

    fn walk(&mut self, target: u64, (_, slice_end): Ends) -> Stop {
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
        let halt = self.under_leash(until, ends, |running, (game, memo), _, leash| {
            running.drive(game, memo, watcher, leash)
        });
        self.pass(before);
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
    fn approach(&mut self, target: u64) -> bool {
        self.leap(target);
        let kept = self.kept_before(target);
        kept.is_some_and(|kept| (kept..=target).contains(&self.events()))
            || self.stand_before(target)
            || self.replay_from_origin(target)
    }

    /// After how many events the last moment before a target is that is kept.
    fn kept_before(&self, target: u64) -> Option<u64> {
        let place = self.recorder.before(target)?;
        Some(self.recorder.checkpoints()[place].events())
    }

    /// Goes to the last moment before a target that is kept, or that a search can be put to; whether there is one.
    fn stand_before(&mut self, target: u64) -> bool {
        let Some(place) = self.recorder.before(target) else {
            return self.leap(target) || (self.leapt && self.replay_from_origin(target));
        };
        self.restore(place);
        true
    }

    /// Puts a search that is told to a moment before a target, where that is much nearer than any other that is kept.
    pub(super) fn leap(&mut self, target: u64) -> bool {
        let here = Some(self.events()).filter(|here| *here <= target);
        let near = here.max(self.kept_before(target)).unwrap_or(0);
        let (Some(running), Some(now)) = (&mut self.running, &mut self.now) else {
            return false;
        };
        let begin = &now.origin.start;
        let told = self.debugger.leap(&self.searcher.game, begin, [near, target]);
        let (Some(search), [], Ok(memo)) = (told, &*now.edits, Self::start_memo(now)) else {
            return false;
        };
        now.reached = now.reached.max(search.events());
        running.search = search;
        self.searcher.memo = memo;
        self.recorder = Recorder::begin(&running.search, running.ms, &mut self.searcher.memo);
        self.leapt = true;
        true
    }

    /// Goes all the way to where the search stands, so that the table has everything. [`Recording::pump`] does it.
    /// Errors: as a search that begins.
    pub fn read_table(&mut self) -> Answer<()> {
        if let Some(now) = self.now.clone().filter(|_| self.leapt) {
            let here = self.events();
            self.start_over(now)?;
            self.set_course(Course::Walk(here));
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
    pub fn enter_timeline(&mut self, name: &str, events: Option<u64>) -> Answer<()> {
        self.settle_edits();
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
            Self::start_memo(&target)?;
            self.retire();
            self.others.retain(|other| other.name != name);
            self.start_over(target)?;
        }
        self.go_along(Course::Replay(events, None));
        Ok(())
    }
}
