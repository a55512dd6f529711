//! Tables that never get larger than they may: which entry gives way.

use serde::{Deserialize, Serialize};

pub(super) use super::room::{MaxSize, Replace, Room};
use super::{CleanStep, clean::whole_depths};
use crate::engine::game::Fault;

/// How many entries are looked at to find the one that gives way.
pub(super) const NEIGHBOURS: usize = 8;

/// How a table keeps to its bound.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keeper {
    pub(super) room: Room,
    /// Entries at most.
    pub(super) limit: usize,
    pub(super) state: State,
}

/// What decides which entry is next to give way, and how many have: it goes back with the entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Where to look next, as the table counts places.
    pub(super) hand: u64,
    /// Entries that have given way.
    pub(super) evicted: u64,
}

impl Default for Keeper {
    fn default() -> Self {
        Self {
            room: Room::default(),
            limit: usize::MAX,
            state: State::default(),
        }
    }
}

/// Where a table stands beside its entries: what it takes, with them, to go on as it would have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Footing {
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

impl Footing {
    /// Whether it is that of an empty table, so that it need not be said.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Refuses uses of entries that are not there.
    pub(super) fn check(&self, entries: usize) -> Result<(), Fault> {
        if self.uses.len() <= entries {
            return Ok(());
        }
        Err(Fault::new(format!(
            "{} uses are told of {entries} entries",
            self.uses.len()
        ))
        .hint("remove `uses` to load the rest of the session"))
    }
}

impl Keeper {
    pub(super) fn footing(&self, uses: Option<Vec<u32>>) -> Footing {
        let mut uses = uses.unwrap_or_default();
        let last = uses.iter().rposition(|&uses| uses > 0);
        uses.truncate(last.map_or(0, |last| last + 1));
        Footing {
            hand: self.state.hand,
            evicted: self.state.evicted,
            uses,
        }
    }

    pub(super) fn stand(&mut self, footing: &Footing) {
        self.state = State {
            hand: footing.hand,
            evicted: footing.evicted,
        };
    }
}

/// The entries that are looked at for the one that gives way.
pub(super) struct Neighbours<P> {
    /// Their places, the first ones first.
    pub(super) places: Vec<P>,
    /// Where to look the next time.
    pub(super) hand: u64,
}

/// Entries at places, among which some give way to others.
pub(super) trait Crowd {
    /// Where an entry stands; a later one is greater.
    type Place: Copy + Ord;

    fn keeper(&self) -> &Keeper;
    fn keeper_mut(&mut self) -> &mut Keeper;
    /// Number of entries.
    fn count(&self) -> usize;
    /// Their places, in the table's order.
    fn places(&self) -> impl Iterator<Item = Self::Place>;
    /// The depth of the entry at a place; 0 where the policy keeps none.
    fn depth_at(&self, place: Self::Place) -> u8;
    /// How often it was used, where that is counted.
    fn uses_at(&self, place: Self::Place) -> Option<u32>;
    /// Sets that, where it is counted.
    fn set_uses(&mut self, place: Self::Place, now: u32);
    /// Keeps the entries at the places for which `keep` holds; it is asked once about each, in the table's order.
    fn keep_places(&mut self, keep: &mut dyn FnMut(Self::Place) -> bool);
    /// The next entries to look at. Never asked of an empty table.
    fn neighbours(&self) -> Neighbours<Self::Place>;

    /// Counts a use.
    #[cold]
    fn use_once(&mut self, place: Self::Place) {
        let uses = self.uses_at(place).unwrap_or(0);
        self.set_uses(place, uses.saturating_add(1));
    }

    /// What replacement goes by: less gives way first.
    fn worth(&self, place: Self::Place) -> u32 {
        match (self.keeper().room.replace, self.uses_at(place)) {
            (Replace::Use, Some(uses)) => uses,
            _ => u32::from(self.depth_at(place)),
        }
    }

