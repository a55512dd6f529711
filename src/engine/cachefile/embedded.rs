//! Files with a readable document and a cache below it: sessions and trainings.

use std::path::Path;

use super::{CacheHeader, Format, Monitor, write};
use crate::engine::{
    files,
    game::{Fault, Game, Result},
    table::Entries,
};

/// The line between the document and the cache, which is in the native format.
pub const CACHE_MARKER: &str =
    "// The cache follows, in the bytes of a cache file: edit nothing below this line.";

/// A file with a document and perhaps a cache.
#[derive(Debug)]
pub struct Document {
    /// The readable document above the cache.
    pub text: String,
    /// The bytes of a native cache file; `None` without a cache.
    pub cache: Option<Vec<u8>>,
}

impl Document {
    /// Reads a file. Fails if the text above the cache is not UTF-8.
    pub fn read(path: &Path) -> Result<Self> {
        let mut text = files::read(path)?;
        let mut cache = None;
        if let Some((start, bytes)) = find_cache(&text) {
            cache = Some(bytes.to_vec());
            text.truncate(start);
        }
        let text = String::from_utf8(text).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            Fault::new(format!("`{}`: byte {at} is not UTF-8", path.display())).hint(format!(
                "save the text as UTF-8; the line `{CACHE_MARKER}` must precede a cache"
            ))
        })?;
        Ok(Self { text, cache })
    }
}

/// The offset of the marker line in a file, and the bytes of the cache after the line; `None` without a marker.
pub(super) fn find_cache(file: &[u8]) -> Option<(usize, &[u8])> {
    let mut start = 0;
    for line in file.split_inclusive(|&byte| byte == b'\n') {
        if line.trim_ascii_end() == CACHE_MARKER.as_bytes() {
            // Drops the line end after the cache, which text editors keep or add.
            let cache = &file[start + line.len()..];
            return Some((start, &cache[..cache.len().saturating_sub(1)]));
        }
        start += line.len();
    }
    None
}

/// Writes a document, and a cache below it, atomically.
pub fn write_document<G: Game>(
    path: &Path,
    text: &str,
    cache: Option<(&G, &dyn Entries<G::Key>, &CacheHeader)>,
    monitor: &mut Monitor,
) -> Result<()> {
    files::write_atomically(path, |out| {
        out.write_all(text.as_bytes())?;
        if let Some((game, entries, header)) = cache {
            writeln!(out, "{CACHE_MARKER}")?;
            write(game, entries, out, Format::Native, header, monitor)?;
            writeln!(out)?;
        }
        Ok(())
    })
}
