//! Traces checked, compared and recorded.

use serde::Serialize;
use serde_json::json;

use super::{Fault, PlainReply, Reply};
pub use crate::engine::trace::{Finding, TraceFindings, TraceParting, TraceTotals};
use crate::{
    engine::trace::{CHECKS, TraceHeader},
    text::{TextTable, count, counted, headline, layout, lines, told, wrap},
};

/// A trace opened: how many events it has (nothing while it is being written), and why it was not read to its end.
pub fn trace_opened(
    file: &str,
    header: &TraceHeader,
    events: Option<u64>,
    unread: Option<&str>,
) -> PlainReply {
    let TraceHeader { program, game, root, .. } = header;
    let number = events.map(|events| counted(events, "event", "events"));
    let number = number.unwrap_or_else(|| "as it is written".to_owned());
    let pieces = [program.as_deref().unwrap_or(file), &number, game.as_deref().unwrap_or_default()];
    let why = unread.map(|why| format!("read up to here: {why}"));
    let next = "`step` and `continue` walk through it, `where` shows the stack, `trace close` goes back to the game";
    let fields = json!({
        "file": file, "program": program, "game": game, "root": root, "events": events, "unread": unread
    });
    PlainReply::new(lines([headline(pieces), told(why), next.to_owned()]), fields)
}

/// A trace checked.
#[derive(Clone, Debug, Serialize)]
pub struct TraceCheck {
    pub(crate) file: String,
    pub(crate) program: Option<String>,
    #[serde(flatten)]
    pub(crate) found: TraceFindings,
    /// Why it was not read to its end.
    pub(crate) unread: Option<String>,
}

impl Reply for TraceCheck {
    fn text(&self) -> String {
        let TraceFindings { events, nodes, findings, counts } = &self.found;
        let head = headline([
            self.program.clone().unwrap_or_else(|| self.file.clone()),
            counted(*events, "event", "events"),
            counted(*nodes, "node", "nodes"),
        ]);
        let unread = self.unread.as_ref().map(|why| format!("read up to here: {why}"));
        if counts.is_empty() {
            return lines([head, told(unread), "nothing is wrong".to_owned()]);
        }
        let known =
            CHECKS.iter().filter_map(|(name, what)| Some((*name, *what, counts.get(name)?)));
        let table = TextTable::of(known)
            .left("check", |(name, ..)| *name)
            .right("times", |(.., times)| count(**times))
            .left("what it finds", |(_, what, _)| *what);
        let list = findings.iter().flat_map(|finding| {
            let Finding { check, event, ply, key, text } = finding;
            let key = key.as_ref().map(|key| format!("key {key}"));
            let place =
                [format!("event {}", count(*event)), format!("ply {ply}"), (*check).to_owned()];
            [headline(place.into_iter().chain(key)), wrap("  ", text)]
        });
        let listed: u64 = counts.values().sum();
        let rest = listed.saturating_sub(findings.len() as u64) as usize;
        let rest = (rest > 0).then(|| layout::and_more(rest));
        lines([head, told(unread), table.render(), lines(list), told(rest)])
    }

    fn fault(&self) -> Option<Fault> {
        let wrong: u64 = self.found.counts.values().sum();
        (wrong > 0).then(|| {
            let what = counted(wrong, "finding", "findings");
            Fault::new(format!("`{}` tells of a search that is wrong: {what}", self.file))
        })
    }
}

/// Two traces compared: where they part, if they do, and how many events of each kind there are.
pub fn trace_diff(
    files: [&str; 2],
    parting: Option<&TraceParting>,
    totals: &[TraceTotals],
) -> PlainReply {
    let [first, second] = files;
    let table = TextTable::of(totals)
        .left("event", |total| total.event)
        .right(first, |total| count(total.first))
        .right(second, |total| count(total.second))
        .render();
    let moment = |file: &str, event: &Option<String>, line: &[String]| {
        let event = event.as_deref().unwrap_or("has ended");
        lines([format!("{file}: {}", line.join(" ")), format!("  {event}")])
    };
    let parted = parting.map_or("the same events".to_owned(), |parting| {
        lines([
            format!("they part at event {}", count(parting.event)),
            moment(first, &parting.first, &parting.first_line),
            moment(second, &parting.second, &parting.second_line),
        ])
    });
    let fields = json!({"files": files, "parting": parting, "totals": totals});
    PlainReply::new(lines([parted, table]), fields)
}

/// A search recorded as a trace: its file, how many events that has, and why the search stopped.
pub fn trace_recorded(file: &str, events: u64, stopped: &str) -> PlainReply {
    let number = counted(events, "event", "events");
    let text = format!("{number} in {file}; the search ended by {stopped}");
    PlainReply::new(text, json!({"file": file, "events": events, "stopped": stopped}))
}
