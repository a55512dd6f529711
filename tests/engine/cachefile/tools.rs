//! Damaged files salvaged, and two files merged and compared.

use std::{collections::BTreeMap, fs, path::Path, sync::atomic::AtomicBool};

use plyscope::engine::{
    cachefile::{
        Convention, Format, LoadOptions, Loaded, Merge, Saved, Watch, load, same_bits, save,
        side_by_side,
    },
    game::{Fault, Keyed, Side},
    memo::{AnyMemo, Entry, Policy},
};
use proptest::{collection::vec, prelude::*, sample::Index};

use crate::common::cases::cases;

use super::{
    native::with_header,
    support::{bytes_as, cache, entry, files_in, folder, header, load_as, save_as},
    toy::{Key, TOY, Toy, key},
};

const BLOCK: usize = 65_536;
/// Mark, number and count; records; check sum.
const ROTE_BLOCK: usize = 12 + BLOCK * 16 + 4;

fn watched<T>(work: impl FnOnce(&mut Watch) -> T) -> T {
    work(&mut Watch { interrupt: &AtomicBool::new(false), progress: &mut |_, _| {} })
}

/// So many entries, all different, with their numbers as values.
fn many(count: u32) -> AnyMemo<Key> {
    assert!(count <= 1 << 18);
    // Nine bits spread over the rings, white's below black's.
    let points = |n: u32| n & 7 | (n >> 3 & 7) << 8 | (n >> 6 & 7) << 16;
    let entry = |n: u32| {
        let key = key(0, points(n), points(n >> 9) << 3, Side::White);
        (key, 0, [f64::from(n), 0.0, 0.0])
    };
    let entries: Vec<_> = (0..count).map(entry).collect();
    cache::<Toy>(Policy::Rote, &entries)
}

/// A native file of several blocks.
fn blocks(records: usize) -> Vec<u8> {
    bytes_as(&TOY, &many(records as u32), Format::Native, Convention::Relative)
}

/// Copies what is sound of a file.
fn repair(
    path: &Path,
    out: &Path,
    policy: Policy,
    watch: &mut Watch,
) -> Result<(Saved, Loaded<Key>), Fault> {
    let salvage = LoadOptions { salvage: true, ..LoadOptions::default() };
    let loaded = load(&TOY, path, salvage, watch)?;
    let header = loaded.header_or(&header(&TOY, policy));
    let entries = loaded.memo.entries();
    let saved = save(&TOY, entries, out, loaded.format, &header, watch)?;
    Ok((saved, loaded))
}

/// Merges two files into a third.
fn merge(paths: &[std::path::PathBuf; 3], policy: Policy) -> Result<(Saved, Merge<Key>), Fault> {
    let [first, second, out] = paths;
    let read = |path| watched(|watch| load(&TOY, path, LoadOptions::default(), watch));
    let both = [read(first)?, read(second)?];
    let merge = Merge::of(&both, &header(&TOY, policy))?;
    let (entries, format) = (merge.memo.entries(), both[0].format);
    let saved = watched(|watch| save(&TOY, entries, out, format, &merge.header, watch))?;
    Ok((saved, merge))
}

/// The values of a repaired file's records in order, by scanning the bytes.
fn values(path: &Path) -> Vec<u32> {
    let bytes = fs::read(path).expect("read");
    let mut values = Vec::new();
    let mut at = header_length(&bytes);
    while bytes[at..].starts_with(b"BLCK") {
        let count = u32::from_le_bytes(bytes[at + 8..at + 12].try_into().expect("four")) as usize;
        for record in bytes[at + 12..at + 12 + count * 16].chunks_exact(16) {
            let value = f64::from_le_bytes(record[8..].try_into().expect("eight"));
            values.push(format!("{value}").parse().expect("a count"));
        }
        at += 12 + count * 16 + 4;
    }
    assert!(bytes[at..].starts_with(b"DONE"));
    values
}

