//! An event log as Markdown, with scores that read back as the same numbers.

use std::fmt::Write as _;

use crate::engine::report::{LogLine, LogReport, Score};

/// The events of a search as a Markdown document.
pub(super) fn log(report: &LogReport) -> String {
    let mut text = String::from("# Event log\n\n");
    let _ = writeln!(text, "- root: `{}`", report.state);
    let _ = writeln!(text, "- weights: `{}`", report.weights);
    let settings: Vec<_> = report
        .settings
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let _ = writeln!(text, "- settings: `{}`", settings.join(" "));
    let span = match (report.events.first(), report.events.last()) {
        (Some(first), Some(last)) => format!("{} to {}", first.event.index, last.event.index),
        _ => "none".to_owned(),
    };
    let _ = writeln!(text, "- events: {span} of {}\n", report.total);
    text.push_str("Scores are for the side to move at the ply of each row. Where a value comes back, the last move is the one it comes back from.\n\n");
    text.push_str("| event | kind | ply | depth | line | α | β | value |\n");
    text.push_str("|--:|:--|--:|--:|:--|--:|--:|--:|\n");
    for line in &report.events {
        row(&mut text, line);
    }
    text
}

fn row(text: &mut String, LogLine { event, line }: &LogLine) {
    // The sign of a zero says nothing to a reader.
    let written = |score: Score| (score.get() + 0.0).to_string();
    let [alpha, beta] = [event.alpha, event.beta].map(written);
    let value = event.value.map_or(String::new(), written);
    let line = line.join(" ").replace('|', "\\|");
    let kind = match event.kind.name() {
        "cutoff" => "**cutoff**",
        kind => kind,
    };
    let _ = writeln!(
        text,
        "| {} | {kind} | {} | {} | {line} | {alpha} | {beta} | {value} |",
        event.index, event.ply, event.depth
    );
}
