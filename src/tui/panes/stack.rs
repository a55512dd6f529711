//! The stack pane: the frames of the search, details of the selected frame, and the counters if no visible pane shows them.

use ratatui::prelude::*;

use super::counters::{self, CountersPane};

use crate::{
    engine::session::{
        breakpoints::DisplayList,
        reply::Stop,
        search::{Run, Where},
        stop_details::DisplayReport,
    },
    text::{fold, or_empty, packed, words},
    tui::{
        data::BoardOf,
        keymap::StackPaneAction,
        pane::{
            Areas, Binding, ListCursor, Pane, PaneAction, Places, Query, ScreenState, cut, own,
            run, shown, wrapped,
        },
    },
};

/// The greatest number of displays shown, so that there is room for frames.
const DISPLAYS: usize = 6;
const LEAST: usize = 4;
/// The least width, in columns, at which most events fit in a row with ply, depth and window.
const LONG_LINES: u16 = 60;
/// The height of the pane is a multiple of this, in rows.
const STEP: usize = 4;

#[derive(Debug, Default)]
pub struct StackPane {
    cursor: ListCursor,
    /// The number of frames and the selected one, to notice changes.
    seen: (usize, usize),
}

impl Pane for StackPane {
    fn title(&self, state: &ScreenState) -> String {
        or_empty(state.data.frames().first().map(|_| "values for the side to move"))
    }

    fn wants(&self, _: &ScreenState) -> Vec<Query> {
        counters::WANTS.into_iter().chain([Query::Displays]).collect()
    }

    fn rows_needed(&self, state: &ScreenState, columns: u16) -> usize {
        // The height of the text below the frames changes from event to event. It is rounded up, so that no pane moves.
        let own = state.data.frames().len() + details(state, columns).len() + 1;
        let own = own.next_multiple_of(STEP);
        if state.areas().of("counters").is_some() {
            return own;
        }
        own + CountersPane::default().lines(state, columns).len() + 1
    }

    fn draw(&self, frame: &mut Frame<'_>, state: &ScreenState, areas: &Areas, room: Rect) {
        let mut below = details(state, room.width);
        let needed = state.data.frames().len() + 1;
        let free = (room.height as usize).saturating_sub(below.len() + needed);
        // A rule and lines of the counters fill the rows that frames and details leave free, if these are more than two.
        if areas.of("counters").is_none() && free > 2 {
            let rule = "─".repeat(room.width as usize);
            below.push(Line::styled(rule, state.look.quiet));
            let counters = CountersPane::default().lines(state, room.width);
            below.extend(counters.into_iter().take(free - 1));
        }
        let height = (room.height as usize).saturating_sub(below.len()).max(LEAST);
        let mut frames = frames(state, room.width).into_iter();
        let head = frames.next().unwrap_or_default();
        let rows = frames.len().min(height.saturating_sub(1)) as u16;
        let rows = [Constraint::Length(1), Constraint::Length(rows), Constraint::Fill(1)];
        let [above, list, rest] = Layout::vertical(rows).areas(room);
        frame.render_widget(shown(head), above);
        // If there is no room for the whole explanation, the last row ends with `…`; the facts below it are left out.
        if let Some(last) = usize::from(rest.height).checked_sub(1)
            && below.get(last + 1).is_some_and(|next| next.style == state.look.text)
        {
            let text = format!("{} …", below[last]);
            below[last] = Line::styled(cut(&text, room.width.into()), below[last].style);
        }
        let (frames, at) = (frames.as_slice(), self.seen.1);
        self.cursor.draw_lines(frame, list, frames.len(), at..at + 1, |place| {
            (frames[place].clone(), Some(place).filter(|_| self.seen.0 > 0))
        });
        frame.render_widget(shown(below), rest);
    }

    fn cursor(&self) -> Option<&ListCursor> {
        Some(&self.cursor)
    }

    fn places(&self, state: &ScreenState) -> Places {
        Places::All(state.data.frames().len())
    }

    fn on_cursor(&mut self, state: &mut ScreenState, row: usize) {
        state.select_frame(Some(row));
    }

    fn on_data(&mut self, state: &mut ScreenState) {
        let stack = state.data.get::<Where>();
        let now = stack.map_or((0, 0), |stack| (stack.frames.len(), stack.selected));
        if now != std::mem::replace(&mut self.seen, now) {
            self.cursor.select(now.1);
        }
    }

    #[rustfmt::skip] // one action a line: it is read as a table
    fn bindings(&self) -> Vec<Binding> {
        vec![
            run("frame-writer", "g", "last {}", "goes back to the event that wrote the frame's cache entry"),
            own(StackPaneAction::FrameWhy, "w", "explains what happens in the selected frame"),
            run("frame-show", "enter", "frame", "shows the selected frame on the board"),
        ]
    }

    fn act(&mut self, state: &mut ScreenState, _: PaneAction) {
        explain(state, state.data.frame().map_or(0, |frame| frame.ply as usize));
    }

    fn selected(&self, state: &ScreenState) -> Option<String> {
        state.data.frame().map(|frame| frame.key.clone())
    }

    /// In place of another pane's entry or node, the board shows the selected frame.
    fn on_focus(&mut self, state: &mut ScreenState) {
        let is_others = matches!(state.shown, BoardOf::Entry(_) | BoardOf::Node(_));
        if is_others && !state.data.frames().is_empty() {
            state.shown = BoardOf::Frame;
        }
    }

