//! The search stack, the selected frame, and what stands below where there is room: counters.

use ratatui::{layout::Rect, text::Line};

use super::{Drawn, counters};
use crate::{
    engine::report::FrameReport,
    tui::{
        app::{App, Pane},
        draw::cut,
        summary,
    },
    view::text::{
        Style,
        number::{score, score_or_none},
    },
};

const STYLE: Style = Style { ascii: false };

/// Frames from the root to the node at hand.
pub fn lines(app: &App, room: Rect) -> Drawn {
    let width = room.width as usize;
    let mut lines = Vec::new();
    let mut selected = 0;
    match &app.data.stack {
        Some(stack) if !stack.frames.is_empty() => {
            lines.push(Line::styled(head(), app.look.head()));
            for (place, frame) in stack.frames.iter().enumerate() {
                let chosen = place == stack.selected;
                let line = cut(&row(frame, chosen), width);
                lines.push(if chosen {
                    selected = lines.len();
                    Line::styled(line, app.look.selected())
                } else {
                    Line::raw(line)
                });
            }
            if let Some(frame) = app.frame() {
                lines.push(Line::styled(
                    cut(&format!("frame {}  key {}", frame.ply, frame.key), width),
                    app.look.quiet(),
                ));
            }
            if let Some(event) = &stack.event {
                lines.push(Line::styled(
                    cut(&summary::event(event), width),
                    app.look.quiet(),
                ));
            }
        }
        _ => lines.extend(nothing(app).map(Line::raw)),
    }
    if app.areas().of(Pane::Counters).is_none() {
        lines.push(Line::styled("─".repeat(width), app.look.quiet()));
        lines.extend(counters::lines(app, room));
    }
    let height = room.height as usize;
    let from = if selected + 3 >= height {
        selected + 4 - height.max(4)
    } else {
        0
    };
    Drawn { lines, from }
}

fn nothing(app: &App) -> [String; 3] {
    let key = |name| app.keymap.key(name).unwrap_or_default();
    [
        "No search is under way.".to_owned(),
        format!("{} starts one and stops at its first event,", key("step")),
        format!("{} runs it.", key("run")),
    ]
}

fn head() -> String {
    format!(
        "  {:>3} {} {:>6} {:>7} {:>7} {:>7} {:<6} {}",
        "ply", "s", "move", "α", "β", "best", "by", "memo"
    )
}

fn row(frame: &FrameReport, chosen: bool) -> String {
    let mark = if chosen { "▸" } else { " " };
    let of = if frame.children == 0 {
        "—".to_owned()
    } else {
        format!("{}/{}", frame.child, frame.children)
    };
    format!(
        "{mark} {:>3} {} {:>6} {:>7} {:>7} {:>7} {:<6} {}",
        frame.ply,
        frame.side,
        of,
        score(frame.alpha, STYLE),
        score(frame.beta, STYLE),
        score_or_none(frame.best, STYLE),
        frame.best_move.as_deref().unwrap_or("—"),
        memo(frame),
    )
}

fn memo(frame: &FrameReport) -> String {
    let text = format!("{:?}", frame.memo).to_lowercase();
    if text == "unasked" {
        "—".to_owned()
    } else {
        text
    }
}
