//! Replies about the cache and its entries.

use std::{collections::BTreeMap, ops::AddAssign};

use serde::Serialize;

use crate::{
    engine::{
        explain::Provenance,
        game::{MoveText, Score, Truth, Window},
        search::Counters,
        session::{reply::Reply, timelines},
        table::Entry,
    },
    text::{
        TextTable, beside, count, counted, flow, headline, layout, lines, number, or_empty, words,
    },
};

/// Counters of probes and stores, and the size of the cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CacheCounters {
    /// Probes whose entry replaced the search.
    pub hits: u64,
    /// Probes whose entry did not suffice, by its depth or its bound.
    pub invalid: u64,
    /// Probes without an entry.
    pub misses: u64,
    /// Values stored.
    pub stores: u64,
    /// Entries in the cache at the end.
    pub entries: usize,
}

impl CacheCounters {
    pub(crate) fn new(counters: &Counters, entries: usize) -> Self {
        let Counters { hits, invalid, misses, stores, .. } = *counters;
        Self { hits, invalid, misses, stores, entries }
    }

    pub(crate) fn probes(&self) -> u64 {
        self.hits + self.invalid + self.misses
    }

    fn phrases(&self) -> [String; 4] {
        let share = number::percent(self.hits, self.probes());
        let share = or_empty(share.map(|share| format!(" ({share})")));
        [
            format!("hits {}{share}", count(self.hits)),
            format!("invalid {}", count(self.invalid)),
            format!("misses {}", count(self.misses)),
            format!("stores {}", count(self.stores)),
        ]
    }

    /// The counters in a line; empty if there was no cache.
    pub(in crate::engine::session) fn text(&self) -> String {
        if *self == Self::default() {
            return String::new();
        }
        let entries = format!("entries {}", count(self.entries as u64));
        flow("cache ", self.phrases().into_iter().chain([entries]))
    }
}

impl AddAssign for CacheCounters {
    fn add_assign(&mut self, other: Self) {
        self.hits += other.hits;
        self.invalid += other.invalid;
        self.misses += other.misses;
        self.stores += other.stores;
        self.entries += other.entries;
    }
}

/// A cache entry.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EntryReport {
    /// The key, followed by the depth if the policy keeps one entry per depth.
    pub key: String,
    /// The position of the key.
    pub state: Option<String>,
    /// Remaining depth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u8>,
    /// The value, for the side to move in `state`.
    pub value: Score,
    /// The window of the search that stored the entry.
    #[serde(flatten)]
    pub window: Option<Window>,
    /// `exact`, `lower` or `upper`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<&'static str>,
    /// The true value of the position, and whether the entry contradicts it.
    #[serde(flatten)]
    pub truth: Option<Truth>,
    /// The moves that match the stored hash move; empty without one, or if the position is not known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub best: Vec<MoveText>,
    /// With `uses=on`: the number of probes that used the entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uses: Option<u32>,
}

impl EntryReport {
    /// The entry in words, without the key: value, best move, uses.
    pub fn details(&self) -> String {
        let best = (!self.best.is_empty()).then(|| format!("best {}", words(&self.best)));
        let uses = self.uses.map(|uses| format!("used {}", counted(uses.into(), "time", "times")));
        flow("", [Some(self.brief()), best, uses].into_iter().flatten())
    }

    /// The entry in a few words, without the key.
    pub(in crate::engine::session) fn brief(&self) -> String {
        let bound = or_empty(self.bound.map(|bound| format!(" {bound}")));
        let window = self.window.map(|window| {
            let [alpha, beta] = number::window(window, number::score);
            format!(" for [{alpha}, {beta}]")
        });
        let depth = self.depth.filter(|_| !self.key.contains(':'));
        let depth = or_empty(depth.map(|depth| format!(" at depth {depth}")));
        format!("{}{bound}{}{depth}", number::score(self.value), or_empty(window))
    }
}

/// An entry that was read or changed.
#[derive(Clone, Debug, Serialize)]
pub struct CacheEdit {
    /// The key, whether an entry is stored there or not.
    pub key: String,
    /// The current entry.
    pub entry: Option<EntryReport>,
    /// The entry before a change.
    pub previous: Option<EntryReport>,
    /// The board of the position.
    #[serde(skip)]
    pub board: Option<String>,
    /// Remarks, such as that symmetry led to another key.
    pub notes: Vec<String>,
    /// If no entry is stored: the keys of this position's entries at other depths.
    pub other_keys: Vec<String>,
    /// With `--writer`: the event of the recorded search that wrote the entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub writer: Option<Provenance>,
}

