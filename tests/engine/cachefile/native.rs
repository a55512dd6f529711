//! The native format: round trips, headers and refusals.

use std::{
    fs,
    sync::atomic::{AtomicBool, Ordering},
};

use plyscope::engine::{
    cachefile::{CacheHeader, Convention, Format, LoadOptions, Monitor, load, save},
    game::{KeyScheme, Rules, Side, Weights},
    search::Fidelity,
    table::{Bound, Policy},
};
use proptest::{collection::vec, prelude::*};

use super::{
    support::{
        bits, bytes_as, cache, files_in, folder, header, load_as, load_bytes, load_with, save_as,
    },
    toy::{Key, TOY, Toy, key},
};

const POLICIES: [Policy; 4] = [Policy::Exact, Policy::Interval, Policy::Bound, Policy::Rote];

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<f64>().prop_map(|value| if value.is_nan() { -0.0 } else { value }),
        -1.0..1.0_f64,
        Just(f64::INFINITY),
        Just(f64::NEG_INFINITY),
        Just(-0.0),
    ]
}

fn any_key() -> impl Strategy<Value = Key> {
    let stones =
        || vec(0..24_u32, 0..5).prop_map(|points| points.iter().map(|point| 1 << point).sum());
    let stones = || stones().prop_map(|set: u32| if set.count_ones() > 5 { 0 } else { set });
    (0..5_u8, 0..5_u8, stones(), stones(), any::<bool>()).prop_map(
        |(own, other, white, black, turn)| {
            let side = if turn { Side::White } else { Side::Black };
            key(own << 4 | other, white, black, side)
        },
    )
}

proptest! {
    #[test]
    fn every_cache_loads_as_it_was_saved_bit_for_bit(
        policy in 0..4_usize,
        entries in vec((any_key(), any::<u8>(), [number(), number(), number()]), 0..40),
    ) {
        let table = cache::<Toy>(POLICIES[policy], &entries);
        let bytes = bytes_as(&TOY, &table, Format::Native, Convention::Relative);
        let loaded = load_bytes(&TOY, &bytes, None).expect("a good file");
        prop_assert_eq!(bits(loaded.entries()), bits(table.entries().iter()));
        prop_assert_eq!((loaded.format, loaded.policy), (Format::Native, POLICIES[policy]));
        prop_assert_eq!(bytes_as(&TOY, &loaded.table, Format::Native, Convention::Relative), bytes);
    }

    #[test]
    fn what_a_seed_format_takes_comes_back_relative_to_white(
        entries in vec((any_key(), any::<u8>(), [-1.0..1.0, -1.0..1.0, -1.0..1.0_f64]), 0..40),
        convention in prop_oneof![Just(Convention::Seed), Just(Convention::Relative)],
    ) {
        let table = cache::<Toy>(Policy::Interval, &entries);
        let expected = cache::<Toy>(Policy::Interval, &entries_as_white(&entries, convention));
        let bytes = bytes_as(&TOY, &table, Format::SeedSearch, convention);
        let loaded = load_bytes(&TOY, &bytes, Some(Format::SeedSearch)).expect("a good file");
        prop_assert_eq!(loaded.duplicates, 0);
        prop_assert_eq!(bits(loaded.entries()), bits(expected.entries().iter()));
    }
}

/// The dictionary of seed 000's `write` for the cache's entries in table order.
fn entries_as_white(
    entries: &[(Key, u8, [f64; 3])],
    convention: Convention,
) -> Vec<(Key, u8, [f64; 3])> {
    let mut places: Vec<(Key, u8, [f64; 3])> = Vec::new();
    for &(key, depth, numbers) in entries {
        match places.iter_mut().find(|place| (place.0, place.1) == (key, depth)) {
            Some(place) => place.2 = numbers,
            None => places.push((key, depth, numbers)),
        }
    }
    let white = |&(mut key, depth, [value, alpha, beta]): &(Key, u8, [f64; 3])| {
        let turned = key.0[7] == 1 && convention == Convention::Seed;
        key.0[7] = 0;
        (key, depth, if turned { [-value, -beta, -alpha] } else { [value, alpha, beta] })
    };
    places.iter().map(white).collect()
}

