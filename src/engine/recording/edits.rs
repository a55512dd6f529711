//! Edits by the user during a search: recorded when they are made, and applied again when the search is replayed.

use std::sync::Arc;

use super::{Edited, Recording, StopConditions};

use crate::engine::{
    core::{
        game::{Keyed, SearchRules, Weights, Window},
        table::{AnyTable, Edits, Entry},
    },
    searcher::Searcher,
};

/// A change by the user during a search.
#[derive(Clone, Debug)]
pub enum Edit<G: SearchRules> {
    /// An entry was set, or removed (`None`).
    Entry(Keyed<G::Key>, Option<Entry>),
    /// The table as a whole was changed: its entries afterwards.
    Table(Arc<AnyTable<G::Key>>),
    /// The weights were changed to these.
    Weights(Weights),
    /// The budget was changed to this number of nodes; `None`: no limit.
    Budget(Option<u64>),
    /// The window of the current node was changed to this one.
    Window(Window),
}

impl<G: SearchRules> Edit<G> {
    /// The memory of a saved table in bytes; 0 for other edits.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Table(table) => table.entries().bytes(),
            _ => 0,
        }
    }
}

impl<G: SearchRules, D: StopConditions<G>> Recording<G, D> {
    /// Applies the edits that the timeline has at the current event.
    pub(super) fn apply_edits(&mut self) {
        let (Some(now), Some(running)) = (&self.now, &self.running) else {
            return;
        };
        let events = running.search.events();
        let here = now.edits.iter().filter(|edited| edited.after == events);
        for edited in here.cloned().collect::<Vec<_>>() {
            self.apply_edit(edited.edit);
        }
        self.searcher.table.entries_mut().take_edits();
    }

    fn apply_edit(&mut self, edit: Edit<G>) {
        let Some(running) = &mut self.running else {
            return;
        };
        let Searcher { game, table, .. } = &mut self.searcher;
        match edit {
            Edit::Entry(at, Some(entry)) => {
                // The entry was in the table before, so it has the fields of the policy.
                let _ = table.entries_mut().set(at, entry);
            }
            Edit::Entry(at, None) => {
                table.entries_mut().remove(at);
            }
            Edit::Table(edited) => {
                table.entries_mut().clear();
                for (at, entry) in edited.entries().iter() {
                    let _ = table.entries_mut().set(at, entry);
                    if let Some(state) = edited.entries().state(at) {
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

    /// Applies an edit and adds it to the timeline; returns a note for the user if the timeline branches.
    pub fn edit_search(&mut self, edit: Edit<G>) -> Option<String> {
        self.commit_edits();
        self.note_edit(edit.clone());
        self.apply_edit(edit);
        self.notes.pop()
    }

    /// Adds the user's edits of the table to the timeline; returns a note if the timeline branches.
    pub fn note_table_edits(&mut self) -> Option<String> {
        self.notes.clear();
        self.commit_edits();
        self.notes.pop()
    }

    /// The user's last edit of each entry up to the current event: the key, and the number of events when the entry was set.
    pub fn edits_in_force(&self) -> Vec<(Keyed<G::Key>, u64, Entry)> {
        let here = self.events();
        let edits = self.now.iter().flat_map(|now| now.edits.iter().rev());
        let (mut seen, mut last) = (Vec::new(), Vec::new());
        for Edited { after, edit, .. } in edits.filter(|edited| edited.after <= here) {
            match edit {
                Edit::Table(_) => break,
                Edit::Entry(at, entry) if !seen.contains(at) => {
                    seen.push(*at);
                    last.extend(entry.map(|entry| (*at, *after, entry)));
                }
                _ => {}
            }
        }
        last
    }

    /// The edits in force whose entries are still unchanged in the table.
    pub(super) fn edits_unchanged(&self) -> Vec<(Keyed<G::Key>, u64, Entry)> {
        let entries = self.searcher.table.entries();
        let mut unchanged = self.edits_in_force();
        unchanged.retain(|(at, _, entry)| entries.get(*at) == Some(*entry));
        unchanged
    }

    /// Notes which of these edits the search has overwritten.
    pub(super) fn note_overwritten(&mut self, unchanged: Vec<(Keyed<G::Key>, u64, Entry)>) {
        if unchanged.is_empty() {
            return;
        }
        let (now, entries) = (self.edits_in_force(), self.searcher.table.entries());
        let overwritten = unchanged.into_iter().filter(|edit| {
            let (at, _, entry) = edit;
            now.contains(edit) && entries.get(*at) != Some(*entry)
        });
        self.overwritten.extend(overwritten.map(|(at, after, _)| (at, after)));
    }

    /// Adds to the timeline the user's edits of the table since the search stopped.
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
            Edits::Table if self.searcher.table.entries().bytes() <= self.budget() / 4 => {
                let table = self.searcher.table.clone().without_journal();
                self.note_edit(Edit::Table(Arc::new(table)));
            }
            Edits::Table => {
                if let Some(running) = self.running.take() {
                    self.begin_timeline(&running);
                    self.running = Some(running);
                    self.notes.push("the whole cache was changed and is too large to save: the recording begins here".into());
                }
            }
        }
    }

    /// Adds an edit to the timeline. The timeline branches, unless the search is over.
    pub(super) fn note_edit(&mut self, edit: Edit<G>) {
        let (Some(now), Some(running)) = (&self.now, &self.running) else {
            return;
        };
        let events = running.search.events();
        let at_end = running.search.is_over() && now.reached == events;
        let has_branched =
            matches!(now.parent, Some((_, at)) if at == events && now.reached == events);
        if !at_end && !has_branched {
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
