//! Running a search within limits from outside (the user, the clock, a slice of time), and why it stops.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use super::{Context, Search, Watcher};
use crate::engine::core::{
    game::SearchRules,
    table::{AnyTable, with_table},
};

// Events until the clock and the user's interrupt are read again. They take well under a millisecond, so that Ctrl-C feels
// immediate, and are enough that reading the clock costs nothing by comparison.
const SLICE: u64 = 1 << 13;

/// The limits of a run from outside the search.
#[derive(Clone, Copy, Debug)]
pub struct RunLimits<'a> {
    /// Set by another thread or a signal to stop the run.
    pub interrupt: &'a AtomicBool,
    /// The time at which the search must stop.
    pub deadline: Option<Instant>,
    /// The time at which the run pauses, so that the screen can be drawn.
    pub slice_end: Option<Instant>,
    /// The number of events since the search began at which the run pauses.
    pub until: u64,
}

impl<'a> RunLimits<'a> {
    /// Limits by the user and a deadline only.
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

/// Why a search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(into = "&str", try_from = "String")]
#[strum(serialize_all = "lowercase")]
pub enum Stop {
    /// Over: the depth asked for is complete.
    Depth,
    /// Over: further iterations cannot change the result.
    Exhausted,
    /// The budget of nodes is used up; a larger one lets the search go on.
    Budget,
    /// The time of the search is up.
    Time,
    /// The user interrupted the search.
    Interrupt,
    /// The slice of time is over; the run continues with the next.
    #[strum(serialize = "running")]
    Slice,
    /// The allowed number of events has happened.
    #[strum(serialize = "running")]
    Limit,
    /// The watcher stopped the search.
    #[strum(serialize = "running")]
    Watched,
    /// The place given by the user is reached.
    Goal,
    /// A breakpoint, by its number.
    #[strum(serialize = "break")]
    Breakpoint(u32),
    /// The beginning of the recording.
    Start,
    /// The end of the recording, where the search was out of time or interrupted.
    End,
}

impl Stop {
    /// Whether the search stopped by itself, not from outside.
    pub const fn is_own(self) -> bool {
        matches!(self, Self::Depth | Self::Exhausted | Self::Budget)
    }

    /// The name in replies.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl TryFrom<String> for Stop {
    type Error = String;

    /// Reads the reason of a saved search. Reasons from outside are not saved: such a search can continue when it is loaded.
    fn try_from(name: String) -> Result<Self, String> {
        let own = [Self::Depth, Self::Exhausted, Self::Budget];
        own.into_iter()
            .find(|stop| stop.name() == name)
            .ok_or_else(|| format!("a search is not over by `{name}`"))
    }
}
