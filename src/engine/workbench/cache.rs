use std::path::Path;

use super::{
    Answer, Desk, Filter, Page, Pair, Sort,
    browse::{Counts, census},
    cacheedit::EntryPlace,
};
use crate::engine::{
    cachefile::{Convention, Format},
    game::{Fault, Game, Keyed, Rules},
    memo::{Bound, CleanStep, Entry, clean},
    reply::{
        CacheCleaned, CacheCount, CacheEdit, CacheFile, CacheList, CacheStats, EntryReport,
        Histogram, KeyReport, MemoComparison,
    },
};

pub(super) type Stored<G> = (Keyed<<G as Rules>::Key>, Entry);

impl<G: Game> Desk<G> {
    /// The position of an entry: what its key stands for, or else what it was written for.
    pub(super) fn position_of(&self, at: Keyed<G::Key>) -> Option<G::Position> {
        self.run.searcher.memo.position(&self.run.searcher.game, at)
    }

    /// Whether an entry is not known to have been written for another position.
    pub(super) fn may_answer(&self, at: Keyed<G::Key>, position: &G::Position) -> bool {
        let told = self.run.searcher.memo.entries().state(at);
        let pack =
            || self.run.searcher.game.pack(position, self.run.searcher.settings.mode().scheme);
        let other = told.is_some_and(|told| pack().is_some_and(|state| told.contradicts(&state)));
        !other
    }

    pub(super) fn report_entry(&self, (at, entry): Stored<G>) -> EntryReport {
        EntryReport {
            key: self.keyed_text(at),
            state: self
                .position_of(at)
                .map(|position| self.run.searcher.game.format_position(&position)),
            depth: entry.depth,
            value: entry.value,
            alpha: entry.window.map(|window| window.alpha),
            beta: entry.window.map(|window| window.beta),
            bound: entry.bound.map(Bound::name),
            uses: None,
        }
    }
}

