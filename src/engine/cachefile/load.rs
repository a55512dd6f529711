use std::{
    io::{Read, Seek, SeekFrom},
    path::Path,
};

use serde::Serialize;

use super::{
    CacheHeader, Convention, Findings, Format,
    findings::{REMEDY, Watch},
    native::{self, BlockReader, MAGIC, damaged_header},
    seed::{self, LAYOUTS, Layout},
};
use crate::engine::{
    files::{self, Doing},
    game::{Fault, Game, Key, KeyScheme, Keyed},
    memo::{AnyMemo, Entry, Policy},
};

/// How to read a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoadOptions {
    /// The format; `None` to find it out, which an empty file does not tell.
    pub format: Option<Format>,
    /// The convention of the values; `None` for what a native file states and the seed's own for the seeds' files. A
    /// native file that states another is refused.
    pub convention: Option<Convention>,
    /// Whether damaged blocks and records are left out and named; else a damaged file is refused.
    pub salvage: bool,
}

/// A cache from a file, read completely and checked.
#[derive(Clone, Debug)]
pub struct Loaded<K: Key> {
    /// The file's format.
    pub format: Format,
    /// The entries' memo policy.
    pub policy: Policy,
    /// Which positions share a key; [`KeyScheme::Colour`] for the seeds' files.
    pub keys: KeyScheme,
    /// The values' convention: what a native file states, or what was asked for.
    pub convention: Convention,
    /// The entries in a memo of their policy, in the file's order; a caller may take it over as it is.
    pub memo: AnyMemo<K>,
    /// Records that repeat an earlier key; they replaced its value.
    pub duplicates: u64,
    /// What a native file says of itself; none where that is damaged.
    pub header: Option<CacheHeader>,
    /// Length of the file.
    pub bytes: u64,
    /// What is sound in it and what is not.
    pub findings: Findings,
    /// What a person should know, in sentences.
    pub notes: Vec<String>,
}

impl<K: Key> Loaded<K> {
    fn new(format: Format, policy: Policy, file: &[u8]) -> Self {
        Self {
            format,
            policy,
            keys: KeyScheme::Colour,
            convention: Convention::Seed,
            memo: AnyMemo::new(policy),
            duplicates: 0,
            header: None,
            bytes: file.len() as u64,
            findings: Findings::default(),
            notes: Vec::new(),
        }
    }

    /// The entries in the file's order, each key once.
    pub fn entries(&self) -> impl Iterator<Item = (Keyed<K>, Entry)> + '_ {
        self.memo.entries().iter()
    }

    /// What the values depend on: as the file says, or else as it is in the session. Of a native file whose header is
    /// damaged no more is known than the policy.
    pub fn header_or(&self, here: &CacheHeader) -> CacheHeader {
        let mut header = self.header.clone().unwrap_or_else(|| here.clone());
        header.policy = self.policy;
        if self.format != Format::Native {
            (header.keys, header.convention) = (self.keys, self.convention);
        }
        header
    }

    /// Fills the memo with the entries that `read` hands on, after making room for `room` of them.
    fn fill(
        &mut self,
        room: u64,
        read: impl FnOnce(&mut dyn FnMut(Keyed<K>, Entry) -> Result<(), Fault>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let entries = self.memo.entries_mut();
        entries.reserve(usize::try_from(room).unwrap_or(0));
        let mut read = Some(read);
        self.duplicates =
            entries.fill(&mut |take| read.take().map_or(Ok(()), |read| read(take)))?;
        if self.duplicates > 0 {
            self.notes.push(format!(
                "records that repeat an earlier key: {}; the later one counts",
                self.duplicates
            ));
        }
        Ok(())
    }
}

/// Loads a cache file. Nothing is changed anywhere: the caller puts the entries into its cache when all is well.
///
/// # Errors
/// Files that are damaged, truncated, of another game or another format than asked for: with the byte offset, the
/// record's number and the remedy; to salvage, only those in which nothing is sound. What the system refuses, and an
/// interrupt.
pub fn load<G: Game>(
    game: &G,
    path: &Path,
    options: LoadOptions,
    watch: &mut Watch,
) -> Result<Loaded<G::Key>, Fault> {
    let file = files::read(path)?;
    let named = |fault: Fault| fault.within(format!("`{}`", path.display()));
    let format = match options.format {
        Some(format) => format,
        None => detect(game, (path, &file), watch)?,
    };
    let mut findings = Findings::new(options.salvage);
    let read = match format.layout() {
        Some(layout) => read_seed(game, &file, layout, options, watch, &mut findings),
        None => read_native::<G>(&file, options.convention, watch, &mut findings),
    };
    let fault = match read {
        Ok(loaded) => return Ok(Loaded { findings, ..loaded }),
        // Whole, but not for here.
        Err(fault) if findings.damaged == 0 => return Err(fault),
        Err(fault) => named(fault),
    };
    if options.format.is_some()
        && let Some(other) = reads_as(game, &file, watch)?.first()
        && *other != format
    {
        return Err(fault.hint(format!("this looks like a {other} file: use --format {other}")));
    }
    Err(fault)
}

