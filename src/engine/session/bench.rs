//! The bench: fixed searches whose total node count identifies the search's behaviour, as in other engines.

use std::{iter, time::Instant};

use serde::Serialize;

use super::{
    Pair,
    reply::{LAST, Reply, nth_line},
};

use crate::{
    engine::{
        cachefile::Monitor,
        game::{Game, Result},
        recording::Running,
        search::{NoWatcher, Plan, Stop},
        searcher::{RunLimits, Searcher},
        settings::Settings,
        workers::interrupted,
    },
    text::{TextTable, count, headline, layout, lines, number},
};

/// The searches of every bench position: name, changed settings, and depth in plies.
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
    (QUIESCENCE, &[("memo", "bound"), ("quiescence", "on")], 5),
];

const QUIESCENCE: &str = "alphabeta bound quiescence";

/// Runs every case and an iterative deepening with the default budget on every bench position, each with an empty cache.
pub(super) fn bench<G: Game>(game: &G, watch: &mut Monitor<'_>) -> Result<Bench> {
    const FIDELITIES: [&str; 2] = ["sound", "seed"];
    let start = Instant::now();
    let positions = game.bench_positions();
    let game_cases = CASES.iter().filter(|(name, ..)| G::HAS_QUIESCENCE || *name != QUIESCENCE);
    let cases_each = game_cases.clone().count() + FIDELITIES.len();
    let mut cases = Vec::new();
    let mut add = |case: BenchCase| {
        cases.push(case);
        (watch.progress)(cases.len() as u64, (positions.len() * cases_each) as u64);
    };
    let interrupt = watch.interrupt;
    for position in positions {
        let place = format!("{} {position}", G::NAME);
        for (name, settings, depth) in game_cases.clone() {
            let (mut searcher, root) = searcher(game, position, settings)?;
            let plan = |window| Plan::Value { depth: *depth, window };
            let search = searcher.search((&root, &G::History::default()), plan, None)?;
            let mut running = Running::new(search, searcher.mode());
            let limits = RunLimits::new(interrupt, None);
            let Searcher { game, table, .. } = &mut searcher;
            if running.drive(game, table, &mut NoWatcher, &limits) == Stop::Interrupt {
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

/// The result of `bench`: node counts of fixed searches over positions and memo policies.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Bench {
    /// Nodes of all searches together, to be compared between builds.
    pub nodes: u64,
    /// Every search with its node count and time.
    pub cases: Vec<BenchCase>,
    /// Wall-clock time in milliseconds; `None` if times are hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
}

impl Reply for Bench {
    fn text(&self) -> String {
        // The total has no thousands separators, because people copy and compare it.
        let time = self.ms.map(number::time);
        let total = [time, number::rate(self.nodes, "nodes", self.ms)].into_iter().flatten();
        let nodes = format!("nodes {}", self.nodes);
        lines([bench_cases(self), headline(iter::once(nodes).chain(total))])
    }

    fn times_mut(&mut self) -> Vec<&mut Option<f64>> {
        let cases = self.cases.iter_mut().map(|case| &mut case.ms);
        iter::once(&mut self.ms).chain(cases).collect()
    }

    fn line(&self) -> String {
        nth_line(&self.text(), LAST)
    }
}

/// One search of the bench.
#[derive(Clone, Debug, Serialize)]
pub struct BenchCase {
    /// Game, position, settings and depth, for JSON.
    pub(crate) name: String,
    /// Game and position, which group the cases in the text.
    #[serde(skip)]
    place: String,
    /// Nodes visited by this search.
    pub nodes: u64,
    /// Wall-clock time in milliseconds; `None` if times are hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
}

impl BenchCase {
    /// A case with its node count and its time in milliseconds; `place` is game and position.
    pub fn new(place: &str, name: &str, nodes: u64, ms: f64) -> Self {
        Self { name: format!("{place} {name}"), place: place.to_owned(), nodes, ms: Some(ms) }
    }
}

/// A table of the searches, grouped by position.
fn bench_cases(report: &Bench) -> String {
    let table = TextTable::of(&report.cases)
        .left("case", |case| {
            format!(" {}", case.name.strip_prefix(&case.place).unwrap_or(&case.name))
        })
        .right("nodes", |case| count(case.nodes))
        .right("time", |case| layout::or_empty(case.ms.map(number::time)));
    let text = table.render();
    let places: Vec<_> = report.cases.iter().map(|case| case.place.as_str()).collect();
    let title = |at: usize| if at > 0 && places[at - 1] == places[at] { "" } else { places[at] };
    let titles = iter::once("").chain((0..places.len()).map(title));
    lines(titles.zip(text.lines()).flat_map(|(title, row)| [title, row]))
}
