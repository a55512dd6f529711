//! Tables that never get larger than they may: which entry gives way.

use serde::{Deserialize, Serialize};

use super::{
    CleanStep, Record, Replace, Room, Table, clean::Quota, journal::TableChange, room::Standing,
    row::Row,
};
use crate::engine::core::game::{Fault, Key, Keyed};

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

impl ReplacementState {
    /// Whether it is that of an empty table, so that it need not be said.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl<K: Key, R: Record> Table<K, R> {
    pub(super) fn footing_now(&self) -> ReplacementState {
        let mut uses = self.held.uses.clone().unwrap_or_default();
        let last = uses.iter().rposition(|&uses| uses > 0);
        uses.truncate(last.map_or(0, |last| last + 1));
        ReplacementState { hand: self.standing.hand, evicted: self.standing.evicted, uses }
    }

    /// Stands as it did. Refuses uses of entries that are not there.
    pub(super) fn stand(&mut self, footing: &ReplacementState) -> Result<(), Fault> {
        let entries = self.held.rows.len();
        if footing.uses.len() > entries {
            return Err(Fault::new(format!(
                "{} uses are told of {entries} entries",
                footing.uses.len()
            ))
            .hint("remove `uses` to load the rest of the session"));
        }
        self.standing = Standing { hand: footing.hand, evicted: footing.evicted };
        if let Some(uses) = &mut self.held.uses {
            uses.clear();
            uses.extend(&footing.uses);
            uses.resize(entries, 0);
        }
        Ok(())
    }

    fn depth_at(&self, place: usize) -> u8 {
        let row = self.held.rows[place];
        row.record().depth(row.at().depth)
    }

    pub(super) fn uses_at(&self, place: usize) -> Option<u32> {
        self.held.uses.as_ref()?.get(place).copied()
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

    /// Counts a use.
    #[cold]
    pub(super) fn use_once(&mut self, place: usize) {
        let uses = self.uses_at(place).unwrap_or(0);
        self.set_uses(place, uses.saturating_add(1));
    }

    /// What replacement goes by: less gives way first.
    fn worth(&self, place: usize) -> u32 {
        match (self.room.replace, self.uses_at(place)) {
            (Replace::Use, Some(uses)) => uses,
            _ => u32::from(self.depth_at(place)),
        }
    }

    /// Drops what is beyond the bound, as it would have gone; how many that are.
    pub(super) fn drop_excess(&mut self) -> usize {
        let before = self.held.rows.len();
        let excess = before.saturating_sub(self.limit);
        if excess > 0 {
            match self.room.replace {
                Replace::Clean => drop(self.drop_depths(self.limit, None)),
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
        self.standing.evicted += excess as u64;
    }

    /// Drops whole depths, as seed 000's `clean` does, until at most so many entries are left; a new one of a depth counts
    /// with them though it is not there yet.
    pub(super) fn drop_depths(&mut self, most: usize, new: Option<u8>) -> Vec<CleanStep> {
        let places = 0..self.held.rows.len();
        let depths = places.map(|place| self.depth_at(place)).chain(new);
        let Quota { steps, gone } = Quota::new(depths, most, true);
        if !steps.is_empty() {
            self.retain_rows(&mut |_, row| {
                gone[usize::from(row.record().depth(row.at().depth))] == 0
            });
        }
        let deleted: usize = steps.iter().map(|step| step.deleted).sum();
        self.standing.evicted += deleted as u64;
        steps
    }

    /// Writes a new record into a table that is full: another one gives way, or the new one itself.
    #[cold]
    pub(super) fn insert_full(&mut self, at: Keyed<K>, record: R) {
        if self.limit == 0 {
            self.standing.evicted += 1;
            return;
        }
        if self.room.replace == Replace::Clean {
            let depth = record.depth(at.depth);
            let steps = self.drop_depths(self.limit, Some(depth));
            if steps.last().is_none_or(|last| depth > last.depth) {
                self.insert(at, record);
            }
            return;
        }
        let place = self.victim();
        self.standing.evicted += 1;
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
        let first = (self.standing.hand % len as u64) as usize;
        let places = (first..first + NEIGHBOURS.min(len)).map(|place| place % len);
        let victim = places.clone().min_by_key(|&place| self.worth(place));
        if self.room.replace == Replace::Use {
            for place in places {
                let halved = self.uses_at(place).unwrap_or(0) / 2;
                self.set_uses(place, halved);
            }
        }
        self.standing.hand = ((first + NEIGHBOURS) % len) as u64;
        victim.unwrap_or(first)
    }

    /// What `clean` does between decisions, where it waits for them.
    pub(super) fn clean_up(&mut self, most: usize) -> Vec<CleanStep> {
        let Room { between, replace, .. } = self.room;
        if between && replace == Replace::Clean && self.held.rows.len() > most {
            self.drop_depths(most, None)
        } else {
            Vec::new()
        }
    }
}
