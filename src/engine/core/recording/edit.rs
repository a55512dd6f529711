use std::sync::Arc;

use crate::engine::core::{
    game::{Keyed, Rules, Weights, Window},
    memo::{AnyMemo, Entry},
};

/// Something changed by hand in the middle of a search.
#[derive(Clone, Debug)]
pub enum Edit<G: Rules> {
    /// A cache entry was written, or removed.
    Entry(Keyed<G::Key>, Option<Entry>),
    /// The cache as a whole was changed: as it was afterwards.
    Cache(Arc<AnyMemo<G::Key>>),
    /// Other weights from here on.
    Weights(Weights),
    /// Another budget from here on.
    Budget(Option<u64>),
    /// Another window at the node at hand.
    Window(Window),
}

impl<G: Rules> Edit<G> {
    /// Memory for a cache that was kept, in bytes.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Cache(memo) => memo.entries().bytes(),
            _ => 0,
        }
    }

    /// What was changed, in words; `name` writes a key with its depth.
    pub fn words(&self, name: impl Fn(Keyed<G::Key>) -> String) -> String {
        match self {
            Self::Entry(at, Some(entry)) => {
                format!("entry {} = {}", name(*at), entry.value)
            }
            Self::Entry(at, None) => format!("entry {} removed", name(*at)),
            Self::Cache(memo) => format!("the cache, now of {} entries", memo.entries().len()),
            Self::Weights(weights) => format!("weights {weights}"),
            Self::Budget(Some(states)) => format!("budget {states}"),
            Self::Budget(None) => "budget off".into(),
            Self::Window(window) => format!("window {window}"),
        }
    }
}
