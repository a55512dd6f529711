//! The cost of recording a search, and the time to go back in it.

// Clippy exempts only functions marked `#[test]` from these lints, not their helpers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};

use plyscope::engine::{Engine, recording::Resume};

const POSITION: &str = "www.wbb./w.b.b.../..bb.w.w w 0 0";

fn engine(policy: &str, depth: &str, record: &str) -> Engine {
    let mut engine = Engine::default();
    let bench = engine.session_mut();
    bench.set_position(POSITION).unwrap();
    let settings =
        [("memo", policy), ("depth", depth), ("record", record), ("max_size", "20000000")];
    bench.set_settings(&settings).unwrap();
    engine
}

/// A search with an empty cache.
fn run(engine: &mut Engine) -> u64 {
    engine.session_mut().cache_clear();
    engine.session_mut().run(&[]).unwrap().events
}

/// The same search with and without recording: events per second.
fn recording(c: &mut Criterion) {
    let mut group = c.benchmark_group("recording");
    group
        .sample_size(10)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(6));
    for (policy, depth) in [("none", "6"), ("interval", "9"), ("bound", "9")] {
        for record in ["off", "on"] {
            let mut engine = engine(policy, depth, record);
            group.throughput(Throughput::Elements(run(&mut engine)));
            group.bench_function(format!("{policy}, record={record}"), |b| {
                b.iter(|| run(&mut engine));
            });
        }
    }
    group.finish();
}

/// From the end of a search of more than 50 million events back to some of its events. Each is measured once, because
/// returning to the end takes as long as the search.
fn going_back(_: &mut Criterion) {
    for (policy, depth) in [("interval", "11"), ("bound", "11")] {
        let mut engine = engine(policy, depth, "on");
        let events = run(&mut engine);
        assert!(events > 50_000_000, "{events} events");
        let mut go = |index: u64| {
            let start = Instant::now();
            let stop = engine.session_mut().resume(Resume::Goto(index)).unwrap();
            assert_eq!(stop.event.unwrap().index, index);
            start.elapsed()
        };
        let millions = events / 1_000_000;
        for part in [999, 750, 500, 250, 1] {
            let target = events / 1_000 * part;
            let (there, before) = (go(target), go(target - 1));
            println!(
                "{policy}: from the end of {millions} million events to {part}/1000 in {there:.1?}, one more back in {before:.1?}"
            );
            go(events - 1);
        }
    }
}

criterion_group!(benches, recording, going_back);
criterion_main!(benches);
