//! What a table held before it was changed, so that the debugger can take changes back.
//!
//! Changes are kept in segments, one from each mark to the next. What a change is, each kind of table says.

use std::collections::VecDeque;

use super::{Entry, crowd::State};
use crate::engine::game::{Key, Keyed};

/// One change, kept so that it can be taken back.
pub trait Change {
    /// Bytes it takes beside its own size.
    fn weight(&self) -> usize;
}

/// What happened from one mark to the next.
#[derive(Debug)]
pub struct Segment<C> {
    /// Records at its start.
    pub(super) start: usize,
    /// What decided there which record is next to give way.
    state: State,
    pub(super) changes: Vec<C>,
}

/// A record of changes, oldest first.
#[derive(Debug)]
pub struct Journal<K, C> {
    segments: VecDeque<Segment<C>>,
    /// The mark at which the first segment starts.
    first: u64,
    /// Bytes that changes take beside their own size.
    weight: usize,
    edits: Edits<K>,
}

/// Edits by hand remembered one by one; more count as a rearrangement.
const MOST_EDITS: usize = 1 << 12;

/// What was changed by hand, not by a search.
#[derive(Clone, Debug, PartialEq)]
pub enum Edits<K> {
    /// Entry by entry, in order; nothing where it was removed.
    Each(Vec<(Keyed<K>, Option<Entry>)>),
    /// So much that only the table as a whole tells.
    Whole,
}

impl<K> Default for Edits<K> {
    fn default() -> Self {
        Self::Each(Vec::new())
    }
}

impl<K> Edits<K> {
    /// Whether nothing was edited.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Each(edits) if edits.is_empty())
    }

    fn push(&mut self, at: Keyed<K>, entry: Option<Entry>) {
        match self {
            Self::Each(edits) if edits.len() < MOST_EDITS => edits.push((at, entry)),
            _ => *self = Self::Whole,
        }
    }
}

impl<K: Copy, C: Change> Journal<K, C> {
    fn new(len: usize, state: State) -> Self {
        let mut journal = Self {
            segments: VecDeque::new(),
            first: 0,
            weight: 0,
            edits: Edits::default(),
        };
        journal.open(len, state);
        journal
    }

    fn open(&mut self, len: usize, state: State) -> u64 {
        self.segments.push_back(Segment {
            start: len,
            state,
            changes: Vec::new(),
        });
        self.first + self.segments.len() as u64 - 1
    }

    /// Records at the last mark.
    #[inline]
    pub(super) fn start(&self) -> usize {
        self.segments.back().map_or(0, |segment| segment.start)
    }

    /// Takes a change down.
    #[inline]
    pub(super) fn push(&mut self, change: C) {
        self.weight += change.weight();
        if let Some(segment) = self.segments.back_mut() {
            segment.changes.push(change);
        }
    }

    pub(super) fn edited(&mut self, at: Keyed<K>, entry: Option<Entry>) {
        self.edits.push(at, entry);
    }

    pub(super) fn edited_whole(&mut self) {
        self.edits = Edits::Whole;
    }

    fn bytes(&self) -> usize {
        let changes = self
            .segments
            .iter()
            .map(|segment| segment.changes.capacity());
        changes.sum::<usize>() * size_of::<C>() + self.weight
    }

    fn place_of(&self, mark: u64) -> usize {
        (mark.saturating_sub(self.first) as usize).min(self.segments.len() - 1)
    }

    /// Hands out the changes since a mark, which is then the last one, the latest segment first.
    fn unroll(&mut self, mark: u64) -> Vec<(usize, State, Vec<C>)> {
        let place = self.place_of(mark);
        let mut segments: Vec<_> = self
            .segments
            .drain(place + 1..)
            .rev()
            .map(|segment| (segment.start, segment.state, segment.changes))
            .collect();
        if let Some(segment) = self.segments.back_mut() {
            let changes = std::mem::take(&mut segment.changes);
            segments.push((segment.start, segment.state, changes));
        }
        let changes = segments.iter().flat_map(|(.., changes)| changes);
        self.weight -= changes.map(Change::weight).sum::<usize>();
        segments
    }
}

/// A table whose changes can be kept and taken back.
pub trait Journalled {
    type Key: Key;
    type Change: Change;

