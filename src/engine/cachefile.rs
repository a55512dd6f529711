//! Caches on disk: the two formats of the seeds and our own.
//!
//! | format | written by | holds |
//! |---|---|---|
//! | `seed-search` | seed 000 | records of the policy `interval`, nothing else |
//! | `seed-rote` | seed 001 | records of the policy `rote`, nothing else |
//! | `native` | Plyscope | records of any policy, what they depend on, and check sums |
//!
//! `sessions/caches.md` describes the formats byte by byte. Values keep their bits, `-0.0` included; records stand in
//! the order of insertion. Where a key occurs twice, the later record counts, at the first one's place.
//!
//! The state key of the seeds' records always has white to move; a position with black to move stands under the key of its
//! colour-swapped twin, under [`Convention::Seed`] with the sign turned. The seeds accept truncated files, impossible
//! boards, NaN and infinities (defect D11); here all of that is refused, with the byte offset and the record's number.

mod below;
mod findings;
mod header;
mod load;
mod native;
mod pair;
mod record;
mod seed;

use std::{io::Write, path::Path};

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString};

pub use below::{Divided, MARKER, write_below};
pub use findings::{DamagedPlace, Findings, Watch, quietly};
pub use header::CacheHeader;
pub use load::{LoadOptions, Loaded, load, load_part};
pub use pair::{EntryInBoth, same_bits, side_by_side, unlike};

use self::seed::LAYOUTS;
use super::{
    files::{FileFailure, write_atomically},
    game::{Fault, Game, Result},
    table::{Entries, Entry, Policy},
};

/// How a cache is laid out in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Display, EnumString)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Format {
    /// Seed 000's search cache: 32-byte records of the policy `interval`.
    SeedSearch,
    /// Seed 001's rote table: 15-byte records of the policy `rote`.
    SeedRote,
    /// Our own: any policy, self-describing, every damaged byte detected.
    Native,
}

impl Format {
    fn layout(self) -> Option<&'static seed::Layout> {
        LAYOUTS.iter().find(|layout| layout.format == self)
    }

    /// Whose point of view a file's values take: a native file's its own, a seed's that of the seeds unless told.
    pub fn convention(self, own: Convention, asked: Option<Convention>) -> Result<Convention> {
        match asked {
            Some(asked) if self == Self::Native && asked != own => {
                Err(Fault::new(format!("the values are of the convention `{own}`, not `{asked}`"))
                    .hint("leave --convention out: a native file says it itself"))
            }
            _ if self == Self::Native => Ok(own),
            _ => Ok(asked.unwrap_or(Convention::Seed)),
        }
    }
}

/// Whose point of view a cache's values take for positions with black to move, where key and twin share an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Display, EnumString)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Convention {
    /// As seed 000 writes and reads: (−value, −beta, −alpha) for black (defect D2).
    Seed,
    /// Always that of the side to move.
    Relative,
}

impl Convention {
    /// What an entry of a position with black to move, relative to black, becomes under the key of its white twin, and
    /// back: turned in sign under `Seed`, the same under `Relative`. Its own inverse.
    #[must_use]
    pub fn turn(self, entry: Entry) -> Entry {
        match self {
            Self::Relative => entry,
            Self::Seed => entry.negated(),
        }
    }
}

/// What was saved or loaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Saved {
    /// Entries in the file, each key once.
    pub entries: u64,
    /// Length of the file.
    pub bytes: u64,
    /// Entries that went because a later one has the same key, as colour-swapped twins have in a seed format.
    #[serde(rename = "skipped")]
    pub merged: u64,
    /// What a person should know, in sentences.
    pub notes: Vec<String>,
}

/// Saves a cache, whole or not at all: on any failure an old file is as it was.
///
/// `header` says what the values depend on and, by its `convention`, how entries of plain keys with black to move go
/// into a seed format; game and policy are taken from `game` and `entries`. A seed format takes one policy each and finite numbers only.
pub fn save<G: Game>(
    game: &G,
    entries: &dyn Entries<G::Key>,
    path: &Path,
    format: Format,
    header: &CacheHeader,
    watch: &mut Watch,
) -> Result<Saved> {
    write_atomically(path, |out| write(game, entries, out, format, header, watch))
}

/// Writes a cache as [`save`] does, to any writer.
pub fn write<G: Game>(
    game: &G,
    entries: &dyn Entries<G::Key>,
    out: &mut dyn Write,
    format: Format,
    header: &CacheHeader,
    watch: &mut Watch,
) -> Result<Saved, FileFailure> {
    check_policy(format, entries.policy())?;
    let total = entries.len() as u64;
    let (written, bytes) = if let Some(layout) = format.layout() {
        let file = seed::write(game, entries, (layout, header.convention), watch)?;
        out.write_all(&file)?;
        ((file.len() / layout.bytes()) as u64, file.len() as u64)
    } else {
        let header =
            CacheHeader { game: G::NAME.to_owned(), policy: entries.policy(), ..header.clone() };
        (total, native::write::<G>(entries, out, &header, watch)?)
    };
    let merged = total - written;
    let note = format!(
        "entries under the key of a later one, their colour-swapped twin: {merged}; the later one is in the file"
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

/// The game of a cache file in our own format, by its first bytes.
pub fn game_in(head: &[u8]) -> Option<String> {
    native::header(head, &mut Findings::default()).ok().map(|(file, _)| file.header.game)
}
