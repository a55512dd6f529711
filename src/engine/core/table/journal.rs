//! The undo journal of a table, for going back in a recording.
//!
//! Changes are kept in segments between marks, the states that can be restored. New records are at the end of the table, so
//! that a length is enough to undo them; only records that were overwritten, removed or rearranged are kept.

use std::collections::VecDeque;

use super::{
    Entry, Record, Table,
    capacity::ReplacementCursor,
    rows::{Row, Rows, SideData},
};
use crate::engine::core::game::{Key, Keyed, Packed};

/// A change of a table, other than a new record at the end.
#[derive(Debug)]
pub(super) enum TableChange<K: Key, R: Record> {
    /// The record at index `place` was overwritten by one with the same key or another key.
    Replaced { place: u32, old: Row<K, R> },
    /// The record at index `place` was removed, and all later records moved down by one.
    Removed { place: u32, old: Row<K, R>, side_data: Box<SideData> },
    /// The records were rearranged; the field has the old rows.
    Rebuilt(Box<Rows<K, R>>),
    /// The use count of a record changed.
    Used { place: u32, old: u32 },
    /// The chess or morris position stored with a record (`verify=on`) changed.
    PositionSet { place: u32, old: Box<Packed> },
}

impl<K: Key, R: Record> TableChange<K, R> {
    /// Heap memory of the change in bytes.
    fn heap_bytes(&self) -> usize {
        match self {
            Self::Rebuilt(rows) => rows.list.len() * rows.row_bytes(),
            Self::Removed { .. } => size_of::<SideData>(),
            Self::PositionSet { .. } => size_of::<Packed>(),
            Self::Replaced { .. } | Self::Used { .. } => 0,
        }
    }
}

/// The changes of a table between two marks.
#[derive(Debug)]
struct Segment<K: Key, R: Record> {
    /// The number of records at the start of the segment.
    start: usize,
    /// The state of replacement at the start of the segment.
    cursor: ReplacementCursor,
    changes: Vec<TableChange<K, R>>,
}

/// The changes of a table, oldest first.
#[derive(Debug)]
pub(super) struct Journal<K: Key, R: Record> {
    segments: VecDeque<Segment<K, R>>,
    /// The mark at which the first segment starts.
    first: u64,
    /// Heap memory of the changes in bytes.
    heap_bytes: usize,
    edits: Edits<K>,
}

/// The most edits that are kept one by one.
// More edits take about as much memory and time as the whole table.
const MOST_EDITS: usize = 1 << 12;

/// What the user changed in a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Edits<K> {
    /// The edited entries with their keys, in order; `None` for a removed entry.
    Each(Vec<(Keyed<K>, Option<Entry>)>),
    /// The table was edited as a whole, or more than `MOST_EDITS` entries were edited.
    Table,
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
            _ => *self = Self::Table,
        }
    }
}

impl<K: Key, R: Record> Journal<K, R> {
    /// An empty journal of a table with `len` records, which starts with mark 0.
    pub fn new(len: usize, cursor: ReplacementCursor) -> Self {
        let mut journal =
            Self { segments: VecDeque::new(), first: 0, heap_bytes: 0, edits: Edits::default() };
        journal.open(len, cursor);
        journal
    }

    /// Sets a mark and returns its number.
    pub fn open(&mut self, len: usize, cursor: ReplacementCursor) -> u64 {
        self.segments.push_back(Segment { start: len, cursor, changes: Vec::new() });
        self.first + self.segments.len() as u64 - 1
    }

    #[inline]
    pub fn push(&mut self, change: TableChange<K, R>) {
        self.heap_bytes += change.heap_bytes();
        if let Some(segment) = self.segments.back_mut() {
            segment.changes.push(change);
        }
    }

    /// Adds a change of the record at index `place`, unless that record was added after the last mark.
    #[inline]
    pub fn note(&mut self, place: usize, change: impl FnOnce(u32) -> TableChange<K, R>) {
        let start = self.segments.back().map_or(0, |segment| segment.start);
        if place < start {
            self.push(change(place as u32));
        }
    }

    pub fn note_entry_edit(&mut self, at: Keyed<K>, entry: Option<Entry>) {
        self.edits.push(at, entry);
    }

    pub fn note_table_edit(&mut self) {
        self.edits = Edits::Table;
    }

    pub fn take_edits(&mut self) -> Edits<K> {
        std::mem::take(&mut self.edits)
    }

