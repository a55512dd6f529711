use hashbrown::HashTable;

use super::{
    Capacity, CleanStep, Edits, Entry, MaxSize, Policy, Record, Replace, ReplacementState, Table,
    capacity::ReplacementCursor,
    journal::{Journal, TableChange},
    rows::Row,
};
use crate::engine::core::game::{Fault, Key, Keyed, Packed, Result};

/// Takes one entry.
pub type EntrySink<'a, K> = dyn FnMut(Keyed<K>, Entry) -> Result<()> + 'a;

/// Hands on entries one by one.
pub type EntryReader<'a, K> = dyn FnMut(&mut EntrySink<'_, K>) -> Result<()> + 'a;

/// A cache as a person and the debugger see it, the same for every policy: get, set, remove and list by key, and go back
/// to where it was. Marks are numbered upwards from 0.
pub trait Entries<K: Key> {
    /// The policy.
    fn policy(&self) -> Policy;
    /// Number of entries.
    fn len(&self) -> usize;
    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Memory in bytes: records and index as allocated.
    fn bytes(&self) -> usize;
    /// One entry.
    fn get(&self, at: Keyed<K>) -> Option<Entry>;
    /// Writes an entry and returns the one it replaced. Fails where the policy cannot hold it.
    fn set(&mut self, at: Keyed<K>, entry: Entry) -> Result<Option<Entry>>;
    /// Takes all the entries that `read` hands on, of which a later one counts before an earlier one of the same key, at
    /// its place; says how many were such. Much faster than one by one. On a fault nothing is taken. The caller sees to
    /// it that they fit.
    fn fill(&mut self, read: &mut EntryReader<'_, K>) -> Result<u64>;
    /// Removes an entry.
    fn remove(&mut self, at: Keyed<K>) -> Option<Entry>;
    /// The position that an entry was written for, where that is kept.
    fn state(&self, at: Keyed<K>) -> Option<Packed>;
    /// Says for which position an entry was written, where that is kept.
    fn set_state(&mut self, at: Keyed<K>, state: Packed);
    /// All entries in the order of insertion.
    fn iter(&self) -> Box<dyn Iterator<Item = (Keyed<K>, Entry)> + '_>;
    /// The entry at a place of that order.
    fn nth(&self, place: usize) -> Option<(Keyed<K>, Entry)>;
    /// How often the entry at a place has been used, where that is counted.
    fn uses(&self, place: usize) -> Option<u32>;
    /// Keeps the entries for which `keep` holds.
    fn retain(&mut self, keep: &mut dyn FnMut(Keyed<K>, &Entry) -> bool);
    /// Removes everything.
    fn clear(&mut self);
    /// Makes the entries fit by dropping the shallowest, no more than must, among equals the oldest; `whole` drops whole
    /// depths as seed 000's `clean` does (defect D4), depths 0 and 1 together, even if nothing is left.
    fn clean(&mut self, most: usize, whole: bool) -> Vec<CleanStep>;
    /// Makes room for `more` entries, as far as the bound allows.
    fn reserve(&mut self, more: usize);

    /// Bounds the cache from now on, and says how many entries had to go for that.
    fn set_capacity(&mut self, capacity: Capacity) -> usize;
    /// Entries at most.
    fn limit(&self) -> usize;
    /// Entries that are to be left once a decision is made: [`Entries::limit`], unless cleaning waits for that.
    fn target(&self) -> usize;
    /// Cleans up after a decision, where cleaning waits for that.
    fn tidy(&mut self) -> Vec<CleanStep>;
    /// The state of replacement, which is kept beside the entries.
    fn replacement_state(&self) -> ReplacementState;
    /// Restores the state of replacement, after the entries. Fails where it is inconsistent with them.
    fn set_replacement_state(&mut self, replacement_state: &ReplacementState) -> Result<()>;

    /// Starts to keep changes, with mark 0 here, or stops and forgets them.
    fn record(&mut self, on: bool);
    /// Sets a mark here.
    fn mark(&mut self) -> u64;
    /// Takes back everything since a mark, which is then the last one.
    fn rewind(&mut self, mark: u64);
    /// Gives up what is kept from before a mark.
    fn forget(&mut self, mark: u64);
    /// Gives up a mark, but neither the one before it nor what is kept.
    fn unmark(&mut self, mark: u64);
    /// Memory that the kept changes take, in bytes.
    fn recorded_bytes(&self) -> usize;
    /// What was edited by hand since it was last asked.
    fn take_edits(&mut self) -> Edits<K>;
    /// Says that something but the recorded search has written.
    fn edited_whole(&mut self);
    /// The last mark after which an entry may have been written: surely none was after a later one.
    fn last_written(&self, at: Keyed<K>) -> Option<u64>;
}

/// A row as an entry under its key.
fn entry<K: Key, R: Record>(row: &Row<K, R>) -> (Keyed<K>, Entry) {
    let at = row.at();
    (at, row.record().entry(at.depth))
}

impl<K: Key, R: Record> Entries<K> for Table<K, R> {
    fn policy(&self) -> Policy {
        R::POLICY
    }

