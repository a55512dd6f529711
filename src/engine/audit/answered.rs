use rustc_hash::FxHashSet;

use crate::engine::{
    game::{Game, Keyed},
    search::{Event, EventKind, Frame, Search, Watcher},
};

/// Takes down which entries answer.
#[derive(Debug)]
pub struct Answered<K> {
    keyed_depth: bool,
    /// The entries that have answered.
    pub entries: FxHashSet<Keyed<K>>,
}

impl<K> Answered<K> {
    /// Before any has. `keyed_depth` tells whether the policy's keys hold the depth.
    pub fn new(keyed_depth: bool) -> Self {
        Self { keyed_depth, entries: FxHashSet::default() }
    }
}

impl<G: Game> Watcher<Search<G>> for Answered<G::Key> {
    fn wants(&self, kind: EventKind, _: u32) -> bool {
        kind == EventKind::Hit
    }

    fn see(&mut self, event: &Event, search: &Search<G>) -> bool {
        let slot = search.frames().last().and_then(Frame::slot);
        if let (EventKind::Hit, Some(slot)) = (event.kind, slot) {
            self.entries.insert(Keyed {
                key: slot.key,
                depth: if self.keyed_depth { event.depth } else { 0 },
            });
        }
        false
    }
}
