use std::ops::ControlFlow;

use super::{Crowd, HashTable, Row, Table, hash, undo::Change};
use crate::engine::{
    game::{Fault, Key, Keyed, Packed},
    memo::{CleanStep, Entries, Entry, Footing, Policy, Reading, Record, Room, Visit},
};

impl<K: Key, R: Record> Entries<K> for Table<K, R> {
    fn policy(&self) -> Policy {
        R::POLICY
    }

    fn len(&self) -> usize {
        self.rows.len()
    }

    fn bytes(&self) -> usize {
        self.rows.capacity() * size_of::<Row<K, R>>()
            + self.index.allocation_size()
            + self.beside.bytes()
    }

    fn get(&self, at: Keyed<K>) -> Option<Entry> {
        Self::get(self, at).map(|record| record.entry(at.depth))
    }

    fn state(&self, at: Keyed<K>) -> Option<Packed> {
        let states = self.beside.states.as_ref()?;
        let state = states.get(self.place(at)?)?;
        state.is_known().then_some(*state)
    }

    fn set_state(&mut self, at: Keyed<K>, state: Packed) {
        if let (Some(place), true) = (self.place(at), self.beside.states.is_some()) {
            self.attended = state;
            Self::set_state(self, place);
        }
    }

    fn set(&mut self, at: Keyed<K>, entry: Entry) -> Result<Option<Entry>, Fault> {
        let record = R::from_entry(&entry)?;
        // An edit by hand is no statement about the position.
        self.attended = Entries::state(self, at).unwrap_or(Packed::UNKNOWN);
        let old = self.insert(at, record);
        if let Some(journal) = &mut self.journal {
            journal.edited(at, Some(entry));
        }
        Ok(old.map(|record| record.entry(at.depth)))
    }

    fn fill(&mut self, read: &mut Reading<'_, K>) -> Result<u64, Fault> {
        let before = self.rows.len();
        let rows = &mut self.rows;
        let taken = read(&mut |at, entry| {
            rows.push(Row::new(at, R::from_entry(&entry)?));
            Ok(())
        });
        if let Err(fault) = taken {
            self.rows.truncate(before);
            return Err(fault);
        }
        if let Some(journal) = &mut self.journal {
            let (rows, beside) = (self.rows[..before].to_vec(), self.beside.clone());
            journal.push(Change::Rebuilt(rows, beside));
            journal.edited_whole();
        }
        Ok(self.index_from(before))
    }

    fn remove(&mut self, at: Keyed<K>) -> Option<Entry> {
        let old = Self::remove(self, at)?;
        if let Some(journal) = &mut self.journal {
            journal.edited(at, None);
        }
        Some(old.entry(at.depth))
    }

    fn iter(&self) -> Box<dyn Iterator<Item = (Keyed<K>, Entry)> + '_> {
        let entry = |row: &Row<K, R>| (row.at(), row.record().entry(row.at().depth));
        Box::new(self.rows.iter().map(entry))
    }

    fn nth(&self, place: usize) -> Option<(Keyed<K>, Entry)> {
        let row = self.rows.get(place)?;
        Some((row.at(), row.record().entry(row.at().depth)))
    }

    fn try_scan(&self, visit: &mut Visit<'_, K>) -> ControlFlow<()> {
        let mut rows = self.rows.iter().enumerate();
        rows.try_for_each(|(place, row)| {
            visit(place, row.at(), &row.record().entry(row.at().depth))
        })
    }

    fn uses(&self, place: usize) -> Option<u32> {
        self.uses_at(place)
    }

    fn retain(&mut self, keep: &mut dyn FnMut(Keyed<K>, &Entry) -> bool) {
        if let Some(journal) = &mut self.journal {
            journal.edited_whole();
        }
        self.retain_rows(&mut |_, row| keep(row.at(), &row.record().entry(row.at().depth)));
    }

    fn clear(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        let beside = self.beside.take();
        self.index = HashTable::new();
        self.keeper.state.hand = 0;
        if let Some(journal) = &mut self.journal {
            journal.push(Change::Rebuilt(rows, beside));
            journal.edited_whole();
        }
    }

    fn reserve(&mut self, more: usize) {
        let more = more.min(self.keeper.limit - self.rows.len().min(self.keeper.limit));
        self.rows.reserve_exact(more);
        self.beside.reserve_exact(more);
        let rows = &self.rows;
        self.index
            .reserve(more, |&place| hash(&rows[place as usize].at()));
    }

    fn set_room(&mut self, room: Room) -> usize {
        self.bound(room)
    }

    fn limit(&self) -> usize {
        self.keeper.limit
    }

    fn target(&self) -> usize {
        Self::entries_in(self.keeper.room.size, self.beside.each())
    }

    fn tidy(&mut self) -> Vec<CleanStep> {
        self.tidy_to(Entries::target(self))
    }

    fn evictions(&self) -> u64 {
        self.keeper.state.evicted
    }

    fn footing(&self) -> Footing {
        self.keeper.footing(self.beside.uses.clone())
    }

    fn set_footing(&mut self, footing: &Footing) -> Result<(), Fault> {
        footing.check(self.rows.len())?;
        self.keeper.stand(footing);
        if let Some(uses) = &mut self.beside.uses {
            uses.clear();
            uses.extend(&footing.uses);
            uses.resize(self.rows.len(), 0);
        }
        Ok(())
    }
}
