//! What a table of hashes held before it was changed: the slot that a hash had, or that it had none. Slots move, hashes do
//! not.

use super::{
    Compact, hash,
    lanes::{Lane, Lanes, Slot},
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
    /// A hash stood there so, with its uses.
    Slot(Slot, u32),
    /// A hash stood there so, with a value's number too large for the slot.
    Wide(Box<Lane>),
    /// Everything stood there so.
    Whole(Box<Lanes>),
}

impl Change {
    /// What stood somewhere.
    #[inline]
    pub(super) fn held(lane: Lane) -> Self {
        if lane.high == 0 {
            Self::Slot(lane.slot, lane.uses)
        } else {
            Self::Wide(Box::new(lane))
        }
    }

    /// A hash was not there.
    #[inline]
    pub(super) fn lacked(hash: u64) -> Self {
        Self::Slot(Slot::new(hash, 0), 0)
    }

    /// The hash it is about; none where it is about all of them.
    fn hash(&self) -> Option<u64> {
        match self {
            Self::Slot(slot, _) => Some(slot.hash()),
            Self::Wide(lane) => Some(lane.slot.hash()),
            Self::Whole(_) => None,
        }
    }
}

impl journal::Change for Change {
    fn weight(&self) -> usize {
        match self {
            Self::Slot(..) => 0,
            Self::Wide(_) => size_of::<Lane>(),
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

    fn take_back(&mut self, _: usize, changes: Vec<Change>) {
        for change in changes.into_iter().rev() {
            match change {
                Change::Slot(slot, uses) => self.put_back(Lane {
                    slot,
                    high: 0,
                    uses,
                }),
                Change::Wide(lane) => self.put_back(*lane),
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
        self.fit();
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
        match (self.lanes.find(lane.slot.hash()), lane.slot.is_free()) {
            (Ok(place), true) => {
                self.lanes.remove(place);
            }
            (Ok(place), false) => {
                self.lanes.rewrite(place, lane.slot, lane.high);
                self.lanes.set_uses(place, lane.uses);
            }
            (Err(_), true) => {}
            (Err(mut place), false) => {
                if self.lanes.len() >= self.lanes.room() {
                    self.grow();
                    place = self
                        .lanes
                        .find(lane.slot.hash())
                        .unwrap_or_else(|place| place);
                }
                if !self.lanes.insert(place, lane) {
                    self.crowded(lane);
                }
            }
        }
    }
}
