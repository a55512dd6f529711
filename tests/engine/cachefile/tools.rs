//! Repair of damaged files, and comparison of two files.

use std::{collections::BTreeMap, fs, path::Path, sync::atomic::AtomicBool};

use plyscope::engine::{
    cachefile::{
        CacheHeader, Convention, Format, LoadOptions, Loaded, Monitor, Saved, full_join,
        header_differences, load, same_bits, save,
    },
    game::{Fault, Game, Keyed, Side},
    table::{AnyTable, Entry, Policy},
};
use proptest::{collection::vec, prelude::*, sample::Index};

use crate::common::cases::cases;

use super::{
    native::with_header,
    support::{bytes_as, cache, entry, files_in, folder, header, load_as, save_as},
    toy::{Key, TOY, Toy, key},
};

const BLOCK: usize = 65_536;
/// Bytes of a block: mark, number and count; records; check sum.
const ROTE_BLOCK: usize = 12 + BLOCK * 16 + 4;

fn watched<T>(work: impl FnOnce(&mut Monitor) -> T) -> T {
    work(&mut Monitor { interrupt: &AtomicBool::new(false), progress: &mut |_, _| {} })
}

/// `count` different entries; their numbers are their values.
fn many(count: u32) -> AnyTable<Key> {
    assert!(count <= 1 << 18);
    // Nine bits spread over the rings, White's below Black's.
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

/// Repairs a file.
fn repair(
    path: &Path,
    out: &Path,
    policy: Policy,
    watch: &mut Monitor,
) -> Result<(Saved, Loaded<Key>), Fault> {
    let salvage = LoadOptions { salvage: true, ..LoadOptions::default() };
    let loaded = load(&TOY, path, salvage, watch)?;
    let (keys, convention) = (loaded.keys, loaded.convention);
    let assumed = || CacheHeader { keys, convention, ..header(&TOY, policy) };
    let header = loaded.header.clone().unwrap_or_else(assumed);
    let entries = loaded.table.entries();
    let saved = save(&TOY, entries, out, loaded.format, &header, watch)?;
    Ok((saved, loaded))
}

/// The differences of two files' headers.
fn compared([first, second]: &[std::path::PathBuf; 2]) -> Result<Vec<String>, Fault> {
    let read = |path| watched(|watch| load(&TOY, path, LoadOptions::default(), watch));
    let both = [read(first)?, read(second)?];
    header_differences(&both)
}

/// The values of a repaired file's records in order, from a scan of the bytes.
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
        // A flipped bit; a missing mark; a wrong number of records.
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
        }
    }
}

