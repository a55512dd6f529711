//! Timelines, and two of them side by side.

use serde::Serialize;
use serde_json::{Value, json};

use super::{CacheCounters, EventReport, PlainReply, Reply, Score, event::event_text, nth_line};
pub use crate::engine::{debugger::BreakpointHit, explain::Provenance};
use crate::text::{TextTable, flow, layout, lines, number};

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

impl TimelineList {
    /// The timeline at hand.
    pub fn current(&self) -> Option<&TimelineReport> {
        self.timelines.iter().find(|timeline| timeline.current)
    }

    /// After which event a timeline parts from the one at hand; nothing where they are of different searches.
    pub fn parting(&self, name: &str) -> Option<u64> {
        let called = |name: &str| self.timelines.iter().find(|timeline| timeline.name == name);
        let lineage = |name: &str| {
            let mut lineage = vec![(name.to_owned(), u64::MAX)];
            while let Some((name, until)) = lineage.last()
                && let Some(timeline) = called(name)
                && let (Some(parent), Some(after)) = (&timeline.parent, timeline.branched)
                && lineage.len() <= self.timelines.len()
            {
                lineage.push((parent.clone(), after.min(*until)));
            }
            lineage
        };
        let own = lineage(&self.current()?.name);
        lineage(name).iter().find_map(|(ancestor, until)| {
            let (_, shared) = own.iter().find(|(known, _)| known == ancestor)?;
            Some(*shared.min(until))
        })
    }
}

impl Reply for TimelineList {
    fn text(&self) -> String {
        if self.timelines.is_empty() {
            return "no search was recorded yet".to_owned();
        }
        let table = TextTable::of(&self.timelines)
            .left("  timeline", |timeline| {
                let mark = if timeline.current { "▸" } else { " " };
                format!("{mark} {}", timeline.name)
            })
            .right("at event", |timeline| last(timeline.events))
            .right("of", |timeline| last(timeline.reached))
            .left("root", |timeline| &timeline.state);
        let branches = self.timelines.iter().filter_map(branch);
        let marks = self.marks.iter().map(|mark| {
            let event = number::count(mark.event);
            format!("mark {}: event {event} of timeline {}", mark.name, mark.timeline)
        });
        let memory = format!("recording: {}", number::bytes(self.bytes as u64));
        lines([table.render()].into_iter().chain(branches).chain(marks).chain([memory]))
    }

