//! Speed of the search: nodes per second compared with the same search as a recursion, and a whole decision with the
//! default budget.

// Clippy exempts only functions marked `#[test]` from these lints, not their helpers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../common/mod.rs"]
mod common;

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use common::{
    reference::{NoEvents, Recursion},
    running::{finish, new_table, search, settings, with_table},
};
use criterion::{
    BatchSize, BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main,
    measurement::WallTime,
};
use plyscope::engine::{
    game::{Game, Rules, Score},
    morris::{Evaluator, Key, Morris, Position},
    search::{Context, Plan},
    settings::{DEFAULT_BUDGET, Settings},
    table::{AnyTable, SearchTable},
};

/// A name, a position, and the depth to search without and with a table.
const POSITIONS: [(&str, &str, u8, u8); 5] = [
    ("start", "......../......../........ w 9 9", 5, 6),
    ("opening", "b..w.w../.b.....w/bw..bw.. b 4 5", 5, 6),
    ("placed", "..b..wwb/.bwwbwb./b..w..w. b 2 3", 6, 7),
    ("moving", "www.wbb./w.b.b.../..bb.w.w w 0 0", 7, 8),
    ("flying", ".w..bb../...wb.../.....w.. w 0 0", 3, 4),
];

struct Case {
    settings: Settings,
    evaluator: Evaluator,
    root: Position,
    depth: u8,
}

const MORRIS: Morris = Morris {
    double_mill: plyscope::engine::morris::DoubleMill::Two,
    flying: plyscope::engine::morris::Flying::On,
    tables: plyscope::engine::morris::Tables::NONE,
};

impl Case {
    fn new(words: &[(&str, &str)], root: &str, depth: u8) -> Self {
        let root = root.parse().unwrap();
        let evaluator = MORRIS.evaluator(&MORRIS.default_weights(), &root);
        Self {
            settings: settings(words.iter().copied()),
            evaluator: evaluator.unwrap(),
            root,
            depth,
        }
    }

    fn context(&self) -> Context<'_, Morris> {
        Context { game: &MORRIS, evaluator: &self.evaluator, mode: self.settings.mode() }
    }

    fn new_table(&self) -> AnyTable<Key> {
        new_table::<Morris>(&self.settings)
    }

    /// Value and nodes.
    fn by_machine<M: SearchTable<Key>>(&self, table: &mut M) -> (Score, u64) {
        let context = self.context();
        let window = MORRIS.full_window(&self.evaluator);
        let depth = self.depth;
        let mut search = search(&context, Plan::Value { depth, window }, &self.root, None);
        finish(&context, table, &mut search);
        (search.value().unwrap(), search.counters.nodes)
    }

    fn by_recursion<M: SearchTable<Key>>(&self, table: &mut M) -> (Score, u64) {
        let window = MORRIS.full_window(&self.evaluator);
        let mut recursion = Recursion::new(&self.context(), table, NoEvents, (), None);
        let value = recursion.value(&self.root, window, self.depth).unwrap();
        (value, recursion.counters.nodes)
    }

    fn decide<M: SearchTable<Key>>(&self, table: &mut M) -> u64 {
        let context = self.context();
        let plan = Plan::Best(self.settings.limits());
        let mut search = search(&context, plan, &self.root, self.settings.budget());
        finish(&context, table, &mut search);
        search.counters.nodes
    }
}

/// Times a search with an empty table; creating and dropping the table does not count.
fn time<T>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: String,
    case: &Case,
    run: impl Fn(&Case, &mut AnyTable<Key>) -> T,
) {
    group.bench_function(name, |bencher| {
        bencher.iter_batched(
            || case.new_table(),
            |mut table| (black_box(run(case, &mut table)), table),
            BatchSize::LargeInput,
        );
    });
}

/// Whether the command line selects this benchmark; others need no preparation.
fn is_selected(name: &str) -> bool {
    let mut filters = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).peekable();
    filters.peek().is_none() || filters.any(|filter| filter.contains(name))
}

fn both(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, case: &Case) {
    if !is_selected(name) {
        return;
    }
    let by_machine = |case: &Case, table: &mut AnyTable<Key>| with_table!(table, table => case.by_machine(table));
    let by_recursion = |case: &Case, table: &mut AnyTable<Key>| with_table!(table, table => case.by_recursion(table));
    let found = by_machine(case, &mut case.new_table());
    assert_eq!(found, by_recursion(case, &mut case.new_table()), "{name}");
    group.throughput(Throughput::Elements(found.1));
    time(group, format!("{name}/recursion"), case, by_recursion);
    time(group, format!("{name}/machine"), case, by_machine);
}

fn configured<'a>(criterion: &'a mut Criterion, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2));
    group
}