fn repaired(bytes: &[u8]) -> (Vec<u32>, Loaded<Key>) {
    let folder = folder();
    let (path, out) = (folder.path().join("bad"), folder.path().join("good"));
    fs::write(&path, bytes).expect("written");
    let (saved, loaded) =
        watched(|watch| repair(&path, &out, Policy::Rote, watch)).expect("repaired");
    assert_eq!(saved.bytes, fs::metadata(&out).expect("found").len());
    assert!(load_as(&TOY, &out, None).is_ok());
    assert_eq!(fs::read(&path).expect("read"), bytes, "the old file stays");
    (values(&out), loaded)
}

#[test]
fn a_damaged_block_is_named_and_the_others_recovered() {
    let records = 3 * BLOCK + 100;
    let whole = blocks(records);
    let start = whole.len() - 20 - (12 + 100 * 16 + 4) - 3 * ROTE_BLOCK;
    let all: Vec<u32> = (0..records as u32).collect();
    let without = |block: usize| {
        let lost = (block * BLOCK) as u32..((block + 1) * BLOCK) as u32;
        let kept = all.iter().copied().filter(|n| !lost.contains(n));
        kept.collect::<Vec<_>>()
    };
    let (values, loaded) = repaired(&whole);
    assert_eq!((values, loaded.findings.damaged), (all.clone(), 0));
    for block in 0..3 {
        // A flipped bit; a mark that is gone; the number of records.
        let inside = start + block * ROTE_BLOCK;
        for (at, bits) in [(inside + 5000, 4), (inside, 0xFF), (inside + 8, 1)] {
            let mut bytes = whole.clone();
            bytes[at] ^= bits;
            let (values, loaded) = repaired(&bytes);
            assert_eq!(values, without(block), "block {block}");
            let found = loaded.findings;
            assert_eq!(found.damaged, 1);
            let place = &found.damage[0];
            assert_eq!(place.place, format!("block {}", block + 1));
            assert_eq!(place.offset, (start + block * ROTE_BLOCK) as u64);
            assert_eq!(found.promised, Some(records as u64));
        }
    }
}

fn header_length(bytes: &[u8]) -> usize {
    16 + u32::from_le_bytes([bytes[12], bytes[13], bytes[14], bytes[15]]) as usize + 4
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn every_block_that_is_as_it_was_is_found(at in any::<Index>(), bit in 0..8) {
        let records = 2 * BLOCK + 300;
        let mut bytes = blocks(records);
        let start = header_length(&bytes);
        let at = start + at.index(bytes.len() - start);
        bytes[at] ^= 1_u8 << bit;
        let hit = (at - start) / ROTE_BLOCK;
        let in_end = at >= bytes.len() - 20;
        let kept = (0..records).filter(|record| in_end || record / BLOCK != hit);
        let kept: Vec<_> = kept.map(|record| record as u32).collect();
        prop_assert_eq!(repaired(&bytes).0, kept);
    }
}

#[test]
fn a_cut_off_file_keeps_its_whole_blocks() {
    let whole = blocks(BLOCK + 300);
    let block_ends = header_length(&whole) + ROTE_BLOCK;
    for (length, kept) in
        [(whole.len() - 1, BLOCK + 300), (whole.len() - 21, BLOCK), (block_ends, BLOCK)]
    {
        assert_eq!(repaired(&whole[..length]).0.len(), kept, "{length} bytes");
    }
}

#[test]
fn a_damaged_header_is_refused_for_it_says_what_values_depend_on() {
    let whole = blocks(10);
    for at in [0, 9, 13, 40] {
        let folder = folder();
        let (path, out) = (folder.path().join("bad"), folder.path().join("good"));
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        fs::write(&path, bytes).expect("written");
        let made = watched(|watch| repair(&path, &out, Policy::Rote, watch));
        let fault = made.map(drop).expect_err("refused");
        assert!(fault.message.contains("the header at byte 0"), "{fault}");
        assert!(fault.hint.is_some_and(|hint| hint.contains("depend on")));
    }
}

