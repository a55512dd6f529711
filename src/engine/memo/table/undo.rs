//! What a table held before it was changed. New records stand at its end, so a length is all it takes to undo them; only
//! records written over, removed or rearranged are kept.

use super::{
    super::{
        Record,
        crowd::State,
        journal::{self, Journal, Journalled, Segment},
    },
    Beside, Row, Side, Table,
};
use crate::engine::game::{Key, Keyed, Packed};

/// One change that is not a new record at the end.
#[derive(Debug)]
pub enum Change<K: Key, R: Record> {
    /// The record at a place was written over, under the same key or another.
    Replaced { place: u32, old: Row<K, R> },
    /// The record at a place was removed and the later ones moved up.
    Removed {
        place: u32,
        old: Row<K, R>,
        side: Box<Side>,
    },
    /// All records were rearranged: as they stood before, with what was kept beside them.
    Rebuilt(Vec<Row<K, R>>, Beside),
    /// The record at a place was used, or its uses were reckoned anew.
    Used { place: u32, old: u32 },
    /// The record at a place was written for another position.
    Restated { place: u32, old: Box<Packed> },
}

type Log<K, R> = Journal<K, Change<K, R>>;

impl<K: Key, R: Record> Change<K, R> {
    /// Takes something down about a place, unless the record there is a new one.
    #[inline]
    fn note(journal: &mut Log<K, R>, place: usize, change: impl FnOnce(u32) -> Self) {
        if place < journal.start() {
            journal.push(change(place as u32));
        }
    }

    #[inline]
    pub(super) fn replaced(journal: &mut Log<K, R>, place: usize, old: Row<K, R>) {
        Self::note(journal, place, |place| Self::Replaced { place, old });
    }

    pub(super) fn used(journal: &mut Log<K, R>, place: usize, old: u32) {
        Self::note(journal, place, |place| Self::Used { place, old });
    }

    pub(super) fn restated(journal: &mut Log<K, R>, place: usize, old: Packed) {
        let old = Box::new(old);
        Self::note(journal, place, |place| Self::Restated { place, old });
    }

    pub(super) fn removed(place: usize, old: Row<K, R>, side: Side) -> Self {
        Self::Removed {
            place: place as u32,
            old,
            side: Box::new(side),
        }
    }
}

impl<K: Key, R: Record> journal::Change for Change<K, R> {
    fn weight(&self) -> usize {
        match self {
            Self::Rebuilt(rows, beside) => size_of_val(rows.as_slice()) + beside.weight(),
            Self::Removed { .. } => size_of::<Side>(),
            Self::Restated { .. } => size_of::<Packed>(),
            Self::Replaced { .. } | Self::Used { .. } => 0,
        }
    }
}

impl<K: Key, R: Record> Journalled for Table<K, R> {
    type Key = K;
    type Change = Change<K, R>;

    fn journal(&self) -> Option<&Log<K, R>> {
        self.journal.as_deref()
    }

    fn journal_mut(&mut self) -> &mut Option<Box<Log<K, R>>> {
        &mut self.journal
    }

    fn extent(&self) -> usize {
        self.rows.len()
    }

    fn state(&self) -> State {
        self.keeper.state
    }

    fn take_back(&mut self, start: usize, changes: Vec<Change<K, R>>) {
        let mut in_place = true;
        for change in changes.into_iter().rev() {
            in_place &= self.undo(change);
        }
        self.shorten(start, in_place);
    }

    fn settle(&mut self, state: State) {
        self.keeper.state = state;
        self.fit();
    }

    fn writes(&self, segment: &Segment<Change<K, R>>, at: Keyed<K>) -> bool {
        let place = self.place(at);
        place.is_none_or(|place| place >= segment.start)
            || segment.changes.iter().any(|change| match change {
                Change::Replaced { place: known, .. } => place == Some(*known as usize),
                Change::Removed { .. } | Change::Rebuilt(..) => true,
                Change::Used { .. } | Change::Restated { .. } => false,
            })
    }
}

impl<K: Key, R: Record> Table<K, R> {
    /// Takes one change back; whether the index still points at the right places.
    fn undo(&mut self, change: Change<K, R>) -> bool {
        match change {
            Change::Replaced { place, old } => {
                let row = std::mem::replace(&mut self.rows[place as usize], old);
                return row.at() == old.at();
            }
            Change::Removed { place, old, side } => {
                self.rows.insert(place as usize, old);
                self.beside.insert(place as usize, *side);
                return false;
            }
            Change::Rebuilt(rows, beside) => {
                self.rows = rows;
                self.beside.restore(beside, self.rows.len());
                return false;
            }
            Change::Used { place, old } => {
                let uses = self.beside.uses.as_mut();
                if let Some(slot) = uses.and_then(|uses| uses.get_mut(place as usize)) {
                    *slot = old;
                }
            }
            Change::Restated { place, old } => {
                let states = self.beside.states.as_mut();
                if let Some(slot) = states.and_then(|states| states.get_mut(place as usize)) {
                    *slot = *old;
                }
            }
        }
        true
    }
}
