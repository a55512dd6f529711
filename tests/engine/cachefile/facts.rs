//! Files written by the seeds' own programs.

use std::fs;

use plyscope::engine::{
    cachefile::{Convention, Format, LoadOptions},
    game::{Game, KeyScheme, Keyed},
    morris::{DoubleMill, Flying, Morris},
    table::{AnyTable, Policy},
};
use serde_json::Value;

use super::support::{bits, bytes_as, fact, hex, load_as, load_bytes, load_with};

/// The seeds' rules.
const GAME: Morris = Morris {
    double_mill: DoubleMill::Two,
    flying: Flying::On,
    tables: plyscope::engine::morris::Tables::NONE,
};

/// The manifest, its doubles as texts: not every JSON parser gets their last bit right.
fn manifest() -> Vec<Value> {
    let text = fs::read_to_string(fact("manifest.json")).expect("the manifest");
    let quoted = |line: &str| {
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.trim_end_matches(',');
        match name {
            "\"value\"" | "\"alpha\"" | "\"beta\"" => line.replace(value, &format!("\"{value}\"")),
            _ => line.to_owned(),
        }
    };
    let text: String = text.lines().map(quoted).collect();
    serde_json::from_str(&text).expect("JSON")
}

/// An entry of the manifest as key, depth and numbers in bits.
fn listed(entry: &Value, layout: Format) -> (String, u8, Vec<u64>) {
    let number = |name: &str| {
        let text = entry.get(name)?.as_str().expect("a text");
        Some(text.parse::<f64>().expect("a number").to_bits())
    };
    let key = entry["key"].as_str().expect("a key")[..14].to_owned();
    let (depth, names) = match layout {
        Format::SeedRote => (0, &["value"][..]),
        _ => (entry["limit"].as_u64().expect("a limit") as u8, &["value", "alpha", "beta"][..]),
    };
    (key, depth, names.iter().filter_map(|name| number(name)).collect())
}

fn seed_text<G: Game>(game: &G, at: Keyed<G::Key>) -> String {
    let (bytes, _) = game.seed_files().expect("a game of the seeds").seed_key(at.key);
    hex(&bytes)
}

#[test]
fn contents_equal_the_manifest_bit_for_bit() {
    let mut seen = 0;
    for case in manifest() {
        let Some(entries) = case["entries"].as_array() else {
            continue;
        };
        let path = fact(case["file"].as_str().expect("a name"));
        let loaded = load_as(&GAME, &path, None).expect("a good file");
        let rote = case["kind"] == "CacheRoteLearning";
        let format = if rote { Format::SeedRote } else { Format::SeedSearch };
        assert_eq!((loaded.format, loaded.convention), (format, Convention::Seed));
        assert_eq!(loaded.policy, if rote { Policy::Rote } else { Policy::Interval });
        assert_eq!((loaded.keys, loaded.duplicates), (KeyScheme::Colour, 0));
        let found: Vec<_> = bits(loaded.entries())
            .into_iter()
            .map(|(at, _, _, numbers)| (seed_text(&GAME, at), at.depth, numbers))
            .collect();
        let expected: Vec<_> = entries.iter().map(|entry| listed(entry, format)).collect();
        assert_eq!(found, expected, "{}", path.display());
        seen += found.len();
    }
    assert_eq!(seen, 2 + 393 + 161);
}

#[test]
fn good_files_come_back_byte_for_byte() {
    for (name, format) in [
        ("demo_seed000.cache", Format::SeedSearch),
        ("small_nosym.cache", Format::SeedSearch),
        ("limit255.cache", Format::SeedSearch),
        ("rote_small.cache", Format::SeedRote),
        ("empty.cache", Format::SeedSearch),
    ] {
        let bytes = fs::read(fact(name)).expect("a fact");
        for given in [None, Some(format)].into_iter().skip(usize::from(bytes.is_empty())) {
            let loaded = load_as(&GAME, &fact(name), given).expect("a good file");
            for convention in [Convention::Seed, Convention::Relative] {
                assert_eq!(bytes_as(&GAME, &loaded.table, format, convention), bytes, "{name}");
            }
            assert_eq!(loaded.bytes, bytes.len() as u64);
        }
    }
}

