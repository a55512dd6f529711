//! Replies of searches: values, best moves, stops, stack and frames.

use serde::Serialize;
use serde_json::{Map, Value as Json};

use crate::{
    engine::{
        core::game::is_default,
        explain::{BoundSource, SetBy},
        game::{MoveText, Score, Side, Truth, Window},
        search::{MoveTreatment, ProbeOutcome, Stop},
        session::{
            cache::CacheCounters,
            event::{EventReport, event_text, value_text},
            explain::how,
            reply::{LAST, PlainReply, Reply, nth_line},
            stop_details::{self, StopDetails},
        },
    },
    text::{
        TextTable, beside, count, flow, headline, layout, lines, number, or_dash, or_empty, timing,
        words,
    },
};

/// The reply of `search value`: the value of the position, searched to one depth.
#[derive(Clone, Debug, Serialize)]
pub struct Value {
    /// The root's value for the side to move; `None` if the search was stopped before.
    pub value: Option<Score>,
    /// The depth of the search in plies.
    pub(crate) depth: u8,
    #[serde(flatten)]
    pub(crate) window: Window,
    /// `exact`, `lower` or `upper`, relative to the window; `None` without a value.
    pub(crate) bound: Option<&'static str>,
    /// Nodes visited by the search.
    pub nodes: u64,
    /// Cache probes and stores of the search.
    pub cache: CacheCounters,
    /// The principal variation; ends early at a cache hit.
    pub pv: Vec<MoveText>,
    /// Wall-clock time in milliseconds; `None` if times are hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// Why the search stopped without a value; `None` if it has a value.
    pub(crate) stopped: Option<Stop>,
}

impl Reply for Value {
    fn text(&self) -> String {
        let value = match (self.value, self.stopped) {
            (Some(value), _) => format!("value {}", number::score(value)),
            (None, Some(stop)) => format!("no value ({})", reason(stop)),
            (None, None) => "no value".to_owned(),
        };
        let bound = match self.bound {
            Some(bound @ ("lower" | "upper")) => format!("{bound} bound"),
            bound => bound.unwrap_or_default().to_owned(),
        };
        let pieces = [
            value,
            bound,
            format!("depth {}", self.depth),
            number::window_words(self.window),
            format!("nodes {}", count(self.nodes)),
        ];
        lines([headline(pieces), pv(&self.pv), self.cache.text(), time(self.nodes, self.ms, None)])
    }

    fn times_mut(&mut self) -> Vec<&mut Option<f64>> {
        vec![&mut self.ms]
    }
}

/// The reply of `search run`: the best moves, their value, and the cost of the search.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    /// The root's value for the side to move, from the last complete iteration; `None` if no move was searched.
    pub value: Option<Score>,
    /// Plies to the end of the game, if a win or loss is proven and values contain no distance; otherwise `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ends_in: Option<u8>,
    /// The best moves, all of the same value; empty if no move was searched.
    pub best: Vec<MoveText>,
    /// The positions after the best moves, in the game's notation.
    pub best_states: Vec<String>,
    /// Depth of the last complete iteration in plies; 0 before the first.
    pub depth: u8,
    /// Nodes visited by the search so far.
    pub nodes: u64,
    /// Why the search stopped; `None` if it is unfinished.
    pub stopped: Option<Stop>,
    /// The depth limit of the search in plies; `None`: no limit.
    #[serde(skip)]
    pub last_depth: Option<u8>,
    /// The node limit of the search; `None`: no limit.
    #[serde(skip)]
    pub budget: Option<u64>,
    /// The time limit of the search in milliseconds; `None`: no limit.
    #[serde(skip)]
    pub time_ms: Option<u64>,
    /// The side to move at the root.
    #[serde(skip)]
    pub side: Side,
    /// All root moves, the best first; in a trace empty.
    pub moves: Vec<RootMoveReport>,
    /// Cache probes and stores of the search so far.
    pub cache: CacheCounters,
    /// The principal variation, which may continue along exact cache entries.
    pub pv: Vec<MoveText>,
    /// Wall-clock time in milliseconds; `None` at an earlier event, or if times are hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// Number of events of the search so far.
    pub events: u64,
    /// The number of the breakpoint that stopped the search; `None` for other stops.
    pub breakpoint: Option<u32>,
    /// The name of the current timeline; `None` unless the search has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeline: Option<String>,
    /// Remarks on the result, for example that no iteration is complete.
    pub notes: Vec<String>,
    /// Changes at watchpoints, tracepoint lines and displays of this run.
    #[serde(flatten)]
    pub seen: StopDetails,
    /// Whether the principal variation ends in a capture that no quiescence search has followed.
    #[serde(skip)]
    pub ends_in_capture: bool,
}

