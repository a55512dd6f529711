//! Cache entries as text, for session files.

use super::document::SavedEntry;

use crate::engine::{
    game::{Fault, Game, KeyScheme, Keyed, Result, Window},
    settings::Settings,
    table::{AnyTable, Entry, Field, FieldSource, Policy},
};

#[derive(Debug)]
pub(super) struct EntryText<'a, G> {
    game: &'a G,
    policy: Policy,
    scheme: KeyScheme,
}

impl<'a, G: Game> EntryText<'a, G> {
    pub fn new(game: &'a G, settings: &Settings) -> Self {
        Self { game, policy: settings.memo(), scheme: settings.mode().scheme }
    }

    pub fn name(&self, at: Keyed<G::Key>) -> String {
        key_text(self.game, self.policy, at)
    }

    pub fn entry(&self, at: Keyed<G::Key>, entry: &Entry) -> SavedEntry {
        SavedEntry {
            key: self.name(at),
            value: entry.value,
            window: entry.window.map(|window| (window.alpha, window.beta)),
            bound: entry
                .bound
                .zip(entry.depth)
                .filter(|_| self.policy.source(Field::Bound) == Some(FieldSource::Record)),
            best: entry.best,
            state: None,
        }
    }

    /// All entries of a table as text, oldest first.
    pub fn all(&self, table: &AnyTable<G::Key>) -> Vec<SavedEntry> {
        let saved = |(at, entry)| SavedEntry {
            state: self.stored_position(table, at),
            ..self.entry(at, &entry)
        };
        table.entries().iter().map(saved).collect()
    }

    /// The stored position of an entry, unless it can be decoded from the key.
    fn stored_position(&self, table: &AnyTable<G::Key>, at: Keyed<G::Key>) -> Option<String> {
        let state = table.entries().state(at)?;
        if self.game.decode(at.key).is_some() {
            return None;
        }
        Some(self.game.format_position(&self.game.unpack(&state)?))
    }

    /// Reads a key, which must end in `:DEPTH` if the memo policy keeps one entry per depth.
    pub fn place(&self, text: &str) -> Result<Keyed<G::Key>> {
        let (body, depth) = split_depth(text)?;
        let key = self.game.parse_key(body.trim())?;
        match depth {
            _ if !self.policy.keys_depth() => Ok(Keyed { key, depth: 0 }),
            Some(depth) => Ok(Keyed { key, depth }),
            None => Err(Fault::new("the key has no depth").hint("write KEY:DEPTH")),
        }
    }

    pub fn read(&self, saved: &SavedEntry) -> Result<(Keyed<G::Key>, Entry)> {
        let at = self.place(&saved.key)?;
        let (bound, depth) = saved.bound.unzip();
        let window = saved.window.map(|(alpha, beta)| Window { alpha, beta });
        let entry = Entry { value: saved.value, window, bound, depth, best: saved.best };
        Ok((at, self.policy.complete(&entry, at.depth)?))
    }

    /// Stores saved entries in a table. A fault names the entry.
    pub fn fill(&self, table: &mut AnyTable<G::Key>, entries: &[SavedEntry]) -> Result<()> {
        for saved in entries {
            self.put(table, saved)
                .map_err(|fault| fault.within(format!("cache entry {}", saved.key)))?;
        }
        Ok(())
    }

    fn put(&self, table: &mut AnyTable<G::Key>, saved: &SavedEntry) -> Result<()> {
        let (at, entry) = self.read(saved)?;
        table.entries_mut().set(at, entry)?;
        let position = match &saved.state {
            Some(text) => Some(self.game.parse_position(text)?),
            None => self.game.decode(at.key),
        };
        if let Some(state) = position.and_then(|found| self.game.pack(&found, self.scheme)) {
            table.entries_mut().set_state(at, state);
        }
        Ok(())
    }
}

/// A key as text; ends in `:DEPTH` if the memo policy keeps one entry per depth.
pub(super) fn key_text<G: Game>(game: &G, policy: Policy, at: Keyed<G::Key>) -> String {
    let key = game.format_key(at.key);
    if policy.keys_depth() { format!("{key}:{}", at.depth) } else { key }
}

pub(super) fn split_depth(text: &str) -> Result<(&str, Option<u8>)> {
    let Some((body, depth)) = text.rsplit_once(':') else {
        return Ok((text, None));
    };
    let depth = depth.trim().parse().map_err(|_| {
        Fault::word(depth, "is not a depth")
            .hint("the depth after `:` is a whole number from 0 to 255")
            .at(body.len() + 1..text.len())
    })?;
    Ok((body.trim_end(), Some(depth)))
}
