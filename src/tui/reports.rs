//! The answers of commands: asked for, taken apart for those parts of the screen that they concern, and in one line for
//! the log. Everything else on the screen knows only the parts.

use crate::{
    engine::report::{
        BreakpointList, CacheEdit, DisplayList, EntryReport, EventReport, Plot, Report, Run,
        SessionReport, Standings, StopReport,
    },
    view::text::{
        self, Style,
        number::{count, rate, score, score_or_none},
    },
};

/// Asks the shell, and returns the answer if it is of the kind expected.
macro_rules! ask {
    ($shell:expr, $statement:expr, $kind:ident) => {{
        use $crate::engine::report::Report;
        match $shell.ask($statement).map(std::sync::Arc::unwrap_or_clone) {
            Ok(Report::$kind(report)) => Ok(report),
            Ok(_) => Err("this is no answer to that".to_owned()),
            Err(fault) => Err(fault.to_string()),
        }
    }};
}
pub(super) use ask;

/// Whose board is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum BoardOf {
    /// The position's.
    #[default]
    Position,
    /// The selected frame's.
    Frame,
    /// That of the cache entry with this key.
    Entry(String),
}

/// What the screen takes note of in an answer.
#[derive(Debug, Default)]
pub struct News<'a> {
    /// The event at which a search stands.
    pub event: Option<&'a EventReport>,
    /// A search has come to a stop: why, where it was a breakpoint or Ctrl-C.
    pub halted: Option<Option<String>>,
    /// Whose board is to be shown.
    pub shown: Option<BoardOf>,
    /// A cache entry that was read or changed.
    pub entry: Option<&'a CacheEdit>,
    /// How a tournament stands.
    pub tournament: Option<&'a Standings>,
    /// Charts, and the answer in words.
    pub charts: Option<(Vec<Plot>, Vec<String>)>,
    /// A session was saved or loaded.
    pub session: Option<&'a SessionReport>,
    /// The end was asked for.
    pub quit: bool,
}

impl<'a> News<'a> {
    /// What an answer has.
    pub fn of(report: &'a Report) -> Self {
        let mut news = Self::default();
        match report {
            Report::Stop(stop) => {
                news.event = stop.event.as_ref();
                news.halted = Some(halted(&stop.stopped, stop.breakpoint));
                news.shown = Some(BoardOf::Frame);
            }
            Report::Run(run) => {
                let why = run.stopped.as_ref().map_or("", |stop| stop.name());
                news.halted = Some(halted(why, run.breakpoint));
            }
            Report::Frame(_) => news.shown = Some(BoardOf::Frame),
            Report::Position(_) => news.shown = Some(BoardOf::Position),
            Report::CacheEdit(edit) => {
                news.shown = Some(BoardOf::Entry(edit.key.clone()));
                news.entry = Some(edit);
            }
            Report::Tournament(report) => news.tournament = Some(report),
            Report::Session(session) => news.session = Some(session),
            Report::Quit(_) => news.quit = true,
            _ => {}
        }
        let mut plots = report.plots();
        plots.retain(|plot| !plot.is_empty());
        if !plots.is_empty() {
            // How long it took is nobody's question here.
            let text = text::render(report);
            let lines = text.lines().filter(|line| !line.starts_with("time "));
            news.charts = Some((plots, lines.map(str::to_owned).collect()));
        }
        news
    }
}

fn halted(why: &str, breakpoint: Option<u32>) -> Option<String> {
    match (why, breakpoint) {
        (_, Some(id)) => Some(format!("BREAKPOINT {id}")),
        ("interrupt", None) => Some("INTERRUPTED".to_owned()),
        _ => None,
    }
}

const STYLE: Style = Style { ascii: false };

