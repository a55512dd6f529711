//! Cache files by themselves: described, checked, repaired, converted, merged and compared.

use serde::Serialize;

use super::{EntryReport, Score};
pub use crate::engine::cachefile::{Contrasted, DamagedPlace, MergedCounts};
use crate::engine::game::Fault;

/// A cache file described without loading it.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
    /// Whether nothing is damaged and no searched entry wrong.
    pub sound: bool,
    /// Records that can be read.
    pub entries: u64,
    /// Blocks whose check sum holds; none in formats without.
    pub blocks: Option<u64>,
    /// Damaged places, the first ones.
    pub damage: Vec<DamagedPlace>,
    /// How many damaged places there are.
    pub damaged: u64,
    /// What searching some of the entries again has shown.
    pub sample: SampleReport,
    /// What a reader should know.
    pub notes: Vec<String>,
}

impl CacheCheck {
    /// What is wrong with the file, if anything is.
    pub fn fault(&self) -> Option<Fault> {
        let remedy = if self.damaged > 0 {
            "`cache repair` copies what is sound into a new file"
        } else {
            "`cache info` tells what the file states; searches with its entries go wrong"
        };
        (!self.sound).then(|| Fault::new(format!("`{}` is not sound", self.file)).hint(remedy))
    }
}

/// Entries searched again.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SampleReport {
    /// How many were searched.
    pub searched: u64,
    /// How many were passed over because their search takes too long, or their key stands for no position.
    pub passed_over: u64,
    /// Right as they stand, and not if their sign is turned.
    pub as_stored: u64,
    /// Right if their sign is turned, and not as they stand.
    pub turned: u64,
    /// Right either way.
    pub either: u64,
    /// Wrong either way.
    pub neither: u64,
    /// The convention that the values follow, as far as the sample shows.
    pub convention: Option<String>,
    /// Some that are wrong as they stand.
    pub wrong: Vec<WrongEntry>,
}

/// An entry that a search contradicts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WrongEntry {
    /// As it stands in the file.
    pub entry: EntryReport,
    /// The value that a search without cache finds.
    pub searched: Score,
}

/// A cache file made from others.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CacheFileMade {
    /// `converted`, `repaired` or `merged`.
    pub action: &'static str,
    /// The files it was made from.
    pub from: Vec<String>,
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
    /// Repaired: what was damaged, and is not in the new file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<Lost>,
    /// Merged: what came from where.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merge: Option<MergeReport>,
    /// What a reader should know.
    pub notes: Vec<String>,
}

/// What could not be recovered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lost {
    /// Damaged places, the first ones.
    pub damage: Vec<DamagedPlace>,
    /// How many there are.
    pub damaged: u64,
    /// How many records are lost, where the file says how many there were.
    pub records: Option<u64>,
}

/// Where the entries of a merged file came from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MergeReport {
    /// How many from where.
    #[serde(flatten)]
    pub counts: MergedCounts,
    /// Some that are in both files and cannot both be right.
    pub examples: Vec<EntryPair>,
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
