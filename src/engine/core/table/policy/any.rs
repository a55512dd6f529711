use super::{Bounded, Entries, Exact, Interval, NoTable, Policy, Probe, Rote, SearchTable, Slot};
use crate::engine::core::game::{Key, Window};

/// A table of the policy that the settings name. A search matches on the enum once and then runs on the concrete type.
#[derive(Clone, Debug)]
pub enum AnyTable<K: Key> {
    /// The table of [`Policy::None`].
    None(NoTable<K>),
    /// The table of [`Policy::Exact`].
    Exact(Exact<K>),
    /// The table of [`Policy::Interval`].
    Interval(Interval<K>),
    /// The table of [`Policy::Bound`].
    Bound(Bounded<K>),
    /// The table of [`Policy::Rote`].
    Rote(Rote<K>),
}

/// Evaluates an expression with the table as its concrete type.
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
    /// An empty table of a policy.
    pub fn new(policy: Policy) -> Self {
        match policy {
            Policy::None => Self::None(<_>::default()),
            Policy::Exact => Self::Exact(<_>::default()),
            Policy::Interval => Self::Interval(<_>::default()),
            Policy::Bound => Self::Bound(<_>::default()),
            Policy::Rote => Self::Rote(<_>::default()),
        }
    }

    /// The entries of the table, whatever its policy, to read.
    pub fn entries(&self) -> &dyn Entries<K> {
        with_table!(self, table => table)
    }

    /// The entries of the table, whatever its policy, to edit or to rewind.
    pub fn entries_mut(&mut self) -> &mut dyn Entries<K> {
        with_table!(self, table => table)
    }

    /// The same table without its journal.
    #[must_use]
    pub fn without_journal(mut self) -> Self {
        self.entries_mut().record(false);
        self
    }

    /// The result of a probe; `None` if searches with this policy do not probe nodes.
    pub fn probe(&self, slot: Slot<K>, depth: u8, window: Window) -> Option<Probe> {
        let is_searched = self.entries().policy().is_searched();
        is_searched.then(|| with_table!(self, table => table.probe(slot, depth, window)))
    }
}
