//! What a table held before it was changed, so that the debugger can take changes back.
//!
//! New records stand at the end of a table, so a length is all it takes to undo them; only records written over, removed or
//! rearranged are kept. Changes are kept in segments, one from each mark to the next.

use std::collections::VecDeque;

use super::{Entry, Record, Table, evict::State};
use crate::engine::game::{Key, Keyed};

type Slot<K, R> = (Keyed<K>, R);

/// One change that is not a new record at the end.
#[derive(Debug)]
enum Change<K, R> {
    /// The record at a place was written over, under the same key or another.
    Replaced { place: u32, old: Slot<K, R> },
    /// The record at a place was removed and the later ones moved up.
    Removed {
        place: u32,
        old: Slot<K, R>,
        uses: u32,
    },
    /// All records were rearranged: as they stood before, with their uses where those are counted.
    Rebuilt(Vec<Slot<K, R>>, Option<Vec<u32>>),
    /// The record at a place was used, or its uses were reckoned anew.
    Used { place: u32, old: u32 },
}

/// Bytes of rearranged records and their uses.
fn weight<K, R>(records: &[Slot<K, R>], uses: Option<&Vec<u32>>) -> usize {
    size_of_val(records) + uses.map_or(0, |uses| size_of_val(uses.as_slice()))
}

/// What happened from one mark to the next.
#[derive(Debug)]
struct Segment<K, R> {
    /// Records at its start.
    start: usize,
    /// What decided there which record is next to give way.
    state: State,
    changes: Vec<Change<K, R>>,
}

/// A record of changes, oldest first.
#[derive(Debug)]
pub(super) struct Journal<K, R> {
    segments: VecDeque<Segment<K, R>>,
    /// The mark at which the first segment starts.
    first: u64,
    /// Bytes of rearranged tables.
    rebuilt: usize,
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

impl<K: Copy, R: Copy> Journal<K, R> {
    pub(super) fn new(len: usize, state: State) -> Self {
        let mut journal = Self {
            segments: VecDeque::new(),
            first: 0,
            rebuilt: 0,
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

    #[inline]
    pub(super) fn replaced(&mut self, place: usize, old: Slot<K, R>) {
        if let Some(segment) = self.segments.back_mut()
            && place < segment.start
        {
            let place = place as u32;
            segment.changes.push(Change::Replaced { place, old });
        }
    }

    pub(super) fn used(&mut self, place: usize, old: u32) {
        if let Some(segment) = self.segments.back_mut()
            && place < segment.start
        {
            let place = place as u32;
            segment.changes.push(Change::Used { place, old });
        }
    }

    pub(super) fn removed(&mut self, place: usize, old: Slot<K, R>, uses: u32) {
        self.change(Change::Removed {
            place: place as u32,
            old,
            uses,
        });
    }

    pub(super) fn rebuilt(&mut self, records: Vec<Slot<K, R>>, uses: Option<Vec<u32>>) {
        self.rebuilt += weight(&records, uses.as_ref());
        self.change(Change::Rebuilt(records, uses));
    }

    fn change(&mut self, change: Change<K, R>) {
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
        changes.sum::<usize>() * size_of::<Change<K, R>>() + self.rebuilt
    }

    fn place_of(&self, mark: u64) -> usize {
        (mark.saturating_sub(self.first) as usize).min(self.segments.len() - 1)
    }
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

impl<K: Key, R: Record> Rewind<K> for Table<K, R> {
    fn record(&mut self, on: bool) {
        self.journal = on.then(|| Box::new(Journal::new(self.records.len(), self.keeper.state)));
    }

    fn is_recorded(&self) -> bool {
        self.journal.is_some()
    }

    fn mark(&mut self) -> u64 {
        let (len, state) = (self.records.len(), self.keeper.state);
        self.journal
            .as_mut()
            .map_or(0, |journal| journal.open(len, state))
    }

    fn rewind(&mut self, mark: u64) {
        let Some(mut journal) = self.journal.take() else {
            return;
        };
        let place = journal.place_of(mark);
        while journal.segments.len() > place + 1 {
            if let Some(segment) = journal.segments.pop_back() {
                self.take_back(segment.start, segment.changes, &mut journal.rebuilt);
            }
        }
        if let Some(segment) = journal.segments.back_mut() {
            let changes = std::mem::take(&mut segment.changes);
            self.take_back(segment.start, changes, &mut journal.rebuilt);
            self.keeper.state = segment.state;
        }
        self.fit();
        journal.edits = Edits::default();
        self.journal = Some(journal);
    }

    fn forget(&mut self, mark: u64) {
        let Some(journal) = &mut self.journal else {
            return;
        };
        let place = journal.place_of(mark);
        let forgotten = journal.segments.drain(..place);
        let lost = forgotten
            .flat_map(|segment| segment.changes)
            .map(|change| match change {
                Change::Rebuilt(records, uses) => weight(&records, uses.as_ref()),
                _ => 0,
            });
        journal.rebuilt -= lost.sum::<usize>();
        journal.first += place as u64;
    }

    fn unmark(&mut self, mark: u64) {
        let Some(journal) = &mut self.journal else {
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
        self.journal.as_ref().map_or(0, |journal| journal.bytes())
    }

    fn take_edits(&mut self) -> Edits<K> {
        self.journal
            .as_mut()
            .map_or_else(Edits::default, |journal| std::mem::take(&mut journal.edits))
    }

    fn first_len(&self) -> usize {
        let journal = self.journal.as_ref();
        let first = journal.and_then(|journal| journal.segments.front());
        first.map_or(self.records.len(), |segment| segment.start)
    }

    fn edited_whole(&mut self) {
        if let Some(journal) = &mut self.journal {
            journal.edited_whole();
        }
    }

    fn last_written(&self, at: Keyed<K>) -> Option<u64> {
        let journal = self.journal.as_ref()?;
        let place = self.place(at);
        let touched = |segment: &Segment<K, R>| {
            place.is_none_or(|place| place >= segment.start)
                || segment.changes.iter().any(|change| match change {
                    Change::Replaced { place: known, .. } => place == Some(*known as usize),
                    Change::Removed { .. } | Change::Rebuilt(..) => true,
                    Change::Used { .. } => false,
                })
        };
        let last = journal.segments.iter().rposition(touched)?;
        Some(journal.first + last as u64)
    }
}

impl<K: Key, R: Record> Table<K, R> {
    fn take_back(&mut self, len: usize, changes: Vec<Change<K, R>>, rebuilt: &mut usize) {
        let mut in_place = true;
        for change in changes.into_iter().rev() {
            match change {
                Change::Replaced { place, old } => {
                    let record = &mut self.records[place as usize];
                    in_place &= record.0 == old.0;
                    *record = old;
                }
                Change::Removed {
                    place,
                    old,
                    uses: used,
                } => {
                    self.records.insert(place as usize, old);
                    if let Some(uses) = &mut self.uses {
                        uses.insert(place as usize, used);
                    }
                    in_place = false;
                }
                Change::Rebuilt(records, uses) => {
                    *rebuilt -= weight(&records, uses.as_ref());
                    self.records = records;
                    if self.uses.is_some() {
                        self.uses = uses.or_else(|| Some(vec![0; self.records.len()]));
                    }
                    in_place = false;
                }
                Change::Used { place, old } => {
                    if let Some(slot) = self
                        .uses
                        .as_mut()
                        .and_then(|uses| uses.get_mut(place as usize))
                    {
                        *slot = old;
                    }
                }
            }
        }
        self.shorten(len, in_place);
    }
}
