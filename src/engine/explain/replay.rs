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

/// The number of events from one kept tree to the next, and the most trees that are kept.
// Going back a few events replays some ten milliseconds of search; going back farther, the search from its beginning.
const APART: u64 = 1 << 15;
const MOST_KEPT: usize = 16;

/// A replay of the recorded search, and its tree so far. Kept between commands, so that only new steps are replayed.
#[derive(Debug)]
pub struct TreeReplay<G: Game, D> {
    pub(crate) replay: Recording<G, D>,
    pub(crate) builder: TreeBuilder<G>,
    /// The tree at earlier numbers of events, in ascending order, so that the replay can go back.
    pub(crate) kept: Vec<(u64, TreeBuilder<G>)>,
}

impl<G: Game, D: StopConditions<G>> TreeReplay<G, D> {
    /// The replay, ready to be continued to `events` events of a timeline. It goes back to a kept tree if it has passed them.
    /// `None` if it is of another search, or its tree begins later than `iteration` or has other `open` lines or another `share`.
    pub fn ready_for(
        mut self,
        (timeline, events): (&Timeline<G>, u64),
        iteration: u8,
        open: &[Vec<G::Move>],
        share: Option<u64>,
    ) -> Option<Self> {
        let same = |then: &&Timeline<G>| Arc::ptr_eq(&then.origin, &timeline.origin);
        let then = self.replay.now.as_ref().filter(same);
        let last = then.and_then(|then| then.shared(timeline).checked_sub(1));
        let is_same = self.builder.open.as_deref() == Some(open)
            && self.builder.share == share
            && self.builder.from <= iteration;
        (is_same && self.go_back(last?.min(events))).then_some(self)
    }

    /// Goes back to the last kept tree of at most `last` events, unless the tree has no more; `false` without such a tree.
    fn go_back(&mut self, last: u64) -> bool {
        let mut is_earlier = self.replay.events() <= last;
        while !is_earlier && let Some((events, builder)) = self.kept.pop() {
            is_earlier = events <= last && self.replay.rewind(events);
            self.builder = builder;
        }
        is_earlier
    }

    /// Replays up to `events` events, as [`replay`] does.
    pub fn build(&mut self, events: u64, mut goes_on: impl FnMut(u64) -> bool) -> Result<()> {
        loop {
            let here = self.replay.events();
            if self.kept.last().is_none_or(|(last, _)| here >= last + APART) {
                self.kept.drain(..(self.kept.len() + 1).saturating_sub(MOST_KEPT));
                self.kept.push((here, self.builder.clone()));
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
