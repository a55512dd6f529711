//! Cache files described, checked, merged and compared.

use super::{
    Style, cache,
    layout::{self, flow, lines, pad, width, wrap},
    number::{self, count, counted},
    table::{Align, Table},
};
use crate::engine::report::{
    CacheCheck, CacheDiff, CacheFileInfo, CacheMerge, DamagedPlace, EntryPair, EntryReport,
    Salvaged,
};

fn entries(number: u64) -> String {
    counted(number, "entry", "entries")
}

pub(super) fn info(report: &CacheFileInfo) -> String {
    let complete = report.complete.map(|complete| {
        if complete {
            "complete".to_owned()
        } else {
            "without its end".to_owned()
        }
    });
    let title = [
        Some(report.file.clone()),
        report.format.as_ref().map(|name| format!("format {name}")),
        report.entries.map(entries),
        Some(number::bytes(report.bytes)),
        complete,
    ];
    let names = report.header.iter().map(|(name, _)| width(name)).max();
    let stated = report.header.iter().map(|(name, value)| {
        let lead = format!("  {}  ", pad(name, names.unwrap_or(0)));
        wrap(&lead, value)
    });
    let differences = report
        .differences
        .iter()
        .map(|difference| wrap("  differs: ", difference));
    lines([
        flow("", title.into_iter().flatten()),
        lines(stated),
        possible(report),
        lines(differences),
    ])
}

/// What a file without header may be.
fn possible(report: &CacheFileInfo) -> String {
    if report.complete.is_some() {
        return String::new();
    }
    let whole = report
        .possible
        .iter()
        .map(|(format, records)| format!("{} {format} records", count(*records)));
    let whole: Vec<_> = whole.collect();
    if whole.is_empty() {
        return wrap(
            "  ",
            "no header; its length is that of no whole number of seed records",
        );
    }
    let text = format!("no header; its length is that of {}", whole.join(" or "));
    wrap("  ", &text)
}

pub(super) fn check(report: &CacheCheck) -> String {
    let blocks = report
        .blocks
        .map(|blocks| counted(blocks, "sound block", "sound blocks"));
    let verdict = if report.sound { "sound" } else { "not sound" };
    let title = [
        Some(format!("{}: {verdict}", report.file)),
        Some(format!("format {}", report.format)),
        Some(format!("memo {}", report.policy)),
        Some(entries(report.entries)),
        blocks,
        Some(number::bytes(report.bytes)),
    ];
    lines([
        flow("", title.into_iter().flatten()),
        damage(&report.damage, report.damaged),
        report.salvaged.as_ref().map_or_else(String::new, salvaged),
        layout::notes(&report.notes),
    ])
}

fn damage(damage: &[DamagedPlace], damaged: u64) -> String {
    let named = damage.iter().map(|place| {
        let lost = match place.bytes {
            0 => String::new(),
            bytes => format!(" ({})", number::bytes(bytes)),
        };
        wrap("  damaged: ", &format!("{place}{lost}"))
    });
    let more = damaged - damage.len() as u64;
    let more = (more > 0).then(|| format!("  and {} more damaged places", count(more)));
    lines(named.chain(more))
}

fn salvaged(made: &Salvaged) -> String {
    let lost = made.lost.filter(|lost| *lost > 0);
    let lost = lost.map(|lost| format!("{} lost", counted(lost, "record", "records")));
    let salvaged = format!("salvaged {} to {}", entries(made.entries), made.file);
    let parts = [Some(salvaged), Some(number::bytes(made.bytes)), lost];
    flow("  ", parts.into_iter().flatten())
}

pub(super) fn merge(report: &CacheMerge, style: Style) -> String {
    let title = format!(
        "merged {} from {} to {}",
        entries(report.entries),
        report.from.join(" and "),
        report.file
    );
    let details = [
        format!("format {}", report.format),
        format!("convention {}", report.convention),
        number::bytes(report.bytes),
    ];
    let counts = [
        format!("only in the first {}", count(report.counts.only_first)),
        format!("only in the second {}", count(report.counts.only_second)),
        format!("the same {}", count(report.counts.same)),
        format!("the first's taken {}", count(report.counts.from_first)),
        format!("the second's taken {}", count(report.counts.from_second)),
        format!("conflicts {}", count(report.counts.conflicts)),
    ];
    lines([
        wrap("", &title),
        flow("  ", details),
        flow("  ", counts),
        pairs(&report.examples, style),
        layout::notes(&report.notes),
    ])
}

/// Entries of two files below each other.
fn pairs(pairs: &[EntryPair], style: Style) -> String {
    if pairs.is_empty() {
        return String::new();
    }
    let heads = [
        ("key", Align::Left),
        ("first", Align::Left),
        ("second", Align::Left),
    ];
    let mut table = Table::new(heads);
    for pair in pairs {
        table.row([
            pair.first.key.clone(),
            brief(&pair.first, style),
            brief(&pair.second, style),
        ]);
    }
    table.render(style)
}

/// An entry without its key in a few characters.
fn brief(entry: &EntryReport, style: Style) -> String {
    let relation = match entry.bound {
        Some("lower") => style.at_least(),
        Some("upper") => style.at_most(),
        _ => "",
    };
    let value = number::score(entry.value, style);
    let window = entry.alpha.zip(entry.beta).map(|(alpha, beta)| {
        let (alpha, beta) = (number::score(alpha, style), number::score(beta, style));
        format!(" [{alpha}, {beta}]")
    });
    let depth = entry
        .depth
        .filter(|_| !entry.key.contains(':'))
        .map(|depth| format!(" depth {depth}"));
    format!(
        "{relation}{value}{}{}",
        window.unwrap_or_default(),
        depth.unwrap_or_default()
    )
}

pub(super) fn diff(report: &CacheDiff, style: Style) -> String {
    let [first, second] = &report.files;
    let title = format!("{first} (first) against {second} (second)");
    let counts = [
        format!("only in the first {}", count(report.counts.only_first)),
        format!("only in the second {}", count(report.counts.only_second)),
        format!("the same {}", count(report.counts.same)),
        format!("different {}", count(report.counts.differing)),
    ];
    let differences = report
        .differences
        .iter()
        .map(|difference| wrap("  ", difference));
    let list = |title: &str, entries: &[EntryReport]| {
        if entries.is_empty() {
            return String::new();
        }
        lines([title.to_owned(), cache::entry_table(entries, style)])
    };
    let different = if report.examples.is_empty() {
        String::new()
    } else {
        lines(["different:".to_owned(), pairs(&report.examples, style)])
    };
    lines([
        wrap("", &title),
        flow("  ", counts),
        lines(differences),
        list("only in the first:", &report.first_examples),
        list("only in the second:", &report.second_examples),
        different,
    ])
}
