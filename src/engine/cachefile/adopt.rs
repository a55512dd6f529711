//! What a file holds, in the table of a searcher, if its values are right there.

use super::{CacheHeader, Convention, Format, Loaded};
use crate::engine::{
    game::{Fault, Game, Key, KeyScheme},
    memo::AnyMemo,
    searcher::Searcher,
};

impl CacheHeader {
    /// What the values in a searcher's table depend on.
    pub fn of<G: Game>(searcher: &Searcher<G>) -> Self {
        let mode = searcher.mode();
        let Searcher { game, settings, weights, .. } = searcher;
        let mut header = Self::new(game, settings.memo(), mode.scheme, weights);
        if mode.negate_black {
            header.convention = Convention::Seed;
        }
        header.fidelity = settings.fidelity;
        if mode.leaf_before_end {
            header.settings.insert("leaf".into(), "before the end of the game".into());
        }
        header
    }

    /// What a file states otherwise than it is in a searcher, in sentences. It may have another policy, which is put in force
    /// with it, and canonical keys for colour-normalised ones, which they are too.
    pub fn differences_to<G: Game>(&self, searcher: &Searcher<G>) -> Vec<String> {
        let mut here = Self { policy: self.policy, ..Self::of(searcher) };
        let normalised = |scheme| scheme != KeyScheme::Plain;
        if normalised(here.keys) && normalised(self.keys) {
            here.keys = self.keys;
        }
        self.differences(&here)
    }
}

impl<K: Key> Loaded<K> {
    /// Checks that the values of a native file are those that a search here would find (defects D9 and D11), and that there
    /// is room for them; says in which differences it is loaded all the same.
    ///
    /// # Errors
    /// Where they are not, or there is not.
    pub fn check<G: Game<Key = K>>(&self, searcher: &Searcher<G>) -> Result<Vec<String>, Fault> {
        let settings = &searcher.settings;
        let stated = self.header.as_ref();
        let differences = stated.map(|header| header.differences_to(searcher)).unwrap_or_default();
        if !differences.is_empty() && !settings.as_seed(settings.switches.stale) {
            return Err(Fault::new(format!("the file's values would be wrong here: {}", differences.join("; ")))
                .hint("set the weights, rules or settings of the file first; `search set stale=seed` loads it all the same"));
        }
        let mut probe = AnyMemo::<K>::new(self.policy);
        probe.entries_mut().set_room(settings.room());
        let (entries, limit) = (self.memo.entries().len(), probe.entries().limit());
        if entries > limit {
            return Err(Fault::new(format!(
                "the file has {entries} entries, and max_size={} leaves room for {limit}",
                settings.max_size
            ))
            .hint(format!("`search set max_size={entries}` or more, or max_size=off")));
        }
        Ok(differences
            .into_iter()
            .map(|difference| format!("kept although {difference}"))
            .collect())
    }

    /// Adds the entries to a searcher's table, which is of their policy; an empty one is replaced by the file's own. Says
    /// what a reader of a seed's file should know before searching with it, and how many others gave way.
    ///
    /// # Errors
    /// Entries that the table cannot hold.
    pub fn give_to<G: Game<Key = K>>(
        self,
        searcher: &mut Searcher<G>,
    ) -> Result<Vec<String>, Fault> {
        let mut notes = self.cautions(searcher);
        if searcher.memo.entries().is_empty() {
            searcher.memo = self.memo;
            searcher.settings.set_up(&mut searcher.memo);
            return Ok(notes);
        }
        let entries = searcher.memo.entries_mut();
        let before = entries.evictions();
        entries.reserve(self.memo.entries().len());
        for (at, entry) in self.entries() {
            entries.set(at, entry)?;
        }
        let evicted = entries.evictions() - before;
        if evicted > 0 {
            let most = searcher.settings.max_size;
            notes.push(format!("{evicted} entries gave way: the cache takes {most} at most"));
        }
        Ok(notes)
    }

    fn cautions<G: Game<Key = K>>(&self, searcher: &Searcher<G>) -> Vec<String> {
        let mut notes = Vec::new();
        let (game, scheme) = (&searcher.game, searcher.mode().scheme);
        if self.memo.entries().is_empty() {
            return notes;
        }
        let convention = CacheHeader::of(searcher).convention;
        if self.convention != convention {
            notes.push(format!(
                "searches here take values under the convention `{convention}`: those that were found for black will have the wrong sign (defect D2)"
            ));
        }
        if scheme == KeyScheme::Plain && self.format != Format::Native {
            notes.push("a seed's file has every position as white to move: with keys=plain the entries serve white only".into());
        }
        if scheme == KeyScheme::Canonical {
            let canonical =
                |key| game.decode(key).is_none_or(|position| game.key(&position, scheme) == key);
            let others = self.entries().filter(|(at, _)| !canonical(at.key)).count();
            if others > 0 {
                notes.push(format!(
                    "{others} entries stand under keys that searches with symmetry=on do not look under; they serve with symmetry=off"
                ));
            }
        }
        notes
    }
}
