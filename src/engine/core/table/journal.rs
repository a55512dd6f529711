//! What a table held before it was changed, so that the debugger can take changes back.
//!
//! Changes are kept in segments, one from each mark to the next. New records stand at the table's end, so a length is all
//! it takes to undo them; only records written over, removed or rearranged are kept.

use std::collections::VecDeque;

use super::{
    Entry, Record, Table,
    capacity::ReplacementCursor,
    rows::{Row, Rows, SideData},
};
use crate::engine::core::game::{Key, Keyed, Packed};

/// One change that is not a new record at the end.
#[derive(Debug)]
pub(super) enum TableChange<K: Key, R: Record> {
    /// The record at a place was written over, under the same key or another.
    Replaced { place: u32, old: Row<K, R> },
    /// The record at a place was removed and the later ones moved up.
    Removed { place: u32, old: Row<K, R>, beside: Box<SideData> },
    /// All records were rearranged: as they stood before.
    Rebuilt(Box<Rows<K, R>>),
    /// The record at a place was used, or its uses were reckoned anew.
    Used { place: u32, old: u32 },
    /// The record at a place was written for another position.
    Restated { place: u32, old: Box<Packed> },
}

impl<K: Key, R: Record> TableChange<K, R> {
    /// Bytes it takes beside its own size.
    fn weight(&self) -> usize {
        match self {
            Self::Rebuilt(held) => held.rows.len() * held.each(),
            Self::Removed { .. } => size_of::<SideData>(),
            Self::Restated { .. } => size_of::<Packed>(),
            Self::Replaced { .. } | Self::Used { .. } => 0,
        }
    }
}

/// What happened from one mark to the next.
#[derive(Debug)]
struct Segment<K: Key, R: Record> {
    /// Records at its start.
    start: usize,
    /// What decided there which record is next to give way.
    cursor: ReplacementCursor,
    changes: Vec<TableChange<K, R>>,
}

/// A record of changes, oldest first.
#[derive(Debug)]
pub(super) struct Journal<K: Key, R: Record> {
    segments: VecDeque<Segment<K, R>>,
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
    fn push(&mut self, at: Keyed<K>, entry: Option<Entry>) {
        match self {
            Self::Each(edits) if edits.len() < MOST_EDITS => edits.push((at, entry)),
            _ => *self = Self::Whole,
        }
    }
}

impl<K: Key, R: Record> Journal<K, R> {
    /// An empty journal of a table of `len` records; mark 0 is here.
    pub fn new(len: usize, cursor: ReplacementCursor) -> Self {
        let mut journal =
            Self { segments: VecDeque::new(), first: 0, weight: 0, edits: Edits::default() };
        journal.open(len, cursor);
        journal
    }

    /// Sets a mark.
    pub fn open(&mut self, len: usize, cursor: ReplacementCursor) -> u64 {
        self.segments.push_back(Segment { start: len, cursor, changes: Vec::new() });
        self.first + self.segments.len() as u64 - 1
    }

    /// Takes a change down.
    #[inline]
    pub fn push(&mut self, change: TableChange<K, R>) {
        self.weight += change.weight();
        if let Some(segment) = self.segments.back_mut() {
            segment.changes.push(change);
        }
    }

    /// Takes a change of the record at a place down, unless that is a new one.
    #[inline]
    pub fn note(&mut self, place: usize, change: impl FnOnce(u32) -> TableChange<K, R>) {
        let start = self.segments.back().map_or(0, |segment| segment.start);
        if place < start {
            self.push(change(place as u32));
        }
    }

    pub fn edited(&mut self, at: Keyed<K>, entry: Option<Entry>) {
        self.edits.push(at, entry);
    }

    pub fn edited_whole(&mut self) {
        self.edits = Edits::Whole;
    }

    pub fn take_edits(&mut self) -> Edits<K> {
        std::mem::take(&mut self.edits)
    }

    /// Memory that the changes take, in bytes.
    pub fn bytes(&self) -> usize {
        let changes = self.segments.iter().map(|segment| segment.changes.capacity());
        changes.sum::<usize>() * size_of::<TableChange<K, R>>() + self.weight
    }

