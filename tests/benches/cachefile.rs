//! How fast caches are saved and loaded: a million entries of morris in every format.

#![allow(clippy::expect_used)] // a bench that cannot run should say so

use std::{fs, hint::black_box, path::Path, sync::atomic::AtomicBool};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use plyscope::engine::{
    cachefile::{CacheHeader, Format, LoadOptions, Watch, load, save},
    game::{Game, KeyScheme, Keyed, Score, Window},
    memo::{AnyMemo, Bound, Entry, Policy},
    morris::{Key, Morris},
};

const ENTRIES: usize = 1_000_000;

/// Distinct boards in no order: two sides with up to nine stones where a multiplicative generator puts them.
fn cache(policy: Policy) -> AnyMemo<Key> {
    let mut memo = AnyMemo::new(policy);
    memo.entries_mut().reserve(ENTRIES);
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    while memo.entries().len() < ENTRIES {
        state = state.wrapping_mul(0xD129_0D3B_4C4B_1B2D).wrapping_add(1);
        let [_, bytes @ ..] = (state >> 3).to_be_bytes();
        let Some(key) = key(bytes) else { continue };
        let depth = if policy.keys_depth() {
            (state >> 60) as u8
        } else {
            0
        };
        let value = f64::from((state >> 40) as u32 & 0xFF) / 256.0;
        memo.entries_mut()
            .set(Keyed { key, depth }, entry(policy, depth, value))
            .expect("an entry");
    }
    memo
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
        window: interval.then(|| Window {
            alpha: score(-1.0),
            beta: score(1.0),
        }),
        bound: Some(Bound::Exact),
        depth: Some(depth),
    }
}

fn save_to(path: &Path, memo: &AnyMemo<Key>, format: Format) -> u64 {
    let morris = Morris::default();
    let policy = memo.entries().policy();
    let header = CacheHeader::new(
        &morris,
        policy,
        KeyScheme::Colour,
        &morris.default_weights(),
    );
    let mut watch = Watch {
        interrupt: &AtomicBool::new(false),
        progress: &mut |_, _| {},
    };
    save(&morris, memo.entries(), path, format, &header, &mut watch)
        .expect("saved")
        .bytes
}

fn load_from(path: &Path, format: Option<Format>) -> usize {
    let options = LoadOptions {
        format,
        convention: None,
        policy: Policy::Interval,
    hashes: false,
    };
    let mut watch = Watch {
        interrupt: &AtomicBool::new(false),
        progress: &mut |_, _| {},
    };
    let loaded = load(&Morris::default(), path, options, &mut watch).expect("loaded");
    loaded.memo.entries().len()
}

fn million(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut group = c.benchmark_group("cachefile");
    group.sample_size(10);
    for (policy, format) in [
        (Policy::Interval, Format::Native),
        (Policy::Interval, Format::SeedSearch),
        (Policy::Rote, Format::SeedRote),
    ] {
        let memo = cache(policy);
        let path = folder.path().join(format.name());
        group.throughput(Throughput::Bytes(save_to(&path, &memo, format)));
        group.bench_function(format!("save {format}"), |b| {
            b.iter(|| save_to(&path, &memo, format));
        });
        // What the disk alone takes, for comparison.
        let bytes = fs::read(&path).expect("read");
        group.bench_function(format!("copy {format}"), |b| {
            let copy = folder.path().join("copy");
            b.iter(|| {
                fs::write(&copy, &bytes).expect("written");
                fs::File::open(&copy)
                    .and_then(|file| file.sync_all())
                    .expect("flushed");
            });
        });
        for (name, asked) in [("load", Some(format)), ("detect and load", None)] {
            group.bench_function(format!("{name} {format}"), |b| {
                b.iter(|| black_box(load_from(&path, asked)));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, million);
criterion_main!(benches);
