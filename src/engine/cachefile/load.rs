use std::{io::Read, path::Path};

use serde::Serialize;

use super::{
    CacheHeader, Convention, Findings, Format,
    native::{self, BlockReader, MAGIC},
    seed::{self, LAYOUTS, Layout},
    stream::{REMEDY, ReadError, Watch, read_up_to},
};
use crate::engine::{
    files,
    game::{Fault, Game, Key, KeyScheme, Keyed},
    memo::{AnyMemo, Entry, Policy},
};

/// How to read a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadOptions {
    /// The format; `None` to find it out.
    pub format: Option<Format>,
    /// The convention of the values; `None` for what a native file states and the seed's own for the seeds' files. A
    /// native file that states another is refused.
    pub convention: Option<Convention>,
    /// The memo policy in force: decides what an empty file is.
    pub policy: Policy,
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
    fn new(format: Format, policy: Policy, bytes: u64) -> Self {
        Self {
            format,
            policy,
            keys: KeyScheme::Colour,
            convention: Convention::Seed,
            memo: AnyMemo::new(policy),
            duplicates: 0,
            header: None,
            bytes,
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

    fn add_notes(&mut self) {
        if self.duplicates > 0 {
            self.notes.push(format!(
                "records that repeat an earlier key: {}; the later one counts",
                self.duplicates
            ));
        }
        if self.format != Format::Native {
            self.notes.push(format!(
                "the file does not state rules, weights or convention: values are taken under the convention `{}`",
                self.convention
            ));
        }
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
    let format = match options.format {
        Some(format) => format,
        None => detect(game, path, options, watch)?,
    };
    let read = match format.layout() {
        Some(layout) => read_seed(game, path, layout, options, watch),
        None => read_native(game, files::open(path)?, options.convention, options.salvage, watch),
    };
    let mut loaded = read.map_err(|trouble| {
        let other = match trouble {
            ReadError::Damage(_) if options.format.is_some() => reads_as(game, path, watch),
            _ => Ok(Vec::new()),
        };
        let fault = trouble.fault(path);
        match other.as_deref() {
            Ok([other, ..]) if *other != format => {
                fault.hint(format!("this looks like a {other} file: use --format {other}"))
            }
            Ok(_) => fault,
            Err(interrupted) => interrupted.clone(),
        }
    })?;
    loaded.add_notes();
    Ok(loaded)
}

/// A native cache within another file, read from where it begins.
#[derive(Debug)]
pub struct Part<'a, R> {
    /// The file.
    pub path: &'a Path,
    /// Stands at the cache's first byte, and ends after its last one.
    pub source: R,
    /// Length of the cache in bytes.
    pub bytes: u64,
    /// Where in the file it stands, in words.
    pub place: String,
    /// What to do where it is damaged.
    pub remedy: &'static str,
}

/// Loads a cache as [`load`] does, from within another file.
///
/// # Errors
/// As [`load`]; damage with the part's place and remedy.
pub fn load_part<G: Game, R: Read>(
    game: &G,
    part: Part<'_, R>,
    watch: &mut Watch,
) -> Result<Loaded<G::Key>, Fault> {
    let read = read_native(game, (part.source, part.bytes), None, false, watch);
    let mut loaded = read.map_err(|trouble| match trouble {
        ReadError::Damage(damage) => {
            Fault::new(format!("{}: {damage}", part.place)).hint(part.remedy)
        }
        trouble => trouble.fault(part.path),
    })?;
    loaded.add_notes();
    Ok(loaded)
}

fn read_seed<G: Game>(
    game: &G,
    path: &Path,
    layout: &Layout,
    options: LoadOptions,
    watch: &mut Watch,
) -> Result<Loaded<G::Key>, ReadError> {
    let (mut file, bytes) = files::open(path)?;
    let mut loaded = Loaded::new(layout.format, layout.policy, bytes);
    loaded.convention = options.convention.unwrap_or(Convention::Seed);
    let mut findings = Findings::new(options.salvage);
    let room = bytes / layout.bytes as u64;
    loaded.duplicates = fill(&mut loaded.memo, room, |visit| {
        let source = (&mut file as _, bytes);
        seed::read(game, layout, source, watch, &mut findings, visit)
    })?;
    loaded.findings = findings;
    Ok(loaded)
}

fn read_native<G: Game>(
    game: &G,
    (source, bytes): (impl Read, u64),
    asked: Option<Convention>,
    salvage: bool,
    watch: &mut Watch,
) -> Result<Loaded<G::Key>, ReadError> {
    let mut reader = BlockReader::new(source);
    let mut findings = Findings::new(salvage);
    let header = match reader.header() {
        Ok(header) => Ok(header),
        Err(ReadError::Damage(damage)) if salvage => Err(damage),
        Err(trouble) => return Err(trouble),
    };
    let (mut loaded, promised) = match header {
        Ok(file) => {
            fits::<G>(&file.header, file.key_bytes, asked)?;
            let mut loaded = Loaded::new(Format::Native, file.header.policy, bytes);
            (loaded.keys, loaded.convention) = (file.header.keys, file.header.convention);
            loaded.header = Some(file.header);
            (loaded, file.entries)
        }
        Err(damage) => {
            let policy = reader.policy_of_blocks::<G>(damage, &mut findings)?;
            (Loaded::new(Format::Native, policy, bytes), None)
        }
    };
    // No more than the file has room for, whatever it promises.
    let most = bytes / G::Key::BYTES.max(1) as u64;
    let room = promised.unwrap_or(0).min(most);
    loaded.duplicates = fill(&mut loaded.memo, room, |visit| {
        reader.read(game, (bytes, promised), watch, &mut findings, visit)
    })?;
    loaded.findings = findings;
    Ok(loaded)
}

/// Fills a memo with what `read` hands on; says how many records repeat an earlier key.
fn fill<K: Key>(
    memo: &mut AnyMemo<K>,
    room: u64,
    read: impl FnOnce(&mut dyn FnMut(Keyed<K>, Entry) -> Result<(), Fault>) -> Result<(), ReadError>,
) -> Result<u64, ReadError> {
    let entries = memo.entries_mut();
    entries.reserve(usize::try_from(room).unwrap_or(0));
    let (mut read, mut trouble) = (Some(read), None);
    let filled = entries.fill(&mut |take| match read.take().map(|read| read(take)) {
        Some(Err(found)) => {
            trouble = Some(found);
            Err(Fault::new("reading stopped"))
        }
        _ => Ok(()),
    });
    filled.map_err(|fault| trouble.unwrap_or(ReadError::Fault(fault)))
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
///
/// An empty file is a seeds' file without records, a rote one if that is the policy in force.
fn detect<G: Game>(
    game: &G,
    path: &Path,
    options: LoadOptions,
    watch: &mut Watch,
) -> Result<Format, Fault> {
    let length = files::open(path)?.1;
    match reads_as(game, path, watch)?.as_slice() {
        [format] => return Ok(*format),
        [_, ..] if length > 0 => return Err(ambiguous(path, length)),
        [_, ..] if options.policy == Policy::Rote => return Ok(Format::SeedRote),
        [_, ..] => return Ok(Format::SeedSearch),
        [] => {}
    }
    let mut tried = Vec::new();
    // The last of equals is taken.
    for layout in LAYOUTS.iter().rev() {
        let mut findings = Findings::new(true);
        let scanned = scan(game, path, layout, watch, &mut findings);
        scanned.map_err(|trouble| trouble.fault(path))?;
        let sound = findings.records * layout.bytes as u64;
        tried.push((sound, layout.format, findings.damage));
    }
    match tried.into_iter().max_by_key(|(sound, ..)| *sound) {
        Some((0, _, damage)) => {
            let first = damage.first().map(|place| format!(": {place}"));
            let what = format!("`{}` does not look like a cache file", path.display());
            Err(Fault::new(what + &first.unwrap_or_default()).hint(REMEDY))
        }
        Some((_, format, _)) => Ok(format),
        None => Ok(Format::SeedSearch),
    }
}

/// The formats that a file reads as: ours by its first bytes, the seeds' where every record reads well.
fn reads_as<G: Game>(game: &G, path: &Path, watch: &mut Watch) -> Result<Vec<Format>, Fault> {
    if looks_native(path)? {
        return Ok(vec![Format::Native]);
    }
    let mut formats = Vec::new();
    for layout in &LAYOUTS {
        match scan(game, path, layout, watch, &mut Findings::new(false)) {
            Ok(()) => formats.push(layout.format),
            Err(ReadError::Damage(_)) => {}
            Err(trouble) => return Err(trouble.fault(path)),
        }
    }
    Ok(formats)
}

/// Whether a file begins as ours do; half of the first bytes are enough, so that damage there is reported as damage.
fn looks_native(path: &Path) -> Result<bool, Fault> {
    let (mut file, _) = files::open(path)?;
    let mut head = [0; MAGIC.len()];
    let trouble = |error| ReadError::from(error).fault(path);
    let got = read_up_to(&mut file, &mut head).map_err(trouble)?;
    let same = head[..got].iter().zip(MAGIC);
    let same = same.filter(|(byte, magic)| *byte == magic).count();
    Ok(same >= MAGIC.len() / 2 || got > 0 && same == got)
}

/// Reads a seed's file without keeping anything.
fn scan<G: Game>(
    game: &G,
    path: &Path,
    layout: &Layout,
    watch: &Watch,
    findings: &mut Findings,
) -> Result<(), ReadError> {
    let (mut file, length) = files::open(path)?;
    let watch = &mut Watch { interrupt: watch.interrupt, progress: &mut |_, _| {} };
    let source = (&mut file as _, length);
    seed::read(game, layout, source, watch, findings, &mut |_, _| Ok(()))
}

fn ambiguous(path: &Path, length: u64) -> Fault {
    let [search, rote] = LAYOUTS.each_ref().map(|layout| length / layout.bytes as u64);
    Fault::new(format!(
        "`{}` can be read as {search} seed-search records and as {rote} seed-rote records",
        path.display(),
    ))
    .hint("say which it is: --format seed-search or --format seed-rote")
}

/// What can be said of a cache file without loading it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CacheInfo {
    /// Length of the file.
    pub bytes: u64,
    /// What is in it.
    pub contents: Contents,
}

/// What is in a cache file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Contents {
    /// A file of our own format.
    Native {
        /// What the values depend on.
        header: CacheHeader,
        /// The program that wrote it.
        writer: String,
        /// Number of records as its header or its end mark says.
        entries: Option<u64>,
        /// Whether it ends with its end mark: a file cut short does not.
        complete: bool,
    },
    /// A file without a header: the seeds' formats its length allows, with the number of records in each. None where it
    /// can be neither.
    Seed(Vec<(Format, u64)>),
}

/// Describes a cache file by its first and last bytes.
///
/// # Errors
/// A damaged header, and what the system refuses.
pub fn info(path: &Path) -> Result<CacheInfo, Fault> {
    let (_, bytes) = files::open(path)?;
    let contents = if looks_native(path)? {
        native_contents(path, bytes).map_err(|trouble| trouble.fault(path))?
    } else {
        let whole = |layout: &&Layout| bytes.is_multiple_of(layout.bytes as u64);
        let possible = LAYOUTS.iter().filter(whole);
        let records = |layout: &Layout| (layout.format, bytes / layout.bytes as u64);
        Contents::Seed(possible.map(records).collect())
    };
    Ok(CacheInfo { bytes, contents })
}

fn native_contents(path: &Path, bytes: u64) -> Result<Contents, ReadError> {
    let (mut file, _) = files::open(path)?;
    let header = BlockReader::new(&file).header()?;
    let counted = native::counted(&mut file, bytes)?;
    Ok(Contents::Native {
        header: header.header,
        writer: header.writer,
        entries: header.entries.or(counted),
        complete: counted.is_some(),
    })
}
