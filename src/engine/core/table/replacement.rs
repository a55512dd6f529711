//! Tables that never get larger than they may: which entry gives way.

use serde::{Deserialize, Serialize};

use super::{Entries, Record, Replace, Table, journal::TableChange, rows::Row};
use crate::engine::core::game::{Key, Keyed};

/// How many entries are looked at to find the one that gives way.
const NEIGHBOURS: usize = 8;

/// The state of replacement: with the entries, all that a table needs to go on as it would have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplacementState {
    /// Where it looks next for an entry that gives way.
    #[serde(default)]
    pub hand: u64,
    /// Entries that have given way.
    #[serde(default)]
    pub evicted: u64,
    /// How often each entry was used, in the table's order, where that is counted; those not told were not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uses: Vec<u32>,
}

/// One pass of cleaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CleanStep {
    /// Entries of this depth and, as seed 000 has it, below went.
    pub depth: u8,
    /// How many went.
    pub deleted: usize,
    /// How many are left.
    pub left: usize,
}

/// What has to go so that entries fit a bound.
struct Quota {
    /// The passes, the shallowest depth first.
    steps: Vec<CleanStep>,
    /// How many of each depth go.
    gone: [usize; 256],
}

impl Quota {
    /// From the depths of all entries. As seed 000's `clean` has it (defect D4) whole depths go, depths 0 and 1 together,
    /// even if nothing is left; else no more than must.
    fn new(depths: impl Iterator<Item = u8>, most: usize, whole: bool) -> Self {
        let mut counts = [0; 256];
        depths.for_each(|depth| counts[usize::from(depth)] += 1);
        let mut left: usize = counts.iter().sum();
        let (mut steps, mut gone) = (Vec::new(), [0; 256]);
        let first = usize::from(whole);
        for depth in first..256 {
            if left <= most {
                break;
            }
            let below = if whole && depth == 1 { 0 } else { depth };
            for of in below..=depth {
                gone[of] = counts[of].min(if whole { usize::MAX } else { left - most });
            }
            let deleted = gone[below..=depth].iter().sum();
            left -= deleted;
            if whole || deleted > 0 {
                steps.push(CleanStep { depth: depth as u8, deleted, left });
            }
        }
        Self { steps, gone }
    }
}

impl<K: Key, R: Record> Table<K, R> {
    fn depth_at(&self, place: usize) -> u8 {
        let row = self.held.rows[place];
        row.record().depth(row.at().depth)
    }

    fn set_uses(&mut self, place: usize, now: u32) {
        let Some(uses) = &mut self.held.uses else {
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
    pub(super) fn use_once(&mut self, place: usize) {
        let uses = self.uses(place).unwrap_or(0);
        self.set_uses(place, uses.saturating_add(1));
    }

    /// What replacement goes by: less gives way first.
    fn worth(&self, place: usize) -> u32 {
        match (self.capacity.replace, self.uses(place)) {
            (Replace::Use, Some(uses)) => uses,
            _ => u32::from(self.depth_at(place)),
        }
    }

    /// Drops what is beyond the bound, as it would have gone; how many that are.
    pub(super) fn drop_excess(&mut self) -> usize {
        let before = self.held.rows.len();
        let excess = before.saturating_sub(self.limit);
        if excess > 0 {
            match self.capacity.replace {
                Replace::Clean => drop(self.evict_depths(self.limit, None)),
                Replace::Depth | Replace::Use => self.drop_least(excess),
            }
        }
        before - self.held.rows.len()
    }

    /// Drops the shallowest or least used entries, among equals the first ones.
    fn drop_least(&mut self, excess: usize) {
        let places = 0..self.held.rows.len();
        let worths: Vec<_> = places.map(|place| (self.worth(place), place)).collect();
        let mut sorted = worths.clone();
        let (_, &mut last, _) = sorted.select_nth_unstable(excess - 1);
        self.retain_rows(&mut |place, _| worths[place] > last);
        self.cursor.evicted += excess as u64;
    }

    /// Drops the shallowest entries until at most so many are left; a new one of a depth counts with them though it is not
    /// there yet.
    pub(super) fn drop_depths(
        &mut self,
        most: usize,
        whole: bool,
        new: Option<u8>,
    ) -> Vec<CleanStep> {
        let places = 0..self.held.rows.len();
        let depths = places.map(|place| self.depth_at(place)).chain(new);
        let Quota { steps, mut gone } = Quota::new(depths, most, whole);
        if !steps.is_empty() {
            self.retain_rows(&mut |_, row| {
                let left = &mut gone[usize::from(row.record().depth(row.at().depth))];
                let goes = *left > 0;
                *left -= usize::from(goes);
                !goes
            });
        }
        steps
    }

    /// Whole depths give way, as in seed 000.
    pub(super) fn evict_depths(&mut self, most: usize, new: Option<u8>) -> Vec<CleanStep> {
        let steps = self.drop_depths(most, true, new);
        let deleted: usize = steps.iter().map(|step| step.deleted).sum();
        self.cursor.evicted += deleted as u64;
        steps
    }

    /// Writes a new record into a table that is full: another one gives way, or the new one itself.
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
        let old = self.held.rows[place];
        if let Some(journal) = &mut self.journal {
            journal.note(place, |place| TableChange::Replaced { place, old });
        }
        self.set_uses(place, 0);
        self.set_state_at(place);
        self.move_index(old.at(), at, place);
        self.held.rows[place] = Row::new(at, record);
    }

    /// The place of the least worthy of the next eight; from the last one on they go on from the first. Their uses are
    /// halved where these decide.
    fn victim(&mut self) -> usize {
        let len = self.held.rows.len();
        let first = (self.cursor.hand % len as u64) as usize;
        let places = (first..first + NEIGHBOURS.min(len)).map(|place| place % len);
        let victim = places.clone().min_by_key(|&place| self.worth(place));
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
