//! The rows of a table in order of insertion, with optional data beside them.

use super::Record;
use crate::engine::core::game::{Key, Keyed, Packed};

/// The records of a table in order of insertion, with use counts and positions if the settings turn them on.
#[derive(Clone, Debug)]
pub(super) struct Rows<K: Key, R: Record> {
    pub list: Vec<Row<K, R>>,
    /// How often each record was used, if uses are counted.
    pub uses: Option<Vec<u32>>,
    /// The chess or morris position stored with each record, if `verify=on`.
    pub states: Option<Vec<Packed>>,
}

/// The optional data of one record.
#[derive(Clone, Copy, Debug)]
pub(super) struct SideData {
    pub uses: u32,
    pub state: Packed,
}

impl SideData {
    pub const BLANK: Self = Self { uses: 0, state: Packed::UNKNOWN };
}

/// Evaluates an expression for the rows and for each list beside them.
macro_rules! each {
    ($self:ident, $list:ident => $does:expr) => {{
        let $list = &mut $self.list;
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
        Self { list: Vec::new(), uses: None, states: None }
    }
}

impl<K: Key, R: Record> Rows<K, R> {
    /// Bytes of one record with its optional data.
    pub fn row_bytes(&self) -> usize {
        let uses = self.uses.as_ref().map_or(0, |_| size_of::<u32>());
        let states = self.states.as_ref().map_or(0, |_| size_of::<Packed>());
        size_of::<Row<K, R>>() + uses + states
    }

    /// Memory allocated for all rows, in bytes.
    pub fn bytes(&self) -> usize {
        let uses = self.uses.as_ref().map_or(0, Vec::capacity) * size_of::<u32>();
        let states = self.states.as_ref().map_or(0, Vec::capacity) * size_of::<Packed>();
        self.list.capacity() * size_of::<Row<K, R>>() + uses + states
    }

    pub fn side_data(&self, place: usize) -> SideData {
        let uses = self.uses.as_ref().map(|uses| uses[place]);
        let state = self.states.as_ref().map(|states| states[place]);
        SideData { uses: uses.unwrap_or(0), state: state.unwrap_or(Packed::UNKNOWN) }
    }

    /// Turns use counts and positions on or off.
    pub fn set_side_data(&mut self, uses: bool, states: bool) {
        if uses != self.uses.is_some() {
            self.uses = uses.then(Vec::new);
        }
        if states != self.states.is_some() {
            self.states = states.then(Vec::new);
        }
        self.pad();
    }

    pub fn insert(&mut self, place: usize, row: Row<K, R>, side_data: SideData) {
        self.list.insert(place, row);
        self.insert_side_data(place, side_data);
    }

    pub fn insert_side_data(&mut self, place: usize, side_data: SideData) {
        if let Some(uses) = &mut self.uses {
            uses.insert(place, side_data.uses);
        }
        if let Some(states) = &mut self.states {
            states.insert(place, side_data.state);
        }
    }

    /// Removes a row; the later ones move down by one place.
    pub fn remove(&mut self, place: usize) -> (Row<K, R>, SideData) {
        let taken = (self.list[place], self.side_data(place));
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

    /// Keeps the rows for which `kept`, in the order of the rows, is true.
    pub fn retain(&mut self, kept: &[bool]) {
        each!(self, list => {
            let mut kept = kept.iter();
            list.retain(|_| kept.next().copied().unwrap_or(false));
        });
    }

    /// Extends the optional lists `uses` and `states` with blank values to the number of rows.
    pub fn pad(&mut self) {
        let len = self.list.len();
        if let Some(uses) = &mut self.uses {
            uses.resize(len, SideData::BLANK.uses);
        }
        if let Some(states) = &mut self.states {
            states.resize(len, SideData::BLANK.state);
        }
    }

    /// Removes and returns all rows.
    pub fn take(&mut self) -> Self {
        let (uses, states) = (self.uses.is_some(), self.states.is_some());
        let taken = std::mem::take(self);
        self.set_side_data(uses, states);
        taken
    }

    /// Replaces the rows by earlier ones. Whether use counts and positions are kept stays as it is now.
    pub fn restore(&mut self, before: Self) {
        let (uses, states) = (self.uses.is_some(), self.states.is_some());
        *self = before;
        self.set_side_data(uses, states);
    }
}

/// A key, its depth and a record without gaps between them: an interval record under a key of seven bytes takes 32 bytes.
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