    /// Memory of the changes in bytes.
    pub fn bytes(&self) -> usize {
        let changes = self.segments.iter().map(|segment| segment.changes.capacity());
        changes.sum::<usize>() * size_of::<TableChange<K, R>>() + self.heap_bytes
    }

    fn segment_of(&self, mark: u64) -> usize {
        (mark.saturating_sub(self.first) as usize).min(self.segments.len() - 1)
    }

    /// Removes and returns the segments since a mark, which is then the last one; the latest segment first.
    fn segments_since(&mut self, mark: u64) -> Vec<Segment<K, R>> {
        let place = self.segment_of(mark);
        let mut segments: Vec<_> = self.segments.drain(place + 1..).rev().collect();
        if let Some(last) = self.segments.back_mut() {
            segments.push(Segment { changes: std::mem::take(&mut last.changes), ..*last });
        }
        let changes = segments.iter().flat_map(|segment| &segment.changes);
        self.heap_bytes -= changes.map(TableChange::heap_bytes).sum::<usize>();
        self.edits = Edits::default();
        segments
    }

    /// Drops the changes before a mark, which can then no longer be undone.
    pub fn forget(&mut self, mark: u64) {
        let place = self.segment_of(mark);
        let dropped = self.segments.drain(..place).flat_map(|segment| segment.changes);
        self.heap_bytes -= dropped.map(|change| change.heap_bytes()).sum::<usize>();
        self.first += place as u64;
    }

    /// Drops a mark: its changes go to the previous segment. Marks are consecutive numbers, so an empty segment stays in the
    /// list; it starts where the next segment starts.
    pub fn unmark(&mut self, mark: u64) {
        let place = self.segment_of(mark);
        let next = self.segments.get(place + 1).filter(|_| place > 0);
        let Some((start, cursor)) = next.map(|next| (next.start, next.cursor)) else {
            return;
        };
        let segment = &mut self.segments[place];
        let changes = std::mem::take(&mut segment.changes);
        (segment.start, segment.cursor) = (start, cursor);
        self.segments[place - 1].changes.extend(changes);
    }

    /// The last mark after which the record at index `place` may have been written. `None`: the table has no such record now.
    pub fn last_written(&self, mut place: Option<usize>) -> Option<u64> {
        let written = |segment: &Segment<K, R>| {
            let Some(place) = &mut place else { return true };
            let is_changed = segment.changes.iter().rev().any(|change| match change {
                TableChange::Replaced { place: known, .. } => *place == *known as usize,
                // Before the removal, the record was one place further on.
                TableChange::Removed { place: gone, .. } => {
                    *place += usize::from(*place >= *gone as usize);
                    false
                }
                TableChange::Rebuilt(_) => true,
                TableChange::Used { .. } | TableChange::PositionSet { .. } => false,
            });
            is_changed || *place >= segment.start
        };
        let last = self.segments.iter().rposition(written)?;
        Some(self.first + last as u64)
    }
}

impl<K: Key, R: Record> Table<K, R> {
    /// Restores the table as it was at a mark, which is then the last one.
    pub(super) fn restore_mark(&mut self, mark: u64) {
        let Some(mut journal) = self.journal.take() else {
            return;
        };
        // There can be hundreds of segments, so a new index is built once, after all of them.
        let mut indexed = true;
        for segment in journal.segments_since(mark) {
            for change in segment.changes.into_iter().rev() {
                indexed &= self.undo(change);
            }
            indexed = self.shorten(segment.start, indexed);
            self.cursor = segment.cursor;
        }
        if !indexed {
            self.reindex();
        }
        self.shrink_to_limit();
        self.journal = Some(journal);
    }

    /// Undoes a change. Returns whether every key in the hash index still leads to its record.
    fn undo(&mut self, change: TableChange<K, R>) -> bool {
        match change {
            TableChange::Replaced { place, old } => {
                let row = std::mem::replace(&mut self.rows.list[place as usize], old);
                return row.at() == old.at();
            }
            TableChange::Removed { place, old, side_data } => {
                self.rows.insert(place as usize, old, *side_data);
                return false;
            }
            TableChange::Rebuilt(rows) => {
                self.rows.restore(*rows);
                return false;
            }
            TableChange::Used { place, old } => {
                let uses = self.rows.uses.as_mut();
                if let Some(slot) = uses.and_then(|uses| uses.get_mut(place as usize)) {
                    *slot = old;
                }
            }
            TableChange::PositionSet { place, old } => {
                let states = self.rows.states.as_mut();
                if let Some(slot) = states.and_then(|states| states.get_mut(place as usize)) {
                    *slot = *old;
                }
            }
        }
        true
    }
}
