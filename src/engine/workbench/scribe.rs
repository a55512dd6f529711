//! Cache entries as session files have them.

use super::{Answer, Desk, keys::depth_of, saving::named};
use crate::engine::{
    game::{Fault, Game, Keyed, Window},
    memo::{AnyMemo, Bound, Entry, Policy},
    session::SavedEntry,
};

/// Writes and reads the entries of one policy.
#[derive(Debug)]
pub(super) struct Scribe<'a, G> {
    game: &'a G,
    policy: Policy,
}

impl<'a, G: Game> Scribe<'a, G> {
    pub const fn new(game: &'a G, policy: Policy) -> Self {
        Self { game, policy }
    }

    /// The key with its depth, where the policy has one.
    pub fn name(&self, at: Keyed<G::Key>) -> String {
        let key = self.game.format_key(at.key);
        if self.policy.keys_depth() {
            format!("{key}:{}", at.depth)
        } else {
            key
        }
    }

    pub fn entry(&self, at: Keyed<G::Key>, entry: &Entry) -> SavedEntry {
        SavedEntry {
            key: self.name(at),
            value: entry.value,
            window: entry.window.map(|window| (window.alpha, window.beta)),
            bound: entry
                .bound
                .zip(entry.depth)
                .filter(|_| self.policy == Policy::Bound),
        }
    }

    /// All entries of a memo in their order.
    pub fn all(&self, memo: &AnyMemo<G::Key>) -> Vec<SavedEntry> {
        let entries = memo.entries().iter();
        entries.map(|(at, entry)| self.entry(at, &entry)).collect()
    }

    /// Reads where an entry stands.
    pub fn place(&self, text: &str) -> Answer<Keyed<G::Key>> {
        let (body, depth) = match text.rsplit_once(':') {
            Some((body, depth)) => (body, Some(depth_of(depth, body.len() + 1)?)),
            None => (text, None),
        };
        let key = self.game.parse_key(body.trim())?;
        if self.policy.keys_depth() && depth.is_none() {
            return Err(Fault::new("the key has no depth").hint("write KEY:DEPTH"));
        }
        let depth = depth.filter(|_| self.policy.keys_depth()).unwrap_or(0);
        Ok(Keyed { key, depth })
    }

    pub fn read(&self, saved: &SavedEntry) -> Answer<(Keyed<G::Key>, Entry)> {
        let at = self.place(&saved.key)?;
        let bound = if self.policy == Policy::Exact {
            Some(Bound::Exact)
        } else {
            saved.bound.map(|(bound, _)| bound)
        };
        let keyed = self.policy.keys_depth().then_some(at.depth);
        let entry = Entry {
            value: saved.value,
            window: saved.window.map(|(alpha, beta)| Window { alpha, beta }),
            bound,
            depth: saved.bound.map(|(_, depth)| depth).or(keyed),
        };
        Ok((at, entry))
    }

    /// Puts saved entries into a memo; names the first one that does not fit.
    pub fn fill(&self, memo: &mut AnyMemo<G::Key>, entries: &[SavedEntry]) -> Answer<()> {
        for saved in entries {
            self.read(saved)
                .and_then(|(at, entry)| memo.entries_mut().set(at, entry))
                .map_err(|fault| named(&format!("cache entry {}", saved.key), fault))?;
        }
        Ok(())
    }
}

impl<G: Game> Desk<G> {
    /// Writes and reads the entries of the cache at hand.
    pub(super) fn scribe(&self) -> Scribe<'_, G> {
        Scribe::new(&self.game, self.settings.memo)
    }
}
