//! Edits by hand in the middle of a search: taken down when they are made, and made again when it is replayed.

use std::sync::Arc;

use super::{Edited, Recording, Stops};

use crate::engine::core::{
    game::{Keyed, SearchRules, Weights, Window},
    searcher::Searcher,
    table::{AnyTable, Edits, Entry},
};

/// Something changed by hand in the middle of a search.
#[derive(Clone, Debug)]
pub enum Edit<G: SearchRules> {
    /// A cache entry was written, or removed.
    Entry(Keyed<G::Key>, Option<Entry>),
    /// The cache as a whole was changed: as it was afterwards.
    Cache(Arc<AnyTable<G::Key>>),
    /// Other weights from here on.
    Weights(Weights),
    /// Another budget from here on.
    Budget(Option<u64>),
    /// Another window at the node at hand.
    Window(Window),
}

impl<G: SearchRules> Edit<G> {
    /// Memory for a cache that was kept, in bytes.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Cache(table) => table.entries().bytes(),
            _ => 0,
        }
    }
}

impl<G: SearchRules, D: Stops<G>> Recording<G, D> {
    pub(super) fn make_edits(&mut self) {
        let (Some(now), Some(running)) = (&self.now, &self.running) else {
            return;
        };
        let events = running.search.events();
        let here = now.edits.iter().filter(|edited| edited.after == events);
        for edited in here.cloned().collect::<Vec<_>>() {
            self.make_edit(edited.edit);
        }
        self.searcher.table.entries_mut().take_edits();
    }

    fn make_edit(&mut self, edit: Edit<G>) {
        let Some(running) = &mut self.running else {
            return;
        };
        let Searcher { game, table, .. } = &mut self.searcher;
        match edit {
            Edit::Entry(at, Some(entry)) => {
                // It was written once already: the policy can hold it.
                let _ = table.entries_mut().set(at, entry);
            }
            Edit::Entry(at, None) => {
                table.entries_mut().remove(at);
            }
            Edit::Cache(whole) => {
                table.entries_mut().clear();
                for (at, entry) in whole.entries().iter() {
                    let _ = table.entries_mut().set(at, entry);
                    if let Some(state) = whole.entries().state(at) {
                        table.entries_mut().set_state(at, state);
                    }
                }
            }
            Edit::Weights(weights) => {
                if let Ok(evaluator) = game.evaluator(&weights, running.search.root()) {
                    running.evaluator = evaluator;
                    self.searcher.weights = weights;
                }
            }
            Edit::Budget(budget) => running.search.set_budget(budget),
            Edit::Window(window) => running.search.set_window(window),
        }
    }

    /// Makes an edit by hand and takes it down.
    pub fn edit_search(&mut self, edit: Edit<G>) -> Option<String> {
        self.commit_edits();
        self.note_edit(edit.clone());
        self.make_edit(edit);
        self.notes.pop()
    }

    /// The cache has been edited by hand: what that means for the timeline at hand.
    pub fn edited_by_hand(&mut self) -> Option<String> {
        self.notes.clear();
        self.commit_edits();
        self.notes.pop()
    }

    /// The entries set by hand on the way here, the last ones: their keys, and after how many events each was set.
    fn edits_in_force(&self) -> Vec<(Keyed<G::Key>, u64, Entry)> {
        let here = self.events();
        let edits = self.now.iter().flat_map(|now| now.edits.iter().rev());
        let mut seen = Vec::new();
        let mut found = Vec::new();
        for Edited { after, edit, .. } in edits.filter(|edited| edited.after <= here) {
            match edit {
                Edit::Cache(_) => break,
                Edit::Entry(at, entry) if !seen.contains(at) => {
                    seen.push(*at);
                    found.extend(entry.map(|entry| (*at, *after, entry)));
                }
                _ => {}
            }
        }
        found
    }

    /// Of these, those that the table has as they were set.
    pub(super) fn edits_unchanged(&self) -> Vec<(Keyed<G::Key>, u64, Entry)> {
        let entries = self.searcher.table.entries();
        let mut standing = self.edits_in_force();
        standing.retain(|(at, _, entry)| entries.get(*at) == Some(*entry));
        standing
    }

    /// Notes which of the entries that stood has been written over since, but by hand.
    pub(super) fn note_overwritten(&mut self, stood: Vec<(Keyed<G::Key>, u64, Entry)>) {
        if stood.is_empty() {
            return;
        }
        let (now, entries) = (self.edits_in_force(), self.searcher.table.entries());
        let gone = stood.into_iter().filter(|edit| now.contains(edit));
        let gone = gone.filter(|(at, _, entry)| entries.get(*at) != Some(*entry));
        self.overwritten.extend(gone.map(|(at, after, _)| (at, after)));
    }

    /// Takes down what was edited by hand in the cache since the search stood still.
    pub fn commit_edits(&mut self) {
        if self.now.is_none() || self.running.is_none() {
            return;
        }
        match self.searcher.table.entries_mut().take_edits() {
            Edits::Each(edits) => {
                for (at, entry) in edits {
                    self.note_edit(Edit::Entry(at, entry));
                }
            }
            Edits::Whole if self.searcher.table.entries().bytes() <= self.budget() / 4 => {
                let table = self.searcher.table.clone().unrecorded();
                self.note_edit(Edit::Cache(Arc::new(table)));
            }
            Edits::Whole => {
                if let Some(running) = self.running.take() {
                    self.begin_timeline(&running);
                    self.running = Some(running);
                    self.notes.push("the whole cache was changed and is too large to remember: the recording begins here".into());
                }
            }
        }
    }

    /// Takes down an edit that has just been made. Unless the search is over, the timeline branches here.
    pub(super) fn note_edit(&mut self, edit: Edit<G>) {
        let (Some(now), Some(running)) = (&self.now, &self.running) else {
            return;
        };
        let events = running.search.events();
        let at_end = running.search.is_over() && now.reached == events;
        let branched = matches!(now.parent, Some((_, at)) if at == events && now.reached == events);
        if !at_end && !branched {
            let name = self.fresh_name();
            self.branch(name, events);
        }
        let id = self.next_edit;
        self.next_edit += 1;
        if let Some(now) = &mut self.now {
            now.edits.push(Edited { after: events, id, edit });
        }
    }
}
