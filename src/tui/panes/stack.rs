//! The stack pane: frames of the search, details of the selected one, and the counters if they are not visible
//! elsewhere.

use ratatui::prelude::*;

use super::counters::{self, CountersPane};

use crate::{
    engine::session::{breakpoints::DisplayList, search::Where, stop_details::DisplayReport},
    text::words,
    tui::{
        keymap::StackPaneAction,
        pane::{
            Areas, Binding, Pane, PaneAction, Query, ScreenState, cut, own, run, shown, wrapped,
        },
    },
};

/// Columns from which the last event is shown with its window.
const WIDE: u16 = 56;
/// Most displays shown, so that there is room for frames.
const DISPLAYS: usize = 6;
const LEAST: usize = 4;

#[derive(Debug, Default)]
pub struct StackPane;

impl Pane for StackPane {
    fn title(&self, state: &ScreenState) -> String {
        state.other_board()
    }

    fn wants(&self, _: &ScreenState) -> Vec<Query> {
        counters::WANTS.into_iter().chain([Query::Displays]).collect()
    }

    fn need(&self, state: &ScreenState) -> usize {
        state.data.frames().len() + details(state, 60).len() + 1
    }

    fn draw(&self, frame: &mut Frame<'_>, state: &ScreenState, areas: &Areas, room: Rect) {
        let mut below = details(state, room.width);
        if areas.of("counters").is_none() {
            let rule = "─".repeat(room.width as usize);
            below.push(Line::styled(rule, state.look.quiet));
            below.extend(CountersPane::default().lines(state, room.width));
        }
        let height = (room.height as usize).saturating_sub(below.len()).max(LEAST);
        let frames = frames(state, room.width, height);
        let rows = Constraint::Length(frames.len() as u16);
        let [above, rest] = Layout::vertical([rows, Constraint::Fill(1)]).areas(room);
        frame.render_widget(shown(frames), above);
        frame.render_widget(shown(below), rest);
    }

    fn bindings(&self) -> Vec<Binding> {
        [
            run("frame-up", "up k", "up", "selects the frame nearer to the root"),
            run("frame-down", "down j", "down", "selects the frame farther from the root"),
            run("frame-root", "home", "frame 0", "selects the root"),
            run(
                "frame-writer",
                "g",
                "last {}",
                "goes back to the event that wrote the frame's cache entry",
            ),
            own(StackPaneAction::FrameWhy, "w", "explains what happens in the selected frame"),
            run("frame-show", "enter", "frame", "shows the selected frame on the board"),
        ]
        .into()
    }

    fn act(&mut self, state: &mut ScreenState, _: PaneAction) {
        let line = why(state, state.data.frame().map_or(0, |frame| frame.ply as usize));
        state.run(line);
    }

    fn selected(&self, state: &ScreenState) -> Option<String> {
        state.data.frame().map(|frame| frame.key.clone())
    }

    fn footer(&self, _: &ScreenState) -> &'static str {
        "frame-up:up frame-down:down frame-why:why entry frame-writer:writer step back"
    }
}

/// The command line that explains a frame: of the last one what just happened, of the others what cuts them off or would.
pub fn why(state: &ScreenState, ply: usize) -> &'static str {
    let is_last = ply + 1 == state.data.frames().len();
    if is_last || ply == 0 { "explain" } else { "explain cutoff" }
}

/// Whether something is wrong in a frame of a trace, up to the current event.
fn is_wrong(state: &ScreenState, ply: usize) -> bool {
    let frames = state.data.frames();
    let Some(frame) = frames.get(ply) else {
        return false;
    };
    let entered = |ply: usize| frames.get(ply).and_then(|frame| frame.entered);
    let last = state.data.get::<Where>().and_then(|stack| Some(stack.event.as_ref()?.index));
    let end = entered(ply + 1).or(last.map(|last| last + 1));
    let (Some(trace), Some(begin), Some(end)) = (state.trace(), frame.entered, end) else {
        return false;
    };
    trace.found.findings.iter().any(|finding| {
        // Findings of nodes that are left already have other keys.
        let is_own = finding.key.as_ref().is_none_or(|key| frame.key.starts_with(key));
        is_own && (begin..end).contains(&finding.event)
    })
}

fn frames(state: &ScreenState, width: u16, height: usize) -> Vec<Line<'static>> {
    let Some(stack) = state.data.get::<Where>().filter(|stack| !stack.frames.is_empty()) else {
        return [
            "No search is under way.".to_owned(),
            format!("{} starts one and stops at its first event,", state.key("step")),
            format!("{} runs it.", state.key("run")),
        ]
        .map(Line::raw)
        .into();
    };
    let frames = stack.frames.len();
    let rows = height.saturating_sub(1);
    // The frame below the selected one is visible too, if there is room.
    let from = (stack.selected + 2).min(frames).saturating_sub(rows);
    let shown = from..frames.min(from + rows);
    let style = |row: usize| match row.checked_sub(1) {
        None => state.look.head,
        Some(row) if from + row == stack.selected => state.look.selected,
        Some(_) => state.look.text,
    };
    let texts = stack.table(shown, width as usize).into_iter().enumerate();
    let lines = texts.map(|(row, text)| {
        let is_wrong = row.checked_sub(1).is_some_and(|row| is_wrong(state, from + row));
        let room = (width as usize).saturating_sub(2);
        let text = if is_wrong { format!("{} ✗", cut(text.trim_end(), room)) } else { text };
        Line::styled(text, style(row))
    });
    lines.collect()
}

fn details(state: &ScreenState, width: u16) -> Vec<Line<'static>> {
    let data = &state.data;
    let mut texts = Vec::new();
    if let (Some(frame), Some(stack)) = (data.frame(), data.get::<Where>()) {
        let best = frame.best_move.as_ref().map(|best| format!("best by {best}"));
        let truth = frame.truth.map(|truth| format!("truth {truth}"));
        let how = frame.how().map(str::to_owned);
        let facts = [Some(format!("frame {}", frame.ply)), best, truth, how];
        let facts: Vec<_> = facts.into_iter().flatten().collect();
        texts.extend((!stack.pv.is_empty()).then(|| format!("pv {}", words(&stack.pv))));
        texts.push(format!("{}  key {}", facts.join("  "), frame.key));
    }
    let event = data.get::<Where>().and_then(|stack| stack.event.as_ref());
    texts.extend(event.map(|event| if width < WIDE { event.short_line() } else { event.line() }));
    texts.extend(data.get::<Where>().and_then(|stack| stack.why.clone()));
    if let Some(list) = data.get::<DisplayList>().filter(|_| data.frame().is_some()) {
        let displays = list.displays.iter().map(DisplayReport::line);
        texts.extend(displays.take(DISPLAYS));
    }
    let lines = texts.iter().flat_map(|text| wrapped(text, width as usize));
    lines.map(|text| Line::styled(text, state.look.quiet)).collect()
}
