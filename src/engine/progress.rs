//! The progress of long operations, shown by front ends.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use unicode_width::UnicodeWidthStr as _;

use super::arena::{Standings, standings::LiveGame};
use crate::text::number;

/// Progress is shown only after this time, since nobody could read a line that appears for a moment.
const QUIET: Duration = Duration::from_secs(1);

/// The unit in which an operation counts its progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
#[expect(missing_docs, reason = "their names are the words that are shown")]
pub enum Unit {
    Bytes,
    Entries,
    Searches,
    Nodes,
    Events,
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

/// A long operation that is running, and its progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The name of the operation in the progress line, such as `loading`.
    pub name: &'static str,
    /// The unit of `done`, `before` and `total`.
    pub unit: Unit,
    /// The number of units done.
    pub done: u64,
    /// The part of `done` that an earlier, interrupted run completed.
    pub before: u64,
    /// The total number of units; 0: unknown.
    pub total: u64,
    /// The time since the operation began.
    pub elapsed: Duration,
    /// Intermediate results in a few words; empty if there are none.
    pub note: String,
}

impl Operation {
    /// The estimated time left at the present rate; `None` if the total or the rate is unknown.
    pub fn time_left(&self) -> Option<Duration> {
        let rest = self.total.checked_sub(self.done)?;
        let done = self.done.saturating_sub(self.before);
        (done > 0).then(|| self.elapsed.mul_f64(rest as f64 / done as f64))
    }

    /// The rate so far, such as `25.0 MB/s`; `None` if nothing is done.
    pub fn rate(&self) -> Option<String> {
        self.unit.rate(self.done.saturating_sub(self.before), self.elapsed)
    }

    /// A progress bar with this number of steps; `None` if the total is unknown.
    pub fn bar(&self, steps: usize) -> Option<String> {
        let done = (steps as u64).checked_mul(self.done)?.checked_div(self.total)? as usize;
        let done = done.min(steps);
        Some(format!("[{}{}]", "#".repeat(done), ".".repeat(steps - done)))
    }

    /// A progress line of at most `columns`: name, percentage, total, rate, time left and note. If the line is too long, first
    /// the note, then the total, then the rate is left out. `None` in the first second.
    pub fn line(&self, columns: usize) -> Option<String> {
        if self.elapsed < QUIET {
            return None;
        }
        let mut parts = [
            Some(self.name.to_owned()),
            number::percent(self.done.min(self.total), self.total),
            match self.total {
                0 if self.done == 0 => None,
                0 => Some(self.unit.amount(self.done)),
                total => Some(format!("of {}", self.unit.amount(total))),
            },
            self.rate(),
            self.time_left().map(|left| {
                // Rounded up to whole seconds: the estimate is no better, and "0 s left" would be wrong.
                let seconds = left.as_secs_f64().ceil().max(1.0);
                let few = seconds < 100.0;
                let text = if few { format!("{seconds} s") } else { number::time(seconds * 1e3) };
                format!("{text} left")
            }),
            Some(self.note.clone()).filter(|note| !note.is_empty()),
        ];
        let joined = |parts: &[Option<String>]| {
            parts.iter().flatten().map(String::as_str).collect::<Vec<_>>().join("  ")
        };
        // If the line is too long, first the note, then the total, then the rate is left out.
        for dispensable in [5, 2, 3] {
            if joined(&parts).width() > columns {
                parts[dispensable] = None;
            }
        }
        Some(joined(&parts))
    }
}

/// The games that are being played in a tournament or match.
#[derive(Clone, Debug, Default)]
pub struct Live {
    /// The standings of the tournament so far.
    pub tournament: Option<Arc<Standings>>,
    /// The game that front ends show, one of those being played.
    pub game: Option<Arc<LiveGame>>,
}

/// The progress of the current operation; the thread that runs the operation writes it, any thread may read it.
#[derive(Debug, Default)]
pub struct Progress {
    current: Mutex<Option<(Operation, Instant)>>,
    live: Mutex<Live>,
}

impl Progress {
    /// Begins an operation of which an earlier run has completed `before` units.
    pub fn begin(&self, name: &'static str, unit: Unit, before: u64) {
        let (elapsed, note) = (Duration::ZERO, String::new());
        let operation = Operation { name, unit, done: before, before, total: 0, elapsed, note };
        *self.lock() = Some((operation, Instant::now()));
    }

    /// Reports progress: `done` of `total` units (`total` 0: unknown).
    pub fn update(&self, done: u64, total: u64) {
        if let Some((operation, _)) = &mut *self.lock() {
            (operation.done, operation.total) = (done, total);
        }
    }

    /// Sets the note, which reports intermediate results.
    pub fn set_note(&self, note: String) {
        if let Some((operation, _)) = &mut *self.lock() {
            operation.note = note;
        }
    }

    /// Ends the current operation.
    pub fn end(&self) {
        *self.lock() = None;
    }

    /// The current operation; `None` if none is running.
    pub fn operation(&self) -> Option<Operation> {
        let current = self.lock();
        let (operation, since) = current.as_ref()?;
        Some(Operation { elapsed: since.elapsed(), ..operation.clone() })
    }

    /// Changes the games that front ends show.
    pub fn update_live(&self, change: impl FnOnce(&mut Live)) {
        change(&mut self.live.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// The games being played; after the end, the last ones until a front end clears them.
    pub fn live(&self) -> Live {
        self.live.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn lock(&self) -> MutexGuard<'_, Option<(Operation, Instant)>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
