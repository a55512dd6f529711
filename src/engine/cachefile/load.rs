use std::path::Path;

use super::{
    CacheHeader, Convention, Findings, Format,
    embedded::find_cache,
    findings::Monitor,
    native::{self, MAGIC},
    seed::{self, LAYOUTS, Layout},
};
use crate::engine::{
    files,
    game::{Fault, Game, Key, KeyScheme, Keyed, Result},
    searcher::Searcher,
    table::{AnyTable, Entry, EntryReader, Policy},
};

/// How to read a cache file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoadOptions {
    /// The format; `None` to detect it, which fails for empty files.
    pub format: Option<Format>,
    /// The convention of the values; `None`: as a native file states, and [`Convention::Seed`] for a seed's file.
    pub convention: Option<Convention>,
    /// Whether damaged blocks and records are skipped and reported; otherwise they are errors.
    pub salvage: bool,
}

/// A cache read completely from a file.
#[derive(Clone, Debug)]
pub struct Loaded<K: Key> {
    /// The format in which the file was read.
    pub format: Format,
    /// The memo policy of the entries.
    pub policy: Policy,
    /// The key scheme; [`KeyScheme::Colour`] for the seeds' files.
    pub keys: KeyScheme,
    /// The point of view of values with black to move.
    pub convention: Convention,
    /// The entries, in the file's order.
    pub table: AnyTable<K>,
    /// The number of records that replaced an earlier one with the same key.
    pub duplicates: u64,
    /// The header of a native file; `None` for a seed's file.
    pub header: Option<CacheHeader>,
    /// Length of the file in bytes.
    pub bytes: u64,
    /// The sound and damaged parts of the file.
    pub findings: Findings,
    /// Notes for the user, in sentences.
    pub notes: Vec<String>,
}

impl<K: Key> Loaded<K> {
    fn new(format: Format, policy: Policy, file: &[u8]) -> Self {
        Self {
            format,
            policy,
            keys: KeyScheme::Colour,
            convention: Convention::Seed,
            table: AnyTable::new(policy),
            duplicates: 0,
            header: None,
            bytes: file.len() as u64,
            findings: Findings::default(),
            notes: Vec::new(),
        }
    }

    /// The entries in the file's order, each key once.
    pub fn entries(&self) -> impl Iterator<Item = (Keyed<K>, Entry)> + '_ {
        self.table.entries().iter()
    }

    /// Fills the table with the entries that `read` yields, about `room` of them.
    fn fill(&mut self, room: u64, read: &mut EntryReader<'_, K>) -> Result<()> {
        let entries = self.table.entries_mut();
        entries.reserve(usize::try_from(room).unwrap_or(0));
        self.duplicates = entries.fill(read)?;
        if self.duplicates > 0 {
            self.notes.push(format!(
                "records that repeat an earlier key: {}; the later one counts",
                self.duplicates
            ));
        }
        Ok(())
    }

    /// Checks that the values of a native file are valid for a searcher (defects D9 and D11), and that the searcher's table has
    /// room for them. Returns notes on differences that `stale=seed` permits.
    pub fn check<G: Game<Key = K>>(&self, searcher: &Searcher<G>) -> Result<Vec<String>> {
        let settings = &searcher.settings;
        let stated = self.header.as_ref();
        let differences = stated.map(|header| header.differences_to(searcher)).unwrap_or_default();
        if !differences.is_empty() && !settings.as_seed(settings.switches.stale) {
            return Err(Fault::new(format!("the file's values would be wrong here: {}", differences.join("; ")))
                .hint("set the weights, rules or settings of the file first; `search set stale=seed` loads it all the same"));
        }
        let mut probe = AnyTable::<K>::new(self.policy);
        probe.entries_mut().set_capacity(settings.capacity());
        let (entries, limit) = (self.table.entries().len(), probe.entries().limit());
        if entries > limit {
            return Err(Fault::new(format!(
                "the file has {entries} entries, and max_size={} leaves room for {limit}",
                settings.max_size
            ))
            .hint(format!("`search set max_size={entries}` or more, or max_size=off")));
        }
        Ok(differences
            .into_iter()
            .map(|difference| format!("kept although {difference}"))
            .collect())
    }

    /// Adds the entries to a searcher's table, which must have the same policy. Returns warnings for searches with these
    /// entries, and the number of entries that were evicted.
    pub fn add_to<G: Game<Key = K>>(self, searcher: &mut Searcher<G>) -> Result<Vec<String>> {
        let mut notes = self.warnings(searcher);
        if searcher.table.entries().is_empty() {
            searcher.table = self.table;
            searcher.settings.set_up(&mut searcher.table);
            return Ok(notes);
        }
        let entries = searcher.table.entries_mut();
        let before = entries.replacement_state().evicted;
        entries.reserve(self.table.entries().len());
        for (at, entry) in self.entries() {
            entries.set(at, entry)?;
        }
        let evicted = entries.replacement_state().evicted - before;
        if evicted > 0 {
            let most = searcher.settings.max_size;
            notes.push(format!("{evicted} entries were evicted: the cache holds {most} at most"));
        }
        Ok(notes)
    }

    fn warnings<G: Game<Key = K>>(&self, searcher: &Searcher<G>) -> Vec<String> {
        let mut notes = Vec::new();
        let (game, scheme) = (&searcher.game, searcher.mode().scheme);
        if self.table.entries().is_empty() {
            return notes;
        }
        let convention = CacheHeader::of(searcher).convention;
        if self.convention != convention {
            notes.push(format!(
                "searches here use the convention `{convention}`: values found for black will have the wrong sign (defect D2)"
            ));
        }
        if scheme == KeyScheme::Plain && self.format != Format::Native {
            notes.push("a seed's file has every position as white to move: with keys=plain the entries serve white only".into());
        }
        if scheme == KeyScheme::Canonical {
            let canonical =
                |key| game.decode(key).is_none_or(|position| game.key(&position, scheme) == key);
            let others = self.entries().filter(|(at, _)| !canonical(at.key)).count();
            if others > 0 {
                notes.push(format!(
                    "{others} entries have keys that searches with symmetry=on never probe; they serve with symmetry=off"
                ));
            }
        }
        notes
    }
}

