//! A timeline: how a search began, and the edits of the user on the way.

use std::sync::Arc;

use super::Edit;

use crate::engine::core::{
    game::{SearchRules, Weights},
    search::Search,
    settings::Settings,
    table::AnyTable,
};

/// How a search began: everything that its events depend on.
#[derive(Debug)]
pub struct Origin<G: SearchRules> {
    /// The game, with the rules of this search.
    pub game: G,
    /// The weights at the start; edits may change them.
    pub weights: Weights,
    /// The settings with which the search began.
    pub settings: Settings,
    /// The search when the recording began.
    pub start: Search<G>,
    /// The table with which the search began; `None` if it was too large to keep, so that the search cannot be replayed.
    pub table: Option<Arc<AnyTable<G::Key>>>,
}

impl<G: SearchRules> Origin<G> {
    /// The memory of the saved table in bytes; 0 without one.
    pub fn bytes(&self) -> usize {
        self.table.as_ref().map_or(0, |table| table.entries().bytes())
    }
}

/// A run of a search with the user's edits. A position on a timeline is a number of events.
#[derive(Clone, Debug)]
pub struct Timeline<G: SearchRules> {
    /// The name, by default a number.
    pub name: String,
    /// The origin, shared with the timeline's branches.
    pub origin: Arc<Origin<G>>,
    /// The user's edits, in order of events.
    pub edits: Vec<Edited<G>>,
    /// The number of events at which the timeline was left.
    pub at: u64,
    /// The greatest number of events that the search has reached on the timeline.
    pub reached: u64,
    /// The iterations so far, see [`Search::iterations`].
    pub iterations: Vec<(u8, u64)>,
    /// The number of events at which time or an interrupt ended the search, if it was not continued.
    pub ended: Option<u64>,
    /// The timeline from which this one branched, and the number of events there; `None` if this one is no branch.
    pub parent: Option<(String, u64)>,
}

/// An edit and its position on the timeline.
#[derive(Clone, Debug)]
pub struct Edited<G: SearchRules> {
    /// The number of events before the edit.
    pub after: u64,
    /// The number of the edit, shared by all timelines that share the edit.
    pub id: u64,
    /// What the user changed.
    pub edit: Edit<G>,
}

impl<G: SearchRules> Timeline<G> {
    /// A timeline without edits, at its origin.
    pub fn new(name: String, origin: Origin<G>) -> Self {
        let begin = origin.start.events();
        Self {
            name,
            iterations: origin.start.iterations.clone(),
            origin: Arc::new(origin),
            edits: Vec::new(),
            at: begin,
            reached: begin,
            ended: None,
            parent: None,
        }
    }

    /// A new timeline that shares the first `events` events and their edits with this one.
    #[must_use]
    pub fn branch(&self, name: String, events: u64) -> Self {
        let edits = self.edits.iter().filter(|edited| edited.after <= events);
        let iterations = self.iterations.iter().filter(|(_, event)| *event < events);
        Self {
            name,
            origin: Arc::clone(&self.origin),
            edits: edits.cloned().collect(),
            at: events,
            reached: events,
            iterations: iterations.copied().collect(),
            ended: None,
            parent: Some((self.name.clone(), events)),
        }
    }

    /// The weights after `events` events, before any edit at that event.
    pub fn weights(&self, events: u64) -> &Weights {
        let before = self.edits.iter().filter(|edited| edited.after < events);
        let changed = before.filter_map(|edited| match &edited.edit {
            Edit::Weights(weights) => Some(weights),
            _ => None,
        });
        changed.last().unwrap_or(&self.origin.weights)
    }

    /// The number of events at the first edit after `events` events; `u64::MAX` without one.
    pub fn next_edit(&self, events: u64) -> u64 {
        let later = self.edits.iter().map(|edited| edited.after);
        later.filter(|&after| after > events).min().unwrap_or(u64::MAX)
    }

    /// The number of events up to which two timelines of one origin are the same, not counting edits at that event.
    pub fn shared(&self, other: &Self) -> u64 {
        let same = self.edits.iter().zip(&other.edits).take_while(|(a, b)| a.id == b.id).count();
        let next = [&self.edits, &other.edits].map(|edits| edits.get(same));
        let after = next.into_iter().flatten().map(|edited| edited.after);
        after.min().unwrap_or(u64::MAX)
    }

    /// Memory of saved tables in bytes.
    pub fn bytes(&self) -> usize {
        self.edits.iter().map(|edited| edited.edit.bytes()).sum::<usize>() + self.origin.bytes()
    }
}