impl CacheEdit {
    /// The event that wrote the entry, in words, if it is known.
    pub fn written(&self) -> Option<String> {
        self.writer.as_ref().map(timelines::writer)
    }

    /// The position of the entry: stored with it, or the position of the node that wrote it.
    pub fn state(&self) -> Option<&str> {
        let kept = self.entry.as_ref().or(self.previous.as_ref())?.state.as_deref();
        kept.or(self.writer.as_ref().map(|writer| writer.state.as_str()))
    }
}

impl Reply for CacheEdit {
    fn text(&self) -> String {
        let (title, entry, before) = match (&self.entry, &self.previous) {
            (None, None) => return absent(self),
            (None, Some(previous)) => ("  removed", previous, None),
            (Some(entry), None) => ("", entry, None),
            (Some(entry), Some(previous)) if entry == previous => ("  unchanged", entry, None),
            (Some(entry), Some(previous)) => ("  changed", entry, Some(previous)),
        };
        let mut details = vec![format!("key    {}{title}", entry.key)];
        details.extend(entry.state.clone());
        details.extend(fields(entry, before));
        let board = self.board.as_deref().unwrap_or_default();
        lines([beside(board, details), or_empty(self.written()), layout::notes(&self.notes)])
    }

    fn line(&self) -> String {
        match (&self.entry, &self.previous) {
            (Some(now), Some(before)) => {
                format!("{} {}, was {}", now.key, now.brief(), before.brief())
            }
            (Some(now), None) => format!("{} {}", now.key, now.brief()),
            (None, Some(before)) => format!("{} removed, was {}", before.key, before.brief()),
            (None, None) => "there is no such entry".to_owned(),
        }
    }
}

/// A page of entries.
#[derive(Clone, Debug, Serialize)]
pub struct CacheList {
    /// The entries of this page.
    pub entries: Vec<EntryReport>,
    /// The number of matching entries before this page.
    pub offset: usize,
    /// How many entries match.
    pub matching: usize,
    /// How many entries the cache has.
    pub total: usize,
}

impl Reply for CacheList {
    fn text(&self) -> String {
        if self.total == 0 {
            return "the cache is empty".to_owned();
        }
        let words = |number: usize| count(number as u64);
        let (offset, shown, total) = (self.offset, self.entries.len(), words(self.total));
        let from = (offset > 0 && shown > 0).then(|| format!("{} to ", words(offset + 1)));
        let range = or_empty(from) + &words(if shown > 0 { offset + shown } else { 0 });
        let footer = match self.matching {
            matching if matching == self.total => format!("{range} of {}", entries(self.total)),
            0 => format!("no entries match, {total} in all"),
            matching => format!("{range} of {} that match, {total} in all", words(matching)),
        };
        lines([entry_table(&self.entries), footer])
    }

    fn line(&self) -> String {
        let [matching, total] = [self.matching, self.total].map(|number| count(number as u64));
        format!("{matching} of {total} entries match")
    }
}

/// Entries counted by depth, bound and value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Histogram {
    /// How many entries match.
    pub matching: usize,
    /// How many entries the cache has.
    pub total: usize,
    /// The matching entries by depth and by bound.
    #[serde(flatten)]
    pub breakdown: Breakdown,
    /// The matching entries by value, in ascending ranges of equal width; infinite values have their own.
    pub by_value: Vec<ValueBucket>,
}

impl Reply for Histogram {
    fn text(&self) -> String {
        let range = |from: Score, to: Score| match (number::score(from), to) {
            (single, to) if from == to => single,
            (from, to) => format!("{from} to {}", number::score(to)),
        };
        let census =
            |bucket: &ValueBucket| Census::of(&range(bucket.from, bucket.to), bucket.entries);
        let values: Vec<_> = self.by_value.iter().map(census).collect();
        lines([
            format!("{} of {} match", count(self.matching as u64), entries(self.total)),
            self.breakdown.text(self.matching),
            census_table("value", &values, self.matching),
        ])
    }
}

