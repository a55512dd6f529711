use std::{io::Read, path::Path};

use super::{
    CacheHeader, Convention, Format,
    source::{Source, Stated, open_native},
    stream::{Trouble, Watch},
};
use crate::engine::{
    game::{Fault, Game, Key, KeyScheme, Keyed},
    memo::{AnyMemo, Entry, Policy, Reading},
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
    /// Whether a cache of the policy `bound` is to be one of hashes, in their order and not in the file's.
    pub hashes: bool,
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
    /// The values' convention.
    pub convention: Convention,
    /// The entries in a memo of their policy that a caller may also take over as it is; where it is not one of hashes, in
    /// the file's order.
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
    /// The entries in the memo's order, each key once.
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
    let mut source = Source::open(game, path, options, watch)?;
    let (stated, room) = (source.stated.clone(), source.room());
    gather(stated, room, options.hashes, &mut |take| {
        source.read(watch, take)
    })
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
    hashes: bool,
    watch: &mut Watch,
) -> Result<Loaded<G::Key>, Fault> {
    let fault = |trouble| match trouble {
        Trouble::Damage(damage) => {
            Fault::new(format!("{}: {}", part.place, damage.reason)).hint(part.remedy)
        }
        trouble => trouble.fault(part.path),
    };
    let opened = open_native::<G, _>(part.source, part.bytes, None);
    let (stated, mut reader) = opened.map_err(fault)?;
    let most = part.bytes / reader.record_bytes() as u64;
    let room = stated.entries.unwrap_or(most).min(most);
    gather(stated, room, hashes, &mut |take| {
        reader.read(game, part.bytes, watch, take).map_err(fault)
    })
}

/// Puts records that `read` hands over into a new cache with room for `room` entries.
fn gather<K: Key>(
    stated: Stated,
    room: u64,
    hashes: bool,
    read: &mut Reading<'_, K>,
) -> Result<Loaded<K>, Fault> {
    let mut memo = AnyMemo::with(stated.policy, hashes);
    let entries = memo.entries_mut();
    entries.reserve(usize::try_from(room).unwrap_or(0));
    let duplicates = entries.fill(read)?;
    let notes = notes(&stated, duplicates);
    Ok(Loaded {
        format: stated.format,
        policy: stated.policy,
        keys: stated.keys,
        convention: stated.convention,
        memo,
        duplicates,
        header: stated.header,
        bytes: stated.bytes,
        notes,
    })
}

fn notes(stated: &Stated, duplicates: u64) -> Vec<String> {
    let repeated = (duplicates > 0)
        .then(|| format!("records that repeat an earlier key: {duplicates}; the later one counts"));
    let unstated = stated.header.is_none().then(|| {
        format!(
            "the file does not state rules, weights or convention: values are taken under the convention `{}`",
            stated.convention
        )
    });
    repeated.into_iter().chain(unstated).collect()
}