#[test]
fn the_later_of_two_records_with_one_key_counts() {
    let loaded = load_as(&GAME, &fact("dup_key.cache"), None).expect("a good file");
    let entries: Vec<_> = loaded.entries().collect();
    assert_eq!((entries.len(), loaded.duplicates), (1, 1));
    assert_eq!(entries[0].1.value.get(), 0.9);
    assert!(loaded.notes.iter().any(|note| note.contains("earlier key: 1;")), "{:?}", loaded.notes);
    let bytes = fs::read(fact("dup_key.cache")).expect("a fact");
    assert_eq!(bytes_as(&GAME, &loaded.table, Format::SeedSearch, Convention::Seed), bytes[32..]);
}

#[test]
fn the_limit_may_be_255() {
    let loaded = load_as(&GAME, &fact("limit255.cache"), None).expect("a good file");
    assert!(loaded.entries().all(|(at, entry)| at.depth == 255 && entry.depth == Some(255)));
}

#[test]
fn an_empty_file_is_a_seeds_file_where_its_format_is_given() {
    let fault = load_as(&GAME, &fact("empty.cache"), None).expect_err("it tells no format");
    assert!(fault.hint.unwrap().contains("--format seed-rote"));
    for format in [Format::SeedSearch, Format::SeedRote] {
        let convention = Some(Convention::Relative);
        let options = LoadOptions { format: Some(format), convention, salvage: false };
        let loaded = load_with(&GAME, &fact("empty.cache"), options).expect("a good file");
        assert_eq!((loaded.format, loaded.entries().count()), (format, 0));
        assert_eq!(loaded.convention, Convention::Relative);
    }
}

/// Every bad file, with the words of its refusal as a search cache and without a given format.
#[test]
fn bad_files_are_refused_with_place_and_reason() {
    for (name, words) in [
        ("trunc_key.cache", ["record 2 at byte 32", "in its key: 5 of 32 bytes"]),
        ("trunc_value.cache", ["record 2 at byte 32", "in its value: 28 of 32 bytes"]),
        ("nan.cache", ["record 1 at byte 0", "its value is NaN"]),
        ("overlap.cache", ["record 1 at byte 0", "both sides"]),
    ] {
        for format in [None, Some(Format::SeedSearch)] {
            let fault = load_as(&GAME, &fact(name), format).expect_err(name);
            for word in words.iter().chain([&name]) {
                assert!(fault.message.contains(word), "{name}: {fault}");
            }
            assert!(fault.hint.is_some(), "{name}: {fault}");
        }
    }
}

#[test]
fn a_rote_file_is_not_taken_for_a_search_cache() {
    let path = fact("rote_as_cache.cache");
    let fault = load_as(&GAME, &path, Some(Format::SeedSearch)).expect_err("another format");
    assert!(fault.message.contains("seed-search record"), "{fault}");
    assert!(fault.to_string().contains("--format seed-rote"), "{fault}");
    let loaded = load_as(&GAME, &path, None).expect("a rote file");
    assert_eq!((loaded.format, loaded.entries().count()), (Format::SeedRote, 24));

    let search = fact("small_nosym.cache");
    let fault = load_as(&GAME, &search, Some(Format::SeedRote)).expect_err("another format");
    assert!(fault.to_string().contains("--format seed-search"), "{fault}");
    let fault = load_as(&GAME, &search, Some(Format::Native)).expect_err("another format");
    assert!(fault.to_string().contains("--format seed-search"), "{fault}");
}

#[test]
fn morris_keys_of_either_side_keep_their_place_in_our_own_format() {
    let loaded = load_as(&GAME, &fact("small_nosym.cache"), None).expect("a good file");
    let mut table = AnyTable::new(Policy::Interval);
    for (index, (at, entry)) in loaded.entries().enumerate() {
        let key = if index % 2 == 0 { at.key } else { at.key.for_black() };
        table.entries_mut().set(Keyed { key, ..at }, entry).expect("an entry");
    }
    let bytes = bytes_as(&GAME, &table, Format::Native, Convention::Relative);
    let again = load_bytes(&GAME, &bytes, None).expect("a good file");
    assert_eq!(bits(again.entries()), bits(table.entries().iter()));

    let bytes = bytes_as(&GAME, &table, Format::SeedSearch, Convention::Relative);
    assert_eq!(bytes, fs::read(fact("small_nosym.cache")).expect("a fact"));
}