const REMEDY: &str =
    "take the file from its source again, or load the sound part: `cache load FILE --salvage`";

/// Loads a cache file, or the cache in a session or a training, without changing any session. Damage is a fault with byte
/// offset, record number and remedy. With `salvage`, only an unreadable format or header is a fault.
pub fn load<G: Game>(
    game: &G,
    path: &Path,
    options: LoadOptions,
    monitor: &mut Monitor,
) -> Result<Loaded<G::Key>> {
    let mut file = files::read(path)?;
    if let Some((_, cache)) = find_cache(&file).filter(|_| !looks_native(&file)) {
        file = cache.to_vec();
    }
    let format = match options.format {
        Some(format) => format,
        None => detect(game, path, &file, monitor)?,
    };
    let mut findings =
        Findings { remedy: (!options.salvage).then_some(REMEDY), ..Findings::default() };
    let read = match format.layout() {
        Some(layout) => read_seed(game, &file, layout, options, monitor, &mut findings),
        None => read_native::<G>(&file, options.convention, monitor, &mut findings),
    };
    let fault = match read {
        Ok(loaded) => return Ok(Loaded { findings, ..loaded }),
        // The file is not damaged, but does not fit this game or these options.
        Err(fault) if findings.damaged == 0 => return Err(fault),
        Err(fault) => fault.within(format!("`{}`", path.display())).about_word(path.display()),
    };
    if let (Some(_), Ok(other)) = (options.format, detect(game, path, &file, monitor))
        && other != format
    {
        return Err(fault.hint(format!("this looks like a {other} file: use --format {other}")));
    }
    Err(fault)
}

/// Loads a native cache from a part of another file. An error about damage begins with `place` and has the hint `remedy`.
pub fn load_embedded<G: Game>(
    bytes: &[u8],
    place: &str,
    remedy: &'static str,
    monitor: &mut Monitor,
) -> Result<Loaded<G::Key>> {
    let mut findings = Findings { remedy: Some(remedy), ..Findings::default() };
    read_native::<G>(bytes, None, monitor, &mut findings)
        .map_err(|fault| if findings.damaged > 0 { fault.within(place) } else { fault })
}

