//! Running a search at full speed under bounds from outside (the user, the clock, a slice of time), and why it stands still.

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

/// Events between two looks at the clock and at the user: well under a millisecond.
const SLICE: u64 = 1 << 13;

/// What bounds a drive from outside.
#[derive(Clone, Copy, Debug)]
pub struct RunLimits<'a> {
    /// Set by someone else to stop the drive.
    pub interrupt: &'a AtomicBool,
    /// When the search's own time is up.
    pub deadline: Option<Instant>,
    /// When the drive is to come back for the while.
    pub slice_end: Option<Instant>,
    /// The count of events since the search began at which to come back.
    pub until: u64,
}

impl<'a> RunLimits<'a> {
    /// Bounded by the user and a deadline only.
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
    /// Runs under a leash, whatever the memo's policy, until the search or the leash ends it or the watcher wants to look.
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

/// Why a search stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(into = "&str", try_from = "String")]
#[strum(serialize_all = "lowercase")]
pub enum Stop {
    /// Over: the depth asked for is complete.
    Depth,
    /// Over: further iterations cannot change the result.
    Exhausted,
    /// The budget of states is used up; a larger one lets it go on.
    Budget,
    /// The time is up.
    Time,
    /// The user.
    Interrupt,
    /// The slice of time is over; it goes on with the next.
    #[strum(serialize = "running")]
    Slice,
    /// So many events have happened as were allowed.
    #[strum(serialize = "running")]
    Limit,
    /// The watcher wants to look.
    #[strum(serialize = "running")]
    Watched,
    /// Where it was told to go.
    Goal,
    /// A breakpoint, by its number.
    #[strum(serialize = "break")]
    Breakpoint(u32),
    /// The beginning of the recording.
    Start,
    /// The end of the recording: there the search was out of time or interrupted.
    End,
}

impl Stop {
    /// Whether the search says so itself, and nobody from outside.
    pub const fn is_own(self) -> bool {
        matches!(self, Self::Depth | Self::Exhausted | Self::Budget)
    }

    /// The name in reports, of those that end a run.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl TryFrom<String> for Stop {
    type Error = String;

    /// Reads what a saved search may say: a search that was stopped from outside goes on when it is loaded.
    fn try_from(name: String) -> Result<Self, String> {
        let own = [Self::Depth, Self::Exhausted, Self::Budget];
        own.into_iter()
            .find(|stop| stop.name() == name)
            .ok_or_else(|| format!("a search is not over by `{name}`"))
    }
}
