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

/// A replay of the recorded search, and its tree so far. Kept between commands, so that only new steps are replayed.
#[derive(Debug)]
pub struct TreeReplay<G: Game, D> {
    pub(crate) replay: Recording<G, D>,
    pub(crate) builder: TreeBuilder<G>,
}

impl<G: Game, D: StopConditions<G>> TreeReplay<G, D> {
    /// Whether this replay can be continued to `events` events of a timeline, and its tree begins no later than `iteration` and
    /// was built for the same `open` lines and the same `share` of nodes.
    pub fn leads_to(
        &self,
        timeline: &Timeline<G>,
        events: u64,
        iteration: u8,
        open: &[Vec<G::Move>],
        share: Option<u64>,
    ) -> bool {
        let same = |then: &Timeline<G>| {
            Arc::ptr_eq(&then.origin, &timeline.origin)
                && self.replay.events() < then.shared(timeline)
        };
        self.builder.open.as_deref() == Some(open)
            && self.builder.share == share
            && self.builder.from <= iteration
            && self.replay.events() <= events
            && self.replay.now.as_ref().is_some_and(same)
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
