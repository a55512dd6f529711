use hashbrown::HashTable;

use super::{
    Capacity, CleanStep, Edits, Entry, MaxSize, Policy, Record, Replace, ReplacementState, Table,
    capacity::ReplacementCursor,
    journal::{Journal, TableChange},
    rows::Row,
};
use crate::engine::core::game::{Fault, Key, Keyed, Packed, Result};

/// A callback that receives one entry with its key.
pub type EntrySink<'a, K> = dyn FnMut(Keyed<K>, Entry) -> Result<()> + 'a;

/// A function that passes entries to a sink one by one.
pub type EntryReader<'a, K> = dyn FnMut(&mut EntrySink<'_, K>) -> Result<()> + 'a;

/// A table as commands, files and the debugger use it, the same for every policy: entries by key and by place, and a journal
/// that can restore an earlier state. The marks of the journal are numbered from 0.
pub trait Entries<K: Key> {
    /// The memo policy of the table.
    fn policy(&self) -> Policy;
    /// The number of entries in the table.
    fn len(&self) -> usize;
    /// Whether the table has no entries.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Allocated memory in bytes, records and index.
    fn bytes(&self) -> usize;
    /// The entry under a key, if there is one.
    fn get(&self, at: Keyed<K>) -> Option<Entry>;
    /// Stores an entry, and returns the entry that was stored under the same key before.
    /// Errors: the entry lacks a field of the policy.
    fn set(&mut self, at: Keyed<K>, entry: Entry) -> Result<Option<Entry>>;
    /// Stores all entries from `read`, much faster than one by one, and returns how many repeated an earlier key (the last
    /// entry of a key counts, at the place of the first). The caller ensures that the table has room.
    /// Errors: as `read`; then nothing is stored.
    fn fill(&mut self, read: &mut EntryReader<'_, K>) -> Result<u64>;
    /// Removes and returns the entry under a key.
    fn remove(&mut self, at: Keyed<K>) -> Option<Entry>;
    /// The position stored with an entry, if positions are stored (`verify=on`).
    fn state(&self, at: Keyed<K>) -> Option<Packed>;
    /// Sets the position stored with an entry, if positions are stored.
    fn set_state(&mut self, at: Keyed<K>, state: Packed);
    /// All entries in order of insertion.
    fn iter(&self) -> Box<dyn Iterator<Item = (Keyed<K>, Entry)> + '_>;
    /// The entry at a place in order of insertion, from 0.
    fn nth(&self, place: usize) -> Option<(Keyed<K>, Entry)>;
    /// How often the entry at a place was used, if uses are counted.
    fn uses(&self, place: usize) -> Option<u32>;
    /// Keeps the entries for which `keep` is true.
    fn retain(&mut self, keep: &mut dyn FnMut(Keyed<K>, &Entry) -> bool);
    /// Removes all entries; an edit that the journal can undo.
    fn clear(&mut self);
    /// Reduces the table to `most` entries: removes the shallowest, of equal ones the oldest. `all_of_depth` removes all
    /// entries of a depth at once, depths 0 and 1 together, even if nothing remains, as seed 000's `clean` does (defect D4).
    fn clean(&mut self, most: usize, all_of_depth: bool) -> Vec<CleanStep>;
    /// Reserves room for `more` entries, as far as the limit allows.
    fn reserve(&mut self, more: usize);

    /// Sets the size limit and the replacement, and returns how many entries were removed.
    fn set_capacity(&mut self, capacity: Capacity) -> usize;
    /// The most entries that the table may have now.
    fn limit(&self) -> usize;
    /// The most entries once a move is chosen; equals [`Entries::limit`] unless cleaning waits for the move.
    fn target(&self) -> usize;
    /// Cleans the table after a move was chosen, if [`Capacity::cleans_between_moves`].
    fn tidy(&mut self) -> Vec<CleanStep>;
    /// The state of replacement, to be saved with the entries.
    fn replacement_state(&self) -> ReplacementState;
    /// Restores the state of replacement, after the entries.
    /// Errors: more use counts than entries.
    fn set_replacement_state(&mut self, replacement_state: &ReplacementState) -> Result<()>;

    /// Starts the journal with mark 0 (`on`), or ends and drops the journal.
    fn record(&mut self, on: bool);
    /// Sets a mark, to which the table can be rewound, and returns its number.
    fn mark(&mut self) -> u64;
    /// Restores the table as it was at a mark, which is then the last one.
    fn rewind(&mut self, mark: u64);
    /// Drops the changes before a mark, which can then no longer be undone.
    fn forget(&mut self, mark: u64);
    /// Drops a mark, but keeps the changes before and after it.
    fn unmark(&mut self, mark: u64);
    /// Memory of the journal in bytes.
    fn journal_bytes(&self) -> usize;
    /// Returns the edits by the user since the last call, and clears them.
    fn take_edits(&mut self) -> Edits<K>;
    /// Notes that the table as a whole was edited by the user.
    fn note_table_edit(&mut self);
    /// The last mark after which the entry may have been written; the entry was not written after later marks.
    fn last_written(&self, at: Keyed<K>) -> Option<u64>;
}

fn entry<K: Key, R: Record>(row: &Row<K, R>) -> (Keyed<K>, Entry) {
    let at = row.at();
    (at, row.record().entry(at.depth))
}

impl<K: Key, R: Record> Entries<K> for Table<K, R> {
    fn policy(&self) -> Policy {
        R::POLICY
    }

