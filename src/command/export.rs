//! Commands that write what a search did into files.

use std::{ffi::OsStr, fmt::Write as _, path::Path};

use serde_json::json;

use super::{Args, Chapter, Fault, Replied, Shell, files, shows};
use crate::{
    engine::reply::{EventKind, EventLine, LogReport, PlainReply, Score, TreeReport},
    picture::tree as drawing,
    text::{count, headline, number},
};

const MANUAL: &str = "
export tree
  writes the tree that the search explored, for Graphviz or as an outline
  - FILE  file  a file that ends in .dot, .gv or .txt; `-` for DOT on standard output
  - --depth  1..255  plies from the root; 3 where none is given
  - --nodes  1..100_000  nodes at most; 500 where none is given
  The tree of the last iteration of the search under way, up to where it stands: the recorded search is run again on a copy. Each node has its move,
  the side to move, the value for that side and the window; cutoffs, answers of the cache and ends of the game are marked, and so is what a cutoff
  spared. A file is written whole or not at all.
  > export tree tree.dot  > export tree tree.txt --depth 2
export log
  writes the events of the search as a Markdown table
  - FILE  file  a file that ends in .md; `-` for standard output
  - --events  text  A..B, the numbers of the first and the last event; the first 1000 where nothing is given
  The recorded search is run again on a copy. Each row has the event's number and kind, the line of moves to its node, the window and the value.
  100000 events at most. A file is written whole or not at all.
  > export log log.md  > export log log.md --events 200..300
";

pub(super) const CHAPTER: Chapter = Chapter {
    title: "Export",
    retells: true,
    manual: MANUAL,
    lists: &[],
    run: &[shows("export tree", tree), shows("export log", log)],
};

type Drawing = fn(&TreeReport) -> String;

fn tree(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let file = Path::new(args.required("FILE")?);
    let (format, draw): (_, Drawing) = match file.extension().and_then(OsStr::to_str) {
        Some("txt") => ("text", drawing::outline),
        Some("dot" | "gv") => ("dot", drawing::dot),
        _ if files::is_output(file) => ("dot", drawing::dot),
        _ => {
            let hint = "name a file that ends in .dot, .gv or .txt; Graphviz draws an SVG: `dot -Tsvg tree.dot`";
            return Err(no_format(args, hint));
        }
    };
    let plies = args.count("depth")?.unwrap_or(3);
    let nodes = args.count("nodes")?.unwrap_or(500);
    let tree = shell.bench_mut().tree(plies, nodes)?;
    write(args, format, &draw(&tree), (tree.nodes.len(), "nodes", tree.omitted))
}

fn no_format(args: &Args<'_>, hint: &str) -> Fault {
    let file = args.text("FILE").unwrap_or_default();
    args.blame("FILE", Fault::new(format!("`{file}` says no format")).hint(hint))
}

/// Writes a document, with how many things of a kind are in it and how many are not.
fn write(
    args: &Args<'_>,
    format: &'static str,
    text: &str,
    (items, of, omitted): (usize, &'static str, u64),
) -> Replied {
    let file = args.required("FILE")?;
    let left_out = format!("{} {of} are not in it", count(omitted));
    let told = headline([
        format!("wrote {} {of} to {file}", count(items as u64)),
        format!("{format}, {}", number::bytes(text.len() as u64)),
        if omitted > 0 { left_out } else { String::new() },
    ]);
    let fields = json!({
        "file": file, "format": format, "bytes": text.len(), "items": items, "of": of, "omitted": omitted,
    });
    let written = files::write_text(Path::new(file), text);
    args.reply("FILE", written.map(|()| PlainReply::new(told, fields)))
}

fn log(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let path = Path::new(args.required("FILE")?);
    if path.extension() != Some(OsStr::new("md")) && !files::is_output(path) {
        return Err(no_format(args, "name a file that ends in .md"));
    }
    let blame = |fault| args.blame("events", fault);
    let usual = (0, Some(999));
    let (first, last) = args.text("events").map_or(Ok(usual), span).map_err(blame)?;
    let report = shell.bench_mut().log(first, last).map_err(blame)?;
    let left_out = report.total - report.events.len() as u64;
    write(args, "markdown", &markdown(&report), (report.events.len(), "events", left_out))
}

/// Reads `A..B`, `A..` or `..B`.
fn span(text: &str) -> Result<(u64, Option<u64>), Fault> {
    let fault = || {
        Fault::new(format!("`{text}` is not a span of events"))
            .hint("write 200..300, 200.. or ..300")
    };
    let (first, last) = text.split_once("..").ok_or_else(fault)?;
    let number = |text: &str| text.replace('_', "").parse::<u64>().map_err(|_| fault());
    let first = if first.is_empty() { 0 } else { number(first)? };
    let last = (!last.is_empty()).then(|| number(last)).transpose()?;
    if last.is_some_and(|last| last < first) {
        return Err(fault());
    }
    Ok((first, last))
}

/// The events of a search as a Markdown document, with scores that read back as the same numbers.
fn markdown(report: &LogReport) -> String {
    let pairs = report.settings.iter().map(|(name, value)| format!("{name}={value}"));
    let settings = pairs.collect::<Vec<_>>().join(" ");
    let span = match (report.events.first(), report.events.last()) {
        (Some(first), Some(last)) => format!("{} to {}", first.event.index, last.event.index),
        _ => "none".to_owned(),
    };
    let mut text = format!(
        "# Event log\n\n- root: `{}`\n- weights: `{}`\n- settings: `{settings}`\n- events: {span} of {}\n\n\
         Scores are for the side to move at the ply of each row. Where a value comes back, the last move is the one it comes back from.\n\n\
         | event | kind | ply | depth | line | α | β | value |\n|--:|:--|--:|--:|:--|--:|--:|--:|\n",
        report.state, report.weights, report.total
    );
    for EventLine { event, line } in &report.events {
        // The sign of a zero says nothing to a reader.
        let written = |score: Score| (score.get() + 0.0).to_string();
        let [alpha, beta] = [event.alpha, event.beta].map(written);
        let value = event.value.map_or(String::new(), written);
        let line = line.join(" ").replace('|', "\\|");
        let emphasis = if event.kind == EventKind::Cutoff { "**" } else { "" };
        let kind = format!("{emphasis}{}{emphasis}", event.kind.name());
        let place = format!("{} | {kind} | {} | {}", event.index, event.ply, event.depth);
        let _ = writeln!(text, "| {place} | {line} | {alpha} | {beta} | {value} |");
    }
    text
}
