use crate::engine::search::EventKind;

/// A set of kinds of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kinds(u32);

impl Kinds {
    /// No kind.
    pub const NONE: Self = Self(0);

    /// Every kind.
    pub const ALL: Self = Self(u32::MAX);

    /// These kinds.
    pub const fn of(kinds: &[EventKind]) -> Self {
        let mut set = 0;
        let mut at = 0;
        while at < kinds.len() {
            set |= 1 << kinds[at] as u32;
            at += 1;
        }
        Self(set)
    }

    /// Whether a kind is among them.
    #[inline]
    pub const fn contains(self, kind: EventKind) -> bool {
        self.0 & 1 << kind as u32 != 0
    }

    /// Those in both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Those in either set.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Those not in the set.
    #[must_use]
    pub const fn others(self) -> Self {
        Self(!self.0)
    }

    /// Whether no kind there is belongs to it.
    pub fn is_empty(self) -> bool {
        !EventKind::ALL.into_iter().any(|kind| self.contains(kind))
    }
}
