//! Values, best moves and the bench.

use serde::Serialize;

use crate::{
    engine::{
        game::{Score, Window},
        search::Stop,
        session::{
            breakpoints::{self, Seen},
            cache::CacheCounters,
            reply::{LAST, Reply, nth_line},
        },
    },
    text::{TextTable, count, headline, layout, lines, number, took},
};

/// The value of one position.
#[derive(Clone, Debug, Serialize)]
pub struct Value {
    /// For the side to move; nothing if the search was stopped.
    pub value: Option<Score>,
    /// Remaining depth at the root.
    pub depth: u8,
    /// The window asked.
    #[serde(flatten)]
    pub window: Window,
    /// `exact`, or which bound of the window the value lies at.
    pub bound: Option<&'static str>,
    /// States visited.
    pub nodes: u64,
    /// What was asked of the memo.
    pub cache: CacheCounters,
    /// The best line, cut short where the memo answered.
    pub pv: Vec<String>,
    /// Wall time in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// Why it stopped, if early.
    pub stopped: Option<Stop>,
}

impl Reply for Value {
    fn text(&self) -> String {
        let value = match (self.value, self.stopped) {
            (Some(value), _) => format!("value {}", number::exact(value)),
            (None, Some(stop)) => format!("no value ({})", stop.name()),
            (None, None) => "no value".to_owned(),
        };
        let bound = match self.bound {
            Some(bound @ ("lower" | "upper")) => format!("{bound} bound"),
            bound => bound.unwrap_or_default().to_owned(),
        };
        let [alpha, beta] = number::window(self.window, number::score);
        let pieces = [
            value,
            bound,
            format!("depth {}", self.depth),
            format!("window {alpha} to {beta}"),
            format!("nodes {}", count(self.nodes)),
        ];
        lines([headline(pieces), pv(&self.pv), self.cache.text(), time(self.nodes, self.ms, None)])
    }

    fn forget_times(&mut self) {
        self.ms = None;
    }

    fn has_times(&self) -> bool {
        self.ms.is_some()
    }
}

/// The result of a search for the best moves.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    /// The root's value in the last complete iteration, for the side to move.
    pub value: Option<Score>,
    /// The best moves.
    pub best: Vec<String>,
    /// The positions after them.
    pub best_states: Vec<String>,
    /// The last complete iteration: plies from the root.
    pub depth: u8,
    /// States visited.
    pub nodes: u64,
    /// Why it stopped; nothing while it is under way.
    pub stopped: Option<Stop>,
    /// Plies of the last iteration, where that is limited.
    #[serde(skip)]
    pub last_depth: Option<u8>,
    /// States that it may visit, where that is limited.
    #[serde(skip)]
    pub budget: Option<u64>,
    /// Every root move, best first.
    pub moves: Vec<RootMoveReport>,
    /// What was asked of the memo.
    pub cache: CacheCounters,
    /// The best line.
    pub pv: Vec<String>,
    /// Wall time in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// Events so far.
    pub events: u64,
    /// Which breakpoint stopped it.
    pub breakpoint: Option<u32>,
    /// The timeline at hand, where this search has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeline: Option<String>,
    /// What a reader should know.
    pub notes: Vec<String>,
    /// What was watched on the way.
    #[serde(flatten)]
    pub seen: Seen,
}

impl Reply for Run {
    fn text(&self) -> String {
        let value = self.value.map(|value| format!("value {}", number::exact(value)));
        let best = layout::some(&self.best, SHOWN);
        let pieces = [
            format!("depth {}", self.depth),
            value.unwrap_or_default(),
            if best.is_empty() { best } else { format!("best {best}") },
            format!("nodes {}  ({})", count(self.nodes), stopped(self)),
        ];
        lines([
            breakpoints::traced(&self.seen),
            headline(pieces),
            pv(&self.pv),
            root_moves(self),
            self.cache.text(),
            time(self.nodes, self.ms, Some(self.events)),
            layout::notes(&self.notes),
            breakpoints::watched(&self.seen),
            breakpoints::shown(&self.seen.displays),
        ])
    }

    fn line(&self) -> String {
        layout::noted(self.found(), &self.notes)
    }

    fn forget_times(&mut self) {
        self.ms = None;
    }

    fn has_times(&self) -> bool {
        self.ms.is_some()
    }
}