/// The cache by key.
pub trait Caching {
    /// The cache in numbers.
    fn cache_stats(&self) -> CacheStats;
    /// Entries that pass a filter.
    fn cache_list(&self, filter: &Filter<'_>, sort: Sort, page: Page) -> Answer<CacheList>;
    /// How many entries pass a filter.
    fn cache_count(&self, filter: &Filter<'_>) -> Answer<CacheCount>;
    /// The entries that pass a filter by depth, by bound and by value in so many buckets.
    fn cache_histogram(&self, filter: &Filter<'_>, buckets: usize) -> Answer<Histogram>;
    /// Removes the entries that pass a filter.
    fn cache_remove_where(&mut self, filter: &Filter<'_>) -> Answer<CacheCleaned>;
    /// The names that conditions over entries may use.
    fn filter_names(&self) -> Vec<&'static str>;
    /// One entry.
    fn cache_get(&self, key: &str) -> Answer<CacheEdit>;
    /// Writes an entry: the fields given, the others as they were.
    fn cache_set(&mut self, key: &str, fields: &[Pair<'_>]) -> Answer<CacheEdit>;
    /// Removes an entry.
    fn cache_remove(&mut self, key: &str) -> Answer<CacheEdit>;
    /// Removes every entry.
    fn cache_clear(&mut self) -> CacheCleaned;
    /// Makes the cache fit its size.
    fn cache_clean(&mut self, max_size: Option<usize>) -> CacheCleaned;
    /// A key, or the position's, taken apart.
    fn key(&self, text: Option<&str>) -> Answer<KeyReport>;
    /// Writes the cache to a file.
    fn cache_save(
        &self,
        path: &Path,
        format: Option<Format>,
        convention: Option<Convention>,
    ) -> Answer<CacheFile>;
    /// Adds the entries of a file to the cache.
    fn cache_load(
        &mut self,
        path: &Path,
        format: Option<Format>,
        convention: Option<Convention>,
    ) -> Answer<CacheFile>;
    /// Searches positions, or the one at hand, under every memo policy in both fidelities. A fault is about the number of
    /// the position, from 0, that cannot be read.
    fn compare_memos(&self, states: &[&str], depth: u8) -> Answer<MemoComparison>;
    /// Keys for completion: those in the cache that begin so.
    fn complete_keys(&self, prefix: &str, limit: usize) -> Vec<String>;
}

impl<G: Game> Caching for Desk<G> {
    fn cache_stats(&self) -> CacheStats {
        let entries = self.run.searcher.memo.entries();
        let mut counts = Counts::default();
        entries.iter().for_each(|(_, entry)| counts.see(&entry));
        let count = entries.len();
        CacheStats {
            policy: entries.policy().name().into(),
            entries: count,
            bytes: entries.bytes(),
            bytes_per_entry: (count > 0).then(|| entries.bytes() as f64 / count as f64),
            max_size: Some(entries.target()).filter(|&most| most < usize::MAX),
            size: self.run.searcher.settings.max_size.to_string(),
            replace: self.run.searcher.settings.replace().name(),
            evictions: self.run.counters.evictions,
            collisions: self.run.searcher.settings.verify.then_some(self.run.counters.collisions),
            hits: self.run.counters.hits,
            invalid: self.run.counters.invalid,
            misses: self.run.counters.misses,
            stores: self.run.counters.stores,
            by_depth: census(counts.by_depth),
            by_bound: census(counts.by_bound),
            keys: self.run.searcher.settings.mode().scheme.into(),
            weights: self.run.searcher.weights.to_string(),
        }
    }

    fn cache_list(&self, filter: &Filter<'_>, sort: Sort, page: Page) -> Answer<CacheList> {
        self.list_entries(filter, sort, page)
    }

    fn cache_count(&self, filter: &Filter<'_>) -> Answer<CacheCount> {
        self.count_entries(filter)
    }

    fn cache_histogram(&self, filter: &Filter<'_>, buckets: usize) -> Answer<Histogram> {
        self.histogram_of(filter, buckets)
    }

    fn cache_remove_where(&mut self, filter: &Filter<'_>) -> Answer<CacheCleaned> {
        self.remove_entries(filter)
    }

    fn filter_names(&self) -> Vec<&'static str> {
        Self::filter_names()
    }

    fn cache_get(&self, key: &str) -> Answer<CacheEdit> {
        let place = self.placed(key)?;
        let mut report = self.report_edit(&place, None, Vec::new());
        if report.entry.is_some() && self.wanted(key)?.key != place.at.key {
            let shared = self.keyed_text(place.at);
            report.notes.push(format!("stored for its symmetric twins together, under {shared}"));
        }
        Ok(report)
    }

    fn cache_set(&mut self, key: &str, fields: &[Pair<'_>]) -> Answer<CacheEdit> {
        let wanted = self.wanted(key)?;
        if self.run.searcher.settings.memo.keys_depth()
            && wanted.depth.is_none()
            && self.depths_of(wanted.key).len() != 1
        {
            return Err(Fault::new(format!("`{key}` does not say which depth"))
                .hint(format!("write {key}:3 for the entry of depth 3")));
        }
        let place = self.placed(key)?;
        let entry = self.changed_entry(&place, fields)?;
        let previous = self.run.searcher.memo.entries_mut().set(place.at, entry)?;
        let mut notes = self.edit_notes(place.at, &entry);
        notes.extend(self.run.edited_by_hand());
        Ok(self.report_edit(&EntryPlace { others: Vec::new(), ..place }, previous, notes))
    }

    fn cache_remove(&mut self, key: &str) -> Answer<CacheEdit> {
        let place = self.placed(key)?;
        let Some(previous) = self.run.searcher.memo.entries_mut().remove(place.at) else {
            let fault = Fault::new(format!("no entry {}", self.keyed_text(place.at)));
            return Err(match place.others.as_slice() {
                [] => fault,
                others => fault.hint(format!("stored are {}", others.join(", "))),
            });
        };
        let notes = self.run.edited_by_hand().into_iter().collect();
        Ok(self.report_edit(&place, Some(previous), notes))
    }

    fn cache_clear(&mut self) -> CacheCleaned {
        let removed = self.run.searcher.memo.entries().len();
        self.run.searcher.memo.entries_mut().clear();
        CacheCleaned { removed, entries: 0, steps: Vec::new() }
    }

    fn cache_clean(&mut self, max_size: Option<usize>) -> CacheCleaned {
        let seed = self.run.searcher.settings.as_seed(self.run.searcher.settings.switches.clean);
        let max_size = max_size.unwrap_or(self.run.searcher.memo.entries().target());
        let before = self.run.searcher.memo.entries().len();
        let steps = clean(self.run.searcher.memo.entries_mut(), max_size, seed);
        let words = |step: &CleanStep| step.words(seed);
        let entries = self.run.searcher.memo.entries().len();
        CacheCleaned {
            removed: before - entries,
            entries,
            steps: steps.iter().map(words).collect(),
        }
    }

    fn key(&self, text: Option<&str>) -> Answer<KeyReport> {
        self.report_key(text)
    }

    fn cache_save(
        &self,
        path: &Path,
        format: Option<Format>,
        convention: Option<Convention>,
    ) -> Answer<CacheFile> {
        self.save_cache_file(path, format, convention)
    }

    fn cache_load(
        &mut self,
        path: &Path,
        format: Option<Format>,
        convention: Option<Convention>,
    ) -> Answer<CacheFile> {
        self.load_cache_file(path, format, convention)
    }

    fn compare_memos(&self, states: &[&str], depth: u8) -> Answer<MemoComparison> {
        self.memos_compared(states, depth)
    }

    fn complete_keys(&self, prefix: &str, limit: usize) -> Vec<String> {
        /// Completion must not be felt, however large the cache.
        const LOOKED_AT: usize = 100_000;
        let keys = self
            .run
            .searcher
            .memo
            .entries()
            .iter()
            .take(LOOKED_AT)
            .map(|(at, _)| self.keyed_text(at));
        keys.filter(|key| key.starts_with(prefix)).take(limit).collect()
    }
}

impl CleanStep {
    pub(super) fn words(&self, seed: bool) -> String {
        let Self { depth, deleted, left } = self;
        if seed {
            format!(
                "Increased min_limit to {depth} and deleted {deleted} entries. Cache is now {left} entries big."
            )
        } else {
            format!("{deleted} entries of depth {depth} went, {left} are left")
        }
    }
}
