//! Speed of chess: nodes per second of alpha-beta, and the time for six plies from the start.

// Clippy exempts only functions marked `#[test]` from these lints, not their helpers.
#![allow(clippy::unwrap_used, missing_docs)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use plyscope::engine::Engine;

const POSITIONS: [(&str, &str, u8); 3] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4),
    ("endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6),
];

fn engine(fen: &str, settings: &[(&str, &str)]) -> Engine {
    let mut engine = Engine::default();
    engine.choose_game("chess").unwrap();
    engine.session_mut().set_settings(settings).unwrap();
    engine.session_mut().set_position(fen).unwrap();
    engine
}

fn nodes_per_second(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("chess alphabeta");
    group.sample_size(10);
    for policy in ["none", "bound"] {
        for (name, fen, depth) in POSITIONS {
            let settings = [("memo", policy)];
            let nodes =
                engine(fen, &settings).session_mut().value(depth, None, None).unwrap().nodes;
            group.throughput(Throughput::Elements(nodes));
            group.bench_function(format!("{policy} {name} depth {depth}"), |bencher| {
                bencher.iter(|| {
                    let mut engine = engine(fen, &settings);
                    black_box(engine.session_mut().value(depth, None, None).unwrap())
                });
            });
        }
    }
    group.finish();
}

fn six_plies(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("chess six plies from the start");
    group.sample_size(10);
    let (_, fen, _) = POSITIONS[0];
    group.bench_function("search value", |bencher| {
        bencher.iter(|| {
            black_box(engine(fen, &[("memo", "bound")]).session_mut().value(6, None, None).unwrap())
        });
    });
    group.bench_function("search run", |bencher| {
        bencher.iter(|| {
            let mut engine = engine(fen, &[("memo", "bound")]);
            black_box(engine.session_mut().run(&[("depth", "6")]).unwrap())
        });
    });
    group.finish();
}

criterion_group!(chess, nodes_per_second, six_plies);
criterion_main!(chess);
