//! Commands for traces of other programs: opening, recording, checking and comparing them.

use std::{
    io::Write,
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use serde::Serialize;
use serde_json::{Value, json, to_value};

use super::{
    Pair, Session,
    reply::{PlainReply, Reply},
    timelines::after,
};

use crate::{
    engine::{
        files::FileFailure,
        game::{Fault, Game, Result, TracedTreatment},
        progress::Unit,
        search::{Algorithm, NoWatcher, Plan, Stop},
        searcher::RunLimits,
        settings::Settings,
        table::{MaxSize, Policy},
        trace::{
            CHECKS, GameRulebook, Rulebook, TraceGame, TraceHeader, TraceProgress, TraceWriter,
        },
    },
    text::{TextTable, count, counted, headline, layout, lines, number, or_empty, wrap},
};

pub use crate::engine::trace::{
    Finding, FindingGroup, TraceDifferences, TraceFindings, TraceParting,
};

/// The most rows of the table that compares node counts.
const MAX_ROWS: usize = 30;

/// The longest file name that fits above a column of numbers, in columns.
const LONGEST_HEAD: usize = 16;

/// Commands for traces of searches.
pub trait TraceCommands {
    /// Runs the search that `search run` would run, with a copy of the cache or, if `fresh`, an empty one, and writes its
    /// events as a trace to `out`. Returns the number of events, and why the search stopped.
    fn record_trace(
        &self,
        settings: &[Pair<'_>],
        fresh: bool,
        out: &mut dyn Write,
    ) -> Result<(u64, Stop), FileFailure>;
    /// The rules of the game, for checking the moves of a trace.
    fn rulebook(&self) -> Box<dyn Rulebook>;
    /// Shows one thread of the open trace from its first event. Returns the event current before. Fails without a trace.
    fn choose_thread(&mut self, thread: usize) -> Result<u64>;
}

impl<G: Game> TraceCommands for Session<G> {
    fn record_trace(
        &self,
        settings: &[Pair<'_>],
        fresh: bool,
        out: &mut dyn Write,
    ) -> Result<(u64, Stop), FileFailure> {
        let settings = self.settings_with(settings)?;
        let (mut running, mut table) = self.begin_on_copy(&settings, fresh)?;
        let warm = !table.entries().is_empty();
        let game = self.game();
        let mut writer = TraceWriter::begin(game, running.mode, &running.search, warm, out)?;
        let deadline = settings.time_ms.map(|ms| Instant::now() + Duration::from_millis(ms));
        self.watching("recording", Unit::Events, 0, |watch| {
            loop {
                let before = running.search.events();
                let limits = RunLimits::new(&self.run.interrupt, deadline);
                let limits = RunLimits { until: before + 1, ..limits };
                let stop = running.drive(game, &mut table, &mut NoWatcher, &limits);
                if running.search.events() > before {
                    writer.write(&running.search.describe(), &running.search, &table)?;
                }
                (watch.progress)(writer.event_count(), 0);
                // Only an interrupt or time limit is not an event of the search, so the trace would lack it.
                if matches!(stop, Stop::Interrupt | Stop::Time) {
                    writer.stop(stop.name())?;
                }
                if stop != Stop::Limit {
                    return Ok((writer.event_count(), stop));
                }
            }
        })
    }

    fn rulebook(&self) -> Box<dyn Rulebook> {
        Box::new(GameRulebook::new(self.game().clone()))
    }

    fn choose_thread(&mut self, thread: usize) -> Result<u64> {
        let trace = self.game().trace().map(|trace| trace.of_thread(thread));
        let trace = trace.ok_or_else(|| {
            Fault::new("no trace is open").hint("`trace open FILE` opens the search of a program")
        })?;
        let event = self.run.events();
        self.run.searcher.game = trace;
        self.begin_trace()?;
        Ok(event)
    }
}

impl Session<TraceGame> {
    /// A session at the first event of a trace, with an unlimited table for the entries of the traced program.
    pub fn for_trace(trace: TraceGame, interrupt: Arc<AtomicBool>) -> Result<Self> {
        let mut session = Self::new(trace, interrupt);
        let searcher = &mut session.run.searcher;
        searcher.settings = Settings {
            algorithm: Some(Algorithm::AlphaBeta),
            memo: Some(Policy::Bound),
            max_size: MaxSize::Unlimited,
            ..Settings::default()
        };
        session.begin_trace()?;
        Ok(session)
    }
}

impl<G: Game> Session<G> {
    /// Goes to the first event of the open trace, with an empty table.
    fn begin_trace(&mut self) -> Result<()> {
        self.run.searcher.reset(None);
        let running = self.prepare(|window| Plan::Value { depth: 0, window }, None)?;
        self.run.install(running);
        Ok(())
    }

    /// How the selected node of a trace treated a move; `None` unless a trace is open. Fails if it did not treat it.
    pub(super) fn treatments_of(&self, mv: &str) -> Option<Result<PlainReply>> {
        let trace = self.game().trace()?;
        let treatments = self.run.under_way().map(|running| {
            let search = &running.search;
            let node = &search.frames()[running.selected_ply()].position;
            trace.treatments(node, search.events(), mv)
        });
        Some(treatments.and_then(|treatments| {
            if treatments.is_empty() {
                let what = format!("the trace has no event of `{mv}` at this node so far");
                return Err(Fault::new(what)
                    .about_word(mv)
                    .hint("`up` selects the node above; `explain tree` shows the moves tried"));
            }
            let text = lines(treatments.iter().map(treatment_text));
            Ok(PlainReply::new(text, json!({"move": mv, "tries": treatments})))
        }))
    }
}

fn treatment_text(it: &TracedTreatment) -> String {
    let TracedTreatment { event, until, kind, reason, plies, depth, window, value, entry } = it;
    let what = match (*kind, plies, depth) {
        ("search", _, Some(depth)) => format!("searched to depth {depth}"),
        ("skip", ..) => "not searched".to_owned(),
        ("cut", ..) => "cuts off".to_owned(),
        ("reduce", Some(plies), _) => format!("reduced by {plies}"),
        (_, Some(plies), _) => format!("extended by {plies}"),
        _ => (*kind).to_owned(),
    };
    let window = window.map(|window| {
        let [alpha, beta] = number::window(window, number::score);
        format!("α {alpha} β {beta}")
    });
    let value = value.map(|value| format!("value {}", number::score(value)));
    let entry = entry.as_ref().map(|key| format!("from the cache {key}").trim_end().to_owned());
    let until = until.map(|until| format!("until event {}", count(until)));
    let pieces = [
        Some(format!("event {}", count(*event))),
        Some(what),
        reason.clone(),
        window,
        value,
        entry,
        until,
    ];
    headline(pieces.into_iter().flatten())
}

/// The reply of `trace open`. `events` is `None` while the file is being read; `unread`: why reading ended early.
pub fn trace_opened(
    file: &str,
    header: &TraceHeader,
    events: Option<u64>,
    is_live: bool,
    unread: Option<&str>,
) -> PlainReply {
    let TraceHeader { program, game, root, .. } = header;
    let length = events.map(|events| counted(events, "event", "events"));
    let length = length.unwrap_or_else(|| if is_live { "as it is written" } else { "" }.to_owned());
    let pieces = [program.as_deref().unwrap_or(file), &length, game.as_deref().unwrap_or_default()];
    let why = unread.map(|why| format!("read up to here: {why}"));
    let next = "`step` and `continue` walk through it, `trace close` leaves it";
    let fields = json!({
        "file": file, "program": program, "game": game, "root": root, "events": events, "unread": unread
    });
    PlainReply::new(lines([headline(pieces), or_empty(why), next.to_owned()]), fields)
}

/// The reply of `trace findings`: the open trace, how much of it is read, and what its checks found.
#[derive(Clone, Debug, Serialize)]
pub struct OpenTrace {
    /// The path of the trace file.
    pub file: String,
    /// Name and version of the traced program; `None` if the trace does not say.
    pub program: Option<String>,
    /// The game that the program searched; `None` if the trace does not say.
    pub game: Option<String>,
    /// How much of the file is read, and the total, in bytes or events; total 0: unknown.
    #[serde(skip)]
    pub part: (u64, u64),
    /// Whether the file has been read to its end.
    pub done: bool,
    /// What the checks found in the events read so far, at most a thousand findings per check.
    #[serde(flatten)]
    pub found: TraceFindings,
    /// Why reading ended early; `None` if it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unread: Option<String>,
}

impl OpenTrace {
    /// Reads and checks more of the trace, until its end or until `stop` returns true.
    pub fn check_on(trace: &TraceGame, stop: &mut dyn FnMut(u64) -> bool) -> Self {
        let TraceHeader { program, game, .. } = trace.header().clone();
        let TraceProgress { events, part, done, found, unread } = trace.check_on(stop);
        let mut found = TraceFindings::clone(&found);
        found.events = events;
        Self { file: trace.file().to_owned(), program, game, part, done, found, unread }
    }

    /// What a check finds, in words; empty for an unknown name.
    pub fn meaning(check: &str) -> &'static str {
        CHECKS.iter().find(|(name, ..)| *name == check).map_or("", |(_, meaning, _)| meaning)
    }

    /// What all findings of a check have in common, with a likely cause; `None` if nothing, or before the end of the file.
    pub fn shared(&self, check: &str) -> Option<String> {
        let group = self.found.groups.iter().find(|group| group.check == check)?;
        Some(format!("all have {}", shared_text(group)))
    }
}

impl Reply for OpenTrace {
    fn text(&self) -> String {
        let (file, program) = (&self.file, self.program.as_deref());
        trace_check(file, program, &self.found, self.unread.as_deref()).text()
    }

    fn fault(&self) -> Option<Fault> {
        findings_fault(&self.file, self.found.counts.values().sum())
    }
}

/// The fault that makes scripts end with status 1 if there are findings.
fn findings_fault(file: &str, findings: u64) -> Option<Fault> {
    (findings > 0).then(|| {
        let number = counted(findings, "finding", "findings");
        Fault::new(format!("the search in `{file}` is wrong: {number}")).about_word(file)
    })
}

/// The reply of `trace check`; `unread`: why reading ended early.
pub fn trace_check(
    file: &str,
    program: Option<&str>,
    found: &TraceFindings,
    unread: Option<&str>,
) -> PlainReply {
    let TraceFindings { events, nodes, findings, counts, mates, near_mate, groups, .. } = found;
    let diagnosis = found.diagnosis.as_deref();
    let head = headline([
        program.unwrap_or(file).to_owned(),
        counted(*events, "event", "events"),
        or_empty((*nodes > 0).then(|| counted(*nodes, "node", "nodes"))),
        or_empty(mates.map(|mates| format!("mates count from the {mates}"))),
    ]);
    let failed =
        CHECKS.iter().filter_map(|(name, what, _)| Some((*name, *what, counts.get(name)?)));
    let table = TextTable::of(failed)
        .left("check", |(name, ..)| *name)
        .right("times", |(.., times)| count(**times))
        .left("what it finds", |(_, what, _)| *what);
    let list = findings.iter().flat_map(|finding| {
        let Finding { check, event, other, thread, ply, key, .. } = finding;
        let key = key.as_ref().map(|key| format!("key {key}"));
        let place = [format!("event {}", count(*event)), format!("ply {ply}"), (*check).to_owned()];
        let thread = thread.map(|thread| format!("thread {thread}"));
        let more = thread.into_iter().chain(key).chain(other.map(see));
        [headline(place.into_iter().chain(more)), wrap("  ", &finding.words())]
    });
    let total: u64 = counts.values().sum();
    let omitted = total.saturating_sub(findings.len() as u64) as usize;
    let nothing = counts.is_empty().then_some("nothing is wrong");
    let why = unread.map(|why| format!("read up to here: {why}"));
    let text = lines([
        head,
        or_empty(why),
        or_empty(nothing),
        or_empty(diagnosis.map(|diagnosis| wrap("", diagnosis))),
        or_empty(near_mate.map(near_mate_note)),
        table.render(),
        lines(groups.iter().map(|group| wrap("", &group_text(group)))),
        lines(list),
        layout::and_more(omitted),
    ]);
    let fields = json!({
        "file": file,
        "program": program,
        "events": events,
        "nodes": nodes,
        "findings": findings,
        "counts": counts,
        "groups": groups,
        "mates": mates,
        "near_mate": near_mate,
        "diagnosis": diagnosis,
        "unread": unread,
    });
    PlainReply { wrong: findings_fault(file, total), ..PlainReply::new(text, fields) }
}

fn near_mate_note([mate, greatest]: [f64; 2]) -> String {
    let note = "is that the least value of a mate? No value reaches it, but one is";
    wrap("", &format!("note: the header has mate={mate}: {note} {greatest}"))
}

fn see(other: u64) -> String {
    format!("see event {}", count(other))
}

fn group_text(group: &FindingGroup) -> String {
    let FindingGroup { check, count: number, event, other, .. } = group;
    let other = or_empty(other.map(|other| format!(", {}", see(other))));
    let (number, event) = (count(*number), count(*event));
    let shared = shared_text(group);
    format!("{check}: all {number} have {shared}; the first is event {event}{other}")
}

fn shared_text(FindingGroup { shared, hint, .. }: &FindingGroup) -> String {
    let shared = shared.iter().map(|(name, value)| match *name {
        "side" => format!("{value} to move"),
        "sign turned" => "sign turned".to_owned(),
        "kind" if value == "zero" => "a zero window".to_owned(),
        "kind" => format!("the node kind `{value}`"),
        name => format!("{name} {value}"),
    });
    let shared: Vec<_> = shared.collect();
    shared.join(", ") + &or_empty(hint.map(|hint| format!(": {hint}")))
}

/// Where two traces part: the event in each, the moves to its node, and the cause.
fn parted_text(files: [&str; 2], parting: Option<&TraceParting>) -> String {
    let moment = |file: &str, event: &Option<String>, line: &[String]| {
        let event = event.as_deref().unwrap_or("has ended");
        lines([format!("{file}, {}:", place(line)), format!("  {event}")])
    };
    parting.map_or("the same events".to_owned(), |parting| {
        lines([
            format!("they part at event {}: {}", count(parting.event), parting.cause),
            moment(files[0], &parting.first, &parting.first_line),
            moment(files[1], &parting.second, &parting.second_line),
        ])
    })
}

/// The place of a node by its line, in which nodes without a move, such as the root, have `-`.
fn place(line: &[String]) -> String {
    after(line.strip_prefix(&["-".to_owned()]).unwrap_or(line))
}

/// The reply of `trace diff`: where two traces part, and how their counts differ.
pub fn trace_diff(files: [&str; 2], found: &TraceDifferences) -> PlainReply {
    let TraceDifferences { partings, causes, totals, nodes, searches } = found;
    let [first, second] = files;
    let are_short = files.iter().all(|file| layout::width(file) <= LONGEST_HEAD);
    let heads = if are_short { files } else { ["the first", "the second"] };
    let parted = parted_text(files, partings.first());
    let several = partings.len() > 1;
    let list = TextTable::of(partings.iter().filter(|_| several))
        .right("event", |parting| count(parting.event))
        .right("second", |parting| count(parting.second_event))
        .left("cause", |parting| parting.cause)
        .right("same again", |parting| or_empty(parting.met.map(|[event, _]| count(event))))
        .left("place", |parting| layout::cut(&place(&parting.first_line), 24));
    let number: u64 = causes.values().sum();
    let omitted = number.saturating_sub(partings.len() as u64) as usize;
    let by_cause = TextTable::of(causes.iter().filter(|_| several))
        .left("cause", |(cause, _)| *cause)
        .right("partings", |(_, times)| count(**times));
    let changed = nodes.iter().filter(|row| row.first != row.second);
    let by_depth = TextTable::of(changed.take(MAX_ROWS))
        .right("depth", |row| row.depth)
        .left("kind", |row| row.kind.clone())
        .right(heads[0], |row| count(row.first))
        .right(heads[1], |row| count(row.second));
    let by_search = TextTable::of(searches)
        .right("nodes", |search| count(search.first))
        .right("in the second", |search| count(search.second))
        .right("part at", |search| or_empty(search.event.map(count)))
        .left("cause", |search| search.cause.unwrap_or("the same"))
        .left("position", |search| or_empty(search.position.as_deref()));
    let by_kind = TextTable::of(totals)
        .left("event", |total| total.event)
        .right(heads[0], |total| count(total.first))
        .right(heads[1], |total| count(total.second));
    let list = lines([list.render(), layout::and_more(omitted)]);
    let tables = [by_cause.render(), by_depth.render(), by_search.render(), by_kind.render()];
    let text = layout::parts([parted, list].into_iter().chain(tables));
    let mut fields = json!({"files": files, "parting": partings.first()});
    if let (Some(fields), Ok(Value::Object(more))) = (fields.as_object_mut(), to_value(found)) {
        fields.extend(more);
    }
    let fault = (number > 0).then(|| {
        let number = counted(number, "parting", "partings");
        Fault::word(first, format!("and `{second}` differ: {number}"))
    });
    PlainReply { wrong: fault, ..PlainReply::new(text, fields) }
}

/// The reply of `trace record`: the file, its number of events, and why the search stopped.
pub fn trace_recorded(file: &str, events: u64, stopped: &str) -> PlainReply {
    let number = counted(events, "event", "events");
    let text = format!("{number} in {file}; the search ended by {stopped}");
    PlainReply::new(text, json!({"file": file, "events": events, "stopped": stopped}))
}
