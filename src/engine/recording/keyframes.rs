//! Keyframes: copies of a long search and its table. Events are replayed from them if their checkpoints were dropped for lack of
//! memory.

use super::{Recording, StopConditions, aside::FAR};
use crate::engine::core::{game::SearchRules, search::Search, table::AnyTable};

/// A saved state of a search and its table. Edits at the same event are not included.
#[derive(Debug)]
pub(super) struct Keyframe<G: SearchRules> {
    search: Search<G>,
    ms: f64,
    table: AnyTable<G::Key>,
}

impl<G: SearchRules, D: StopConditions<G>> Recording<G, D> {
    /// Memory of the keyframes in bytes.
    pub(super) fn keyframe_bytes(&self) -> usize {
        self.keyframes.iter().map(|keyframe| keyframe.table.entries().bytes()).sum()
    }

    /// Saves the present state, if it is far from the last keyframe and the keyframes take at most half of the recording's
    /// memory. To make room, it drops the keyframe whose neighbours are closest together.
    pub(super) fn save_keyframe_if_due(&mut self) {
        let (Some(now), Some(running)) = (&self.now, &self.running) else { return };
        let (begin, events) = (now.origin.start.events(), running.search.events());
        let last = self.keyframes.last().map_or(begin, |last| last.search.events());
        let table = &self.searcher.table;
        let most = self.budget() / 2 / table.entries().bytes().max(1);
        // The distance grows, so that the copies take little time. After a jump in a trace, the table is incomplete.
        if events < last + 4 * FAR + (last - begin) / 4 || most == 0 || self.jumped {
            return;
        }
        if self.keyframes.len() >= most {
            let places = self.keyframes.iter().map(|keyframe| keyframe.search.events());
            let places: Vec<_> = [begin].into_iter().chain(places).chain([events]).collect();
            let gaps = places.windows(3).map(|three| three[2] - three[0]).enumerate();
            if let Some((place, _)) = gaps.min_by_key(|(_, gap)| *gap) {
                self.keyframes.remove(place);
            }
        }
        let (search, ms, table) = (running.search.clone(), running.ms, table.clone());
        self.keyframes.push(Keyframe { search, ms, table });
    }

    /// Drops the keyframes after a number of events, because the timeline continues in another way.
    pub(super) fn drop_keyframes_after(&mut self, events: u64) {
        self.keyframes.retain(|keyframe| keyframe.search.events() <= events);
    }

    /// Changes to the last keyframe before a target, if it is much closer than `nearest`, the event from which the target would
    /// be replayed without keyframes.
    pub(super) fn change_to_keyframe(&mut self, nearest: u64, target: u64) -> bool {
        let between = nearest + FAR..=target;
        let is_between = |keyframe: &&Keyframe<G>| between.contains(&keyframe.search.events());
        let last = self.keyframes.iter().rfind(is_between).filter(|_| !self.jumped);
        let Some(Keyframe { search, ms, table }) = last else { return false };
        self.change_to(search.clone(), *ms, table.clone())
    }

    /// Changes to the last keyframe of another recording of the same timeline, within the first `events` events; `false` without
    /// one.
    pub fn take_keyframe(&mut self, other: &Self, events: u64) -> bool {
        let last = other.keyframes.iter().rfind(|it| it.search.events() <= events);
        let Some(Keyframe { search, ms, table }) = last else { return false };
        self.change_to(search.clone(), *ms, table.clone())
    }
}