/// Loads a cache as [`load`] does from bytes within another file: `place` says in words where in it they stand, `remedy`
/// what to do where they are damaged.
///
/// # Errors
/// As [`load`]; damage with the place and the remedy.
pub fn load_part<G: Game>(
    bytes: &[u8],
    (place, remedy): (&str, &'static str),
    watch: &mut Watch,
) -> Result<Loaded<G::Key>, Fault> {
    let mut findings = Findings::new(false);
    read_native::<G>(bytes, None, watch, &mut findings).map_err(|fault| {
        if findings.damaged > 0 { fault.within(place).hint(remedy) } else { fault }
    })
}

fn read_seed<G: Game>(
    game: &G,
    file: &[u8],
    layout: &Layout,
    options: LoadOptions,
    watch: &mut Watch,
    findings: &mut Findings,
) -> Result<Loaded<G::Key>, Fault> {
    let mut loaded = Loaded::new(layout.format, layout.policy, file);
    loaded.convention = options.convention.unwrap_or(Convention::Seed);
    let room = file.len() / layout.bytes();
    loaded.fill(room as u64, |visit| seed::read(game, layout, file, watch, findings, visit))?;
    loaded.notes.push(format!(
        "the file does not state rules, weights or convention: values are taken under the convention `{}`",
        loaded.convention
    ));
    Ok(loaded)
}

fn read_native<G: Game>(
    file: &[u8],
    asked: Option<Convention>,
    watch: &mut Watch,
    findings: &mut Findings,
) -> Result<Loaded<G::Key>, Fault> {
    let (mut loaded, mut reader, promised) = match native::header(file)? {
        Ok((stated, start)) => {
            fits::<G>(&stated.header, stated.key_bytes, asked)?;
            let mut loaded = Loaded::new(Format::Native, stated.header.policy, file);
            (loaded.keys, loaded.convention) = (stated.header.keys, stated.header.convention);
            let reader = BlockReader::new::<G>(file, start, loaded.policy);
            loaded.header = Some(stated.header);
            (loaded, reader, stated.entries)
        }
        Err(damaged) if findings.salvage => {
            let reader = BlockReader::after_damage::<G>(file, damaged, findings)?;
            (Loaded::new(Format::Native, reader.policy(), file), reader, None)
        }
        Err(damaged) => {
            let refused = findings.note(damaged_header(0, damaged.clone()));
            return Err(refused.err().unwrap_or_else(|| Fault::new(damaged)));
        }
    };
    // No more than the file has room for, whatever it promises.
    let most = (file.len() / G::Key::BYTES.max(1)) as u64;
    let room = promised.unwrap_or(0).min(most);
    loaded.fill(room, |visit| reader.read::<G>(promised, watch, findings, visit))?;
    Ok(loaded)
}

/// Whether a whole native file is one for this game, read in the convention it states.
fn fits<G: Game>(
    header: &CacheHeader,
    key_bytes: usize,
    asked: Option<Convention>,
) -> Result<(), Fault> {
    if header.game != G::NAME {
        let what = format!("the file is a cache for {}, not for {}", header.game, G::NAME);
        return Err(Fault::new(what).hint(format!("set up its game first: `game {}`", header.game)));
    }
    if key_bytes != G::Key::BYTES {
        let what = format!(
            "the file's keys have {key_bytes} bytes, those of {} {}",
            G::NAME,
            G::Key::BYTES
        );
        return Err(Fault::new(what).hint("use the version of the program that wrote it"));
    }
    match asked {
        Some(asked) if asked != header.convention => {
            let what =
                format!("the file states the convention `{}`, not `{asked}`", header.convention);
            Err(Fault::new(what).hint("leave --convention out: a native file says it itself"))
        }
        _ => Ok(()),
    }
}

/// Finds out a file's format: the one it reads as from end to end or, of a damaged seed's file, the one of which more
/// reads well.
fn detect<G: Game>(
    game: &G,
    (path, file): (&Path, &[u8]),
    watch: &mut Watch,
) -> Result<Format, Fault> {
    if file.is_empty() {
        return Err(Fault::new(format!("`{}` is empty", path.display())).hint(
            "--format seed-search or --format seed-rote reads it as a seed's cache without entries",
        ));
    }
    match reads_as(game, file, watch)?.as_slice() {
        [format] => return Ok(*format),
        [_, ..] => {
            let [search, rote] = LAYOUTS.each_ref().map(|layout| file.len() / layout.bytes());
            return Err(Fault::new(format!(
                "`{}` can be read as {search} seed-search records and as {rote} seed-rote records",
                path.display()
            ))
            .hint("say which it is: --format seed-search or --format seed-rote"));
        }
        [] => {}
    }
    let (mut most, mut found) = (0, Format::SeedSearch);
    let mut first = String::new();
    for layout in &LAYOUTS {
        let mut findings = Findings::new(true);
        scan(game, file, layout, watch, &mut findings)?;
        let sound = findings.records * layout.bytes() as u64;
        if sound > most {
            (most, found) = (sound, layout.format);
        }
        if let (true, Some(place)) = (first.is_empty(), findings.damage.first()) {
            first = format!(": {place}");
        }
    }
    if most == 0 {
        let what = format!("`{}` does not look like a cache file{first}", path.display());
        return Err(Fault::new(what).hint(REMEDY));
    }
    Ok(found)
}

/// The formats that a file reads as: ours by its first bytes, the seeds' where every record reads well.
fn reads_as<G: Game>(game: &G, file: &[u8], watch: &mut Watch) -> Result<Vec<Format>, Fault> {
    if looks_native(file) {
        return Ok(vec![Format::Native]);
    }
    let mut formats = Vec::new();
    for layout in &LAYOUTS {
        let mut findings = Findings::new(false);
        match scan(game, file, layout, watch, &mut findings) {
            Ok(()) => formats.push(layout.format),
            Err(_) if findings.damaged > 0 => {}
            Err(interrupted) => return Err(interrupted),
        }
    }
    Ok(formats)
}

/// Whether a file begins as ours do; half of the first bytes are enough, so that damage there is reported as damage.
fn looks_native(file: &[u8]) -> bool {
    let got = file.len().min(MAGIC.len());
    let same = file.iter().zip(MAGIC).filter(|(byte, magic)| **byte == *magic).count();
    same >= MAGIC.len() / 2 || got > 0 && same == got
}

/// Reads a seed's file without keeping anything.
fn scan<G: Game>(
    game: &G,
    file: &[u8],
    layout: &Layout,
    watch: &Watch,
    findings: &mut Findings,
) -> Result<(), Fault> {
    let watch = &mut Watch { interrupt: watch.interrupt, progress: &mut |_, _| {} };
    seed::read(game, layout, file, watch, findings, &mut |_, _| Ok(()))
}

/// What can be said of a cache file without loading it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CacheInfo {
    /// Its format; none where its length allows several of the seeds', or neither.
    pub format: Option<Format>,
    /// Its length in bytes.
    pub bytes: u64,
    /// Number of records, as a native file's header or end mark says, or as the length of a seeds' file says.
    pub entries: Option<u64>,
    /// What a native file states: what the values depend on, and the program that wrote it.
    #[serde(skip)]
    pub stated: Option<(CacheHeader, String)>,
    /// Whether a native file ends with its end mark: one that was cut short does not.
    pub complete: Option<bool>,
    /// The seeds' formats that the length of a file without a header allows, with the number of records in each.
    pub possible: Vec<(Format, u64)>,
}