    fn len(&self) -> usize {
        self.held.rows.len()
    }

    fn bytes(&self) -> usize {
        self.held.bytes() + self.index.allocation_size()
    }

    fn get(&self, at: Keyed<K>) -> Option<Entry> {
        Self::get(self, at).map(|record| record.entry(at.depth))
    }

    fn set(&mut self, at: Keyed<K>, entry: Entry) -> Result<Option<Entry>> {
        let record = R::from_entry(&entry)?;
        // An edit by hand is no statement about the position.
        self.attended = self.state(at).unwrap_or(Packed::UNKNOWN);
        let old = self.insert(at, record);
        if let Some(journal) = &mut self.journal {
            // The record, not `entry`: of that only the fields of the policy are stored.
            journal.edited(at, Some(record.entry(at.depth)));
        }
        Ok(old.map(|record| record.entry(at.depth)))
    }

    fn fill(&mut self, read: &mut EntryReader<'_, K>) -> Result<u64> {
        let before = self.held.rows.len();
        let rows = &mut self.held.rows;
        let taken = read(&mut |at, entry| {
            rows.push(Row::new(at, R::from_entry(&entry)?));
            Ok(())
        });
        if let Err(fault) = taken {
            rows.truncate(before);
            return Err(fault);
        }
        if let Some(journal) = &mut self.journal {
            let mut held = self.held.clone();
            held.rows.truncate(before);
            journal.push(TableChange::Rebuilt(Box::new(held)));
            journal.edited_whole();
        }
        Ok(self.index_from(before))
    }

    fn remove(&mut self, at: Keyed<K>) -> Option<Entry> {
        let old = self.take(at)?;
        if let Some(journal) = &mut self.journal {
            journal.edited(at, None);
        }
        Some(old.entry(at.depth))
    }

    fn state(&self, at: Keyed<K>) -> Option<Packed> {
        let state = self.held.beside(self.place(at)?).state;
        state.is_known().then_some(state)
    }

    fn set_state(&mut self, at: Keyed<K>, state: Packed) {
        if let Some(place) = self.place(at) {
            self.attended = state;
            self.set_state_at(place);
        }
    }

    fn iter(&self) -> Box<dyn Iterator<Item = (Keyed<K>, Entry)> + '_> {
        Box::new(self.held.rows.iter().map(entry))
    }

    fn nth(&self, place: usize) -> Option<(Keyed<K>, Entry)> {
        self.held.rows.get(place).map(entry)
    }

    fn uses(&self, place: usize) -> Option<u32> {
        self.held.uses.as_ref()?.get(place).copied()
    }

    fn retain(&mut self, keep: &mut dyn FnMut(Keyed<K>, &Entry) -> bool) {
        self.edited_whole();
        self.retain_rows(&mut |_, row| {
            let (at, entry) = entry(row);
            keep(at, &entry)
        });
    }

