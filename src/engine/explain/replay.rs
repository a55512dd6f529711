//! The recorded search once more, beside itself, with its tree as it grows.

use std::sync::Arc;

use super::Grower;
use crate::engine::{
    game::{Game, Result},
    recording::{Recording, Stops, Timeline},
    search::{Search, Stop, Watcher},
    workers::interrupted,
};

/// Events replayed before somebody hears of them.
const STRETCH: u64 = 2_000;

/// A recorded search that is run again, and the tree it has explored so far. It is kept from question to question, so
/// that
/// stepping on costs one step more and not everything once more.
#[derive(Debug)]
pub struct TreeReplay<G: Game, D> {
    /// The search, as far as it is replayed.
    pub(crate) again: Recording<G, D>,
    pub(crate) grower: Grower<G>,
}

impl<G: Game, D: Stops<G>> TreeReplay<G, D> {
    /// Whether going on leads to the moment after so many events of a timeline in an iteration, with these lines.
    pub fn leads_to(
        &self,
        now: &Timeline<G>,
        (events, iteration): (u64, u8),
        open: &[Vec<String>],
    ) -> bool {
        let same = |then: &Timeline<G>| {
            Arc::ptr_eq(&then.origin, &now.origin) && self.again.events() < then.shared(now)
        };
        self.grower.open.as_deref() == Some(open)
            && self.grower.from <= iteration
            && self.again.events() <= events
            && self.again.now.as_ref().is_some_and(same)
    }
}

/// Runs a recorded search again, up to so many events, as long as whoever hears how many are replayed wants that.
pub fn replay<G: Game, D: Stops<G>>(
    again: &mut Recording<G, D>,
    events: u64,
    watcher: &mut dyn Watcher<Search<G>>,
    mut goes_on: impl FnMut(u64) -> bool,
) -> Result<()> {
    loop {
        let before = again.events();
        if again.rerun(events.min(before + STRETCH), watcher) == Stop::Interrupt {
            return Err(interrupted());
        }
        let here = again.events();
        if !goes_on(here) || here >= events || here == before {
            return Ok(());
        }
    }
}
