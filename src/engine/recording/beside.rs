//! A timeline once more, beside itself or under a watcher.

use std::sync::{Arc, atomic::AtomicBool};

use super::{Recording, Start, Stops, Timeline};

use crate::engine::core::{
    game::{Keyed, Result, SearchRules},
    search::{Search, Watcher},
    searcher::Searcher,
    table::Edits,
};

impl<G: SearchRules, D: Stops<G>> Recording<G, D> {
    /// A recording of its own that stands at the beginning of a timeline.
    /// Errors: where the table with which it began is gone.
    pub fn replaying(timeline: Timeline<G>, interrupt: &Arc<AtomicBool>) -> Result<Self> {
        let searcher = Searcher::usual(timeline.origin.game.clone());
        let mut recording = Self::new(searcher, Arc::clone(interrupt));
        recording.start_over(timeline)?;
        // It is run forwards once: nothing is kept for going back.
        recording.searcher.settings.record_mib = 0;
        Ok(recording)
    }

    /// Two timelines by their names, ready to be replayed.
    /// Errors: where there is none of a name.
    pub fn two_timelines(&mut self, a: &str, b: &str) -> Result<(Timeline<G>, Timeline<G>)> {
        self.commit_edits();
        self.put_down_start();
        Ok((self.timeline_named(a)?, self.timeline_named(b)?))
    }

    /// The search under way once more, at its beginning, in a recording of its own.
    /// Errors: where it was not recorded from its beginning.
    pub fn beside(&mut self) -> Result<Self> {
        self.commit_edits();
        self.recorded()?;
        self.put_down_start();
        Self::replaying(self.recorded()?.clone(), &self.interrupt)
    }

    /// Runs all again up to where the search stands that may have written these entries last, under a watcher that never
    /// stops it.
    /// Errors: where the search is not recorded.
    pub fn rerun_writing(
        &mut self,
        entries: &[Keyed<G::Key>],
        watcher: &mut dyn Watcher<Search<G>>,
    ) -> Result<()> {
        self.commit_edits();
        self.recorded()?;
        let here = self.events();
        let bookmarks =
            entries.iter().filter_map(|at| self.searcher.table.entries().last_written(*at));
        if let Some(mark) = bookmarks.min() {
            let checkpoints = self.recorder.checkpoints();
            let place = checkpoints.partition_point(|checkpoint| checkpoint.mark <= mark);
            self.restore(place.saturating_sub(1));
            self.rerun(here, watcher);
        }
        Ok(())
    }

    /// The timeline at hand must be replayable beside another: puts down the table it began with.
    fn put_down_start(&mut self) {
        let Some(now) = &self.now else {
            return;
        };
        if now.origin.memo().is_some() {
            return;
        }
        let (here, begin) = (self.events(), now.origin.start.events());
        let bytes = self.searcher.table.entries().bytes();
        if self.recorder.base() != begin || bytes > self.budget() / 4 {
            return;
        }
        self.restore(0);
        let start = self.searcher.table.clone();
        if let Some(now) = &self.now {
            now.origin.set_table(Start::Kept(Arc::new(start)));
        }
        self.replay(here, (None, None));
        if self.searcher.table.entries_mut().take_edits() != Edits::default() {
            self.searcher.table.entries_mut().edited_whole();
        }
    }

    fn timeline_named(&self, name: &str) -> Result<Timeline<G>> {
        match &self.now {
            Some(now) if now.name == name => Ok(now.clone()),
            _ => self.timeline_called(name).map(|place| self.others[place].clone()),
        }
    }
}
