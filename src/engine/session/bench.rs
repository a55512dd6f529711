//! The bench: fixed searches whose node count is the program's fingerprint.

use std::time::Instant;

use super::{
    Pair,
    search::{Bench, BenchCase},
};

use crate::engine::{
    cachefile::Monitor,
    game::{Game, Result},
    recording::Running,
    search::{Plan, RunLimits, Stop, Unwatched},
    searcher::Searcher,
    settings::Settings,
    workers::interrupted,
};

/// How every bench position is searched: a name, the settings and the depth of one call.
const CASES: &[(&str, &[Pair<'_>], u8)] = &[
    ("minimax none", &[("algorithm", "minimax"), ("memo", "none")], 3),
    ("minimax exact", &[("algorithm", "minimax"), ("memo", "exact")], 3),
    ("alphabeta none", &[("memo", "none")], 5),
    ("alphabeta exact", &[("memo", "exact")], 5),
    ("alphabeta interval", &[("memo", "interval")], 6),
    ("alphabeta bound", &[("memo", "bound")], 6),
    ("alphabeta interval nosym", &[("memo", "interval"), ("symmetry", "off")], 5),
    ("seed plain", &[("fidelity", "seed"), ("keys", "plain")], 4),
    ("seed colour nosym", &[("fidelity", "seed"), ("keys", "colour"), ("symmetry", "off")], 4),
    (RESTLESS, &[("memo", "bound"), ("quiescence", "on")], 5),
];

const RESTLESS: &str = "alphabeta bound quiescence";

/// Runs every case on every bench position, each with a fresh cache, and iterative deepening with the default budget.
pub(super) fn bench<G: Game>(game: &G, watch: &mut Monitor<'_>) -> Result<Bench> {
    const FIDELITIES: [&str; 2] = ["sound", "seed"];
    let start = Instant::now();
    let positions = game.bench_positions();
    let of_game = CASES.iter().filter(|(name, ..)| G::HAS_QUIESCENCE || *name != RESTLESS);
    let each = of_game.clone().count() + FIDELITIES.len();
    let mut cases = Vec::new();
    let mut add = |case: BenchCase| {
        cases.push(case);
        (watch.progress)(cases.len() as u64, (positions.len() * each) as u64);
    };
    let interrupt = watch.interrupt;
    for position in positions {
        let place = format!("{} {position}", G::NAME);
        for (name, settings, depth) in of_game.clone() {
            let (mut searcher, root) = searcher(game, position, settings)?;
            let plan = |window| Plan::Value { depth: *depth, window };
            let search = searcher.search((&root, &G::History::default()), plan, None)?;
            let mut running = Running::new(search, searcher.mode());
            let (limits, Searcher { game, table, .. }) =
                (RunLimits::new(interrupt, None), &mut searcher);
            if running.drive(game, table, &mut Unwatched, &limits) == Stop::Interrupt {
                return Err(interrupted());
            }
            let name = format!("{name} depth {depth}");
            add(BenchCase::new(&place, &name, running.search.counters.nodes, running.ms));
        }
        for fidelity in FIDELITIES {
            let (mut searcher, root) = searcher(game, position, &[("fidelity", fidelity)])?;
            let found = searcher.choose((&root, &G::History::default()), 0, interrupt)?;
            let found = found.ok_or_else(interrupted)?;
            let name = format!("best {fidelity}");
            add(BenchCase::new(&place, &name, found.counters.nodes, found.ms));
        }
    }
    Ok(Bench {
        nodes: cases.iter().map(|case| case.nodes).sum(),
        cases,
        ms: Some(start.elapsed().as_secs_f64() * 1e3),
    })
}

fn searcher<G: Game>(
    game: &G,
    position: &str,
    pairs: &[Pair<'_>],
) -> Result<(Searcher<G>, G::Position)> {
    let mut settings = Settings::default();
    for (name, value) in pairs {
        settings.set(name, value)?;
    }
    let root = game.parse_position(position)?;
    Ok((Searcher::new(game, &settings, &game.default_weights())?, root))
}