    fn journal(&self) -> Option<&Journal<Self::Key, Self::Change>>;
    fn journal_mut(&mut self) -> &mut Option<Box<Journal<Self::Key, Self::Change>>>;
    /// Number of records.
    fn extent(&self) -> usize;
    /// What decides which record is next to give way.
    fn state(&self) -> State;
    /// Takes back a segment: changes from the last to the first, then all but the first `start` records where new ones
    /// stand at the end.
    fn take_back(&mut self, start: usize, changes: Vec<Self::Change>);
    /// Puts the state in force again after changes were taken back.
    fn settle(&mut self, state: State);
    /// Whether the entry under a key was written in a segment, or may have been.
    fn writes(&self, segment: &Segment<Self::Change>, at: Keyed<Self::Key>) -> bool;
}

/// A table that can be taken back to where it was. Marks are numbered upwards from 0.
pub trait Rewind<K> {
    /// Starts to keep changes, with mark 0 here, or stops and forgets them.
    fn record(&mut self, on: bool);
    /// Whether changes are kept.
    fn is_recorded(&self) -> bool;
    /// Sets a mark here.
    fn mark(&mut self) -> u64;
    /// Takes back everything since a mark, which is then the last one.
    fn rewind(&mut self, mark: u64);
    /// Gives up what is kept from before a mark.
    fn forget(&mut self, mark: u64);
    /// Gives up a mark, but neither the one before it nor what is kept.
    fn unmark(&mut self, mark: u64);
    /// Memory that the kept changes take, in bytes.
    fn recorded_bytes(&self) -> usize;
    /// What was edited by hand since it was last asked.
    fn take_edits(&mut self) -> Edits<K>;
    /// How many entries there were at the first mark still kept.
    fn first_len(&self) -> usize;
    /// Says that something but the recorded search has written.
    fn edited_whole(&mut self);
    /// The last mark after which an entry may have been written: surely none was after a later one.
    fn last_written(&self, at: Keyed<K>) -> Option<u64>;
}

impl<T: Journalled> Rewind<T::Key> for T {
    fn record(&mut self, on: bool) {
        let (len, state) = (self.extent(), self.state());
        *self.journal_mut() = on.then(|| Box::new(Journal::new(len, state)));
    }

    fn is_recorded(&self) -> bool {
        self.journal().is_some()
    }

    fn mark(&mut self) -> u64 {
        let (len, state) = (self.extent(), self.state());
        let journal = self.journal_mut().as_mut();
        journal.map_or(0, |journal| journal.open(len, state))
    }

    fn rewind(&mut self, mark: u64) {
        let Some(mut journal) = self.journal_mut().take() else {
            return;
        };
        let mut then = self.state();
        for (start, state, changes) in journal.unroll(mark) {
            self.take_back(start, changes);
            then = state;
        }
        self.settle(then);
        journal.edits = Edits::default();
        *self.journal_mut() = Some(journal);
    }

    fn forget(&mut self, mark: u64) {
        let Some(journal) = self.journal_mut() else {
            return;
        };
        let place = journal.place_of(mark);
        let forgotten = journal.segments.drain(..place);
        let lost = forgotten.flat_map(|segment| segment.changes);
        journal.weight -= lost.map(|change| change.weight()).sum::<usize>();
        journal.first += place as u64;
    }

    fn unmark(&mut self, mark: u64) {
        let Some(journal) = self.journal_mut() else {
            return;
        };
        // Marks are numbers in a row, so the segment stays, empty: it starts where the next one does.
        let place = journal.place_of(mark);
        let next = journal.segments.get(place + 1);
        let Some((start, state)) = next.map(|next| (next.start, next.state)) else {
            return;
        };
        if place == 0 {
            return;
        }
        let segment = &mut journal.segments[place];
        let changes = std::mem::take(&mut segment.changes);
        (segment.start, segment.state) = (start, state);
        journal.segments[place - 1].changes.extend(changes);
    }

    fn recorded_bytes(&self) -> usize {
        self.journal().map_or(0, Journal::bytes)
    }

    fn take_edits(&mut self) -> Edits<T::Key> {
        self.journal_mut()
            .as_mut()
            .map_or_else(Edits::default, |journal| std::mem::take(&mut journal.edits))
    }

    fn first_len(&self) -> usize {
        let journal = self.journal();
        let first = journal.and_then(|journal| journal.segments.front());
        first.map_or(self.extent(), |segment| segment.start)
    }

    fn edited_whole(&mut self) {
        if let Some(journal) = self.journal_mut() {
            journal.edited_whole();
        }
    }

    fn last_written(&self, at: Keyed<T::Key>) -> Option<u64> {
        let journal = self.journal()?;
        let touched = |segment: &Segment<T::Change>| self.writes(segment, at);
        let last = journal.segments.iter().rposition(touched)?;
        Some(journal.first + last as u64)
    }
}
