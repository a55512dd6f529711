//! Entries that threads store and read at the same time. A trace has the events of all threads in one order, but a table
//! without locks may be read just before an entry is written although its event comes first, or between the two halves of a
//! write.

use std::collections::VecDeque;

use super::{Finding, node::StoredEntry};

/// The number of recent entries that are compared with a torn one, and of events within which two threads can race.
const RECENT: usize = 1 << 12;

/// The most findings that are kept back in case a later entry explains them as a race.
const MAX_PENDING: usize = 1 << 10;

#[derive(Debug)]
struct PendingFinding {
    /// The hash of the key, and of the entry that was read.
    key: u64,
    entry: u64,
    /// The event after which the finding can no longer be explained by a race.
    until: u64,
    finding: Finding,
}

/// The entries stored last in a table that several threads use, and entries that were read before they were stored.
#[derive(Debug, Default)]
pub(super) struct Races {
    recent: VecDeque<(u64, StoredEntry)>,
    pending: VecDeque<PendingFinding>,
}

impl Races {
    /// Adds an entry. Earlier findings about this entry are dropped: it was read before the event that stores it.
    pub(super) fn store(&mut self, key: u64, stored: StoredEntry, entry: u64) {
        self.recent.push_back((key, stored));
        if self.recent.len() > RECENT {
            self.recent.pop_front();
        }
        self.pending.retain(|pending| (pending.key, pending.entry) != (key, entry));
    }

    /// Adds a finding that another thread's next entries may explain. Returns the oldest finding if too many wait.
    pub(super) fn add(&mut self, key: u64, entry: u64, finding: Finding) -> Option<Finding> {
        let until = finding.event + RECENT as u64;
        self.pending.push_back(PendingFinding { key, entry, until, finding });
        if self.pending.len() > MAX_PENDING { self.pop() } else { None }
    }

    /// A finding that no entry has explained up to this event.
    pub(super) fn next_old(&mut self, event: u64) -> Option<Finding> {
        self.pending.front()?.until.le(&event).then(|| self.pop())?
    }

    pub(super) fn pop(&mut self) -> Option<Finding> {
        self.pending.pop_front().map(|pending| pending.finding)
    }

    /// The two events whose entries are mixed in a torn entry; the first one stored the key or the value.
    pub(super) fn torn(&self, key: u64, entry: StoredEntry) -> Option<[u64; 2]> {
        let same_value = |stored: &StoredEntry| stored.value == entry.value;
        let same_rest =
            |stored: &StoredEntry| stored.bound == entry.bound && stored.depth == entry.depth;
        let latest = |fits: &dyn Fn(u64, &StoredEntry) -> bool| {
            let mut recent = self.recent.iter().rev();
            recent.find(|(at, stored)| fits(*at, stored)).map(|(_, stored)| stored.event)
        };
        let own = latest(&|at, _| at == key);
        let other = latest(&|at, stored| at != key && same_value(stored) && same_rest(stored));
        let value = latest(&|_, stored| same_value(stored));
        let own_value = latest(&|at, stored| at == key && same_value(stored));
        let rest = latest(&|_, stored| same_rest(stored));
        let own_rest = latest(&|at, stored| at == key && same_rest(stored));
        let mixed = own_value.zip(rest).or(value.zip(own_rest));
        own.zip(other).or(mixed).map(|(first, second)| [first, second])
    }
}
