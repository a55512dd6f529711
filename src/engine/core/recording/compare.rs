//! Two timelines side by side, and a timeline once more under a watcher.

use std::sync::{Arc, atomic::AtomicBool};

use super::{Recording, Start, Stops, Timeline};
use crate::engine::core::{
    game::{Answer, Fault, Keyed, Rules},
    memo::Edits,
    search::{Event, EventKind, Search, Stop, Watcher},
    searcher::Searcher,
};

/// Events compared at a time.
const STRETCH: u64 = 1 << 12;

/// An event with the move that was entered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taped<M> {
    /// The event.
    pub event: Event,
    /// The move that leads to the node, where the event enters one.
    pub entered: Option<M>,
}

/// Takes down every event.
#[derive(Debug)]
pub struct Tape<'a, M> {
    /// What happened, in order.
    pub events: &'a mut Vec<Taped<M>>,
}

impl<G: Rules> Watcher<Search<G>> for Tape<'_, G::Move> {
    fn see(&mut self, event: &Event, search: &Search<G>) -> bool {
        let parent = search.frames().iter().rev().nth(1);
        let entered = parent
            .filter(|_| event.kind == EventKind::Descend)
            .and_then(|parent| search.current_move(parent));
        self.events.push(Taped { event: *event, entered });
        false
    }
}

/// Where two runs part.
#[derive(Clone, Debug)]
pub struct Parted<M> {
    /// So many events were the same.
    pub same: u64,
    /// The first event of each run that differs; nothing of one that was over.
    pub events: [Option<Taped<M>>; 2],
}

impl<G: Rules, D: Stops<G>> Recording<G, D> {
    /// A recording of its own that stands at the beginning of a timeline.
    ///
    /// # Errors
    /// Where the table with which it began is gone.
    pub fn replaying(timeline: Timeline<G>, interrupt: &Arc<AtomicBool>) -> Answer<Self> {
        let searcher = Searcher::usual(timeline.origin.game.clone());
        let mut recording = Self::new(searcher, Arc::clone(interrupt));
        recording.start_over(timeline)?;
        // It is run forwards once: nothing is kept for going back.
        recording.searcher.settings.record_mib = 0;
        Ok(recording)
    }

    /// Goes on with two recordings side by side until they part or are over.
    ///
    /// # Errors
    /// Where it is interrupted.
    pub fn part_ways(&mut self, other: &mut Self) -> Answer<Option<Parted<G::Move>>> {
        let mut tapes = [Vec::new(), Vec::new()];
        let mut same = 0;
        loop {
            let began = (self.events(), other.events());
            let until = (began.0.max(began.1) / STRETCH + 1) * STRETCH;
            for (rerun, events) in [&mut *self, &mut *other].into_iter().zip(&mut tapes) {
                events.clear();
                if rerun.rerun(until, &mut Tape { events }) == Stop::Interrupt {
                    return Err(Fault::new("the comparison was interrupted"));
                }
            }
            let [first, second] = &tapes;
            let equal = first.iter().zip(second).take_while(|(a, b)| a == b).count();
            same += equal as u64;
            if equal < first.len() || equal < second.len() {
                return Ok(Some(Parted {
                    same,
                    events: [first.get(equal).copied(), second.get(equal).copied()],
                }));
            }
            if began == (self.events(), other.events()) {
                return Ok(None);
            }
        }
    }

    /// Two timelines by their names, ready to be replayed.
    ///
    /// # Errors
    /// Where there is none of a name.
    pub fn two_timelines(&mut self, a: &str, b: &str) -> Answer<(Timeline<G>, Timeline<G>)> {
        self.settle_edits();
        self.put_down_start();
        Ok((self.timeline_named(a)?, self.timeline_named(b)?))
    }

    /// The search under way once more, at its beginning, in a recording of its own.
    ///
    /// # Errors
    /// Where it was not recorded from its beginning.
    pub fn beside(&mut self) -> Answer<Self> {
        self.settle_edits();
        self.recorded()?;
        self.put_down_start();
        Self::replaying(self.recorded()?.clone(), &self.interrupt)
    }

    /// Runs all again up to where the search stands that may have written these entries last, under a watcher that never
    /// stops it.
    ///
    /// # Errors
    /// Where the search is not recorded.
    pub fn rerun_writing(
        &mut self,
        entries: &[Keyed<G::Key>],
        watcher: &mut dyn Watcher<Search<G>>,
    ) -> Answer<()> {
        self.settle_edits();
        self.recorded()?;
        let here = self.events();
        let marks = entries.iter().filter_map(|at| self.searcher.memo.entries().last_written(*at));
        if let Some(mark) = marks.min() {
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
        let bytes = self.searcher.memo.entries().bytes();
        if self.recorder.base() != begin || bytes > self.budget() / 4 {
            return;
        }
        self.restore(0);
        let start = self.searcher.memo.clone();
        if let Some(now) = &self.now {
            now.origin.set_memo(Start::Kept(Arc::new(start)));
        }
        self.replay(here, (None, None));
        if self.searcher.memo.entries_mut().take_edits() != Edits::default() {
            self.searcher.memo.entries_mut().edited_whole();
        }
    }

    fn timeline_named(&self, name: &str) -> Answer<Timeline<G>> {
        match &self.now {
            Some(now) if now.name == name => Ok(now.clone()),
            _ => self.timeline_called(name).map(|place| self.others[place].clone()),
        }
    }
}