    fn len(&self) -> usize {
        self.rows.list.len()
    }

    fn bytes(&self) -> usize {
        self.rows.bytes() + self.index.allocation_size()
    }

    fn get(&self, at: Keyed<K>) -> Option<Entry> {
        Self::get(self, at).map(|record| record.entry(at.depth))
    }

    fn set(&mut self, at: Keyed<K>, entry: Entry) -> Result<Option<Entry>> {
        let record = R::from_entry(&entry)?;
        // An edit keeps the chess or morris position stored with the entry (`verify=on`).
        self.next_position = self.state(at).unwrap_or(Packed::UNKNOWN);
        let old = self.insert(at, record);
        if let Some(journal) = &mut self.journal {
            // The journal gets the record, not `entry`, which may have fields that the policy does not store.
            journal.note_entry_edit(at, Some(record.entry(at.depth)));
        }
        Ok(old.map(|record| record.entry(at.depth)))
    }

    fn fill(&mut self, read: &mut EntryReader<'_, K>) -> Result<u64> {
        let before = self.rows.list.len();
        let rows = &mut self.rows.list;
        let taken = read(&mut |at, entry| {
            rows.push(Row::new(at, R::from_entry(&entry)?));
            Ok(())
        });
        if let Err(fault) = taken {
            rows.truncate(before);
            return Err(fault);
        }
        if let Some(journal) = &mut self.journal {
            let mut rows = self.rows.clone();
            rows.list.truncate(before);
            journal.push(TableChange::Rebuilt(Box::new(rows)));
            journal.note_table_edit();
        }
        Ok(self.index_from(before))
    }

    fn remove(&mut self, at: Keyed<K>) -> Option<Entry> {
        let old = self.take(at)?;
        if let Some(journal) = &mut self.journal {
            journal.note_entry_edit(at, None);
        }
        Some(old.entry(at.depth))
    }

    fn state(&self, at: Keyed<K>) -> Option<Packed> {
        let state = self.rows.side_data(self.place(at)?).state;
        state.is_known().then_some(state)
    }

    fn set_state(&mut self, at: Keyed<K>, state: Packed) {
        if let Some(place) = self.place(at) {
            self.next_position = state;
            self.set_position_at(place);
        }
    }

    fn iter(&self) -> Box<dyn Iterator<Item = (Keyed<K>, Entry)> + '_> {
        Box::new(self.rows.list.iter().map(entry))
    }

    fn nth(&self, place: usize) -> Option<(Keyed<K>, Entry)> {
        self.rows.list.get(place).map(entry)
    }

    fn uses(&self, place: usize) -> Option<u32> {
        self.rows.uses.as_ref()?.get(place).copied()
    }