    fn line(&self) -> String {
        match self.current() {
            Some(current) => {
                let number = number::counted(self.timelines.len() as u64, "timeline", "timelines");
                format!("{number}, on {} at event {}", current.name, last(current.events))
            }
            None => nth_line(&self.text(), 0),
        }
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
    /// Its iterations, as far as it went.
    pub iterations: Vec<IterationReport>,
    /// Where breakpoints have stopped it.
    pub stops: Vec<BreakpointHit>,
}

/// Where an iteration begins.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct IterationReport {
    /// Plies from the root.
    pub depth: u8,
    /// The event that begins it.
    pub event: u64,
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

/// What came of one of two timelines.
#[derive(Clone, Debug, Serialize)]
pub struct RunSide {
    pub(crate) timeline: String,
    /// The root.
    pub(crate) state: String,
    pub(crate) weights: String,
    pub(crate) value: Option<Score>,
    /// The last complete iteration: plies from the root.
    pub(crate) depth: u8,
    pub(crate) events: u64,
    pub(crate) nodes: u64,
    pub(crate) cutoffs: u64,
    #[serde(flatten)]
    pub(crate) cache: CacheCounters,
    pub(crate) best: Vec<String>,
}

/// A root move, with its value in both of two timelines.
pub type MovePair = (String, [Option<Score>; 2]);

/// The number of the last of so many events.
fn last(events: u64) -> String {
    events.checked_sub(1).map_or("-".into(), number::count)
}

fn branch(timeline: &TimelineReport) -> Option<String> {
    let parent = timeline.parent.as_ref()?;
    let after = number::count(timeline.branched.unwrap_or(0));
    let head = format!("timeline {}: off {parent} after event {after}", timeline.name);
    Some(
        std::iter::once(head)
            .chain(timeline.edits.iter().cloned())
            .collect::<Vec<_>>()
            .join("\n  "),
    )
}

/// Where in the tree a line of moves leads.
pub(super) fn after(line: &[String]) -> String {
    if line.is_empty() { "at the root".to_owned() } else { format!("after {}", line.join(" ")) }
}

pub(super) fn writer(report: &Provenance) -> String {
    let [alpha, beta] = number::window(report.window, number::score);
    let answered = match report.answered {
        0 => "has not answered since".to_owned(),
        times => format!("answered {} since", number::counted(times, "time", "times")),
    };
    let pieces = [
        format!("written by event {}", number::count(report.event)),
        after(&report.line),
        format!("window {alpha} to {beta}"),
        format!("value {}", number::score(report.value)),
        answered,
    ];
    flow("", pieces)
}

/// Two timelines side by side: how many events they share and what each does next where they part, what came of each, and
/// the root moves of both.
pub fn timeline_diff(
    parting: Option<(u64, [Option<EventReport>; 2])>,
    runs: [RunSide; 2],
    moves: &[MovePair],
) -> PlainReply {
    let parted = match &parting {
        None => "the same events from beginning to end".to_owned(),
        Some((same, events)) => parted(*same, events, &runs),
    };
    let text = lines([parted, sides(&runs), differing(moves, &runs)]);
    let divergence = parting.map(|(same, [a, b])| json!({"same": same, "a": a, "b": b}));
    let [a, b] = runs;
    let moves = moves.iter().map(|(mv, [a, b])| json!({"move": mv, "a": a, "b": b}));
    let moves = moves.collect::<Value>();
    PlainReply::new(text, json!({"divergence": divergence, "a": a, "b": b, "moves": moves}))
}

fn parted(same: u64, events: &[Option<EventReport>; 2], runs: &[RunSide; 2]) -> String {
    let same = match same {
        0 => "they differ from the first event".to_owned(),
        same => format!("the first {} are the same", number::counted(same, "event", "events")),
    };
    let side = |(run, event): (&RunSide, &Option<EventReport>)| match event {
        None => format!("{}: over", run.timeline),
        Some(event) => format!("{}: {}\n   {}", run.timeline, event_text(event), event.state),
    };
    lines(std::iter::once(same).chain(runs.iter().zip(events).map(side)))
}

fn sides([first, second]: &[RunSide; 2]) -> String {
    let rows = |side: &RunSide| {
        [
            ("value", number::score_or_none(side.value)),
            ("depth", side.depth.to_string()),
            ("events", number::count(side.events)),
            ("nodes", number::count(side.nodes)),
            ("hits", number::count(side.cache.hits)),
            ("invalid", number::count(side.cache.invalid)),
            ("misses", number::count(side.cache.misses)),
            ("stores", number::count(side.cache.stores)),
            ("cutoffs", number::count(side.cutoffs)),
            ("entries", number::count(side.cache.entries as u64)),
        ]
    };
    let table = TextTable::of(rows(first).into_iter().zip(rows(second)))
        .left("", |((name, _), _)| *name)
        .right(&first.timeline, |((_, a), _)| a.clone())
        .right(&second.timeline, |(_, (_, b))| b.clone());
    let best = |side: &RunSide| {
        layout::wrap(&format!("best in {}: ", side.timeline), &side.best.join(" "))
    };
    lines([table.render(), best(first), best(second)])
}

fn differing(moves: &[MovePair], [first, second]: &[RunSide; 2]) -> String {
    let table = TextTable::of(moves.iter().filter(|(_, [a, b])| a != b))
        .left("move", |(mv, _)| mv)
        .point(&first.timeline, |(_, [a, _])| number::score_or_none(*a))
        .point(&second.timeline, |(_, [_, b])| number::score_or_none(*b));
    match table.render() {
        same if same.is_empty() => "every root move has the same value".to_owned(),
        differing => differing,
    }
}