    /// Drops what is beyond the bound, as it would have gone; how many that are.
    fn drop_excess(&mut self) -> usize {
        let before = self.count();
        let excess = before.saturating_sub(self.keeper().limit);
        if excess > 0 {
            match self.keeper().room.replace {
                Replace::Clean => {
                    self.clean(None);
                }
                Replace::Depth | Replace::Use => self.drop_least(excess),
            }
        }
        before - self.count()
    }

    /// Drops the shallowest or least used entries, among equals the first ones.
    fn drop_least(&mut self, excess: usize) {
        let mut worths: Vec<(u32, Self::Place)> = self
            .places()
            .map(|place| (self.worth(place), place))
            .collect();
        let (_, &mut last, _) = worths.select_nth_unstable(excess - 1);
        let worth = |place| self.worth(place);
        let gone: Vec<bool> = self
            .places()
            .map(|place| (worth(place), place) <= last)
            .collect();
        let mut gone = gone.into_iter();
        self.keep_places(&mut |_| !gone.next().unwrap_or(false));
        self.keeper_mut().state.evicted += excess as u64;
    }

    /// Has entries give way to a new one of a depth: nothing if it is the new one itself that gives way; else the place it
    /// may take, or no particular one.
    #[expect(
        clippy::option_option,
        reason = "outside: does the new one stay; inside: at whose place"
    )]
    fn make_way(&mut self, depth: u8) -> Option<Option<Self::Place>> {
        if self.keeper().limit == 0 {
            self.keeper_mut().state.evicted += 1;
            return None;
        }
        if self.keeper().room.replace == Replace::Clean {
            return self.clean(Some(depth)).then_some(None);
        }
        let victim = self.victim();
        self.keeper_mut().state.evicted += 1;
        Some(victim)
    }

    /// The least worthy of the next neighbours.
    fn victim(&mut self) -> Option<Self::Place> {
        let Neighbours { places, hand } = self.neighbours();
        let victim = places
            .iter()
            .copied()
            .min_by_key(|&place| self.worth(place));
        if self.keeper().room.replace == Replace::Use {
            for place in places {
                let halved = self.uses_at(place).unwrap_or(0) / 2;
                self.set_uses(place, halved);
            }
        }
        self.keeper_mut().state.hand = hand;
        victim
    }

    /// Seed 000's `clean` on the table with a new entry of a depth in it: whole depths go until it fits. Whether the new
    /// one stays.
    fn clean(&mut self, new: Option<u8>) -> bool {
        let steps = self.drop_depths(self.keeper().limit, new);
        let last = steps.last().map(|step| step.depth);
        new.is_none_or(|new| last.is_none_or(|last| new > last))
    }

    /// What `clean` does between decisions, where it waits for them.
    fn tidy_to(&mut self, most: usize) -> Vec<CleanStep> {
        let room = self.keeper().room;
        if room.between && room.replace == Replace::Clean && self.count() > most {
            self.drop_depths(most, None)
        } else {
            Vec::new()
        }
    }

    /// Drops whole depths until so many entries are left at most, one of a depth counted with them that is not there yet.
    fn drop_depths(&mut self, most: usize, new: Option<u8>) -> Vec<CleanStep> {
        let mut counts = [0_usize; 256];
        let depths = self.places().map(|place| self.depth_at(place));
        for depth in depths.chain(new) {
            counts[usize::from(depth)] += 1;
        }
        let steps = whole_depths(&counts, most);
        if let Some(last) = steps.last() {
            let keeps: Vec<bool> = self
                .places()
                .map(|place| self.depth_at(place) > last.depth)
                .collect();
            let mut keeps = keeps.into_iter();
            self.keep_places(&mut |_| keeps.next().unwrap_or(true));
        }
        let gone: usize = steps.iter().map(|step| step.deleted).sum();
        self.keeper_mut().state.evicted += gone as u64;
        steps
    }
}
