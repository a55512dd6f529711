//! Traces checked, compared and recorded.

use serde::Serialize;

use super::{Fault, Reply};
pub use crate::engine::trace::{Finding, TraceFindings, TraceParting, TraceTotals};
use crate::{
    engine::trace::CHECKS,
    text::{TextTable, count, counted, headline, layout, lines, told, wrap},
};

/// A trace opened.
#[derive(Clone, Debug, Serialize)]
pub struct TraceOpened {
    /// Its path.
    pub file: String,
    /// The program traced.
    pub program: Option<String>,
    /// The game, where the trace names one.
    pub game: Option<String>,
    /// The first position.
    pub root: Option<String>,
    /// Events in it; none while the program may write more.
    pub events: Option<u64>,
    /// Why it was not read to its end.
    pub unread: Option<String>,
}

impl Reply for TraceOpened {
    fn text(&self) -> String {
        let events = self.events.map(|events| counted(events, "event", "events"));
        let events = events.unwrap_or_else(|| "as it is written".to_owned());
        let head = [self.program.clone().unwrap_or_else(|| self.file.clone()), events];
        let unread = self.unread.as_ref().map(|why| format!("read up to here: {why}"));
        let next = "`step` and `continue` walk through it, `where` shows the stack, `trace close` goes back to the game";
        let head = headline(head.into_iter().chain(self.game.clone()));
        lines([head, told(unread), next.to_owned()])
    }
}

/// A trace checked.
#[derive(Clone, Debug, Serialize)]
pub struct TraceCheck {
    /// Its path.
    pub file: String,
    /// The program traced.
    pub program: Option<String>,
    /// What is wrong.
    #[serde(flatten)]
    pub found: TraceFindings,
    /// Why it was not read to its end.
    pub unread: Option<String>,
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

/// Two traces compared.
#[derive(Clone, Debug, Serialize)]
pub struct TraceDiff {
    /// The paths.
    pub files: [String; 2],
    /// Where they part; none where they are the same.
    pub parting: Option<TraceParting>,
    /// How many events of each kind there are.
    pub totals: Vec<TraceTotals>,
}

impl Reply for TraceDiff {
    fn text(&self) -> String {
        let [first, second] = &self.files;
        let totals = TextTable::of(&self.totals)
            .left("event", |total| total.event)
            .right(first, |total| count(total.first))
            .right(second, |total| count(total.second))
            .render();
        let Some(parting) = &self.parting else {
            return lines(["the same events".to_owned(), totals]);
        };
        let moment = |file: &str, event: &Option<String>, line: &[String]| {
            let event = event.as_deref().unwrap_or("has ended");
            lines([format!("{file}: {}", line.join(" ")), format!("  {event}")])
        };
        lines([
            format!("they part at event {}", count(parting.event)),
            moment(first, &parting.first, &parting.first_line),
            moment(second, &parting.second, &parting.second_line),
            totals,
        ])
    }
}

/// A search recorded as a trace.
#[derive(Clone, Debug, Serialize)]
pub struct TraceRecorded {
    /// The file.
    pub file: String,
    /// Events in it.
    pub events: u64,
    /// Why the search stopped.
    pub stopped: &'static str,
}

impl Reply for TraceRecorded {
    fn text(&self) -> String {
        let events = counted(self.events, "event", "events");
        format!("{events} in {}; the search ended by {}", self.file, self.stopped)
    }
}
