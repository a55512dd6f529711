//! Keeps the end of a long search while the user is at its beginning, so that going forwards again needs no replay.

use std::{mem, sync::Arc};

use super::{Recorder, Recording, Running, StopConditions, Timeline};
use crate::engine::core::{game::SearchRules, search::Search, table::AnyTable};

/// The distance in events from which the state is set aside; less is replayed in a few tenths of a second.
pub(super) const FAR: u64 = 1 << 20;

/// A state of the search, with the checkpoints and the journal that lead back from it.
#[derive(Debug)]
pub(super) struct Aside<G: SearchRules> {
    timeline: Timeline<G>,
    running: Running<G>,
    table: AnyTable<G::Key>,
    recorder: Recorder<G>,
}

impl<G: SearchRules> Aside<G> {
    /// Memory of checkpoints and journal in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.recorder.bytes(&self.table)
    }

    /// Drops the oldest checkpoints until the rest takes at most `budget` bytes; `false` if that is not enough.
    pub(super) fn shrink(&mut self, budget: usize) -> bool {
        self.recorder.shrink(&mut self.table, budget);
        self.bytes() <= budget
    }
}

impl<G: SearchRules, D: StopConditions<G>> Recording<G, D> {
    /// The events of the state that is set aside; `None` without one, or if an edit leads the search to other events.
    fn aside_events(&self) -> Option<u64> {
        let (aside, now) = (self.aside.as_ref()?, self.now.as_ref()?);
        let events = aside.running.search.events();
        let is_ahead = Arc::ptr_eq(&now.origin, &aside.timeline.origin)
            && events <= now.shared(&aside.timeline);
        is_ahead.then_some(events)
    }

    /// Goes back to the beginning of the timeline, and keeps the present state so that the search can return to it. `false`, and
    /// nothing is done, if the beginning is near or a later state is kept.
    pub(super) fn set_aside(&mut self) -> bool {
        let Some(now) = &self.now else { return false };
        let start = &now.origin.start;
        if !self.is_far_ahead(start.events()) {
            return false;
        }
        let Ok(table) = Self::table_at_start(now) else { return false };
        self.change_to(start.clone(), 0.0, table)
    }

    /// Whether the present state is far ahead of an event, and no later state is kept.
    fn is_far_ahead(&self, events: u64) -> bool {
        self.events() >= events + FAR && self.aside_events() < Some(self.events())
    }

    /// Changes to another state of the search; the present state is kept if it is far ahead. `false`: the game cannot use the
    /// weights.
    pub(super) fn change_to(
        &mut self,
        search: Search<G>,
        ms: f64,
        mut table: AnyTable<G::Key>,
    ) -> bool {
        let (Some(now), Some(running)) = (&self.now, &self.running) else { return false };
        let weights = now.weights(search.events()).clone();
        let Ok(evaluator) = self.searcher.game.evaluator(&weights, search.root()) else {
            return false;
        };
        let (timeline, is_kept) = (now.clone(), self.is_far_ahead(search.events()));
        let recorder = Recorder::begin(&search, ms, &mut table);
        let running = Running { search, evaluator, ms, ..running.clone() };
        self.searcher.weights = weights;
        let before = self.running.replace(running).map(|running| Aside {
            timeline,
            running,
            table: mem::replace(&mut self.searcher.table, table),
            recorder: mem::replace(&mut self.recorder, recorder),
        });
        if is_kept {
            self.aside = before;
        }
        self.apply_edits();
        true
    }

    /// Returns to the state that was set aside, if it leads to `events` events of the same timeline, far from the present ones. A
    /// search that ended there leads no further.
    pub(super) fn return_from_aside(&mut self, events: u64) {
        let end = self.aside_events().unwrap_or(0);
        let base = self.aside.as_ref().map_or(0, |aside| aside.recorder.base());
        let ended = self.aside.as_ref().is_none_or(|aside| {
            let search = &aside.running.search;
            search.is_over() || search.stopped().is_some()
        });
        let is_before = events < base || events.min(end) < self.events() + FAR;
        if is_before || ended && events > end {
            return;
        }
        let (Some(aside), Some(now)) = (self.aside.take(), &self.now) else { return };
        self.searcher.weights = now.weights(end).clone();
        self.searcher.table = aside.table;
        (self.recorder, self.running) = (aside.recorder, Some(aside.running));
    }
}
