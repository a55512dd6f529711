//! The log pane, in which the newest line is the last.

use ratatui::{Frame, layout::Rect, style::Style, text::Line};

use crate::{
    engine::session::reply::Reply,
    tui::{
        layout::{Arrangement, HIGH},
        log::LogLine,
        pane::{Areas, Pane, ScreenState, Scroll},
        sheet::fitted_lines,
    },
};

/// The rows of the log beside a game on a high screen.
const HIGH_ROWS: usize = 12;

#[derive(Debug, Default)]
pub struct LogPane(Scroll);

impl Pane for LogPane {
    fn rows_needed(&self, state: &ScreenState, _: u16) -> usize {
        // Beside a game, a high screen has rows to spare. Their number is fixed, so that no pane moves while the log grows.
        if state.arrangement() == Arrangement::Play && state.size.1 >= HIGH {
            return HIGH_ROWS;
        }
        state.log.lines().len().clamp(3, 8)
    }

    fn draw(&self, frame: &mut Frame<'_>, state: &ScreenState, _: &Areas, room: Rect) {
        let lines = state.log.lines().iter().flat_map(|(kind, text)| {
            let style = match kind {
                LogLine::Typed | LogLine::Key => state.look.title,
                LogLine::Failure => state.look.warning,
                LogLine::Reply => Style::new(),
                LogLine::Note => state.look.quiet,
            };
            let lines = fitted_lines(&format!("{}{text}", kind.mark()), room.width.into());
            lines.into_iter().map(move |text| Line::styled(text, style))
        });
        let lines: Vec<_> = lines.collect();
        self.0.follow();
        self.0.draw(frame, lines, room);
    }

    fn scrolled(&self) -> Option<&Scroll> {
        Some(&self.0)
    }

    fn footer(&self, _: &ScreenState) -> &'static str {
        "position:game"
    }

    fn on_reply(&mut self, _: Option<&dyn Reply>) -> bool {
        self.0.to_bottom();
        false
    }
}