#[test]
fn files_longer_than_a_block_come_back() {
    let points = |n: u32| n & 7 | (n >> 3 & 7) << 8 | (n >> 6 & 7) << 16;
    let entry = |n: u32| {
        let key = key(0, points(n), 0, Side::White);
        (key, (n >> 9) as u8, [f64::from(n), 0.0, 1.0])
    };
    let entries: Vec<_> = (0..70_000).map(entry).collect();
    let table = cache::<Toy>(Policy::Interval, &entries[..65_536]);
    let folder = folder();
    let path = folder.path().join("big.plycache");
    for count in [65_536, 70_000] {
        let table =
            if count == 65_536 { table.clone() } else { cache::<Toy>(Policy::Interval, &entries) };
        let saved =
            save_as(&TOY, &table, &path, Format::Native, Convention::Relative).expect("saved");
        assert_eq!(saved.entries, count);
        assert_eq!(saved.bytes, fs::metadata(&path).expect("found").len());
        let loaded = load_as(&TOY, &path, None).expect("a good file");
        assert_eq!(bits(loaded.entries()), bits(table.entries().iter()));
    }
}

#[test]
fn the_header_comes_back_and_tells_differences() {
    let folder = folder();
    let path = folder.path().join("some.plycache");
    let table = cache::<Toy>(Policy::Exact, &[(key(0, 1, 2, Side::Black), 3, [0.5, 0.0, 0.0])]);
    let full = CacheHeader {
        rules: [("flying".into(), "on".into()), ("double_mill".into(), "two".into())].into(),
        keys: KeyScheme::Canonical,
        convention: Convention::Seed,
        fidelity: Fidelity::Seed,
        weights: Weights::new([("stones", 0.1 + 0.2), ("mills", 1e300), ("stash", -0.0)]),
        settings: [("quiescence".into(), "on".into())].into(),
        ..header(&TOY, Policy::Exact)
    };
    let interrupt = AtomicBool::new(false);
    let mut watch = Monitor { interrupt: &interrupt, progress: &mut |_, _| {} };
    save(&TOY, table.entries(), &path, Format::Native, &full, &mut watch).expect("saved");
    let loaded = load_as(&TOY, &path, Some(Format::Native)).expect("a good file");
    let read = loaded.header.expect("a header");
    assert_eq!(read, full);
    assert!(read.differences(&full).is_empty());
    assert_eq!((loaded.keys, loaded.convention), (KeyScheme::Canonical, Convention::Seed));

    let other = CacheHeader {
        rules: [("flying".into(), "off".into()), ("double_mill".into(), "two".into())].into(),
        fidelity: Fidelity::Sound,
        weights: Weights::new([("stones", 0.3), ("mills", 1e300), ("stash", -0.0)]),
        settings: std::collections::BTreeMap::new(),
        ..full.clone()
    };
    assert_eq!(
        read.differences(&other),
        [
            "rule flying is on in the file, off here",
            "fidelity is seed in the file, sound here",
            "weight stones is 0.30000000000000004 in the file, 0.3 here",
            "setting quiescence is on in the file, unset here",
        ]
    );
}

