//! Reverse execution: to an event by its number, or to the last one that meets a condition.

use std::sync::Arc;

use super::{
    Bookmark, Pending, Recorder, Recording, Resume, StopAt, StopConditions, run::Deadlines,
};

use crate::{
    engine::{
        core::{
            game::{Fault, Keyed, Remedy, Result, SearchRules},
            search::{Event, EventContext, EventKind, Mode, NoWatcher, Search, Stop, Watcher},
            table::Policy,
        },
        searcher::Searcher,
    },
    text::count,
};

/// The command by which a search goes backwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backward {
    /// Back by a number of events.
    Step(u64),
    /// Back over one event, or over the subtree that the event left.
    Next,
    /// Back to before the current node was entered.
    Finish,
    /// Back to the last event of a kind.
    Until(EventKind),
    /// Back to the last breakpoint, or to the beginning of the recording.
    Continue,
    /// Back to the event that last stored an entry or set a value.
    Last,
}

/// The target of a run. Positions in the recording are numbers of events.
pub(super) enum PendingRun<G: SearchRules> {
    /// Forwards until the condition of [`StopAt`] is met.
    Forward(StopAt),
    /// To a number of events, from the last checkpoint before it. The stop is the reason to report there, if known.
    Seek(u64, Option<Stop>),
    /// To a number of events, from the current event and without checkpoints.
    Replay(u64),
    /// Backwards to the last match of a scan.
    Reverse(BackwardScan<G>),
}

type Condition<G> = dyn Fn(&EventContext<'_, G>) -> bool + Send + Sync;

/// The target of a backward scan.
enum ScanFor<G: SearchRules> {
    /// A place where a run can stop, or a breakpoint.
    StopAt(StopAt),
    /// An event that meets a condition.
    Event(Box<Condition<G>>),
}

/// A search backwards for the last match: from checkpoint to checkpoint, the latest first, each stretch replayed forwards.
pub(super) struct BackwardScan<G: SearchRules> {
    target: ScanFor<G>,
    /// The end of the current stretch.
    end: u64,
    /// The beginning of the current stretch; `None` before it is replayed.
    begin: Option<u64>,
    /// The last match in the stretch: the number of events up to and including it, and the stop to report there.
    found: Option<(u64, Stop)>,
    /// If nothing matches: the number of events to return to, and a note.
    missing: Option<(u64, String)>,
}

/// A watcher that notes the last match and never stops the run.
struct Finder<'a, G: SearchRules, D> {
    target: &'a ScanFor<G>,
    debugger: &'a D,
    game: &'a G,
    mode: Mode,
    policy: Policy,
    /// The last match so far: the number of events up to and including it, and the stop to report there.
    found: Option<(u64, Stop)>,
}

impl<G: SearchRules, D: StopConditions<G>> Watcher<Search<G>> for Finder<'_, G, D> {
    fn see(&mut self, event: &Event, search: &Search<G>) -> bool {
        let Self { game, mode, policy, .. } = *self;
        let context = EventContext { game, event, search, mode, policy };
        let stop = match self.target {
            ScanFor::StopAt(StopAt::Breakpoint) => self.debugger.breakpoint_at(&context),
            ScanFor::StopAt(stop_at) => stop_at.is_reached(event, search).then_some(Stop::Goal),
            ScanFor::Event(condition) => condition(&context).then_some(Stop::Goal),
        };
        if let Some(stop) = stop {
            self.found = Some((event.index + 1, stop));
        }
        false
    }
}

impl<G: SearchRules, D: StopConditions<G>> Recording<G, D> {
    /// Starts a run backwards; [`Recording::pump`] drives it. Such a run can be expensive, because it replays from checkpoints.
    /// Errors: the search is not recorded.
    pub fn reverse(&mut self, back: Backward) -> Result<()> {
        self.commit_edits();
        self.timeline()?;
        let running = self.under_way()?;
        let (now, height) = (running.search.events(), running.search.frames().len());
        let target = match back {
            Backward::Step(events) => {
                self.start_run(PendingRun::Seek(now.saturating_sub(events), None));
                return Ok(());
            }
            // Without breakpoints, the search goes back to its first event.
            Backward::Continue if !self.debugger.any_enabled() => {
                self.start_run(PendingRun::Seek(0, None));
                return Ok(());
            }
            Backward::Last => {
                return Err(Fault::new("`last` needs the entry or value whose writer is wanted"));
            }
            Backward::Next => StopAt::HeightAtMost(height),
            Backward::Finish => StopAt::HeightBelow(height.max(2)),
            Backward::Until(kind) => StopAt::Kind(kind),
            Backward::Continue => StopAt::Breakpoint,
        };
        self.scan_back(ScanFor::StopAt(target), now.saturating_sub(1), None);
        Ok(())
    }