/// Nodes per second without a table.
fn alphabeta(criterion: &mut Criterion) {
    let mut group = configured(criterion, "alphabeta");
    for (name, position, depth, _) in POSITIONS {
        let case = Case::new(&[("memo", "none")], position, depth);
        both(&mut group, name, &case);
    }
}

/// Nodes per second with each memo policy.
fn policies(criterion: &mut Criterion) {
    for policy in ["exact", "interval", "bound", "rote"] {
        let mut group = configured(criterion, policy);
        for (name, position, shallow, deep) in POSITIONS {
            let depth = if policy == "rote" { shallow } else { deep };
            both(&mut group, name, &Case::new(&[("memo", policy)], position, depth));
        }
    }
}

/// As the seeds do: every symmetric position is stored.
fn seed(criterion: &mut Criterion) {
    let mut group = configured(criterion, "seed");
    for keys in ["plain", "colour"] {
        let words = [("fidelity", "seed"), ("keys", keys)];
        for (name, position, depth, _) in POSITIONS {
            let case = Case::new(&words, position, depth);
            both(&mut group, &format!("{keys}/{name}"), &case);
        }
    }
}

/// Search and recursion in turn, the best time of each, so that other load on the computer matters less.
fn versus(criterion: &mut Criterion) {
    if !is_selected("versus") {
        return;
    }
    println!("{:<22}{:>10}{:>12}{:>12}", "ns a state", "machine", "recursion", "ratio");
    let mut logs = Vec::new();
    for policy in ["none", "exact", "interval", "bound", "rote", "seed"] {
        for (name, position, shallow, deep) in POSITIONS {
            let words = if policy == "seed" { ("fidelity", "seed") } else { ("memo", policy) };
            let depth = if ["none", "rote", "seed"].contains(&policy) { shallow } else { deep - 1 };
            let case = Case::new(&[words], position, depth);
            let [machine, recursion] = best_of_each(&case);
            println!(
                "{:<22}{machine:>10.1}{recursion:>12.1}{:>12.3}",
                format!("{policy}/{name}"),
                machine / recursion
            );
            logs.push((machine / recursion).ln());
        }
    }
    let mean = (logs.iter().sum::<f64>() / logs.len() as f64).exp();
    println!("{:<44}{mean:>12.3}", "geometric mean");
    criterion.benchmark_group("versus").finish();
}

/// Nanoseconds per node.
fn best_of_each(case: &Case) -> [f64; 2] {
    let mut best = [f64::INFINITY; 2];
    let start = Instant::now();
    while start.elapsed() < Duration::from_millis(400) {
        for (which, best) in best.iter_mut().enumerate() {
            let mut table = case.new_table();
            let start = Instant::now();
            let (_, nodes) = with_table!(&mut table, table => if which == 0 {
                case.by_machine(table)
            } else {
                case.by_recursion(table)
            });
            *best = best.min(start.elapsed().as_secs_f64() * 1e9 / nodes as f64);
        }
    }
    best
}

/// The best moves from the start within the default budget.
fn decision(criterion: &mut Criterion) {
    let mut group = configured(criterion, "decision");
    for (name, words) in [
        ("sound", &[("fidelity", "sound")][..]),
        ("seed plain", &[("fidelity", "seed"), ("keys", "plain")]),
        ("seed colour", &[("fidelity", "seed"), ("keys", "colour")]),
    ] {
        let case = Case::new(words, POSITIONS[0].1, 0);
        let decide = |case: &Case, table: &mut AnyTable<Key>| with_table!(table, table => case.decide(table));
        assert_eq!(decide(&case, &mut case.new_table()), DEFAULT_BUDGET);
        group.throughput(Throughput::Elements(DEFAULT_BUDGET));
        time(&mut group, name.into(), &case, decide);
    }
}

/// The time to the value of positions with default settings. The last column is the time of another program's search,
/// in units of `perft 7` from the start, which is measured as well.
fn to_value(criterion: &mut Criterion) {
    let mut group = configured(criterion, "to_value");
    for line in
        include_str!("../data/search-limit.tsv").lines().filter(|line| !line.starts_with('#'))
    {
        let [name, state, depth, ..] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let case = Case::new(&[("max_size", "4000000")], state, depth.parse().unwrap());
        time(
            &mut group,
            name.into(),
            &case,
            |case, table| with_table!(table, table => case.by_machine(table)),
        );
    }
    group.bench_function("perft 7", |bencher| {
        bencher.iter(|| MORRIS.perft(&Position::START, &mut (), black_box(7)));
    });
    group.finish();
}

criterion_group!(benches, versus, alphabeta, policies, seed, decision, to_value);
criterion_main!(benches);
