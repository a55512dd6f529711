//! Replies of the `cache` commands, with their text and JSON.

use std::{collections::BTreeMap, ops::AddAssign};

use serde::Serialize;

use crate::{
    engine::{
        explain::Provenance,
        game::{MoveText, Score, Side, Truth, Window},
        search::Counters,
        session::{reply::Reply, timelines},
        table::Entry,
    },
    text::{
        TextTable, beside, count, counted, flow, headline, layout, lines, number, or_empty, words,
    },
};

/// Counters of cache probes and stores, and the number of entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CacheCounters {
    /// Number of probes whose entry replaced the search of the node.
    pub hits: u64,
    /// Number of probes whose entry did not suffice, because of its depth or bound.
    pub invalid: u64,
    /// Of the probes in `invalid`, those whose entry narrowed or widened the window; the others supplied at most a hash move.
    pub changed_window: u64,
    /// Number of probes that found no entry.
    pub misses: u64,
    /// Number of values stored.
    pub stores: u64,
    /// Number of entries in the cache at the end of the search.
    pub entries: usize,
}

impl CacheCounters {
    pub(crate) fn new(counters: &Counters, entries: usize) -> Self {
        let Counters { hits, invalid, changed_window, misses, stores, .. } = *counters;
        Self { hits, invalid, changed_window, misses, stores, entries }
    }

    pub(crate) fn probes(&self) -> u64 {
        self.hits + self.invalid + self.misses
    }

    fn phrases(&self) -> [String; 4] {
        let share = number::percent(self.hits, self.probes());
        let share = or_empty(share.map(|share| format!(" ({share})")));
        [
            format!("hits {}{share}", count(self.hits)),
            self.invalid_text(),
            format!("misses {}", count(self.misses)),
            format!("stores {}", count(self.stores)),
        ]
    }

    /// The probes whose entry did not suffice: `invalid 12 (5 changed the window)`.
    pub(crate) fn invalid_text(&self) -> String {
        let changed = || format!(" ({} changed the window)", count(self.changed_window));
        let changed = or_empty((self.changed_window > 0).then(changed));
        format!("invalid {}{changed}", count(self.invalid))
    }

    /// The counters of probes and stores on one line; empty if there was no cache.
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
        self.changed_window += other.changed_window;
        self.misses += other.misses;
        self.stores += other.stores;
        self.entries += other.entries;
    }
}

/// A cache entry as stored, with its position and the true value if known.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EntryReport {
    /// The key; ends in `:DEPTH` if the memo policy keeps one entry per depth.
    pub key: String,
    /// The position in the game's notation; `None` if unknown.
    pub state: Option<String>,
    /// The side to move in the position; `None` if unknown.
    #[serde(skip)]
    pub side: Option<Side>,
    /// Remaining depth in plies of the search that stored the entry; `None` if the memo policy keeps no depth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u8>,
    /// The stored value, for the side to move in `state`.
    pub value: Score,
    /// The window of the search that stored the entry; `None` if the memo policy keeps no window.
    #[serde(flatten)]
    pub window: Option<Window>,
    /// `exact`, `lower` or `upper`; `None` if the memo policy keeps no bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<&'static str>,
    /// The true value of the position, if known, and whether the entry contradicts it.
    #[serde(flatten)]
    pub truth: Option<Truth>,
    /// The moves that the stored hash move can stand for; empty without one, or if the position is unknown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub best: Vec<MoveText>,
    /// The number of probes that used the entry; `None` unless `uses=on`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uses: Option<u32>,
    /// In a list: whether the entry is as the user set it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub edited: bool,
}

/// The writers of cache entries by key, each with the entry as it is in the position of the node that wrote it.
pub type Writers = BTreeMap<String, (Provenance, EntryReport)>;

impl EntryReport {
    /// The entry in words, without the key: value, best move, uses.
    pub fn details(&self) -> String {
        let best = (!self.best.is_empty()).then(|| format!("best {}", words(&self.best)));
        let uses = self.uses.map(|uses| format!("used {}", counted(uses.into(), "time", "times")));
        flow("", [Some(self.brief()), best, uses].into_iter().flatten())
    }

