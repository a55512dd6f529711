//! Runs a search within outside limits: the user's interrupt, the clock, a slice of time.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

use crate::engine::core::{
    game::SearchRules,
    search::{Context, Search, Stop, Watcher},
    table::{AnyTable, with_table},
};

// Events until the clock and the user's interrupt are read again: well under a millisecond, so that Ctrl-C feels immediate, and
// enough that reading the clock costs nothing by comparison.
const SLICE: u64 = 1 << 13;

/// The limits of a run from outside the search.
#[derive(Clone, Copy, Debug)]
pub struct RunLimits<'a> {
    /// The flag that another thread or a signal sets to stop the run.
    pub interrupt: &'a AtomicBool,
    /// The time at which the search must stop; `None`: no limit.
    pub deadline: Option<Instant>,
    /// The time at which the run pauses, so that the screen can be drawn; `None`: no pause.
    pub slice_end: Option<Instant>,
    /// The number of events since the search began at which the run pauses.
    pub until: u64,
}

impl<'a> RunLimits<'a> {
    /// Limits with an interrupt and a deadline only.
    pub const fn new(interrupt: &'a AtomicBool, deadline: Option<Instant>) -> Self {
        Self { interrupt, deadline, slice_end: None, until: u64::MAX }
    }

    fn reached(&self) -> Option<Stop> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Some(Stop::Interrupt);
        }
        let over = |end: Option<Instant>| end.is_some_and(|end| Instant::now() >= end);
        if over(self.deadline) {
            return Some(Stop::Time);
        }
        over(self.slice_end).then_some(Stop::Slice)
    }
}

impl<G: SearchRules> Search<G> {
    /// Runs with a table of any policy until the search is over, a limit is reached or the watcher stops it.
    pub fn drive<W: Watcher<Self> + ?Sized>(
        &mut self,
        context: &Context<'_, G>,
        table: &mut AnyTable<G::Key>,
        watcher: &mut W,
        limits: &RunLimits<'_>,
    ) -> Stop {
        loop {
            let left = limits.until.saturating_sub(self.events());
            if left == 0 {
                return Stop::Limit;
            }
            let mut fuel = SLICE.min(left);
            match with_table!(table, table => self.run(context, table, watcher, &mut fuel)) {
                Stop::Limit => {}
                stop => return stop,
            }
            if let Some(stop) = limits.reached() {
                return stop;
            }
        }
    }
}
