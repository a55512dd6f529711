//! Two cache files at a time: merged into one, or compared.

use std::path::Path;

use super::{
    CacheHeader, Convention, LoadOptions, Saved,
    convert::codec,
    native::Codec,
    settle::{Group, Grouping},
    sink::Sink,
    source::{Source, Stated},
    stream::Watch,
};
use crate::engine::{
    files::{self, write_atomically},
    game::{Fault, Game, KeyScheme, Keyed, Score},
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
    /// The memo policy of all files.
    pub policy: Policy,
    /// Their value convention.
    pub convention: Convention,
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

/// Both files' records, to be brought together.
struct Both {
    stated: [Stated; 2],
    codec: Codec,
    grouping: Grouping,
    /// Records of the first file.
    boundary: u64,
}

fn gather<G: Game>(
    game: &G,
    paths: [&Path; 2],
    folder: &Path,
    options: LoadOptions,
    watch: &mut Watch,
) -> Result<Both, Fault> {
    let mut first = Source::open(game, paths[0], options, watch)?;
    let mut second = Source::open(game, paths[1], options, watch)?;
    let stated = [first.stated.clone(), second.stated.clone()];
    if stated[0].policy != stated[1].policy {
        return Err(Fault::new(format!(
            "the files are of two memo policies: `{}` and `{}`",
            stated[0].policy, stated[1].policy
        ))
        .hint("entries of one policy mean nothing to another"));
    }
    let codec = codec::<G>(&stated[0])?;
    let mut grouping = Grouping::new(folder, codec.found_by(), codec.record_bytes());
    let mut record = Vec::new();
    let mut boundary = 0;
    for source in [&mut first, &mut second] {
        boundary = grouping.len();
        source.read(watch, &mut |at, entry| {
            record.clear();
            codec.encode(game, at, &entry, &mut record)?;
            grouping.push(&record)
        })?;
    }
    Ok(Both {
        stated,
        codec,
        grouping,
        boundary,
    })
}

impl Both {
    fn decode<G: Game>(game: &G, codec: Codec, record: &[u8]) -> Result<Filed<G::Key>, Fault> {
        codec.decode(game, record).map_err(Fault::new)
    }
}

/// Compares two files; `examples` of each kind are shown at most. What memory does not hold goes to `folder`.
///
/// # Errors
/// Files of different policies, damage, what the system refuses, and an interrupt.
pub fn diff<G: Game>(
    game: &G,
    paths: [&Path; 2],
    folder: &Path,
    options: LoadOptions,
    examples: usize,
    watch: &mut Watch,
) -> Result<Contrast<G::Key>, Fault> {
    let both = gather(game, paths, folder, options, watch)?;
    let codec = both.codec;
    let mut contrast = Contrast {
        policy: both.stated[0].policy,
        only_first: 0,
        only_second: 0,
        same: 0,
        differing: 0,
        first_examples: Vec::new(),
        second_examples: Vec::new(),
        examples: Vec::new(),
        differences: unlike(&both.stated),
    };
    both.grouping.each(both.boundary, watch, &mut |group| {
        let decode = |record: &[u8]| Both::decode(game, codec, record);
        match &group.of {
            [Some(first), None] => {
                contrast.only_first += 1;
                if contrast.first_examples.len() < examples {
                    contrast.first_examples.push(decode(first)?);
                }
            }
            [None, Some(second)] => {
                contrast.only_second += 1;
                if contrast.second_examples.len() < examples {
                    contrast.second_examples.push(decode(second)?);
                }
            }
            [Some(first), Some(second)] if first == second => contrast.same += 1,
            [Some(first), Some(second)] => {
                contrast.differing += 1;
                if contrast.examples.len() < examples {
                    contrast.examples.push((decode(first)?, decode(second)?));
                }
            }
            [None, None] => {}
        }
        Ok(())
    })?;
    Ok(contrast)
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
    let both = gather(game, paths, files::folder(out), options, watch)?;
    let differences = unlike(&both.stated);
    if !differences.is_empty() {
        let what = format!(
            "the files cannot be merged: in the first, against the second, {}",
            differences.join("; ")
        );
        return Err(Fault::new(what).hint("merge files that were made under the same settings"));
    }
    let codec = both.codec;
    let format = both.stated[0].format;
    let header = CacheHeader {
        keys: joint_keys(&both.stated),
        ..both.stated[0].header_or(here)
    };
    let mut tally = Tally::new(&both.stated[0], examples);
    let settled = both.grouping.settle(both.boundary, watch, &mut |group| {
        tally.choose(group, |record| Both::decode(game, codec, record))
    })?;
    let saved = write_atomically(out, |file| {
        let mut sink = Sink::start::<G>(file, format, &header, Some(settled.len()))?;
        let (mut done, total) = (0, settled.len());
        settled.each(&mut |record| {
            if done % super::settle::CHUNK == 0 {
                watch.tick(done, total)?;
            }
            done += 1;
            let (at, entry) = Both::decode(game, codec, record)?;
            sink.push(game, at, entry)
        })?;
        Ok(sink.finish()?.saved(format, Vec::new()))
    })?;
    Ok(Merged {
        saved,
        ..tally.merged
    })
}

/// Keys of which both files' searches can make use.
fn joint_keys(stated: &[Stated; 2]) -> KeyScheme {
    if stated[0].keys == stated[1].keys {
        stated[0].keys
    } else {
        KeyScheme::Colour
    }
}

/// What the files state differently and matters to their values. Canonical keys are colour-normalised ones too.
fn unlike(stated: &[Stated; 2]) -> Vec<String> {
    let [first, second] = stated;
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

/// Counts what is taken from where.
struct Tally<K> {
    examples: usize,
    merged: Merged<K>,
}

impl<K: Copy> Tally<K> {
    fn new(stated: &Stated, examples: usize) -> Self {
        let saved = Saved {
            entries: 0,
            bytes: 0,
            format: stated.format,
            crc32: 0,
            merged: 0,
            notes: Vec::new(),
        };
        Self {
            examples,
            merged: Merged {
                saved,
                policy: stated.policy,
                convention: stated.convention,
                only_first: 0,
                only_second: 0,
                same: 0,
                from_first: 0,
                from_second: 0,
                conflicts: 0,
                examples: Vec::new(),
            },
        }
    }

    /// The record that counts.
    fn choose(
        &mut self,
        group: &Group,
        decode: impl Fn(&[u8]) -> Result<Filed<K>, Fault>,
    ) -> Result<Vec<u8>, Fault> {
        let merged = &mut self.merged;
        let (first, second) = match group.of.clone() {
            [Some(first), Some(second)] => (first, second),
            [Some(first), None] => {
                merged.only_first += 1;
                return Ok(first);
            }
            [_, second] => {
                merged.only_second += 1;
                return Ok(second.unwrap_or_default());
            }
        };
        if first == second {
            merged.same += 1;
            return Ok(first);
        }
        let (one, other) = (decode(&first)?, decode(&second)?);
        Ok(match prefer(&one.1, &other.1) {
            Preference::Conflict => {
                merged.conflicts += 1;
                merged.from_first += 1;
                if merged.examples.len() < self.examples {
                    merged.examples.push((one, other));
                }
                first
            }
            Preference::First => {
                merged.from_first += 1;
                first
            }
            Preference::Second => {
                merged.from_second += 1;
                second
            }
        })
    }
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