/// The entries with a value in a range.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValueBucket {
    /// The lower end.
    pub from: Score,
    /// The upper end, exclusive unless this is the last range.
    pub to: Score,
    /// How many entries.
    pub entries: usize,
}

/// How many entries have a depth, a bound, or a value in a range.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Census {
    /// The depth, the bound or the range.
    pub of: String,
    /// How many entries.
    pub entries: usize,
}

impl Census {
    fn of(value: &impl ToString, entries: usize) -> Self {
        Self { of: value.to_string(), entries }
    }
}

/// Entries counted by depth and by bound. Entries of a policy without these are not counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Breakdown {
    /// Counts by remaining depth.
    pub by_depth: Vec<Census>,
    /// Counts by bound.
    pub by_bound: Vec<Census>,
}

impl Breakdown {
    pub(crate) fn of(entries: impl Iterator<Item = Entry>) -> Self {
        let (mut depths, mut bounds) = (BTreeMap::new(), BTreeMap::new());
        for entry in entries {
            if let Some(depth) = entry.depth {
                *depths.entry(depth).or_default() += 1;
            }
            if let Some(bound) = entry.bound {
                *bounds.entry(bound.name()).or_default() += 1;
            }
        }
        let depths = depths.into_iter().map(|(depth, count)| Census::of(&depth, count));
        let bounds = bounds.into_iter().map(|(bound, count)| Census::of(&bound, count));
        Self { by_depth: depths.collect(), by_bound: bounds.collect() }
    }

    fn text(&self, total: usize) -> String {
        let depths = census_table("depth", &self.by_depth, total);
        beside(&depths, census_table("bound", &self.by_bound, total).lines())
    }
}

/// The cache in numbers.
#[derive(Clone, Debug, Serialize)]
pub struct CacheStats {
    pub(crate) policy: String,
    /// The probes and stores of the last search, and the entries.
    #[serde(flatten)]
    pub cache: CacheCounters,
    /// Memory in bytes.
    pub bytes: usize,
    /// Bytes per entry; `None` if the cache is empty.
    pub bytes_per_entry: Option<f64>,
    /// The most entries; `None` if there is no limit.
    pub max_size: Option<usize>,
    /// The setting behind `max_size`: entries, bytes with their unit, or `off`.
    pub(crate) size: String,
    /// The replacement strategy: `depth`, `use` or `clean`.
    pub(crate) replace: &'static str,
    /// Entries replaced in the last search.
    pub evictions: u64,
    /// With `verify=on`: probes in the last search whose entry belongs to another position with the same key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collisions: Option<u64>,
    /// Entries by depth and by bound.
    #[serde(flatten)]
    pub breakdown: Breakdown,
    /// Which positions share a key: `plain`, `colour` or `canonical`.
    pub(crate) keys: &'static str,
    pub(crate) weights: String,
}

impl Reply for CacheStats {
    fn text(&self) -> String {
        let size = [
            format!("memo {}", self.policy),
            entries(self.cache.entries),
            number::bytes(self.bytes as u64),
            or_empty(self.bytes_per_entry.map(|each| format!("({each:.1} bytes an entry)"))),
        ];
        let settings = [
            // A number of entries is printed with groups of three digits; `16MB` and `off` as they are.
            format!("max_size {}", self.size.parse().map_or_else(|_| self.size.clone(), count)),
            format!("keys {}", self.keys),
            format!("weights {}", self.weights),
        ];
        let evictions = format!("evictions {} by {}", count(self.evictions), self.replace);
        let evictions = (self.evictions > 0).then_some(evictions);
        let collisions = self.collisions.map(|number| format!("collisions {}", count(number)));
        let probes = self.cache.phrases().into_iter().chain(evictions).chain(collisions);
        lines([
            headline(size),
            headline(settings),
            flow("last search: ", probes),
            self.breakdown.text(self.cache.entries),
        ])
    }
}

/// A key and its position.
#[derive(Clone, Debug, Serialize)]
pub struct KeyReport {
    /// The key.
    pub key: String,
    /// The least key of the symmetric positions.
    pub canonical: String,
    pub(crate) state: Option<String>,
    #[serde(skip)]
    pub(crate) board: Option<String>,
}

