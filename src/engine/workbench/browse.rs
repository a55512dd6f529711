//! Looking through the cache: filters, orders, pages, counts.

use std::{cell::OnceCell, cmp::Ordering, collections::BTreeMap};

use super::{
    Answer, Desk,
    entryfilter::{self, EntryCondition, SeenEntry},
    top::Top,
};
use crate::engine::{
    game::{Game, KeyScheme, Keyed, Score},
    memo::{Bound, Entry},
    reply::{CacheCleaned, CacheCount, CacheList, Census, EntryReport},
};

/// Which entries; all that is given must hold.
#[derive(Clone, Copy, Debug, Default)]
pub struct Filter<'a> {
    /// Remaining depth.
    pub depth: Option<u8>,
    /// `exact`, `lower` or `upper`.
    pub bound: Option<&'a str>,
    /// How the key begins.
    pub prefix: Option<&'a str>,
    /// A position, or `here`: its entries at every depth, under every key it may have.
    pub position: Option<&'a str>,
    /// A condition over the entry's fields and the numbers of its position, such as `depth>=3 and value<0`.
    pub condition: Option<&'a str>,
}

/// In which order to list them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Sort {
    /// As they stand in the table: as they were first stored.
    #[default]
    Table,
    /// By key.
    Key,
    /// Deepest first.
    Depth,
    /// Highest value first.
    Value,
    /// Most used first.
    Uses,
}

impl Sort {
    /// The orders by name.
    pub const NAMES: [&'static str; 5] = ["table", "key", "depth", "value", "uses"];

    /// An order by its name.
    pub fn called(name: &str) -> Option<Self> {
        let orders = [Self::Table, Self::Key, Self::Depth, Self::Value, Self::Uses];
        Self::NAMES.iter().position(|known| *known == name).map(|place| orders[place])
    }
}

/// Which of the entries that match are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// So many are passed over.
    pub offset: usize,
    /// So many are shown at most.
    pub limit: usize,
}

impl Page {
    /// The first ones.
    pub const fn first(limit: usize) -> Self {
        Self { offset: 0, limit }
    }

    /// All of them.
    pub const ALL: Self = Self::first(usize::MAX);

    const fn end(self) -> usize {
        self.offset.saturating_add(self.limit)
    }
}

/// A filter read and ready for many entries.
pub(super) struct Sieve<'a, G: Game> {
    desk: &'a Desk<G>,
    filter: Filter<'a>,
    bound: Option<Bound>,
    keys: Option<Vec<G::Key>>,
    condition: Option<EntryCondition<G>>,
}

impl<G: Game> Sieve<'_, G> {
    fn passes_all(&self) -> bool {
        let Filter { depth, bound, prefix, position, condition } = self.filter;
        (depth, bound, prefix, position, condition) == (None, None, None, None, None)
    }

    pub(super) fn passes(&self, place: usize, at: Keyed<G::Key>, entry: &Entry) -> bool {
        let text = |at| self.desk.keyed_text(at);
        let find = |at| self.desk.position_of(at);
        let seen = || SeenEntry::<G> {
            find: &find,
            at,
            entry,
            uses: self.desk.run.searcher.memo.entries().uses(place),
            text: &text,
            position: OnceCell::new(),
        };
        self.filter.depth.is_none_or(|depth| entry.depth == Some(depth))
            && self.bound.is_none_or(|bound| entry.bound == Some(bound))
            && self.keys.as_ref().is_none_or(|keys| keys.contains(&at.key))
            && self.condition.as_ref().is_none_or(|condition| condition.holds(&seen()))
            && self.filter.prefix.is_none_or(|prefix| text(at).starts_with(prefix))
    }
}

/// Highest first.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Descending(Score);

impl Eq for Descending {}

impl PartialOrd for Descending {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Descending {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.order(self.0)
    }
}

impl<G: Game> Desk<G> {
    pub(super) fn sieve<'a>(&'a self, filter: &Filter<'a>) -> Answer<Sieve<'a, G>> {
        let policy = self.run.searcher.settings.memo;
        let read = |text| {
            entryfilter::read(&self.run.searcher.game, policy, text)
                .map_err(|fault| fault.about("where"))
        };
        Ok(Sieve {
            desk: self,
            filter: *filter,
            bound: filter.bound.map(Bound::called).transpose()?,
            keys: filter.position.map(|text| self.keys_of(text)).transpose()?,
            condition: filter.condition.map(read).transpose()?,
        })
    }

    /// Every key a position may be stored under.
    fn keys_of(&self, text: &str) -> Answer<Vec<G::Key>> {
        let position = self.position_called(text)?;
        let schemes = [KeyScheme::Plain, KeyScheme::Colour, KeyScheme::Canonical];
        Ok(schemes.map(|scheme| self.run.searcher.game.key(&position, scheme)).to_vec())
    }

