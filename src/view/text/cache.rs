//! The cache: in numbers, as a list, entry by entry.

use super::{
    Style,
    layout::{self, beside, flow, headline, lines},
    number::{self, count, counted},
    table::{Align, Table},
    timeline,
};
use crate::engine::report::{
    CacheCleaned, CacheCount, CacheEdit, CacheList, CacheStats, Census, EntryReport, Histogram,
    KeyReport, OrbitReport, Score,
};

pub(super) fn entries(number: usize) -> String {
    counted(number as u64, "entry", "entries")
}

pub(super) fn stats(report: &CacheStats, style: Style) -> String {
    let each = report.bytes_per_entry;
    let size = [
        Some(format!("memo {}", report.policy)),
        Some(entries(report.entries)),
        Some(number::bytes(report.bytes as u64)),
        each.map(|each| format!("({each:.1} bytes an entry)")),
    ];
    let meaning = [
        format!("max_size {}", max_size(&report.size)),
        format!("keys {}", report.keys),
        format!("weights {}", report.weights),
    ];
    let depths = census("depth", &report.by_depth, report.entries, style);
    let bounds = census("bound", &report.by_bound, report.entries, style);
    lines([
        headline(size.into_iter().flatten()),
        headline(meaning),
        last_search(report),
        beside(&depths, bounds.lines()),
    ])
}

/// Entries are grouped by threes.
fn max_size(size: &str) -> String {
    size.parse().map_or_else(|_| size.to_owned(), count)
}

fn last_search(report: &CacheStats) -> String {
    let asked = report.hits + report.invalid + report.misses;
    let share = number::percent(report.hits, asked).map(|share| format!(" ({share})"));
    let pieces = [
        format!("hits {}{}", count(report.hits), share.unwrap_or_default()),
        format!("invalid {}", count(report.invalid)),
        format!("misses {}", count(report.misses)),
        format!("stores {}", count(report.stores)),
        match report.evictions {
            0 => String::new(),
            evictions => format!("evictions {} by {}", count(evictions), report.replace),
        },
        report.collisions.map_or(String::new(), |collisions| {
            format!("collisions {}", count(collisions))
        }),
    ];
    flow("last search: ", pieces)
}

/// How many entries have what, with bars.
fn census(of: &str, census: &[Census], total: usize, style: Style) -> String {
    const BAR: usize = 10;
    if census.is_empty() {
        return String::new();
    }
    let align = if of == "depth" {
        Align::Right
    } else {
        Align::Left
    };
    let heads = [
        (of, align),
        ("entries", Align::Right),
        ("share", Align::Right),
        ("", Align::Left),
    ];
    let mut table = Table::new(heads);
    for line in census {
        let share = number::percent(line.entries as u64, total as u64);
        let bar = (line.entries * BAR).div_ceil(total.max(1));
        table.row([
            line.of.clone(),
            count(line.entries as u64),
            share.unwrap_or_default(),
            style.bar().repeat(bar),
        ]);
    }
    table.render(style)
}

pub(super) fn list(report: &CacheList, style: Style) -> String {
    if report.total == 0 {
        return "the cache is empty".to_owned();
    }
    let [shown, matching, total] = [report.entries.len(), report.matching, report.total];
    let [shown_words, matching_words, total_words] =
        [shown, matching, total].map(|number| count(number as u64));
    let shown_words = match report.offset {
        0 => shown_words,
        offset if shown > 0 => format!(
            "{} to {}",
            count(offset as u64 + 1),
            count((offset + shown) as u64)
        ),
        _ => shown_words,
    };
    let footer = if matching == total {
        format!("{shown_words} of {}", entries(total))
    } else if matching == 0 {
        format!("no entries match, {total_words} in all")
    } else {
        format!("{shown_words} of {matching_words} that match, {total_words} in all")
    };
    if report.entries.is_empty() {
        return footer;
    }
    lines([entry_table(&report.entries, style), footer])
}

/// The columns that any of the entries needs.
pub(super) fn entry_table(entries: &[EntryReport], style: Style) -> String {
    let any = |has: fn(&EntryReport) -> bool| entries.iter().any(has);
    let depth = any(|entry| entry.depth.is_some() && !entry.key.contains(':'));
    let window = any(|entry| entry.alpha.is_some() || entry.beta.is_some());
    let bound = any(|entry| entry.bound.is_some());
    let uses = any(|entry| entry.uses.is_some());
    let columns = [
        (true, "key", Align::Left),
        (depth, "depth", Align::Right),
        (bound, "", Align::Right),
        (true, "value", Align::Point),
        (window, style.alpha(), Align::Point),
        (window, style.beta(), Align::Point),
        (uses, "uses", Align::Right),
        (true, "position", Align::Left),
    ];
    let kept = |cells: [String; 8]| {
        columns
            .iter()
            .zip(cells)
            .filter(|(column, _)| column.0)
            .map(|(_, cell)| cell)
    };
    let heads = columns
        .iter()
        .filter(|column| column.0)
        .map(|&(_, head, align)| (head, align));
    let mut table = Table::new(heads);
    for entry in entries {
        table.row(kept(entry_row(entry, style)));
    }
    table.render(style)
}

