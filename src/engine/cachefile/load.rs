use std::{fs::File, io::Read, path::Path};

use super::{
    CacheHeader, Convention, Format,
    detect::{detect, lookalike},
    native::Reader,
    seed::{self, Layout},
    stream::{Damage, Trouble, Watch},
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
}

/// A cache from a file, read completely and checked.
#[derive(Clone, Debug)]
pub struct Loaded<K> {
    /// The file's format.
    pub format: Format,
    /// The entries' memo policy.
    pub policy: Policy,
    /// Which positions share a key; [`KeyScheme::Colour`] for the seeds' files.
    pub keys: KeyScheme,
    /// The values' convention.
    pub convention: Convention,
    /// The entries in the file's order, in a memo of their policy that a caller may also take over as it is.
    pub memo: AnyMemo<K>,
    /// Records that repeat an earlier key; they replaced its value.
    pub duplicates: u64,
    /// What a native file says of itself.
    pub header: Option<CacheHeader>,
    /// Length of the file.
    pub bytes: u64,
    /// What a person should know, in sentences.
    pub notes: Vec<String>,
}

impl<K: Key> Loaded<K> {
    /// The entries in the file's order, each key once.
    pub fn entries(&self) -> impl Iterator<Item = (Keyed<K>, Entry)> + '_ {
        self.memo.entries().iter()
    }
}

/// Loads a cache file. Nothing is changed anywhere: the caller puts the entries into its cache when all is well.
///
/// # Errors
/// Files that are damaged, truncated, of another game or another format than asked for: with the byte offset, the
/// record's number and the remedy. What the system refuses, and an interrupt.
pub fn load<G: Game>(
    game: &G,
    path: &Path,
    options: LoadOptions,
    watch: &mut Watch,
) -> Result<Loaded<G::Key>, Fault> {
    let format = match options.format {
        Some(format) => format,
        None => detect(game, path, options.policy, watch.interrupt)?,
    };
    let (file, bytes) = files::open(path)?;
    let loaded = match format.layout() {
        Some(layout) => load_seed(game, file, bytes, layout, options, watch),
        None => load_native(game, file, bytes, options, watch),
    };
    loaded.map_err(|trouble| match trouble {
        Trouble::Damage(damage) if options.format == Some(format) => {
            misread(game, path, format, damage, watch)
        }
        trouble => trouble.fault(path),
    })
}

/// Damage in a file whose format the user gave: perhaps it is another.
fn misread<G: Game>(game: &G, path: &Path, given: Format, damage: Damage, watch: &Watch) -> Fault {
    match lookalike(game, path, given, watch.interrupt) {
        Ok(None) => damage.fault(path),
        Ok(Some(other)) => damage.fault(path).hint(format!(
            "this looks like a {other} file: use --format {other}"
        )),
        Err(fault) => fault,
    }
}

/// Collects entries; counts those that replace one.
struct Gathering<K> {
    memo: AnyMemo<K>,
    duplicates: u64,
}

impl<K: Key> Gathering<K> {
    fn new(policy: Policy, records: u64) -> Self {
        let mut memo = AnyMemo::new(policy);
        memo.entries_mut()
            .reserve(usize::try_from(records).unwrap_or(0));
        Self {
            memo,
            duplicates: 0,
        }
    }

    fn put(&mut self, at: Keyed<K>, entry: Entry) -> Result<(), Fault> {
        let replaced = self.memo.entries_mut().set(at, entry)?;
        self.duplicates += u64::from(replaced.is_some());
        Ok(())
    }

    fn notes(&self) -> Vec<String> {
        match self.duplicates {
            0 => Vec::new(),
            n => vec![format!(
                "records that repeat an earlier key: {n}; the later one counts"
            )],
        }
    }
}

fn load_seed<G: Game>(
    game: &G,
    mut file: File,
    bytes: u64,
    layout: Layout,
    options: LoadOptions,
    watch: &mut Watch,
) -> Result<Loaded<G::Key>, Trouble> {
    let mut gathering = Gathering::new(layout.policy(), bytes / layout.bytes() as u64);
    let source: &mut dyn Read = &mut file;
    seed::read(game, layout, source, bytes, watch, &mut |at, entry| {
        gathering.put(at, entry)
    })?;
    let convention = options.convention.unwrap_or(Convention::Seed);
    let mut notes = gathering.notes();
    notes.push(format!(
        "the file does not state rules, weights or convention: values are taken under the convention `{convention}`"
    ));
    Ok(Loaded {
        format: layout.format(),
        policy: layout.policy(),
        keys: KeyScheme::Colour,
        convention,
        memo: gathering.memo,
        duplicates: gathering.duplicates,
        header: None,
        bytes,
        notes,
    })
}

fn load_native<G: Game>(
    game: &G,
    file: File,
    bytes: u64,
    options: LoadOptions,
    watch: &mut Watch,
) -> Result<Loaded<G::Key>, Trouble> {
    let mut reader = Reader::open(file)?;
    let header = reader.header().header.clone();
    fits::<G>(&header, reader.header().key_bytes, options.convention)?;
    let room = bytes / reader.record_bytes() as u64;
    let records = reader.header().entries.unwrap_or(room).min(room);
    let mut gathering = Gathering::new(header.policy, records);
    reader.read(game, bytes, watch, &mut |at, entry| {
        gathering.put(at, entry)
    })?;
    Ok(Loaded {
        format: Format::Native,
        policy: header.policy,
        keys: header.keys,
        convention: header.convention,
        notes: gathering.notes(),
        memo: gathering.memo,
        duplicates: gathering.duplicates,
        header: Some(header),
        bytes,
    })
}

/// Whether a whole native file is one for this game, read in the convention it states.
fn fits<G: Game>(
    header: &CacheHeader,
    key_bytes: usize,
    asked: Option<Convention>,
) -> Result<(), Fault> {
    if header.game != G::NAME {
        let what = format!(
            "the file is a cache for {}, not for {}",
            header.game,
            G::NAME
        );
        return Err(Fault::new(what).hint(format!("set up its game first: `game {}`", header.game)));
    }
    if key_bytes != G::KEY_BYTES {
        let what = format!(
            "the file's keys have {key_bytes} bytes, those of {} {}",
            G::NAME,
            G::KEY_BYTES
        );
        return Err(Fault::new(what).hint("use the version of the program that wrote it"));
    }
    match asked {
        Some(asked) if asked != header.convention => {
            let what = format!(
                "the file states the convention `{}`, not `{asked}`",
                header.convention
            );
            Err(Fault::new(what).hint("leave --convention out: a native file says it itself"))
        }
        _ => Ok(()),
    }
}
