//! The timelines of a recording: how the current one branches, and how the user leaves it or switches to another.

use std::sync::Arc;

use super::{Origin, Recorder, Recording, Running, StopConditions, Timeline};

use crate::{
    engine::{
        core::{
            game::{Fault, Remedy, Result, SearchRules},
            table::AnyTable,
        },
        searcher::Searcher,
    },
    text::count,
};

/// The most timelines that are kept besides the current one.
// Nobody compares more, and each may hold a table.
const MOST_OTHERS: usize = 16;

/// A named position on a timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bookmark {
    /// The name of the timeline that the bookmark is on.
    pub timeline: String,
    /// The number of events at the bookmark.
    pub events: u64,
}

impl<G: SearchRules, D: StopConditions<G>> Recording<G, D> {
    /// The name of the current timeline.
    pub fn name(&self) -> Option<String> {
        self.now.as_ref().map(|now| now.name.clone())
    }

    /// The name of the current timeline, if the timeline has branches.
    pub fn name_if_branched(&self) -> Option<String> {
        let now = self.now.as_ref()?;
        let is_branch = |other: &Timeline<G>| Arc::ptr_eq(&other.origin, &now.origin);
        self.others.iter().any(is_branch).then(|| now.name.clone())
    }

    /// Notes that time or an interrupt ended the search after `events` events: replays end there too.
    pub(super) fn note_end(&mut self, events: u64) {
        if let Some(now) = self.now.as_mut().filter(|now| events >= now.reached) {
            now.ended = Some(events);
        }
    }

    /// The number of events at which a run forwards from `events` must end: the end of the recording, or `u64::MAX` past it.
    pub(super) fn recorded_end(&self, events: u64) -> u64 {
        let ended = self.now.as_ref().and_then(|now| now.ended);
        ended.filter(|&end| end > events).unwrap_or(u64::MAX)
    }

    /// Whether a run forwards from `events` replays the recording up to its end. A run from the end itself continues the
    /// search, and the recording no longer has an end.
    pub(super) fn replays_from(&mut self, events: u64) -> bool {
        if let Some(now) = &mut self.now {
            now.ended = now.ended.filter(|&end| end > events);
        }
        self.recorded_end(events) < u64::MAX
    }

    /// The name of a new timeline: one more than the greatest number that is the name of a timeline or of its parent.
    pub(super) fn fresh_name(&self) -> String {
        let all = || self.now.iter().chain(&self.others);
        let parents = all().filter_map(|timeline| Some(&timeline.parent.as_ref()?.0));
        let names = all().map(|timeline| &timeline.name).chain(parents);
        let numbers = names.filter_map(|name| name.parse::<u64>().ok());
        numbers.max().unwrap_or(0).saturating_add(1).to_string()
    }

    /// Adds a timeline to the others, and drops the oldest if there are too many or they take too much memory.
    fn keep(&mut self, timeline: Timeline<G>, budget: usize) {
        self.others.push(timeline);
        let bytes = |others: &[Timeline<G>]| others.iter().map(Timeline::bytes).sum::<usize>();
        while self.others.len() > MOST_OTHERS
            || (bytes(&self.others) > budget && self.others.len() > 1)
        {
            let dropped = self.others.remove(0);
            self.bookmarks.retain(|_, bookmark| bookmark.timeline != dropped.name);
        }
    }

    /// Leaves the current timeline, and begins one for a new search.
    pub(super) fn begin_timeline(&mut self, running: &Running<G>) {
        self.leave_timeline();
        self.notes.clear();
        if self.searcher.settings.record {
            self.record(running);
        }
    }

    /// Records the search under way from its current event on, unless it is recorded already. Returns whether recording began.
    pub fn record_from_here(&mut self) -> bool {
        if self.now.is_some() {
            return false;
        }
        let Some(running) = self.running.take() else {
            return false;
        };
        self.record(&running);
        self.running = Some(running);
        true
    }

    /// Records a search from its current event on.
    pub(super) fn record(&mut self, running: &Running<G>) {
        let now = Timeline::new(self.fresh_name(), self.origin_here(running));
        self.recorder = Recorder::begin(&running.search, running.ms, &mut self.searcher.table);
        self.jumped = false;
        self.now = Some(now);
    }

    /// The origin of a recording that begins at the current event.
    fn origin_here(&self, running: &Running<G>) -> Origin<G> {
        let Searcher { game, weights, settings, table } = &self.searcher;
        let is_kept = table.entries().bytes() <= self.budget() / 4;
        Origin {
            game: game.clone(),
            weights: weights.clone(),
            settings: settings.clone(),
            start: running.search.clone(),
            table: is_kept.then(|| Arc::new(table.clone())),
        }
    }

    /// The timeline of a recording that begins at the current event; `None` if searches are not recorded.
    pub fn timeline_from_here(&self) -> Option<Timeline<G>> {
        let running = self.running.as_ref().filter(|_| self.searcher.settings.record)?;
        let name = self.name().unwrap_or_else(|| self.fresh_name());
        Some(Timeline::new(name, self.origin_here(running)))
    }