    /// Value, bound, window and depth on one line, without the key.
    pub(in crate::engine::session) fn brief(&self) -> String {
        let value = number::bounded(self.bound.unwrap_or_default(), &number::score(self.value));
        let exact = or_empty(self.bound.filter(|bound| *bound == "exact").map(|_| " exact"));
        let window = self.window.map(|window| {
            let [alpha, beta] = number::window(window, number::score);
            format!(" for [{alpha}, {beta}]")
        });
        let depth = self.depth.filter(|_| !self.key.contains(':'));
        let depth = or_empty(depth.map(|depth| format!(" at depth {depth}")));
        format!("{value}{exact}{}{depth}", or_empty(window))
    }
}

/// The reply of `cache get`, `set` and `remove`: an entry, before and after the change.
#[derive(Clone, Debug, Serialize)]
pub struct CacheEdit {
    /// The key that was looked up, whether or not an entry is stored under it.
    pub key: String,
    /// The entry after the command; `None` if none is stored.
    pub entry: Option<EntryReport>,
    /// The entry before the change; `None` if none was stored, and for `cache get`.
    pub previous: Option<EntryReport>,
    /// The board of the position as text; `None` if the position is unknown.
    #[serde(skip)]
    pub board: Option<String>,
    /// Remarks, for example that the entry is stored under the key of a symmetric position.
    pub notes: Vec<String>,
    /// The keys of the position's entries at other depths, if no entry is stored under `key`.
    pub other_keys: Vec<String>,
    /// With `--writer`: the event of the recorded search that wrote the entry; otherwise `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub writer: Option<Provenance>,
}

impl CacheEdit {
    /// The event that wrote the entry, in words, if it is known.
    pub fn written(&self) -> Option<String> {
        self.writer.as_ref().map(timelines::writer)
    }

    /// The position of the entry, as stored or as in the node that wrote it; `None` if unknown.
    pub fn state(&self) -> Option<&str> {
        let kept = self.entry.as_ref().or(self.previous.as_ref())?.state.as_deref();
        kept.or(self.writer.as_ref().map(|writer| writer.state.as_str()))
    }
}

impl Reply for CacheEdit {
    fn is_without_effect(&self) -> bool {
        self.entry.is_some() && self.entry == self.previous
    }

    fn text(&self) -> String {
        let (title, entry, before) = match (&self.entry, &self.previous) {
            (None, None) => return absent(self),
            (None, Some(previous)) => ("  removed", previous, None),
            (Some(entry), None) => ("", entry, None),
            (Some(entry), _) if self.is_without_effect() => ("  unchanged", entry, None),
            (Some(entry), Some(previous)) => ("  changed", entry, Some(previous)),
        };
        let mut details = vec![format!("key    {}{title}", entry.key)];
        details.extend(entry.state.clone());
        details.extend(fields(entry, before));
        let board = self.board.as_deref().unwrap_or_default();
        lines([beside(board, details), or_empty(self.written()), layout::notes(&self.notes)])
    }

    fn line(&self) -> String {
        let line = match (&self.entry, &self.previous) {
            (Some(now), _) if self.is_without_effect() => {
                format!("{} unchanged, {}", now.key, now.brief())
            }
            (Some(now), Some(before)) => {
                format!("{} {}, was {}", now.key, now.brief(), before.brief())
            }
            (Some(now), None) => format!("{} written, {}", now.key, now.brief()),
            (None, Some(before)) => format!("{} removed, was {}", before.key, before.brief()),
            (None, None) => "there is no such entry".to_owned(),
        };
        layout::noted(line, &self.notes)
    }
}

/// The reply of `cache list`: one page of the matching entries.
#[derive(Clone, Debug, Serialize)]
pub struct CacheList {
    /// The entries of this page, in the chosen order.
    pub entries: Vec<EntryReport>,
    /// Number of matching entries before this page.
    pub offset: usize,
    /// Number of entries that match the filters.
    pub matching: usize,
    /// Number of entries in the cache.
    pub total: usize,
    /// How the values in the filters were read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
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
        lines([entry_table(&self.entries), footer, layout::notes(&self.notes)])
    }

    fn line(&self) -> String {
        let [matching, total] = [self.matching, self.total].map(|number| count(number as u64));
        format!("{matching} of {total} entries match")
    }
}

