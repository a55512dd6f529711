//! Cache files read, written, described, checked and compared.

use serde::Serialize;

use super::{EntryReport, Reply, cache};
pub use crate::engine::cachefile::{Contrasted, DamagedPlace, Findings};
use crate::{
    engine::game::Fault,
    text::{TextTable, count, counted, flow, layout, lines, number, pad, width, wrap},
};

/// A cache file read or written.
#[derive(Clone, Debug, Serialize)]
pub struct CacheFile {
    /// Its path.
    pub file: String,
    /// `loaded` or `saved`.
    pub action: &'static str,
    /// Entries read or written.
    pub entries: usize,
    /// Its size.
    pub bytes: u64,
    /// Its format.
    pub format: String,
    /// Records that stand for an entry already there; the later one counts.
    pub skipped: usize,
    /// The value convention of the file.
    pub convention: Option<String>,
    /// Entries in the cache now.
    pub total: usize,
    /// What a reader should know.
    pub notes: Vec<String>,
}

impl Reply for CacheFile {
    fn text(&self) -> String {
        let way = if self.action == "saved" { "to" } else { "from" };
        let title = format!(
            "{} {} {way} {}",
            self.action,
            counted(self.entries as u64, "entry", "entries"),
            self.file
        );
        let convention = self.convention.as_ref().map(|name| format!("convention {name}"));
        let name = if self.action == "saved" { "merged" } else { "skipped" };
        let skipped = (self.skipped > 0)
            .then(|| format!("{} {name}", counted(self.skipped as u64, "duplicate", "duplicates")));
        let details = [
            Some(format!("format {}", self.format)),
            convention,
            Some(number::bytes(self.bytes)),
            skipped,
            Some(format!("{} in the cache now", count(self.total as u64))),
        ];
        let details = flow("  ", details.into_iter().flatten());
        lines([title, details, layout::notes(&self.notes)])
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
            Some(format!("{}: {verdict}", self.file)),
            Some(format!("format {}", self.format)),
            Some(format!("memo {}", self.policy)),
            Some(counted(*records, "entry", "entries")),
            blocks,
            Some(number::bytes(self.bytes)),
        ];
        let names = self.header.iter().map(|(name, _)| width(name)).max();
        let stated = self.header.iter().map(|(name, value)| {
            let lead = format!("  {}  ", pad(name, names.unwrap_or(0)));
            wrap(&lead, value)
        });
        let differences = self.differences.iter().map(|difference| wrap("  differs: ", difference));
        let places = damage.iter().map(|place| wrap("  damaged: ", &place.to_string()));
        let more = damaged - damage.len() as u64;
        let more = (more > 0).then(|| format!("  and {} more damaged places", count(more)));
        let title = flow("", title.into_iter().flatten());
        lines(std::iter::once(title).chain(stated).chain(differences).chain(places).chain(more))
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
#[derive(Clone, Debug, PartialEq, Serialize)]
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
        let list = |entries: &[EntryReport]| cache::entry_table(entries);
        lines([
            wrap("", &title),
            flow("  ", counts.iter().map(|(name, number)| format!("{name} {}", count(*number)))),
            lines(differences),
            titled("only in the first", list(&self.first_examples)),
            titled("only in the second", list(&self.second_examples)),
            titled("different", pairs(&self.examples)),
        ])
    }
}

/// Entries of two files below each other.
fn pairs(pairs: &[EntryPair]) -> String {
    TextTable::of(pairs)
        .left("key", |pair| &pair.first.key)
        .left("first", |pair| pair.first.brief())
        .left("second", |pair| pair.second.brief())
        .render()
}
