//! Running a search at full speed under bounds from outside: the user, the clock, a slice of time.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

use super::{Context, Search, Stop, Watcher};
use crate::engine::core::{
    game::Rules,
    memo::{AnyMemo, Memo},
};

/// Events between two looks at the clock and at the user: well under a millisecond.
const SLICE: u64 = 1 << 13;

/// What bounds a drive from outside.
#[derive(Clone, Copy, Debug)]
pub struct Leash<'a> {
    /// Set by someone else to stop the drive.
    pub interrupt: &'a AtomicBool,
    /// When the search's own time is up.
    pub deadline: Option<Instant>,
    /// When the drive is to come back for the while.
    pub slice_end: Option<Instant>,
    /// The count of events since the search began at which to come back.
    pub until: u64,
}

impl<'a> Leash<'a> {
    /// Bounded by the user and a deadline only.
    pub const fn new(interrupt: &'a AtomicBool, deadline: Option<Instant>) -> Self {
        Self { interrupt, deadline, slice_end: None, until: u64::MAX }
    }

    fn pulled(&self) -> Option<Stop> {
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

impl<G: Rules> Search<G> {
    /// Runs under a leash, whatever the memo's policy, until the search or the leash ends it or the watcher wants to look.
    pub fn drive<W: Watcher<Self> + ?Sized>(
        &mut self,
        context: &Context<'_, G>,
        memo: &mut AnyMemo<G::Key>,
        watcher: &mut W,
        leash: &Leash<'_>,
    ) -> Stop {
        match memo {
            AnyMemo::None(memo) => self.drive_with(context, memo, watcher, leash),
            AnyMemo::Exact(memo) => self.drive_with(context, memo, watcher, leash),
            AnyMemo::Interval(memo) => self.drive_with(context, memo, watcher, leash),
            AnyMemo::Bound(memo) => self.drive_with(context, memo, watcher, leash),
            AnyMemo::Rote(memo) => self.drive_with(context, memo, watcher, leash),
        }
    }

    /// As [`Search::drive`], with a memo whose type is known.
    pub fn drive_with<M: Memo<G::Key>, W: Watcher<Self> + ?Sized>(
        &mut self,
        context: &Context<'_, G>,
        memo: &mut M,
        watcher: &mut W,
        leash: &Leash<'_>,
    ) -> Stop {
        loop {
            let left = leash.until.saturating_sub(self.events());
            if left == 0 {
                return Stop::Limit;
            }
            let mut fuel = SLICE.min(left);
            match self.run(context, memo, watcher, &mut fuel) {
                Stop::Limit => {}
                stop => return stop,
            }
            if let Some(stop) = leash.pulled() {
                return stop;
            }
        }
    }
}
