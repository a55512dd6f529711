//! The time line under the header: the recording with iterations, root moves, breakpoint hits, bookmarks, branches and the
//! current event; then the search's other timelines. Clicks and keys move along the time line.

use ratatui::prelude::*;
use unicode_width::UnicodeWidthStr as _;

use crate::{
    engine::session::{
        explain::TreeExplained,
        position::PositionReport,
        reply::MoveText,
        timelines::{BreakpointHit, TimelineList, TimelineReport},
        trace::OpenTrace,
    },
    text::{self, number::count},
    tui::{
        data::{Data, Query, REPLAYED},
        look::Theme,
        pane::cut,
        state::{EngineSides, ScreenState},
    },
};

/// The least width of an iteration, in columns, if there is room.
const LEAST: usize = 4;
/// The greatest width of another timeline's edit, in columns.
const EDIT: usize = 22;

/// The sign of a finding, and the bars for columns with many.
const FINDING: char = '✗';
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// A sign on the time line. Only bookmarks have names.
struct Landmark<'a> {
    event: u64,
    sign: char,
    style: Style,
    name: &'a str,
}

/// The current timeline, and the list of all timelines.
struct Recorded<'a> {
    list: &'a TimelineList,
    now: &'a TimelineReport,
    /// The open trace, if the search belongs to a trace.
    trace: Option<&'a OpenTrace>,
}

impl<'a> Recorded<'a> {
    fn of(state: &'a ScreenState) -> Option<Self> {
        let (list, now) = state.recording()?;
        let trace = state.trace().filter(|_| state.is_trace());
        Some(Self { list, now, trace })
    }

    /// The last event that has happened; `None` before the first event.
    fn current_event(&self) -> Option<u64> {
        self.now.events.checked_sub(1).filter(|event| *event >= self.now.begins)
    }

    /// The timelines of this search, each with the last event that it shares with the current one.
    fn related(&self) -> impl DoubleEndedIterator<Item = (&'a TimelineReport, u64)> {
        let list = self.list;
        list.timelines.iter().filter_map(|other| Some((other, list.fork_event(&other.name)?)))
    }

    /// The breakpoint hits before the current event, on all timelines that contain it.
    fn hits(&self) -> impl Iterator<Item = &'a BreakpointHit> {
        self.related()
            .flat_map(|(other, parting)| other.stops.iter().filter(move |hit| hit.event <= parting))
    }

    /// The landmarks in drawing order: later ones cover earlier ones.
    fn landmarks(&self, look: &Theme) -> Vec<Landmark<'a>> {
        let unnamed = |event, sign, style| Landmark { event, sign, style, name: "" };
        // An iteration at the beginning of the recording gets no sign, because the beginning has one.
        let later = self.now.iterations.iter().filter(|it| it.event > self.now.begins);
        // In ASCII, `+` is among the heights of findings.
        let border = if look.ascii { '|' } else { '┼' };
        let iterations = later.map(|it| unnamed(it.event, border, look.quiet));
        let others = self.related().filter(|(other, _)| !other.current);
        let branches = others.map(|(_, parting)| unnamed(parting, '┬', look.accent));
        let stop = if look.ascii { '*' } else { '●' };
        let hits = self.hits().map(|hit| unnamed(hit.event, stop, look.warning));
        let shared = |name: &str, event| {
            self.related().any(|(other, parting)| other.name == name && event <= parting)
        };
        let findings = self.trace.iter().flat_map(|trace| &trace.found.findings);
        let findings = findings.map(|it| unnamed(it.event, FINDING, look.error));
        let bookmarks = self.list.bookmarks.iter();
        let marks = bookmarks
            .filter(|mark| shared(&mark.timeline, mark.event))
            .map(|mark| Landmark { name: &mark.name, ..unnamed(mark.event, '◇', look.accent) });
        let all = iterations.chain(branches).chain(findings).chain(hits).chain(marks);
        all.filter(|mark| (self.now.begins..self.now.reached).contains(&mark.event)).collect()
    }
}

/// The query for the root moves, for screens that do not show the tree pane.
pub fn root_moves_query(state: &ScreenState) -> Option<Query> {
    let recorded = Recorded::of(state).filter(|_| !state.searching)?;
    (recorded.now.events <= REPLAYED).then(|| Query::Tree("--time 5".to_owned()))
}

/// The number of the breakpoint that was hit at the current event, if any.
pub fn breakpoint_here(state: &ScreenState) -> Option<u32> {
    let recorded = Recorded::of(state)?;
    let here = recorded.current_event()?;
    recorded.hits().find(|hit| hit.event == here).map(|hit| hit.id)
}