impl Run {
    pub(in crate::engine::session) fn found(&self) -> String {
        let best = match self.best.as_slice() {
            [] => "no move".to_owned(),
            [only] => format!("best {only}"),
            [first, others @ ..] => format!("best {first} and {} equal", others.len()),
        };
        let stopped = self.stopped.map(|stop| format!(" ({})", stop.name()));
        let rate = number::rate(self.nodes, "nodes", self.ms).map(|rate| format!(", {rate}"));
        format!(
            "{best} {} depth {}, {} nodes{}{}",
            number::score_or_none(self.value),
            self.depth,
            count(self.nodes),
            rate.unwrap_or_default(),
            stopped.unwrap_or_default()
        )
    }
}

/// A root move.
#[derive(Clone, Debug, Serialize)]
pub struct RootMoveReport {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its value for the side to move at the root.
    pub value: Option<Score>,
    /// What that is where it is not the value itself: `upper` or `lower` bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<&'static str>,
    /// The line from the root, this move first.
    pub pv: Vec<String>,
}

/// The program's fingerprint: states visited over fixed positions, games and policies.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Bench {
    /// The sum.
    pub nodes: u64,
    /// Case by case.
    pub cases: Vec<BenchCase>,
    /// Wall time in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
}

impl Reply for Bench {
    fn text(&self) -> String {
        // Not grouped: the fingerprint is compared and copied.
        let time = self.ms.map(number::time);
        let total = [time, number::rate(self.nodes, "nodes", self.ms)].into_iter().flatten();
        let nodes = format!("nodes {}", self.nodes);
        lines([bench_cases(self), headline(std::iter::once(nodes).chain(total))])
    }

    fn forget_times(&mut self) {
        self.ms = None;
        self.cases.iter_mut().for_each(|case| case.ms = None);
    }

    fn has_times(&self) -> bool {
        self.ms.is_some()
    }

    // Below the table.
    fn line(&self) -> String {
        nth_line(&self.text(), LAST)
    }
}

/// One case of the bench.
#[derive(Clone, Debug, Serialize)]
pub struct BenchCase {
    /// The game, the position and what it was searched with.
    pub name: String,
    /// The game and the position.
    #[serde(skip)]
    place: String,
    /// States visited.
    pub nodes: u64,
    /// Wall time in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
}

impl BenchCase {
    /// A case that took so many nodes and milliseconds.
    pub fn new(place: &str, name: &str, nodes: u64, ms: f64) -> Self {
        Self { name: format!("{place} {name}"), place: place.to_owned(), nodes, ms: Some(ms) }
    }
}

pub(in crate::engine::session) const SHOWN: usize = 12;

pub(in crate::engine::session) fn pv(line: &[String]) -> String {
    if line.is_empty() { String::new() } else { layout::wrap("pv ", &line.join(" ")) }
}

pub(in crate::engine::session) fn time(nodes: u64, ms: Option<f64>, events: Option<u64>) -> String {
    let more = [
        number::rate(nodes, "nodes", ms),
        events.map(|events| number::counted(events, "event", "events")),
    ];
    took(ms, more.into_iter().flatten())
}

fn stopped(report: &Run) -> String {
    match (report.stopped, report.breakpoint) {
        (Some(Stop::Breakpoint(_)), Some(id)) => format!("breakpoint {id}"),
        (Some(stop), _) => stop.name().to_owned(),
        (None, _) => "under way".to_owned(),
    }
}

fn root_moves(report: &Run) -> String {
    let (shown, rest) = report.moves.split_at(layout::shown(report.moves.len(), SHOWN));
    let table = TextTable::of(shown)
        .left("  move", |root| {
            let best = report.best.contains(&root.mv);
            format!("{} {}", if best { "▸" } else { " " }, root.mv)
        })
        .right("", |root| root.bound.map_or("", |bound| number::bound(bound)))
        .point("value", |root| number::score_or_none(root.value))
        .left("line", |root| root.pv.get(1..).unwrap_or_default().join(" "));
    let least = shown.last().and_then(|root| root.value);
    lines([table.render(), remaining(rest, least)])
}

/// The moves not shown, and how far down they go from the least value shown.
fn remaining(moves: &[RootMoveReport], shown: Option<Score>) -> String {
    if moves.is_empty() {
        return String::new();
    }
    let least = moves.iter().rev().find_map(|root| root.value);
    let open = moves.iter().any(|root| root.value.is_none());
    let how = match least {
        None => " not looked at".to_owned(),
        Some(_) if least == shown && !open => " of the same value".to_owned(),
        Some(least) => format!(", down to {}", number::score(least)),
    };
    let some = if open && least.is_some() { ", some not looked at" } else { "" };
    format!("  {}{how}{some}", layout::and_more(moves.len()))
}

/// A table of the cases, below what their positions are called.
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
    let titles = std::iter::once("").chain((0..places.len()).map(title));
    lines(titles.zip(text.lines()).flat_map(|(title, row)| [title, row]))
}
