//! Cache files saved, loaded, checked and compared.

use std::path::Path;

use serde::Serialize;
use serde_json::{Value, json};

use super::{
    Session,
    cache::{self, EntryReport},
    entry_text::key_text,
    reply::{PlainReply, Reply},
};

use crate::{
    engine::{
        cachefile::{
            self, CacheHeader, Convention, Format, LoadOptions, Watch, same_bits, side_by_side,
            unlike,
        },
        game::{Fault, Game, Key, Result},
        progress::Unit,
    },
    text::{TextTable, count, counted, flow, layout, lines, number, or_empty, wrap},
};

pub use crate::engine::cachefile::{DamagedPlace, Findings, Loaded, Saved};

impl<G: Game> Session<G> {
    /// Does what may take long, of which so much is done: Ctrl-C stops it, and whoever wants to know sees how far it is.
    pub(super) fn watching<T>(
        &self,
        what: &'static str,
        (unit, before): (Unit, u64),
        work: impl FnOnce(&mut Watch) -> T,
    ) -> T {
        self.progress.begin(what, unit, before);
        let result = work(&mut Watch {
            interrupt: &self.run.interrupt,
            progress: &mut |done, total| self.progress.tell(done, total),
        });
        self.progress.end();
        result
    }

    /// Puts what a file held into the cache, if it is right here and there is room.
    pub(super) fn adopt(&mut self, path: &Path, loaded: Loaded<G::Key>) -> Result<CacheFile> {
        let mut notes = loaded.notes.clone();
        if loaded.findings.damaged > 0 {
            let places = counted(loaded.findings.damaged, "damaged place", "damaged places");
            notes.push(format!("{places} left out: `cache check` names them"));
        }
        notes.extend(loaded.check(&self.run.searcher)?);
        notes.extend(self.adopt_policy(loaded.policy)?);
        let (format, convention) = (loaded.format.to_string(), loaded.convention.to_string());
        let (bytes, merged) = (loaded.bytes, loaded.duplicates);
        let entries = loaded.table.entries().len() as u64;
        notes.extend(loaded.give_to(&mut self.run.searcher)?);
        Ok(CacheFile {
            file: text(path),
            action: "loaded",
            saved: Saved { entries, bytes, merged, notes },
            format,
            convention: Some(convention),
            total: self.entries().len() as u64,
        })
    }

    pub(super) fn read_file(
        &self,
        doing: &'static str,
        path: &Path,
        options: LoadOptions,
    ) -> Result<Loaded<G::Key>> {
        let load = |watch: &mut Watch| cachefile::load(self.game(), path, options, watch);
        self.watching(doing, (Unit::Bytes, 0), load)
    }
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

/// The cache to a file and back, and cache files by themselves.
pub trait CacheFileCommands {
    /// Writes the cache to a file.
    fn cache_save(
        &self,
        path: &Path,
        format: Option<Format>,
        convention: Option<Convention>,
    ) -> Result<CacheFile>;
    /// Adds the entries of a file to the cache.
    fn cache_load(&mut self, path: &Path, options: LoadOptions) -> Result<CacheFile>;
    /// Describes a file and reads it to its end, damage or not.
    fn cache_check(&self, path: &Path, format: Option<Format>) -> Result<PlainReply>;
    /// Compares two files; of each kind of difference `limit` examples are shown.
    fn cache_diff(
        &self,
        paths: [&Path; 2],
        convention: Option<Convention>,
        limit: usize,
    ) -> Result<PlainReply>;
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
        let saved = self.watching("saving", (Unit::Entries, 0), |watch| {
            cachefile::save(self.game(), self.entries(), path, format, &header, watch)
        })?;
        Ok(CacheFile {
            file: text(path),
            action: "saved",
            saved,
            format: format.to_string(),
            convention: Some(convention.to_string()),
            total: self.entries().len() as u64,
        })
    }

    fn cache_load(&mut self, path: &Path, options: LoadOptions) -> Result<CacheFile> {
        let loaded = self.read_file("loading", path, options)?;
        self.adopt(path, loaded)
    }

    fn cache_check(&self, path: &Path, format: Option<Format>) -> Result<PlainReply> {
        let options = LoadOptions { format, convention: None, salvage: true };
        let loaded = self.read_file("checking", path, options)?;
        let (mut header, mut differences) = (Vec::new(), Vec::new());
        if let Some(stated) = &loaded.header {
            differences = stated.differences_to(&self.run.searcher);
            header = stated.stated();
            header.retain(|(name, _)| !name.starts_with("weight "));
            header.push(("weights".to_owned(), stated.weights.to_string()));
        }
        Ok(cache_check(&text(path), &loaded, &header, &differences))
    }

