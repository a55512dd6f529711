//! Cache files by themselves: described, checked, merged and compared.

use serde::Serialize;

use super::EntryReport;
pub use crate::engine::cachefile::{Contrasted, DamagedPlace, MergedCounts};
use crate::engine::game::Fault;

/// A cache file described without loading it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CacheFileInfo {
    /// Its path.
    pub file: String,
    /// Its format; none where several are possible.
    pub format: Option<String>,
    /// Its size.
    pub bytes: u64,
    /// Records, where the file says so or its format leaves no doubt.
    pub entries: Option<u64>,
    /// Whether it ends as it should; none for formats without an end mark.
    pub complete: Option<bool>,
    /// What a native file states of itself, by name.
    pub header: Vec<(String, String)>,
    /// The formats that the length of a file without header allows, with the number of records in each.
    pub possible: Vec<(String, u64)>,
    /// What it states differently from what holds here, in sentences.
    pub differences: Vec<String>,
}

/// A cache file checked.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CacheCheck {
    /// Its path.
    pub file: String,
    /// Its format.
    pub format: String,
    /// The memo policy of its entries.
    pub policy: String,
    /// Its size.
    pub bytes: u64,
    /// Whether nothing is damaged.
    pub sound: bool,
    /// Records that can be read.
    pub entries: u64,
    /// Blocks whose check sum holds; none in formats without.
    pub blocks: Option<u64>,
    /// Damaged places, the first ones.
    pub damage: Vec<DamagedPlace>,
    /// How many damaged places there are.
    pub damaged: u64,
    /// The new file with what is sound, if one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub salvaged: Option<Salvaged>,
    /// What a reader should know.
    pub notes: Vec<String>,
}

impl CacheCheck {
    /// What is wrong with the file, if anything is and nothing was done about it.
    pub fn fault(&self) -> Option<Fault> {
        let unmended = !self.sound && self.salvaged.is_none();
        unmended.then(|| {
            Fault::new(format!("`{}` is not sound", self.file))
                .hint("`cache check FILE --salvage NEW` copies what is sound into a new file")
        })
    }
}

/// What is sound of a damaged file, in a new one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Salvaged {
    /// Its path.
    pub file: String,
    /// Records in it.
    pub entries: u64,
    /// Its size.
    pub bytes: u64,
    /// How many records are lost, where the damaged file says how many there were.
    pub lost: Option<u64>,
}

/// A cache file made of two.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CacheMerge {
    /// The files it was made from.
    pub from: [String; 2],
    /// Its path.
    pub file: String,
    /// Its format.
    pub format: String,
    /// Its value convention.
    pub convention: String,
    /// Records in it.
    pub entries: u64,
    /// Its size.
    pub bytes: u64,
    /// Where its entries came from.
    #[serde(flatten)]
    pub counts: MergedCounts,
    /// Some entries that are in both files and cannot both be right.
    pub examples: Vec<EntryPair>,
    /// What a reader should know.
    pub notes: Vec<String>,
}

/// An entry in two files.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EntryPair {
    /// In the first.
    pub first: EntryReport,
    /// In the second.
    pub second: EntryReport,
}

/// Two cache files compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CacheDiff {
    /// Both paths.
    pub files: [String; 2],
    /// How many entries are where.
    #[serde(flatten)]
    pub counts: Contrasted,
    /// Some of those in the first only.
    pub first_examples: Vec<EntryReport>,
    /// Some of those in the second only.
    pub second_examples: Vec<EntryReport>,
    /// Some of those that differ.
    pub examples: Vec<EntryPair>,
    /// What the files state differently of themselves, in sentences.
    pub differences: Vec<String>,
}
