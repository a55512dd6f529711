//! Replaying a timeline in a recording of its own, or under a watcher.

use std::sync::{Arc, atomic::AtomicBool};

use super::{Recording, StopConditions, Timeline, run::Deadlines};

use crate::engine::{
    core::{
        game::{Keyed, Result, SearchRules},
        search::{NoWatcher, Search, Stop, Watcher},
    },
    searcher::Searcher,
};

impl<G: SearchRules, D: StopConditions<G>> Recording<G, D> {
    /// A new recording at the beginning of a timeline.
    /// Errors: the table with which the timeline began is lost.
    pub fn replaying(timeline: Timeline<G>, interrupt: &Arc<AtomicBool>) -> Result<Self> {
        let searcher = Searcher::usual(timeline.origin.game.clone());
        let mut recording = Self::new(searcher, Arc::clone(interrupt));
        recording.start_over(timeline)?;
        // The new recording runs forwards and, for a tree, a little way back: a few checkpoints suffice.
        recording.searcher.settings.record_mib = 4;
        Ok(recording)
    }

    /// Goes back to a number of events, from the last checkpoint before them, or from a keyframe of the recording that this one
    /// replays; `false` without either.
    pub fn rewind(&mut self, events: u64, original: &Self) -> bool {
        if let Some(place) = self.recorder.checkpoint_before(events) {
            self.restore(place);
        } else if !self.take_keyframe(original, events) {
            return false;
        }
        self.rerun(events, &mut NoWatcher);
        self.events() == events
    }

    /// Two timelines by their names, ready to be replayed.
    /// Errors: there is no such timeline.
    pub fn two_timelines(&mut self, a: &str, b: &str) -> Result<(Timeline<G>, Timeline<G>)> {
        self.commit_edits();
        Ok((self.timeline_named(a)?, self.timeline_named(b)?))
    }

    /// A copy of the recording, at the beginning of the current timeline.
    /// Errors: the search was not recorded from its beginning.
    pub fn replay_copy(&mut self) -> Result<Self> {
        self.commit_edits();
        self.timeline()?;
        Self::replaying(self.timeline()?.clone(), &self.interrupt)
    }

    /// Replays the events that may have written these entries last, up to the current event, under a watcher that never stops.
    /// Returns why the replay stopped. Errors: the search is not recorded.
    pub fn rerun_writers(
        &mut self,
        entries: &[Keyed<G::Key>],
        watcher: &mut dyn Watcher<Search<G>>,
    ) -> Result<Stop> {
        self.commit_edits();
        self.timeline()?;
        let here = self.events();
        // The first checkpoint of a loaded session is the event at which it was saved: earlier writes are not in its journal.
        let is_late = self.recorder.base() > self.timeline()?.origin.start.events();
        let (table, edits) = (self.searcher.table.entries(), self.edits_in_force());
        let mark = |at: &Keyed<G::Key>| {
            // The journal has the last change of an edited entry, which is the edit: the store may be any earlier one.
            let is_edited = edits.iter().any(|edit| edit.0 == *at);
            if is_edited { (!is_late).then_some(0) } else { table.last_written(*at) }
        };
        let marks: Vec<_> = entries.iter().map(mark).collect();
        if is_late
            && marks.contains(&None)
            && let Ok(mut copy) = self.replay_copy()
        {
            return Ok(copy.rerun(here, watcher));
        }
        let Some(mark) = marks.into_iter().flatten().min() else { return Ok(Stop::Limit) };
        let checkpoints = self.recorder.checkpoints();
        let place = checkpoints.partition_point(|checkpoint| checkpoint.mark <= mark);
        let running = self.running.clone();
        self.restore(place.saturating_sub(1));
        let stop = self.rerun(here, watcher);
        // The recording goes back to the event where the user was, even if interrupted.
        let interrupt = std::mem::take(&mut self.interrupt);
        if let Some(running) = &running {
            self.seek_moment(running.search.events(), Deadlines::default());
        }
        (self.interrupt, self.running) = (interrupt, running);
        Ok(stop)
    }

    fn timeline_named(&self, name: &str) -> Result<Timeline<G>> {
        match &self.now {
            Some(now) if now.name == name => Ok(now.clone()),
            _ => self.timeline_index(name).map(|place| self.others[place].clone()),
        }
    }
}