    fn retain(&mut self, keep: &mut dyn FnMut(Keyed<K>, &Entry) -> bool) {
        self.note_table_edit();
        self.retain_rows(&mut |_, row| {
            let (at, entry) = entry(row);
            keep(at, &entry)
        });
    }

    fn clear(&mut self) {
        self.note_table_edit();
        let before = self.rows.take();
        self.index = HashTable::new();
        self.cursor.hand = 0;
        if let Some(journal) = &mut self.journal {
            journal.push(TableChange::Rebuilt(Box::new(before)));
        }
    }

    fn clean(&mut self, most: usize, all_of_depth: bool) -> Vec<CleanStep> {
        let steps = self.drop_depths(most, all_of_depth, None);
        if !steps.is_empty() {
            self.note_table_edit();
        }
        steps
    }

    fn reserve(&mut self, more: usize) {
        self.reserve_rows(more);
    }

    fn set_capacity(&mut self, capacity: Capacity) -> usize {
        self.rows.set_side_data(
            capacity.count_uses || capacity.replace == Replace::Use,
            capacity.verify,
        );
        self.capacity = capacity;
        let waits = capacity.cleans_between_moves && capacity.replace == Replace::Clean;
        self.limit = self.entries_in(if waits { MaxSize::Unlimited } else { capacity.size });
        let removed = self.drop_excess();
        self.shrink_to_limit();
        removed
    }

    fn limit(&self) -> usize {
        self.limit
    }

    fn target(&self) -> usize {
        self.entries_in(self.capacity.size)
    }

    fn tidy(&mut self) -> Vec<CleanStep> {
        let (most, Capacity { cleans_between_moves, replace, .. }) = (self.target(), self.capacity);
        if cleans_between_moves && replace == Replace::Clean && self.rows.list.len() > most {
            self.evict_depths(most, None)
        } else {
            Vec::new()
        }
    }

    fn replacement_state(&self) -> ReplacementState {
        let mut uses = self.rows.uses.clone().unwrap_or_default();
        let last = uses.iter().rposition(|&uses| uses > 0);
        uses.truncate(last.map_or(0, |last| last + 1));
        ReplacementState { hand: self.cursor.hand, evicted: self.cursor.evicted, uses }
    }

    fn set_replacement_state(&mut self, replacement_state: &ReplacementState) -> Result<()> {
        let entries = self.rows.list.len();
        if replacement_state.uses.len() > entries {
            let message = format!(
                "there are {} use counts for {entries} entries",
                replacement_state.uses.len()
            );
            return Err(Fault::new(message).hint("remove `uses` to load the rest"));
        }
        self.cursor =
            ReplacementCursor { hand: replacement_state.hand, evicted: replacement_state.evicted };
        if let Some(uses) = &mut self.rows.uses {
            uses.clear();
            uses.extend(&replacement_state.uses);
            uses.resize(entries, 0);
        }
        Ok(())
    }

    fn record(&mut self, on: bool) {
        let journal = || Box::new(Journal::new(self.rows.list.len(), self.cursor));
        self.journal = on.then(journal);
    }

    fn mark(&mut self) -> u64 {
        let (len, cursor) = (self.rows.list.len(), self.cursor);
        let journal = self.journal.as_mut();
        journal.map_or(0, |journal| journal.open(len, cursor))
    }

    fn rewind(&mut self, mark: u64) {
        self.restore_mark(mark);
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

    fn journal_bytes(&self) -> usize {
        self.journal.as_ref().map_or(0, |journal| journal.bytes())
    }

    fn take_edits(&mut self) -> Edits<K> {
        let journal = self.journal.as_mut();
        journal.map_or_else(Edits::default, |journal| journal.take_edits())
    }

    fn note_table_edit(&mut self) {
        if let Some(journal) = &mut self.journal {
            journal.note_table_edit();
        }
    }

    fn last_written(&self, at: Keyed<K>) -> Option<u64> {
        self.journal.as_ref()?.last_written(self.place(at))
    }
}
