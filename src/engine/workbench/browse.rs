//! Looking through the cache: conditions over entries, orders and pages, counts and histograms.

use std::{cell::OnceCell, cmp::Reverse, collections::BinaryHeap};

use super::{Answer, Desk};
use crate::engine::{
    expression::{self, Condition, Facts, Type, Vocabulary},
    game::{Game, KeyScheme, Keyed, Score},
    memo::{Bound, Entry, Policy},
    reply::{Breakdown, CacheCleaned, CacheList, EntryReport, Histogram, ValueBucket},
};

/// Chooses entries; an entry must meet all that is given.
#[derive(Clone, Copy, Debug, Default)]
pub struct Filter<'a> {
    /// A position, or its name such as `here`: its entries at every depth and under every kind of key.
    pub position: Option<&'a str>,
    /// Conditions over the entry's fields and the numbers of its position, such as `depth>=3 and value<0`. A fault in one
    /// of them is `about` its index.
    pub conditions: &'a [&'a str],
}

/// The order of a list of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, strum::EnumString, strum::VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum Sort {
    /// The order of the table: oldest first.
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

/// A page of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Entries to skip.
    pub offset: usize,
    /// Entries to show at most.
    pub limit: usize,
}

impl Page {
    /// The first entries.
    pub const fn first(limit: usize) -> Self {
        Self { offset: 0, limit }
    }

    /// All of them.
    pub const ALL: Self = Self::first(usize::MAX);

    const fn end(self) -> usize {
        self.offset.saturating_add(self.limit)
    }
}

/// What a condition asks of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Depth,
    Value,
    Alpha,
    Beta,
    Uses,
    Bound,
    Key,
    State,
    /// One of the game's numbers, by its index in [`Game::facts`].
    Fact(usize),
}

/// A word that a name is compared with.
#[derive(Clone, Debug, PartialEq)]
enum EntryWord<P> {
    Bound(Bound),
    /// The beginning of the key.
    Prefix(String),
    State(Box<P>),
}

const NAMES: [(&str, Asked, Type); 8] = [
    ("depth", Asked::Depth, Type::Number),
    ("value", Asked::Value, Type::Number),
    ("alpha", Asked::Alpha, Type::Number),
    ("beta", Asked::Beta, Type::Number),
    ("uses", Asked::Uses, Type::Number),
    ("bound", Asked::Bound, Type::Word),
    ("key", Asked::Key, Type::Word),
    ("state", Asked::State, Type::Word),
];

impl Asked {
    /// Whether entries have it under this policy.
    fn is_kept(self, policy: Policy) -> bool {
        match self {
            Self::Depth | Self::Bound => policy != Policy::Rote,
            Self::Alpha | Self::Beta => policy == Policy::Interval,
            Self::Value | Self::Uses | Self::Key | Self::State | Self::Fact(_) => true,
        }
    }
}

/// The names that conditions may use, which depend on the game and the memo policy.
struct EntryNames<'a, G> {
    game: &'a G,
    policy: Policy,
}

impl<G: Game> Vocabulary for EntryNames<'_, G> {
    type Name = Asked;
    type Word = EntryWord<G::Position>;

    fn names(&self) -> Vec<&'static str> {
        let kept = NAMES.iter().filter(|(_, asked, _)| asked.is_kept(self.policy));
        kept.map(|(name, ..)| *name).chain(G::facts().iter().map(|fact| fact.name)).collect()
    }

    fn find(&self, text: &str) -> Option<(Asked, Type)> {
        let mut kept = NAMES.iter().filter(|(_, asked, _)| asked.is_kept(self.policy));
        if let Some((_, asked, of)) = kept.find(|(name, ..)| *name == text) {
            return Some((*asked, *of));
        }
        let fact = G::facts().iter().position(|fact| fact.name == text)?;
        Some((Asked::Fact(fact), Type::Number))
    }

    fn word(&self, name: Asked, text: &str) -> Answer<EntryWord<G::Position>> {
        Ok(match name {
            Asked::Bound => EntryWord::Bound(Bound::called(text)?),
            Asked::State => EntryWord::State(Box::new(self.game.parse_position(text)?)),
            _ => EntryWord::Prefix(text.to_owned()),
        })
    }

    fn cost(&self, name: Asked) -> u32 {
        match name {
            Asked::Depth | Asked::Value | Asked::Alpha | Asked::Beta | Asked::Bound => 1,
            Asked::Uses => 2,
            Asked::Fact(_) | Asked::State => 20,
            Asked::Key => 100,
        }
    }
}

/// An entry as conditions see it.
struct SeenEntry<'a, G: Game> {
    desk: &'a Desk<G>,
    /// Its index in the order of the table.
    place: usize,
    at: Keyed<G::Key>,
    entry: Entry,
    position: OnceCell<Option<G::Position>>,
}