    /// Leaves the current timeline; the table stays as it is.
    pub fn leave_timeline(&mut self) {
        let Some(mut now) = self.now.take() else {
            return;
        };
        if let Some(running) = &self.running {
            now.at = running.search.events();
            now.reached = now.reached.max(now.at);
        }
        self.searcher.table.entries_mut().record(false);
        (self.recorder, self.aside) = (Recorder::default(), None);
        self.keyframes.clear();
        let budget = self.budget() / 2;
        if now.reached > now.origin.start.events() {
            self.keep(now, budget);
        }
    }

    /// The number of events at which a run must pause for a checkpoint or for an edit of the timeline.
    // A run backwards may have ended where a checkpoint is due; then it is saved one event later.
    pub(super) fn next_pause(&self) -> u64 {
        let (Some(now), Some(running)) = (&self.now, &self.running) else {
            return u64::MAX;
        };
        let events = running.search.events();
        let due = self.recorder.due().max(events + 1);
        due.min(now.next_edit(events))
    }

    /// Saves a checkpoint if one is due, and applies the edits that the timeline has at the current event.
    pub(super) fn pause(&mut self, before: u64) {
        if self.events() == before {
            return;
        }
        self.learn();
        let budget = self.budget().saturating_sub(self.keyframe_bytes());
        let rest = budget.saturating_sub(self.recorder.bytes(&self.searcher.table));
        self.aside.take_if(|aside| aside.bytes() > rest && !aside.shrink(rest));
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
        if recorder.save_if_due(search, ms, &mut self.searcher.table, budget) {
            let (mib, base) = (self.searcher.settings.record_mib, count(recorder.base()));
            let effect = match now.origin.table {
                Some(_) => format!("going back to before event {base} takes longer now"),
                None => format!("it begins at event {base} now"),
            };
            self.notes = vec![format!(
                "the recording outgrew {mib} MiB: {effect} (`search set record_mib=` gives it more)"
            )];
        }
        self.save_keyframe_if_due();
        self.apply_edits();
    }

    /// Replaces the current timeline by a branch of it.
    pub(super) fn branch(&mut self, name: String, events: u64) {
        let Some(mut old) = self.now.take() else {
            return;
        };
        old.at = events;
        self.notes = vec![format!(
            "timeline {name} branches off {} after event {}",
            old.name,
            count(events.saturating_sub(1))
        )];
        self.now = Some(old.branch(name, events));
        self.drop_keyframes_after(events);
        let budget = self.budget() / 2;
        self.keep(old, budget);
    }

    /// Branches the timeline at the current event, at the user's request.
    /// Errors: the name is taken, or the search is not recorded.
    pub fn fork_here(&mut self, name: Option<&str>) -> Result<()> {
        self.commit_edits();
        let events = self.under_way()?.search.events();
        self.timeline()?;
        let name = match name {
            None => self.fresh_name(),
            Some(name) if self.now.iter().chain(&self.others).any(|it| it.name == name) => {
                return Err(Fault::new(format!("there is a timeline `{name}` already"))
                    .about_word(name)
                    .needs(Remedy::Timeline));
            }
            Some(name) => name.to_owned(),
        };
        self.branch(name, events);
        Ok(())
    }

    /// The current timeline.
    /// Errors: no search is under way, or the search is not recorded.
    pub fn timeline(&self) -> Result<&Timeline<G>> {
        self.under_way()?;
        let none = || Fault::new("this search was not recorded").needs(Remedy::Recording);
        self.now.as_ref().ok_or_else(none)
    }

    /// Starts again from the origin of a timeline.
    pub(super) fn start_over(&mut self, timeline: Timeline<G>) -> Result<()> {
        let origin = Arc::clone(&timeline.origin);
        let table = Self::table_at_start(&timeline)?;
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
        self.apply_edits();
        Ok(())
    }

    /// The table at the origin of a timeline.
    pub(super) fn table_at_start(timeline: &Timeline<G>) -> Result<AnyTable<G::Key>> {
        let settings = &timeline.origin.settings;
        let table = timeline.origin.table.as_ref().ok_or_else(|| {
            let name = &timeline.name;
            let what = "began is gone: it was too large to save";
            Fault::new(format!("the cache with which timeline {name} {what}"))
                .needs(Remedy::RecordingMemory)
        })?;
        let mut table = AnyTable::clone(table);
        settings.set_up(&mut table);
        Ok(table)
    }

    /// A bookmark without a name, at the current event of the current timeline.
    /// Errors: the search is not recorded.
    pub fn current_place(&mut self) -> Result<Bookmark> {
        self.commit_edits();
        let timeline = self.timeline()?.name.clone();
        Ok(Bookmark { timeline, events: self.events() })
    }

    /// Drops a timeline other than the current one, with its bookmarks.
    /// Errors: there is no such timeline.
    pub fn forget_timeline(&mut self, name: &str) -> Result<()> {
        let place = self.timeline_index(name)?;
        self.others.remove(place);
        self.bookmarks.retain(|_, bookmark| bookmark.timeline != name);
        Ok(())
    }

    pub(super) fn timeline_index(&self, name: &str) -> Result<usize> {
        let place = self.others.iter().position(|timeline| timeline.name == name);
        place.ok_or_else(|| {
            if self.name().as_deref() == Some(name) {
                return Fault::new(format!("timeline {name} is the current one"));
            }
            Fault::new(format!("no timeline is called `{name}`"))
                .about_word(name)
                .needs(Remedy::Timeline)
        })
    }
}
