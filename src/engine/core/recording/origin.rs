use std::sync::{Arc, OnceLock};

use crate::engine::core::{
    game::{Key, Rules, Weights},
    memo::AnyMemo,
    search::Search,
    settings::Settings,
};

/// How a search began: everything that decides its course.
#[derive(Debug)]
pub struct Origin<G: Rules> {
    /// The game with its rules.
    pub game: G,
    /// The weights.
    pub weights: Weights,
    /// The settings.
    pub settings: Settings,
    /// The machine as recording found it.
    pub start: Search<G>,
    /// The cache then; not set while its own journal still leads back there.
    memo: OnceLock<Start<G::Key>>,
}

/// The cache at the beginning of a search.
#[derive(Clone, Debug)]
pub enum Start<K: Key> {
    /// Without entries.
    Empty,
    /// With these.
    Kept(Arc<AnyMemo<K>>),
    /// With entries that are gone: the search cannot be replayed.
    Lost,
}

impl<G: Rules> Origin<G> {
    /// The origin of a search that is about to be recorded.
    pub fn new(game: G, weights: Weights, settings: Settings, start: Search<G>) -> Self {
        Self { game, weights, settings, start, memo: OnceLock::new() }
    }

    /// The cache at the beginning, once it has been put down.
    pub fn memo(&self) -> Option<&Start<G::Key>> {
        self.memo.get()
    }

    /// Puts down the cache at the beginning; the first word stands.
    pub fn set_memo(&self, start: Start<G::Key>) {
        self.memo.get_or_init(|| start);
    }

    /// Memory for the cache that was kept, in bytes.
    pub fn bytes(&self) -> usize {
        match self.memo.get() {
            Some(Start::Kept(memo)) => memo.entries().bytes(),
            _ => 0,
        }
    }
}
