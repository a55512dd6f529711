//! Files read and written.

use super::{
    layout::{self, flow, lines, wrap},
    number::{self, count, counted},
};
use crate::engine::report::{CacheFile, CarriedCommands, Exported, SessionReport};

pub(super) fn cache_file(report: &CacheFile) -> String {
    let way = if report.action == "saved" {
        "to"
    } else {
        "from"
    };
    let title = format!(
        "{} {} {way} {}",
        report.action,
        counted(report.entries as u64, "entry", "entries"),
        report.file
    );
    let convention = report
        .convention
        .as_ref()
        .map(|name| format!("convention {name}"));
    let skipped = (report.skipped > 0).then(|| skipped(report));
    let details = [
        Some(format!("format {}", report.format)),
        convention,
        Some(number::bytes(report.bytes)),
        skipped,
        Some(format!("{} in the cache now", count(report.total as u64))),
    ];
    let details = flow("  ", details.into_iter().flatten());
    lines([title, details, layout::notes(&report.notes)])
}

fn skipped(report: &CacheFile) -> String {
    let name = if report.action == "saved" {
        "merged"
    } else {
        "skipped"
    };
    format!(
        "{} {name}",
        counted(report.skipped as u64, "duplicate", "duplicates")
    )
}

pub(super) fn session(report: &SessionReport) -> String {
    let way = if report.action == "saved" {
        "to"
    } else {
        "from"
    };
    let title = format!("session {} {way} {}", report.action, report.file);
    let restored = report.restored.iter().map(|what| wrap("  ", what));
    let carried = report.carried.as_ref().map(carried);
    lines(std::iter::once(title).chain(restored).chain(carried))
}

/// The commands that came with a session, one a line: what they do must be seen before they are trusted.
fn carried(carried: &CarriedCommands) -> String {
    let lists = carried.commands.iter();
    let shown = lists.flat_map(|list| {
        let commands = list.commands.iter().flat_map(|command| command.lines());
        let commands = commands.map(|command| wrap("    > ", command));
        std::iter::once(format!("  {}", list.of)).chain(commands)
    });
    let whether = match (carried.commands.len(), carried.trusted) {
        (0, _) => return String::new(),
        (_, true) => "run, for the folder is trusted",
        (_, false) => "do not run before `trust`",
    };
    let what = count(carried.commands.len() as u64);
    let head = format!("commands that came with it ({what}) {whether}:");
    let notes = layout::notes(&carried.notes);
    lines(std::iter::once(head).chain(shown).chain([notes]))
}

pub(super) fn exported(report: &Exported) -> String {
    let omitted = (report.omitted > 0).then(|| {
        let left = number::count(report.omitted);
        format!("{left} {} are not in it", report.of)
    });
    let wrote = format!(
        "wrote {} {} to {}",
        number::count(report.items as u64),
        report.of,
        report.file
    );
    let size = format!("{}, {}", report.format, number::bytes(report.bytes as u64));
    layout::headline([Some(wrote), Some(size), omitted].into_iter().flatten())
}
