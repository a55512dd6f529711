use super::{Bounded, Entries, Exact, Interval, NoTable, Policy, Probe, Rote, SearchTable, Slot};
use crate::engine::core::game::{Key, Window};

/// A memo of whichever policy the settings name. A search matches on it once and then runs on the concrete type.
#[derive(Clone, Debug)]
pub enum AnyTable<K: Key> {
    /// [`Policy::None`].
    None(NoTable<K>),
    /// [`Policy::Exact`].
    Exact(Exact<K>),
    /// [`Policy::Interval`].
    Interval(Interval<K>),
    /// [`Policy::Bound`].
    Bound(Bounded<K>),
    /// [`Policy::Rote`].
    Rote(Rote<K>),
}

/// Does the same with a memo of whichever policy, as its own type.
macro_rules! with_table {
    ($any:expr, $table:ident => $does:expr) => {
        match $any {
            $crate::engine::core::table::AnyTable::None($table) => $does,
            $crate::engine::core::table::AnyTable::Exact($table) => $does,
            $crate::engine::core::table::AnyTable::Interval($table) => $does,
            $crate::engine::core::table::AnyTable::Bound($table) => $does,
            $crate::engine::core::table::AnyTable::Rote($table) => $does,
        }
    };
}

pub(in crate::engine) use with_table;

impl<K: Key> AnyTable<K> {
    /// An empty memo.
    pub fn new(policy: Policy) -> Self {
        match policy {
            Policy::None => Self::None(<_>::default()),
            Policy::Exact => Self::Exact(<_>::default()),
            Policy::Interval => Self::Interval(<_>::default()),
            Policy::Bound => Self::Bound(<_>::default()),
            Policy::Rote => Self::Rote(<_>::default()),
        }
    }

    /// The entries, to look at.
    pub fn entries(&self) -> &dyn Entries<K> {
        with_table!(self, table => table)
    }

    /// The entries, to edit and to take back.
    pub fn entries_mut(&mut self) -> &mut dyn Entries<K> {
        with_table!(self, table => table)
    }

    /// The same memo without a record of changes.
    #[must_use]
    pub fn unrecorded(mut self) -> Self {
        self.entries_mut().record(false);
        self
    }

    /// What the policy says to a probe; nothing where searches do not ask it at nodes.
    pub fn probe(&self, slot: Slot<K>, depth: u8, window: Window) -> Option<Probe> {
        let searched_window = !matches!(self, Self::None(_) | Self::Rote(_));
        searched_window.then(|| with_table!(self, table => table.probe(slot, depth, window)))
    }
}
