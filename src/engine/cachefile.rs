//! Cache files: the native format and the two formats of the seeds.
//!
//! | format | written by | holds |
//! |---|---|---|
//! | `seed-search` | seed 000 | records of the policy `interval`, nothing else |
//! | `seed-rote` | seed 001 | records of the policy `rote`, nothing else |
//! | `native` | Plyscope | records of any policy, a header with everything they depend on, checksums |
//!
//! `sessions/caches.md` describes the formats byte by byte. Values keep their bits, `-0.0` included; records are in order of
//! insertion. If a key occurs twice, the later record counts, at the place of the first.
//!
//! The keys of the seeds' records always have white to move. A position with black to move is stored under the key of its
//! colour-swapped twin, with its values negated under [`Convention::Seed`]. The seeds accept truncated files, impossible
//! boards, NaN and infinities (defect D11); Plyscope reports them as errors with byte offset and record number.

mod embedded;
mod findings;
mod header;
mod join;
mod load;
mod native;
mod record;
mod seed;

use std::{io::Write, path::Path};

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString};

pub use embedded::{CACHE_MARKER, Document, write_document};
pub use findings::{DamagedPlace, Findings, Monitor, unmonitored};
pub use header::CacheHeader;
pub use join::{JoinedEntry, full_join, header_differences, same_bits};
pub use load::{LoadOptions, Loaded, load, load_embedded};

use self::seed::LAYOUTS;
use super::{
    files::{FileFailure, write_atomically},
    game::{Fault, Game, Result},
    table::{Entries, Entry, Policy},
};

/// The format of a cache file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Display, EnumString)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Format {
    /// Seed 000's search cache: 32-byte records of the policy `interval`.
    SeedSearch,
    /// Seed 001's rote table: 15-byte records of the policy `rote`.
    SeedRote,
    /// Plyscope's format: any policy, self-describing, with checksums that detect every damaged byte.
    Native,
}

impl Format {
    fn layout(self) -> Option<&'static seed::Layout> {
        LAYOUTS.iter().find(|layout| layout.format == self)
    }

    /// The convention of a file's values. A native file states its `own`, and requesting another one is an error. A seed's file
    /// has the requested one, by default [`Convention::Seed`].
    pub fn convention(self, own: Convention, requested: Option<Convention>) -> Result<Convention> {
        match requested {
            _ if self != Self::Native => Ok(requested.unwrap_or(Convention::Seed)),
            Some(other) if other != own => {
                Err(Fault::new(format!("the values are of the convention `{own}`, not `{other}`"))
                    .hint("leave --convention out: a native file states its own"))
            }
            _ => Ok(own),
        }
    }
}

/// The point of view of the values of positions with black to move, which share an entry with their colour-swapped twin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Display, EnumString)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Convention {
    /// White's point of view, as seed 000 writes and reads values: (−value, −beta, −alpha) for black (defect D2).
    Seed,
    /// The point of view of the side to move.
    Relative,
}

impl Convention {
    /// Converts an entry between a position with black to move and its colour-swapped twin, in both directions: negated with
    /// `Seed`, unchanged with `Relative`.
    #[must_use]
    pub fn convert(self, entry: Entry) -> Entry {
        match self {
            Self::Relative => entry,
            Self::Seed => entry.negated(),
        }
    }
}

/// Statistics of a saved or loaded cache.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Saved {
    /// The number of entries in the file, each key once.
    pub entries: u64,
    /// The length of the file in bytes.
    pub bytes: u64,
    /// The number of entries that a later one with the same key replaced, as in a seed's file with colour-swapped positions.
    #[serde(rename = "skipped")]
    pub merged: u64,
    /// Notes for the user, in sentences.
    pub notes: Vec<String>,
}

/// Saves a cache atomically: on failure an old file is unchanged.
///
/// `header` goes into a native file, with game and policy replaced by those of `game` and `entries`. The header's `convention`
/// decides how entries of plain keys with black to move go into a seed's file. A seed's format holds entries of one policy, and
/// finite numbers only.
pub fn save<G: Game>(
    game: &G,
    entries: &dyn Entries<G::Key>,
    path: &Path,
    format: Format,
    header: &CacheHeader,
    monitor: &mut Monitor,
) -> Result<Saved> {
    write_atomically(path, |out| write(game, entries, out, format, header, monitor))
}

/// Writes a cache to an open file; the other arguments are those of [`save`].
pub fn write<G: Game>(
    game: &G,
    entries: &dyn Entries<G::Key>,
    out: &mut dyn Write,
    format: Format,
    header: &CacheHeader,
    monitor: &mut Monitor,
) -> Result<Saved, FileFailure> {
    check_policy(format, entries.policy())?;
    let total = entries.len() as u64;
    let (written, bytes) = if let Some(layout) = format.layout() {
        let file = seed::write(game, entries, layout, header.convention, monitor)?;
        out.write_all(&file)?;
        ((file.len() / layout.bytes()) as u64, file.len() as u64)
    } else {
        let header =
            CacheHeader { game: G::NAME.to_owned(), policy: entries.policy(), ..header.clone() };
        (total, native::write::<G>(entries, out, &header, monitor)?)
    };
    let merged = total - written;
    let note = format!(
        "entries replaced by a later one, their colour-swapped twin with the same key: {merged}"
    );
    Ok(Saved {
        entries: written,
        bytes,
        merged,
        notes: (merged > 0).then_some(note).into_iter().collect(),
    })
}

fn check_policy(format: Format, policy: Policy) -> Result<()> {
    let fits = match format.layout() {
        Some(layout) => layout.policy == policy,
        None => policy.has_entries(),
    };
    if fits {
        return Ok(());
    }
    let own = LAYOUTS.iter().find(|layout| layout.policy == policy);
    let own = own.map(|layout| format!("--format {} or ", layout.format)).unwrap_or_default();
    Err(Fault::new(format!(
        "a cache of the memo policy `{policy}` cannot be saved in the format {format}"
    ))
    .hint(if policy.has_entries() {
        format!("use {own}--format native")
    } else {
        "choose a memo first, such as `search set memo=interval`".to_owned()
    }))
}

/// The game of a native cache file, from its first bytes; `None` for other files.
pub fn game_of_file(head: &[u8]) -> Option<String> {
    native::header(head, &mut Findings::default()).ok().map(|(file, _)| file.header.game)
}
