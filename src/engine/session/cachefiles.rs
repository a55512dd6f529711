//! Commands that save, load, check and compare cache files.

use std::path::Path;

use serde::Serialize;

use super::{
    Session,
    cache::{EntryReport, entry_table},
    entry_text::key_text,
    reply::Reply,
};

use crate::{
    engine::{
        cachefile::{
            self, CacheHeader, Convention, Format, LoadOptions, Monitor, full_join,
            header_differences, same_bits,
        },
        game::{Fault, Game, Result},
        progress::Unit,
    },
    text::{TextTable, count, counted, flow, layout, lines, number, or_empty, wrap},
};

pub use crate::engine::cachefile::{DamagedPlace, Loaded, Saved};

impl<G: Game> Session<G> {
    /// Adds the entries of a file to the cache. Fails if the file is for another game, other rules or other weights.
    pub(super) fn adopt(&mut self, path: &Path, loaded: Loaded<G::Key>) -> Result<CacheFile> {
        let mut notes = loaded.notes.clone();
        if loaded.findings.damaged > 0 {
            let places = counted(loaded.findings.damaged, "damaged place", "damaged places");
            notes.push(format!("{places} left out: `cache check` names them"));
        }
        notes.extend(loaded.check(&self.run.searcher)?);
        notes.extend(self.adopt_policy(loaded.policy)?);
        let Loaded { format, convention, bytes, duplicates: merged, .. } = loaded;
        let entries = loaded.table.entries().len() as u64;
        notes.extend(loaded.add_to(&mut self.run.searcher)?);
        Ok(CacheFile {
            file: path.display().to_string(),
            action: "loaded",
            saved: Saved { entries, bytes, merged, notes },
            format,
            convention,
            total: self.entries().len() as u64,
        })
    }

    pub(super) fn read_file(
        &self,
        what: &'static str,
        path: &Path,
        options: LoadOptions,
    ) -> Result<Loaded<G::Key>> {
        let load = |watch: &mut Monitor| cachefile::load(self.game(), path, options, watch);
        self.watching(what, Unit::Bytes, 0, load)
    }
}

/// Commands that save, load, check and compare cache files.
pub trait CacheFileCommands {
    /// Saves the cache to a file (default: in the native format).
    fn cache_save(
        &self,
        path: &Path,
        format: Option<Format>,
        convention: Option<Convention>,
    ) -> Result<CacheFile>;
    /// Adds the entries of a file to the cache. An entry with the same key is replaced.
    fn cache_load(&mut self, path: &Path, options: LoadOptions) -> Result<CacheFile>;
    /// Reads a file to its end, skips damaged places and reports them.
    fn cache_check(&self, path: &Path, format: Option<Format>) -> Result<CacheCheck>;
    /// Compares the entries of two files, with up to `limit` examples of each kind of difference.
    fn cache_diff(
        &self,
        paths: [&Path; 2],
        convention: Option<Convention>,
        limit: usize,
    ) -> Result<CacheDiff>;
}

impl<G: Game> CacheFileCommands for Session<G> {
    fn cache_save(
        &self,
        path: &Path,
        format: Option<Format>,
        convention: Option<Convention>,
    ) -> Result<CacheFile> {
        let format = format.unwrap_or(Format::Native);
        let own = CacheHeader::of(&self.run.searcher);
        let convention = format.convention(own.convention, convention)?;
        let header = CacheHeader { convention, ..own };
        let saved = self.watching("saving", Unit::Entries, 0, |watch| {
            cachefile::save(self.game(), self.entries(), path, format, &header, watch)
        })?;
        Ok(CacheFile {
            file: path.display().to_string(),
            action: "saved",
            saved,
            format,
            convention,
            total: self.entries().len() as u64,
        })
    }

    fn cache_load(&mut self, path: &Path, options: LoadOptions) -> Result<CacheFile> {
        let loaded = self.read_file("loading", path, options)?;
        self.leave_play();
        self.adopt(path, loaded)
    }

    fn cache_check(&self, path: &Path, format: Option<Format>) -> Result<CacheCheck> {
        let options = LoadOptions { format, convention: None, salvage: true };
        let loaded = self.read_file("checking", path, options)?;
        let (mut header, mut differences) = (Vec::new(), Vec::new());
        if let Some(stated) = &loaded.header {
            differences = stated.differences_to(&self.run.searcher);
            header = stated.fields();
            // The weights are printed on one line of their own.
            header.retain(|(name, _)| !name.starts_with("weight "));
            header.push(("weights".to_owned(), stated.weights.to_string()));
        }
        let findings = loaded.findings;
        Ok(CacheCheck {
            file: path.display().to_string(),
            format: loaded.format,
            policy: loaded.policy.name(),
            bytes: loaded.bytes,
            sound: findings.damaged == 0,
            entries: findings.records,
            blocks: findings.blocks,
            damage: findings.damage,
            damaged: findings.damaged,
            header,
            differences,
        })
    }

