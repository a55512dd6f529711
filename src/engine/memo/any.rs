use super::{Bounded, Entries, Exact, Interval, Policy, Rote, Unmemoized};
use crate::engine::game::Key;

/// A memo of whichever policy the settings name. A search matches on it once and then runs on the concrete type.
#[derive(Clone, Debug)]
pub enum AnyMemo<K> {
    /// [`Policy::None`].
    None(Unmemoized),
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
            Policy::None => Self::None(Unmemoized),
            Policy::Exact => Self::Exact(Exact::default()),
            Policy::Interval => Self::Interval(Interval::default()),
            Policy::Bound => Self::Bound(Bounded::default()),
            Policy::Rote => Self::Rote(Rote::default()),
        }
    }

    /// The entries, to look at.
    pub fn entries(&self) -> &dyn Entries<K> {
        match self {
            Self::None(memo) => memo,
            Self::Exact(memo) => memo,
            Self::Interval(memo) => memo,
            Self::Bound(memo) => &memo.table,
            Self::Rote(memo) => &memo.table,
        }
    }

    /// The entries, to edit.
    pub fn entries_mut(&mut self) -> &mut dyn Entries<K> {
        match self {
            Self::None(memo) => memo,
            Self::Exact(memo) => memo,
            Self::Interval(memo) => memo,
            Self::Bound(memo) => &mut memo.table,
            Self::Rote(memo) => &mut memo.table,
        }
    }
}
