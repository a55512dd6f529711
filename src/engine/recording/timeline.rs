//! A course of a search: how it began, and the edits made on its way.

use std::sync::{Arc, OnceLock};

use super::Edit;

use crate::engine::core::{
    game::{Key, SearchRules, Weights},
    search::Search,
    settings::Settings,
    table::AnyTable,
};

/// How a search began: everything that decides its course.
#[derive(Debug)]
pub struct Origin<G: SearchRules> {
    /// The game with its rules.
    pub game: G,
    /// The weights.
    pub weights: Weights,
    /// The settings.
    pub settings: Settings,
    /// The machine as recording found it.
    pub start: Search<G>,
    /// The cache then; not set while its own journal still leads back there.
    table: OnceLock<Start<G::Key>>,
}

/// The cache at the beginning of a search.
#[derive(Clone, Debug)]
pub enum Start<K: Key> {
    /// Without entries.
    Empty,
    /// With these.
    Kept(Arc<AnyTable<K>>),
    /// With entries that are gone: the search cannot be replayed.
    Lost,
}

impl<G: SearchRules> Origin<G> {
    /// The origin of a search that is about to be recorded.
    pub fn new(game: G, weights: Weights, settings: Settings, start: Search<G>) -> Self {
        Self { game, weights, settings, start, table: OnceLock::new() }
    }

    /// The cache at the beginning, once it has been put down.
    pub fn memo(&self) -> Option<&Start<G::Key>> {
        self.table.get()
    }

    /// Puts down the cache at the beginning; the first word stands.
    pub fn set_table(&self, start: Start<G::Key>) {
        self.table.get_or_init(|| start);
    }

    /// Memory for the cache that was kept, in bytes.
    pub fn bytes(&self) -> usize {
        match self.table.get() {
            Some(Start::Kept(table)) => table.entries().bytes(),
            _ => 0,
        }
    }
}

/// A run of a search, with what was changed on its way.
#[derive(Clone, Debug)]
pub struct Timeline<G: SearchRules> {
    /// Its name.
    pub name: String,
    /// How it began; shared with the timelines that branch off.
    pub origin: Arc<Origin<G>>,
    /// Edits in order.
    pub edits: Vec<Edited<G>>,
    /// Where it stood when it was left: after so many events.
    pub at: u64,
    /// The farthest it went.
    pub reached: u64,
    /// Its iterations as far as it went, see [`Search::iterations`].
    pub iterations: Vec<(u8, u64)>,
    /// After how many events it ran out of time or was interrupted, where it did not go on.
    pub ended: Option<u64>,
    /// The timeline it branched off, and after how many events.
    pub parent: Option<(String, u64)>,
}

/// An edit and when it was made.
#[derive(Clone, Debug)]
pub struct Edited<G: SearchRules> {
    /// After so many events.
    pub after: u64,
    /// Its number, by which timelines that share it know it.
    pub id: u64,
    /// What was changed.
    pub edit: Edit<G>,
}

impl<G: SearchRules> Timeline<G> {
    /// A timeline at its origin.
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

    /// Another timeline that is the same up to here and then goes its own way.
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

    /// The weights in force after so many events, edits made just then left out.
    pub fn weights(&self, events: u64) -> &Weights {
        let before = self.edits.iter().filter(|edited| edited.after < events);
        let changed = before.filter_map(|edited| match &edited.edit {
            Edit::Weights(weights) => Some(weights),
            _ => None,
        });
        changed.last().unwrap_or(&self.origin.weights)
    }

    /// After how many events the first edit later than this was made; never, if there is none.
    pub fn next_edit(&self, events: u64) -> u64 {
        let later = self.edits.iter().map(|edited| edited.after);
        later.filter(|&after| after > events).min().unwrap_or(u64::MAX)
    }

    /// Up to how many events two timelines of one origin are the same, edits made just then left out.
    pub fn shared(&self, other: &Self) -> u64 {
        let same = self.edits.iter().zip(&other.edits).take_while(|(a, b)| a.id == b.id).count();
        let next = [&self.edits, &other.edits].map(|edits| edits.get(same));
        let after = next.into_iter().flatten().map(|edited| edited.after);
        after.min().unwrap_or(u64::MAX)
    }

    /// Memory for caches that were kept, in bytes.
    pub fn bytes(&self) -> usize {
        self.edits.iter().map(|edited| edited.edit.bytes()).sum::<usize>() + self.origin.bytes()
    }
}
