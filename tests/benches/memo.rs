//! How fast the cache table is, and how large.

// Clippy knows tests by their attribute and not the functions they share.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::{hint::black_box, time::Duration};

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use plyscope::engine::{
    game::{Game, KeyScheme, Score, Window},
    memo::{Bounded, Entries, Interval, Memo, Slot},
    morris::{Key, Morris, Position},
};

const ENTRIES: usize = 1_000_000;

/// Keys in the order in which a search from the start meets their positions, each with its remaining depth.
fn keys() -> Vec<(Key, u8)> {
    let morris = Morris::default();
    let mut keys = Vec::with_capacity(ENTRIES);
    let mut seen = std::collections::HashSet::new();
    let mut open = vec![(Position::START, 6)];
    while let Some((position, depth)) = open.pop() {
        let key = morris.key(&position, KeyScheme::Colour);
        if !seen.insert((key, depth)) {
            continue;
        }
        keys.push((key, depth));
        if keys.len() == ENTRIES {
            break;
        }
        let mut moves = Vec::new();
        if depth > 0 {
            morris.expand(&position, &(), &mut moves);
        }
        open.extend(
            moves
                .iter()
                .map(|&mv| (morris.apply(&position, mv), depth - 1)),
        );
    }
    assert_eq!(keys.len(), ENTRIES);
    keys
}

const WINDOW: Window = Window {
    alpha: Score::ZERO,
    beta: Score::ONE,
};

fn fill<M: Memo<Key>>(memo: &mut M, keys: &[(Key, u8)]) {
    for &(key, depth) in keys {
        let slot = Slot {
            key,
            negated: false,
        };
        memo.store(slot, depth, WINDOW, Score::ZERO);
    }
}

fn probe<M: Memo<Key>>(memo: &M, keys: &[(Key, u8)]) {
    for &(key, depth) in keys {
        let slot = Slot {
            key,
            negated: false,
        };
        black_box(memo.probe(slot, depth, WINDOW));
    }
}

fn policy<M: Memo<Key> + Default>(
    criterion: &mut Criterion,
    name: &str,
    keys: &[(Key, u8)],
    entries: impl Fn(&mut M) -> &mut dyn Entries<Key>,
) {
    let mut group = criterion.benchmark_group(name);
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2))
        .throughput(Throughput::Elements(ENTRIES as u64));
    let mut full = M::default();
    fill(&mut full, keys);
    let table = entries(&mut full);
    println!(
        "{name}: {} entries, {:.1} bytes each",
        table.len(),
        table.bytes() as f64 / table.len() as f64
    );
    group.bench_function("insert", |bencher| {
        bencher.iter_batched(
            M::default,
            |mut memo| {
                fill(&mut memo, keys);
                memo
            },
            BatchSize::LargeInput,
        );
    });
    group.bench_function("insert with room", |bencher| {
        bencher.iter_batched(
            || {
                let mut memo = M::default();
                entries(&mut memo).reserve(ENTRIES);
                memo
            },
            |mut memo| {
                fill(&mut memo, keys);
                memo
            },
            BatchSize::LargeInput,
        );
    });
    group.bench_function("overwrite", |bencher| {
        bencher.iter(|| fill(&mut full, keys));
    });
    group.bench_function("probe", |bencher| bencher.iter(|| probe(&full, keys)));
}

fn tables(criterion: &mut Criterion) {
    let keys = keys();
    policy::<Interval<Key>>(criterion, "interval", &keys, |memo| memo);
    policy::<Bounded<Key>>(criterion, "bound", &keys, |memo| &mut memo.table);
}

/// Ten million distinct keys in no order, made from a counter by a one-to-one scattering of the bits.
fn scattered() -> impl Iterator<Item = (u64, u8)> {
    (0..10 * ENTRIES as u64).map(|n| (n.wrapping_mul(0x9E37_79B9_7F4A_7C15), (n % 7) as u8))
}

/// One filling of a growing table with ten million entries, timed as a whole: too long for a statistic.
fn ten_million(_: &mut Criterion) {
    fn timed<M: Memo<u64> + Default>(name: &str, entries: impl Fn(&M) -> &dyn Entries<u64>) {
        let best = (0..3).map(|_| {
            let mut memo = M::default();
            let started = std::time::Instant::now();
            for (key, depth) in scattered() {
                let slot = Slot {
                    key,
                    negated: false,
                };
                memo.store(slot, depth, WINDOW, Score::ZERO);
            }
            let seconds = started.elapsed().as_secs_f64();
            let table = entries(&memo);
            assert_eq!(table.len(), 10 * ENTRIES);
            (seconds, table.bytes() as f64 / table.len() as f64)
        });
        let best = best.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default();
        println!(
            "{name}: ten million entries at {:.1} million/s, {:.1} bytes each",
            10.0 / best.0,
            best.1
        );
    }
    timed::<Interval<u64>>("interval", |memo| memo);
    timed::<Bounded<u64>>("bound", |memo| &memo.table);
}

criterion_group!(benches, tables, ten_million);
criterion_main!(benches);