/// The reply of `cache histogram`: matching entries counted by depth, bound and value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Histogram {
    /// Number of entries that match the filters.
    pub matching: usize,
    /// Number of entries in the cache.
    pub total: usize,
    /// Numbers of matching entries by depth and by bound.
    #[serde(flatten)]
    pub breakdown: Breakdown,
    /// The matching entries by value, in ascending ranges of equal width; infinite values have their own ranges.
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

/// The number of entries with values in one range.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValueBucket {
    /// The lower end of the range, inclusive.
    pub from: Score,
    /// The upper end of the range: inclusive in the last range, exclusive in all others.
    pub to: Score,
    /// Number of entries with a value in the range.
    pub entries: usize,
}

/// One row of a count: a category such as a depth or bound, and its number of entries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Census {
    /// The category: a depth, a bound, a range of values or a reason.
    pub of: String,
    /// Number of entries in the category.
    pub entries: usize,
}

impl Census {
    fn of(value: &impl ToString, entries: usize) -> Self {
        Self { of: value.to_string(), entries }
    }
}

/// Entries counted by depth and by bound. Entries of memo policies without these fields are not counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Breakdown {
    /// Number of entries for each remaining depth, ascending.
    pub by_depth: Vec<Census>,
    /// Number of entries for each bound.
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

/// The reply of `cache stats`: size, memory, counters and breakdown of the cache.
#[derive(Clone, Debug, Serialize)]
pub struct CacheStats {
    pub(crate) policy: String,
    /// Probes and stores of the last search, and the number of entries.
    #[serde(flatten)]
    pub cache: CacheCounters,
    /// Memory of the cache in bytes.
    pub bytes: usize,
    /// Memory per entry in bytes; `None` if the cache is empty.
    pub bytes_per_entry: Option<f64>,
    /// The greatest number of entries; `None` if there is no limit.
    pub max_size: Option<usize>,
    /// The setting `max_size` as given: entries, bytes with a unit, or `off`.
    pub(crate) size: String,
    /// The setting `replace`, which chooses the entries to evict: `depth`, `use` or `clean`.
    pub(crate) replace: &'static str,
    /// Number of entries evicted during the last search.
    pub evictions: u64,
    /// With `verify=on`: probes in the last search that found another position's entry under the same key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collisions: Option<u64>,
    /// The entries by remaining depth and by bound.
    #[serde(flatten)]
    pub breakdown: Breakdown,
    /// The key scheme, which decides what positions share a key: `plain`, `colour` or `canonical`.
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
            // A plain number of entries is grouped in threes; `16MB` and `off` are printed as they are.
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

/// The reply of `key`: a key, its canonical key, and its position.
#[derive(Clone, Debug, Serialize)]
pub struct KeyReport {
    /// The key that the reply describes, in the game's notation for keys.
    pub key: String,
    /// The canonical key, the least among the keys of symmetric positions; equal to `key` if that is the least.
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

/// The reply of `cache clear`, `clean` and `remove` with filters.
#[derive(Clone, Debug, Serialize)]
pub struct CacheCleaned {
    /// Number of entries removed.
    pub removed: usize,
    /// Number of entries left in the cache.
    pub entries: usize,
    /// The steps of `cache clean`, each as a sentence; in seed fidelity worded as seed 000 prints them.
    pub steps: Vec<String>,
    /// Remarks, for example that the edit began a new timeline.
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

/// A table of counts, each with its share of all entries as percentage and bar.
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

/// Entries as a table, without columns that are empty in every row.
pub(in crate::engine::session) fn entry_table(entries: &[EntryReport]) -> String {
    let relation = |bound: &str| match number::bound(bound) {
        "" => "=",
        relation => relation,
    };
    let score = |score: Option<Score>| or_empty(score.map(number::score));
    TextTable::of(entries)
        .left("", |entry| or_empty(entry.edited.then_some("*")))
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

/// The fields of an entry; a changed field is followed by its old value.
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
