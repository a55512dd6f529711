use std::path::Path;

use serde::Serialize;

use super::{
    CacheHeader, Format,
    detect::looks_native,
    native::{Reader, counted},
    seed::Layout,
    stream::Trouble,
};
use crate::engine::{files, game::Fault};

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
        native(path, bytes).map_err(|trouble| trouble.fault(path))?
    } else {
        Contents::Seed(seeds(bytes))
    };
    Ok(CacheInfo { bytes, contents })
}

fn native(path: &Path, bytes: u64) -> Result<Contents, Trouble> {
    let (mut file, _) = files::open(path)?;
    let file_header = Reader::open(&file)?.header().clone();
    let counted = counted(&mut file, bytes)?;
    Ok(Contents::Native {
        header: file_header.header,
        writer: file_header.writer,
        entries: file_header.entries.or(counted),
        complete: counted.is_some(),
    })
}

fn seeds(bytes: u64) -> Vec<(Format, u64)> {
    [Layout::Search, Layout::Rote]
        .into_iter()
        .filter(|layout| bytes.is_multiple_of(layout.bytes() as u64))
        .map(|layout| (layout.format(), bytes / layout.bytes() as u64))
        .collect()
}
