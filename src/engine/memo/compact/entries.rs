use std::ops::Range;

use super::{Compact, Lanes, NUMBER_BITS, Slot, content, hash, homes_for, key, undo::Change};
use crate::engine::{
    game::{Fault, Key, Keyed},
    memo::{
        CleanStep, Entries, Entry, Footing, Policy, Reading, Record, Room, bound::BoundRecord,
        crowd::Crowd,
    },
};

impl<K: Key> Compact<K> {
    /// The entry at a place that is taken.
    fn entry_at(&self, place: usize) -> Option<(Keyed<K>, Entry)> {
        let slot = self.lanes.slot(place);
        let key = key(slot.hash()).filter(|_| !slot.is_free())?;
        Some((Keyed { key, depth: 0 }, self.at(place).entry(0)))
    }

    /// The slots of what is read, in the order of the hashes; of equal ones the last one read counts. And how many did not.
    fn read_sorted(&mut self, read: &mut Reading<'_, K>) -> Result<(Vec<Sorted>, u64), Fault> {
        let mut sorted: Vec<Sorted> = Vec::new();
        let known = self.lanes.places(0).map(|place| {
            let slot = self.lanes.slot(place);
            (slot.hash(), slot.content(), self.lanes.high(place))
        });
        sorted.extend(known);
        let before = sorted.len() as u64;
        read(&mut |at, entry| {
            let record = BoundRecord::from_entry(&entry)?;
            let number = self.values.find(record.value);
            let number = number.unwrap_or_else(|| self.values.add(record.value));
            let content = content(record.bound, record.depth, number);
            sorted.push((hash(at.key), content, (number >> NUMBER_BITS) as u8));
            Ok(())
        })?;
        let all = sorted.len() as u64;
        if !sorted.is_sorted_by_key(|slot| slot.0) {
            // Stable, so that of equal ones the last one read stays last.
            sorted.sort_by_key(|slot| slot.0);
        }
        let mut kept = 0;
        for at in 0..sorted.len() {
            let again = kept > 0 && sorted[kept - 1].0 == sorted[at].0;
            kept += usize::from(!again);
            sorted[kept - 1] = sorted[at];
        }
        sorted.truncate(kept);
        let repeated = all - kept as u64;
        Ok((sorted, repeated.min(all - before)))
    }
}

/// Hash, content and the content's higher part.
type Sorted = (u64, u32, u8);

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
        let values = self.values.clone();
        let sorted = self.read_sorted(read);
        let (sorted, repeated) = match sorted {
            Ok(sorted) => sorted,
            Err(fault) => {
                self.values = values;
                return Err(fault);
            }
        };
        if sorted.iter().any(|slot| slot.2 > 0) {
            self.lanes.keep_high();
        }
        if let Some(journal) = &mut self.journal {
            journal.push(Change::Whole(Box::new(self.lanes.clone())));
            journal.edited_whole();
        }
        let homes = homes_for(sorted.len());
        let slots = sorted
            .iter()
            .map(|&(hash, content, high)| (Slot::new(hash, content), high));
        self.lanes.fill(slots, homes);
        Ok(repeated)
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
        let places = self.lanes.places(0);
        Box::new(places.filter_map(|place| self.entry_at(place)))
    }

    fn places(&self, ranks: Range<usize>) -> Vec<u32> {
        let places = self.lanes.places(0).map(|place| place as u32);
        places.skip(ranks.start).take(ranks.len()).collect()
    }

    fn nth(&self, place: usize) -> Option<(Keyed<K>, Entry)> {
        if place < self.lanes.extent() {
            self.entry_at(place)
        } else {
            None
        }
    }

    fn scan(&self, visit: &mut dyn FnMut(usize, Keyed<K>, Entry)) {
        for place in self.lanes.places(0) {
            if let Some((at, entry)) = self.entry_at(place) {
                visit(place, at, entry);
            }
        }
    }

    fn uses(&self, place: usize) -> Option<u32> {
        self.lanes.uses(place)
    }

    fn retain(&mut self, keep: &mut dyn FnMut(Keyed<K>, &Entry) -> bool) {
        let entries = self.lanes.places(0).map(|place| self.entry_at(place));
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
        let lanes: Lanes = self.lanes.clone();
        self.lanes.clear();
        self.keeper.state.hand = 0;
        if let Some(journal) = &mut self.journal {
            journal.push(Change::Whole(Box::new(lanes)));
            journal.edited_whole();
        } else {
            self.values = super::Values::default();
            self.keeper.limit = self.entries_in(self.keeper.room.hard_size());
        }
    }

    fn reserve(&mut self, more: usize) {
        let entries = self.lanes.len().saturating_add(more).min(self.keeper.limit);
        if entries > self.lanes.room() {
            self.lanes.spread(homes_for(entries));
        }
    }

    fn set_room(&mut self, room: Room) -> usize {
        self.bound(room)
    }

    fn limit(&self) -> usize {
        self.keeper.limit
    }

    fn target(&self) -> usize {
        self.entries_in(self.keeper.room.size)
    }

    fn tidy(&mut self) -> Vec<CleanStep> {
        self.tidy_to(Entries::target(self))
    }

    fn evictions(&self) -> u64 {
        self.keeper.state.evicted
    }

    fn footing(&self) -> Footing {
        let uses = self.lanes.counts_uses().then(|| {
            let places = self.lanes.places(0);
            places.filter_map(|place| self.lanes.uses(place)).collect()
        });
        self.keeper.footing(uses)
    }

    fn set_footing(&mut self, footing: &Footing) -> Result<(), Fault> {
        footing.check(self.lanes.len())?;
        self.keeper.stand(footing);
        self.set_all_uses(&footing.uses);
        Ok(())
    }
}
