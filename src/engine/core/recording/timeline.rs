use std::sync::Arc;

use super::{Edit, Origin};
use crate::engine::core::game::{Rules, Weights};

/// A run of a search, with what was changed on its way.
#[derive(Clone, Debug)]
pub struct Timeline<G: Rules> {
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
    /// After how many events it ran out of time or was interrupted, where it did not go on.
    pub ended: Option<u64>,
    /// The timeline it branched off, and after how many events.
    pub parent: Option<(String, u64)>,
}

/// An edit and when it was made.
#[derive(Clone, Debug)]
pub struct Edited<G: Rules> {
    /// After so many events.
    pub after: u64,
    /// Its number, by which timelines that share it know it.
    pub id: u64,
    /// What was changed.
    pub edit: Edit<G>,
}

impl<G: Rules> Timeline<G> {
    /// A timeline at its origin.
    pub fn new(name: String, origin: Origin<G>) -> Self {
        let begin = origin.start.events();
        Self {
            name,
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
        let shared = self.edits.iter().filter(|edited| edited.after <= events);
        Self {
            name,
            origin: Arc::clone(&self.origin),
            edits: shared.cloned().collect(),
            at: events,
            reached: events,
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

    /// The edits made after exactly so many events.
    pub fn edits_at(&self, events: u64) -> impl Iterator<Item = &Edit<G>> {
        let then = self.edits.iter().filter(move |edited| edited.after == events);
        then.map(|edited| &edited.edit)
    }

    /// After how many events the first edit later than this was made; never, if there is none.
    pub fn next_edit(&self, events: u64) -> u64 {
        let later = self.edits.iter().map(|edited| edited.after);
        later.filter(|&after| after > events).min().unwrap_or(u64::MAX)
    }

    /// Up to how many events two timelines of one origin are the same, edits made just then left out.
    pub fn shared(&self, other: &Self) -> u64 {
        let pairs = self.edits.iter().zip(&other.edits);
        let same = pairs.take_while(|(a, b)| a.id == b.id).count();
        let next = [&self.edits, &other.edits].map(|edits| edits.get(same));
        let after = next.into_iter().flatten().map(|edited| edited.after);
        after.min().unwrap_or(u64::MAX)
    }

    /// Memory for caches that were kept, in bytes.
    pub fn bytes(&self) -> usize {
        let edits = self.edits.iter().map(|edited| edited.edit.bytes());
        edits.sum::<usize>() + self.origin.bytes()
    }
}
