//! What was run and what came of it, the newest below.

use ratatui::{Frame, layout::Rect, style::Style, text::Line, widgets::Paragraph};

use crate::tui::{
    layout::{Areas, PaneSlot},
    log,
    news::News,
    pane::{Pane, Tag, cut, shown},
    state::ScreenState,
};

static TAG: Tag = Tag {
    name: "log",
    keys: "5",
    about: "the log",
    place: PaneSlot::Middle(ratatui::layout::Constraint::Fill(3)),
};

/// The log, as far as it is seen.
#[derive(Debug, Default)]
pub struct LogPane {
    /// How many of the newest lines are below the pane.
    back: usize,
    /// The first line seen, of how many, when it was drawn.
    place: std::cell::Cell<(usize, usize)>,
}

impl Pane for LogPane {
    fn tag(&self) -> &'static Tag {
        &TAG
    }

    fn draw(&self, frame: &mut Frame<'_>, state: &ScreenState, _: &Areas, room: Rect) {
        let all = state.log.lines();
        if all.is_empty() {
            let text = "> typed commands, * commands of keys,\n  their answers and ! failures appear here.";
            return frame.render_widget(Paragraph::new(text).style(state.look.quiet()), room);
        }
        let rows = room.height as usize;
        let most = all.len().saturating_sub(rows);
        let from = most.saturating_sub(self.back);
        self.place.set((from, most));
        let lines = all.iter().skip(from).take(rows).map(|(kind, text)| {
            let style = match kind {
                log::LogLine::Typed | log::LogLine::Key => state.look.accent(),
                log::LogLine::Failure => state.look.warning(),
                log::LogLine::Reply => Style::new(),
                log::LogLine::Note => state.look.quiet(),
            };
            let text = format!("{}{text}", kind.mark());
            Line::styled(cut(&text, room.width as usize), style)
        });
        frame.render_widget(Paragraph::new(shown(lines.collect::<Vec<_>>())), room);
    }

    fn scrolled(&self) -> Option<(usize, usize)> {
        Some(self.place.get())
    }

    fn scroll(&mut self, state: &mut ScreenState, by: isize) {
        let most = state.log.lines().len().saturating_sub(1);
        self.back = self.back.saturating_add_signed(-by).min(most);
    }

    fn hear(&mut self, _: &News<'_>) -> bool {
        self.back = 0;
        false
    }
}
