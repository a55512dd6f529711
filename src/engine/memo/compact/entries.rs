use std::ops::{ControlFlow, Range};

use super::{Compact, Content, Lane, entries_in, hash, key, lanes::Tail, undo::Change};
use crate::engine::{
    game::{Fault, Key, Keyed},
    memo::{
        CleanStep, Entries, Entry, Footing, Policy, Reading, Record, Room, Visit,
        bound::BoundRecord, crowd::Crowd,
    },
};

impl<K: Key> Compact<K> {
    #[inline]
    fn entry(&self, lane: Lane) -> Option<(Keyed<K>, Entry)> {
        let at = Keyed {
            key: key(lane.hash)?,
            depth: 0,
        };
        Some((at, self.known(lane.content).entry(0)))
    }

    /// Writes what is read; how many were there already. The journal is left alone.
    fn take_all(&mut self, read: &mut Reading<'_, K>) -> Result<u64, Fault> {
        let mut batch = Vec::with_capacity(BATCH);
        let mut repeated = 0;
        // The files of such a table have its order.
        let mut tail = self.is_empty().then_some(Tail::FIRST);
        read(&mut |at, entry| {
            let content = self.content(BoundRecord::from_entry(&entry)?);
            let hash = hash(at.key);
            if let Some(end) = &mut tail {
                if self.lanes.append(end, Lane::unused(hash, content)) {
                    return Ok(());
                }
                tail = None;
            }
            batch.push((hash, content));
            if batch.len() == BATCH {
                repeated += self.write_batch(&mut batch);
            }
            Ok(())
        })?;
        Ok(repeated + self.write_batch(&mut batch))
    }

    /// Writes entries; how many were there already.
    fn write_batch(&mut self, batch: &mut Vec<(u64, Content)>) -> u64 {
        for &(hash, _) in &*batch {
            self.lanes.fetch(hash);
        }
        let written = batch.drain(..).map(|(hash, content)| {
            let found = self.lanes.find(hash);
            match found {
                Ok(place) => self.lanes.rewrite(place, hash, content),
                Err(place) => self.lanes.insert(place, Lane::unused(hash, content)),
            }
            u64::from(found.is_ok())
        });
        written.sum()
    }
}

/// Entries that are written together, so that the processor waits for the places of all of them at once.
const BATCH: usize = 32;

impl<K: Key> Entries<K> for Compact<K> {
    fn policy(&self) -> Policy {
        Policy::Bound
    }

    fn len(&self) -> usize {
        self.lanes.len()
    }

    fn bytes(&self) -> usize {
        self.lanes.bytes() + self.values.bytes()
    }

    fn get(&self, at: Keyed<K>) -> Option<Entry> {
        Self::get(self, at.key).map(|record| record.entry(0))
    }

    fn set(&mut self, at: Keyed<K>, entry: Entry) -> Result<Option<Entry>, Fault> {
        let old = Entries::get(self, at);
        self.insert(at.key, BoundRecord::from_entry(&entry)?);
        if let Some(journal) = &mut self.journal {
            journal.edited(at, Some(entry));
        }
        Ok(old)
    }

    fn fill(&mut self, read: &mut Reading<'_, K>) -> Result<u64, Fault> {
        // An empty table has nothing to lose but the room made in it.
        let before = (!self.is_empty()).then(|| self.lanes.clone());
        let read = self.take_all(read);
        let before = before.unwrap_or_else(|| self.lanes.emptied());
        if read.is_err() {
            self.lanes = before;
        } else if let Some(journal) = &mut self.journal {
            journal.push(Change::Whole(Box::new(before)));
            journal.edited_whole();
        }
        read
    }

    fn remove(&mut self, at: Keyed<K>) -> Option<Entry> {
        let place = self.lanes.find(hash(at.key)).ok()?;
        let old = self.take(place);
        if let Some(journal) = &mut self.journal {
            journal.edited(at, None);
        }
        Some(old.entry(0))
    }

    fn iter(&self) -> Box<dyn Iterator<Item = (Keyed<K>, Entry)> + '_> {
        let lanes = self.lanes.lanes();
        Box::new(lanes.filter_map(|(_, lane)| self.entry(lane)))
    }

    fn places(&self, ranks: Range<usize>) -> Vec<u32> {
        let places = self
            .lanes
            .places()
            .map(|place| self.lanes.number(place) as u32);
        places.skip(ranks.start).take(ranks.len()).collect()
    }

    fn nth(&self, place: usize) -> Option<(Keyed<K>, Entry)> {
        self.entry(self.lanes.lane(self.lanes.numbered(place)?))
    }

    fn try_scan(&self, visit: &mut Visit<'_, K>) -> ControlFlow<()> {
        self.lanes.try_each(|place, lane| match self.entry(lane) {
            Some((at, entry)) => visit(self.lanes.number(place), at, &entry),
            None => ControlFlow::Continue(()),
        })
    }

    fn uses(&self, place: usize) -> Option<u32> {
        self.lanes.uses(self.lanes.numbered(place)?)
    }

    fn retain(&mut self, keep: &mut dyn FnMut(Keyed<K>, &Entry) -> bool) {
        let entries = self.lanes.lanes().map(|(_, lane)| self.entry(lane));
        let keeps: Vec<bool> = entries
            .map(|entry| entry.is_none_or(|(at, entry)| keep(at, &entry)))
            .collect();
        let mut keeps = keeps.into_iter();
        self.keep_places(&mut |_| keeps.next().unwrap_or(true));
        if let Some(journal) = &mut self.journal {
            journal.edited_whole();
        }
    }

    fn clear(&mut self) {
        let emptied = self.lanes.emptied();
        let before = std::mem::replace(&mut self.lanes, emptied);
        self.keeper.state.hand = 0;
        if let Some(journal) = &mut self.journal {
            journal.push(Change::Whole(Box::new(before)));
            journal.edited_whole();
        } else {
            self.values = super::Values::default();
        }
    }

    fn reserve(&mut self, more: usize) {
        let entries = self.lanes.len().saturating_add(more);
        self.lanes.reserve(entries.min(self.keeper.limit));
    }

    fn set_room(&mut self, room: Room) -> usize {
        self.bound(room)
    }

    fn limit(&self) -> usize {
        self.keeper.limit
    }

    fn target(&self) -> usize {
        entries_in(self.keeper.room.size)
    }

    fn tidy(&mut self) -> Vec<CleanStep> {
        self.tidy_to(Entries::target(self))
    }

    fn evictions(&self) -> u64 {
        self.keeper.state.evicted
    }

    fn footing(&self) -> Footing {
        let uses = self.lanes.counts_uses().then(|| {
            let places = self.lanes.places();
            places.filter_map(|place| self.lanes.uses(place)).collect()
        });
        self.keeper.footing(uses)
    }

    fn set_footing(&mut self, footing: &Footing) -> Result<(), Fault> {
        footing.check(self.lanes.len())?;
        self.keeper.stand(footing);
        self.lanes.set_all_uses(&footing.uses);
        Ok(())
    }
}
