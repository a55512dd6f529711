//! Speed of the morris rules: perft in leaves per second, and the functions that a search calls at every node.

#![allow(clippy::expect_used)] // a bench without its positions has nothing to say

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use plyscope::engine::{
    game::{Game, KeyScheme, Rules, SearchRules},
    morris::{Evaluator, Morris, Move, Position},
};

/// One position of each phase, each with mills to close.
const PHASES: [(&str, &str); 3] = [
    ("placing", ".w..bb../w.w...../.w..b.b. b 5 5"),
    ("moving", "w.wwbb.w/.ww..bb./..b..w.b w 0 0"),
    ("flying", "ww....../...bbb../..wb.b.. w 0 0"),
];

fn perft(criterion: &mut Criterion) {
    let morris = Morris::default();
    let mut group = criterion.benchmark_group("perft");
    group.sample_size(10);
    let start = ("start", "......../......../........ w 9 9", 6);
    let others = PHASES.map(|(name, state)| (name, state, 4));
    for (name, state, depth) in [start].into_iter().chain(others) {
        let position: Position = state.parse().expect("a position");
        let leaves = morris.perft(&position, &mut (), depth);
        group.throughput(Throughput::Elements(leaves));
        group.bench_function(format!("{name}-{depth}"), |bencher| {
            bencher.iter(|| morris.perft(black_box(&position), &mut (), depth));
        });
    }
    group.finish();
}

/// Positions of a random game from each phase, so that branches are as hard to predict as in a search.
fn sample() -> Vec<Position> {
    let morris = Morris::default();
    let mut seed = 1_u64;
    let mut positions = Vec::new();
    let mut moves: Vec<Move> = Vec::new();
    let mut position = morris.start();
    while positions.len() < 4096 {
        moves.clear();
        if morris.expand(&position, &(), &mut moves).is_some() || positions.len() % 64 == 63 {
            position = PHASES[positions.len() % 3].1.parse().expect("a position");
            positions.push(position);
            continue;
        }
        positions.push(position);
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        position = morris.apply(&position, moves[(seed >> 33) as usize % moves.len()]);
    }
    positions
}

fn node(criterion: &mut Criterion) {
    let morris = Morris::default();
    let positions = sample();
    let evaluator: Evaluator =
        morris.evaluator(&morris.default_weights(), &Position::START).expect("default weights");
    let mut group = criterion.benchmark_group("node");
    group.throughput(Throughput::Elements(positions.len() as u64));
    let mut each = |name: &str, call: &mut dyn FnMut(&Position)| {
        group.bench_function(name, |bencher| {
            bencher.iter(|| positions.iter().for_each(&mut *call));
        });
    };
    let mut moves = Vec::new();
    each("expand", &mut |position| {
        moves.clear();
        black_box(morris.expand(position, &(), &mut moves));
    });
    each("terminal", &mut |position| {
        black_box(morris.terminal(position, &()));
    });
    each("evaluate", &mut |position| {
        black_box(morris.evaluate(&evaluator, position));
    });
    each("key/colour", &mut |position| {
        black_box(morris.key(position, KeyScheme::Colour));
    });
    each("key/canonical", &mut |position| {
        black_box(morris.key(position, KeyScheme::Canonical));
    });
    group.finish();
}

criterion_group!(benches, perft, node);
criterion_main!(benches);
