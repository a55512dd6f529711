//! Timelines, and two of them side by side.

use serde::Serialize;

use super::{EventReport, Reply, Score, event::event};
use crate::{
    engine::search::Counters,
    text::{
        Style,
        layout::{flow, lines},
        number,
        table::TextTable,
    },
};

/// The timelines and the named moments on them.
#[derive(Clone, Debug, Serialize)]
pub struct TimelineList {
    /// Those that were left, oldest first, and then the one at hand.
    pub timelines: Vec<TimelineReport>,
    /// Named moments.
    pub marks: Vec<MarkReport>,
    /// Memory that the recording at hand takes, in bytes.
    pub bytes: usize,
}

impl Reply for TimelineList {
    fn text(&self, style: Style) -> String {
        if self.timelines.is_empty() {
            return "no search was recorded yet".to_owned();
        }
        let mut table =
            TextTable::default().left(["  timeline"]).right(["at event", "of"]).left(["root"]);
        for timeline in &self.timelines {
            let mark = if timeline.current { style.here() } else { " " };
            table.row([
                format!("{mark} {}", timeline.name),
                last(timeline.events),
                last(timeline.reached),
                timeline.state.clone(),
            ]);
        }
        let branches = self.timelines.iter().filter_map(branch);
        let marks = self.marks.iter().map(|mark| {
            let event = number::count(mark.event);
            format!("mark {}: event {event} of timeline {}", mark.name, mark.timeline)
        });
        let memory = format!("recording: {}", number::bytes(self.bytes as u64));
        let rest = branches.chain(marks).chain([memory]);
        lines(std::iter::once(table.render(style)).chain(rest))
    }
}

/// A run of a search, with what was changed on its way.
#[derive(Clone, Debug, Serialize)]
pub struct TimelineReport {
    /// Its name.
    pub name: String,
    /// Whether it is the one at hand.
    pub current: bool,
    /// Events that had happened when it began to be recorded.
    pub begins: u64,
    /// Events up to where it stands, or was left.
    pub events: u64,
    /// Events up to the farthest it went.
    pub reached: u64,
    /// The timeline it branched off.
    pub parent: Option<String>,
    /// After which event.
    pub branched: Option<u64>,
    /// The root of its search.
    pub state: String,
    /// What was changed on its way, in words.
    pub edits: Vec<String>,
}

/// A named moment.
#[derive(Clone, Debug, Serialize)]
pub struct MarkReport {
    /// Its name.
    pub name: String,
    /// On which timeline.
    pub timeline: String,
    /// The last event before it.
    pub event: u64,
}

/// Who wrote a cache entry.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WriterReport {
    /// The event that wrote it.
    pub event: u64,
    /// The moves from the root to the node that wrote it.
    pub line: Vec<String>,
    /// The lower bound of the window the node was searched under.
    pub alpha: Score,
    /// The upper bound.
    pub beta: Score,
    /// The value, for the side to move at the node.
    pub value: Score,
    /// How often the entry has answered since.
    pub answered: u64,
}

/// Two timelines side by side.
#[derive(Clone, Debug, Serialize)]
pub struct DiffReport {
    /// Where they part; nothing where they are the same to the end.
    pub divergence: Option<DivergenceReport>,
    /// What came of the first.
    pub a: RunSide,
    /// What came of the second.
    pub b: RunSide,
    /// Root moves with their values in both, those that differ first.
    pub moves: Vec<MovePair>,
}

impl Reply for DiffReport {
    fn text(&self, style: Style) -> String {
        let names = [&self.a.timeline, &self.b.timeline];
        let parting = match &self.divergence {
            None => "the same events from beginning to end".to_owned(),
            Some(divergence) => self::divergence(divergence, names, style),
        };
        lines([parting, sides(self, style), moves(self, style)])
    }
}

/// The first event at which two timelines differ.
#[derive(Clone, Debug, Serialize)]
pub struct DivergenceReport {
    /// How many events are the same.
    pub same: u64,
    /// The event of the first; nothing if it was over.
    pub a: Option<EventReport>,
    /// The event of the second.
    pub b: Option<EventReport>,
}

