//! The cost of breakpoints: morris alpha-beta without a table from the start, with none, with ten conditions and with
//! ten positions or lines, none of which ever stops.

// Clippy exempts only functions marked `#[test]` from these lints, not their helpers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::{hint::black_box, time::Duration};

use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};

use plyscope::engine::{Engine, debugger::Action, session::Pair};

/// A breakpoint: conditions, and an expression.
type Point<'a> = (&'a [Pair<'a>], Option<&'a str>);

/// Together they use every name of expressions; some apply to one kind of event, some to all.
const CONDITIONS: [Point<'static>; 10] = [
    (&[], Some("alpha > 0.9 and beta < 0.95")),
    (&[("ply", "3")], Some("value > 0.99")),
    (&[], Some("depth == 1 and best > 0.99")),
    (&[("kind", "cutoff")], Some("value > 0.999")),
    (&[], Some("event == raise and beta - alpha < 0")),
    (&[], Some("nodes > 1e12")),
    (&[], Some("side == b and alpha >= 1")),
    (&[], Some("children > 100")),
    (&[], Some("ply == 2 and child > 90 and move == d6")),
    (&[], Some("iteration > 100 or index > 1e12")),
];

/// Positions, keys and lines that the search never reaches.
const PLACES: [Point<'static>; 10] = [
    (&[("position", "www...bb/......../........ w 0 0")], None),
    (&[("class", "www...bb/......../........ w 0 0")], None),
    (&[("class", "..w...bb/......../..b..... b 0 0")], None),
    (&[("key", "5500050000001b")], None),
    (&[("key", "99000000000000")], Some("ply > 0")),
    (&[("line", "d6 a4")], Some("value > 2")),
    (&[("line", "d6 *")], Some("alpha > 2")),
    (&[("fails", "low"), ("depth", "9")], None),
    (&[("fails", "high"), ("ply", "9")], None),
    (&[("kind", "terminal")], None),
];

/// Deep enough for a run of some milliseconds.
const DEPTH: &str = "5";

fn engine(points: &[Point<'_>]) -> Engine {
    let mut engine = Engine::default();
    let bench = engine.session_mut();
    bench.set_settings(&[("memo", "none"), ("depth", DEPTH), ("record", "off")]).unwrap();
    for (conditions, condition) in points {
        bench.break_at(conditions, *condition, Action::Stop).unwrap();
    }
    engine
}

fn time(
    group: &mut BenchmarkGroup<'_, criterion::measurement::WallTime>,
    name: &str,
    points: &[Point<'_>],
) {
    let mut engine = engine(points);
    let run = engine.session_mut().run(&[]).unwrap();
    assert_eq!((run.depth.to_string().as_str(), run.breakpoint), (DEPTH, None), "{name}");
    group.throughput(Throughput::Elements(run.nodes));
    group.bench_function(name, |bencher| {
        bencher.iter(|| black_box(engine.session_mut().run(&[]).unwrap().nodes));
    });
}

fn breakpoints(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("breakpoints");
    group
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(4));
    time(&mut group, "none", &[]);
    time(&mut group, "one", &CONDITIONS[..1]);
    time(&mut group, "ten conditions", &CONDITIONS);
    time(&mut group, "ten places", &PLACES);
    group.finish();
}

criterion_group!(benches, breakpoints);
criterion_main!(benches);