impl<G: Game> SeenEntry<'_, G> {
    fn position(&self) -> Option<&G::Position> {
        self.position.get_or_init(|| self.desk.position_of(self.at)).as_ref()
    }

    fn uses(&self) -> Option<u32> {
        self.desk.entries().uses(self.place)
    }
}

impl<G: Game> Facts<Asked, EntryWord<G::Position>> for SeenEntry<'_, G> {
    #[inline]
    fn number(&self, name: Asked) -> Option<f64> {
        let score = match name {
            Asked::Depth => return self.entry.depth.map(f64::from),
            Asked::Uses => return self.uses().map(f64::from),
            Asked::Fact(place) => return Some((G::facts().get(place)?.of)(self.position()?)),
            Asked::Value => self.entry.value,
            Asked::Alpha => self.entry.window?.alpha,
            Asked::Beta => self.entry.window?.beta,
            Asked::Bound | Asked::Key | Asked::State => return None,
        };
        Some(score.get())
    }

    fn is(&self, _: Asked, word: &EntryWord<G::Position>) -> bool {
        match word {
            EntryWord::Bound(bound) => self.entry.bound == Some(*bound),
            EntryWord::Prefix(prefix) => self.desk.keyed_text(self.at).starts_with(prefix),
            EntryWord::State(state) => self.position() == Some(&**state),
        }
    }

    fn is_known(&self, name: Asked) -> bool {
        match name {
            Asked::Bound => self.entry.bound.is_some(),
            Asked::Key => true,
            Asked::State => self.position().is_some(),
            number => self.number(number).is_some(),
        }
    }
}

/// A filter, parsed.
struct Sieve<'a, G: Game> {
    desk: &'a Desk<G>,
    /// Every key under which the position asked for may be stored.
    keys: Option<[G::Key; 3]>,
    conditions: Vec<Condition<Asked, EntryWord<G::Position>>>,
}

impl<'a, G: Game> Sieve<'a, G> {
    fn new(desk: &'a Desk<G>, filter: &Filter<'_>) -> Answer<Self> {
        let names = EntryNames { game: desk.game(), policy: desk.settings().memo() };
        let conditions = filter.conditions.iter().enumerate().map(|(nth, text)| {
            expression::condition(text, &names).map_err(|fault| fault.about(&nth.to_string()))
        });
        let keys = |text| {
            let position = desk.position_called(text)?;
            let schemes = [KeyScheme::Plain, KeyScheme::Colour, KeyScheme::Canonical];
            Answer::Ok(schemes.map(|scheme| desk.game().key(&position, scheme)))
        };
        Ok(Self {
            desk,
            keys: filter.position.map(keys).transpose()?,
            conditions: conditions.collect::<Answer<_>>()?,
        })
    }

    fn passes_all(&self) -> bool {
        self.keys.is_none() && self.conditions.is_empty()
    }

    fn passes(&self, seen: &SeenEntry<'_, G>) -> bool {
        self.keys.as_ref().is_none_or(|keys| keys.contains(&seen.at.key))
            && self.conditions.iter().all(|condition| condition.holds(seen))
    }

    /// All entries in the order of the table, each with whether it passes.
    fn judged(&self) -> impl Iterator<Item = (SeenEntry<'a, G>, bool)> {
        self.desk.entries().iter().enumerate().map(|(place, (at, entry))| {
            let seen = SeenEntry { desk: self.desk, place, at, entry, position: OnceCell::new() };
            let passes = self.passes(&seen);
            (seen, passes)
        })
    }

    fn passing(&self) -> impl Iterator<Item = SeenEntry<'a, G>> {
        self.judged().filter_map(|(seen, passes)| passes.then_some(seen))
    }

    /// Sorts the entries that pass by a key, equal ones in the order of the table, and gives the indices of those on the
    /// page and the number that pass. Memory grows with the end of the page only.
    fn page<K: Ord>(
        &self,
        page: Page,
        key: impl Fn(&SeenEntry<'_, G>) -> K,
    ) -> (Vec<usize>, usize) {
        let mut first = BinaryHeap::new();
        let mut matching = 0;
        for seen in self.passing() {
            matching += 1;
            first.push((key(&seen), seen.place));
            if first.len() > page.end() {
                first.pop();
            }
        }
        let shown = first.into_sorted_vec().into_iter().skip(page.offset);
        (shown.map(|(_, place)| place).collect(), matching)
    }
}

/// A number that orders scores as they are ordered; zeros of either sign are equal.
const fn rank(score: Score) -> i64 {
    let bits = (score.get() + 0.0).to_bits().cast_signed();
    if bits < 0 { i64::MIN - bits } else { bits }
}

