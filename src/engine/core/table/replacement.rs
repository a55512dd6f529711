//! Replacement: which entry a new one replaces in a full table.

use serde::{Deserialize, Serialize};

use super::{Entries, Record, Replace, Table, journal::TableChange, rows::Row};
use crate::engine::core::game::{Key, Keyed};

/// The number of neighbours of which one is replaced. Eight rows of 18 bytes lie in three cache lines, quickly read.
const NEIGHBOURS: usize = 8;

/// The state of replacement. A table restored from a file with this state replaces the same entries as the original.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplacementState {
    /// The index of the first of the eight entries among which the next replacement chooses.
    #[serde(default)]
    pub hand: u64,
    /// The number of entries replaced so far.
    #[serde(default)]
    pub evicted: u64,
    /// How often each entry was used, in the order of the table. Entries beyond the end of the list were never used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uses: Vec<u32>,
}

/// One step of cleaning: the removal of the entries of one depth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CleanStep {
    /// The depth of the removed entries; in seed 000, entries of lower depths are removed with them.
    pub depth: u8,
    /// The number of entries removed in this step.
    pub deleted: usize,
    /// The number of entries that remain after this step.
    pub left: usize,
}

/// How many entries of each depth are removed so that the rest fits.
struct Quota {
    /// The steps, the shallowest depth first.
    steps: Vec<CleanStep>,
    /// The numbers of removed entries, by depth.
    removed: [usize; 256],
}

impl Quota {
    /// How many entries to remove, if the table has entries of these depths; for `all_of_depth` see [`Entries::clean`].
    fn new(depths: impl Iterator<Item = u8>, most: usize, all_of_depth: bool) -> Self {
        let mut counts = [0; 256];
        depths.for_each(|depth| counts[usize::from(depth)] += 1);
        let mut left: usize = counts.iter().sum();
        let (mut steps, mut removed) = (Vec::new(), [0; 256]);
        let first = usize::from(all_of_depth);
        for depth in first..256 {
            if left <= most {
                break;
            }
            let below = if all_of_depth && depth == 1 { 0 } else { depth };
            for of in below..=depth {
                removed[of] = counts[of].min(if all_of_depth { usize::MAX } else { left - most });
            }
            let deleted = removed[below..=depth].iter().sum();
            left -= deleted;
            if all_of_depth || deleted > 0 {
                steps.push(CleanStep { depth: depth as u8, deleted, left });
            }
        }
        Self { steps, removed }
    }
}

impl<K: Key, R: Record> Table<K, R> {
    fn depth_at(&self, place: usize) -> u8 {
        let row = self.rows.list[place];
        row.record().depth(row.at().depth)
    }

    fn set_uses(&mut self, place: usize, now: u32) {
        let Some(uses) = &mut self.rows.uses else {
            return;
        };
        let old = std::mem::replace(&mut uses[place], now);
        if let Some(journal) = &mut self.journal
            && old != now
        {
            journal.note(place, |place| TableChange::Used { place, old });
        }
    }

    #[cold]
    pub(super) fn count_one_use(&mut self, place: usize) {
        let uses = self.uses(place).unwrap_or(0);
        self.set_uses(place, uses.saturating_add(1));
    }

    /// The value by which replacement compares entries: the entry with the least is replaced.
    fn retention_score(&self, place: usize) -> u32 {
        match (self.capacity.replace, self.uses(place)) {
            (Replace::Use, Some(uses)) => uses,
            _ => u32::from(self.depth_at(place)),
        }
    }

    /// Removes the entries beyond the limit, and returns how many.
    pub(super) fn drop_excess(&mut self) -> usize {
        let before = self.rows.list.len();
        let excess = before.saturating_sub(self.limit);
        if excess > 0 {
            match self.capacity.replace {
                Replace::Clean => drop(self.evict_depths(self.limit, None)),
                Replace::Depth | Replace::Use => self.drop_least(excess),
            }
        }
        before - self.rows.list.len()
    }

    /// Removes the shallowest or least used entries, of equal ones the oldest.
    fn drop_least(&mut self, excess: usize) {
        let places = 0..self.rows.list.len();
        let worths: Vec<_> = places.map(|place| (self.retention_score(place), place)).collect();
        let mut sorted = worths.clone();
        let (_, &mut last, _) = sorted.select_nth_unstable(excess - 1);
        self.retain_rows(&mut |place, _| worths[place] > last);
        self.cursor.evicted += excess as u64;
    }

    /// Removes the shallowest entries until at most `most` remain, counting a new entry of depth `new`.
    pub(super) fn drop_depths(
        &mut self,
        most: usize,
        all_of_depth: bool,
        new: Option<u8>,
    ) -> Vec<CleanStep> {
        let places = 0..self.rows.list.len();
        let depths = places.map(|place| self.depth_at(place)).chain(new);
        let Quota { steps, mut removed } = Quota::new(depths, most, all_of_depth);
        if !steps.is_empty() {
            self.retain_rows(&mut |_, row| {
                let left = &mut removed[usize::from(row.record().depth(row.at().depth))];
                let goes = *left > 0;
                *left -= usize::from(goes);
                !goes
            });
        }
        steps
    }

    /// Removes all entries of the shallowest depths until at most `most` remain, as seed 000 does.
    pub(super) fn evict_depths(&mut self, most: usize, new: Option<u8>) -> Vec<CleanStep> {
        let steps = self.drop_depths(most, true, new);
        let deleted: usize = steps.iter().map(|step| step.deleted).sum();
        self.cursor.evicted += deleted as u64;
        steps
    }

    /// Stores a new record in a full table: it replaces another, or is itself dropped.
    #[cold]
    pub(super) fn insert_full(&mut self, at: Keyed<K>, record: R) {
        if self.limit == 0 {
            self.cursor.evicted += 1;
            return;
        }
        if self.capacity.replace == Replace::Clean {
            let depth = record.depth(at.depth);
            let steps = self.evict_depths(self.limit, Some(depth));
            if steps.last().is_none_or(|last| depth > last.depth) {
                self.insert(at, record);
            }
            return;
        }
        let place = self.victim();
        self.cursor.evicted += 1;
        let old = self.rows.list[place];
        if let Some(journal) = &mut self.journal {
            journal.note(place, |place| TableChange::Replaced { place, old });
        }
        self.set_uses(place, 0);
        self.set_position_at(place);
        self.move_index(old.at(), at, place);
        self.rows.list[place] = Row::new(at, record);
    }

    /// The place of the entry to replace: among the next eight, wrapping round at the end of the table. With `replace=use` the
    /// use counts of the eight are halved, so that old uses count less.
    fn victim(&mut self) -> usize {
        let len = self.rows.list.len();
        let first = (self.cursor.hand % len as u64) as usize;
        let places = (first..first + NEIGHBOURS.min(len)).map(|place| place % len);
        let victim = places.clone().min_by_key(|&place| self.retention_score(place));
        if self.capacity.replace == Replace::Use {
            for place in places {
                let halved = self.uses(place).unwrap_or(0) / 2;
                self.set_uses(place, halved);
            }
        }
        self.cursor.hand = ((first + NEIGHBOURS) % len) as u64;
        victim.unwrap_or(first)
    }
}
