//! Cache files read, written, described, checked and compared.

use serde::Serialize;
use serde_json::{Value, json};

use super::{EntryReport, PlainReply, Reply, cache};
pub use crate::engine::cachefile::{DamagedPlace, Findings, Loaded, Saved};
use crate::{
    engine::game::{Fault, Key},
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
        told(blocks.map(|blocks| counted(blocks, "sound block", "sound blocks"))),
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
    let wrong = (!sound).then(|| Fault::new(format!("`{file}` is not sound")).hint(remedy));
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