/// Looking through the cache: lists, counts, histograms.
pub trait Browsing {
    /// Entries that pass a filter.
    fn cache_list(&self, filter: &Filter<'_>, sort: Sort, page: Page) -> Answer<CacheList>;
    /// Counts the entries that pass a filter by depth, by bound and by value, the values in so many buckets.
    fn cache_histogram(&self, filter: &Filter<'_>, buckets: usize) -> Answer<Histogram>;
    /// Removes the entries that pass a filter.
    fn cache_remove_where(&mut self, filter: &Filter<'_>) -> Answer<CacheCleaned>;
    /// The names that conditions over entries may use under any policy.
    fn filter_names(&self) -> Vec<&'static str>;
}

impl<G: Game> Browsing for Desk<G> {
    fn cache_list(&self, filter: &Filter<'_>, sort: Sort, page: Page) -> Answer<CacheList> {
        let sieve = Sieve::new(self, filter)?;
        let entries = self.entries();
        let (places, matching) = match sort {
            Sort::Table if sieve.passes_all() => {
                let end = page.end().min(entries.len());
                ((page.offset.min(end)..end).collect(), entries.len())
            }
            Sort::Table => sieve.page(page, |_| ()),
            Sort::Key => sieve.page(page, |seen| seen.at),
            Sort::Depth => sieve.page(page, |seen| Reverse(seen.entry.depth)),
            Sort::Value => sieve.page(page, |seen| Reverse(rank(seen.entry.value))),
            Sort::Uses => sieve.page(page, |seen| Reverse(seen.uses())),
        };
        let report = |place: usize| {
            let entry = self.report_entry(entries.nth(place)?);
            Some(EntryReport { uses: entries.uses(place), ..entry })
        };
        Ok(CacheList {
            entries: places.into_iter().filter_map(report).collect(),
            offset: page.offset,
            matching,
            total: entries.len(),
        })
    }

    fn cache_histogram(&self, filter: &Filter<'_>, buckets: usize) -> Answer<Histogram> {
        let entries = self.entries();
        let places: Vec<_> =
            Sieve::new(self, filter)?.passing().map(|seen| seen.place as u32).collect();
        let found = places.iter().filter_map(|&place| entries.nth(place as usize));
        Ok(Histogram {
            matching: places.len(),
            total: entries.len(),
            held: Breakdown::of(found.clone().map(|(_, entry)| entry)),
            by_value: value_buckets(&found.map(|(_, entry)| entry.value), buckets),
        })
    }

    fn cache_remove_where(&mut self, filter: &Filter<'_>) -> Answer<CacheCleaned> {
        let before = self.entries().len();
        let judged: Vec<_> = Sieve::new(self, filter)?.judged().map(|(_, passes)| passes).collect();
        let mut judged = judged.into_iter();
        self.entries_mut().retain(&mut |_, _| !judged.next().unwrap_or(false));
        let entries = self.entries().len();
        Ok(CacheCleaned { removed: before - entries, entries, steps: Vec::new() })
    }

    fn filter_names(&self) -> Vec<&'static str> {
        let own = NAMES.iter().map(|(name, ..)| *name);
        own.chain(G::facts().iter().map(|fact| fact.name)).collect()
    }
}

/// Counts values in `count` ranges of equal width; infinite values get buckets of their own.
fn value_buckets(values: &(impl Iterator<Item = Score> + Clone), count: usize) -> Vec<ValueBucket> {
    let finite = values.clone().map(Score::get).filter(|value| value.is_finite());
    let (low, high) =
        finite.clone().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
    let count = if low < high { count.max(1) } else { 1 };
    let width = (high - low) / count as f64;
    let mut counts = vec![0; count];
    for value in finite {
        counts[whole(((value - low) / width).floor()).min(count - 1)] += 1;
    }
    let edge =
        |nth: usize| Score::from_finite(if nth == count { high } else { low + width * nth as f64 });
    let ranges = counts.into_iter().enumerate().filter(|_| low <= high);
    let ranges =
        ranges.map(|(nth, entries)| ValueBucket { from: edge(nth), to: edge(nth + 1), entries });
    let infinite = |end: Score| {
        let entries = values.clone().filter(|value| *value == end).count();
        (entries > 0).then_some(ValueBucket { from: end, to: end, entries })
    };
    let (below, above) = (infinite(Score::NEG_INFINITY), infinite(Score::INFINITY));
    below.into_iter().chain(ranges).chain(above).collect()
}

/// Rounds a number that is not negative.
#[expect(clippy::cast_sign_loss, reason = "what is below 0 counts as 0")]
fn whole(number: f64) -> usize {
    number.round() as usize
}
