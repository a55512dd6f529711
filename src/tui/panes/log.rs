//! What was run and what came of it, the newest below.

use ratatui::{layout::Rect, text::Line};

use super::Drawn;
use crate::tui::{app::App, draw::cut, log};

/// The lines; `back` says how many of the newest are below the pane.
pub fn lines(app: &App, room: Rect, back: usize) -> Drawn {
    let all = app.log.lines();
    if all.is_empty() {
        let text = [
            "> typed commands, * commands of keys,",
            "  their answers and ! failures appear here.",
        ];
        return Drawn {
            lines: text
                .into_iter()
                .map(|line| Line::styled(line, app.look.quiet()))
                .collect(),
            from: 0,
        };
    }
    let width = room.width as usize;
    let line = |(kind, text): &(log::Line, String)| {
        let style = match kind {
            log::Line::Typed | log::Line::Key => app.look.accent(),
            log::Line::Failure => app.look.warning(),
            log::Line::Reply => ratatui::style::Style::new(),
            log::Line::Note => app.look.quiet(),
        };
        Line::styled(cut(&format!("{}{text}", kind.mark()), width), style)
    };
    let lines: Vec<_> = all.iter().map(line).collect();
    let from = lines.len().saturating_sub(room.height as usize + back);
    Drawn { lines, from }
}
