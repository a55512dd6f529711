//! Values, best moves and the bench.

use super::{
    Style,
    layout::{self, flow, lines},
    number::{self, count},
    table::{Align, Table},
};
use crate::engine::{
    report::{Bench, BenchCase, CacheCounters, RootMoveReport, Run, Value},
    search::Stop,
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
    let headline = [
        value,
        bound,
        format!("depth {}", report.depth),
        format!("window {alpha} to {beta}"),
        format!("nodes {}", count(report.nodes)),
    ];
    lines([
        flow("", headline),
        pv(&report.pv),
        counters(&report.cache, style),
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
fn counters(cache: &CacheCounters, style: Style) -> String {
    if *cache == CacheCounters::default() {
        return String::new();
    }
    let asked = cache.hits + cache.invalid + cache.misses;
    let share =
        number::percent(cache.hits, asked).map_or(String::new(), |share| format!(" ({share})"));
    let _ = style;
    let pieces = [
        format!("hits {}{share}", count(cache.hits)),
        format!("invalid {}", count(cache.invalid)),
        format!("misses {}", count(cache.misses)),
        format!("stores {}", count(cache.stores)),
        format!("entries {}", count(cache.entries as u64)),
    ];
    flow("cache ", pieces)
}

fn time(nodes: u64, ms: f64, events: Option<u64>) -> String {
    let pieces = [
        Some(number::time(ms)),
        number::rate(nodes, "nodes", ms),
        events.map(|events| number::counted(events, "event", "events")),
    ];
    flow("time ", pieces.into_iter().flatten())
}

pub(super) fn run(report: &Run, style: Style) -> String {
    let value = report
        .value
        .map(|value| format!("value {}", number::exact(value, style)));
    let best = layout::some(&report.best, SHOWN, style);
    let best = (!best.is_empty()).then(|| format!("best {best}"));
    let headline = [
        Some(format!("depth {}", report.depth)),
        value,
        best,
        Some(format!("nodes {}", count(report.nodes))),
        Some(format!("({})", stopped(report))),
    ];
    lines([
        flow("", headline.into_iter().flatten()),
        pv(&report.pv),
        root_moves(report, style),
        counters(&report.cache, style),
        time(report.nodes, report.ms, Some(report.events)),
        layout::notes(&report.notes),
    ])
}

fn stopped(report: &Run) -> String {
    match (report.stopped, report.breakpoint) {
        (Some(Stop::Break), Some(id)) => format!("breakpoint {id}"),
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
        ("", Align::Left),
        ("move", Align::Left),
        ("value", Align::Point),
        ("line", Align::Left),
    ]);
    // One row more takes no more room than the line that says so.
    let shown = if report.moves.len() == SHOWN + 1 {
        SHOWN + 1
    } else {
        SHOWN
    };
    for root in report.moves.iter().take(shown) {
        table.row(root_move(root, &report.best, style));
    }
    let rest = report.moves.get(shown..).unwrap_or_default();
    lines([table.render(style), remaining(rest, style)])
}

fn root_move(root: &RootMoveReport, best: &[String], style: Style) -> [String; 4] {
    let mark = if best.contains(&root.mv) {
        style.here()
    } else {
        ""
    };
    let line = root.pv.get(1..).unwrap_or_default().join(" ");
    let value = number::score_or_none(root.value, style);
    [mark.to_owned(), root.mv.clone(), value, line]
}

fn remaining(moves: &[RootMoveReport], style: Style) -> String {
    let Some(last) = moves.last() else {
        return String::new();
    };
    let mut text = format!("   {}", layout::and_more(moves.len(), style));
    let least = moves.iter().rev().find_map(|root| root.value);
    if let Some(least) = least {
        text = format!("{text}, down to {}", number::score(least, style));
    }
    if last.value.is_none() && least.is_some() {
        text.push_str(" and some not looked at");
    }
    text
}

pub(super) fn bench(report: &Bench) -> String {
    let groups = report.cases.chunk_by(|a, b| start(a) == start(b));
    let tables: Vec<_> = groups.map(bench_group).collect();
    let rate = number::rate(report.nodes, "nodes", report.ms);
    let time = [Some(number::time(report.ms)), rate];
    // Not grouped: the fingerprint is compared and copied.
    let total = format!("nodes {}", report.nodes);
    let total = flow("", [Some(total)].into_iter().chain(time).flatten());
    tables.join("\n") + "\n" + &total
}

/// The game and the first word of the position.
fn start(case: &BenchCase) -> (Option<&str>, Option<&str>) {
    let mut words = case.name.split(' ');
    (words.next(), words.next())
}

/// Cases whose names begin alike: that beginning, and a table of what differs.
fn bench_group(cases: &[BenchCase]) -> String {
    let names: Vec<Vec<_>> = cases
        .iter()
        .map(|case| case.name.split(' ').collect())
        .collect();
    let shared = names
        .iter()
        .skip(1)
        .fold(names.first().map_or(0, Vec::len), |shared, name| {
            let pairs = names[0].iter().zip(name);
            pairs.take(shared).take_while(|(a, b)| a == b).count()
        });
    let title = names
        .first()
        .map_or(String::new(), |name| name[..shared].join(" "));
    let heads = [
        ("", Align::Left),
        ("nodes", Align::Right),
        ("ms", Align::Point),
    ];
    let mut table = Table::new(heads);
    for (case, name) in cases.iter().zip(&names) {
        let name = format!("  {}", name[shared..].join(" "));
        table.row([name, count(case.nodes), format!("{:.1}", case.ms)]);
    }
    let text = table.render(Style::default());
    // The title goes into the empty cell above the names.
    let (head, body) = text.split_once('\n').unwrap_or((&text, ""));
    let room = head.len() - head.trim_start().len();
    if layout::width(&title) < room {
        let head = layout::pad(&title, room) + head.trim_start();
        return lines([head.as_str(), body]);
    }
    lines([title.as_str(), head, body])
}
