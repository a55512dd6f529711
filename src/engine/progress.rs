//! How far a long operation has come, for whoever shows it while it runs.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use super::arena::{Standings, standings::LiveGame};
use crate::text::number;

/// Shorter operations need no telling.
const PATIENCE: Duration = Duration::from_secs(1);

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes of a file.
    Bytes,
    /// Cache entries.
    Entries,
    /// Searches.
    Searches,
    /// Games.
    Games,
}

/// How far an operation has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stand {
    /// What is being done, such as `loading`.
    pub what: &'static str,
    /// What is counted.
    pub unit: Unit,
    /// How many are done.
    pub done: u64,
    /// Of how many; 0 where nobody knows.
    pub total: u64,
    /// How long it has been going on.
    pub elapsed: Duration,
    /// What has come out so far, in a few words; empty where there is nothing to say.
    pub news: String,
}

impl Stand {
    /// How long it will take, if it goes on as it has.
    pub fn left(&self) -> Option<Duration> {
        let rest = self.total.checked_sub(self.done)?;
        (self.done > 0 && self.total > 0)
            .then(|| self.elapsed.mul_f64(rest as f64 / self.done as f64))
    }

    /// What is done, how much of it, how fast and how long it will take; nothing in the first second.
    pub fn line(&self) -> Option<String> {
        if self.elapsed < PATIENCE {
            return None;
        }
        let amount = |number: u64| match self.unit {
            Unit::Bytes => number::bytes(number),
            Unit::Entries => number::counted(number, "entry", "entries"),
            Unit::Searches => number::counted(number, "search", "searches"),
            Unit::Games => number::counted(number, "game", "games"),
        };
        let milliseconds = u64::try_from(self.elapsed.as_millis()).unwrap_or(u64::MAX);
        let rate = self.done.saturating_mul(1000) / milliseconds.max(1);
        let parts = [
            Some(self.what.to_owned()),
            number::percent(self.done.min(self.total), self.total),
            (self.total > 0).then(|| format!("of {}", amount(self.total))),
            (rate > 0).then(|| format!("{}/s", amount(rate))),
            self.left().map(|left| {
                // The next second's worth is not known better than to the second.
                let seconds = left.as_secs_f64().ceil();
                format!("{} left", number::time(seconds.max(1.0) * 1e3))
            }),
            (!self.news.is_empty()).then(|| self.news.clone()),
        ];
        let parts: Vec<_> = parts.into_iter().flatten().collect();
        Some(parts.join("  "))
    }
}

/// What is known of games under way, for front ends that show it.
#[derive(Clone, Debug, Default)]
pub struct Live {
    /// How the tournament stands.
    pub tournament: Option<Arc<Standings>>,
    /// One of the games under way.
    pub game: Option<Arc<LiveGame>>,
}

/// Where operations say how far they are: written by the one at work, read from any thread.
#[derive(Debug, Default)]
pub struct Progress {
    stand: Mutex<Option<(Stand, Instant)>>,
    live: Mutex<Live>,
}

impl Progress {
    /// An operation begins.
    pub fn begin(&self, what: &'static str, unit: Unit) {
        let stand =
            Stand { what, unit, done: 0, total: 0, elapsed: Duration::ZERO, news: String::new() };
        *self.lock() = Some((stand, Instant::now()));
    }

    /// It has come so far.
    pub fn tell(&self, done: u64, total: u64) {
        if let Some((stand, _)) = &mut *self.lock() {
            (stand.done, stand.total) = (done, total);
        }
    }

    /// So much has come out so far.
    pub fn report(&self, news: String) {
        if let Some((stand, _)) = &mut *self.lock() {
            stand.news = news;
        }
    }

    /// Games are under way, or have been.
    pub fn show(&self, change: impl FnOnce(&mut Live)) {
        change(&mut self.live.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// The games that are under way or were last.
    pub fn live(&self) -> Live {
        self.live.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// It is over.
    pub fn end(&self) {
        *self.lock() = None;
    }

    /// How far it is now; nothing where none is at work.
    pub fn stand(&self) -> Option<Stand> {
        self.lock()
            .as_ref()
            .map(|(stand, since)| Stand { elapsed: since.elapsed(), ..stand.clone() })
    }

    fn lock(&self) -> MutexGuard<'_, Option<(Stand, Instant)>> {
        self.stand.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