fn entry_row(entry: &EntryReport, style: Style) -> [String; 8] {
    let relation = match entry.bound {
        Some("lower") => style.at_least(),
        Some("upper") => style.at_most(),
        Some(_) => "=",
        None => "",
    };
    [
        entry.key.clone(),
        entry.depth.map_or(String::new(), |depth| depth.to_string()),
        relation.to_owned(),
        number::score(entry.value, style),
        number::score_or_none(entry.alpha, style),
        number::score_or_none(entry.beta, style),
        entry
            .uses
            .map_or(String::new(), |uses| count(u64::from(uses))),
        entry.state.clone().unwrap_or_default(),
    ]
}

pub(super) fn matches(report: &CacheCount) -> String {
    format!(
        "{} of {} match",
        count(report.matching as u64),
        entries(report.total)
    )
}

pub(super) fn histogram(report: &Histogram, style: Style) -> String {
    let depths = census("depth", &report.by_depth, report.matching, style);
    let bounds = census("bound", &report.by_bound, report.matching, style);
    let range = |from: Score, to: Score| match (number::score(from, style), to) {
        (single, to) if from == to => single,
        (from, to) => format!("{from} to {}", number::score(to, style)),
    };
    let values = report.by_value.iter().map(|bucket| Census {
        of: range(bucket.from, bucket.to),
        entries: bucket.entries,
    });
    let values: Vec<_> = values.collect();
    let matching = CacheCount {
        matching: report.matching,
        total: report.total,
    };
    lines([
        matches(&matching),
        beside(&depths, bounds.lines()),
        census("value", &values, report.matching, style),
        report.orbit.as_ref().map(orbit).unwrap_or_default(),
    ])
}

fn orbit(orbit: &OrbitReport) -> String {
    let pieces = [
        counted(
            orbit.orbits as u64,
            "position up to symmetry",
            "positions up to symmetry",
        ),
        format!("{:.1} in an orbit on average", orbit.mean_size),
        format!("stored of it {:.1} %", orbit.share * 100.0),
        format!("from {}", entries(orbit.looked_at)),
    ];
    flow("", pieces)
}

pub(super) fn edit(report: &CacheEdit, style: Style) -> String {
    let (title, entry, before) = match (&report.entry, &report.previous) {
        (None, None) => return absent(report),
        (None, Some(previous)) => ("  removed", previous, None),
        (Some(entry), None) => ("", entry, None),
        (Some(entry), Some(previous)) if entry == previous => ("  unchanged", entry, None),
        (Some(entry), Some(previous)) => ("  changed", entry, Some(previous)),
    };
    let mut details = vec![format!("key    {}{title}", entry.key)];
    details.extend(entry.state.clone());
    details.extend(fields(entry, before, style));
    let board = board(report.board.as_ref(), report.board_ascii.as_ref(), style);
    let writer = report
        .writer
        .as_ref()
        .map(|writer| timeline::writer(writer, style));
    lines([
        beside(board, details),
        writer.unwrap_or_default(),
        layout::notes(&report.notes),
    ])
}

fn board<'a>(unicode: Option<&'a String>, ascii: Option<&'a String>, style: Style) -> &'a str {
    let drawn = if style.ascii { ascii } else { unicode };
    drawn.map_or("", String::as_str)
}

fn absent(report: &CacheEdit) -> String {
    let absent = format!("{}  absent", report.key);
    let others = match report.other_keys.as_slice() {
        [] => String::new(),
        keys => flow("stored for this position: ", keys),
    };
    lines([absent, others, layout::notes(&report.notes)])
}

/// The fields an entry has, each followed by what it was where it changed.
fn fields(entry: &EntryReport, before: Option<&EntryReport>, style: Style) -> Vec<String> {
    let now = field_values(entry, style);
    let before = before.map_or_else(|| now.clone(), |entry| field_values(entry, style));
    let mut details = Vec::new();
    for ((name, now), (_, before)) in now.iter().zip(&before) {
        details.extend(now.as_ref().map(|now| format!("{name}  {now}")));
        let changed = before.as_ref().filter(|_| before != now);
        details.extend(changed.map(|before| format!("  was  {before}")));
    }
    details
}

fn field_values(entry: &EntryReport, style: Style) -> [(&'static str, Option<String>); 5] {
    let score = |score: Option<Score>| score.map(|score| number::exact(score, style));
    [
        ("value", score(Some(entry.value))),
        ("alpha", score(entry.alpha)),
        ("beta ", score(entry.beta)),
        ("bound", entry.bound.map(str::to_owned)),
        ("depth", entry.depth.map(|depth| depth.to_string())),
    ]
}

pub(super) fn key(report: &KeyReport, style: Style) -> String {
    let canonical = if report.canonical == report.key {
        "the same".to_owned()
    } else {
        report.canonical.clone()
    };
    let mut details = vec![
        format!("key        {}", report.key),
        format!("canonical  {canonical}"),
    ];
    details.extend(report.state.clone());
    let board = board(report.board.as_ref(), report.board_ascii.as_ref(), style);
    beside(board, details)
}

pub(super) fn cleaned(report: &CacheCleaned) -> String {
    let removed = format!(
        "{} removed, {} left",
        entries(report.removed),
        count(report.entries as u64)
    );
    let steps = report.steps.iter().map(|step| layout::wrap("  ", step));
    lines([lines(steps), removed])
}
