use super::{
    Bounded, Edits, Entries, Exact, Hashed, Interval, Memo, Policy, Probe, Rewind, Rote, Slot,
    Unmemoized,
};
use crate::engine::game::{Game, Key, Keyed, Window};

/// A memo of whichever policy the settings name. A search matches on it once and then runs on the concrete type.
#[derive(Clone, Debug)]
pub enum AnyMemo<K: Key> {
    /// [`Policy::None`].
    None(Unmemoized),
    /// [`Policy::Exact`].
    Exact(Exact<K>),
    /// [`Policy::Interval`].
    Interval(Interval<K>),
    /// [`Policy::Bound`] by keys.
    Bound(Bounded<K>),
    /// [`Policy::Bound`] by 64-bit hashes.
    Hashed(Hashed<K>),
    /// [`Policy::Rote`].
    Rote(Rote<K>),
}

/// Does the same with the table of whichever policy; something else where there is none.
macro_rules! table {
    ($memo:expr, $table:ident => $does:expr, $none:expr) => {
        match $memo {
            AnyMemo::None(_) => $none,
            AnyMemo::Exact($table) => $does,
            AnyMemo::Interval($table) => $does,
            AnyMemo::Bound(Bounded { table: $table, .. }) => $does,
            AnyMemo::Hashed(Bounded { table: $table, .. }) => $does,
            AnyMemo::Rote(Rote { table: $table, .. }) => $does,
        }
    };
}

impl<K: Key> AnyMemo<K> {
    /// An empty memo that keeps whole keys, in the order of insertion.
    pub fn new(policy: Policy) -> Self {
        match policy {
            Policy::None => Self::None(Unmemoized),
            Policy::Exact => Self::Exact(Exact::default()),
            Policy::Interval => Self::Interval(Interval::default()),
            Policy::Bound => Self::Bound(Bounded::default()),
            Policy::Rote => Self::Rote(Rote::default()),
        }
    }

    /// An empty memo that keeps 64-bit hashes in place of keys where the policy does without keys and the game has hashes.
    pub fn of_hashes(policy: Policy) -> Self {
        if policy == Policy::Bound && K::HASHED {
            Self::Hashed(Hashed::default())
        } else {
            Self::new(policy)
        }
    }

    /// An empty memo of a policy, of hashes or not.
    pub fn with(policy: Policy, hashes: bool) -> Self {
        if hashes {
            Self::of_hashes(policy)
        } else {
            Self::new(policy)
        }
    }

    /// Moves the entries into a table of hashes or of keys, if they are not in such a one.
    pub fn keep_hashes(&mut self, hashes: bool) {
        let other = match self {
            Self::Bound(_) if hashes && K::HASHED => Self::of_hashes(Policy::Bound),
            Self::Hashed(_) if !hashes => Self::new(Policy::Bound),
            _ => return,
        };
        let before = std::mem::replace(self, other);
        self.entries_mut().reserve(before.entries().len());
        let mut entries = before.entries().iter();
        // Entries of the policy they were in: none is refused.
        let _ = self
            .entries_mut()
            .fill(&mut |take| entries.try_for_each(|(at, entry)| take(at, entry)));
    }

    /// The entries, to look at.
    pub fn entries(&self) -> &dyn Entries<K> {
        match self {
            Self::None(memo) => memo,
            Self::Exact(memo) => memo,
            Self::Interval(memo) => memo,
            Self::Bound(memo) => &memo.table,
            Self::Hashed(memo) => &memo.table,
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
            Self::Hashed(memo) => &mut memo.table,
            Self::Rote(memo) => &mut memo.table,
        }
    }

    /// The position an entry belongs to: what its key stands for, or else what it was written for.
    pub fn position<G: Game<Key = K>>(&self, game: &G, at: Keyed<K>) -> Option<G::Position> {
        let written_for = || game.unpack(&self.entries().state(at)?);
        game.decode(at.key).or_else(written_for)
    }

    /// The same memo without a record of changes.
    #[must_use]
    pub fn unrecorded(mut self) -> Self {
        self.record(false);
        self
    }

    /// What the policy says to a probe; nothing where searches do not ask it at nodes.
    pub fn probe(&self, slot: Slot<K>, depth: u8, window: Window) -> Option<Probe> {
        match self {
            Self::None(_) | Self::Rote(_) => None,
            Self::Exact(memo) => Some(memo.probe(slot, depth, window)),
            Self::Interval(memo) => Some(memo.probe(slot, depth, window)),
            Self::Bound(memo) => Some(memo.probe(slot, depth, window)),
            Self::Hashed(memo) => Some(memo.probe(slot, depth, window)),
        }
    }
}

impl<K: Key> Rewind<K> for AnyMemo<K> {
    fn record(&mut self, on: bool) {
        table!(self, table => table.record(on), ());
    }

    fn is_recorded(&self) -> bool {
        table!(self, table => table.is_recorded(), true)
    }

    fn mark(&mut self) -> u64 {
        table!(self, table => table.mark(), 0)
    }

    fn rewind(&mut self, mark: u64) {
        table!(self, table => table.rewind(mark), ());
    }

    fn forget(&mut self, mark: u64) {
        table!(self, table => table.forget(mark), ());
    }

    fn unmark(&mut self, mark: u64) {
        table!(self, table => table.unmark(mark), ());
    }

    fn recorded_bytes(&self) -> usize {
        table!(self, table => table.recorded_bytes(), 0)
    }

    fn take_edits(&mut self) -> Edits<K> {
        table!(self, table => table.take_edits(), Edits::default())
    }

    fn first_len(&self) -> usize {
        table!(self, table => table.first_len(), 0)
    }

    fn edited_whole(&mut self) {
        table!(self, table => table.edited_whole(), ());
    }

    fn last_written(&self, at: Keyed<K>) -> Option<u64> {
        table!(self, table => table.last_written(at), None)
    }
}