#[test]
fn files_of_other_games_or_versions_or_conventions_are_refused() {
    let table = cache::<Toy>(Policy::Rote, &[(key(0, 1, 2, Side::White), 0, [0.5, 0.0, 0.0])]);
    let bytes = bytes_as(&TOY, &table, Format::Native, Convention::Relative);

    let mut newer = bytes.clone();
    newer[8] = 2;
    let head = 16 + u32::from_le_bytes(newer[12..16].try_into().expect("four bytes")) as usize;
    let sum = crc32fast::hash(&newer[..head]).to_le_bytes();
    newer[head..head + 4].copy_from_slice(&sum);
    let fault = load_bytes(&TOY, &newer, None).expect_err("a newer version");
    assert!(fault.message.contains("version 2"), "{fault}");

    let mut text_mode = bytes.clone();
    text_mode.remove(4);
    let fault = load_bytes(&TOY, &text_mode, None).expect_err("damaged");
    assert!(fault.message.contains("text mode"), "{fault}");

    let fault = load_bytes(&TOY, &bytes, Some(Format::SeedSearch)).expect_err("another format");
    assert!(fault.to_string().contains("--format native"), "{fault}");

    let other = with_header(&bytes, |json| json.replace("\"toy\"", "\"chess\""));
    let fault = load_bytes(&TOY, &other, None).expect_err("another game");
    assert!(fault.message.contains("a cache for chess, not for toy"), "{fault}");

    let folder = folder();
    let path = folder.path().join("some.plycache");
    fs::write(&path, &bytes).expect("written");
    let options = LoadOptions { format: None, convention: Some(Convention::Seed), salvage: false };
    let fault = load_with(&TOY, &path, options).expect_err("another convention");
    assert!(fault.message.contains("`relative`"), "{fault}");
}

/// The file with another header text, its length and check sum corrected.
pub fn with_header(bytes: &[u8], change: impl Fn(String) -> String) -> Vec<u8> {
    let length = u32::from_le_bytes(bytes[12..16].try_into().expect("four bytes")) as usize;
    let json = change(String::from_utf8(bytes[16..16 + length].to_vec()).expect("text"));
    let mut file = bytes[..12].to_vec();
    file.extend_from_slice(&(json.len() as u32).to_le_bytes());
    file.extend_from_slice(json.as_bytes());
    file.extend_from_slice(&crc32fast::hash(&file).to_le_bytes());
    file.extend_from_slice(&bytes[16 + length + 4..]);
    file
}

#[test]
fn headers_may_grow_and_may_not_lie() {
    let table = cache::<Toy>(Policy::Rote, &[(key(0, 1, 2, Side::White), 0, [0.5, 0.0, 0.0])]);
    let bytes = bytes_as(&TOY, &table, Format::Native, Convention::Relative);
    let grown = with_header(&bytes, |json| json.replacen('{', "{\"new\":[1,2],", 1));
    assert_eq!(load_bytes(&TOY, &grown, None).expect("a good file").entries().count(), 1);
    for (from, to, words) in [
        ("\"entries\":1", "\"entries\":2", "its header says 2 records"),
        ("\"key_bytes\":8", "\"key_bytes\":9", "no `rote` record"),
        ("\"policy\":\"rote\"", "\"policy\":\"none\"", "no `none` record"),
        ("\"policy\":\"rote\"", "\"policy\":\"other\"", "cannot be read"),
        ("\"stones\":\"1\"", "\"stones\":\"inf\"", "not a finite number"),
        ("\"keys\":\"plain\"", "\"keys\":\"odd\"", "unknown variant `odd`"),
    ] {
        let lying = with_header(&bytes, |json| {
            assert!(json.contains(from), "{json}");
            json.replace(from, to)
        });
        let fault = load_bytes(&TOY, &lying, None).expect_err(to);
        assert!(fault.message.contains(words), "{fault}");
    }
}

#[test]
fn an_interrupt_stops_loading() {
    let folder = folder();
    let path = folder.path().join("some.plycache");
    let table = cache::<Toy>(Policy::Rote, &[(key(0, 1, 2, Side::White), 0, [0.5, 0.0, 0.0])]);
    save_as(&TOY, &table, &path, Format::Native, Convention::Relative).expect("saved");
    let options = LoadOptions { format: None, convention: None, salvage: false };
    let mut reports = 0;
    let interrupt = AtomicBool::new(true);
    let mut watch = Monitor { interrupt: &interrupt, progress: &mut |_, _| reports += 1 };
    let fault = load(&TOY, &path, options, &mut watch).expect_err("interrupted");
    assert!(fault.message.contains("interrupted"), "{fault}");
    assert_eq!(reports, 0);
}