    fn clear(&mut self) {
        self.edited_whole();
        let before = self.held.take();
        self.index = HashTable::new();
        self.cursor.hand = 0;
        if let Some(journal) = &mut self.journal {
            journal.push(TableChange::Rebuilt(Box::new(before)));
        }
    }

    fn clean(&mut self, most: usize, whole: bool) -> Vec<CleanStep> {
        let steps = self.drop_depths(most, whole, None);
        if !steps.is_empty() {
            self.edited_whole();
        }
        steps
    }

    fn reserve(&mut self, more: usize) {
        self.make_room(more);
    }

    fn set_capacity(&mut self, capacity: Capacity) -> usize {
        self.held.ask(capacity.count_uses || capacity.replace == Replace::Use, capacity.verify);
        self.capacity = capacity;
        let waits = capacity.between && capacity.replace == Replace::Clean;
        self.limit = self.entries_in(if waits { MaxSize::Unlimited } else { capacity.size });
        let gone = self.drop_excess();
        self.fit();
        gone
    }

    fn limit(&self) -> usize {
        self.limit
    }

    fn target(&self) -> usize {
        self.entries_in(self.capacity.size)
    }

    fn tidy(&mut self) -> Vec<CleanStep> {
        let (most, Capacity { between, replace, .. }) = (self.target(), self.capacity);
        if between && replace == Replace::Clean && self.held.rows.len() > most {
            self.evict_depths(most, None)
        } else {
            Vec::new()
        }
    }

    fn replacement_state(&self) -> ReplacementState {
        let mut uses = self.held.uses.clone().unwrap_or_default();
        let last = uses.iter().rposition(|&uses| uses > 0);
        uses.truncate(last.map_or(0, |last| last + 1));
        ReplacementState { hand: self.cursor.hand, evicted: self.cursor.evicted, uses }
    }

    fn set_replacement_state(&mut self, replacement_state: &ReplacementState) -> Result<()> {
        let entries = self.held.rows.len();
        if replacement_state.uses.len() > entries {
            let message =
                format!("{} uses are told of {entries} entries", replacement_state.uses.len());
            return Err(Fault::new(message).hint("take `uses` out to load the rest"));
        }
        self.cursor =
            ReplacementCursor { hand: replacement_state.hand, evicted: replacement_state.evicted };
        if let Some(uses) = &mut self.held.uses {
            uses.clear();
            uses.extend(&replacement_state.uses);
            uses.resize(entries, 0);
        }
        Ok(())
    }

    fn record(&mut self, on: bool) {
        let journal = || Box::new(Journal::new(self.held.rows.len(), self.cursor));
        self.journal = on.then(journal);
    }

    fn mark(&mut self) -> u64 {
        let (len, cursor) = (self.held.rows.len(), self.cursor);
        let journal = self.journal.as_mut();
        journal.map_or(0, |journal| journal.open(len, cursor))
    }

    fn rewind(&mut self, mark: u64) {
        self.take_back(mark);
    }

    fn forget(&mut self, mark: u64) {
        if let Some(journal) = &mut self.journal {
            journal.forget(mark);
        }
    }

    fn unmark(&mut self, mark: u64) {
        if let Some(journal) = &mut self.journal {
            journal.unmark(mark);
        }
    }

    fn recorded_bytes(&self) -> usize {
        self.journal.as_ref().map_or(0, |journal| journal.bytes())
    }

    fn take_edits(&mut self) -> Edits<K> {
        let journal = self.journal.as_mut();
        journal.map_or_else(Edits::default, |journal| journal.take_edits())
    }

    fn edited_whole(&mut self) {
        if let Some(journal) = &mut self.journal {
            journal.edited_whole();
        }
    }

    fn last_written(&self, at: Keyed<K>) -> Option<u64> {
        self.journal.as_ref()?.last_written(self.place(at))
    }
}
