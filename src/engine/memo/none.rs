use std::ops::ControlFlow;

use super::{Entries, Entry, Memo, Policy, Probe, Reading, Room, Slot, Visit};
use crate::engine::game::{Fault, Key, Keyed, Score, Window};

/// The policy `none`: every node is searched.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unmemoized;

impl<K: Key> Memo<K> for Unmemoized {
    const ACTIVE: bool = false;

    fn probe(&self, _: Slot<K>, _: u8, window: Window) -> Probe {
        Probe::unknown(window)
    }

    fn store(&mut self, _: Slot<K>, _: u8, _: Window, _: Score) {}

    fn recall(&self, _: Slot<K>, _: u8) -> Option<Score> {
        None
    }
}

impl<K: Key> Entries<K> for Unmemoized {
    fn policy(&self) -> Policy {
        Policy::None
    }

    fn len(&self) -> usize {
        0
    }

    fn bytes(&self) -> usize {
        0
    }

    fn get(&self, _: Keyed<K>) -> Option<Entry> {
        None
    }

    fn set(&mut self, _: Keyed<K>, _: Entry) -> Result<Option<Entry>, Fault> {
        Err(Fault::new("the memo policy `none` keeps no entries")
            .hint("choose one with `search set memo=interval`"))
    }

    fn fill(&mut self, read: &mut Reading<'_, K>) -> Result<u64, Fault> {
        read(&mut |at, entry| self.set(at, entry).map(|_| ()))?;
        Ok(0)
    }

    fn remove(&mut self, _: Keyed<K>) -> Option<Entry> {
        None
    }

    fn iter(&self) -> Box<dyn Iterator<Item = (Keyed<K>, Entry)> + '_> {
        Box::new(std::iter::empty())
    }

    fn try_scan(&self, _: &mut Visit<'_, K>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn retain(&mut self, _: &mut dyn FnMut(Keyed<K>, &Entry) -> bool) {}

    fn clear(&mut self) {}

    fn reserve(&mut self, _: usize) {}

    fn set_room(&mut self, _: Room) -> usize {
        0
    }
}
