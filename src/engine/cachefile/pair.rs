//! Two cache files at a time: merged into one, or compared.

use std::path::Path;

use super::{CacheHeader, LoadOptions, Loaded, Saved, load, save, stream::Watch};
use crate::engine::{
    game::{Fault, Game, Key, KeyScheme, Keyed, Score},
    memo::{Bound, Entry, Policy},
};

/// An entry as it stands in a file.
pub type Filed<K> = (Keyed<K>, Entry);

/// An entry as it stands in either of two files.
pub type FiledTwice<K> = (Filed<K>, Filed<K>);

/// What two files have in common and what not. Keys that a file has twice count once, with their later record.
#[derive(Clone, Debug, PartialEq)]
pub struct Contrast<K> {
    /// The memo policy of both.
    pub policy: Policy,
    /// Entries in the first file only.
    pub only_first: u64,
    /// Entries in the second file only.
    pub only_second: u64,
    /// Entries in both, the same bit for bit.
    pub same: u64,
    /// Keys in both with different entries.
    pub differing: u64,
    /// Some of those in the first file only.
    pub first_examples: Vec<Filed<K>>,
    /// Some of those in the second file only.
    pub second_examples: Vec<Filed<K>>,
    /// Some that differ: as in the first file and as in the second.
    pub examples: Vec<FiledTwice<K>>,
    /// What the files state differently, in sentences.
    pub differences: Vec<String>,
}

/// What came of merging.
#[derive(Clone, Debug, PartialEq)]
pub struct Merged<K> {
    /// The new file.
    pub saved: Saved,
    /// What its values depend on.
    pub header: CacheHeader,
    /// Entries of the first file only.
    pub only_first: u64,
    /// Entries of the second file only.
    pub only_second: u64,
    /// Entries in both, the same bit for bit.
    pub same: u64,
    /// Keys in both where the first file's entry was taken, conflicts included.
    pub from_first: u64,
    /// Keys in both where the second file's entry was taken.
    pub from_second: u64,
    /// Keys in both whose entries cannot both be right; the first file's was taken.
    pub conflicts: u64,
    /// Some of those.
    pub examples: Vec<FiledTwice<K>>,
}

fn load_both<G: Game>(
    game: &G,
    [first, second]: [&Path; 2],
    options: LoadOptions,
    watch: &mut Watch,
) -> Result<[Loaded<G::Key>; 2], Fault> {
    let first = load(game, first, options, watch)?;
    let second = load(game, second, options, watch)?;
    if first.policy == second.policy {
        return Ok([first, second]);
    }
    Err(Fault::new(format!(
        "the files are of two memo policies: `{}` and `{}`",
        first.policy, second.policy
    ))
    .hint("entries of one policy mean nothing to another"))
}

/// Compares two files; `examples` of each kind are shown at most.
///
/// # Errors
/// Files of different policies, damage, what the system refuses, and an interrupt.
pub fn diff<G: Game>(
    game: &G,
    paths: [&Path; 2],
    options: LoadOptions,
    examples: usize,
    watch: &mut Watch,
) -> Result<Contrast<G::Key>, Fault> {
    let both = load_both(game, paths, options, watch)?;
    let mut contrast = Contrast {
        policy: both[0].policy,
        only_first: 0,
        only_second: 0,
        same: 0,
        differing: 0,
        first_examples: Vec::new(),
        second_examples: Vec::new(),
        examples: Vec::new(),
        differences: unlike(&both),
    };
    let [first, second] = &both;
    for (at, entry) in first.entries() {
        match second.memo.entries().get(at) {
            Some(other) if bits(&entry) == bits(&other) => contrast.same += 1,
            Some(other) => {
                contrast.differing += 1;
                let pair = ((at, entry), (at, other));
                keep(&mut contrast.examples, examples, pair);
            }
            None => {
                contrast.only_first += 1;
                keep(&mut contrast.first_examples, examples, (at, entry));
            }
        }
    }
    for (at, entry) in second.entries() {
        if first.memo.entries().get(at).is_none() {
            contrast.only_second += 1;
            keep(&mut contrast.second_examples, examples, (at, entry));
        }
    }
    Ok(contrast)
}

