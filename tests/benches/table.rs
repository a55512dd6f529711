//! Speed and size of the transposition table.

// Clippy exempts only functions marked `#[test]` from these lints, not their helpers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use plyscope::engine::{
    game::{KeyScheme, Rules, Score, Window},
    morris::{Key, Morris, Position},
    table::{Bounded, Entries, Interval, SearchTable, Slot},
};

const ENTRIES: usize = 1_000_000;

/// Keys in the order in which a search from the start reaches their positions, each with its remaining depth.
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
        open.extend(moves.iter().map(|&mv| (morris.apply(&position, mv), depth - 1)));
    }
    assert_eq!(keys.len(), ENTRIES);
    keys
}

const WINDOW: Window = Window { alpha: Score::ZERO, beta: Score::ONE };

fn fill<M: SearchTable<Key>>(table: &mut M, keys: &[(Key, u8)]) {
    for &(key, depth) in keys {
        let slot = Slot { key, negated: false };
        table.store(slot, depth, WINDOW, Score::ZERO);
    }
}

fn probe<M: SearchTable<Key>>(table: &M, keys: &[(Key, u8)]) {
    for &(key, depth) in keys {
        let slot = Slot { key, negated: false };
        black_box(table.probe(slot, depth, WINDOW));
    }
}

fn policy<M: SearchTable<Key> + Default>(
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
    let stored = entries(&mut full);
    println!(
        "{name}: {} entries, {:.1} bytes each",
        stored.len(),
        stored.bytes() as f64 / stored.len() as f64
    );
    group.bench_function("insert", |bencher| {
        bencher.iter_batched(
            M::default,
            |mut table| {
                fill(&mut table, keys);
                table
            },
            BatchSize::LargeInput,
        );
    });
    group.bench_function("insert with room", |bencher| {
        bencher.iter_batched(
            || {
                let mut table = M::default();
                entries(&mut table).reserve(ENTRIES);
                table
            },
            |mut table| {
                fill(&mut table, keys);
                table
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
    policy::<Interval<Key>>(criterion, "interval", &keys, |table| table);
    policy::<Bounded<Key>>(criterion, "bound", &keys, |table| table);
}

/// Ten million distinct keys in random order: a counter, its bits scattered by a bijection.
fn scattered() -> impl Iterator<Item = (u64, u8)> {
    (0..TEN_MILLION as u64).map(|n| (n.wrapping_mul(0x9E37_79B9_7F4A_7C15), (n % 7) as u8))
}

const TEN_MILLION: usize = 10 * ENTRIES;

/// One of 256 values, as many as searches find with the default weights.
fn value(key: u64) -> Score {
    Score::new(f64::from((key >> 50) as u8) / 256.0).unwrap()
}

/// Processor time of this thread in seconds (Linux), so that other load does not count; elsewhere the time on the
/// clock.
fn processor_time() -> f64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let schedstat = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds =
        schedstat.and_then(|schedstat| schedstat.split(' ').next()?.parse::<f64>().ok());
    let clock = || START.get_or_init(Instant::now).elapsed().as_secs_f64();
    nanoseconds.map_or_else(clock, |nanoseconds| nanoseconds / 1e9)
}

/// The best time of three runs in seconds, for work too long for a statistic.
fn best_of<T>(make: impl Fn() -> T, mut run: impl FnMut(&mut T)) -> (f64, T) {
    let goes = (0..3).map(|_| {
        let mut thing = make();
        let started = processor_time();
        run(&mut thing);
        (processor_time() - started, thing)
    });
    goes.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap()
}

fn slot(key: u64) -> Slot<u64> {
    Slot { key, negated: false }
}

fn store_all<M: SearchTable<u64>>(table: &mut M) {
    for (key, depth) in scattered() {
        table.store(slot(key), depth, WINDOW, value(key));
    }
}

/// Growing tables filled with ten million entries, and probes.
fn ten_million(_: &mut Criterion) {
    fn timed<M: SearchTable<u64> + Default>(
        name: &str,
        entries: impl Fn(&mut M) -> &mut dyn Entries<u64>,
    ) {
        let rate = |seconds: f64| TEN_MILLION as f64 / 1e6 / seconds;
        let roomy = || {
            let mut table = M::default();
            entries(&mut table).reserve(TEN_MILLION);
            table
        };
        let (prepared, _) = best_of(roomy, store_all);
        let (seconds, mut table) = best_of(M::default, store_all);
        let stored = entries(&mut table);
        assert_eq!(stored.len(), TEN_MILLION);
        let each = stored.bytes() as f64 / stored.len() as f64;
        println!(
            "{name}: ten million entries at {:.1} million/s, {:.1} with room made beforehand; {each:.1} bytes each",
            rate(seconds),
            rate(prepared)
        );
        let listed: Vec<_> = entries(&mut table).iter().collect();
        let (filled, _) = best_of(roomy, |table| {
            let mut listed = listed.iter();
            let taken = entries(table)
                .fill(&mut |take| listed.try_for_each(|&(at, entry)| take(at, entry)));
            assert_eq!(taken, Ok(0));
        });
        println!("{name}: filled as from a file at {:.1} million/s", rate(filled));
        let (probing, ()) = best_of(
            || (),
            |()| {
                for (key, depth) in scattered() {
                    black_box(table.probe(slot(key), depth, WINDOW));
                }
            },
        );
        println!("{name}: probed at {:.1} million/s", rate(probing));
    }
    timed::<Bounded<u64>>("bound", |table| table);
    timed::<Interval<u64>>("interval", |table| table);
}

criterion_group!(benches, tables, ten_million);
criterion_main!(benches);
