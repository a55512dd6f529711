//! The timelines of a desk: which one is at hand, which were left behind, and how one becomes another.

use std::{collections::BTreeMap, sync::Arc};

use super::{Answer, Desk, Running};
use crate::engine::{
    game::{Fault, Game},
    memo::AnyMemo,
    reply::{MarkReport, TimelineList, TimelineReport},
    session::INLINE_ENTRIES,
    timeline::{Origin, Recorder, Start, Timeline},
};

/// So many timelines that were left are remembered.
const MOST: usize = 16;

/// A moment that has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// On which timeline.
    pub timeline: String,
    /// After how many events.
    pub events: u64,
}

/// The timelines.
#[derive(Clone, Debug)]
pub struct Timelines<G: Game> {
    /// The one at hand; none where the search under way is not recorded.
    pub(super) now: Option<Timeline<G>>,
    pub(super) recorder: Recorder<G>,
    /// Those left behind, oldest first.
    pub(super) others: Vec<Timeline<G>>,
    pub(super) marks: BTreeMap<String, Mark>,
    /// The number of the next one without a name.
    next: u64,
    pub(super) next_edit: u64,
    /// What a reader of the next report should know.
    pub(super) notes: Vec<String>,
}

impl<G: Game> Default for Timelines<G> {
    fn default() -> Self {
        Self {
            now: None,
            recorder: Recorder::default(),
            others: Vec::new(),
            marks: BTreeMap::new(),
            next: 1,
            next_edit: 0,
            notes: Vec::new(),
        }
    }
}

impl<G: Game> Timelines<G> {
    /// The name of the timeline at hand.
    pub(super) fn name(&self) -> Option<String> {
        self.now.as_ref().map(|now| now.name.clone())
    }

    /// The name of the timeline at hand, where another one began with it.
    pub(super) fn one_of_several(&self) -> Option<String> {
        let now = self.now.as_ref()?;
        let kin = |other: &Timeline<G>| Arc::ptr_eq(&other.origin, &now.origin);
        self.others.iter().any(kin).then(|| now.name.clone())
    }

    pub(super) fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// The note on a branch just made, to be shown once.
    pub(super) fn take_note(&mut self) -> Option<String> {
        self.notes.pop()
    }

    /// The search stops here for want of time, or by the user: going forwards again ends here.
    pub(super) fn end(&mut self, events: u64) {
        if let Some(now) = self.now.as_mut().filter(|now| events >= now.reached) {
            now.ended = Some(events);
        }
    }

    /// Where going forwards from so many events must end; never where nothing ended the recording later.
    pub(super) fn recorded_end(&self, events: u64) -> u64 {
        let ended = self.now.as_ref().and_then(|now| now.ended);
        ended.filter(|&end| end > events).unwrap_or(u64::MAX)
    }

    /// Before going forwards from so many events: whether that replays what was recorded up to an end. From the end itself
    /// the search goes on, and there is none any more.
    pub(super) fn replays_from(&mut self, events: u64) -> bool {
        if let Some(now) = &mut self.now {
            now.ended = now.ended.filter(|&end| end > events);
        }
        self.recorded_end(events) < u64::MAX
    }

    fn is_taken(&self, name: &str) -> bool {
        self.now
            .iter()
            .chain(&self.others)
            .any(|timeline| timeline.name == name)
    }

    pub(super) fn fresh_name(&mut self) -> String {
        loop {
            let name = self.next.to_string();
            self.next += 1;
            if !self.is_taken(&name) {
                return name;
            }
        }
    }

    pub(super) fn other(&self, name: &str) -> Option<usize> {
        self.others
            .iter()
            .position(|timeline| timeline.name == name)
    }

    /// Puts a timeline to the others; the oldest of them go where there are too many.
    pub(super) fn leave(&mut self, timeline: Timeline<G>, budget: usize) {
        self.others.push(timeline);
        let bytes = |others: &[Timeline<G>]| others.iter().map(Timeline::bytes).sum::<usize>();
        while self.others.len() > MOST || (bytes(&self.others) > budget && self.others.len() > 1) {
            let gone = self.others.remove(0);
            self.marks.retain(|_, mark| mark.timeline != gone.name);
        }
    }
}

impl<G: Game> Desk<G> {
    /// Memory for walking back, in bytes.
    pub(super) fn history_budget(&self) -> usize {
        self.settings.record_mib.saturating_mul(1 << 20)
    }

    /// A search begins: what was recorded before is left behind.
    pub(super) fn begin_timeline(&mut self, running: &Running<G>) {
        self.retire();
        self.timelines.notes.clear();
        if self.settings.record {
            self.record(running);
        }
    }