/// The events at which a breakpoint has stopped the search, on all timelines that contain them.
pub fn hits_of(state: &ScreenState, id: u32) -> Vec<u64> {
    let recorded = Recorded::of(state);
    let hits = recorded.iter().flat_map(Recorded::hits).filter(|hit| hit.id == id);
    hits.map(|hit| hit.event).collect()
}

/// The event of the next or previous landmark, and beyond the last one the end or the beginning of the recording; in a trace with
/// findings, the event of the next or previous finding.
pub fn next_landmark(state: &ScreenState, forwards: bool) -> Option<u64> {
    let recorded = Recorded::of(state)?;
    let here = recorded.current_event();
    let ends = [recorded.now.begins, recorded.now.reached - 1];
    let findings = recorded.trace.map_or(&[][..], |trace| &trace.found.findings);
    let landmarks: Vec<_> = match findings {
        [] => recorded.landmarks(&state.look).iter().map(|it| it.event).chain(ends).collect(),
        findings => findings.iter().map(|finding| finding.event).collect(),
    };
    let landmarks = landmarks.into_iter();
    if forwards {
        landmarks.filter(|event| Some(*event) > here).min()
    } else {
        landmarks.filter(|event| Some(*event) < here).max()
    }
}

/// The command that goes to before the next or previous move annotated as a mistake, if no search is recorded.
pub fn next_mistake(state: &ScreenState, forwards: bool) -> Option<String> {
    let position = game(state)?;
    let mistakes = position.marks.iter().filter(|mark| mark.is_mistake).map(|mark| mark.at - 1);
    let is_beyond = |at: &usize| if forwards { *at > position.undo } else { *at < position.undo };
    let mut beyond = mistakes.filter(is_beyond);
    let at = if forwards { beyond.next() } else { beyond.next_back() }?;
    command_to(state, at)
}

/// The command line that goes to the position after `at` moves of the game; `None` if that is the current one. A resignation or
/// draw stays. In a game that is gone through, a way back beyond the beginning of a variation leads to the game's line.
pub fn command_to(state: &ScreenState, at: usize) -> Option<String> {
    let position = state.data.get::<PositionReport>()?;
    let now = position.place();
    let steps = at.abs_diff(now);
    let moves = |command: &str, steps: usize| match steps {
        1 => command.to_owned(),
        several => format!("{command} {several}"),
    };
    if at >= now {
        return (steps > 0).then(|| moves("redo", steps));
    }
    let in_variation = position.since_branch;
    let leaves = in_variation > 0 && state.engine == EngineSides::None && position.is_studied();
    Some(match steps.checked_sub(in_variation).filter(|_| leaves) {
        Some(0) => "variation leave".to_owned(),
        Some(rest) => format!("variation leave; {}", moves("undo", rest)),
        None if position.ended => moves("undo", steps) + " --keep-end",
        None => moves("undo", steps),
    })
}

/// The game whose mistakes the keys for landmarks go to; `None` if a search is recorded.
fn game(state: &ScreenState) -> Option<&PositionReport> {
    state.data.get::<PositionReport>().filter(|_| Recorded::of(state).is_none())
}

/// Whether no search is recorded, and the game has moves but no review that could find mistakes.
pub fn lacks_review(state: &ScreenState) -> bool {
    game(state).is_some_and(|it| {
        it.played.len() + it.ahead.len() > 0 && it.marks.iter().all(|mark| mark.value.is_none())
    })
}

/// Whether the game has values or annotations of which none marks a mistake, and no search is recorded.
pub fn lacks_mistakes(state: &ScreenState) -> bool {
    game(state)
        .is_some_and(|it| !it.marks.is_empty() && it.marks.iter().all(|mark| !mark.is_mistake))
}

struct LineCell {
    text: String,
    style: Style,
    command: Option<String>,
}

pub fn line(state: &ScreenState, width: usize) -> Line<'static> {
    cells(state, width).into_iter().map(|cell| Span::styled(cell.text, cell.style)).collect()
}

pub fn command_at(state: &ScreenState, width: usize, column: usize) -> Option<String> {
    let mut from = 0;
    let mut cells = cells(state, width).into_iter();
    let cell = cells.find(|cell| {
        from += cell.text.width();
        from > column
    });
    cell?.command
}

