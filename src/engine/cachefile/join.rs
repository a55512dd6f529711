//! Comparing two loaded caches: entries by key, and headers.

use super::{CacheHeader, Loaded};
use crate::engine::{
    game::{Fault, Key, KeyScheme, Keyed, Result},
    table::{Entries, Entry},
};

/// The full outer join of two caches: every key with its entry in each, first the keys of the first cache in its order, then
/// the keys that only the second cache has.
pub fn full_join<'a, K: Key>(
    first: &'a dyn Entries<K>,
    second: &'a dyn Entries<K>,
) -> impl Iterator<Item = JoinedEntry<K>> + 'a {
    let of_second = second.iter().filter(|(at, _)| first.get(*at).is_none());
    let of_first = first.iter().map(|(at, entry)| (at, Some(entry), second.get(at)));
    of_first.chain(of_second.map(|(at, entry)| (at, None, Some(entry))))
}

/// A key with its entries in two caches, one of which may be missing.
pub type JoinedEntry<K> = (Keyed<K>, Option<Entry>, Option<Entry>);

/// The differences between the headers of two files. Fails if the policies differ. Canonical keys count as colour-normalised.
pub fn header_differences<K: Key>([first, second]: &[Loaded<K>; 2]) -> Result<Vec<String>> {
    if first.policy != second.policy {
        return Err(Fault::new(format!(
            "the files are of two memo policies: `{}` and `{}`",
            first.policy, second.policy
        ))
        .hint("entries of different policies cannot be compared"));
    }
    let normalised = |keys| keys != KeyScheme::Plain;
    let same_keys = first.keys == second.keys || normalised(first.keys) && normalised(second.keys);
    if let (Some(one), Some(other)) = (&first.header, &second.header) {
        let other =
            CacheHeader { keys: if same_keys { one.keys } else { other.keys }, ..other.clone() };
        return Ok(one.compare(&other, "in the first", "in the second"));
    }
    let keys = (!same_keys)
        .then(|| "keys are plain in one file and colour-normalised in the other".to_owned());
    let conventions = (first.convention != second.convention).then(|| {
        format!(
            "convention is {} in the first, {} in the second",
            first.convention, second.convention
        )
    });
    Ok(keys.into_iter().chain(conventions).collect())
}

/// Whether two entries are the same bit for bit; `-0.0` differs from `0.0`.
pub fn same_bits(first: &Entry, second: &Entry) -> bool {
    let bits = |entry: &Entry| {
        let window = entry.window.map(|window| [window.alpha, window.beta]);
        (entry.value.get().to_bits(), window.map(|ends| ends.map(|end| end.get().to_bits())))
    };
    (first.bound, first.depth) == (second.bound, second.depth) && bits(first) == bits(second)
}