    fn place_of(&self, mark: u64) -> usize {
        (mark.saturating_sub(self.first) as usize).min(self.segments.len() - 1)
    }

    /// Hands out what happened since a mark, which is then the last one, the latest segment first.
    fn unroll(&mut self, mark: u64) -> Vec<Segment<K, R>> {
        let place = self.place_of(mark);
        let mut segments: Vec<_> = self.segments.drain(place + 1..).rev().collect();
        if let Some(last) = self.segments.back_mut() {
            segments.push(Segment { changes: std::mem::take(&mut last.changes), ..*last });
        }
        let changes = segments.iter().flat_map(|segment| &segment.changes);
        self.weight -= changes.map(TableChange::weight).sum::<usize>();
        self.edits = Edits::default();
        segments
    }

    /// Gives up what is kept from before a mark.
    pub fn forget(&mut self, mark: u64) {
        let place = self.place_of(mark);
        let forgotten = self.segments.drain(..place);
        let lost = forgotten.flat_map(|segment| segment.changes);
        self.weight -= lost.map(|change| change.weight()).sum::<usize>();
        self.first += place as u64;
    }

    /// Gives up a mark, but neither the one before it nor what is kept. Marks are numbers in a row, so its segment stays,
    /// empty: it starts where the next one does.
    pub fn unmark(&mut self, mark: u64) {
        let place = self.place_of(mark);
        let next = self.segments.get(place + 1);
        let Some((start, cursor)) = next.map(|next| (next.start, next.cursor)) else {
            return;
        };
        if place == 0 {
            return;
        }
        let segment = &mut self.segments[place];
        let changes = std::mem::take(&mut segment.changes);
        (segment.start, segment.cursor) = (start, cursor);
        self.segments[place - 1].changes.extend(changes);
    }

    /// The last mark after which the record at a place may have been written; no place is one that is not there now.
    pub fn last_written(&self, place: Option<usize>) -> Option<u64> {
        let written = |segment: &Segment<K, R>| {
            place.is_none_or(|place| place >= segment.start)
                || segment.changes.iter().any(|change| match change {
                    TableChange::Replaced { place: known, .. } => place == Some(*known as usize),
                    TableChange::Removed { .. } | TableChange::Rebuilt(_) => true,
                    TableChange::Used { .. } | TableChange::Restated { .. } => false,
                })
        };
        let last = self.segments.iter().rposition(written)?;
        Some(self.first + last as u64)
    }
}

impl<K: Key, R: Record> Table<K, R> {
    /// Takes back everything since a mark, which is then the last one.
    pub(super) fn take_back(&mut self, mark: u64) {
        let Some(mut journal) = self.journal.take() else {
            return;
        };
        for segment in journal.unroll(mark) {
            let mut in_place = true;
            for change in segment.changes.into_iter().rev() {
                in_place &= self.undo(change);
            }
            self.shorten(segment.start, in_place);
            self.cursor = segment.cursor;
        }
        self.fit();
        self.journal = Some(journal);
    }

    /// Takes one change back; whether the index still points at the right places.
    fn undo(&mut self, change: TableChange<K, R>) -> bool {
        match change {
            TableChange::Replaced { place, old } => {
                let row = std::mem::replace(&mut self.held.rows[place as usize], old);
                return row.at() == old.at();
            }
            TableChange::Removed { place, old, beside } => {
                self.held.insert(place as usize, old, *beside);
                return false;
            }
            TableChange::Rebuilt(held) => {
                self.held.restore(*held);
                return false;
            }
            TableChange::Used { place, old } => {
                let uses = self.held.uses.as_mut();
                if let Some(slot) = uses.and_then(|uses| uses.get_mut(place as usize)) {
                    *slot = old;
                }
            }
            TableChange::Restated { place, old } => {
                let states = self.held.states.as_mut();
                if let Some(slot) = states.and_then(|states| states.get_mut(place as usize)) {
                    *slot = *old;
                }
            }
        }
        true
    }
}
