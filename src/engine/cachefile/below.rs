//! A cache below a document that people can read, in one file: sessions and trainings.

use std::path::Path;

use super::{CacheHeader, Format, Watch, write};
use crate::engine::{
    files,
    game::{Fault, Game, Result},
    table::Entries,
};

/// The line between the document and the cache after it, which stands as in a cache file of our own format.
pub const MARKER: &str =
    "// The cache follows, in the bytes of a cache file: edit nothing below this line.";

/// A document and the cache below it.
#[derive(Debug)]
pub struct Divided {
    /// The document.
    pub text: String,
    /// The cache, as in a cache file.
    pub cache: Option<Vec<u8>>,
}

impl Divided {
    /// Reads a file and divides it.
    pub fn read(path: &Path) -> Result<Self> {
        let mut text = files::read(path)?;
        let below = below(&text).map(|(start, cache)| (start, cache.to_vec()));
        let (end, cache) = below.map_or((text.len(), None), |(start, cache)| (start, Some(cache)));
        text.truncate(end);
        let text = String::from_utf8(text).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            Fault::new(format!("`{}`: byte {at} is not UTF-8", path.display()))
                .about_word(path.display())
                .hint(format!(
                    "save the text as UTF-8; before a cache the line `{MARKER}` must stand"
                ))
        })?;
        Ok(Self { text, cache })
    }
}

/// Where the marker begins in a file, and the cache behind it.
pub(super) fn below(file: &[u8]) -> Option<(usize, &[u8])> {
    let mut start = 0;
    for line in file.split_inclusive(|&byte| byte == b'\n') {
        if line.trim_ascii_end() == MARKER.as_bytes() {
            // All but the line end after it, which an editor leaves or puts there.
            let below = &file[start + line.len()..];
            return Some((start, &below[..below.len().saturating_sub(1)]));
        }
        start += line.len();
    }
    None
}

/// Writes a document and, where there is one, the cache below it, whole or not at all.
pub fn write_below<G: Game>(
    path: &Path,
    text: &str,
    cache: Option<(&G, &dyn Entries<G::Key>, &CacheHeader)>,
    watch: &mut Watch,
) -> Result<()> {
    files::write_atomically(path, |out| {
        out.write_all(text.as_bytes())?;
        if let Some((game, entries, header)) = cache {
            writeln!(out, "{MARKER}")?;
            write(game, entries, out, Format::Native, header, watch)?;
            writeln!(out)?;
        }
        Ok(())
    })
}