impl Reply for Run {
    fn text(&self) -> String {
        let value = || format!("value {} for {}", worth(self.value, self.ends_in), self.side);
        let label = if self.best.len() > 1 { "equal best" } else { "best" };
        let best = layout::some(&self.best, SHOWN);
        let pieces = [
            format!("depth {}", self.depth),
            or_empty(self.value.map(|_| value())),
            if best.is_empty() { best } else { format!("{label} {best}") },
            format!("nodes {}  ({})", count(self.nodes), stopped(self)),
        ];
        lines([
            stop_details::trace_text(&self.seen),
            headline(pieces),
            pv(&self.pv),
            root_moves(self),
            self.cache.text(),
            time(self.nodes, self.ms, Some(self.events)),
            layout::notes(&self.notes),
            stop_details::watch_text(&self.seen),
            stop_details::displays_text(&self.seen.displays),
        ])
    }

    fn line(&self) -> String {
        layout::noted(self.result_text(), &self.notes)
    }

    fn times_mut(&mut self) -> Vec<&mut Option<f64>> {
        vec![&mut self.ms]
    }
}

/// A value as text, followed by the distance to the end of the game if the value does not contain it.
fn worth(value: Option<Score>, ends_in: Option<u8>) -> String {
    let distance = or_empty(ends_in.map(|plies| format!(" in {plies}")));
    number::score_or_none(value) + &distance
}

impl RootMoveReport {
    /// The value as text for people, such as `+0.35` or `win in 5`.
    pub fn worth(&self) -> String {
        worth(self.value, self.ends_in)
    }
}

impl Run {
    fn result_text(&self) -> String {
        let best = match self.best.as_slice() {
            [] => "no move".to_owned(),
            [only] => format!("best {only}"),
            [first, others @ ..] => format!("best {first} and {} equal", others.len()),
        };
        let is_done = |stop: &Stop| stop.is_own() || *stop == Stop::Time;
        let done = if self.stopped.as_ref().is_some_and(is_done) { "done: " } else { "" };
        let stopped = self.stopped.map(|stop| format!(" ({})", reason(stop)));
        let value = || format!(", {} for {}", worth(self.value, self.ends_in), self.side);
        format!(
            "{done}{best}{}, depth {}, {} nodes{}",
            or_empty(self.value.map(|_| value())),
            self.depth,
            count(self.nodes),
            stopped.unwrap_or_default()
        )
    }
}

/// A root move with its value and principal variation.
#[derive(Clone, Debug, Serialize)]
pub struct RootMoveReport {
    /// The move in the game's notation (coordinates in chess) and in SAN.
    #[serde(flatten, serialize_with = "MoveText::with_san")]
    pub mv: MoveText,
    /// The value of the move, for the side to move at the root; `None` if it has not been searched.
    pub value: Option<Score>,
    /// `upper` or `lower` if the value is only a bound; `None` if it is exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<&'static str>,
    /// Plies until the move wins or loses, if that is proven and values contain no distance; otherwise `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ends_in: Option<u8>,
    /// The true value of the move, if known, and whether the search's value contradicts it.
    #[serde(flatten)]
    pub truth: Option<Truth>,
    /// The principal variation from the root, this move first.
    pub pv: Vec<MoveText>,
}

/// The most moves to list in a text, for root moves and for best moves.
pub(in crate::engine::session) const SHOWN: usize = 12;

fn pv(line: &[MoveText]) -> String {
    if line.is_empty() { String::new() } else { layout::wrap("pv ", &words(line)) }
}

pub(in crate::engine::session) fn time(nodes: u64, ms: Option<f64>, events: Option<u64>) -> String {
    let more = [
        number::rate(nodes, "nodes", ms),
        events.map(|events| number::counted(events, "event", "events")),
    ];
    timing(ms, more.into_iter().flatten())
}

fn stopped(report: &Run) -> String {
    match (report.stopped, report.breakpoint) {
        (Some(Stop::Breakpoint(_)), Some(id)) => format!("breakpoint {id}"),
        (Some(stop), _) => reason(stop).to_owned(),
        (None, _) => "under way".to_owned(),
    }
}