fn header_length(bytes: &[u8]) -> usize {
    16 + u32::from_le_bytes([bytes[12], bytes[13], bytes[14], bytes[15]]) as usize + 4
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn every_intact_block_is_found(at in any::<Index>(), bit in 0..8) {
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
fn a_truncated_file_keeps_its_complete_blocks() {
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
fn any_changed_byte_and_any_prefix_is_handled() {
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
fn an_unknown_version_is_not_reported_as_damage() {
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
    let table = cache::<Toy>(
        Policy::Interval,
        &[0, 1, 2, 3].map(|n| (key(n, 1, 2, Side::White), n, [0.5, -1.0, 1.0])),
    );
    let mut bytes = bytes_as(&TOY, &table, Format::SeedSearch, Convention::Seed);
    bytes[32 + 8..32 + 16].copy_from_slice(&f64::NAN.to_le_bytes());
    bytes.truncate(4 * 32 - 3);
    let folder = folder();
    let (path, out) = (folder.path().join("bad"), folder.path().join("good"));
    fs::write(&path, &bytes).expect("written");
    let (saved, loaded) =
        watched(|watch| repair(&path, &out, Policy::Interval, watch)).expect("repaired");
    assert_eq!(saved.entries, 2);
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

fn model(table: &AnyTable<Key>) -> BTreeMap<Keyed<Key>, Entry> {
    table.entries().iter().collect()
}

fn both(policy: Policy, one: &Given, other: &Given) -> ([AnyTable<Key>; 2], tempfile::TempDir) {
    let tables = [one, other].map(|entries| cache::<Toy>(policy, entries));
    let folder = folder();
    for (table, name) in tables.iter().zip(["one", "other"]) {
        let path = folder.path().join(name);
        save_as(&TOY, table, &path, Format::Native, Convention::Relative).expect("saved");
    }
    (tables, folder)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn differences_equal_those_of_two_maps(
        policy in prop_oneof![Just(Policy::Interval), Just(Policy::Bound), Just(Policy::Exact)],
        one in any_entries(),
        other in any_entries(),
    ) {
        let (tables, folder) = both(policy, &one, &other);
        let [first, second] = tables.each_ref().map(model);
        drop(folder);
        let found: Vec<_> = full_join(tables[0].entries(), tables[1].entries()).collect();
        for (at, one, other) in &found {
            prop_assert_eq!((first.get(at), second.get(at)), (one.as_ref(), other.as_ref()));
        }
        let keys: std::collections::BTreeSet<_> = first.keys().chain(second.keys()).collect();
        prop_assert_eq!(found.len(), keys.len());
        let order: Vec<_> = tables[0].entries().iter().map(|(at, _)| at).collect();
        prop_assert!(found.iter().map(|(at, ..)| *at).take(order.len()).eq(order));
        let zero = |value: f64| entry(Policy::Rote, 0, [value, 0.0, 0.0]);
        prop_assert!(same_bits(&zero(0.0), &zero(0.0)) && !same_bits(&zero(0.0), &zero(-0.0)));
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
    let against = |one: &str, two: &str| compared(&[one, two].map(path));
    for (one, two, words) in [
        ("one", "exact", "two memo policies: `rote` and `exact`"),
        ("one", "missing", "there is no such file"),
    ] {
        let fault = against(one, two).expect_err("refused");
        assert!(fault.message.contains(words), "{fault}");
        assert!(fault.hint.is_some(), "{fault}");
    }
    let weights = against("one", "other").expect("compared");
    assert_eq!(weights, ["weight mills is 0.1 in the first, 0.2 in the second"]);
    let seed = cache::<Toy>(Policy::Rote, &[(key(1, 1, 2, Side::White), 0, [0.5; 3])]);
    save_as(&TOY, &seed, &path("seed"), Format::SeedRote, Convention::Seed).expect("saved");
    let keys = against("one", "seed").expect("compared");
    assert!(keys[0].contains("keys are plain"), "{keys:?}");
}

/// Canonical keys are colour-normalised as well.
#[test]
fn keys_of_two_files_differ_where_one_normalises_colours() {
    use plyscope::engine::game::KeyScheme::{self, Canonical, Colour, Plain};
    let bytes = bytes_as(&TOY, &many(5), Format::Native, Convention::Relative);
    let folder = folder();
    let paths = ["one", "two"].map(|name| folder.path().join(name));
    let name = |keys: KeyScheme| match keys {
        Plain => "plain",
        Colour => "colour",
        Canonical => "canonical",
    };
    let with_keys = |keys| {
        let words = format!("\"keys\":\"{}\"", name(keys));
        with_header(&bytes, |json| json.replace("\"keys\":\"plain\"", &words))
    };
    for (first, second, same) in [
        (Plain, Plain, true),
        (Canonical, Canonical, true),
        (Colour, Canonical, true),
        (Canonical, Colour, true),
        (Plain, Canonical, false),
        (Colour, Plain, false),
    ] {
        fs::write(&paths[0], with_keys(first)).expect("written");
        fs::write(&paths[1], with_keys(second)).expect("written");
        let differences = compared(&paths).expect("compared");
        assert_eq!(differences.is_empty(), same, "{first:?} with {second:?}: {differences:?}");
    }
}

/// A file with plain keys does not fit a search with normalised keys, nor the reverse; the two kinds of normalised keys
/// fit both.
fn plain_keys_are_keys_of_their_own<G: Game>(game: &G) {
    use plyscope::engine::{game::KeyScheme, searcher::Searcher};
    let usual = Searcher::usual(game.clone());
    for scheme in [KeyScheme::Plain, KeyScheme::Colour, KeyScheme::Canonical] {
        let here = CacheHeader::of(&usual);
        let file = CacheHeader { keys: scheme, ..here.clone() };
        let fits = (scheme == KeyScheme::Plain) == (here.keys == KeyScheme::Plain);
        let differences = file.differences_to(&usual);
        assert_eq!(differences.is_empty(), fits, "{scheme:?}: {differences:?}");
        assert!(fits || differences[0].starts_with("keys is "), "{differences:?}");
    }
}

#[test]
fn plain_keys_are_no_normalised_keys() {
    plain_keys_are_keys_of_their_own(&plyscope::engine::morris::Morris::default());
    plain_keys_are_keys_of_their_own(&plyscope::engine::chess::Chess::default());
}