fn keep<T>(list: &mut Vec<T>, most: usize, item: T) {
    if list.len() < most {
        list.push(item);
    }
}

/// All that there is of an entry, with its numbers as bits: zeros of either sign differ.
fn bits(entry: &Entry) -> (Option<Bound>, Option<u8>, u64, Option<[u64; 2]>) {
    let number = |score: Score| score.get().to_bits();
    let window = entry.window;
    let window = window.map(|window| [number(window.alpha), number(window.beta)]);
    (entry.bound, entry.depth, number(entry.value), window)
}

/// Merges two files into one of the first one's format: its entries in their order, then what only the second has.
///
/// Of two entries under one key the deeper counts; at equal depth the one that says more: an exact value before a
/// bound, the wider window, the tighter bound; else the first file's.
///
/// # Errors
/// Files whose values depend on different weights, rules or settings, damage, what the system refuses, and an
/// interrupt; then `out` is as it was.
pub fn merge<G: Game>(
    game: &G,
    paths: [&Path; 2],
    out: &Path,
    options: LoadOptions,
    here: &CacheHeader,
    examples: usize,
    watch: &mut Watch,
) -> Result<Merged<G::Key>, Fault> {
    let both = load_both(game, paths, options, watch)?;
    let differences = unlike(&both);
    if !differences.is_empty() {
        let what = format!(
            "the files cannot be merged: in the first, against the second, {}",
            differences.join("; ")
        );
        return Err(Fault::new(what).hint("merge files that were made under the same settings"));
    }
    let header = CacheHeader {
        keys: joint_keys(&both),
        ..both[0].header_or(here)
    };
    let [mut first, second] = both;
    let mut merged = Merged {
        saved: Saved::nothing(first.format),
        header,
        only_first: first.memo.entries().len() as u64,
        only_second: 0,
        same: 0,
        from_first: 0,
        from_second: 0,
        conflicts: 0,
        examples: Vec::new(),
    };
    for (at, entry) in second.entries() {
        let own = first.memo.entries().get(at);
        merged.only_first -= u64::from(own.is_some());
        if merged.takes(own, (at, entry), examples) {
            first.memo.entries_mut().set(at, entry)?;
        }
    }
    let (entries, header) = (first.memo.entries(), &merged.header);
    merged.saved = save(game, entries, out, first.format, header, watch)?;
    Ok(merged)
}

impl<K: Key> Merged<K> {
    /// Whether an entry of the second file is taken, where the first one has `own`.
    fn takes(&mut self, own: Option<Entry>, (at, entry): Filed<K>, examples: usize) -> bool {
        let Some(own) = own else {
            self.only_second += 1;
            return true;
        };
        if bits(&own) == bits(&entry) {
            self.same += 1;
            return false;
        }
        match prefer(&own, &entry) {
            Preference::Second => self.from_second += 1,
            Preference::First => self.from_first += 1,
            Preference::Conflict => {
                self.from_first += 1;
                self.conflicts += 1;
                keep(&mut self.examples, examples, ((at, own), (at, entry)));
            }
        }
        prefer(&own, &entry) == Preference::Second
    }
}

/// Keys of which both files' searches can make use.
fn joint_keys<K: Key>([first, second]: &[Loaded<K>; 2]) -> KeyScheme {
    if first.keys == second.keys {
        first.keys
    } else {
        KeyScheme::Colour
    }
}

