//! What a table of hashes held before it was changed: the slot that a hash had, or that it had none. Slots move, hashes do
//! not.

use super::{
    Compact, hash,
    lanes::{Lane, Lanes},
};
use crate::engine::{
    game::{Key, Keyed},
    memo::{
        crowd::State,
        journal::{self, Journal, Journalled, Segment},
    },
};

/// One change.
#[derive(Debug)]
pub enum Change {
    /// A hash was not there.
    Lacked(u64),
    /// It stood there so.
    Held(Lane),
    /// Everything stood there so.
    Whole(Box<Lanes>),
}

impl Change {
    /// The hash it is about; none where it is about all of them.
    const fn hash(&self) -> Option<u64> {
        match self {
            Self::Lacked(hash) => Some(*hash),
            Self::Held(lane) => Some(lane.hash),
            Self::Whole(_) => None,
        }
    }
}

impl journal::Change for Change {
    fn weight(&self) -> usize {
        match self {
            Self::Lacked(_) | Self::Held(_) => 0,
            Self::Whole(lanes) => lanes.bytes(),
        }
    }
}

impl<K: Key> Journalled for Compact<K> {
    type Key = K;
    type Change = Change;

    fn journal(&self) -> Option<&Journal<K, Change>> {
        self.journal.as_deref()
    }

    fn journal_mut(&mut self) -> &mut Option<Box<Journal<K, Change>>> {
        &mut self.journal
    }

    fn extent(&self) -> usize {
        self.lanes.len()
    }

    fn state(&self) -> State {
        self.keeper.state
    }

    fn take_back(&mut self, _: usize, mut changes: Vec<Change>) {
        while let Some(change) = changes.pop() {
            let ahead = changes.len().checked_sub(AHEAD);
            if let Some(hash) = ahead.and_then(|ahead| changes[ahead].hash()) {
                self.lanes.fetch(hash);
            }
            match change {
                Change::Lacked(hash) => {
                    if let Ok(place) = self.lanes.find(hash) {
                        self.lanes.remove(place);
                    }
                }
                Change::Held(lane) => self.put_back(lane),
                Change::Whole(lanes) => {
                    let counted = self.lanes.counts_uses();
                    self.lanes = *lanes;
                    self.lanes.count_uses(counted);
                }
            }
        }
    }

    fn settle(&mut self, state: State) {
        self.keeper.state = state;
    }

    fn writes(&self, segment: &Segment<Change>, at: Keyed<K>) -> bool {
        let hash = hash(at.key);
        let about = |change: &Change| change.hash().is_none_or(|known| known == hash);
        segment.changes.iter().any(about)
    }
}

impl<K: Key> Compact<K> {
    /// Has a hash stand there again as it did.
    fn put_back(&mut self, lane: Lane) {
        match self.lanes.find(lane.hash) {
            Ok(place) => {
                self.lanes.rewrite(place, lane.hash, lane.content);
                self.lanes.set_uses(place, lane.uses);
            }
            Err(place) => self.lanes.insert(place, lane),
        }
    }
}

/// Changes that are taken back between asking for what one of them needs and taking it back.
const AHEAD: usize = 12;