/// Describes a cache file by its first and last bytes.
///
/// # Errors
/// A damaged header, and what the system refuses.
pub fn info(path: &Path) -> Result<CacheInfo, Fault> {
    let (mut file, bytes) = files::open(path)?;
    let mut part = |from: u64, most: usize| {
        let mut part = Vec::new();
        let read = file
            .seek(SeekFrom::Start(from))
            .and_then(|_| file.by_ref().take(most as u64).read_to_end(&mut part));
        read.map(|_| part).map_err(|error| files::explain(path, Doing::Read, &error))
    };
    let head = part(0, native::LONGEST_HEAD)?;
    if !looks_native(&head) {
        let whole = |layout: &&Layout| bytes.is_multiple_of(layout.bytes() as u64);
        let records = |layout: &Layout| (layout.format, bytes / layout.bytes() as u64);
        let possible: Vec<_> = LAYOUTS.iter().filter(whole).map(records).collect();
        let (format, entries) = match possible[..] {
            [(format, entries)] => (Some(format), Some(entries)),
            _ => (None, None),
        };
        return Ok(CacheInfo { format, bytes, entries, possible, ..CacheInfo::default() });
    }
    let (stated, _) = native::header(&head)?.map_err(|damaged| {
        let damage = damaged_header(0, damaged);
        Fault::new(format!("`{}`: {damage}", path.display())).hint(REMEDY)
    })?;
    let counted = native::counted(&part(bytes.saturating_sub(native::END as u64), native::END)?);
    Ok(CacheInfo {
        bytes,
        format: Some(Format::Native),
        entries: stated.entries.or(counted),
        stated: Some((stated.header, stated.writer)),
        complete: Some(counted.is_some()),
        possible: Vec::new(),
    })
}
