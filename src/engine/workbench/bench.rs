use std::{
    sync::{Arc, atomic::AtomicBool},
    time::Instant,
};

use super::{Answer, Desk, Pair, Searching, Tuning};
use crate::engine::{
    game::{Fault, Game},
    reply::{Bench, BenchCase},
};

/// What every bench position is searched with: a name, the settings and the depth of one call.
const CASES: &[(&str, &[Pair<'_>], u8)] = &[
    (
        "minimax none",
        &[("algorithm", "minimax"), ("memo", "none")],
        3,
    ),
    (
        "minimax exact",
        &[("algorithm", "minimax"), ("memo", "exact")],
        3,
    ),
    ("alphabeta none", &[("memo", "none")], 5),
    ("alphabeta exact", &[("memo", "exact")], 5),
    ("alphabeta interval", &[("memo", "interval")], 6),
    ("alphabeta bound", &[("memo", "bound")], 6),
    (
        "alphabeta interval nosym",
        &[("memo", "interval"), ("symmetry", "off")],
        5,
    ),
    ("seed plain", &[("fidelity", "seed"), ("keys", "plain")], 4),
    (
        "seed colour nosym",
        &[
            ("fidelity", "seed"),
            ("keys", "colour"),
            ("symmetry", "off"),
        ],
        4,
    ),
];

/// What positions of games with forcing moves are searched with besides.
const RESTLESS: &[(&str, &[Pair<'_>], u8)] = &[(
    "alphabeta bound quiescence",
    &[("memo", "bound"), ("quiescence", "on")],
    5,
)];

/// Runs every case on every bench position of the game, each with a fresh cache, and deepening with the default budget.
pub(super) fn bench<G: Game>(game: &G, interrupt: &Arc<AtomicBool>) -> Answer<Bench> {
    let start = Instant::now();
    let mut cases = Vec::new();
    for position in game.bench_positions() {
        let restless = if G::QUIESCENT { RESTLESS } else { &[] };
        for (name, settings, depth) in CASES.iter().chain(restless) {
            let mut desk = desk(game, interrupt, position, settings)?;
            let value = desk.value(*depth, None, None)?;
            if value.stopped.is_some() {
                return Err(Fault::new("the bench was interrupted"));
            }
            let name = format!("{} {position} {name} depth {depth}", G::NAME);
            cases.push(BenchCase {
                name,
                nodes: value.nodes,
                ms: value.ms,
            });
        }
        for fidelity in ["sound", "seed"] {
            let mut desk = desk(game, interrupt, position, &[("fidelity", fidelity)])?;
            let run = desk.run(&[])?;
            cases.push(BenchCase {
                name: format!("{} {position} best {fidelity}", G::NAME),
                nodes: run.nodes,
                ms: run.ms,
            });
        }
    }
    Ok(Bench {
        nodes: cases.iter().map(|case| case.nodes).sum(),
        cases,
        ms: Some(start.elapsed().as_secs_f64() * 1e3),
    })
}

fn desk<G: Game>(
    game: &G,
    interrupt: &Arc<AtomicBool>,
    position: &str,
    settings: &[(&str, &str)],
) -> Answer<Desk<G>> {
    let mut desk = Desk::new(game.clone(), Arc::clone(interrupt));
    desk.now.position = game.parse_position(position)?;
    desk.set_settings(settings)?;
    Ok(desk)
}
