use std::fmt;

use crate::engine::core::game::{Key, Keyed};

/// A key, its depth and a record without gaps between them: an interval record under a key of seven bytes takes 32.
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

    /// Writes the record over, and hands out the old one.
    #[inline]
    pub(super) fn replace(&mut self, record: R) -> R {
        let old = self.record;
        self.record = record;
        old
    }
}

impl<K: Key, R: Copy> Clone for Row<K, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K: Key, R: Copy> Copy for Row<K, R> {}

impl<K: Key, R: Copy + fmt::Debug> fmt::Debug for Row<K, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Row").field(&self.at()).field(&self.record()).finish()
    }
}
