//! Which timeline is at hand, which were left behind, and how one becomes another.

use std::sync::Arc;

use super::{Origin, Recorder, Recording, Running, SMALL_TABLE, Start, Stops, Timeline};

use crate::engine::core::{
    game::{Fault, Remedy, Result, SearchRules},
    searcher::Searcher,
    table::AnyTable,
};

/// So many timelines that were left are remembered.
const MOST: usize = 16;

/// A moment that has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bookmark {
    /// On which timeline.
    pub timeline: String,
    /// After how many events.
    pub events: u64,
}

impl<G: SearchRules, D: Stops<G>> Recording<G, D> {
    /// The name of the timeline at hand.
    pub fn name(&self) -> Option<String> {
        self.now.as_ref().map(|now| now.name.clone())
    }

    /// The name of the timeline at hand, where another one began with it.
    pub fn one_of_several(&self) -> Option<String> {
        let now = self.now.as_ref()?;
        let kin = |other: &Timeline<G>| Arc::ptr_eq(&other.origin, &now.origin);
        self.others.iter().any(kin).then(|| now.name.clone())
    }

    /// The search stops here for want of time, or by the user: going forwards again ends here.
    pub(super) fn end(&mut self, events: u64) {
        if let Some(now) = self.now.as_mut().filter(|now| events >= now.reached) {
            now.ended = Some(events);
        }
    }

    /// The event count at which going forwards from `events` must end: that at which the recording ended, if that is later.
    pub(super) fn recorded_end(&self, events: u64) -> u64 {
        let ended = self.now.as_ref().and_then(|now| now.ended);
        ended.filter(|&end| end > events).unwrap_or(u64::MAX)
    }

    /// Whether going forwards from `events` replays what was recorded, up to where that ended. From the end itself
    /// the search goes on, and there is none any more.
    pub(super) fn replays_from(&mut self, events: u64) -> bool {
        if let Some(now) = &mut self.now {
            now.ended = now.ended.filter(|&end| end > events);
        }
        self.recorded_end(events) < u64::MAX
    }

    fn is_taken(&self, name: &str) -> bool {
        self.now.iter().chain(&self.others).any(|timeline| timeline.name == name)
    }

    /// The number after those that name a timeline, or one that another branched off.
    pub(super) fn fresh_name(&self) -> String {
        let all = || self.now.iter().chain(&self.others);
        let parents = all().filter_map(|timeline| Some(&timeline.parent.as_ref()?.0));
        let names = all().map(|timeline| &timeline.name).chain(parents);
        let numbers = names.filter_map(|name| name.parse::<u64>().ok());
        numbers.max().unwrap_or(0).saturating_add(1).to_string()
    }

    /// Puts a timeline to the others; the oldest of them go where there are too many.
    fn leave(&mut self, timeline: Timeline<G>, budget: usize) {
        self.others.push(timeline);
        let bytes = |others: &[Timeline<G>]| others.iter().map(Timeline::bytes).sum::<usize>();
        while self.others.len() > MOST || (bytes(&self.others) > budget && self.others.len() > 1) {
            let gone = self.others.remove(0);
            self.bookmarks.retain(|_, mark| mark.timeline != gone.name);
        }
    }

    /// A search begins: what was recorded before is left behind.
    pub(super) fn begin_timeline(&mut self, running: &Running<G>) {
        self.leave_timeline();
        self.notes.clear();
        if self.searcher.settings.record {
            self.record(running);
        }
    }

    /// Starts to record a search from where it stands.
    pub(super) fn record(&mut self, running: &Running<G>) {
        let now = Timeline::new(self.fresh_name(), self.origin_here(running));
        self.recorder = Recorder::begin(&running.search, running.ms, &mut self.searcher.table);
        self.jumped = false;
        self.now = Some(now);
    }

    /// The origin of a recording that begins here.
    fn origin_here(&self, running: &Running<G>) -> Origin<G> {
        let Searcher { game, weights, settings, table } = &self.searcher;
        let origin =
            Origin::new(game.clone(), weights.clone(), settings.clone(), running.search.clone());
        // A small cache is put down at once, so that a session file can hold it.
        match table.entries().len() {
            0 => origin.set_table(Start::Empty),
            1..=SMALL_TABLE => origin.set_table(Start::Kept(Arc::new(table.clone()))),
            _ => {}
        }
        origin
    }

    /// The timeline of a recording that would begin here, where searches are recorded.
    pub fn timeline_from_here(&self) -> Option<Timeline<G>> {
        let running = self.running.as_ref().filter(|_| self.searcher.settings.record)?;
        let name = self.name().unwrap_or_else(|| self.fresh_name());
        Some(Timeline::new(name, self.origin_here(running)))
    }

    /// Leaves the timeline at hand; the cache stays as it is.
    pub fn leave_timeline(&mut self) {
        let Some(mut now) = self.now.take() else {
            return;
        };
        if let Some(running) = &self.running {
            now.at = running.search.events();
            now.reached = now.reached.max(now.at);
        }
        if now.origin.memo().is_none() {
            let start = self.start_in_journal();
            now.origin.set_table(start);
        }
        self.searcher.table.entries_mut().record(false);
        self.recorder = Recorder::default();
        let budget = self.budget() / 2;
        if now.reached > now.origin.start.events() {
            self.leave(now, budget);
        }
    }