#[test]
fn every_changed_byte_and_every_prefix_is_survived() {
    let bytes = bytes_as(&TOY, &many(5), Format::Native, Convention::Relative);
    let original: Vec<u32> = (0..5).collect();
    let attempt = |damaged: &[u8]| {
        let folder = folder();
        let (path, out) = (folder.path().join("bad"), folder.path().join("good"));
        fs::write(&path, damaged).expect("written");
        let made = watched(|watch| repair(&path, &out, Policy::Rote, watch));
        let Ok((_, found)) = made else {
            assert!(made.is_err_and(|fault| fault.hint.is_some()));
            assert_eq!(files_in(&folder), 1);
            return;
        };
        assert!(found.findings.damaged > 0, "{:?}", found.findings);
        if found.format == Format::Native {
            let values = values(&out);
            assert!(values == original || values.is_empty(), "{values:?}");
        }
    };
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= [0x01, 0x80, 0xFF][at % 3];
        attempt(&damaged);
    }
    let lengths = (1..bytes.len()).step_by(3);
    lengths.for_each(|length| attempt(&bytes[..length]));
}

#[test]
fn a_version_that_is_not_known_is_no_damage() {
    let mut newer = bytes_as(&TOY, &many(5), Format::Native, Convention::Relative);
    newer[8] = 2;
    let length = 16 + u32::from_le_bytes([newer[12], newer[13], newer[14], newer[15]]) as usize;
    let sum = crc32fast::hash(&newer[..length]);
    newer[length..length + 4].copy_from_slice(&sum.to_le_bytes());
    let folder = folder();
    let (path, out) = (folder.path().join("new"), folder.path().join("out"));
    fs::write(&path, &newer).expect("written");
    let made = watched(|watch| repair(&path, &out, Policy::Rote, watch));
    assert!(made.is_err_and(|fault| fault.message.contains("version 2")));
}

#[test]
fn seed_files_are_repaired_record_by_record() {
    let memo = cache::<Toy>(
        Policy::Interval,
        &[0, 1, 2, 3].map(|n| (key(n, 1, 2, Side::White), n, [0.5, -1.0, 1.0])),
    );
    let mut bytes = bytes_as(&TOY, &memo, Format::SeedSearch, Convention::Seed);
    bytes[32 + 8..32 + 16].copy_from_slice(&f64::NAN.to_le_bytes());
    bytes.truncate(4 * 32 - 3);
    let folder = folder();
    let (path, out) = (folder.path().join("bad"), folder.path().join("good"));
    fs::write(&path, &bytes).expect("written");
    let (saved, loaded) =
        watched(|watch| repair(&path, &out, Policy::Interval, watch)).expect("repaired");
    assert_eq!((saved.entries, saved.format), (2, Format::SeedSearch));
    let damage = &loaded.findings.damage;
    let places: Vec<_> = damage.iter().map(|place| place.place.as_str()).collect();
    assert_eq!(places, ["seed-search record 2", "seed-search record 4"]);
    assert!(damage[0].reason.contains("NaN"));
    let kept = [&bytes[..32], &bytes[64..96]].concat();
    assert_eq!(fs::read(&out).expect("read"), kept);
}

fn any_key() -> impl Strategy<Value = Key> {
    (0..3_u8, 0..8_u32, any::<bool>()).prop_map(|(hand, stones, black)| {
        let side = if black { Side::Black } else { Side::White };
        key(hand << 4, stones, 8, side)
    })
}

type Given = Vec<(Key, u8, [f64; 3])>;

fn any_entries() -> impl Strategy<Value = Given> {
    let halves = || (-2..3_i8).prop_map(|half| f64::from(half) / 2.0);
    vec((any_key(), 0..3_u8, [halves(), halves(), halves()]), 0..60)
}

fn model(memo: &AnyMemo<Key>) -> BTreeMap<Keyed<Key>, Entry> {
    memo.entries().iter().collect()
}

