//! Cache files read, written, described, checked and compared.

use serde::Serialize;

use super::{EntryReport, Reply, cache};
pub use crate::engine::cachefile::{Contrasted, DamagedPlace, Findings, Saved};
use crate::{
    engine::game::Fault,
    text::{TextTable, count, counted, flow, layout, lines, number, told, wrap},
};

/// A cache file read or written.
#[derive(Clone, Debug, Serialize)]
pub struct CacheFile {
    /// Its path.
    pub file: String,
    /// `loaded` or `saved`.
    pub action: &'static str,
    /// What was read or written.
    #[serde(flatten)]
    pub saved: Saved,
    /// Its format.
    pub format: String,
    /// The value convention of the file.
    pub convention: Option<String>,
    /// Entries in the cache now.
    pub total: u64,
}

impl Reply for CacheFile {
    fn text(&self) -> String {
        let Self { file, action, saved, .. } = self;
        let (way, gone) = if *action == "saved" { ("to", "merged") } else { ("from", "skipped") };
        let title = format!("{action} {} {way} {file}", counted(saved.entries, "entry", "entries"));
        let skipped = counted(saved.merged, "duplicate", "duplicates");
        let details = [
            format!("format {}", self.format),
            told(self.convention.as_ref().map(|name| format!("convention {name}"))),
            number::bytes(saved.bytes),
            told((saved.merged > 0).then(|| format!("{skipped} {gone}"))),
            format!("{} in the cache now", count(self.total)),
        ];
        lines([title, flow("  ", details), layout::notes(&saved.notes)])
    }
}

/// A cache file checked.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CacheCheck {
    /// Its path.
    pub file: String,
    /// Its format.
    pub format: String,
    /// The memo policy of its entries.
    pub policy: String,
    /// Its size.
    pub bytes: u64,
    /// Whether nothing is damaged.
    pub sound: bool,
    /// What is sound in it and what is not.
    #[serde(flatten)]
    pub findings: Findings,
    /// What a native file states of itself, by name.
    pub header: Vec<(String, String)>,
    /// What it states differently from what holds here, in sentences.
    pub differences: Vec<String>,
}

impl Reply for CacheCheck {
    fn fault(&self) -> Option<Fault> {
        (!self.sound).then(|| {
            Fault::new(format!("`{}` is not sound", self.file)).hint(
                "`cache load FILE --salvage` takes what is sound, and `cache save NEW` writes it",
            )
        })
    }

    fn text(&self) -> String {
        let Findings { records, blocks, damage, damaged, .. } = &self.findings;
        let blocks = blocks.map(|blocks| counted(blocks, "sound block", "sound blocks"));
        let verdict = if self.sound { "sound" } else { "not sound" };
        let title = [
            format!("{}: {verdict}", self.file),
            format!("format {}", self.format),
            format!("memo {}", self.policy),
            counted(*records, "entry", "entries"),
            told(blocks),
            number::bytes(self.bytes),
        ];
        let stated = self.header.iter().map(|(name, value)| (name, value.clone()));
        let differences = self.differences.iter().map(|difference| wrap("  differs: ", difference));
        let places = damage.iter().map(|place| wrap("  damaged: ", &place.to_string()));
        let more = damaged - damage.len() as u64;
        let more = (more > 0).then(|| format!("  and {} more damaged places", count(more)));
        let head = [flow("", title), layout::named("  ", stated)].into_iter();
        lines(head.chain(differences).chain(places).chain(more))
    }
}

/// An entry in two files.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EntryPair {
    /// In the first.
    pub first: EntryReport,
    /// In the second.
    pub second: EntryReport,
}

/// Two cache files compared.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CacheDiff {
    /// Both paths.
    pub files: [String; 2],
    /// How many entries are where.
    #[serde(flatten)]
    pub counts: Contrasted,
    /// Some of those in the first only.
    pub first_examples: Vec<EntryReport>,
    /// Some of those in the second only.
    pub second_examples: Vec<EntryReport>,
    /// Some of those that differ.
    pub examples: Vec<EntryPair>,
    /// What the files state differently of themselves, in sentences.
    pub differences: Vec<String>,
}

impl Reply for CacheDiff {
    fn text(&self) -> String {
        let [first, second] = &self.files;
        let title = format!("{first} (first) against {second} (second)");
        let counts = [
            ("only in the first", self.counts.only_first),
            ("only in the second", self.counts.only_second),
            ("the same", self.counts.same),
            ("different", self.counts.differing),
        ];
        let differences = self.differences.iter().map(|difference| wrap("  ", difference));
        let titled = |title: &str, table: String| {
            if table.is_empty() { table } else { lines([format!("{title}:"), table]) }
        };
        lines([
            wrap("", &title),
            flow("  ", counts.iter().map(|(name, number)| format!("{name} {}", count(*number)))),
            lines(differences),
            titled("only in the first", cache::entry_table(&self.first_examples)),
            titled("only in the second", cache::entry_table(&self.second_examples)),
            titled("different", pairs(&self.examples)),
        ])
    }
}

fn pairs(pairs: &[EntryPair]) -> String {
    TextTable::of(pairs)
        .left("key", |pair| &pair.first.key)
        .left("first", |pair| pair.first.brief())
        .left("second", |pair| pair.second.brief())
        .render()
}
