//! Speed of saving and loading caches: a million entries of morris in every format.

#![allow(clippy::expect_used)] // a bench that cannot run should say so

use std::{
    fs,
    hint::black_box,
    path::Path,
    sync::{Arc, atomic::AtomicBool},
    time::Instant,
};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};

use plyscope::engine::{
    cachefile::{CacheHeader, Format, LoadOptions, Monitor, load, save},
    game::{KeyScheme, Keyed, Rules, Score, Window},
    morris::{Key, Morris},
    session::{AnySession, Session, cache::Sort},
    table::{AnyTable, Bound, Entry, Policy},
};

const ENTRIES: usize = 1_000_000;

/// Distinct boards in random order, up to nine stones a side, from a multiplicative generator.
fn cache(policy: Policy, size: usize) -> AnyTable<Key> {
    let mut table = AnyTable::new(policy);
    table.entries_mut().reserve(size);
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    while table.entries().len() < size {
        state = state.wrapping_mul(0xD129_0D3B_4C4B_1B2D).wrapping_add(1);
        let [_, bytes @ ..] = (state >> 3).to_be_bytes();
        let Some(key) = key(bytes) else { continue };
        let depth = if policy.keys_depth() { (state >> 60) as u8 } else { 0 };
        let value = f64::from((state >> 40) as u32 & 0xFF) / 256.0;
        table
            .entries_mut()
            .set(Keyed { key, depth }, entry(policy, depth, value))
            .expect("an entry");
    }
    table
}

fn key(random: [u8; 7]) -> Option<Key> {
    let mut board = [0; 7];
    for ring in 0..3 {
        let (one, two) = (random[ring + 1], random[(ring + 2) % 7]);
        board[ring + 1] = one & two;
        board[ring + 4] = random[ring + 4] & random[ring] & !board[ring + 1];
    }
    Key::from_seed_bytes(board).ok()
}

fn entry(policy: Policy, depth: u8, value: f64) -> Entry {
    let score = |value| Score::new(value).expect("a number");
    let interval = policy == Policy::Interval;
    Entry {
        value: score(value),
        window: interval.then(|| Window { alpha: score(-1.0), beta: score(1.0) }),
        bound: Some(Bound::Exact),
        depth: Some(depth),
        best: None,
    }
}

fn save_to(path: &Path, table: &AnyTable<Key>, format: Format) -> u64 {
    let morris = Morris::default();
    let policy = table.entries().policy();
    let header = CacheHeader::new(&morris, policy, KeyScheme::Colour, &morris.default_weights());
    let mut watch = Monitor { interrupt: &AtomicBool::new(false), progress: &mut |_, _| {} };
    save(&morris, table.entries(), path, format, &header, &mut watch).expect("saved").bytes
}

fn load_from(path: &Path, format: Option<Format>) -> usize {
    let options = LoadOptions { format, convention: None, salvage: false };
    let mut watch = Monitor { interrupt: &AtomicBool::new(false), progress: &mut |_, _| {} };
    let loaded = load(&Morris::default(), path, options, &mut watch).expect("loaded");
    loaded.table.entries().len()
}

fn million(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut group = c.benchmark_group("cachefile");
    group.sample_size(10);
    for (policy, format) in [
        (Policy::Interval, Format::Native),
        (Policy::Bound, Format::Native),
        (Policy::Interval, Format::SeedSearch),
        (Policy::Rote, Format::SeedRote),
    ] {
        let table = cache(policy, ENTRIES);
        let name = format!("{format} {policy}");
        let path = folder.path().join(&name);
        group.throughput(Throughput::Bytes(save_to(&path, &table, format)));
        group.bench_function(format!("save {name}"), |b| {
            b.iter(|| save_to(&path, &table, format));
        });
        // The file system's own time, for comparison.
        group.bench_function(format!("copy {name}"), |b| {
            let copy = folder.path().join("copy");
            b.iter(|| {
                fs::copy(&path, &copy).expect("copied");
                fs::File::open(&copy).and_then(|file| file.sync_all()).expect("flushed");
            });
        });
        for (how, format) in [("load", Some(format)), ("detect and load", None)] {
            group.bench_function(format!("{how} {name}"), |b| {
                b.iter(|| black_box(load_from(&path, format)));
            });
        }
    }
    group.finish();
}

/// Ten million entries in a session: the time for a page with each filter and order.
fn browsing(_: &mut Criterion) {
    const TEN_MILLION: usize = 10 * ENTRIES;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("large");
    save_to(&path, &cache(Policy::Interval, TEN_MILLION), Format::Native);
    let mut bench: Box<dyn AnySession> = Box::new(Session::new(Morris::default(), Arc::default()));
    bench.set_settings(&[("max_size", "off"), ("symmetry", "off")]).expect("set");
    let started = Instant::now();
    bench.cache_load(&path, LoadOptions::default()).expect("loaded");
    println!("browsing: loaded in {:.2} s", started.elapsed().as_secs_f64());
    let late = TEN_MILLION - 100..TEN_MILLION - 80;
    let first = || 0..20;
    for (what, condition, sort, page) in [
        ("first page", None, Sort::Table, first()),
        ("last page", None, Sort::Table, late),
        ("by value", None, Sort::Value, first()),
        ("by key", None, Sort::Key, first()),
        ("by depth", None, Sort::Depth, first()),
        ("depth>=3 and value<0.1", Some("depth>=3 and value<0.1"), Sort::Table, first()),
        ("the same by value", Some("depth>=3 and value<0.1"), Sort::Value, first()),
        ("stones=9", Some("stones=9"), Sort::Table, first()),
    ] {
        let started = Instant::now();
        let list = bench.cache_list(condition.as_slice(), sort, page).expect("a page");
        let ms = started.elapsed().as_secs_f64() * 1e3;
        println!("browsing: {what}: {} of {} in {ms:.0} ms", list.entries.len(), list.matching);
    }
    let started = Instant::now();
    let histogram = bench.cache_histogram(&[], 10).expect("a histogram");
    let ms = started.elapsed().as_secs_f64() * 1e3;
    println!("browsing: histogram of {} in {ms:.0} ms", histogram.matching);
}

criterion_group!(benches, million, browsing);
criterion_main!(benches);