    /// Starts to record a search from where it stands.
    pub(super) fn record(&mut self, running: &Running<G>) {
        let origin = Origin::new(
            self.game.clone(),
            self.weights.clone(),
            self.settings.clone(),
            running.search.clone(),
        );
        // A small cache is put down at once, so that a session file can hold it.
        match self.memo.entries().len() {
            0 => origin.set_memo(Start::Empty),
            1..=INLINE_ENTRIES => origin.set_memo(Start::Kept(Arc::new(self.memo.clone()))),
            _ => {}
        }
        let name = self.timelines.fresh_name();
        self.timelines.recorder = Recorder::begin(&running.search, running.ms, &mut self.memo);
        self.timelines.now = Some(Timeline::new(name, origin));
    }

    /// Leaves the timeline at hand; the cache stays as it is.
    pub(super) fn retire(&mut self) {
        let Some(mut now) = self.timelines.now.take() else {
            return;
        };
        if let Some(running) = &self.running {
            now.at = running.search.events();
            now.reached = now.reached.max(now.at);
        }
        if now.origin.memo().is_none() {
            let start = self.start_in_journal();
            now.origin.set_memo(start);
        }
        self.memo.entries_mut().record(false);
        self.timelines.recorder = Recorder::default();
        let budget = self.history_budget() / 2;
        if now.reached > now.origin.start.events() {
            self.timelines.leave(now, budget);
        }
    }

    /// The cache as it was when recording began, if its journal still leads there and it is not too large to keep.
    fn start_in_journal(&mut self) -> Start<G::Key> {
        let now = self.timelines.now.as_ref();
        let begin = now.map_or(0, |now| now.origin.start.events());
        let complete = self.timelines.recorder.base() == begin;
        if !complete || self.memo.entries().bytes() > self.history_budget() / 16 {
            return Start::Lost;
        }
        let present = self.memo.clone();
        self.memo.entries_mut().rewind(0);
        Start::Kept(Arc::new(
            std::mem::replace(&mut self.memo, present).unrecorded(),
        ))
    }

    /// After how many events a run must pause: for a checkpoint, or an edit that the timeline has there. A way back may
    /// have ended where a checkpoint is due; then it is kept one event later.
    pub(super) fn next_pause(&self) -> u64 {
        let (Some(now), Some(running)) = (&self.timelines.now, &self.running) else {
            return u64::MAX;
        };
        let events = running.search.events();
        let due = self.timelines.recorder.due().max(events + 1);
        due.min(now.next_edit(events))
    }

    /// A run has paused: keeps a checkpoint if it is time, and makes the edits that the timeline has at this point.
    pub(super) fn pass(&mut self, before: u64) {
        if self.events_so_far() == before {
            return;
        }
        self.learn();
        let budget = self.history_budget();
        let (Some(now), Some(running)) = (&mut self.timelines.now, &self.running) else {
            return;
        };
        let events = running.search.events();
        now.reached = now.reached.max(events);
        let recorder = &mut self.timelines.recorder;
        let (search, ms) = (&running.search, running.ms);
        if recorder.keep(search, ms, &mut self.memo, budget) {
            let base = recorder.base();
            self.timelines.notes = vec![format!(
                "the recording outgrew {} MiB: it begins at event {base} now (`search set record_mib=` gives it more)",
                self.settings.record_mib
            )];
        }
        self.make_edits();
    }

    /// Leaves the timeline at hand for a new one that is the same up to here.
    pub(super) fn branch(&mut self, name: String, events: u64) {
        let Some(mut old) = self.timelines.now.take() else {
            return;
        };
        old.at = events;
        self.timelines.notes = vec![format!(
            "timeline {name} branches off timeline {} after event {}",
            old.name,
            events.saturating_sub(1)
        )];
        self.timelines.now = Some(old.branch(name, events));
        let budget = self.history_budget() / 2;
        self.timelines.leave(old, budget);
    }

    /// Branches here by hand.
    pub(super) fn fork_here(&mut self, name: Option<&str>) -> Answer<()> {
        self.settle_edits();
        let events = self.under_way()?.search.events();
        self.recorded()?;
        let name = match name {
            None => self.timelines.fresh_name(),
            Some(name) if self.timelines.is_taken(name) => {
                return Err(Fault::new(format!("there is a timeline `{name}` already"))
                    .hint("`timeline` lists them"));
            }
            Some(name) => {
                super::tuning::check_name("timeline", name)?;
                name.to_owned()
            }
        };
        self.branch(name, events);
        Ok(())
    }

    /// The timeline at hand.
    pub(super) fn recorded(&self) -> Answer<&Timeline<G>> {
        self.under_way()?;
        self.timelines.now.as_ref().ok_or_else(|| {
            Fault::new("this search was not recorded")
                .hint("`search set record=on`, then `search run` or `step` records one")
        })
    }

    /// Puts the machine, the cache and the settings of a timeline's origin in force, and records from there.
    pub(super) fn start_over(&mut self, timeline: Timeline<G>) -> Answer<()> {
        let origin = Arc::clone(&timeline.origin);
        let memo = Self::start_memo(&timeline)?;
        let evaluator = origin
            .game
            .evaluator(&origin.weights, origin.start.root())?;
        self.game = origin.game.clone();
        self.weights = origin.weights.clone();
        self.settings = origin.settings.clone();
        self.memo = memo;
        let running = Running {
            search: origin.start.clone(),
            evaluator,
            mode: self.settings.mode(),
            ms: 0.0,
            time_ms: self.settings.time_ms,
            breakpoint: None,
            selected: None,
        };
        self.timelines.recorder = Recorder::begin(&running.search, 0.0, &mut self.memo);
        self.timelines.now = Some(timeline);
        self.running = Some(running);
        self.make_edits();
        Ok(())
    }