/// Why a search stopped, for people.
fn reason(stop: Stop) -> &'static str {
    match stop {
        Stop::Depth => "depth complete",
        Stop::Budget => "node budget",
        Stop::Time => "time is up",
        Stop::Exhausted => "no deeper search needed",
        Stop::Interrupt => "interrupted",
        other => other.name(),
    }
}

fn root_moves(report: &Run) -> String {
    let (shown, rest) = report.moves.split_at(layout::shown(report.moves.len(), SHOWN));
    let table = TextTable::of(shown)
        .left("  move", |root| {
            let best = report.best.contains(&root.mv);
            format!("{} {}", if best { "▸" } else { " " }, root.mv)
        })
        .right("", |root| root.bound.map_or("", |bound| number::bound(bound)))
        .point("value", |root| root.worth())
        .left("truth", |root| or_empty(root.truth))
        .left("line", |root| words(root.pv.get(1..).unwrap_or_default()));
    let least = shown.last().and_then(|root| root.value);
    lines([table.render(), remaining(rest, least)])
}

/// The number of root moves that are not listed, and the lowest value among them.
fn remaining(moves: &[RootMoveReport], shown: Option<Score>) -> String {
    if moves.is_empty() {
        return String::new();
    }
    let least = moves.iter().rev().find_map(|root| root.value);
    let open = moves.iter().any(|root| root.value.is_none());
    let how = match least {
        None => " not looked at".to_owned(),
        Some(_) if least == shown && !open => " of the same value".to_owned(),
        Some(least) => format!(", down to {}", number::score(least)),
    };
    let some = if open && least.is_some() { ", some not looked at" } else { "" };
    format!("  {}{how}{some}", layout::and_more(moves.len()))
}

/// The reply of `step`, `continue` and the like: the event at which the search stopped, and why.
#[derive(Clone, Debug, Serialize)]
pub struct StopReport {
    /// The last event; `None` before the first event.
    pub event: Option<EventReport>,
    /// Why the search stopped: `step`, `next`, `finish`, `until` and the like, or a reason as in `search run`.
    pub stopped: String,
    /// Whether the search is over, so that it cannot continue.
    pub done: bool,
    /// The number of the breakpoint that stopped the search; `None` for other stops.
    pub breakpoint: Option<u32>,
    /// Number of events that this command ran.
    pub(crate) events: u64,
    /// The result of the search, once it is finished; otherwise `None`.
    pub result: Option<Box<Run>>,
    /// The name of the current timeline; `None` if the search is not recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeline: Option<String>,
    /// The meaning of the last event, in a sentence or two; `None` before the first event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Remarks on the stop, for example that the recording ends at this event.
    pub notes: Vec<String>,
    /// Changes at watchpoints, tracepoint lines and displays of this run.
    #[serde(flatten)]
    pub seen: StopDetails,
}

impl Reply for StopReport {
    fn text(&self) -> String {
        let event = self.event.as_ref();
        let result = self.result.as_ref().map(|run| run.text());
        lines([
            stop_details::trace_text(&self.seen),
            or_empty(event.map(event_text)),
            or_empty(event.map(|event| format!("  {}", event.state))),
            or_empty(self.why.as_ref().map(|why| layout::wrap("  ", why))),
            format!("  {}", why(self)),
            stop_details::watch_text(&self.seen),
            layout::notes(&self.notes),
            result.unwrap_or_default(),
            stop_details::displays_text(&self.seen.displays),
        ])
    }

    fn line(&self) -> String {
        let event = self.event.as_ref().map_or_else(|| why(self), EventReport::line);
        let line = match (&self.result, self.breakpoint) {
            (_, Some(id)) => format!("{event}; breakpoint {id}"),
            (Some(run), None) => format!("{event}; {}", run.result_text()),
            (None, None) => event,
        };
        layout::noted(line, &self.notes)
    }

    fn times_mut(&mut self) -> Vec<&mut Option<f64>> {
        self.result.iter_mut().map(|run| &mut run.ms).collect()
    }
}