/// What the files state differently and matters to their values. Canonical keys are colour-normalised ones too.
fn unlike<K: Key>([first, second]: &[Loaded<K>; 2]) -> Vec<String> {
    let normalised = |keys| keys != KeyScheme::Plain;
    let same_keys = first.keys == second.keys || normalised(first.keys) && normalised(second.keys);
    if let (Some(one), Some(other)) = (&first.header, &second.header) {
        let other = CacheHeader {
            keys: if same_keys { one.keys } else { other.keys },
            ..other.clone()
        };
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

/// Which of two entries under one key counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Preference {
    First,
    Second,
    /// They cannot both be right.
    Conflict,
}

fn prefer(first: &Entry, second: &Entry) -> Preference {
    if first.depth != second.depth {
        return if first.depth > second.depth {
            Preference::First
        } else {
            Preference::Second
        };
    }
    let (one, other) = (reach(first), reach(second));
    if one.0 > other.1 || other.0 > one.1 {
        return Preference::Conflict;
    }
    let second_says_more = match (is_exact(first), is_exact(second)) {
        (exact, other_exact) if exact != other_exact => other_exact,
        (true, true) => wider(second, first),
        // Both are bounds: tighter where one lies within the other.
        _ => {
            one.0 <= other.0 && other.1 <= one.1 && one != other
                || one == other && wider(second, first)
        }
    };
    if second_says_more {
        Preference::Second
    } else {
        Preference::First
    }
}

fn is_exact(entry: &Entry) -> bool {
    matches!(entry.bound, None | Some(Bound::Exact))
}

/// Between which values the true one lies, as the entry says.
fn reach(entry: &Entry) -> (Score, Score) {
    match entry.bound {
        None | Some(Bound::Exact) => (entry.value, entry.value),
        Some(Bound::Lower) => (entry.value, Score::INFINITY),
        Some(Bound::Upper) => (Score::NEG_INFINITY, entry.value),
    }
}

/// Whether an interval entry answers more probes than another.
fn wider(entry: &Entry, than: &Entry) -> bool {
    entry
        .window
        .zip(than.window)
        .is_some_and(|(window, than)| window.contains(than) && !than.contains(window))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::game::Window;

    fn score(value: f64) -> Score {
        Score::new(value).expect("a number")
    }

    fn bound(bound: Bound, value: f64, depth: u8) -> Entry {
        Entry {
            value: score(value),
            window: None,
            bound: Some(bound),
            depth: Some(depth),
        }
    }

    fn interval(value: f64, alpha: f64, beta: f64) -> Entry {
        let (value, window) = (
            score(value),
            Window {
                alpha: score(alpha),
                beta: score(beta),
            },
        );
        Entry {
            value,
            window: Some(window),
            bound: Some(Bound::of(value, window)),
            depth: Some(2),
        }
    }

    #[test]
    fn deeper_counts_then_tighter_and_contradictions_are_seen() {
        use Bound::{Exact, Lower, Upper};
        use Preference::{Conflict, First, Second};
        for (one, other, wanted) in [
            (bound(Exact, 0.5, 2), bound(Upper, 0.1, 3), Second),
            (bound(Exact, 0.5, 3), bound(Exact, 0.1, 2), First),
            (bound(Exact, 0.5, 3), bound(Exact, 0.1, 3), Conflict),
            (bound(Lower, 0.5, 3), bound(Exact, 0.6, 3), Second),
            (bound(Lower, 0.5, 3), bound(Exact, 0.4, 3), Conflict),
            (bound(Lower, 0.5, 3), bound(Lower, 0.6, 3), Second),
            (bound(Upper, 0.5, 3), bound(Upper, 0.6, 3), First),
            (bound(Upper, 0.5, 3), bound(Lower, 0.4, 3), First),
            (bound(Upper, 0.3, 3), bound(Lower, 0.4, 3), Conflict),
            (interval(0.2, 0.0, 0.5), interval(0.2, -1.0, 1.0), Second),
            (interval(0.2, -1.0, 1.0), interval(0.2, 0.0, 0.5), First),
            (interval(0.0, 0.0, 0.5), interval(-0.2, -1.0, 1.0), Second),
        ] {
            assert_eq!(prefer(&one, &other), wanted, "{one:?} {other:?}");
        }
    }
}