    /// The cache at a timeline's origin.
    pub(super) fn start_memo(timeline: &Timeline<G>) -> Answer<AnyMemo<G::Key>> {
        let settings = &timeline.origin.settings;
        let mut memo = match timeline.origin.memo() {
            Some(Start::Empty) => settings.new_memo(),
            Some(Start::Kept(memo)) => AnyMemo::clone(memo),
            Some(Start::Lost) | None => {
                return Err(Fault::new(format!(
                    "the cache with which timeline {} began is gone: it was too large to keep",
                    timeline.name
                ))
                .hint("`search set record_mib=` gives the recording more memory, from the next search on"));
            }
        };
        settings.set_up(&mut memo);
        Ok(memo)
    }

    /// Where the search stands in the recording.
    pub(super) fn list_timelines(&self) -> TimelineList {
        let events = |running: &Running<G>| running.search.events();
        let here = self.running.as_ref().map_or(0, events);
        let report = |timeline: &Timeline<G>, current: bool| TimelineReport {
            name: timeline.name.clone(),
            current,
            begins: timeline.origin.start.events(),
            events: if current { here } else { timeline.at },
            reached: timeline.reached.max(if current { here } else { 0 }),
            parent: timeline.parent.as_ref().map(|(name, _)| name.clone()),
            branched: timeline.parent.as_ref().map(|(_, at)| at.saturating_sub(1)),
            state: self.game.format_position(timeline.origin.start.root()),
            edits: timeline
                .edits
                .iter()
                .map(|edited| {
                    let words = edited.edit.words(|at| self.keyed_text(at));
                    format!("after event {}: {words}", edited.after.saturating_sub(1))
                })
                .collect(),
        };
        let others = self
            .timelines
            .others
            .iter()
            .map(|other| report(other, false));
        let now = self.timelines.now.iter().map(|now| report(now, true));
        TimelineList {
            timelines: others.chain(now).collect(),
            marks: self.list_marks(),
            bytes: self.timelines.recorder.bytes(&self.memo),
        }
    }

    fn list_marks(&self) -> Vec<MarkReport> {
        let marks = self.timelines.marks.iter();
        let marks = marks.map(|(name, mark)| MarkReport {
            name: name.clone(),
            timeline: mark.timeline.clone(),
            event: mark.events.saturating_sub(1),
        });
        marks.collect()
    }

    /// Names the moment at hand.
    pub(super) fn set_mark(&mut self, name: &str) -> Answer<TimelineList> {
        self.settle_edits();
        let timeline = self.recorded()?.name.clone();
        let events = self.under_way()?.search.events();
        self.timelines
            .marks
            .insert(name.to_owned(), Mark { timeline, events });
        Ok(self.list_timelines())
    }

    /// Forgets a named moment.
    pub(super) fn forget_mark(&mut self, name: &str) -> Answer<TimelineList> {
        match self.timelines.marks.remove(name) {
            Some(_) => Ok(self.list_timelines()),
            None => Err(self.no_mark(name)),
        }
    }

    pub(super) fn no_mark(&self, name: &str) -> Fault {
        let names: Vec<_> = self.timelines.marks.keys().map(String::as_str).collect();
        let fault = Fault::new(format!("no moment is called `{name}`"));
        if names.is_empty() {
            fault.hint("`mark NAME` names the moment at hand")
        } else {
            fault.hint(format!("there are {}", names.join(", ")))
        }
    }

    /// Forgets a timeline that is not at hand.
    pub(super) fn forget_timeline(&mut self, name: &str) -> Answer<TimelineList> {
        let place = self.timeline_called(name)?;
        self.timelines.others.remove(place);
        self.timelines.marks.retain(|_, mark| mark.timeline != name);
        Ok(self.list_timelines())
    }

    pub(super) fn timeline_called(&self, name: &str) -> Answer<usize> {
        self.timelines.other(name).ok_or_else(|| {
            if self.timelines.name().as_deref() == Some(name) {
                return Fault::new(format!("timeline {name} is the one at hand"));
            }
            Fault::new(format!("no timeline is called `{name}`")).hint("`timeline` lists them")
        })
    }

    /// The root of the search as the position at hand, where it is another one.
    pub(super) fn show_root(&mut self) {
        let Some(running) = &self.running else { return };
        let root = running.search.root();
        if *root == self.now.position {
            return;
        }
        let moment = super::Moment {
            position: root.clone(),
            history: running.search.history_at(0),
            mv: None,
        };
        self.past.push(std::mem::replace(&mut self.now, moment));
        self.future.clear();
    }
}