/// An answer in one line.
pub fn summary(report: &Report) -> String {
    match report {
        Report::Stop(stop) => noted(stopped(stop), &stop.notes),
        Report::Run(run) => noted(found(run), &run.notes),
        Report::Position(position) => {
            let mut text = position.words.clone();
            if let Some(mv) = &position.last_move {
                text = format!("{mv}: {text}");
            }
            text
        }
        Report::CacheEdit(edit) => changed(edit),
        Report::Breakpoints(list) => breakpoints(list),
        Report::Frame(frame) => format!("frame {}  {}", frame.ply, frame.state),
        Report::Displays(list) => displays(list).collect::<Vec<_>>().join("  "),
        Report::CacheList(list) => format!(
            "{} of {} entries match",
            count(list.matching as u64),
            count(list.total as u64)
        ),
        Report::Moves(moves) => {
            let words: Vec<_> = moves.moves.iter().map(|found| found.mv.as_str()).collect();
            format!("{} moves: {}", words.len(), words.join(" "))
        }
        Report::Settings(settings) => {
            let pairs = settings
                .settings
                .iter()
                .map(|(name, value)| format!("{name}={value}"));
            settings
                .notes
                .iter()
                .cloned()
                .chain(pairs)
                .collect::<Vec<_>>()
                .join(" ")
        }
        report => {
            let text = text::render(report);
            let mut lines = text.lines().filter(|line| !line.trim().is_empty());
            let first = lines.next().unwrap_or_default().to_owned();
            if lines.next().is_some() {
                first + " …"
            } else {
                first
            }
        }
    }
}

/// A line with what its reader should know besides.
fn noted(line: String, notes: &[String]) -> String {
    let notes = notes.iter().map(|note| format!("; {note}"));
    std::iter::once(line).chain(notes).collect()
}

/// An event: number, kind, move, place, window, value.
pub fn event(event: &EventReport) -> String {
    format!(
        "{} ply {} depth {} [{}, {}]{}",
        what(event),
        event.ply,
        event.depth,
        score(event.alpha, STYLE),
        score(event.beta, STYLE),
        value(event),
    )
}

/// An event without its place and window.
pub fn happened(event: &EventReport) -> String {
    format!("{}{}", what(event), value(event))
}

fn what(event: &EventReport) -> String {
    let mv = event
        .mv
        .as_deref()
        .map_or_else(String::new, |mv| format!(" {mv}"));
    format!("#{} {}{mv}", count(event.index), event.kind.name())
}

fn value(event: &EventReport) -> String {
    event
        .value
        .map_or_else(String::new, |value| format!(" = {}", score(value, STYLE)))
}

/// The breakpoints, for the log and the counters.
pub fn breakpoints(list: &BreakpointList) -> String {
    let spelled = list.breakpoints.iter().map(|point| {
        let off = if point.enabled { "" } else { " (off)" };
        let command = match point.command {
            "break" | "tbreak" => String::new(),
            command => format!("{command} "),
        };
        format!("{}: {command}{}{off}", point.id, point.condition)
    });
    spelled.collect::<Vec<_>>().join("  ")
}

/// Displays with their values, one text each.
pub fn displays(list: &DisplayList) -> impl Iterator<Item = String> {
    list.displays.iter().map(|display| {
        let value = text::worth(&display.value);
        format!("{}: {} = {value}", display.id, display.expression)
    })
}

/// An entry, and what it was before.
fn changed(edit: &CacheEdit) -> String {
    let value = |entry: &EntryReport| {
        let bound = entry
            .bound
            .map_or_else(String::new, |bound| format!(" {bound}"));
        format!("{}{bound}", score(entry.value, STYLE))
    };
    match (&edit.entry, &edit.previous) {
        (Some(now), Some(before)) => format!("{} {}, was {}", now.key, value(now), value(before)),
        (Some(now), None) => format!("{} {}", now.key, value(now)),
        (None, Some(before)) => format!("{} removed, was {}", before.key, value(before)),
        (None, None) => "there is no such entry".to_owned(),
    }
}

fn stopped(stop: &StopReport) -> String {
    let event = stop.event.as_ref().map_or_else(String::new, event);
    match (&stop.result, stop.breakpoint) {
        (_, Some(id)) => format!("{event}; breakpoint {id}"),
        (Some(run), None) => format!("{event}; {}", found(run)),
        (None, None) => event,
    }
}

/// The result of a search.
fn found(run: &Run) -> String {
    let best = match run.best.as_slice() {
        [] => "no move".to_owned(),
        [only] => format!("best {only}"),
        [first, others @ ..] => format!("best {first} and {} equal", others.len()),
    };
    let stopped = run
        .stopped
        .map_or(String::new(), |stop| format!(" ({})", stop.name()));
    let rate = rate(run.nodes, "nodes", run.ms).map_or(String::new(), |rate| format!(", {rate}"));
    format!(
        "{best} {} depth {}, {} nodes{rate}{stopped}",
        score_or_none(run.value, STYLE),
        run.depth,
        count(run.nodes),
    )
}
