//! The search stack, the selected frame, and what stands below where there is room: counters.

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    text::Line,
    widgets::Paragraph,
};

use super::counters;
use crate::{
    engine::reply::{DisplayList, DisplayReport, FrameReport, Outcome, Score, Where},
    text::{
        Style,
        number::{score, window},
    },
    tui::{
        keymap::{Binding, run},
        layout::{Areas, PaneSlot},
        pane::{Pane, STYLE, Tag, cut, line, short, shown},
        state::ScreenState,
    },
};

static TAG: Tag = Tag { name: "stack", keys: "2", about: "the search stack", place: PaneSlot::Top };

/// From so many columns on scores have all their decimals.
const WIDE: u16 = 56;
/// At most so many displays: the frames keep their room.
const DISPLAYS: usize = 6;
/// So many rows the frames have at least.
const LEAST: usize = 4;

/// The search stack.
#[derive(Debug, Default)]
pub struct StackPane;

impl Pane for StackPane {
    fn tag(&self) -> &'static Tag {
        &TAG
    }

    fn wants(&self, _: &ScreenState) -> Vec<String> {
        counters::WANTS.into_iter().chain(["display"]).map(str::to_owned).collect()
    }

    fn draw(&self, frame: &mut Frame<'_>, state: &ScreenState, areas: &Areas, room: Rect) {
        let mut below = details(state, room.width);
        if areas.of(counters::TAG.name).is_none() {
            let rule = "─".repeat(room.width as usize);
            below.push(Line::styled(rule, state.look.quiet));
            below.extend(counters::lines(state, room.width));
        }
        let height = (room.height as usize).saturating_sub(below.len()).max(LEAST);
        let frames = frames(state, room.width, height);
        let [above, rest] =
            Layout::vertical([Constraint::Length(frames.len() as u16), Constraint::Fill(1)])
                .areas(room);
        frame.render_widget(Paragraph::new(shown(frames)), above);
        frame.render_widget(Paragraph::new(shown(below)), rest);
    }

    fn bindings(&self) -> Vec<Binding> {
        [
            run("frame-up", "up k", "up", "selects the frame nearer to the root"),
            run("frame-down", "down j", "down", "selects the frame farther from the root"),
            run("frame-root", "home g", "frame 0", "selects the root"),
            run("frame-show", "enter", "frame", "shows the selected frame on the board"),
        ]
        .map(|row| row.of(TAG.name))
        .into()
    }
}

/// Frames from the root to the node at hand, the selected one in sight.
fn frames(state: &ScreenState, width: u16, height: usize) -> Vec<Line<'static>> {
    let frames = state.data.frames();
    if frames.is_empty() {
        return [
            "No search is under way.".to_owned(),
            format!("{} starts one and stops at its first event,", state.key("step")),
            format!("{} runs it.", state.key("run")),
        ]
        .map(Line::raw)
        .into();
    }
    let selected = state.data.get::<Where>().map_or(0, |stack| stack.selected);
    let rows = height.saturating_sub(1);
    // The selected frame and, where there is room, one below it are seen.
    let from = (selected + 2).min(frames.len()).saturating_sub(rows);
    let columns = columns(width);
    let head = format!(
        "{:>3}  {:>5} {:>columns$} {:>columns$} {:>columns$} {:<5} {}",
        "ply", "move", "α", "β", "best", "by", "memo"
    );
    let mut lines = vec![line(head, width).style(state.look.head)];
    for (place, frame) in frames.iter().enumerate().skip(from).take(rows) {
        let text = cut(&row(frame, place == selected, columns), width as usize);
        lines.push(if place == selected {
            Line::styled(text, state.look.selected)
        } else {
            Line::raw(text)
        });
    }
    lines
}

/// The width of a score: with seven columns no distance to mate has to be shortened.
const fn columns(width: u16) -> usize {
    match width {
        WIDE.. => 8,
        45.. => 7,
        _ => 6,
    }
}

fn row(frame: &FrameReport, chosen: bool, columns: usize) -> String {
    let mark = if chosen { "▸" } else { " " };
    let of = match frame.children {
        0 => "—".to_owned(),
        children => format!("{}/{children}", frame.child),
    };
    let value: fn(Score, Style) -> String = match columns {
        8 => |value, style| score(value, style),
        7 => |value, style| short(value, 7, style),
        _ => |value, style| short(value, 6, style),
    };
    let [alpha, beta] = window([frame.alpha, frame.beta], value, STYLE);
    let best = frame.best.map_or("—".to_owned(), |best| value(best, STYLE));
    let memo = match frame.memo {
        Outcome::Hit => "hit",
        Outcome::Miss => "miss",
        Outcome::Invalid => "inv",
        Outcome::Unasked => "—",
    };
    format!(
        "{mark}{:>2}{} {of:>5} {alpha:>columns$} {beta:>columns$} {best:>columns$} {:<5} {memo}",
        frame.ply,
        frame.side.letter(),
        frame.best_move.as_deref().unwrap_or("—"),
    )
}

/// The selected frame's key, the last event, and the displays.
fn details(state: &ScreenState, width: u16) -> Vec<Line<'static>> {
    let data = &state.data;
    let mut texts = Vec::new();
    if let Some(frame) = data.frame() {
        texts.push(format!("frame {}  key {}", frame.ply, frame.key));
    }
    let event = data.get::<Where>().and_then(|stack| stack.event.as_ref());
    texts.extend(event.map(
        |event| {
            if width < WIDE { event.happened(STYLE) } else { event.line(STYLE) }
        },
    ));
    if let Some(list) = data.get::<DisplayList>().filter(|_| data.frame().is_some()) {
        let displays = list.displays.iter().map(DisplayReport::line);
        texts.extend(displays.take(DISPLAYS));
    }
    let quiet = |text: String| line(text, width).style(state.look.quiet);
    texts.into_iter().map(quiet).collect()
}
