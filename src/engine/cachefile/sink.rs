use std::io::Write;

use super::{
    CacheHeader, Convention, Format, Saved,
    native::Writer,
    seed::{self, Written},
};
use crate::engine::{
    files::Failure,
    game::{Game, Keyed},
    memo::{Entry, Policy},
};

/// A cache file being written entry by entry, in any format; holds one block.
pub(super) enum Sink<'a> {
    Native(Box<Writer<'a>>),
    Seed(seed::Writer<'a>, Convention),
}

impl<'a> Sink<'a> {
    /// Begins a file. `header` says what the values depend on; `entries` how many come, where that is known.
    pub fn start<G: Game>(
        out: &'a mut dyn Write,
        format: Format,
        header: &CacheHeader,
        entries: Option<u64>,
    ) -> Result<Self, Failure> {
        Ok(match format.layout() {
            Some(layout) => Self::Seed(seed::Writer::new(out, layout), header.convention),
            None => Self::Native(Box::new(Writer::start::<G>(out, header, entries)?)),
        })
    }

    /// Writes an entry.
    pub fn push<G: Game>(
        &mut self,
        game: &G,
        at: Keyed<G::Key>,
        entry: Entry,
    ) -> Result<(), Failure> {
        match self {
            Self::Native(writer) => writer.push(game, at, &entry),
            Self::Seed(writer, convention) => {
                let record = seed::encode(game, writer.layout(), *convention, at, entry)?;
                writer.push(&record)
            }
        }
    }

    /// Completes the file.
    pub fn finish(self) -> Result<Written, Failure> {
        match self {
            Self::Native(writer) => writer.finish(),
            Self::Seed(writer, _) => writer.finish(),
        }
    }
}

impl Written {
    /// The report of a file of this format.
    pub fn saved(self, format: Format, notes: Vec<String>) -> Saved {
        Saved {
            entries: self.entries,
            bytes: self.bytes,
            format,
            crc32: self.crc32,
            merged: self.merged,
            notes,
        }
    }
}

/// The formats that take entries of a policy, as the hint of a refusal.
pub(super) const fn formats_for(policy: Policy) -> &'static str {
    match policy {
        Policy::None => "choose a memo first, such as `search set memo=interval`",
        Policy::Interval => "use --format seed-search or --format native",
        Policy::Rote => "use --format seed-rote or --format native",
        Policy::Exact | Policy::Bound => "use --format native",
    }
}
