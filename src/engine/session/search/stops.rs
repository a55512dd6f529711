//! Searches step by step: events, the stack and its frames, and values by name.

use std::ops::Range;

use serde::Serialize;
use serde_json::{Map, Value};

use super::{Run, pv};

use crate::{
    engine::{
        core::game::is_default,
        explain::{SetBy, Source},
        game::{Score, Side, Window},
        search::{MoveTreatment, ProbeOutcome},
        session::{
            breakpoints::{self, Seen},
            event::{EventReport, event_text, worth},
            explain::how,
            reply::{LAST, PlainReply, Reply, nth_line},
        },
    },
    text::{TextTable, beside, flow, layout, lines, number},
};

/// Where a stepped search stands.
#[derive(Clone, Debug, Serialize)]
pub struct StopReport {
    /// The last event.
    pub event: Option<EventReport>,
    /// Why it stands: `step`, `next`, `finish`, `until`, or as in `search run`.
    pub stopped: String,
    /// Whether the search is over.
    pub done: bool,
    /// Which breakpoint stopped it.
    pub breakpoint: Option<u32>,
    /// Events run by this command.
    pub events: u64,
    /// The result, once it is over.
    pub result: Option<Box<Run>>,
    /// The timeline at hand, where searches are recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeline: Option<String>,
    /// What a reader should know.
    pub notes: Vec<String>,
    /// What was watched on the way.
    #[serde(flatten)]
    pub seen: Seen,
}

impl Reply for StopReport {
    fn text(&self) -> String {
        let event = self.event.as_ref();
        let result = self.result.as_ref().map(|run| run.text());
        lines([
            breakpoints::traced(&self.seen),
            event.map_or(String::new(), event_text),
            event.map_or(String::new(), |event| format!("  {}", event.state)),
            format!("  {}", why(self)),
            breakpoints::watched(&self.seen),
            layout::notes(&self.notes),
            result.unwrap_or_default(),
            breakpoints::shown(&self.seen.displays),
        ])
    }

    fn line(&self) -> String {
        let event = self.event.as_ref().map_or_else(|| why(self), EventReport::line);
        let line = match (&self.result, self.breakpoint) {
            (_, Some(id)) => format!("{event}; breakpoint {id}"),
            (Some(run), None) => format!("{event}; {}", run.found()),
            (None, None) => event,
        };
        layout::noted(line, &self.notes)
    }

    fn forget_times(&mut self) {
        self.result.iter_mut().for_each(|run| run.ms = None);
    }

    fn has_times(&self) -> bool {
        self.result.as_ref().is_some_and(|run| run.ms.is_some())
    }
}

/// The search stack.
#[derive(Clone, Debug, Serialize)]
pub struct Where {
    /// From the root to the node at hand.
    pub frames: Vec<FrameReport>,
    /// The selected frame's ply.
    pub selected: usize,
    /// The last event.
    pub event: Option<EventReport>,
    /// The iteration under way: plies from the root.
    pub iteration: u8,
    /// States visited so far.
    pub nodes: u64,
    /// The root's best line so far in this iteration, cut short where the memo answered.
    pub pv: Vec<String>,
}

impl Reply for Where {
    fn text(&self) -> String {
        let progress = [
            format!("iteration {}", self.iteration),
            format!("nodes {}", number::count(self.nodes)),
            "scores are for the side to move at each ply".to_owned(),
        ];
        let event = self.event.as_ref().map(event_text);
        let asked = self.frames.iter().filter_map(asked);
        let table = self.table(0..self.frames.len(), layout::page_width());
        let event = event.unwrap_or_default();
        lines([lines(table), lines(asked), pv(&self.pv), flow("", progress), event])
    }

    // Below the table.
    fn line(&self) -> String {
        nth_line(&self.text(), LAST)
    }
}

type Written = fn(Score) -> String;

/// Narrower and narrower tables of frames: how scores are written, and how many columns follow the window.
const TABLES: [(Written, usize); 7] = [
    (number::score, 4),
    (|value| number::short(value, 7), 4),
    (|value| number::short(value, 7), 3),
    (|value| number::short(value, 6), 3),
    (|value| number::short(value, 6), 2),
    (|value| number::short(value, 6), 1),
    (|value| number::short(value, 6), 0),
];

