//! What a table holds: rows in the order of insertion, and what is kept beside them.

use super::Record;
use crate::engine::core::game::{Key, Keyed, Packed};

/// The records of a table in the order of insertion and, only while somebody asks for it, what is kept beside each.
#[derive(Clone, Debug)]
pub(super) struct Rows<K: Key, R: Record> {
    pub rows: Vec<Row<K, R>>,
    /// How often each was used.
    pub uses: Option<Vec<u32>>,
    /// The position each was written for.
    pub states: Option<Vec<Packed>>,
}

/// What is kept beside one record.
#[derive(Clone, Copy, Debug)]
pub(super) struct SideData {
    pub uses: u32,
    pub state: Packed,
}

impl SideData {
    /// Of a record that was never used and whose position is unknown.
    pub const BLANK: Self = Self { uses: 0, state: Packed::UNKNOWN };
}

/// Does the same to the rows and to each list that is kept beside them.
macro_rules! each {
    ($self:ident, $list:ident => $does:expr) => {{
        let $list = &mut $self.rows;
        $does;
        if let Some($list) = &mut $self.uses {
            $does;
        }
        if let Some($list) = &mut $self.states {
            $does;
        }
    }};
}

impl<K: Key, R: Record> Default for Rows<K, R> {
    fn default() -> Self {
        Self { rows: Vec::new(), uses: None, states: None }
    }
}

impl<K: Key, R: Record> Rows<K, R> {
    /// Bytes of one record with what is kept beside it.
    pub fn each(&self) -> usize {
        let uses = self.uses.as_ref().map_or(0, |_| size_of::<u32>());
        let states = self.states.as_ref().map_or(0, |_| size_of::<Packed>());
        size_of::<Row<K, R>>() + uses + states
    }

    /// Bytes as allocated.
    pub fn bytes(&self) -> usize {
        let uses = self.uses.as_ref().map_or(0, Vec::capacity) * size_of::<u32>();
        let states = self.states.as_ref().map_or(0, Vec::capacity) * size_of::<Packed>();
        self.rows.capacity() * size_of::<Row<K, R>>() + uses + states
    }

    /// What is kept beside a place.
    pub fn beside(&self, place: usize) -> SideData {
        let uses = self.uses.as_ref().map(|uses| uses[place]);
        let state = self.states.as_ref().map(|states| states[place]);
        SideData { uses: uses.unwrap_or(0), state: state.unwrap_or(Packed::UNKNOWN) }
    }

    /// Keeps lists beside the rows or none.
    pub fn ask(&mut self, uses: bool, states: bool) {
        if uses != self.uses.is_some() {
            self.uses = uses.then(Vec::new);
        }
        if states != self.states.is_some() {
            self.states = states.then(Vec::new);
        }
        self.pad();
    }

    /// A row of its own at a place, up to the end.
    pub fn insert(&mut self, place: usize, row: Row<K, R>, beside: SideData) {
        self.rows.insert(place, row);
        self.insert_beside(place, beside);
    }

    /// What is kept beside a row that has just been put at a place.
    pub fn insert_beside(&mut self, place: usize, beside: SideData) {
        if let Some(uses) = &mut self.uses {
            uses.insert(place, beside.uses);
        }
        if let Some(states) = &mut self.states {
            states.insert(place, beside.state);
        }
    }

    /// Takes a row out; the later ones move up by one place.
    pub fn remove(&mut self, place: usize) -> (Row<K, R>, SideData) {
        let taken = (self.rows[place], self.beside(place));
        each!(self, list => {
            list.remove(place);
        });
        taken
    }

    pub fn truncate(&mut self, len: usize) {
        each!(self, list => list.truncate(len));
    }

    pub fn reserve_exact(&mut self, more: usize) {
        each!(self, list => list.reserve_exact(more));
    }

    pub fn shrink_to(&mut self, len: usize) {
        each!(self, list => list.shrink_to(len));
    }

    /// Keeps the places that are marked.
    pub fn retain(&mut self, kept: &[bool]) {
        each!(self, list => {
            let mut kept = kept.iter();
            list.retain(|_| kept.next().copied().unwrap_or(false));
        });
    }

    /// What is kept beside rows that were pushed: nothing yet.
    pub fn pad(&mut self) {
        let len = self.rows.len();
        if let Some(uses) = &mut self.uses {
            uses.resize(len, SideData::BLANK.uses);
        }
        if let Some(states) = &mut self.states {
            states.resize(len, SideData::BLANK.state);
        }
    }

    /// Takes everything out; the lists beside go on being kept.
    pub fn take(&mut self) -> Self {
        let (uses, states) = (self.uses.is_some(), self.states.is_some());
        let taken = std::mem::take(self);
        self.ask(uses, states);
        taken
    }

    /// Puts back what was there before, with the lists beside that are kept now.
    pub fn restore(&mut self, before: Self) {
        let (uses, states) = (self.uses.is_some(), self.states.is_some());
        *self = before;
        self.ask(uses, states);
    }
}

/// A key, its depth and a record without gaps between them: an interval record under a key of seven bytes takes 32.
#[derive(Clone, Copy, Debug)]
#[repr(C, packed)]
pub struct Row<K: Key, R: Copy> {
    key: K::Stored,
    depth: u8,
    record: R,
}

impl<K: Key, R: Copy> Row<K, R> {
    #[inline]
    pub(super) fn new(at: Keyed<K>, record: R) -> Self {
        Self { key: at.key.into(), depth: at.depth, record }
    }

    /// Where the record is found.
    #[inline]
    pub(super) fn at(&self) -> Keyed<K> {
        Keyed { key: self.key.into(), depth: self.depth }
    }

    #[inline]
    pub(super) fn record(&self) -> R {
        self.record
    }

    #[inline]
    pub(super) fn replace(&mut self, record: R) -> R {
        let old = self.record;
        self.record = record;
        old
    }
}
