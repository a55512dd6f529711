//! The log pane, in which the newest line is the last.

use ratatui::{Frame, layout::Rect, style::Style, text::Line, widgets::Paragraph};

use crate::{
    engine::session::reply::Reply,
    tui::{
        log::LogLine,
        pane::{Areas, Pane, ScreenState, Scroll, cut},
    },
};

#[derive(Debug, Default)]
pub struct LogPane(Scroll);

impl Pane for LogPane {
    fn rows_needed(&self, state: &ScreenState, _: u16) -> usize {
        state.log.lines().len().clamp(3, 8)
    }

    fn draw(&self, frame: &mut Frame<'_>, state: &ScreenState, _: &Areas, room: Rect) {
        let all = state.log.lines();
        if all.is_empty() {
            let text = "> typed commands, * commands of keys,\n  their answers and ! failures appear here.";
            return frame.render_widget(Paragraph::new(text).style(state.look.quiet), room);
        }
        let lines = all.iter().map(|(kind, text)| {
            let style = match kind {
                LogLine::Typed | LogLine::Key => state.look.title,
                LogLine::Failure => state.look.warning,
                LogLine::Reply => Style::new(),
                LogLine::Note => state.look.quiet,
            };
            Line::styled(cut(&format!("{}{text}", kind.mark()), room.width as usize), style)
        });
        self.0.follow();
        self.0.draw(frame, lines, room);
    }

    fn scrolled(&self) -> Option<&Scroll> {
        Some(&self.0)
    }

    fn on_reply(&mut self, _: Option<&dyn Reply>) -> bool {
        self.0.to_bottom();
        false
    }
}
