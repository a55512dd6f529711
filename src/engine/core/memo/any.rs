use super::{Bounded, Entries, Exact, Interval, Memo, Policy, Probe, Rote, Slot, Unmemoized};
use crate::engine::core::game::{Key, Window};

/// A memo of whichever policy the settings name. A search matches on it once and then runs on the concrete type.
#[derive(Clone, Debug)]
pub enum AnyMemo<K: Key> {
    /// [`Policy::None`].
    None(Unmemoized<K>),
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
            Policy::None => Self::None(<_>::default()),
            Policy::Exact => Self::Exact(<_>::default()),
            Policy::Interval => Self::Interval(<_>::default()),
            Policy::Bound => Self::Bound(<_>::default()),
            Policy::Rote => Self::Rote(<_>::default()),
        }
    }

    /// The entries, to look at.
    pub fn entries(&self) -> &dyn Entries<K> {
        match self {
            Self::None(table) => table,
            Self::Exact(table) => table,
            Self::Interval(table) => table,
            Self::Bound(table) => table,
            Self::Rote(table) => table,
        }
    }

    /// The entries, to edit and to take back.
    pub fn entries_mut(&mut self) -> &mut dyn Entries<K> {
        match self {
            Self::None(table) => table,
            Self::Exact(table) => table,
            Self::Interval(table) => table,
            Self::Bound(table) => table,
            Self::Rote(table) => table,
        }
    }

    /// The same memo without a record of changes.
    #[must_use]
    pub fn unrecorded(mut self) -> Self {
        self.entries_mut().record(false);
        self
    }

    /// What the policy says to a probe; nothing where searches do not ask it at nodes.
    pub fn probe(&self, slot: Slot<K>, depth: u8, window: Window) -> Option<Probe> {
        match self {
            Self::None(_) | Self::Rote(_) => None,
            Self::Exact(memo) => Some(memo.probe(slot, depth, window)),
            Self::Interval(memo) => Some(memo.probe(slot, depth, window)),
            Self::Bound(memo) => Some(memo.probe(slot, depth, window)),
        }
    }
}