fn read_seed<G: Game>(
    game: &G,
    file: &[u8],
    layout: &Layout,
    options: LoadOptions,
    monitor: &mut Monitor,
    findings: &mut Findings,
) -> Result<Loaded<G::Key>> {
    let mut loaded = Loaded::new(layout.format, layout.policy, file);
    loaded.convention = options.convention.unwrap_or(Convention::Seed);
    let room = file.len() / layout.bytes();
    loaded
        .fill(room as u64, &mut |visit| seed::read(game, layout, file, monitor, findings, visit))?;
    loaded.notes.push(format!(
        "the file does not state rules, weights or convention: values are taken under the convention `{}`",
        loaded.convention
    ));
    Ok(loaded)
}

fn read_native<G: Game>(
    file: &[u8],
    requested: Option<Convention>,
    monitor: &mut Monitor,
    findings: &mut Findings,
) -> Result<Loaded<G::Key>> {
    let (stated, start) = native::header(file, findings)?;
    check_game::<G>(&stated.header, stated.key_bytes)?;
    let convention = Format::Native.convention(stated.header.convention, requested)?;
    let mut loaded = Loaded::new(Format::Native, stated.header.policy, file);
    (loaded.keys, loaded.convention) = (stated.header.keys, convention);
    // A wrong count in the header must not allocate more than the file can hold.
    let most = (file.len() / G::Key::BYTES.max(1)) as u64;
    let room = stated.entries.min(most);
    loaded.fill(room, &mut |visit| {
        native::read::<G>(file, &stated, start, monitor, findings, visit)
    })?;
    loaded.header = Some(stated.header);
    Ok(loaded)
}

/// Checks that a native file is for this game.
fn check_game<G: Game>(header: &CacheHeader, key_bytes: usize) -> Result<()> {
    if header.game != G::NAME {
        let what = format!("the file is a cache for {}, not for {}", header.game, G::NAME);
        return Err(Fault::new(what).hint(format!("choose {0} first: `game {0}`", header.game)));
    }
    if key_bytes != G::Key::BYTES {
        let what = format!(
            "the file's keys have {key_bytes} bytes, the keys of {} have {}",
            G::NAME,
            G::Key::BYTES
        );
        return Err(Fault::new(what).hint("use the version of the program that wrote the file"));
    }
    Ok(())
}

/// Detects the format of a file: native by its first bytes, otherwise the seed's format in which the whole file is sound or,
/// for a damaged file, the format in which more bytes are sound.
fn detect<G: Game>(game: &G, path: &Path, file: &[u8], monitor: &Monitor) -> Result<Format> {
    let path = path.display();
    if file.is_empty() {
        return Err(Fault::word(path, "is empty").hint(
            "--format seed-search or --format seed-rote reads it as a seed's cache without entries",
        ));
    }
    if looks_native(file) {
        return Ok(Format::Native);
    }
    let quiet = &mut Monitor { interrupt: monitor.interrupt, progress: &mut |_, _| {} };
    let mut tried = Vec::new();
    for layout in &LAYOUTS {
        let mut findings = Findings::default();
        seed::read(game, layout, file, quiet, &mut findings, &mut |_, _| Ok(()))?;
        tried.push((layout, findings));
    }
    if tried.iter().all(|(_, findings)| findings.damaged == 0) {
        let [search, rote] = LAYOUTS.each_ref().map(|layout| file.len() / layout.bytes());
        return Err(Fault::word(
            path,
            format!("can be read as {search} seed-search records and as {rote} seed-rote records"),
        )
        .hint("choose one: --format seed-search or --format seed-rote"));
    }
    let sound = |layout: &Layout, found: &Findings| found.records * layout.bytes() as u64;
    let (layout, _) = tried
        .iter()
        .max_by_key(|(layout, found)| (found.damaged == 0, sound(layout, found)))
        .filter(|(_, found)| found.records > 0)
        .ok_or_else(|| {
            let first = tried.iter().find_map(|(_, found)| found.damage.first());
            let reason = first.map_or_else(String::new, |place| format!(": {place}"));
            let what = format!("`{path}` does not look like a cache file{reason}");
            Fault::new(what).about_word(path).hint(REMEDY)
        })?;
    Ok(layout.format)
}

/// Whether a file begins with the magic bytes. Half of them suffice, so that a damaged native file is reported as damaged.
fn looks_native(file: &[u8]) -> bool {
    let got = file.len().min(MAGIC.len());
    let same = file.iter().zip(MAGIC).filter(|(byte, magic)| **byte == *magic).count();
    same >= MAGIC.len() / 2 || got > 0 && same == got
}
