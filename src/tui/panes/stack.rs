//! The search stack, the selected frame, and what stands below where there is room: counters.

use ratatui::{layout::Rect, text::Line};

use super::{Drawn, counters};
use crate::{
    engine::report::FrameReport,
    tui::{
        app::{App, Pane},
        draw::{cut, short},
        summary,
    },
    view::text::{Style, number::score},
};

/// From so many columns on scores have all their decimals.
const WIDE: usize = 56;

/// At most so many displays: the frames keep their room.
const DISPLAYS: usize = 6;

const STYLE: Style = Style { ascii: false };

/// Frames from the root to the node at hand, the selected one in sight; below it, and the counters.
pub fn lines(app: &App, room: Rect) -> Drawn {
    let width = room.width as usize;
    let mut below = details(app, width);
    if app.areas().of(Pane::Counters).is_none() {
        below.push(Line::styled("─".repeat(width), app.look.quiet()));
        below.extend(counters::lines(app, room));
    }
    let height = (room.height as usize).saturating_sub(below.len()).max(4);
    let mut lines = frames(app, width, height);
    lines.extend(below);
    Drawn { lines, from: 0 }
}

fn frames(app: &App, width: usize, height: usize) -> Vec<Line<'static>> {
    let Some(stack) = app
        .data
        .stack
        .as_ref()
        .filter(|stack| !stack.frames.is_empty())
    else {
        return nothing(app).map(Line::raw).into();
    };
    let wide = width >= WIDE;
    let rows = height.saturating_sub(1);
    // The selected frame and, where there is room, one below it are seen.
    let from = (stack.selected + 2)
        .min(stack.frames.len())
        .saturating_sub(rows);
    let mut lines = vec![Line::styled(cut(&head(wide), width), app.look.head())];
    for (place, frame) in stack.frames.iter().enumerate().skip(from).take(rows) {
        let chosen = place == stack.selected;
        let line = cut(&row(frame, chosen, wide), width);
        lines.push(if chosen {
            Line::styled(line, app.look.selected())
        } else {
            Line::raw(line)
        });
    }
    lines
}

/// The selected frame's key, and the last event.
fn details(app: &App, width: usize) -> Vec<Line<'static>> {
    let mut texts = Vec::new();
    if let Some(frame) = app.frame() {
        texts.push(format!("frame {}  key {}", frame.ply, frame.key));
    }
    if let Some(event) = app
        .data
        .stack
        .as_ref()
        .and_then(|stack| stack.event.as_ref())
    {
        texts.push(if width < WIDE {
            summary::happened(event)
        } else {
            summary::event(event)
        });
    }
    if let Some(list) = app.data.displays.as_ref().filter(|_| app.frame().is_some()) {
        texts.extend(summary::displays(list).take(DISPLAYS));
    }
    let line = |text: String| Line::styled(cut(&text, width), app.look.quiet());
    texts.into_iter().map(line).collect()
}

fn nothing(app: &App) -> [String; 3] {
    let key = |name| app.keymap.key(name).unwrap_or_default();
    [
        "No search is under way.".to_owned(),
        format!("{} starts one and stops at its first event,", key("step")),
        format!("{} runs it.", key("run")),
    ]
}

fn head(wide: bool) -> String {
    let score = if wide { 8 } else { 6 };
    format!(
        "{:>3}  {:>5} {:>score$} {:>score$} {:>score$} {:<5} {}",
        "ply", "move", "α", "β", "best", "by", "memo"
    )
}

fn row(frame: &FrameReport, chosen: bool, wide: bool) -> String {
    let mark = if chosen { "▸" } else { " " };
    let of = if frame.children == 0 {
        "—".to_owned()
    } else {
        format!("{}/{}", frame.child, frame.children)
    };
    let (columns, value) = if wide {
        (8, score as fn(_, _) -> _)
    } else {
        (6, short as fn(_, _) -> _)
    };
    let best = frame
        .best
        .map_or_else(|| "—".to_owned(), |best| value(best, STYLE));
    format!(
        "{mark}{:>2}{} {of:>5} {:>columns$} {:>columns$} {best:>columns$} {:<5} {}",
        frame.ply,
        frame.side,
        value(frame.alpha, STYLE),
        value(frame.beta, STYLE),
        frame.best_move.as_deref().unwrap_or("—"),
        memo(frame),
    )
}

fn memo(frame: &FrameReport) -> String {
    let text = format!("{:?}", frame.memo).to_lowercase();
    if text == "invalid" {
        return "inv".to_owned();
    }
    if text == "unasked" {
        "—".to_owned()
    } else {
        text
    }
}