impl Where {
    /// Some of the frames as lines of at most so many columns, below a heading; in little room less is told.
    pub fn table(&self, shown: Range<usize>, columns: usize) -> Vec<String> {
        let frames = &self.frames[shown];
        let mark = |frame: &FrameReport| {
            let here = frame.ply as usize == self.selected;
            if here { "▸" } else { " " }
        };
        let whole = TextTable::of(frames)
            .left(" ply", |frame| format!("{}{:>3}", mark(frame), frame.ply))
            .right("depth", |frame| frame.depth)
            .left("side", |frame| frame.side);
        let whole = rest(whole, 0);
        if whole.width(2) <= columns {
            return whole.within(columns);
        }
        let with_side = |frame: &&FrameReport| {
            format!("{}{:>2}{}", mark(frame), frame.ply, frame.side.letter())
        };
        let narrow = |nth| rest(TextTable::of(frames).left(" ply", with_side), nth);
        let fits = (0..TABLES.len()).map(narrow).find(|table| table.width(1) <= columns);
        fits.unwrap_or_else(|| narrow(TABLES.len() - 1)).within(columns)
    }
}

/// Adds to a table of frames the move under way, the window, and what the nth of the tables has after them.
fn rest(table: TextTable<&FrameReport>, nth: usize) -> TextTable<&FrameReport> {
    /// So wide at least that most of what comes while somebody steps has room.
    const MOVE: usize = 8;
    const SCORE: usize = 6;
    let (write, columns) = TABLES[nth];
    let none = || "—".to_owned();
    let window = |frame: &FrameReport| number::window(frame.window, write);
    let alpha = |frame: &&FrameReport| window(frame)[0].clone();
    let beta = |frame: &&FrameReport| window(frame)[1].clone();
    let best = |frame: &&FrameReport| frame.best.map_or_else(none, &write);
    let mut table = table.left("move", |frame| format!("{:<MOVE$}", frame.under_way()));
    if nth == 0 {
        table = table.point("α", alpha).point("β", beta).point("best", best);
    } else {
        let score = |text: String| format!("{text:>SCORE$}");
        table = table.right("α", |frame| score(alpha(frame)));
        table = table.right("β", |frame| score(beta(frame)));
        if columns > 0 {
            table = table.right("best", |frame| score(best(frame)));
        }
    }
    if columns > 1 {
        table = table.left("by", |frame| frame.best_move.clone().unwrap_or_else(none));
    }
    if columns > 2 {
        table = table.left("memo", |frame| match frame.memo {
            ProbeOutcome::Invalid if nth > 0 => "inv",
            outcome => memo(outcome),
        });
    }
    if columns > 3 {
        table = table.left("", |frame| frame.how().unwrap_or_default());
    }
    table
}

/// One node of the line being searched.
#[derive(Clone, Debug, Serialize)]
pub struct FrameReport {
    /// Distance from the root.
    pub ply: u32,
    /// Remaining depth.
    pub depth: u8,
    /// The position.
    pub state: String,
    /// The move under way from it.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The side to move.
    pub side: Side,
    /// The window in force: its α is the best so far, once there is one.
    #[serde(flatten)]
    pub window: Window,
    /// Where α and β come from.
    pub sources: [Source; 2],
    /// The best value so far, once there is one.
    pub best: Option<Score>,
    /// The move that gave it.
    pub best_move: Option<String>,
    /// How many of its moves have been entered.
    pub child: usize,
    /// How many it has; 0 until listed.
    pub children: usize,
    /// The move under way is searched a second time: a zero window found it better than the best so far.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
    /// How selective search treats the move under way: `null`, `reduced` or `extended`.
    #[serde(skip_serializing_if = "is_default")]
    pub treatment: MoveTreatment,
    /// The move under way is searched with a zero window: only whether it is better is asked.
    #[serde(rename = "scouts", skip_serializing_if = "std::ops::Not::not")]
    pub is_scout: bool,
    /// What the memo said.
    pub memo: ProbeOutcome,
    /// Its key, with depth where the policy has one.
    pub key: String,
    /// The moves in search order.
    pub moves: Vec<String>,
    /// The board.
    #[serde(skip)]
    pub board: String,
}

impl FrameReport {
    /// The move under way and its place among the moves.
    pub fn under_way(&self) -> String {
        let mv = self.mv.as_deref().unwrap_or("—");
        match self.children {
            0 => mv.to_owned(),
            children => format!("{mv} {}/{children}", self.child),
        }
    }

    /// Whether its best move has spared it the others; the root searches all.
    pub fn is_cut(&self) -> bool {
        self.ply > 0 && self.best.is_some_and(|best| self.window.fails_high(best))
    }

    /// How the move under way is searched where that is not with the open window, in a word or two.
    pub const fn how(&self) -> Option<&'static str> {
        how(self.treatment, self.again, self.is_scout)
    }
}