    pub(super) fn list_entries(
        &self,
        filter: &Filter<'_>,
        sort: Sort,
        page: Page,
    ) -> Answer<CacheList> {
        let sieve = self.sieve(filter)?;
        let (places, matching) = match sort {
            Sort::Table => self.in_order(&sieve, page),
            Sort::Key => self.sorted(&sieve, page, |_, at, _| at),
            Sort::Depth => self.sorted(&sieve, page, |_, _, entry| std::cmp::Reverse(entry.depth)),
            Sort::Value => self.sorted(&sieve, page, |_, _, entry| Descending(entry.value)),
            Sort::Uses => self.sorted(&sieve, page, |place, _, _| {
                std::cmp::Reverse(self.run.searcher.memo.entries().uses(place))
            }),
        };
        let entries = self.run.searcher.memo.entries();
        let report = |place: u32| {
            let stored = entries.nth(place as usize)?;
            Some(EntryReport { uses: entries.uses(place as usize), ..self.report_entry(stored) })
        };
        Ok(CacheList {
            entries: places.into_iter().filter_map(report).collect(),
            offset: page.offset,
            matching,
            total: entries.len(),
        })
    }

    /// The places of a page in the cache's own order, and how many entries match.
    fn in_order(&self, sieve: &Sieve<'_, G>, page: Page) -> (Vec<u32>, usize) {
        let entries = self.run.searcher.memo.entries();
        if sieve.passes_all() {
            let end = page.end().min(entries.len());
            let places = page.offset.min(end)..end;
            return (places.map(|place| place as u32).collect(), entries.len());
        }
        let mut places = Vec::new();
        let mut matching = 0;
        for (place, (at, entry)) in entries.iter().enumerate() {
            if sieve.passes(place, at, &entry) {
                if (page.offset..page.end()).contains(&matching) {
                    places.push(place as u32);
                }
                matching += 1;
            }
        }
        (places, matching)
    }

    /// As [`Self::in_order`], by a key of the entries.
    fn sorted<K: Ord + Copy>(
        &self,
        sieve: &Sieve<'_, G>,
        page: Page,
        key: impl Fn(usize, Keyed<G::Key>, &Entry) -> K,
    ) -> (Vec<u32>, usize) {
        let entries = self.run.searcher.memo.entries();
        let all = sieve.passes_all();
        let mut top = Top::new(page.end().min(entries.len()));
        let mut matching = 0;
        for (place, (at, entry)) in entries.iter().enumerate() {
            if all || sieve.passes(place, at, &entry) {
                matching += 1;
                top.offer(key(place, at, &entry), place as u32);
            }
        }
        (top.page(page.offset), matching)
    }

    pub(super) fn count_entries(&self, filter: &Filter<'_>) -> Answer<CacheCount> {
        let sieve = self.sieve(filter)?;
        let (_, matching) = self.in_order(&sieve, Page::first(0));
        Ok(CacheCount { matching, total: self.run.searcher.memo.entries().len() })
    }

    /// Removes the entries that pass a filter.
    pub(super) fn remove_entries(&mut self, filter: &Filter<'_>) -> Answer<CacheCleaned> {
        let sieve = self.sieve(filter)?;
        let before = self.run.searcher.memo.entries().len();
        let entries = self.run.searcher.memo.entries().iter().enumerate();
        let marked: Vec<_> =
            entries.map(|(place, (at, entry))| sieve.passes(place, at, &entry)).collect();
        let mut marks = marked.into_iter();
        self.run.searcher.memo.entries_mut().retain(&mut |_, _| !marks.next().unwrap_or(false));
        let entries = self.run.searcher.memo.entries().len();
        Ok(CacheCleaned { removed: before - entries, entries, steps: Vec::new() })
    }

    /// The names that conditions may use.
    pub(super) fn filter_names() -> Vec<&'static str> {
        entryfilter::names::<G>()
    }
}

/// Entries by depth and by bound, where they have these.
#[derive(Default)]
pub(super) struct Counts {
    pub by_depth: BTreeMap<u8, usize>,
    pub by_bound: BTreeMap<&'static str, usize>,
}

impl Counts {
    pub fn see(&mut self, entry: &Entry) {
        if let Some(depth) = entry.depth {
            *self.by_depth.entry(depth).or_default() += 1;
        }
        if let Some(bound) = entry.bound {
            *self.by_bound.entry(bound.name()).or_default() += 1;
        }
    }
}

pub(super) fn census<T: Ord + ToString>(counts: BTreeMap<T, usize>) -> Vec<Census> {
    counts.into_iter().map(|(of, entries)| Census { of: of.to_string(), entries }).collect()
}
