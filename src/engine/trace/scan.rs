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
    next: u64,
    /// The depth of each iteration, and the event that begins it.
    pub iterations: Vec<(u8, u64)>,
    pub(super) found: Arc<TraceFindings>,
    /// The part of the file that is read: done and total.
    part: (u64, u64),
    unread: Option<String>,
}

/// The progress and the findings of an open trace so far.
#[derive(Clone, Debug)]
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
        Self {
            checker: Some(Checker::new(header, rules, false, LISTED)),
            next: 0,
            iterations: Vec::new(),
            found: Arc::default(),
            part: (0, 0),
            unread: None,
        }
    }

    /// Checks the next [`BATCH`] events; false if there are no more.
    fn check_batch(&mut self, events: &mut TraceEvents) -> bool {
        let Some(checker) = &mut self.checker else {
            return false;
        };
        for _ in 0..BATCH {
            let (number, iterations) = (self.next, &mut self.iterations);
            let read = events.event(number, |event, _| {
                if event.e == TraceKind::Iter {
                    iterations.push((event.depth(), number));
                }
                checker.check(event);
            });
            match read {
                FoundEvent::Event(()) => self.next += 1,
                FoundEvent::Pending => return false,
                FoundEvent::Over => {
                    self.unread = events.fault.as_ref().map(|fault| fault.message.clone());
                    let found = self.checker.take().map(|it| it.finish(self.unread.is_none()));
                    self.found = Arc::new(found.unwrap_or_default());
                    self.part = events.part(self.next);
                    return false;
                }
            }
        }
        self.part = events.part(self.next);
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
        while more && !stop(self.next) {
            more = self.check_batch(&mut events());
        }
        if let Some(checker) = &self.checker
            && *checker.counts() != self.found.counts
        {
            self.found = Arc::new(checker.found());
        }
        TraceProgress {
            events: self.next,
            part: self.part,
            done: !more || self.checker.is_none(),
            found: Arc::clone(&self.found),
            unread: self.unread.clone(),
        }
    }
}