fn cells(state: &ScreenState, width: usize) -> Vec<LineCell> {
    let Some(recorded) = Recorded::of(state) else { return Vec::new() };
    let blank = |text: String| LineCell { text, style: state.look.text, command: None };
    // The current event and the last one, always in the same number of columns.
    let here = recorded.current_event().map_or_else(|| "start".to_owned(), count);
    let last = count(recorded.now.reached - 1);
    let place = format!(" {here:>0$} / {last} ", last.len().max("start".len()));
    // At most half of the columns are used for other timelines.
    let mut room = (width / 2).saturating_sub(place.width());
    let mut beside = vec![blank(place)];
    let related = recorded.related().rev().filter(|(other, _)| !other.current);
    let related = related.map(|(it, _)| (branch(it, recorded.now), state.look.accent, &it.name));
    // The newest of the searches that share no event with this one; those of hints and replies would crowd the line.
    let known = recorded.list;
    let others =
        known.timelines.iter().rev().filter(|other| known.fork_event(&other.name).is_none());
    let others = others.take(3).map(|TimelineReport { name, .. }| {
        (format!("▸ timeline {}", cut(&text::visible(name), EDIT)), state.look.quiet, name)
    });
    for (text, style, name) in related.chain(others) {
        let Some(rest) = room.checked_sub(text.width() + 1) else {
            continue;
        };
        room = rest;
        let command = Some(format!("timeline use '{name}'"));
        beside.push(LineCell { text, style, command });
        beside.push(blank(" ".to_owned()));
    }
    let used: usize = beside.iter().map(|cell| cell.text.width()).sum();
    let strip = strip(&recorded, state, width.saturating_sub(used + 1));
    std::iter::once(blank(" ".to_owned())).chain(strip).chain(beside).collect()
}

/// The name of another timeline, and its last edit that the current timeline lacks.
fn branch(other: &TimelineReport, now: &TimelineReport) -> String {
    let own = other.edits.iter().rev().find(|edit| !now.edits.contains(edit));
    let edit = own.and_then(|edit| edit.split_once(" after event ")).map(|(words, _)| words);
    let edit = edit.map(|words| words.strip_prefix("entry ").unwrap_or(words));
    let edit = edit.map(|words| format!(" {}", cut(&text::visible(words), EDIT)));
    format!("└─{}─▸{}", cut(&text::visible(&other.name), EDIT), edit.unwrap_or_default())
}

/// Pairs of an event and its column. Every iteration gets a few columns, so that short ones are visible, and further columns in
/// proportion to its length. The last pair is the end.
fn scale(now: &TimelineReport, columns: usize) -> Vec<(u64, u64)> {
    let (first, last, end) = (now.begins, now.reached - 1, columns.saturating_sub(1));
    let later = now.iterations.iter().map(|it| it.event);
    let later = later.filter(|event| (first + 1..last).contains(event));
    let starts: Vec<_> = std::iter::once(first).chain(later).collect();
    let each = (end / (2 * starts.len())).min(LEAST) as u64;
    let shared = end as u64 - each * starts.len() as u64;
    let begins = (0..).zip(starts).map(|(place, event)| {
        (event, place * each + shared * (event - first) / (last - first).max(1))
    });
    begins.chain([(last, end as u64)]).collect()
}

fn interpolate(pairs: &[(u64, u64)], at: u64) -> u64 {
    let mut holding = pairs.windows(2).filter(|pair| (pair[0].0..=pair[1].0).contains(&at));
    holding.next_back().map_or(0, |pair| {
        let ((from, low), (to, high)) = (pair[0], pair[1]);
        low + (at - from) * (high - low) / (to - from).max(1)
    })
}

/// The time line itself. The part before the current event is drawn heavier.
fn strip(recorded: &Recorded<'_>, state: &ScreenState, columns: usize) -> Vec<LineCell> {
    let (look, now) = (&state.look, recorded.now);
    let scale = scale(now, columns);
    let column = |event| interpolate(&scale, event) as usize;
    let events: Vec<_> = scale.iter().map(|(event, column)| (*column, *event)).collect();
    let here = recorded.current_event();
    let end = columns.saturating_sub(1);
    let plain = |place: usize| {
        let text = match place {
            0 => "├",
            place if place == end => "┤",
            place if place <= here.map_or(0, column) => "━",
            _ => "─",
        };
        let command = Some(format!("goto {}", interpolate(&events, place as u64)));
        LineCell { text: text.to_owned(), style: look.quiet, command }
    };
    let mut cells: Vec<_> = (0..columns).map(plain).collect();
    let landmarks = recorded.landmarks(look);
    let mut findings = vec![0; columns];
    for Landmark { event, sign, style, .. } in &landmarks {
        let at = column(*event);
        if let Some(cell) = cells.get_mut(at) {
            let command = Some(format!("goto {event}"));
            *cell = LineCell { text: sign.to_string(), style: *style, command };
            findings[at] += usize::from(*sign == FINDING);
        }
    }
    draw_density(&mut cells, &findings);
    for mark in landmarks.iter().filter(|mark| !mark.name.is_empty()) {
        let name = format!("{} ", cut(&text::visible(mark.name), EDIT));
        write(&mut cells, column(mark.event) + 1, &name, look.accent);
    }
    // Labels keep clear of the current event.
    if let Some(cell) = cells.get_mut(here.map_or(0, column)) {
        (cell.text, cell.style) = ("◆".to_owned(), look.accent.reversed());
    }
    name_iterations(&mut cells, now, &scale, look.text);
    name_root_moves(&mut cells, state, recorded, &scale);
    cells
}