    /// The cache as it was when recording began, if its journal still leads there and it is not too large to keep.
    fn start_in_journal(&mut self) -> Start<G::Key> {
        let now = self.now.as_ref();
        let begin = now.map_or(0, |now| now.origin.start.events());
        let complete = self.recorder.base() == begin;
        if !complete || self.searcher.table.entries().bytes() > self.budget() / 16 {
            return Start::Lost;
        }
        let present = self.searcher.table.clone();
        self.searcher.table.entries_mut().rewind(0);
        Start::Kept(Arc::new(std::mem::replace(&mut self.searcher.table, present).unrecorded()))
    }

    /// After how many events a run must pause: for a checkpoint, or an edit that the timeline has there. A way back may
    /// have ended where a checkpoint is due; then it is kept one event later.
    pub(super) fn next_pause(&self) -> u64 {
        let (Some(now), Some(running)) = (&self.now, &self.running) else {
            return u64::MAX;
        };
        let events = running.search.events();
        let due = self.recorder.due().max(events + 1);
        due.min(now.next_edit(events))
    }

    /// A run has paused: keeps a checkpoint if it is time, and makes the edits that the timeline has at this point.
    pub(super) fn pause(&mut self, before: u64) {
        if self.events() == before {
            return;
        }
        self.learn();
        let budget = self.budget();
        let (Some(now), Some(running)) = (&mut self.now, &self.running) else {
            return;
        };
        let events = running.search.events();
        now.reached = now.reached.max(events);
        if running.search.iterations.len() > now.iterations.len() {
            now.iterations.clone_from(&running.search.iterations);
        }
        let recorder = &mut self.recorder;
        let (search, ms) = (&running.search, running.ms);
        if recorder.keep(search, ms, &mut self.searcher.table, budget) {
            self.notes = vec![format!(
                "the recording outgrew {} MiB: it begins at event {} now (`search set record_mib=` gives it more)",
                self.searcher.settings.record_mib,
                recorder.base()
            )];
        }
        self.make_edits();
    }

    /// Leaves the timeline at hand for a new one that is the same up to here.
    pub(super) fn branch(&mut self, name: String, events: u64) {
        let Some(mut old) = self.now.take() else {
            return;
        };
        old.at = events;
        self.notes = vec![format!(
            "timeline {name} branches off timeline {} after event {}",
            old.name,
            events.saturating_sub(1)
        )];
        self.now = Some(old.branch(name, events));
        let budget = self.budget() / 2;
        self.leave(old, budget);
    }

    /// Branches here by hand.
    pub fn fork_here(&mut self, name: Option<&str>) -> Result<()> {
        self.commit_edits();
        let events = self.under_way()?.search.events();
        self.recorded()?;
        let name = match name {
            None => self.fresh_name(),
            Some(name) if self.is_taken(name) => {
                return Err(Fault::new(format!("there is a timeline `{name}` already"))
                    .about_word(name)
                    .needs(Remedy::Timeline));
            }
            Some(name) => name.to_owned(),
        };
        self.branch(name, events);
        Ok(())
    }

    /// The timeline at hand.
    pub fn recorded(&self) -> Result<&Timeline<G>> {
        self.under_way()?;
        let none = || Fault::new("this search was not recorded").needs(Remedy::Recording);
        self.now.as_ref().ok_or_else(none)
    }

    /// Puts the machine, the cache and the settings of a timeline's origin in force, and records from there.
    pub(super) fn start_over(&mut self, timeline: Timeline<G>) -> Result<()> {
        let origin = Arc::clone(&timeline.origin);
        let table = Self::start_table(&timeline)?;
        let evaluator = origin.game.evaluator(&origin.weights, origin.start.root())?;
        self.searcher.game = origin.game.clone();
        self.searcher.weights = origin.weights.clone();
        self.searcher.settings = origin.settings.clone();
        self.searcher.table = table;
        let running = Running {
            time_ms: self.searcher.settings.time_ms,
            ..Running::new((origin.start.clone(), evaluator), self.searcher.mode())
        };
        self.recorder = Recorder::begin(&running.search, 0.0, &mut self.searcher.table);
        self.jumped = false;
        self.now = Some(timeline);
        self.running = Some(running);
        self.make_edits();
        Ok(())
    }

    /// The cache at a timeline's origin.
    pub(super) fn start_table(timeline: &Timeline<G>) -> Result<AnyTable<G::Key>> {
        let settings = &timeline.origin.settings;
        let mut table = match timeline.origin.memo() {
            Some(Start::Empty) => settings.new_table(),
            Some(Start::Kept(table)) => AnyTable::clone(table),
            Some(Start::Lost) | None => {
                return Err(Fault::new(format!(
                    "the cache with which timeline {} began is gone: it was too large to keep",
                    timeline.name
                ))
                .needs(Remedy::RecordingMemory));
            }
        };
        settings.set_up(&mut table);
        Ok(table)
    }

    /// The moment at hand.
    /// Errors: where the search is not recorded.
    pub fn moment(&mut self) -> Result<Bookmark> {
        self.commit_edits();
        let timeline = self.recorded()?.name.clone();
        Ok(Bookmark { timeline, events: self.events() })
    }

    /// Forgets a timeline that is not at hand.
    pub fn forget_timeline(&mut self, name: &str) -> Result<()> {
        let place = self.timeline_called(name)?;
        self.others.remove(place);
        self.bookmarks.retain(|_, mark| mark.timeline != name);
        Ok(())
    }

    pub(super) fn timeline_called(&self, name: &str) -> Result<usize> {
        let place = self.others.iter().position(|timeline| timeline.name == name);
        place.ok_or_else(|| {
            if self.name().as_deref() == Some(name) {
                return Fault::new(format!("timeline {name} is the one at hand"));
            }
            Fault::new(format!("no timeline is called `{name}`"))
                .about_word(name)
                .needs(Remedy::Timeline)
        })
    }
}