impl Reply for KeyReport {
    fn text(&self) -> String {
        let canonical = if self.canonical == self.key { "the same" } else { &self.canonical };
        let keys = [format!("key        {}", self.key), format!("canonical  {canonical}")];
        let board = self.board.as_deref().unwrap_or_default();
        beside(board, keys.into_iter().chain(self.state.clone()))
    }

    fn line(&self) -> String {
        format!("key {}", self.key)
    }
}

/// Entries removed from the cache.
#[derive(Clone, Debug, Serialize)]
pub struct CacheCleaned {
    /// Entries removed.
    pub removed: usize,
    /// Entries left.
    pub entries: usize,
    /// The steps of `cache clean`, in the words of seed 000 in seed fidelity.
    pub steps: Vec<String>,
    /// Remarks, such as on a new timeline.
    pub(crate) notes: Vec<String>,
}

impl Reply for CacheCleaned {
    fn text(&self) -> String {
        let removed =
            format!("{} removed, {} left", entries(self.removed), count(self.entries as u64));
        let steps = self.steps.iter().map(|step| layout::wrap("  ", step));
        lines([lines(steps), removed, layout::notes(&self.notes)])
    }
}

pub(in crate::engine::session) fn entries(number: usize) -> String {
    counted(number as u64, "entry", "entries")
}

/// A table of counts with their shares of all entries as bars.
fn census_table(of: &str, census: &[Census], total: usize) -> String {
    const BAR: usize = 10;
    let entries = |line: &&Census| line.entries as u64;
    let table = match of {
        "depth" => TextTable::of(census).right(of, |line| line.of.clone()),
        _ => TextTable::of(census).left(of, |line| line.of.clone()),
    };
    let table = table
        .right("entries", |line| count(entries(line)))
        .right("share", |line| number::percent(entries(line), total as u64).unwrap_or_default())
        .left("", |line| "▪".repeat((line.entries * BAR).div_ceil(total.max(1))));
    table.render()
}

/// A table of entries. Columns that are empty in every row are left out.
pub(in crate::engine::session) fn entry_table(entries: &[EntryReport]) -> String {
    let relation = |bound: &str| match number::bound(bound) {
        "" => "=",
        relation => relation,
    };
    let score = |score: Option<Score>| or_empty(score.map(number::score));
    TextTable::of(entries)
        .left("key", |entry| entry.key.clone())
        .right("depth", |entry| or_empty(entry.depth.filter(|_| !entry.key.contains(':'))))
        .right("", |entry| entry.bound.map_or("", relation))
        .point("value", |entry| number::score(entry.value))
        .point("α", |entry| score(entry.window.map(|window| window.alpha)))
        .point("β", |entry| score(entry.window.map(|window| window.beta)))
        .left("truth", |entry| or_empty(entry.truth))
        .left("best", |entry| words(&entry.best))
        .right("uses", |entry| or_empty(entry.uses.map(|uses| count(uses.into()))))
        .left("position", |entry| or_empty(entry.state.as_ref()))
        .render()
}

fn absent(report: &CacheEdit) -> String {
    let others = flow("stored for this position: ", &report.other_keys);
    lines([format!("{}  absent", report.key), others, layout::notes(&report.notes)])
}

/// The fields of an entry, each changed one followed by its old value.
fn fields(entry: &EntryReport, before: Option<&EntryReport>) -> Vec<String> {
    let score = |score: Option<Score>| score.map(number::exact);
    let values = |entry: &EntryReport| {
        [
            score(Some(entry.value)),
            score(entry.window.map(|window| window.alpha)),
            score(entry.window.map(|window| window.beta)),
            entry.bound.map(str::to_owned),
            entry.depth.map(|depth| depth.to_string()),
            (!entry.best.is_empty()).then(|| words(&entry.best)),
            entry.truth.map(|truth| truth.to_string()),
        ]
    };
    let names = ["value", "alpha", "beta ", "bound", "depth", "best ", "truth"];
    let mut details = Vec::new();
    for ((name, now), was) in
        names.into_iter().zip(values(entry)).zip(values(before.unwrap_or(entry)))
    {
        let changed = was.filter(|was| now.as_ref() != Some(was));
        details.extend(now.map(|now| format!("{name}  {now}")));
        details.extend(changed.map(|was| format!("  was  {was}")));
    }
    details
}
