//! How far a long operation has come, for whoever shows it while it runs.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use unicode_width::UnicodeWidthStr as _;

use super::arena::{Standings, standings::LiveGame};
use crate::text::number;

/// Shorter operations need no telling.
const PATIENCE: Duration = Duration::from_secs(1);

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
#[expect(missing_docs, reason = "their names are the words that are shown")]
pub enum Unit {
    Bytes,
    Entries,
    Searches,
    Nodes,
    Events,
    /// Each as deep as the others.
    Subtrees,
    Games,
    Positions,
}

impl Unit {
    fn name(self) -> &'static str {
        self.into()
    }

    fn amount(self, number: u64) -> String {
        let one = match self {
            Self::Bytes => return number::bytes(number),
            Self::Entries => "entry",
            Self::Searches => "search",
            several => several.name().trim_end_matches('s'),
        };
        number::counted(number, one, self.name())
    }

    fn rate(self, done: u64, time: Duration) -> Option<String> {
        if self == Self::Bytes {
            let ms = u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1);
            let rate = done.saturating_mul(1000) / ms;
            return (done > 0).then(|| format!("{}/s", number::bytes(rate)));
        }
        number::rate(done, self.name(), Some(time.as_secs_f64() * 1e3))
    }
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
    /// How many of them were done before it began: by the run that it goes on with.
    pub before: u64,
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
        let done = self.done.saturating_sub(self.before);
        (done > 0).then(|| self.elapsed.mul_f64(rest as f64 / done as f64))
    }

    /// How fast it has been.
    pub fn rate(&self) -> Option<String> {
        self.unit.rate(self.done.saturating_sub(self.before), self.elapsed)
    }

    /// How much of it is done, as a bar with so many steps; nothing where nobody knows.
    pub fn bar(&self, steps: usize) -> Option<String> {
        let done = (steps as u64).checked_mul(self.done)?.checked_div(self.total)? as usize;
        let done = done.min(steps);
        Some(format!("[{}{}]", "#".repeat(done), ".".repeat(steps - done)))
    }

    /// What is done, how much of it, how fast, how long it will take and what has come out, in so many columns: where they
    /// are too few, without the last, the amount or the rate. Nothing in the first second.
    pub fn line(&self, columns: usize) -> Option<String> {
        if self.elapsed < PATIENCE {
            return None;
        }
        let mut parts = [
            Some(self.what.to_owned()),
            number::percent(self.done.min(self.total), self.total),
            match self.total {
                0 if self.done == 0 => None,
                0 => Some(self.unit.amount(self.done)),
                total => Some(format!("of {}", self.unit.amount(total))),
            },
            self.rate(),
            self.left().map(|left| {
                // The next second's worth is not known better than to the second.
                let seconds = left.as_secs_f64().ceil().max(1.0);
                let few = seconds < 100.0;
                let text = if few { format!("{seconds} s") } else { number::time(seconds * 1e3) };
                format!("{text} left")
            }),
            Some(self.news.clone()).filter(|news| !news.is_empty()),
        ];
        let joined = |parts: &[Option<String>]| {
            parts.iter().flatten().map(String::as_str).collect::<Vec<_>>().join("  ")
        };
        // News, amount, rate.
        for dispensable in [5, 2, 3] {
            if joined(&parts).width() > columns {
                parts[dispensable] = None;
            }
        }
        Some(joined(&parts))
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
    /// An operation begins, or goes on with one of which so much is done.
    pub fn begin(&self, what: &'static str, unit: Unit, before: u64) {
        let (elapsed, news) = (Duration::ZERO, String::new());
        let stand = Stand { what, unit, done: before, before, total: 0, elapsed, news };
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

    /// What has been told of games since that was last forgotten.
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