    fn cache_diff(
        &self,
        paths: [&Path; 2],
        convention: Option<Convention>,
        limit: usize,
    ) -> Result<CacheDiff> {
        let options = LoadOptions { convention, ..LoadOptions::default() };
        let [first, second] = paths.map(|path| self.read_file("comparing", path, options));
        let files = [first?, second?];
        let mut diff = CacheDiff {
            files: paths.map(|path| path.display().to_string()),
            differences: header_differences(&files)?,
            ..CacheDiff::default()
        };
        let [first, second] = &files;
        for (at, one, other) in full_join(first.table.entries(), second.table.entries()) {
            // `keyed_text` would use the session's memo policy, from which that of the files may differ.
            let key = key_text(self.game(), first.policy, at);
            let report = |entry| EntryReport { key: key.clone(), ..self.report_entry((at, entry)) };
            match (one, other) {
                (Some(one), Some(other)) if same_bits(&one, &other) => diff.same += 1,
                (Some(one), Some(other)) => {
                    diff.differing += 1;
                    if diff.examples.len() < limit {
                        let (first, second) = (report(one), report(other));
                        diff.examples.push(DifferingEntry { first, second });
                    }
                }
                (Some(one), None) => {
                    diff.only_first += 1;
                    if diff.first_examples.len() < limit {
                        diff.first_examples.push(report(one));
                    }
                }
                (None, other) => {
                    diff.only_second += 1;
                    if diff.second_examples.len() < limit {
                        diff.second_examples.extend(other.map(report));
                    }
                }
            }
        }
        Ok(diff)
    }
}

/// The reply of `cache save` and `cache load`.
#[derive(Clone, Debug, Serialize)]
pub struct CacheFile {
    /// The path as the user gave it.
    pub file: String,
    /// What the command did with the file: `saved` or `loaded`.
    pub(crate) action: &'static str,
    /// Numbers of entries, bytes and duplicates, with notes.
    #[serde(flatten)]
    pub saved: Saved,
    pub(crate) format: Format,
    pub(crate) convention: Convention,
    /// Number of entries in the cache after the command.
    pub total: u64,
}

impl Reply for CacheFile {
    fn text(&self) -> String {
        let Self { file, action, saved, .. } = self;
        let (way, gone) = if *action == "saved" { ("to", "merged") } else { ("from", "skipped") };
        let title = format!("{action} {} {way} {file}", counted(saved.entries, "entry", "entries"));
        let duplicates = counted(saved.merged, "duplicate", "duplicates");
        let details = [
            format!("format {}", self.format),
            format!("convention {}", self.convention),
            number::bytes(saved.bytes),
            or_empty((saved.merged > 0).then(|| format!("{duplicates} {gone}"))),
            format!("{} in the cache now", count(self.total)),
        ];
        lines([title, flow("  ", details), layout::notes(&saved.notes)])
    }
}

/// The reply of `cache check`.
#[derive(Clone, Debug, Serialize)]
pub struct CacheCheck {
    file: String,
    format: Format,
    policy: &'static str,
    bytes: u64,
    sound: bool,
    /// Number of records that could be read.
    entries: u64,
    /// Number of blocks with a correct checksum; `None` unless the format is native.
    blocks: Option<u64>,
    /// The first damaged places; `damaged` counts all of them.
    damage: Vec<DamagedPlace>,
    damaged: u64,
    /// The header of a native file, as names and values; empty for other formats.
    header: Vec<(String, String)>,
    /// Differences between the file's header and the session, each as a sentence.
    pub differences: Vec<String>,
}

impl Reply for CacheCheck {
    fn text(&self) -> String {
        let Self { file, format, policy, .. } = self;
        let title = [
            format!("{file}: {}", if self.sound { "sound" } else { "not sound" }),
            format!("format {format}"),
            format!("memo {policy}"),
            counted(self.entries, "entry", "entries"),
            or_empty(self.blocks.map(|blocks| counted(blocks, "sound block", "sound blocks"))),
            number::bytes(self.bytes),
        ];
        let header = self.header.iter().map(|(name, value)| (name, value.clone()));
        let head = [flow("", title), layout::named("  ", header)].into_iter();
        let differences = self.differences.iter().map(|what| wrap("  differs: ", what));
        let damage = self.damage.iter().map(|place| wrap("  damaged: ", &place.to_string()));
        let omitted = self.damaged - self.damage.len() as u64;
        let more = (omitted > 0).then(|| format!("  and {} more damaged places", count(omitted)));
        lines(head.chain(differences).chain(damage).chain(more))
    }

    fn fault(&self) -> Option<Fault> {
        let remedy = "`cache load FILE --salvage` loads the undamaged entries, and `cache save NEW` writes them";
        (!self.sound).then(|| Fault::new(format!("`{}` is damaged", self.file)).hint(remedy))
    }
}

/// The reply of `cache diff`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CacheDiff {
    files: [String; 2],
    only_first: u64,
    only_second: u64,
    same: u64,
    differing: u64,
    first_examples: Vec<EntryReport>,
    second_examples: Vec<EntryReport>,
    examples: Vec<DifferingEntry>,
    /// Differences between the headers of the two files, each as a sentence.
    differences: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
struct DifferingEntry {
    first: EntryReport,
    second: EntryReport,
}

impl Reply for CacheDiff {
    fn text(&self) -> String {
        let [first, second] = &self.files;
        let counts = [
            ("only in the first", self.only_first),
            ("only in the second", self.only_second),
            ("the same", self.same),
            ("different", self.differing),
        ];
        let titled = |title: &str, table: String| {
            if table.is_empty() { table } else { lines([format!("{title}:"), table]) }
        };
        let differing = TextTable::of(&self.examples)
            .left("key", |entry| &entry.first.key)
            .left("first", |entry| entry.first.brief())
            .left("second", |entry| entry.second.brief());
        lines([
            wrap("", &format!("{first} (first) against {second} (second)")),
            flow("  ", counts.map(|(name, number)| format!("{name} {}", count(number)))),
            lines(self.differences.iter().map(|difference| wrap("  ", difference))),
            titled("only in the first", entry_table(&self.first_examples)),
            titled("only in the second", entry_table(&self.second_examples)),
            titled("different", differing.render()),
        ])
    }
}