fn both(policy: Policy, one: &Given, other: &Given) -> ([AnyMemo<Key>; 2], tempfile::TempDir) {
    let memos = [one, other].map(|entries| cache::<Toy>(policy, entries));
    let folder = folder();
    for (memo, name) in memos.iter().zip(["one", "other"]) {
        let path = folder.path().join(name);
        save_as(&TOY, memo, &path, Format::Native, Convention::Relative).expect("saved");
    }
    (memos, folder)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn differences_are_those_of_the_maps(
        policy in prop_oneof![Just(Policy::Interval), Just(Policy::Bound), Just(Policy::Exact)],
        one in any_entries(),
        other in any_entries(),
    ) {
        let (memos, folder) = both(policy, &one, &other);
        let [first, second] = memos.each_ref().map(model);
        drop(folder);
        let found: Vec<_> = side_by_side(memos[0].entries(), memos[1].entries()).collect();
        for (at, one, other) in &found {
            prop_assert_eq!((first.get(at), second.get(at)), (one.as_ref(), other.as_ref()));
        }
        let keys: std::collections::BTreeSet<_> = first.keys().chain(second.keys()).collect();
        prop_assert_eq!(found.len(), keys.len());
        let order: Vec<_> = memos[0].entries().iter().map(|(at, _)| at).collect();
        prop_assert!(found.iter().map(|(at, ..)| *at).take(order.len()).eq(order));
        let zero = |value: f64| entry(Policy::Rote, 0, [value, 0.0, 0.0]);
        prop_assert!(same_bits(&zero(0.0), &zero(0.0)) && !same_bits(&zero(0.0), &zero(-0.0)));
    }

    #[test]
    fn a_merged_file_has_every_key_and_the_first_files_order(
        policy in prop_oneof![Just(Policy::Interval), Just(Policy::Bound), Just(Policy::Rote)],
        one in any_entries(),
        other in any_entries(),
    ) {
        let (memos, folder) = both(policy, &one, &other);
        let [first, second] = memos.each_ref().map(model);
        let paths = ["one", "other", "out"].map(|name| folder.path().join(name));
        let (saved, merged) = merge(&paths, policy).expect("merged");
        let loaded = load_as(&TOY, &paths[2], None).expect("a good file");
        let mut order: Vec<_> = memos[0].entries().iter().map(|(at, _)| at).collect();
        order.extend(memos[1].entries().iter().map(|(at, _)| at).filter(|at| !first.contains_key(at)));
        let found: Vec<_> = loaded.entries().map(|(at, _)| at).collect();
        prop_assert_eq!(found, order);
        for (at, entry) in loaded.entries() {
            let of_either = first.get(&at) == Some(&entry) || second.get(&at) == Some(&entry);
            prop_assert!(of_either);
            let deepest = first.get(&at).max_by_depth(second.get(&at));
            prop_assert_eq!(entry.depth, deepest);
        }
        let counts = merged.counts;
        let both = counts.from_first + counts.from_second;
        prop_assert_eq!(counts.only_first + counts.only_second + both, saved.entries);
    }
}

/// The greater of two depths, where there are any.
trait Deeper {
    fn max_by_depth(self, other: Self) -> Option<u8>;
}

impl Deeper for Option<&Entry> {
    fn max_by_depth(self, other: Self) -> Option<u8> {
        let depth = |entry: Option<&Entry>| entry.and_then(|entry| entry.depth);
        depth(self).max(depth(other))
    }
}