/// The reply of `where`: the search stack, and the progress of the search.
#[derive(Clone, Debug, Serialize)]
pub struct Where {
    /// The frames of the stack, from the root to the current node.
    pub frames: Vec<FrameReport>,
    /// The ply of the selected frame; by default that of the current node.
    pub selected: usize,
    /// The last event; `None` before the first event.
    pub event: Option<EventReport>,
    /// The meaning of the last event, for the screen only: the text of a stop already contains it. `None` before the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Depth of the current iteration in plies.
    pub iteration: u8,
    /// The values of the root moves, for the screen.
    #[serde(skip)]
    pub(crate) root_values: RootValues,
    /// Nodes visited by the search so far.
    pub nodes: u64,
    /// The principal variation of the current iteration so far; ends early at a cache hit.
    pub(crate) pv: Vec<MoveText>,
}

impl Reply for Where {
    fn text(&self) -> String {
        let progress = [
            format!("iteration {}", self.iteration),
            format!("nodes {}", count(self.nodes)),
            "scores are for the side to move at each ply".to_owned(),
        ];
        let treated = self.frames.iter().filter_map(treatment);
        let (wide, width) = (self.wide_table(), layout::page_width());
        let table = if wide.fits() { wide.within(width) } else { self.table(width) };
        let event = or_empty(self.event.as_ref().map(event_text));
        lines([lines(table), lines(treated), pv(&self.pv), flow("", progress), event])
    }

    fn line(&self) -> String {
        nth_line(&self.text(), LAST)
    }
}

/// The root moves that have a value in one iteration.
#[derive(Clone, Debug)]
pub(crate) struct RootValues {
    /// Depth of the iteration in plies.
    pub(crate) depth: u8,
    /// The moves with their values; also `lower` or `upper` if a value is only a bound.
    pub(crate) moves: Vec<(MoveText, Score, Option<&'static str>)>,
}

impl Where {
    fn mark(&self, frame: &FrameReport) -> &'static str {
        if frame.ply as usize == self.selected { "▸" } else { " " }
    }

    fn wide_table(&self) -> TextTable<&FrameReport> {
        let window = |frame: &FrameReport| number::window(frame.open, number::score);
        TextTable::of(&self.frames)
            .left(" ply", |frame| format!("{}{:>3}", self.mark(frame), frame.ply))
            .right("depth", |frame| frame.depth)
            .left("side", |frame| frame.side)
            .left("move", |frame| layout::pad(&frame.under_way(), 8))
            .point("α", |frame| window(frame)[0].clone())
            .point("β", |frame| window(frame)[1].clone())
            .point("best", |frame| frame.best_text(number::score))
            .left("truth", |frame| or_empty(frame.truth))
            .left("by", |frame| or_dash(frame.best_move.as_ref()))
            .left("cache", |frame| memo(frame.memo))
            .left("", |frame| frame.how().unwrap_or_default())
    }

    /// The stack as a table of at most `columns` columns, one line per frame below a heading. A narrow table has fewer columns
    /// and digits. Columns keep their widths while the user steps, so long texts are cut; a move first loses its place.
    pub fn table(&self, columns: usize) -> Vec<String> {
        // If there is no room for all three, the best value is left out: it is α, unless it is lower.
        let has_bounds = columns >= 26;
        let has_best = columns >= 36 || !has_bounds;
        let (bound, write): (usize, fn(Score) -> String) = match columns {
            // Only values of zero windows follow `<` or `>`. Large values may use that column.
            ..44 => (6, |value| number::short(value, if value.get().abs() < 1e4 { 5 } else { 6 })),
            _ => (7, |value| number::short(value, 6)),
        };
        let fit = |text: String, width| layout::pad(&layout::cut(&text, width), width);
        let score = |text: &str, width| format!("{:>width$}", layout::cut(text, width));
        let window = |frame: &FrameReport| number::window(frame.open, write);
        // No number is cut in the middle.
        let bounds = self.frames.iter().flat_map(window).map(|text| text.chars().count());
        let bound = bounds.fold(bound, usize::max);
        let best = self.frames.iter().map(|frame| frame.best_text(write).chars().count());
        let best = best.fold(if columns < 44 { 5 } else { 6 }, usize::max);
        let bounds = if has_bounds { 2 * (bound + 1) } else { 0 };
        let room = columns.saturating_sub(6 + bounds + if has_best { best } else { 0 });
        let (moves, replies) = match columns {
            // The best move takes precedence over the place of a move such as `exd5 21/45`.
            ..44 => (room.min(9), 6),
            44..70 => (room.min(10), 6),
            _ => (14, 8),
        };
        let ply = |frame: &&FrameReport| {
            format!("{}{:>2}{}", self.mark(frame), frame.ply, frame.side.letter())
        };
        let mut table = TextTable::of(&self.frames)
            .left(" ply", ply)
            .left("move", |frame| fit(frame.move_within(moves), moves));
        if has_bounds {
            table = table
                .right("α", |frame| score(&window(frame)[0], bound))
                .right("β", |frame| score(&window(frame)[1], bound));
        }
        if has_best {
            table = table.right("best", |frame| score(&frame.best_text(write), best));
        }
        let has_memo = columns >= 54;
        let rest = columns.saturating_sub(table.width(1) + 1);
        if columns >= 41 {
            let by = if has_memo { replies } else { rest };
            table = table.left("by", |frame| fit(or_dash(frame.best_move.as_ref()), by));
        }
        if has_memo {
            let probe = |frame: &&FrameReport| fit(memo(frame.memo).to_owned(), 7);
            let room = rest.saturating_sub(replies + 9);
            let more = |frame: &&FrameReport| {
                let truth = frame.truth.map(|truth| truth.to_string());
                let how = frame.how().filter(|how| how.len() <= room).map(str::to_owned);
                fit(truth.into_iter().chain(how).collect::<Vec<_>>().join(" "), room)
            };
            table = table.left("cache", probe).left("", more);
        }
        table.within(columns)
    }
}