    fn start_run(&mut self, run: PendingRun<G>) {
        self.notes.clear();
        self.begin_run(run);
    }

    /// Starts a run to an event by its number, forwards or backwards.
    /// Errors: the search ended before the event, or is not recorded.
    pub fn seek(&mut self, index: u64) -> Result<()> {
        self.commit_edits();
        let from = self.events();
        self.return_from_aside(index.saturating_add(1));
        if index >= self.events() {
            if let Some(ended) = self.ended_before(index) {
                return Err(Fault::new(ended).needs(Remedy::Event));
            }
            self.resume_to(Resume::Goto(index))?;
        } else {
            self.timeline()?;
            self.start_run(PendingRun::Seek(index + 1, None));
        }
        self.pending = self.pending.take().map(|pending| Pending { from, ..pending });
        Ok(())
    }

    /// Starts a run to a bookmark, which may be on another timeline.
    /// Errors: the timeline no longer exists, or cannot be replayed.
    pub fn seek_bookmark(&mut self, Bookmark { timeline, events }: Bookmark) -> Result<()> {
        self.commit_edits();
        if self.name().as_ref() != Some(&timeline) {
            return self.enter_timeline(&timeline, Some(events));
        }
        self.start_run(PendingRun::Seek(events, None));
        Ok(())
    }

