//! Running a search at full speed under bounds from outside: the user, the clock, a slice of time.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

use super::{Context, Deepening, DeepeningPause, Search, Watcher};
use crate::engine::{
    game::Game,
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
    /// At most so many events since the search began.
    pub until: u64,
}

/// Why a drive came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pull {
    /// The search says so itself: see [`Deepening::stopped`].
    Stopped,
    /// The time is up.
    Time,
    /// The user.
    Interrupt,
    /// The slice is over; the search goes on with the next.
    Slice,
    /// So many events have happened as were allowed.
    Limit,
}

impl<'a> Leash<'a> {
    /// Bounded by the user and a deadline only.
    pub const fn new(interrupt: &'a AtomicBool, deadline: Option<Instant>) -> Self {
        Self {
            interrupt,
            deadline,
            slice_end: None,
            until: u64::MAX,
        }
    }

    fn pulled(&self) -> Option<Pull> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Some(Pull::Interrupt);
        }
        let over = |end: Option<Instant>| end.is_some_and(|end| Instant::now() >= end);
        if over(self.deadline) {
            return Some(Pull::Time);
        }
        over(self.slice_end).then_some(Pull::Slice)
    }
}

impl<G: Game> Deepening<G> {
    /// Runs under a leash, whatever the memo's policy. `None`: the watcher wants to look.
    pub fn drive<W: Watcher<Search<G>>>(
        &mut self,
        context: &Context<'_, G>,
        memo: &mut AnyMemo<G::Key>,
        watcher: &mut W,
        leash: &Leash<'_>,
    ) -> Option<Pull> {
        match memo {
            AnyMemo::None(memo) => self.drive_with(context, memo, watcher, leash),
            AnyMemo::Exact(memo) => self.drive_with(context, memo, watcher, leash),
            AnyMemo::Interval(memo) => self.drive_with(context, memo, watcher, leash),
            AnyMemo::Bound(memo) => self.drive_with(context, memo, watcher, leash),
            AnyMemo::Rote(memo) => self.drive_with(context, memo, watcher, leash),
        }
    }

    /// As [`Deepening::drive`], with a memo whose type is known.
    pub fn drive_with<M: Memo<G::Key>, W: Watcher<Search<G>>>(
        &mut self,
        context: &Context<'_, G>,
        memo: &mut M,
        watcher: &mut W,
        leash: &Leash<'_>,
    ) -> Option<Pull> {
        loop {
            let left = leash.until.saturating_sub(self.search().events());
            if left == 0 {
                return Some(Pull::Limit);
            }
            let mut fuel = SLICE.min(left);
            match self.run(context, memo, watcher, &mut fuel) {
                DeepeningPause::Stopped => return Some(Pull::Stopped),
                DeepeningPause::Watched => return None,
                DeepeningPause::Fuel => {}
            }
            if let Some(pull) = leash.pulled() {
                return Some(pull);
            }
        }
    }
}
