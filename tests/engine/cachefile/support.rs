//! Helpers: folders, caches, saving and loading without a monitor.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

pub use crate::common::folder::in_memory as folder;
use plyscope::engine::{
    cachefile::{
        CacheHeader, Convention, Format, LoadOptions, Loaded, Monitor, Saved, load, save, write,
    },
    files::FileFailure,
    game::{Fault, Game, KeyScheme, Keyed, Score, Window},
    table::{AnyTable, Bound, Entry, HashMove, Policy},
};
use tempfile::TempDir;

/// The bytes of a file in `tests/data`.
pub fn fact(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/morris-cachefiles").join(name)
}

pub fn files_in(folder: &TempDir) -> usize {
    fs::read_dir(folder.path()).expect("a folder").count()
}

pub fn score(value: f64) -> Score {
    Score::new(value).expect("a number")
}

pub fn entry(policy: Policy, depth: u8, [value, alpha, beta]: [f64; 3]) -> Entry {
    let value = score(value);
    let window = Window { alpha: score(alpha), beta: score(beta) };
    let (window, bound, depth) = match policy {
        Policy::Interval => (Some(window), Some(Bound::of(value, window)), Some(depth)),
        Policy::Exact => (None, Some(Bound::Exact), Some(depth)),
        Policy::Bound => (None, Some(Bound::of(value, window)), Some(depth)),
        Policy::Rote | Policy::None => (None, None, None),
    };
    let best = depth.and_then(HashMove::new).filter(|_| policy == Policy::Bound);
    Entry { value, window, bound, depth, best }
}

/// A cache with these keys, depths and numbers.
pub fn cache<G: Game>(policy: Policy, entries: &[(G::Key, u8, [f64; 3])]) -> AnyTable<G::Key> {
    let mut table = AnyTable::new(policy);
    for &(key, depth, numbers) in entries {
        let at = Keyed { key, depth: if policy.keys_depth() { depth } else { 0 } };
        table.entries_mut().set(at, entry(policy, depth, numbers)).expect("an entry of the policy");
    }
    table
}

pub fn header<G: Game>(game: &G, policy: Policy) -> CacheHeader {
    CacheHeader::new(game, policy, KeyScheme::Plain, &game.default_weights())
}

pub fn save_as<G: Game>(
    game: &G,
    table: &AnyTable<G::Key>,
    path: &Path,
    format: Format,
    convention: Convention,
) -> Result<Saved, Fault> {
    let header = CacheHeader { convention, ..header(game, table.entries().policy()) };
    let mut watch = Monitor { interrupt: &AtomicBool::new(false), progress: &mut |_, _| {} };
    save(game, table.entries(), path, format, &header, &mut watch)
}

pub fn bytes_as<G: Game>(
    game: &G,
    table: &AnyTable<G::Key>,
    format: Format,
    convention: Convention,
) -> Vec<u8> {
    let mut bytes = Vec::new();
    let header = CacheHeader { convention, ..header(game, table.entries().policy()) };
    let mut watch = Monitor { interrupt: &AtomicBool::new(false), progress: &mut |_, _| {} };
    match write(game, table.entries(), &mut bytes, format, &header, &mut watch) {
        Ok(_) => bytes,
        Err(FileFailure::Io(error)) => panic!("{error}"),
        Err(FileFailure::Fault(fault)) => panic!("{fault}"),
    }
}

pub fn load_as<G: Game>(
    game: &G,
    path: &Path,
    format: Option<Format>,
) -> Result<Loaded<G::Key>, Fault> {
    let options = LoadOptions { format, convention: None, salvage: false };
    load_with(game, path, options)
}

pub fn load_with<G: Game>(
    game: &G,
    path: &Path,
    options: LoadOptions,
) -> Result<Loaded<G::Key>, Fault> {
    let mut watch = Monitor { interrupt: &AtomicBool::new(false), progress: &mut |_, _| {} };
    load(game, path, options, &mut watch)
}

/// Loads bytes from a temporary file.
pub fn load_bytes<G: Game>(
    game: &G,
    bytes: &[u8],
    format: Option<Format>,
) -> Result<Loaded<G::Key>, Fault> {
    let folder = folder();
    let path = folder.path().join("some.cache");
    fs::write(&path, bytes).expect("written");
    load_as(game, &path, format)
}

/// An entry with its numbers as bits, because `-0.0` and `0.0` differ.
pub type Bits<K> = (Keyed<K>, Option<u8>, Option<Bound>, Vec<u64>);

/// Bytes as hexadecimal text.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// All entries with their numbers as bits.
pub fn bits<K: plyscope::engine::game::Key>(
    entries: impl Iterator<Item = (Keyed<K>, Entry)>,
) -> Vec<Bits<K>> {
    let numbers = |entry: &Entry| {
        let window = entry.window.map(|window| [window.alpha, window.beta]);
        let scores = std::iter::once(entry.value).chain(window.into_iter().flatten());
        scores.map(|score| score.get().to_bits()).collect()
    };
    entries.map(|(at, entry)| (at, entry.depth, entry.bound, numbers(&entry))).collect()
}
