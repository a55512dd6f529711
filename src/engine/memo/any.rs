use super::{Bounded, Edits, Entries, Exact, Interval, Policy, Rewind, Rote, Unmemoized};
use crate::engine::game::{Key, Keyed};

/// A memo of whichever policy the settings name. A search matches on it once and then runs on the concrete type.
#[derive(Clone, Debug)]
pub enum AnyMemo<K> {
    /// [`Policy::None`].
    None(Unmemoized),
    /// [`Policy::Exact`].
    Exact(Exact<K>),
    /// [`Policy::Interval`].
    Interval(Interval<K>),
    /// [`Policy::Bound`].
    Bound(Bounded<K>),
    /// [`Policy::Rote`].
    Rote(Rote<K>),
}

impl<K: Key> AnyMemo<K> {
    /// An empty memo.
    pub fn new(policy: Policy) -> Self {
        match policy {
            Policy::None => Self::None(Unmemoized),
            Policy::Exact => Self::Exact(Exact::default()),
            Policy::Interval => Self::Interval(Interval::default()),
            Policy::Bound => Self::Bound(Bounded::default()),
            Policy::Rote => Self::Rote(Rote::default()),
        }
    }

    /// The entries, to look at.
    pub fn entries(&self) -> &dyn Entries<K> {
        match self {
            Self::None(memo) => memo,
            Self::Exact(memo) => memo,
            Self::Interval(memo) => memo,
            Self::Bound(memo) => &memo.table,
            Self::Rote(memo) => &memo.table,
        }
    }

    /// The entries, to edit.
    pub fn entries_mut(&mut self) -> &mut dyn Entries<K> {
        match self {
            Self::None(memo) => memo,
            Self::Exact(memo) => memo,
            Self::Interval(memo) => memo,
            Self::Bound(memo) => &mut memo.table,
            Self::Rote(memo) => &mut memo.table,
        }
    }

    /// The same memo without a record of changes.
    #[must_use]
    pub fn unrecorded(mut self) -> Self {
        self.record(false);
        self
    }

    /// The record of changes; none where nothing is ever written.
    fn past(&self) -> Option<&dyn Rewind<K>> {
        match self {
            Self::None(_) => None,
            Self::Exact(memo) => Some(memo),
            Self::Interval(memo) => Some(memo),
            Self::Bound(memo) => Some(&memo.table),
            Self::Rote(memo) => Some(&memo.table),
        }
    }

    fn past_mut(&mut self) -> Option<&mut dyn Rewind<K>> {
        match self {
            Self::None(_) => None,
            Self::Exact(memo) => Some(memo),
            Self::Interval(memo) => Some(memo),
            Self::Bound(memo) => Some(&mut memo.table),
            Self::Rote(memo) => Some(&mut memo.table),
        }
    }
}

impl<K: Key> Rewind<K> for AnyMemo<K> {
    fn record(&mut self, on: bool) {
        if let Some(past) = self.past_mut() {
            past.record(on);
        }
    }

    fn is_recorded(&self) -> bool {
        self.past().is_none_or(Rewind::is_recorded)
    }

    fn mark(&mut self) -> u64 {
        self.past_mut().map_or(0, Rewind::mark)
    }

    fn rewind(&mut self, mark: u64) {
        if let Some(past) = self.past_mut() {
            past.rewind(mark);
        }
    }

    fn forget(&mut self, mark: u64) {
        if let Some(past) = self.past_mut() {
            past.forget(mark);
        }
    }

    fn unmark(&mut self, mark: u64) {
        if let Some(past) = self.past_mut() {
            past.unmark(mark);
        }
    }

    fn recorded_bytes(&self) -> usize {
        self.past().map_or(0, Rewind::recorded_bytes)
    }

    fn take_edits(&mut self) -> Edits<K> {
        self.past_mut()
            .map_or_else(Edits::default, Rewind::take_edits)
    }

    fn first_len(&self) -> usize {
        self.past().map_or(0, Rewind::first_len)
    }

    fn edited_whole(&mut self) {
        if let Some(past) = self.past_mut() {
            past.edited_whole();
        }
    }

    fn last_written(&self, at: Keyed<K>) -> Option<u64> {
        self.past()?.last_written(at)
    }
}
