//! Reading and checking an open trace part by part, so that a front end can draw and handle keys in between.

use std::sync::{Arc, MutexGuard};

use super::{
    Checker, TraceFindings, TraceHeader, TraceKind,
    rulebook::Rulebook,
    source::{FoundEvent, TraceEvents},
};

/// The most findings of each check that are listed.
const LISTED: u64 = 1_000;

/// Events between two calls of `stop`: reading the clock takes longer than checking an event.
const BATCH: u32 = 64;

/// The state of reading and checking an open trace.
#[derive(Debug)]
pub(super) struct TraceScan {
    /// The checker; `None` once everything is checked.
    checker: Option<Checker>,
    /// The depth of each iteration, and the event that begins it.
    pub iterations: Vec<(u8, u64)>,
    pub(super) progress: TraceProgress,
}

/// The progress and the findings of an open trace so far.
#[derive(Clone, Debug, Default)]
pub struct TraceProgress {
    /// The number of events checked so far.
    pub events: u64,
    /// The part of the file that is read: done and total, in bytes or, of a packed trace, in events. Total 0: unknown.
    pub part: (u64, u64),
    /// Whether everything is read. A program that is still writing may add more.
    pub done: bool,
    /// The findings of the events checked so far.
    pub found: Arc<TraceFindings>,
    /// Why reading ended early, if it did.
    pub unread: Option<String>,
}

impl TraceScan {
    pub(super) fn new(header: &TraceHeader, rules: Option<Box<dyn Rulebook>>) -> Self {
        let checker = Some(Checker::new(header, rules, false, LISTED));
        Self { checker, iterations: Vec::new(), progress: TraceProgress::default() }
    }

    /// Checks the next [`BATCH`] events; false if there are no more.
    fn check_batch(&mut self, events: &mut TraceEvents) -> bool {
        let Some(checker) = &mut self.checker else {
            return false;
        };
        let progress = &mut self.progress;
        for _ in 0..BATCH {
            let (number, iterations) = (progress.events, &mut self.iterations);
            let read = events.event(number, |event, _| {
                if event.e == TraceKind::Iter {
                    iterations.push((event.depth(), number));
                }
                checker.check(event);
            });
            match read {
                FoundEvent::Event(()) => progress.events += 1,
                FoundEvent::Pending => return false,
                FoundEvent::Over => {
                    progress.unread = events.fault.as_ref().map(|fault| fault.message.clone());
                    let found = self.checker.take().map(|it| it.finish(progress.unread.is_none()));
                    progress.found = Arc::new(found.unwrap_or_default());
                    progress.part = events.part(progress.events);
                    return false;
                }
            }
        }
        progress.part = events.part(progress.events);
        true
    }

    /// Continues reading and checking until everything is read, or until `stop` returns true for the number of events. `events`
    /// is locked for a batch at a time.
    pub(super) fn check_on<'a>(
        &mut self,
        events: impl Fn() -> MutexGuard<'a, TraceEvents>,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> TraceProgress {
        let mut more = true;
        while more && !stop(self.progress.events) {
            more = self.check_batch(&mut events());
        }
        if let Some(checker) = &self.checker
            && checker.found.counts != self.progress.found.counts
        {
            self.progress.found = Arc::new(checker.found.clone().grouped());
        }
        self.progress.done = !more || self.checker.is_none();
        self.progress.clone()
    }
}