/// A frame of the search stack: a node with the move being searched.
#[derive(Clone, Debug, Serialize)]
pub struct FrameReport {
    /// The node's distance from the root in plies.
    pub ply: u32,
    /// The node's remaining depth in plies.
    pub depth: u8,
    /// The node's position, in the game's notation.
    pub state: String,
    /// The move being searched; `None` at the current node before its first move.
    #[serde(flatten, serialize_with = "MoveText::with_san")]
    pub mv: Option<MoveText>,
    /// The side to move at the node.
    pub side: Side,
    /// The window in force; its α is raised to the best value so far.
    #[serde(flatten)]
    pub window: Window,
    /// The window that texts show: at a cutoff, the one before it; if it is empty, the one with which the node was entered.
    #[serde(skip)]
    pub(crate) open: Window,
    /// The origins of α and of β, such as a move, an entry or the aspiration window.
    pub(crate) sources: [BoundSource; 2],
    /// The best value so far, for the side to move at the node; `None` before the first.
    pub best: Option<Score>,
    /// The true value of the position, if known, and whether the best value contradicts it.
    #[serde(flatten)]
    pub truth: Option<Truth>,
    /// The move with the best value so far; `None` before the first.
    pub best_move: Option<MoveText>,
    /// Number of moves entered so far, the one being searched included.
    pub child: usize,
    /// Number of all moves of the node; 0 before they are generated, and in a trace of unknown rules.
    pub children: usize,
    /// Whether the move being searched is searched again, because its zero-window search failed high.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) again: bool,
    /// How selective search treats the move being searched: `null`, `reduced` or `extended`.
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) treatment: MoveTreatment,
    /// Whether the move being searched has a zero window, as in PVS.
    #[serde(rename = "scouts", skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_scout: bool,
    /// The result of the cache probe at this node.
    pub memo: ProbeOutcome,
    /// The node's key; ends in `:DEPTH` if the memo policy keeps one entry per depth.
    pub key: String,
    /// The node's moves in search order.
    pub moves: Vec<MoveText>,
    #[serde(skip)]
    pub(crate) board: String,
    /// The event that entered the node, if a trace is open; otherwise `None`.
    #[serde(skip)]
    pub entered: Option<u64>,
}

impl FrameReport {
    /// The move being searched, and its number among the moves: `e4 3/20`.
    pub fn under_way(&self) -> String {
        or_dash(self.mv.as_ref()) + &self.place()
    }

    /// The move being searched, with its number if that fits in `width` columns.
    fn move_within(&self, width: usize) -> String {
        let whole = self.under_way();
        if whole.chars().count() > width { or_dash(self.mv.as_ref()) } else { whole }
    }

    /// After a space, the number of the move being searched and, if known, the number of all moves: ` 3/20`.
    fn place(&self) -> String {
        match (self.child, self.children) {
            (0, all) if all == 0 || self.mv.is_some() => String::new(),
            (child, 0) => format!(" {child}"),
            (child, children) => format!(" {child}/{children}"),
        }
    }

    /// The best value as text, written by `write`; `≤ α` if no move searched so far exceeds α.
    fn best_text(&self, write: fn(Score) -> String) -> String {
        let none = if self.child > 1 { "≤ α" } else { "—" };
        self.best.map_or_else(|| none.to_owned(), write)
    }

