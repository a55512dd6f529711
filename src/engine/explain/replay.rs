//! A copy of the recorded search, replayed to build its tree.

use std::sync::Arc;

use super::TreeBuilder;
use crate::engine::{
    game::{Game, Result},
    recording::{Recording, StopConditions, Timeline},
    search::{Search, Stop, Watcher},
    workers::interrupted,
};

// Two thousand events take about a millisecond: often enough to keep the deadline, too rare to slow the replay.
const EVENTS_PER_REPORT: u64 = 2_000;

/// The least distance in events between two kept trees, and the greatest number of kept trees.
// Going back a few events replays some ten milliseconds of search.
const APART: u64 = 1 << 15;
const MOST_KEPT: u64 = 16;

/// A replay of the recorded search, and its tree so far. Kept between commands, so that only new steps are replayed.
#[derive(Debug)]
pub struct TreeReplay<G: Game, D> {
    pub(crate) replay: Recording<G, D>,
    pub(crate) builder: TreeBuilder<G>,
    /// The tree at earlier numbers of events, in ascending order, so that the replay can go back.
    pub(crate) kept: Vec<(u64, TreeBuilder<G>)>,
}

impl<G: Game, D: StopConditions<G>> TreeReplay<G, D> {
    /// Whether this is a replay of the search of a timeline.
    pub fn is_of(&self, timeline: &Timeline<G>) -> bool {
        self.replay.now.as_ref().is_some_and(|then| Arc::ptr_eq(&then.origin, &timeline.origin))
    }

    /// The number of events, at most `events`, from which this replay can be continued on a timeline: its own, or those of a kept
    /// tree. `None` if its tree begins later than `iteration` or has other `open` lines.
    pub fn nearest(
        &self,
        (timeline, events): (&Timeline<G>, u64),
        iteration: u8,
        open: &[Vec<G::Move>],
    ) -> Option<u64> {
        let last = self.replay.now.as_ref()?.shared(timeline).checked_sub(1)?.min(events);
        let is_same = self.builder.open.as_deref() == Some(open) && self.builder.from <= iteration;
        let kept = self.kept.iter().map(|(at, _)| *at);
        kept.chain([self.replay.events()]).rfind(|at| is_same && *at <= last)
    }

    /// Goes back to the kept tree of `events` events, unless the tree has no more; `false` if that fails. `original`: the recording
    /// that is replayed.
    pub fn go_back(&mut self, events: u64, original: &Recording<G, D>) -> bool {
        while self.replay.events() > events
            && let Some((at, builder)) = self.kept.pop()
        {
            self.builder = builder;
            if at <= events && !self.replay.rewind(at, original) {
                return false;
            }
        }
        self.replay.events() <= events
    }

    /// Drops a kept tree if there are too many: the one with the nearest neighbours compared with its distance from `here`, so
    /// that any way back is replayed in a part of the time that the way from the beginning takes.
    fn thin_out(&mut self, here: u64) {
        let gaps = self.kept.windows(3).map(|three| {
            let [before, at, after] = [0, 1, 2].map(|nth: usize| three[nth].0);
            (after - before) as f64 / (here - at + 1) as f64
        });
        let crowded =
            gaps.enumerate().min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(at, _)| at + 1);
        if let Some(at) = crowded.filter(|_| self.kept.len() as u64 > MOST_KEPT) {
            self.kept.remove(at);
        }
    }

    /// Replays up to `events` events, as [`replay`] does.
    pub fn build(&mut self, events: u64, mut goes_on: impl FnMut(u64) -> bool) -> Result<()> {
        loop {
            let here = self.replay.events();
            // Far from the end, trees are kept further apart: most of them would be dropped before the end.
            let apart = APART.max((events - here) / MOST_KEPT);
            if self.kept.last().is_none_or(|(last, _)| here >= last + apart) {
                self.kept.push((here, self.builder.clone()));
                self.thin_out(here);
            }
            let next = events.min(here + APART);
            replay(&mut self.replay, next, &mut self.builder, &mut goes_on)?;
            if self.replay.events() < next || next == events {
                return Ok(());
            }
        }
    }
}

/// Replays a recorded search up to `events` events, as long as `goes_on` returns true for the number of events so far.
pub fn replay<G: Game, D: StopConditions<G>>(
    recording: &mut Recording<G, D>,
    events: u64,
    watcher: &mut dyn Watcher<Search<G>>,
    mut goes_on: impl FnMut(u64) -> bool,
) -> Result<()> {
    loop {
        let before = recording.events();
        if recording.rerun(events.min(before + EVENTS_PER_REPORT), watcher) == Stop::Interrupt {
            return Err(interrupted());
        }
        let done = recording.events();
        if !goes_on(done) || done >= events || done == before {
            return Ok(());
        }
    }
}