/// What came of one of two timelines.
#[derive(Clone, Debug, Serialize)]
pub struct RunSide {
    /// The timeline.
    pub timeline: String,
    /// The root.
    pub state: String,
    /// The weights it began with.
    pub weights: String,
    /// The root's value.
    pub value: Option<Score>,
    /// The last complete iteration: plies from the root.
    pub depth: u8,
    /// Events in all.
    pub events: u64,
    /// Nodes, and what was asked of the cache.
    #[serde(flatten)]
    pub counters: Counters,
    /// Cache entries at the end.
    pub entries: usize,
    /// The best moves.
    pub best: Vec<String>,
}

/// A root move in both of two timelines.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MovePair {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its value in the first.
    pub a: Option<Score>,
    /// Its value in the second.
    pub b: Option<Score>,
}

/// The number of the last of so many events.
fn last(events: u64) -> String {
    events.checked_sub(1).map_or("-".into(), number::count)
}

fn branch(timeline: &TimelineReport) -> Option<String> {
    let parent = timeline.parent.as_ref()?;
    let after = number::count(timeline.branched.unwrap_or(0));
    let head = format!("timeline {}: off {parent} after event {after}", timeline.name);
    let edits = timeline.edits.iter().map(|edit| format!("  {edit}"));
    Some(lines(std::iter::once(head).chain(edits)))
}

pub(super) fn writer(report: &WriterReport, style: Style) -> String {
    let line = if report.line.is_empty() {
        "at the root".to_owned()
    } else {
        format!("after {}", report.line.join(" "))
    };
    let [alpha, beta, value] =
        [report.alpha, report.beta, report.value].map(|score| number::score(score, style));
    let answered = match report.answered {
        0 => "has not answered since".to_owned(),
        times => format!("answered {} since", number::counted(times, "time", "times")),
    };
    let pieces = [
        format!("written by event {}", number::count(report.event)),
        line,
        format!("window {alpha} to {beta}"),
        format!("value {value}"),
        answered,
    ];
    flow("", pieces)
}

fn divergence(report: &DivergenceReport, names: [&String; 2], style: Style) -> String {
    let same = match report.same {
        0 => "they differ from the first event".to_owned(),
        events => format!("the first {} are the same", number::counted(events, "event", "events")),
    };
    let [a, b] = names;
    let side = |name: &str, found: &Option<_>| match found {
        None => format!("{name}: over"),
        Some(found) => {
            lines([format!("{name}: {}", event(found, style)), format!("   {}", found.state)])
        }
    };
    lines([same, side(a, &report.a), side(b, &report.b)])
}

/// A counter of both sides.
type Row = (&'static str, fn(&RunSide) -> u64);

fn sides(report: &DiffReport, style: Style) -> String {
    let mut table = TextTable::default()
        .left([""])
        .right([report.a.timeline.as_str(), report.b.timeline.as_str()]);
    let value = |side: &RunSide| score(side.value, style);
    table.row(["value".into(), value(&report.a), value(&report.b)]);
    let rows: [Row; 9] = [
        ("depth", |side| side.depth.into()),
        ("events", |side| side.events),
        ("nodes", |side| side.counters.nodes),
        ("hits", |side| side.counters.hits),
        ("invalid", |side| side.counters.invalid),
        ("misses", |side| side.counters.misses),
        ("stores", |side| side.counters.stores),
        ("cutoffs", |side| side.counters.cutoffs),
        ("entries", |side| side.entries as u64),
    ];
    for (name, of) in rows {
        table.row([name.into(), number::count(of(&report.a)), number::count(of(&report.b))]);
    }
    let best = |side: &RunSide| format!("best in {}: {}", side.timeline, side.best.join(" "));
    lines([table.render(style), best(&report.a), best(&report.b)])
}

fn score(value: Option<Score>, style: Style) -> String {
    value.map_or("-".into(), |value| number::score(value, style))
}

/// Root moves whose values differ.
fn moves(report: &DiffReport, style: Style) -> String {
    let differing = report.moves.iter().filter(|pair| pair.a != pair.b);
    let mut table = TextTable::default()
        .left(["move"])
        .point([report.a.timeline.as_str(), report.b.timeline.as_str()]);
    let mut any = false;
    for pair in differing {
        any = true;
        table.row([pair.mv.clone(), score(pair.a, style), score(pair.b, style)]);
    }
    if any { table.render(style) } else { "every root move has the same value".to_owned() }
}
