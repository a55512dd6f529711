//! Two loaded caches beside each other, for comparing and merging them.

use serde::Serialize;

use super::{CacheHeader, Loaded};
use crate::engine::{
    game::{Fault, Key, KeyScheme, Keyed},
    memo::{AnyMemo, Bound, Entries, Entry},
};

/// Entries of two caches, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Contrasted {
    /// Only in the first.
    pub only_first: u64,
    /// Only in the second.
    pub only_second: u64,
    /// In both, the same bit for bit.
    pub same: u64,
    /// In both, and different.
    pub differing: u64,
}

/// Where the entries of a merged cache came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MergedCounts {
    /// Only in the first.
    pub only_first: u64,
    /// Only in the second.
    pub only_second: u64,
    /// In both, the first one's taken.
    pub from_first: u64,
    /// In both, the second one's taken.
    pub from_second: u64,
}

/// Every key of either cache, in the first one's order and then what only the second has, with its entry in each.
pub fn side_by_side<'a, K: Key>(
    first: &'a dyn Entries<K>,
    second: &'a dyn Entries<K>,
) -> impl Iterator<Item = EntryInBoth<K>> + 'a {
    let of_second = second.iter().filter(|(at, _)| first.get(*at).is_none());
    let of_first = first.iter().map(|(at, entry)| (at, Some(entry), second.get(at)));
    of_first.chain(of_second.map(|(at, entry)| (at, None, Some(entry))))
}

/// Refuses caches of two policies, whose entries mean nothing to each other.
pub fn check_same_policy<K: Key>([first, second]: &[Loaded<K>; 2]) -> Result<(), Fault> {
    if first.policy == second.policy {
        return Ok(());
    }
    Err(Fault::new(format!(
        "the files are of two memo policies: `{}` and `{}`",
        first.policy, second.policy
    ))
    .hint("entries of one policy mean nothing to another"))
}

/// An entry under its key in two caches; in one of them it may be missing.
pub type EntryInBoth<K> = (Keyed<K>, Option<Entry>, Option<Entry>);

/// Two caches of one policy merged.
#[derive(Clone, Debug)]
pub struct Merge<K: Key> {
    /// The entries: the first one's in their order, then what only the second has.
    pub memo: AnyMemo<K>,
    /// What their values depend on.
    pub header: CacheHeader,
    /// Where they came from.
    pub counts: MergedCounts,
}

impl<K: Key> Merge<K> {
    /// Merges two caches; `here`, the session's header, stands in where the files state none. Of two entries under one key
    /// the deeper counts; at equal depth an exact value goes before a bound, else the first one's before the second's.
    ///
    /// # Errors
    /// Caches of two policies, and caches whose values depend on different weights, rules or settings.
    pub fn of(both: &[Loaded<K>; 2], here: &CacheHeader) -> Result<Self, Fault> {
        check_same_policy(both)?;
        let differences = unlike(both);
        if !differences.is_empty() {
            let what = format!(
                "the files cannot be merged: in the first, against the second, {}",
                differences.join("; ")
            );
            return Err(Fault::new(what).hint("merge files that were made under the same settings"));
        }
        let [first, second] = both;
        let mut header = first.header_or(here);
        if first.keys != second.keys {
            // Of canonical keys and colour-normalised ones: searches with either find their own among them.
            header.keys = KeyScheme::Colour;
        }
        let (mut memo, mut counts) = (AnyMemo::new(first.policy), MergedCounts::default());
        let rank = |entry: &Entry| (entry.depth, entry.bound == Some(Bound::Exact));
        for (at, one, other) in side_by_side(first.memo.entries(), second.memo.entries()) {
            let (count, entry) = match (one, other) {
                (Some(one), None) => (&mut counts.only_first, one),
                (Some(one), Some(other)) if rank(&one) >= rank(&other) => {
                    (&mut counts.from_first, one)
                }
                (Some(_), Some(other)) => (&mut counts.from_second, other),
                (None, Some(other)) => (&mut counts.only_second, other),
                (None, None) => continue,
            };
            *count += 1;
            memo.entries_mut().set(at, entry)?;
        }
        Ok(Self { memo, header, counts })
    }
}

/// What the files state differently and matters to their values, in sentences. Canonical keys are colour-normalised ones
/// too.
pub fn unlike<K: Key>([first, second]: &[Loaded<K>; 2]) -> Vec<String> {
    let normalised = |keys| keys != KeyScheme::Plain;
    let same_keys = first.keys == second.keys || normalised(first.keys) && normalised(second.keys);
    if let (Some(one), Some(other)) = (&first.header, &second.header) {
        let other =
            CacheHeader { keys: if same_keys { one.keys } else { other.keys }, ..other.clone() };
        return one.contrasts(&other, "in the first", "in the second");
    }
    let keys = (!same_keys)
        .then(|| "keys are plain in one file and colour-normalised in the other".to_owned());
    let conventions = (first.convention != second.convention).then(|| {
        format!(
            "convention is {} in the first, {} in the second",
            first.convention, second.convention
        )
    });
    keys.into_iter().chain(conventions).collect()
}

/// Whether two entries are the same, zeros of either sign told apart.
pub fn same_bits(first: &Entry, second: &Entry) -> bool {
    let bits = |entry: &Entry| {
        let window = entry.window.map(|window| [window.alpha, window.beta]);
        (entry.value.get().to_bits(), window.map(|ends| ends.map(|end| end.get().to_bits())))
    };
    (first.bound, first.depth) == (second.bound, second.depth) && bits(first) == bits(second)
}
