//! The search of another program, opened from a trace, and traces of our own.

use std::{
    io::Write,
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use serde_json::json;

use super::{Pair, Session, reply::PlainReply};

use crate::{
    engine::{
        files::FileFailure,
        game::{Fault, Game, Result},
        progress::Unit,
        search::{Algorithm, Plan, RunLimits, Stop, Unwatched},
        settings::Settings,
        table::{MaxSize, Policy},
        trace::{CHECKS, Following, Rulebook, TraceGame, TraceHeader, TraceWriter},
    },
    text::{TextTable, count, counted, headline, layout, lines, or_empty, wrap},
};

pub use crate::engine::trace::{Finding, TraceFindings, TraceParting, TraceTotals};

/// Traces of searches.
pub trait TraceCommands {
    /// Runs the search that `search run` would run with these settings besides, on a copy of the cache or, `fresh`, on an
    /// empty one, and writes its trace: how many events, and why it stopped.
    fn record_trace(
        &self,
        settings: &[Pair<'_>],
        fresh: bool,
        out: &mut dyn Write,
    ) -> Result<(u64, Stop), FileFailure>;
    /// The rules of the game, to follow a trace by.
    fn rulebook(&self) -> Box<dyn Rulebook>;
}

impl<G: Game> TraceCommands for Session<G> {
    fn record_trace(
        &self,
        settings: &[Pair<'_>],
        fresh: bool,
        out: &mut dyn Write,
    ) -> Result<(u64, Stop), FileFailure> {
        let settings = self.limited(settings)?;
        let (mut running, mut table) = self.begin_beside(&settings, fresh)?;
        let warm = !table.entries().is_empty();
        let game = self.game();
        let mut writer = TraceWriter::begin((game, running.mode), (&running.search, warm), out)?;
        let deadline = settings.time_ms.map(|ms| Instant::now() + Duration::from_millis(ms));
        self.watching("recording", (Unit::Events, 0), |watch| {
            loop {
                let before = running.search.events();
                let limits = RunLimits::new(&self.run.interrupt, deadline);
                let limits = RunLimits { until: before + 1, ..limits };
                let halt = running.drive(game, &mut table, &mut Unwatched, &limits);
                if running.search.events() > before {
                    writer.see(&running.search.describe(), &running.search, &table)?;
                }
                (watch.progress)(writer.written(), 0);
                match halt {
                    Stop::Limit => {}
                    Stop::Interrupt | Stop::Time => {
                        writer.stop(halt.name())?;
                        return Ok((writer.written(), halt));
                    }
                    _ => return Ok((writer.written(), halt)),
                }
            }
        })
    }

    fn rulebook(&self) -> Box<dyn Rulebook> {
        Box::new(Following::new(self.game().clone()))
    }
}

impl Session<TraceGame> {
    /// A workbench at the beginning of a trace, with a table that holds whatever the program traced stores.
    pub fn for_trace(trace: TraceGame, interrupt: Arc<AtomicBool>) -> Result<Self> {
        let mut desk = Self::new(trace, interrupt);
        let searcher = &mut desk.run.searcher;
        searcher.settings = Settings {
            algorithm: Some(Algorithm::AlphaBeta),
            memo: Some(Policy::Bound),
            max_size: MaxSize::Unlimited,
            ..Settings::default()
        };
        searcher.reset(None);
        let running = desk.prepare(|window| Plan::Value { depth: 0, window }, None)?;
        desk.run.install(running);
        Ok(desk)
    }
}

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
    PlainReply::new(lines([headline(pieces), or_empty(why), next.to_owned()]), fields)
}

/// A trace checked: its file, the program traced, what is wrong, and why it was not read to its end.
pub fn trace_check(
    file: &str,
    program: Option<&str>,
    found: &TraceFindings,
    unread: Option<&str>,
) -> PlainReply {
    let TraceFindings { events, nodes, findings, counts } = found;
    let head = headline([
        program.unwrap_or(file).to_owned(),
        counted(*events, "event", "events"),
        counted(*nodes, "node", "nodes"),
    ]);
    let known = CHECKS.iter().filter_map(|(name, what)| Some((*name, *what, counts.get(name)?)));
    let table = TextTable::of(known)
        .left("check", |(name, ..)| *name)
        .right("times", |(.., times)| count(**times))
        .left("what it finds", |(_, what, _)| *what);
    let list = findings.iter().flat_map(|finding| {
        let Finding { check, event, ply, key, text } = finding;
        let key = key.as_ref().map(|key| format!("key {key}"));
        let place = [format!("event {}", count(*event)), format!("ply {ply}"), (*check).to_owned()];
        [headline(place.into_iter().chain(key)), wrap("  ", text)]
    });
    let wrong: u64 = counts.values().sum();
    let rest = wrong.saturating_sub(findings.len() as u64) as usize;
    let rest = (rest > 0).then(|| layout::and_more(rest));
    let nothing = counts.is_empty().then_some("nothing is wrong");
    let why = unread.map(|why| format!("read up to here: {why}"));
    let text = lines([
        head,
        or_empty(why),
        or_empty(nothing),
        table.render(),
        lines(list),
        or_empty(rest),
    ]);
    let fields = json!({
        "file": file,
        "program": program,
        "events": events,
        "nodes": nodes,
        "findings": findings,
        "counts": counts,
        "unread": unread,
    });
    let wrong = (wrong > 0).then(|| {
        let what = counted(wrong, "finding", "findings");
        Fault::new(format!("`{file}` tells of a search that is wrong: {what}")).about_word(file)
    });
    PlainReply { wrong, ..PlainReply::new(text, fields) }
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
