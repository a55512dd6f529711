//! Values, best moves and the bench.

use super::{
    Style, breakpoints,
    layout::{self, flow, headline, lines, took},
    number::{self, count},
    table::{Align, Table},
};
use crate::engine::report::{
    Bench, BenchCase, CacheCounters, RootMoveReport, Run, Score, Stop, Value,
};

/// How many of the moves are shown.
pub(super) const SHOWN: usize = 12;

pub(super) fn value(report: &Value, style: Style) -> String {
    let value = match (report.value, report.stopped) {
        (Some(value), _) => format!("value {}", number::exact(value, style)),
        (None, Some(stop)) => format!("no value ({})", stop.name()),
        (None, None) => "no value".to_owned(),
    };
    let bound = match report.bound {
        Some(bound @ ("lower" | "upper")) => format!("{bound} bound"),
        bound => bound.unwrap_or_default().to_owned(),
    };
    let [alpha, beta] = [report.alpha, report.beta].map(|end| number::score(end, style));
    let pieces = [
        value,
        bound,
        format!("depth {}", report.depth),
        format!("window {alpha} to {beta}"),
        format!("nodes {}", count(report.nodes)),
    ];
    lines([
        headline(pieces),
        pv(&report.pv),
        counters(&report.cache),
        time(report.nodes, report.ms, None),
    ])
}

fn pv(line: &[String]) -> String {
    if line.is_empty() {
        return String::new();
    }
    layout::wrap("pv ", &line.join(" "))
}

/// What was asked of the cache; nothing where there is none.
fn counters(cache: &CacheCounters) -> String {
    if *cache == CacheCounters::default() {
        return String::new();
    }
    let asked = cache.hits + cache.invalid + cache.misses;
    let share =
        number::percent(cache.hits, asked).map_or(String::new(), |share| format!(" ({share})"));
    let pieces = [
        format!("hits {}{share}", count(cache.hits)),
        format!("invalid {}", count(cache.invalid)),
        format!("misses {}", count(cache.misses)),
        format!("stores {}", count(cache.stores)),
        format!("entries {}", count(cache.entries as u64)),
    ];
    flow("cache ", pieces)
}

pub(super) fn time(nodes: u64, ms: Option<f64>, events: Option<u64>) -> String {
    let more = [
        number::rate(nodes, "nodes", ms),
        events.map(|events| number::counted(events, "event", "events")),
    ];
    took(ms, more.into_iter().flatten())
}

pub(super) fn run(report: &Run, style: Style) -> String {
    let value = report
        .value
        .map(|value| format!("value {}", number::exact(value, style)));
    let best = layout::some(&report.best, SHOWN, style);
    let best = (!best.is_empty()).then(|| format!("best {best}"));
    let pieces = [
        Some(format!("depth {}", report.depth)),
        value,
        best,
        Some(format!(
            "nodes {}  ({})",
            count(report.nodes),
            stopped(report)
        )),
    ];
    lines([
        breakpoints::traced(&report.seen, style),
        headline(pieces.into_iter().flatten()),
        pv(&report.pv),
        root_moves(report, style),
        counters(&report.cache),
        time(report.nodes, report.ms, Some(report.events)),
        layout::notes(&report.notes),
        breakpoints::watched(&report.seen, style),
        breakpoints::shown(&report.seen.displays),
    ])
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
    let mut table = Table::new([
        ("  move", Align::Left),
        ("value", Align::Point),
        ("line", Align::Left),
    ]);
    let shown = layout::shown(report.moves.len(), SHOWN);
    for root in report.moves.iter().take(shown) {
        table.row(root_move(root, &report.best, style));
    }
    let (shown, rest) = report.moves.split_at(shown);
    let least = shown.last().and_then(|root| root.value);
    lines([table.render(style), remaining(rest, least, style)])
}

fn root_move(root: &RootMoveReport, best: &[String], style: Style) -> [String; 3] {
    let mark = if best.contains(&root.mv) {
        style.here()
    } else {
        " "
    };
    let line = root.pv.get(1..).unwrap_or_default().join(" ");
    let value = number::score_or_none(root.value, style);
    [format!("{mark} {}", root.mv), value, line]
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
    let some = if open && least.is_some() {
        ", some not looked at"
    } else {
        ""
    };
    format!("  {}{how}{some}", layout::and_more(moves.len(), style))
}

pub(super) fn bench(report: &Bench) -> String {
    // Not grouped: the fingerprint is compared and copied.
    let total = [
        Some(format!("nodes {}", report.nodes)),
        report.ms.map(number::time),
        number::rate(report.nodes, "nodes", report.ms),
    ];
    lines([bench_cases(report), headline(total.into_iter().flatten())])
}

/// A table of the cases, with what the names of neighbours have in common as titles.
fn bench_cases(report: &Bench) -> String {
    let heads = [
        ("case", Align::Left),
        ("nodes", Align::Right),
        ("time", Align::Right),
    ];
    let mut table = Table::new(heads);
    let mut titles = vec![String::new()];
    for group in report.cases.chunk_by(|a, b| start(a) == start(b)) {
        let shared = shared_words(group);
        for (place, case) in group.iter().enumerate() {
            let words: Vec<_> = case.name.split(' ').collect();
            let (title, name) = words.split_at(shared);
            let title = if place == 0 {
                title.join(" ")
            } else {
                String::new()
            };
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
