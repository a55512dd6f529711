//! Cache entries as session files have them.

use super::{Answer, Desk, keys::depth_of};
use crate::engine::{
    game::{Fault, Game, KeyScheme, Keyed, Window},
    memo::{AnyMemo, Bound, Entry, Policy},
    session::SavedEntry,
    settings::Settings,
};

/// Writes and reads the entries of one policy.
#[derive(Debug)]
pub(super) struct Scribe<'a, G> {
    game: &'a G,
    policy: Policy,
    scheme: KeyScheme,
}

impl<'a, G: Game> Scribe<'a, G> {
    /// For the cache of searches with these settings.
    pub fn new(game: &'a G, settings: &Settings) -> Self {
        Self { game, policy: settings.memo, scheme: settings.mode().scheme }
    }

    /// The key with its depth, where the policy has one.
    pub fn name(&self, at: Keyed<G::Key>) -> String {
        let key = self.game.format_key(at.key);
        if self.policy.keys_depth() { format!("{key}:{}", at.depth) } else { key }
    }

    pub fn entry(&self, at: Keyed<G::Key>, entry: &Entry) -> SavedEntry {
        SavedEntry {
            key: self.name(at),
            value: entry.value,
            window: entry.window.map(|window| (window.alpha, window.beta)),
            bound: entry.bound.zip(entry.depth).filter(|_| self.policy == Policy::Bound),
            state: None,
        }
    }

    /// All entries of a memo in their order.
    pub fn all(&self, memo: &AnyMemo<G::Key>) -> Vec<SavedEntry> {
        let entries = memo.entries().iter();
        let saved = |(at, entry)| SavedEntry {
            state: self.written_for(memo, at),
            ..self.entry(at, &entry)
        };
        entries.map(saved).collect()
    }

    /// The position an entry was written for, where its key does not tell.
    fn written_for(&self, memo: &AnyMemo<G::Key>, at: Keyed<G::Key>) -> Option<String> {
        let state = memo.entries().state(at)?;
        let untold = self.game.decode(at.key).is_none();
        let position = self.game.unpack(&state).filter(|_| untold)?;
        Some(self.game.format_position(&position))
    }

    /// Says for which position a saved entry was written.
    fn tell(
        &self,
        memo: &mut AnyMemo<G::Key>,
        saved: &SavedEntry,
        at: Keyed<G::Key>,
    ) -> Answer<()> {
        let told = saved.state.as_ref();
        let told = told.map(|text| self.game.parse_position(text)).transpose()?;
        let position = told.or_else(|| self.game.decode(at.key));
        let state = position.and_then(|position| self.game.pack(&position, self.scheme));
        if let Some(state) = state {
            memo.entries_mut().set_state(at, state);
        }
        Ok(())
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
                .and_then(|(at, entry)| {
                    memo.entries_mut().set(at, entry)?;
                    self.tell(memo, saved, at)
                })
                .map_err(|fault| fault.within(format!("cache entry {}", saved.key)))?;
        }
        Ok(())
    }
}

impl<G: Game> Desk<G> {
    /// Writes and reads the entries of the cache at hand.
    pub(super) fn scribe(&self) -> Scribe<'_, G> {
        Scribe::new(&self.run.searcher.game, &self.run.searcher.settings)
    }
}