/// A file of version 1 made from the description of the format, not by the program.
#[test]
fn a_file_made_by_the_description_is_read() {
    let sealed = |bytes: Vec<u8>| [&bytes[..], &crc32fast::hash(&bytes).to_le_bytes()].concat();
    let json = br#"{"writer":"by hand","game":"toy","rules":{},"policy":"bound","keys":"colour","convention":"relative","fidelity":"sound","weights":{"stones":"1","mills":"0.1"},"key_bytes":8,"record_bytes":18,"entries":2}"#;
    let magic = [0x89, 0x50, 0x4C, 0x59, 0x0D, 0x0A, 0x1A, 0x0A, 1, 0, 0, 0];
    let head = [&magic[..], &(json.len() as u32).to_le_bytes(), json].concat();
    let first = [0x99, 0, 0, 0, 0, 0, 0, 0, 3, 1, 0, 0, 0, 0, 0, 0, 0xE0, 0x3F];
    let second = [0x88, 0, 0, 1, 0, 0, 2, 1, 255, 2, 0, 0, 0, 0, 0, 0, 0xF0, 0xFF];
    let block = [&b"BLCK\0\0\0\0\x02\0\0\0"[..], &first, &second].concat();
    let end = b"DONE\x01\0\0\0\x02\0\0\0\0\0\0\0".to_vec();
    let file = [sealed(head), sealed(block), sealed(end)].concat();

    let loaded = load_bytes(&TOY, &file, None).expect("a good file");
    let found: Vec<_> = loaded.entries().collect();
    assert_eq!(found[0].0.key, Key([0x99, 0, 0, 0, 0, 0, 0, 0]));
    assert_eq!((found[0].1.value.get(), found[0].1.bound), (0.5, Some(Bound::Lower)));
    assert_eq!((found[1].1.value.get(), found[1].1.depth), (f64::NEG_INFINITY, Some(255)));
    assert_eq!(loaded.header.expect("a header").weights, TOY.default_weights());
}

#[test]
fn an_interrupt_between_blocks_stops_saving_and_loading() {
    let stones = |n: u32| key(0, n & 7 | (n >> 3 & 7) << 8 | (n >> 6 & 7) << 16, 0, Side::White);
    let entries: Vec<_> =
        (0..70_000).map(|n| (stones(n), (n >> 9) as u8, [0.5, 0.0, 1.0])).collect();
    let table = cache::<Toy>(Policy::Interval, &entries);
    for format in [Format::Native, Format::SeedSearch] {
        let folder = folder();
        let path = folder.path().join("some.cache");
        save_as(&TOY, &table, &path, format, Convention::Seed).expect("saved");
        let before = fs::read(&path).expect("read");
        let interrupt = AtomicBool::new(false);
        let mut stop_later = |done, _| interrupt.store(done > 0, Ordering::Relaxed);
        let mut watch = Monitor { interrupt: &interrupt, progress: &mut stop_later };
        let options = LoadOptions { format: Some(format), convention: None, salvage: false };
        let loaded = load(&TOY, &path, options, &mut watch).map(|_| ());
        assert!(loaded.is_err_and(|fault| fault.message.contains("interrupted")));
        interrupt.store(false, Ordering::Relaxed);
        let mut stop_later = |done, _| interrupt.store(done > 0, Ordering::Relaxed);
        let mut watch = Monitor { interrupt: &interrupt, progress: &mut stop_later };
        let table = table.entries();
        let saved = save(&TOY, table, &path, format, &header(&TOY, Policy::Interval), &mut watch);
        assert!(saved.is_err_and(|fault| fault.message.contains("interrupted")));
        assert_eq!((fs::read(&path).expect("read"), files_in(&folder)), (before, 1));
    }
}

proptest! {
    #[test]
    fn no_bytes_make_the_key_reader_panic(
        bytes in vec(any::<u8>(), 0..200),
        native in any::<bool>(),
        format in prop_oneof![Just(None), Just(Some(Format::SeedSearch)), Just(Some(Format::SeedRote)), Just(Some(Format::Native))],
    ) {
        let start: &[u8] = if native { b"\x89PLY\r\n\x1a\n\x01\0\0\0" } else { b"" };
        let file = [start, &bytes].concat();
        if let Ok(loaded) = load_bytes(&TOY, &file, format) {
            prop_assert!(loaded.format != Format::Native);
        }
    }
}