/// Draws findings as bars, one for each column, if a third of the columns with findings have several.
fn draw_density(cells: &mut [LineCell], findings: &[usize]) {
    let most = findings.iter().copied().max().unwrap_or(0);
    let columns = |least| findings.iter().filter(|count| **count >= least).count();
    if most == 0 || 3 * columns(2) < columns(1) {
        return;
    }
    for (cell, count) in cells.iter_mut().zip(findings) {
        if let Some(bar) = (BARS.len() * count).div_ceil(most).checked_sub(1)
            && cell.text.starts_with(FINDING)
        {
            cell.text = BARS[bar].to_string();
        }
    }
}

/// Writes the depth of each iteration into the middle of its part, or as near to it as there is room.
fn name_iterations(
    cells: &mut [LineCell],
    now: &TimelineReport,
    scale: &[(u64, u64)],
    style: Style,
) {
    for iteration in &now.iterations {
        let from = interpolate(scale, iteration.event) as usize;
        let to = scale.iter().find(|(event, _)| *event > iteration.event);
        let to = to.map_or(from, |(_, to)| *to as usize);
        let depth = iteration.depth;
        [format!(" depth {depth} "), depth.to_string()].iter().any(|text| {
            let middle = (usize::midpoint(from, to) + 1).saturating_sub(text.len().div_ceil(2));
            let mut begins: Vec<_> = (from + 1..to).collect();
            // Beside a bar, a number would be read as a part of the bars.
            let is_bar = |at: usize| cells.get(at).is_some_and(|cell| cell.text.starts_with(BARS));
            begins.sort_by_key(|begin| {
                let is_beside = is_bar(begin - 1) || is_bar(begin + text.len());
                (is_beside, begin.abs_diff(middle))
            });
            begins.into_iter().any(|begin| write(cells, begin, text, style))
        });
    }
}

/// Writes the root moves of the current iteration at their events, including those after the current event.
fn name_root_moves(
    cells: &mut [LineCell],
    state: &ScreenState,
    recorded: &Recorded<'_>,
    scale: &[(u64, u64)],
) {
    let is_later = |event: &u64| Some(*event) > recorded.current_event();
    let starts = || recorded.now.iterations.iter().map(|it| it.event);
    let from = starts().filter(|event| !is_later(event)).max().unwrap_or(0);
    let to = starts().filter(is_later).min().unwrap_or(u64::MAX);
    for (event, mv) in state.root_moves.range(from..to) {
        let from = interpolate(scale, *event) as usize;
        // The first move is one column further right, because the iteration's sign is in its column.
        let text = format!("╷{mv} ");
        let style = state.look.text;
        if let Some(at) = (from..from + 2).find(|at| write(cells, *at, &text, style)) {
            cells[at].command = Some(format!("goto {event}"));
        }
    }
}

/// The root moves of the current iteration up to the current event, each with the event that enters it.
pub fn root_moves(data: &Data) -> impl Iterator<Item = (u64, MoveText)> {
    let trees = data.get::<TreeExplained>().into_iter();
    let children = trees.flat_map(|tree| tree.children(0).map(|child| &tree.nodes[child]));
    children.filter_map(|child| Some((child.event?, child.moves.first()?.clone())))
}

/// Writes a text if it covers nothing but the bare line. Returns whether it was written.
fn write(cells: &mut [LineCell], from: usize, text: &str, style: Style) -> bool {
    let room = cells.get_mut(from..from + text.width());
    let is_free = |cell: &LineCell| ["━", "─"].contains(&cell.text.as_str());
    let room = room.filter(|room| room.len() == text.chars().count() && room.iter().all(is_free));
    let fits = room.is_some();
    for (cell, sign) in room.into_iter().flatten().zip(text.chars()) {
        (cell.text, cell.style) = (sign.to_string(), style);
    }
    fits
}
