//! What was run and what came of it, the newest below.

use ratatui::{style::Style, text::Line};

use crate::{
    engine::reply::Reply,
    tui::{
        layout::PaneSlot,
        log::LogLine,
        pane::{Pane, Scroll, Tag, cut},
        state::ScreenState,
    },
};

static TAG: Tag = Tag {
    name: "log",
    keys: "5",
    about: "the log",
    place: PaneSlot::Middle(ratatui::layout::Constraint::Fill(3)),
};

/// The log, as far as it is seen.
#[derive(Debug, Default)]
pub struct LogPane(Scroll);

impl Pane for LogPane {
    fn tag(&self) -> &'static Tag {
        &TAG
    }

    fn lines(&self, state: &ScreenState, width: u16) -> Vec<Line<'static>> {
        let all = state.log.lines();
        if all.is_empty() {
            return [
                "> typed commands, * commands of keys,",
                "  their answers and ! failures appear here.",
            ]
            .map(|text| Line::styled(text, state.look.quiet))
            .into();
        }
        let lines = all.iter().map(|(kind, text)| {
            let style = match kind {
                LogLine::Typed | LogLine::Key => state.look.accent,
                LogLine::Failure => state.look.warning,
                LogLine::Reply => Style::new(),
                LogLine::Note => state.look.quiet,
            };
            Line::styled(cut(&format!("{}{text}", kind.mark()), width as usize), style)
        });
        lines.collect()
    }

    fn scrolled(&self) -> Option<&Scroll> {
        Some(&self.0)
    }

    fn hear(&mut self, _: Option<&dyn Reply>) -> bool {
        self.0.to_bottom();
        false
    }
}