    /// Whether the best value reaches β; never at the root, which is not cut off.
    pub fn is_cut(&self) -> bool {
        self.ply > 0 && self.best.is_some_and(|best| self.window.fails_high(best))
    }

    /// How the search treats the move being searched, in a word or two; `None` for full depth and open window.
    pub const fn how(&self) -> Option<&'static str> {
        how(self.treatment, self.again, self.is_scout)
    }
}

impl Reply for FrameReport {
    fn text(&self) -> String {
        let best = self.best_text(number::score);
        let by = or_empty(self.best_move.as_ref().map(|mv| format!(" by {mv}")));
        let place = format!("ply {}  depth {}  {} to move", self.ply, self.depth, self.side);
        let facts = [
            ("key", self.key.clone()),
            ("cache", memo(self.memo).to_owned()),
            ("α", bound(&number::alpha(self.open.alpha), &self.sources[0])),
            ("β", bound(&number::beta(self.window.beta), &self.sources[1])),
            ("best", best + &by),
            ("move", or_dash(self.mv.as_ref())),
        ];
        let truth = self.truth.map(|truth| ("truth", truth.to_string()));
        let facts = facts.into_iter().chain(truth);
        let fact = |(name, fact)| format!("{}  {fact}", layout::pad(name, "alpha".len()));
        let details = [place, self.state.clone()].into_iter().chain(facts.map(fact));
        let board = &self.board;
        lines([beside(board, details), moves(self), treatment(self).unwrap_or_default()])
    }

    fn line(&self) -> String {
        format!("frame {}  {}", self.ply, self.state)
    }
}

/// The origin of α or β as text, after its name.
fn bound(bound: &str, source: &BoundSource) -> String {
    let BoundSource { ply, by, .. } = source;
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
        SetBy::Program | SetBy::Wider => format!("the program, ply {ply}"),
    };
    format!("{bound}  from {from}")
}

/// Values by name, as text and as a JSON object.
pub fn printed(values: Map<String, Json>) -> PlainReply {
    let words = values.iter().map(|(name, value)| (name.as_str(), value_text(value)));
    PlainReply::new(layout::named("", words), Json::Object(values))
}

/// How the search treats the move being searched, as a sentence; `None` for full depth and open window.
fn treatment(frame: &FrameReport) -> Option<String> {
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
            let id = or_empty(report.breakpoint.map(|id| format!(" {id}")));
            format!("breakpoint{id}")
        }
        "depth" => "the depth asked for is complete".to_owned(),
        "budget" => {
            let nodes = report.result.as_ref().map(|run| format!("{} nodes, ", count(run.nodes)));
            format!("{}the budget of the search", or_empty(nodes))
        }
        "time" => "the time is up".to_owned(),
        "exhausted" => "deeper iterations cannot change the result".to_owned(),
        "interrupt" => "interrupted".to_owned(),
        "start" if report.events == 0 => return "the recording begins here".to_owned(),
        "start" => return format!("the recording begins here, {after} back"),
        "end" => "the recording ends here".to_owned(),
        goal => return format!("{after} ({goal})"),
    };
    let ends = report.done || matches!(&*report.stopped, "budget" | "time");
    let over = if ends { "done: " } else { "" };
    format!("{over}{reason}, after {after}")
}

const fn memo(outcome: ProbeOutcome) -> &'static str {
    match outcome {
        ProbeOutcome::NotProbed => "—",
        ProbeOutcome::Hit => "hit",
        ProbeOutcome::Invalid => "invalid",
        ProbeOutcome::Miss => "miss",
    }
}

/// The moves around the one being searched, which is in brackets.
fn moves(report: &FrameReport) -> String {
    // A few earlier moves are enough; most of the room is for the moves still to come.
    const BEFORE: usize = 12;
    const SHOWN: usize = 48;
    let Some(last) = report.moves.len().checked_sub(1) else { return String::new() };
    let current = report.moves.iter().rposition(|mv| report.mv.as_ref() == Some(mv));
    let latest = (last + 1).saturating_sub(SHOWN);
    let first = current.unwrap_or(0).saturating_sub(BEFORE).min(latest);
    let mark = |(place, mv): (usize, &MoveText)| {
        if current == Some(place) { format!("[{mv}]") } else { mv.to_string() }
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
    layout::wrap(&format!("moves{}: ", report.place()), &words.join(" "))
}
