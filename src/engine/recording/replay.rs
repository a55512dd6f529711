//! Replaying a timeline in a recording of its own, or under a watcher.

use std::sync::{Arc, atomic::AtomicBool};

use super::{Recording, Running, StartTable, StopConditions, Timeline, run::Deadlines};

use crate::engine::{
    core::{
        game::{Keyed, Result, SearchRules},
        search::{Search, Stop, Watcher},
        table::Edits,
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
        // The new recording only runs forwards, so it needs no checkpoints.
        recording.searcher.settings.record_mib = 0;
        Ok(recording)
    }

    /// Two timelines by their names, ready to be replayed.
    /// Errors: there is no such timeline.
    pub fn two_timelines(&mut self, a: &str, b: &str) -> Result<(Timeline<G>, Timeline<G>)> {
        self.commit_edits();
        self.save_start_table();
        Ok((self.timeline_named(a)?, self.timeline_named(b)?))
    }

    /// A copy of the recording, at the beginning of the current timeline.
    /// Errors: the search was not recorded from its beginning.
    pub fn replay_copy(&mut self) -> Result<Self> {
        self.commit_edits();
        self.timeline()?;
        self.save_start_table();
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
        let table = self.searcher.table.entries();
        let marks: Vec<_> = entries.iter().map(|at| table.last_written(*at)).collect();
        // The first checkpoint of a loaded session is the event at which it was saved: earlier writes are not in its journal.
        if marks.contains(&None)
            && self.recorder.base() > self.timeline()?.origin.start.events()
            && let Ok(mut copy) = self.replay_copy()
        {
            return Ok(copy.rerun(here, watcher));
        }
        let Some(mark) = marks.into_iter().flatten().min() else { return Ok(Stop::Limit) };
        let running = self.running.clone();
        let checkpoints = self.recorder.checkpoints();
        let place = checkpoints.partition_point(|checkpoint| checkpoint.mark <= mark);
        self.restore(place.saturating_sub(1));
        let stop = self.rerun(here, watcher);
        self.return_to(running);
        Ok(stop)
    }

    /// Goes back to the event where the user was, even if interrupted.
    fn return_to(&mut self, running: Option<Running<G>>) {
        let interrupt = std::mem::take(&mut self.interrupt);
        if let Some(running) = &running {
            self.seek_moment(running.search.events(), Deadlines::default());
        }
        (self.interrupt, self.running) = (interrupt, running);
    }

    /// Saves the table with which the current timeline began, so that a copy can be replayed, unless the table is too large.
    fn save_start_table(&mut self) {
        let Some(now) = &self.now else { return };
        if now.origin.table().is_some() {
            return;
        }
        let begin = now.origin.start.events();
        let bytes = self.searcher.table.entries().bytes();
        if self.recorder.base() != begin || bytes > self.budget() / 4 {
            return;
        }
        let running = self.running.clone();
        self.restore(0);
        let start = self.searcher.table.clone();
        if let Some(now) = &self.now {
            now.origin.set_table(StartTable::Saved(Arc::new(start)));
        }
        self.return_to(running);
        if self.searcher.table.entries_mut().take_edits() != Edits::default() {
            self.searcher.table.entries_mut().note_table_edit();
        }
    }

    fn timeline_named(&self, name: &str) -> Result<Timeline<G>> {
        match &self.now {
            Some(now) if now.name == name => Ok(now.clone()),
            _ => self.timeline_index(name).map(|place| self.others[place].clone()),
        }
    }
}