#[test]
fn files_that_do_not_go_together_are_refused() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let bytes = bytes_as(&TOY, &many(5), Format::Native, Convention::Relative);
    fs::write(path("one"), &bytes).expect("written");
    let other = with_header(&bytes, |json| json.replace("\"mills\":\"0.1\"", "\"mills\":\"0.2\""));
    fs::write(path("other"), other).expect("written");
    let exact = cache::<Toy>(Policy::Exact, &[(key(1, 1, 2, Side::White), 1, [0.5; 3])]);
    save_as(&TOY, &exact, &path("exact"), Format::Native, Convention::Relative).expect("saved");
    let merged = |one: &str, two: &str| merge(&[one, two, "out"].map(path), Policy::Rote);
    for (one, two, words) in [
        ("one", "other", "weight mills is 0.1 in the first, 0.2 in the second"),
        ("one", "exact", "two memo policies: `rote` and `exact`"),
        ("one", "missing", "there is no such file"),
    ] {
        let fault = merged(one, two).expect_err("refused");
        assert!(fault.message.contains(words), "{fault}");
        assert!(fault.hint.is_some(), "{fault}");
    }
    assert_eq!(files_in(&folder), 3, "nothing was written");
    // A seed's file under the same convention goes with it: plain keys do not.
    let seed = cache::<Toy>(Policy::Rote, &[(key(1, 1, 2, Side::White), 0, [0.5; 3])]);
    save_as(&TOY, &seed, &path("seed"), Format::SeedRote, Convention::Seed).expect("saved");
    let fault = merged("one", "seed").expect_err("refused");
    assert!(fault.message.contains("keys are plain"), "{fault}");
}

#[test]
fn deeper_counts_then_exact_then_the_first() {
    // Exact, lower and upper: as a value lies in the window it was searched under.
    let exact = |value, depth| (Policy::Bound, [value, -1.0, 1.0], depth);
    let lower = |value, depth| (Policy::Bound, [value, -1.0, value], depth);
    let interval = |value, alpha, beta| (Policy::Interval, [value, alpha, beta], 2);
    for (one, other, second) in [
        (lower(0.5, 2), lower(0.1, 3), true),
        (exact(0.5, 2), lower(0.1, 3), true),
        (exact(0.5, 3), exact(0.1, 2), false),
        (exact(0.5, 3), exact(0.1, 3), false),
        (lower(0.5, 3), exact(0.6, 3), true),
        (interval(0.2, 0.0, 0.5), interval(0.2, -1.0, 1.0), false),
        (interval(0.0, 0.0, 0.5), interval(-0.2, -1.0, 1.0), true),
    ] {
        let given = |(_, numbers, depth)| vec![(key(1, 1, 2, Side::White), depth, numbers)];
        let (_, folder) = both(one.0, &given(one), &given(other));
        let paths = ["one", "other", "out"].map(|name| folder.path().join(name));
        let counts = merge(&paths, one.0).expect("merged").1.counts;
        let taken = (counts.from_first, counts.from_second);
        assert_eq!(taken, if second { (0, 1) } else { (1, 0) }, "{one:?} {other:?}");
    }
}

/// What the new file states holds for both files' keys, and what each file states may differ in that alone.
#[test]
fn a_merged_file_states_keys_that_both_have() {
    use plyscope::engine::game::KeyScheme::{self, Canonical, Colour, Plain};
    let bytes = bytes_as(&TOY, &many(5), Format::Native, Convention::Relative);
    let folder = folder();
    let paths = ["one", "two", "out"].map(|name| folder.path().join(name));
    let [one, two, out] = &paths;
    let name = |keys: KeyScheme| match keys {
        Plain => "plain",
        Colour => "colour",
        Canonical => "canonical",
    };
    let with_keys = |keys| {
        let words = format!("\"keys\":\"{}\"", name(keys));
        with_header(&bytes, |json| json.replace("\"keys\":\"plain\"", &words))
    };
    for (first, second, joint) in [
        (Plain, Plain, Some(Plain)),
        (Colour, Colour, Some(Colour)),
        (Canonical, Canonical, Some(Canonical)),
        (Colour, Canonical, Some(Colour)),
        (Canonical, Colour, Some(Colour)),
        (Plain, Canonical, None),
        (Colour, Plain, None),
    ] {
        fs::write(one, with_keys(first)).expect("written");
        fs::write(two, with_keys(second)).expect("written");
        let merged = merge(&paths, Policy::Rote);
        assert_eq!(merged.ok().map(|(_, merged)| merged.header.keys), joint);
        if let Some(joint) = joint {
            let read = load_as(&TOY, out, None).expect("a good file");
            assert_eq!(read.keys, joint, "{first:?} with {second:?}");
        }
    }
}
