use serde::Serialize;

use super::Score;

/// An entry as it stands in the cache.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EntryReport {
    /// Its key, with the depth where the policy has one.
    pub key: String,
    /// The position the key stands for.
    pub state: Option<String>,
    /// Remaining depth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u8>,
    /// The value, for the side to move in `state`.
    pub value: Score,
    /// The window it was searched under.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha: Option<Score>,
    /// The window it was searched under.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beta: Option<Score>,
    /// `exact`, `lower` or `upper`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<&'static str>,
    /// How often it has answered or been widened or narrowed, where that is counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uses: Option<u32>,
}

/// An entry read or changed.
#[derive(Clone, Debug, Serialize)]
pub struct CacheEdit {
    /// Its key, whether there is an entry or not.
    pub key: String,
    /// The entry now; nothing if there is none.
    pub entry: Option<EntryReport>,
    /// The entry before a change.
    pub previous: Option<EntryReport>,
    /// The board of its position, drawn with Unicode.
    #[serde(skip)]
    pub board: Option<String>,
    /// The same in ASCII.
    #[serde(skip)]
    pub board_ascii: Option<String>,
    /// What a reader should know, such as that symmetry led to another key.
    pub notes: Vec<String>,
    /// Other depths stored for the same position, where the one asked for is absent.
    pub other_keys: Vec<String>,
    /// Who wrote it, where that was asked for and the recorded search did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub writer: Option<super::WriterReport>,
}

/// Several entries.
#[derive(Clone, Debug, Serialize)]
pub struct CacheList {
    /// The entries shown.
    pub entries: Vec<EntryReport>,
    /// How many that match come before them.
    pub offset: usize,
    /// How many match.
    pub matching: usize,
    /// How many there are.
    pub total: usize,
}

/// How many entries match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CacheCount {
    /// How many match.
    pub matching: usize,
    /// How many there are.
    pub total: usize,
}

/// Entries by what they hold.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Histogram {
    /// How many match.
    pub matching: usize,
    /// How many there are.
    pub total: usize,
    /// By remaining depth.
    pub by_depth: Vec<Census>,
    /// By bound.
    pub by_bound: Vec<Census>,
    /// By value: from the lowest to the highest in steps of equal width, infinite ones apart.
    pub by_value: Vec<ValueBucket>,
    /// How much of their orbits is stored, where keys stand for positions.
    pub orbit: Option<OrbitReport>,
}

/// Entries with values in a range.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValueBucket {
    /// The lowest value.
    pub from: Score,
    /// The highest value, which belongs to the next bucket if there is one.
    pub to: Score,
    /// How many.
    pub entries: usize,
}

/// Entries and the positions that symmetry makes equal to theirs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OrbitReport {
    /// Entries looked at, evenly chosen; the other numbers are estimates where these are not all.
    pub looked_at: usize,
    /// Positions that are stored, counting those that symmetry makes equal as one.
    pub orbits: usize,
    /// How many positions one of them stands for on average.
    pub mean_size: f64,
    /// Which part of those is stored, from 0 to 1.
    pub share: f64,
}

/// How many entries have a property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Census {
    /// The property's value.
    pub of: String,
    /// How many.
    pub entries: usize,
}

/// The cache in numbers.
#[derive(Clone, Debug, Serialize)]
pub struct CacheStats {
    /// The policy.
    pub policy: String,
    /// Entries.
    pub entries: usize,
    /// Memory in bytes.
    pub bytes: usize,
    /// Bytes an entry.
    pub bytes_per_entry: Option<f64>,
    /// Entries at most; none without a bound.
    pub max_size: Option<usize>,
    /// The setting that this follows from: entries, bytes with their unit, or `off`.
    pub size: String,
    /// Which entries give way where it is full: `depth`, `use` or `clean`.
    pub replace: &'static str,
    /// Entries that gave way in the last search.
    pub evictions: u64,
    /// Probes answered by the last search.
    pub hits: u64,
    /// Its searches in spite of an entry.
    pub invalid: u64,
    /// Its searches without an entry.
    pub misses: u64,
    /// Values it stored.
    pub stores: u64,
    /// Entries that it did not use because they were written for another position under the same key; nothing where
    /// positions are not kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collisions: Option<u64>,
    /// Entries by remaining depth.
    pub by_depth: Vec<Census>,
    /// Entries by bound.
    pub by_bound: Vec<Census>,
    /// How keys are made: `plain`, `colour` or `canonical`.
    pub keys: &'static str,
    /// The weights and rules the values were computed with.
    pub weights: String,
}

/// A key taken apart.
#[derive(Clone, Debug, Serialize)]
pub struct KeyReport {
    /// The key.
    pub key: String,
    /// The least key among its symmetric twins.
    pub canonical: String,
    /// The position.
    pub state: Option<String>,
    /// The board drawn with Unicode.
    #[serde(skip)]
    pub board: Option<String>,
    /// The same in ASCII.
    #[serde(skip)]
    pub board_ascii: Option<String>,
}

/// A cache file read or written.
#[derive(Clone, Debug, Serialize)]
pub struct CacheFile {
    /// Its path.
    pub file: String,
    /// `loaded` or `saved`.
    pub action: &'static str,
    /// Entries read or written.
    pub entries: usize,
    /// Its size.
    pub bytes: u64,
    /// Its format.
    pub format: String,
    /// Records that stand for an entry already there; the later one counts.
    pub skipped: usize,
    /// The value convention of the file.
    pub convention: Option<String>,
    /// Entries in the cache now.
    pub total: usize,
    /// What a reader should know.
    pub notes: Vec<String>,
}

/// A cache made smaller.
#[derive(Clone, Debug, Serialize)]
pub struct CacheCleaned {
    /// Entries removed.
    pub removed: usize,
    /// Entries left.
    pub entries: usize,
    /// Step by step, in the words of seed 000 where its cleaning was used.
    pub steps: Vec<String>,
}
