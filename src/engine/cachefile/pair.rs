//! Two cache files at a time: merged into one, or compared.

use std::path::Path;

use serde::Serialize;

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
    /// How many entries are where.
    pub counts: Contrasted,
    /// Some of those in the first file only.
    pub first_examples: Vec<Filed<K>>,
    /// Some of those in the second file only.
    pub second_examples: Vec<Filed<K>>,
    /// Some that differ: as in the first file and as in the second.
    pub examples: Vec<FiledTwice<K>>,
    /// What the files state differently, in sentences.
    pub differences: Vec<String>,
}

/// Entries of two files, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Contrasted {
    /// Only in the first file.
    pub only_first: u64,
    /// Only in the second.
    pub only_second: u64,
    /// In both, the same bit for bit.
    pub same: u64,
    /// In both, and different.
    pub differing: u64,
}

/// What came of merging.
#[derive(Clone, Debug, PartialEq)]
pub struct Merged<K> {
    /// The new file.
    pub saved: Saved,
    /// What its values depend on.
    pub header: CacheHeader,
    /// Where its entries came from.
    pub counts: MergedCounts,
    /// Some entries of both files that cannot both be right.
    pub examples: Vec<FiledTwice<K>>,
}

/// Where the entries of a merged file came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MergedCounts {
    /// Only in the first file.
    pub only_first: u64,
    /// Only in the second.
    pub only_second: u64,
    /// The same in both, bit for bit.
    pub same: u64,
    /// In both, the first file's taken, conflicts included.
    pub from_first: u64,
    /// In both, the second file's taken.
    pub from_second: u64,
    /// In both, and they cannot both be right: the first file's was taken.
    pub conflicts: u64,
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
        counts: Contrasted::default(),
        first_examples: Vec::new(),
        second_examples: Vec::new(),
        examples: Vec::new(),
        differences: unlike(&both),
    };
    let [first, second] = &both;
    for (at, entry) in first.entries() {
        match second.memo.entries().get(at) {
            Some(other) if bits(&entry) == bits(&other) => contrast.counts.same += 1,
            Some(other) => {
                contrast.counts.differing += 1;
                let pair = ((at, entry), (at, other));
                keep(&mut contrast.examples, examples, pair);
            }
            None => {
                contrast.counts.only_first += 1;
                keep(&mut contrast.first_examples, examples, (at, entry));
            }
        }
    }
    for (at, entry) in second.entries() {
        if first.memo.entries().get(at).is_none() {
            contrast.counts.only_second += 1;
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
    let mut counts = MergedCounts::default();
    let mut conflicting = Vec::new();
    counts.only_first = first.memo.entries().len() as u64;
    for (at, entry) in second.entries() {
        let own = first.memo.entries().get(at);
        counts.only_first -= u64::from(own.is_some());
        let preference = own.map(|own| prefer(&own, &entry));
        *match preference {
            None => &mut counts.only_second,
            Some(Preference::Same) => &mut counts.same,
            Some(Preference::Second) => &mut counts.from_second,
            Some(Preference::First | Preference::Conflict) => &mut counts.from_first,
        } += 1;
        match (preference, own) {
            (None | Some(Preference::Second), _) => {
                first.memo.entries_mut().set(at, entry)?;
            }
            (Some(Preference::Conflict), Some(own)) => {
                counts.conflicts += 1;
                keep(&mut conflicting, examples, ((at, own), (at, entry)));
            }
            _ => {}
        }
    }
    let entries = first.memo.entries();
    let saved = save(game, entries, out, first.format, &header, watch)?;
    Ok(Merged {
        saved,
        header,
        counts,
        examples: conflicting,
    })
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
    /// They are the same, bit for bit.
    Same,
    First,
    Second,
    /// They cannot both be right.
    Conflict,
}

fn prefer(first: &Entry, second: &Entry) -> Preference {
    if bits(first) == bits(second) {
        return Preference::Same;
    }
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