    fn footer(&self, state: &ScreenState) -> &'static str {
        if state.data.frames().is_empty() {
            return "";
        }
        if state.is_search_over() {
            return "frame-why:why up+down:frame back:step start position:game entry frame-writer:writer";
        }
        "step+back:step continue+back-continue:continue frame-why:why up+down:frame entry frame-writer:writer"
    }
}

/// Explains a frame; before the first event, names the keys that go on.
pub fn explain(state: &mut ScreenState, ply: usize) {
    match state.at_start() {
        Some(how) => state.say(how),
        None => state.run(why(state, ply)),
    }
}

/// The command line that explains a frame: the last event in the last frame, the value of the root, why another was cut off or not.
fn why(state: &ScreenState, ply: usize) -> &'static str {
    let is_last = ply + 1 == state.data.frames().len();
    match ply {
        0 if !is_last && state.has_value() => "explain value",
        // The root of a search, other than that of a trace, is never cut off.
        _ if is_last || ply == 0 && !state.is_trace() => "explain",
        _ => "explain cutoff",
    }
}

/// Whether a frame of a trace has a finding at or before the current event.
fn is_wrong(state: &ScreenState, ply: usize) -> bool {
    let frames = state.data.frames();
    let Some(frame) = frames.get(ply) else { return false };
    let entered = |ply: usize| frames.get(ply).and_then(|frame| frame.entered);
    let end = entered(ply + 1).or(state.data.event().map(|last| last.index + 1));
    let (Some(trace), Some(begin), Some(end)) = (state.trace(), frame.entered, end) else {
        return false;
    };
    trace.found.findings.iter().any(|finding| {
        // A finding in a finished child node has the child's key, not the frame's.
        let is_own = finding.key.as_ref().is_none_or(|key| frame.key.starts_with(key));
        is_own && (begin..end).contains(&finding.event)
    })
}

/// The column headings and a line for each frame; without frames, what to do.
fn frames(state: &ScreenState, width: u16) -> Vec<Line<'static>> {
    let Some(stack) = state.data.get::<Where>().filter(|stack| !stack.frames.is_empty()) else {
        return wrapped(&state.no_search(), width.into()).into_iter().map(Line::raw).collect();
    };
    let style = |row: usize| match row.checked_sub(1) {
        None => state.look.head,
        Some(row) if row == stack.selected => state.look.selected,
        Some(_) => state.look.text,
    };
    let texts = stack.table(width as usize).into_iter().enumerate();
    let line = |(row, text): (usize, String)| {
        let is_wrong = row.checked_sub(1).is_some_and(|row| is_wrong(state, row));
        let room = (width as usize).saturating_sub(2);
        let text = if is_wrong { format!("{} ✗", cut(text.trim_end(), room)) } else { text };
        Line::styled(text, style(row))
    };
    texts.map(line).collect()
}

/// What the last event means; then, in quiet text, the selected frame and the displays.
fn details(state: &ScreenState, width: u16) -> Vec<Line<'static>> {
    let (data, look) = (&state.data, &state.look);
    let stack = data.get::<Where>();
    let event = stack.and_then(|stack| stack.event.as_ref());
    // A pane that is too narrow for most of the long lines has short ones only.
    let fits = |text: &String| width >= LONG_LINES && text.chars().count() < width.into();
    let event = event
        .map(|event| Some(event.line()).filter(fits).unwrap_or_else(|| event.short_line()))
        .map(|text| (text, look.title));
    let why = stack.and_then(|stack| stack.why.clone()).map(|text| (text, look.text));
    let mut texts: Vec<_> = event.into_iter().chain(why).collect();
    if let (Some(frame), Some(stack)) = (data.frame(), stack) {
        let best = frame.best_move.as_ref().map(|best| format!("best by {best}"));
        let truth = frame.truth.map(|truth| format!("truth {truth}"));
        let how = frame.how().map(|how| match &frame.mv {
            Some(mv) => format!("{mv}: {how}"),
            None => how.to_owned(),
        });
        // The node before the first event of a trace has no key.
        let key = (frame.key != "-").then(|| format!("key {}", frame.key));
        let facts = [Some(format!("frame {}", frame.ply)), best, truth, how, key];
        // A line of the whole width would be wrapped.
        let facts = packed(facts.into_iter().flatten(), usize::from(width).saturating_sub(1));
        let stopped = data.get::<Run>().and_then(|run| run.stopped);
        let is_whole = stopped == Some(Stop::Depth) || state.is_at_end_of_trace();
        let so_far = if is_whole { "" } else { " so far" };
        let pv = (!stack.pv.is_empty())
            .then(|| format!("best of depth {}{so_far}  {}", stack.iteration, words(&stack.pv)));
        let displays = data.get::<DisplayList>().map_or(&[][..], |list| &list.displays);
        let displays = displays.iter().take(DISPLAYS).map(DisplayReport::line);
        let is_mate = |row: &String| row.contains("#-0");
        let has_mate = stack.table(width.into()).iter().any(is_mate);
        let mate = has_mate.then(|| "#-0 is mated, <#-0 just below it".to_owned());
        let quiet = pv.into_iter().chain(facts).chain(mate).chain(displays).chain(state.at_start());
        texts.extend(quiet.map(|text| (text, look.quiet)));
    }
    let wrapped = |(text, style): (String, Style)| {
        // α and β are words in ASCII.
        let text = if look.ascii { fold(&text) } else { text };
        wrapped(&text, width as usize).into_iter().map(move |text| Line::styled(text, style))
    };
    texts.into_iter().flat_map(wrapped).collect()
}