impl Reply for FrameReport {
    fn text(&self) -> String {
        let none = || "—".to_owned();
        let best = self.best.map_or_else(none, number::exact);
        let by = self.best_move.as_ref().map_or(String::new(), |mv| format!(" by {mv}"));
        let place = format!("ply {}  depth {}  {} to move", self.ply, self.depth, self.side);
        let facts = [
            ("key", self.key.clone()),
            ("memo", memo(self.memo).to_owned()),
            ("α", bound(self.window.alpha, &self.sources[0])),
            ("β", bound(self.window.beta, &self.sources[1])),
            ("best", best + &by),
            ("move", self.mv.clone().unwrap_or_else(none)),
        ];
        let fact = |(name, fact)| format!("{}  {fact}", layout::pad(name, "alpha".len()));
        let details = [place, self.state.clone()].into_iter().chain(facts.map(fact));
        let board = &self.board;
        lines([beside(board, details), moves(self), asked(self).unwrap_or_default()])
    }

    fn line(&self) -> String {
        format!("frame {}  {}", self.ply, self.state)
    }
}

/// A bound of a window, and where it comes from.
fn bound(bound: Score, source: &Source) -> String {
    let Source { ply, by, .. } = source;
    let from = match by {
        SetBy::Search => "the search".to_owned(),
        SetBy::Aspiration => "the aspiration window".to_owned(),
        SetBy::Pass => "this pass of MTD(f)".to_owned(),
        SetBy::Move { mv } => format!("{mv}, ply {ply}"),
        SetBy::StandPat => format!("standing pat, ply {ply}"),
        SetBy::ZeroWindow => format!("a zero window, ply {ply}"),
        SetBy::NullWindow => format!("a pass, ply {ply}"),
        SetBy::Entry => format!("an entry, ply {ply}"),
        SetBy::Hand => format!("you, ply {ply}"),
        SetBy::Program => format!("the program, ply {ply}"),
    };
    format!("{}  from {from}", number::exact(bound))
}

/// Values of a frame and of its search, by name.
pub fn printed(values: Map<String, Value>) -> PlainReply {
    let words = values.iter().map(|(name, value)| (name.as_str(), worth(value)));
    PlainReply::new(layout::named("", words), Value::Object(values))
}

/// What the move under way is asked, where that is not its value under the open window.
fn asked(frame: &FrameReport) -> Option<String> {
    let mv = frame.mv.as_ref()?;
    let why = match (frame.treatment, frame.again, frame.is_scout) {
        (MoveTreatment::Null, ..) => {
            "is a pass, searched less deep: is the node still at β after it?"
        }
        (MoveTreatment::Reduced, ..) => "is late and quiet, and searched less deep",
        (MoveTreatment::Extended, ..) => "gives check, and is searched as deep as the node itself",
        (_, true, _) => "is searched again, with the open window: it was found better",
        (.., true) => "is searched with a zero window: is it better than the best so far?",
        _ => return None,
    };
    Some(layout::wrap(&format!("ply {}: ", frame.ply), &format!("{mv} {why}")))
}

fn why(report: &StopReport) -> String {
    let after = number::counted(report.events, "event", "events");
    let reason = match report.stopped.as_str() {
        "break" => {
            let id = report.breakpoint.map_or(String::new(), |id| format!(" {id}"));
            format!("breakpoint{id}")
        }
        "depth" => "the depth asked for is complete".to_owned(),
        "budget" => "the budget of states is used up".to_owned(),
        "time" => "the time is up".to_owned(),
        "exhausted" => "deeper iterations cannot change the result".to_owned(),
        "interrupt" => "interrupted".to_owned(),
        "start" => return format!("the recording begins here, {after} back"),
        "end" => "the recording ends here".to_owned(),
        goal => return format!("{after} ({goal})"),
    };
    let over = if report.done { "search over: " } else { "" };
    format!("{over}{reason}, after {after}")
}

const fn memo(outcome: ProbeOutcome) -> &'static str {
    match outcome {
        ProbeOutcome::Unasked => "—",
        ProbeOutcome::Hit => "hit",
        ProbeOutcome::Invalid => "invalid",
        ProbeOutcome::Miss => "miss",
    }
}

/// The moves around the current one, which stands in brackets.
fn moves(report: &FrameReport) -> String {
    const BEFORE: usize = 12;
    const SHOWN: usize = 48;
    let Some(last) = report.moves.len().checked_sub(1) else {
        return String::new();
    };
    let current = report.child.checked_sub(1).filter(|_| report.mv.is_some());
    let latest = (last + 1).saturating_sub(SHOWN);
    let first = current.unwrap_or(0).saturating_sub(BEFORE).min(latest);
    let mark = |(place, mv): (usize, &String)| {
        if current == Some(place) { format!("[{mv}]") } else { mv.clone() }
    };
    let moves = report.moves.iter().enumerate().skip(first).take(SHOWN);
    let mut words: Vec<_> = moves.map(mark).collect();
    if first > 0 {
        words.insert(0, format!("({first} before)"));
    }
    let after = report.moves.len().saturating_sub(first + SHOWN);
    if after > 0 {
        words.push(layout::and_more(after));
    }
    layout::wrap(&format!("moves {}/{}: ", report.child, report.children), &words.join(" "))
}
