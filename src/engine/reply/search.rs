//! Values, best moves and the bench.

use serde::Serialize;

use super::{CacheCounters, Reply, Score, Seen, breakpoints};
use crate::{
    engine::search::Stop,
    text::{
        Style,
        layout::{self, headline, lines, took},
        number::{self, count},
        table::TextTable,
    },
};

/// The value of one position.
#[derive(Clone, Debug, Serialize)]
pub struct Value {
    /// For the side to move; nothing if the search was stopped.
    pub value: Option<Score>,
    /// Remaining depth at the root.
    pub depth: u8,
    /// Lower bound of the window asked.
    pub alpha: Score,
    /// Upper bound of the window asked.
    pub beta: Score,
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
    fn text(&self, style: Style) -> String {
        let value = match (self.value, self.stopped) {
            (Some(value), _) => format!("value {}", number::exact(value, style)),
            (None, Some(stop)) => format!("no value ({})", stop.name()),
            (None, None) => "no value".to_owned(),
        };
        let bound = match self.bound {
            Some(bound @ ("lower" | "upper")) => format!("{bound} bound"),
            bound => bound.unwrap_or_default().to_owned(),
        };
        let [alpha, beta] = [self.alpha, self.beta].map(|end| number::score(end, style));
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
    fn text(&self, style: Style) -> String {
        let value = self.value.map(|value| format!("value {}", number::exact(value, style)));
        let best = layout::some(&self.best, SHOWN, style);
        let best = (!best.is_empty()).then(|| format!("best {best}"));
        let pieces = [
            Some(format!("depth {}", self.depth)),
            value,
            best,
            Some(format!("nodes {}  ({})", count(self.nodes), stopped(self))),
        ];
        lines([
            breakpoints::traced(&self.seen, style),
            headline(pieces.into_iter().flatten()),
            pv(&self.pv),
            root_moves(self, style),
            self.cache.text(),
            time(self.nodes, self.ms, Some(self.events)),
            layout::notes(&self.notes),
            breakpoints::watched(&self.seen, style),
            breakpoints::shown(&self.seen.displays),
        ])
    }

    fn line(&self, style: Style) -> String {
        layout::noted(self.found(style), &self.notes)
    }

    fn forget_times(&mut self) {
        self.ms = None;
    }
}

impl Run {
    /// What was found, in one line.
    pub(super) fn found(&self, style: Style) -> String {
        let best = match self.best.as_slice() {
            [] => "no move".to_owned(),
            [only] => format!("best {only}"),
            [first, others @ ..] => format!("best {first} and {} equal", others.len()),
        };
        let stopped = self.stopped.map(|stop| format!(" ({})", stop.name()));
        let rate = number::rate(self.nodes, "nodes", self.ms).map(|rate| format!(", {rate}"));
        format!(
            "{best} {} depth {}, {} nodes{}{}",
            number::score_or_none(self.value, style),
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
    fn text(&self, _: Style) -> String {
        // Not grouped: the fingerprint is compared and copied.
        let total = [
            Some(format!("nodes {}", self.nodes)),
            self.ms.map(number::time),
            number::rate(self.nodes, "nodes", self.ms),
        ];
        lines([bench_cases(self), headline(total.into_iter().flatten())])
    }

    /// Leaves out the times.
    fn forget_times(&mut self) {
        self.ms = None;
        self.cases.iter_mut().for_each(|case| case.ms = None);
    }
}

/// One case of the bench.
#[derive(Clone, Debug, Serialize)]
pub struct BenchCase {
    /// Its name.
    pub name: String,
    /// States visited.
    pub nodes: u64,
    /// Wall time in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
}

/// How many of the moves are shown.
pub(super) const SHOWN: usize = 12;

fn pv(line: &[String]) -> String {
    if line.is_empty() {
        return String::new();
    }
    layout::wrap("pv ", &line.join(" "))
}

pub(super) fn time(nodes: u64, ms: Option<f64>, events: Option<u64>) -> String {
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

/// The root's moves, the best first and marked.
fn root_moves(report: &Run, style: Style) -> String {
    if report.moves.is_empty() {
        return String::new();
    }
    let bounds = report.moves.iter().any(|root| root.bound.is_some());
    let table = TextTable::default().left(["  move"]).right(bounds.then_some(""));
    let mut table = table.point(["value"]).left(["line"]);
    let shown = layout::shown(report.moves.len(), SHOWN);
    for root in report.moves.iter().take(shown) {
        let [mv, bound, value, line] = root_move(root, &report.best, style);
        table.row(
            [Some(mv), Some(bound).filter(|_| bounds), Some(value), Some(line)]
                .into_iter()
                .flatten(),
        );
    }
    let (shown, rest) = report.moves.split_at(shown);
    let least = shown.last().and_then(|root| root.value);
    lines([table.render(style), remaining(rest, least, style)])
}

fn root_move(root: &RootMoveReport, best: &[String], style: Style) -> [String; 4] {
    let mark = if best.contains(&root.mv) { style.here() } else { " " };
    let line = root.pv.get(1..).unwrap_or_default().join(" ");
    let value = number::score_or_none(root.value, style);
    let bound = root.bound.map_or("", |bound| style.bound(bound)).to_owned();
    [format!("{mark} {}", root.mv), bound, value, line]
}

/// The moves not shown, and how far down they go from the least value shown.
fn remaining(moves: &[RootMoveReport], shown: Option<Score>, style: Style) -> String {
    if moves.is_empty() {
        return String::new();
    }
    let least = moves.iter().rev().find_map(|root| root.value);
    let open = moves.iter().any(|root| root.value.is_none());
    let how = match least {
        None => " not looked at".to_owned(),
        Some(_) if least == shown && !open => " of the same value".to_owned(),
        Some(least) => format!(", down to {}", number::score(least, style)),
    };
    let some = if open && least.is_some() { ", some not looked at" } else { "" };
    format!("  {}{how}{some}", layout::and_more(moves.len(), style))
}

/// A table of the cases, with what the names of neighbours have in common as titles.
fn bench_cases(report: &Bench) -> String {
    let mut table = TextTable::default().left(["case"]).right(["nodes", "time"]);
    let mut titles = vec![String::new()];
    for group in report.cases.chunk_by(|a, b| start(a) == start(b)) {
        let shared = shared_words(group);
        for (place, case) in group.iter().enumerate() {
            let words: Vec<_> = case.name.split(' ').collect();
            let (title, name) = words.split_at(shared);
            let title = if place == 0 { title.join(" ") } else { String::new() };
            titles.push(layout::wrap("", &title));
            let name = format!("  {}", name.join(" "));
            table.row([name, count(case.nodes), number::time_or_none(case.ms)]);
        }
    }
    let text = table.render(Style::default());
    let rows = titles.iter().map(String::as_str).zip(text.lines());
    lines(rows.flat_map(|(title, row)| [title, row]))
}

/// The game and the first word of the position.
fn start(case: &BenchCase) -> (Option<&str>, Option<&str>) {
    let mut words = case.name.split(' ');
    (words.next(), words.next())
}

/// With how many words the names of the cases begin alike.
fn shared_words(cases: &[BenchCase]) -> usize {
    let Some((first, others)) = cases.split_first() else {
        return 0;
    };
    let words = first.name.split(' ').count();
    others.iter().fold(words.saturating_sub(1), |shared, case| {
        let pairs = first.name.split(' ').zip(case.name.split(' '));
        pairs.take(shared).take_while(|(a, b)| a == b).count()
    })
}