    /// Goes back to the last event that meets a condition, within the first `end` events; if there is none, the search stays
    /// where it is, with the note `missing`. Errors: the search is not recorded.
    pub fn reverse_to(
        &mut self,
        condition: impl Fn(&EventContext<'_, G>) -> bool + Send + Sync + 'static,
        end: Option<u64>,
        missing: String,
    ) -> Result<()> {
        self.commit_edits();
        self.timeline()?;
        let now = self.events();
        let end = end.map_or(now, |end| end.min(now));
        self.scan_back(ScanFor::Event(Box::new(condition)), end, Some((now, missing)));
        Ok(())
    }

    fn scan_back(&mut self, target: ScanFor<G>, end: u64, missing: Option<(u64, String)>) {
        let scan = BackwardScan { target, end, begin: None, found: None, missing };
        self.start_run(PendingRun::Reverse(scan));
    }

    /// The number of events at the first checkpoint after the last write of an entry; `None` if unknown.
    pub fn last_write_before(&self, at: Keyed<G::Key>) -> Option<u64> {
        let mark = self.searcher.table.entries().last_written(at)?;
        let later = self.recorder.checkpoints().iter().find(|later| later.mark > mark)?;
        Some(later.events())
    }

    /// Continues a run until it ends or the slice is over.
    pub(super) fn continue_run(&mut self, run: &mut PendingRun<G>, deadlines: Deadlines) -> Stop {
        let scan = match run {
            PendingRun::Forward(stop_at) => return self.run_forward(*stop_at, deadlines),
            PendingRun::Seek(events, reason) => {
                return match self.seek_moment(*events, deadlines) {
                    halt @ (Stop::Slice | Stop::Interrupt) => halt,
                    halt => reason.unwrap_or(halt),
                };
            }
            PendingRun::Replay(events) => return self.replay_to(*events, deadlines),
            PendingRun::Reverse(scan) => scan,
        };
        match self.scan(scan, deadlines) {
            Stop::Goal => {}
            halt => return halt,
        }
        let (events, reason) = self.scan_result(scan);
        *run = PendingRun::Seek(events, Some(reason));
        self.continue_run(run, deadlines)
    }

    /// The number of events to which a finished scan leads, and the reason to stop there.
    fn scan_result(&mut self, scan: &mut BackwardScan<G>) -> (u64, Stop) {
        match (scan.found, scan.missing.take()) {
            (Some(found), _) => found,
            (None, Some((events, note))) => {
                self.notes.push(note);
                (events, Stop::Goal)
            }
            (None, None) => (self.recorder.base(), Stop::Start),
        }
    }

    /// Scans stretch by stretch; returns [`Stop::Goal`] with a match or at the beginning of the recording.
    fn scan(&mut self, scan: &mut BackwardScan<G>, deadlines: Deadlines) -> Stop {
        loop {
            if scan.begin.is_none() {
                if !scan.end.checked_sub(1).is_some_and(|end| self.restore_checkpoint_before(end)) {
                    return Stop::Goal;
                }
                scan.begin = Some(self.events());
            }
            match self.scan_stretch(scan, deadlines.slice_only()) {
                Stop::Limit => {}
                halt => return halt,
            }
            if scan.found.is_some() {
                return Stop::Goal;
            }
            scan.end = scan.begin.take().unwrap_or(0);
        }
    }

    /// Replays the current stretch and notes its last match; returns [`Stop::Limit`] at the end of the stretch.
    fn scan_stretch(&mut self, scan: &mut BackwardScan<G>, deadlines: Deadlines) -> Stop {
        loop {
            let before = self.events();
            if before >= scan.end {
                return Stop::Limit;
            }
            let next_edit = self.now.as_ref().map_or(u64::MAX, |now| now.next_edit(before));
            let (target, found) = (&scan.target, &mut scan.found);
            let until = scan.end.min(next_edit);
            let halt =
                self.with_limits(until, deadlines, |running, game, table, debugger, limits| {
                    let (mode, policy) = (running.mode, table.entries().policy());
                    let debugger = &*debugger;
                    let mut finder = Finder { target, debugger, game, mode, policy, found: None };
                    let halt =
                        running.drive::<dyn Watcher<Search<G>>>(game, table, &mut finder, limits);
                    *found = finder.found.or(*found);
                    halt
                });
            if self.events() > before {
                self.apply_edits();
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
        self.apply_edits();
    }

    /// Goes to a number of events, backwards or forwards.
    pub(super) fn seek_moment(&mut self, target: u64, deadlines: Deadlines) -> Stop {
        if self.seek_to_checkpoint_before(target) {
            self.replay_to(target, deadlines)
        } else {
            Stop::Start
        }
    }

    fn replay_to(&mut self, target: u64, deadlines: Deadlines) -> Stop {
        loop {
            let before = self.events();
            if before >= target {
                let first = self.now.as_ref().map_or(0, |now| now.origin.start.events());
                return if before > first { Stop::Goal } else { Stop::Start };
            }
            match self.run_to_pause(target, deadlines.slice_only(), &mut NoWatcher) {
                Stop::Limit => {}
                stop if stop.is_own() && self.events() == target => {}
                stop => return stop,
            }
        }
    }

    /// Runs until `target` events, or until the next pause: a checkpoint or an edit.
    fn run_to_pause<W: Watcher<Search<G>> + ?Sized>(
        &mut self,
        target: u64,
        deadlines: Deadlines,
        watcher: &mut W,
    ) -> Stop {
        let before = self.events();
        let until = self.next_pause().min(target);
        let halt = self.with_limits(until, deadlines, |running, game, table, _, limits| {
            running.drive(game, table, watcher, limits)
        });
        self.pause(before);
        self.halt_after_edits(halt)
    }

    /// The reason of a stop, once the edits at this event are applied: [`Stop::Limit`] if one of them raised the budget.
    pub(super) fn halt_after_edits(&self, halt: Stop) -> Stop {
        let stopped =
            self.running.as_ref().is_none_or(|running| running.search.stopped().is_some());
        if halt.is_own() && !stopped { Stop::Limit } else { halt }
    }

    /// Runs until `target` events, or to the end, under a watcher that never stops the run. Returns why the run stopped.
    pub fn rerun(&mut self, target: u64, watcher: &mut dyn Watcher<Search<G>>) -> Stop {
        loop {
            let before = self.events();
            let stop = self.run_to_pause(target, Deadlines::default(), watcher);
            let here = self.events();
            if stop != Stop::Limit || here >= target || here == before {
                return stop;
            }
        }
    }

    /// A message if the search under way ended before the event with this number.
    pub fn ended_before(&self, index: u64) -> Option<String> {
        let search = &self.running.as_ref()?.search;
        let ended = search.is_over() || search.stopped().is_some();
        let last = search.events().checked_sub(1)?;
        let [asked, end] = [index, last].map(count);
        (ended && index > last)
            .then(|| format!("there is no event {asked}: the search ends with event {end}"))
    }

    /// Goes to the last checkpoint before a target, unless the search is between the two already. `false` without a
    /// checkpoint: then the search is at the beginning of the recording.
    fn seek_to_checkpoint_before(&mut self, target: u64) -> bool {
        self.jump(target);
        let checkpoint = self.checkpoint_before(target);
        checkpoint.is_some_and(|from| (from..=target).contains(&self.events()))
            || self.restore_checkpoint_before(target)
    }

    /// The number of events at the last checkpoint before a target.
    fn checkpoint_before(&self, target: u64) -> Option<u64> {
        let place = self.recorder.checkpoint_before(target)?;
        Some(self.recorder.checkpoints()[place].events())
    }

    /// Goes to the last checkpoint before a target, jumps closer or starts again; `false` if none of these is possible.
    fn restore_checkpoint_before(&mut self, target: u64) -> bool {
        let Some(place) = self.recorder.checkpoint_before(target) else {
            return self.jump(target) || self.replay_from_origin(target);
        };
        let begin = self.now.as_ref().map(|now| now.origin.start.events());
        let is_first = place == 0 && begin == Some(self.recorder.base());
        if !is_first || !self.set_aside() {
            self.restore(place);
        }
        true
    }

    /// Jumps to a keyframe or, in a trace, to a landmark before a target, if that is much closer than the current event or a
    /// checkpoint.
    pub(super) fn jump(&mut self, target: u64) -> bool {
        let here = Some(self.events()).filter(|here| *here <= target);
        let nearest = here.max(self.checkpoint_before(target)).unwrap_or(0);
        if self.change_to_keyframe(nearest, target) {
            return true;
        }
        let (Some(running), Some(now)) = (&mut self.running, &mut self.now) else {
            return false;
        };
        let begin = &now.origin.start;
        let search = self.debugger.jump(&self.searcher.game, begin, [nearest, target]);
        let (Some(search), [], Ok(table)) = (search, &*now.edits, Self::table_at_start(now)) else {
            return false;
        };
        now.reached = now.reached.max(search.events());
        running.search = search;
        self.searcher.table = table;
        self.recorder = Recorder::begin(&running.search, running.ms, &mut self.searcher.table);
        self.jumped = true;
        true
    }

    /// After a jump, replays the trace up to the current event, so that the table is complete. [`Recording::pump`] drives it.
    /// Errors: weights that the game cannot use.
    pub fn complete_table(&mut self) -> Result<()> {
        if let Some(now) = self.now.clone().filter(|_| self.jumped) {
            let here = self.events();
            self.start_over(now)?;
            self.start_run(PendingRun::Replay(here));
        }
        Ok(())
    }

    /// Starts again from the origin of the timeline, because the oldest checkpoint is later than the target.
    fn replay_from_origin(&mut self, target: u64) -> bool {
        let Some(now) = self.now.clone() else {
            return false;
        };
        let origin = now.origin.start.events();
        if target >= origin
            && now.origin.table.is_some()
            && (!self.jumped && self.set_aside() || self.start_over(now).is_ok())
        {
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

    /// Switches to another timeline, at a number of events or where the timeline was left.
    /// Errors: no such timeline, or its first table is lost.
    pub fn enter_timeline(&mut self, name: &str, events: Option<u64>) -> Result<()> {
        self.commit_edits();
        let place = self.timeline_index(name)?;
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
        let checkpoint = shared.and_then(|shared| {
            // The first checkpoint may come from a session file; such a checkpoint includes the edits at its event.
            let is_before_edits = |place: &usize| *place > 0 || self.recorder.base() < shared;
            self.recorder.checkpoint_before(shared).filter(is_before_edits)
        });
        if let Some(checkpoint) = checkpoint {
            let target = self.others.remove(place);
            self.others.extend(self.now.replace(target));
            // Up to the checkpoint both timelines are the same, except for edits at that event.
            self.drop_keyframes_after(shared.unwrap_or(0));
            self.restore(checkpoint);
        } else {
            // Restoring the first table can fail, so it comes before the current timeline is left.
            Self::table_at_start(&target)?;
            self.leave_timeline();
            self.others.retain(|other| other.name != name);
            self.start_over(target)?;
        }
        self.begin_run(PendingRun::Seek(events, None));
        Ok(())
    }
}