    fn cache_diff(
        &self,
        paths: [&Path; 2],
        convention: Option<Convention>,
        limit: usize,
    ) -> Result<PlainReply> {
        let options = LoadOptions { convention, ..LoadOptions::default() };
        let [first, second] = paths.map(|path| self.read_file("comparing", path, options));
        let files = [first?, second?];
        let differences = unlike(&files)?;
        let [first, second] = &files;
        let [mut only_first, mut only_second, mut same, mut differing] = [0; 4];
        let (mut single, mut both) = ([Vec::new(), Vec::new()], Vec::new());
        for (at, one, other) in side_by_side(first.table.entries(), second.table.entries()) {
            // The policy of the files need not be the one in force.
            let key = key_text(self.game(), first.policy, at);
            let told = |entry| EntryReport { key: key.clone(), ..self.report_entry((at, entry)) };
            match (one, other) {
                (Some(one), Some(other)) if same_bits(&one, &other) => same += 1,
                (Some(one), Some(other)) => {
                    differing += 1;
                    both.extend((both.len() < limit).then(|| [told(one), told(other)]));
                }
                (Some(one), None) => {
                    only_first += 1;
                    single[0].extend((single[0].len() < limit).then(|| told(one)));
                }
                (None, other) => {
                    only_second += 1;
                    let room = single[1].len() < limit;
                    single[1].extend(other.filter(|_| room).map(told));
                }
            }
        }
        let counts = [only_first, only_second, same, differing];
        Ok(cache_diff(&paths.map(text), counts, (single, &both), &differences))
    }
}

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
            or_empty(self.convention.as_ref().map(|name| format!("convention {name}"))),
            number::bytes(saved.bytes),
            or_empty((saved.merged > 0).then(|| format!("{skipped} {gone}"))),
            format!("{} in the cache now", count(self.total)),
        ];
        lines([title, flow("  ", details), layout::notes(&saved.notes)])
    }
}

/// A cache file checked: what is sound in it and what is not, what a native file states of itself, by name, and what of that
/// differs from what holds here, in sentences.
pub fn cache_check<K: Key>(
    file: &str,
    loaded: &Loaded<K>,
    header: &[(String, String)],
    differences: &[String],
) -> PlainReply {
    let Loaded { format, policy, bytes, .. } = loaded;
    let Findings { records, blocks, damage, damaged, .. } = &loaded.findings;
    let (sound, verdict) = (*damaged == 0, if *damaged == 0 { "sound" } else { "not sound" });
    let title = [
        format!("{file}: {verdict}"),
        format!("format {format}"),
        format!("memo {policy}"),
        counted(*records, "entry", "entries"),
        or_empty(blocks.map(|blocks| counted(blocks, "sound block", "sound blocks"))),
        number::bytes(*bytes),
    ];
    let stated = header.iter().map(|(name, value)| (name, value.clone()));
    let differ = differences.iter().map(|difference| wrap("  differs: ", difference));
    let places = damage.iter().map(|place| wrap("  damaged: ", &place.to_string()));
    let more = damaged - damage.len() as u64;
    let more = (more > 0).then(|| format!("  and {} more damaged places", count(more)));
    let head = [flow("", title), layout::named("  ", stated)].into_iter();
    let text = lines(head.chain(differ).chain(places).chain(more));
    let fields = json!({
        "file": file,
        "format": format.to_string(),
        "policy": policy.name(),
        "bytes": bytes,
        "sound": sound,
        "entries": records,
        "blocks": blocks,
        "damage": damage,
        "damaged": damaged,
        "header": header,
        "differences": differences,
    });
    let remedy = "`cache load FILE --salvage` takes what is sound, and `cache save NEW` writes it";
    let wrong = (!sound)
        .then(|| Fault::new(format!("`{file}` is not sound")).about_word(file).hint(remedy));
    PlainReply { wrong, ..PlainReply::new(text, fields) }
}

/// Two cache files compared: how many entries are where, some of those in one file only and some of those that differ, and
/// what the files state differently of themselves, in sentences.
pub fn cache_diff(
    files: &[String; 2],
    [only_first, only_second, same, differing]: [u64; 4],
    (single, both): ([Vec<EntryReport>; 2], &[[EntryReport; 2]]),
    differences: &[String],
) -> PlainReply {
    let title = format!("{} (first) against {} (second)", files[0], files[1]);
    let told = [
        ("only in the first", only_first),
        ("only in the second", only_second),
        ("the same", same),
        ("different", differing),
    ];
    let titled = |title: &str, table: String| {
        if table.is_empty() { table } else { lines([format!("{title}:"), table]) }
    };
    let [first, second] = single;
    let text = lines([
        wrap("", &title),
        flow("  ", told.iter().map(|(name, number)| format!("{name} {}", count(*number)))),
        lines(differences.iter().map(|difference| wrap("  ", difference))),
        titled("only in the first", cache::entry_table(&first)),
        titled("only in the second", cache::entry_table(&second)),
        titled("different", pairs(both)),
    ]);
    let both = both.iter().map(|[first, second]| json!({"first": first, "second": second}));
    let fields = json!({
        "files": files,
        "only_first": only_first,
        "only_second": only_second,
        "same": same,
        "differing": differing,
        "first_examples": first,
        "second_examples": second,
        "examples": both.collect::<Value>(),
        "differences": differences,
    });
    PlainReply::new(text, fields)
}

fn pairs(pairs: &[[EntryReport; 2]]) -> String {
    TextTable::of(pairs)
        .left("key", |[first, _]| &first.key)
        .left("first", |[first, _]| first.brief())
        .left("second", |[_, second]| second.brief())
        .render()
}
