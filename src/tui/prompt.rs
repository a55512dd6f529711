//! Questions in front of the panes.

use ratatui::{
    Frame,
    layout::{Position, Rect},
    text::Line,
    widgets::{Block, Clear, Paragraph},
};
use unicode_width::UnicodeWidthStr;

use super::{app::App, draw};

/// Whether to leave although something is not saved.
pub fn leave(frame: &mut Frame<'_>, app: &App, screen: Rect) {
    let lines = [
        "There is work that is not saved.",
        "",
        "y leave without saving   s save   n stay",
    ];
    ask(frame, app, screen, "Leave?", &lines);
}

/// Which entries the cache table shows.
pub fn filter(frame: &mut Frame<'_>, app: &App, screen: Rect, text: &str) {
    let lines = [
        &format!("> {text}"),
        "",
        "depth>=2 and value<0 and stones=9, key=99 …",
        "Enter shows those only, Esc changes nothing",
    ];
    let inner = ask(frame, app, screen, "Entries to show", &lines);
    let column = inner.x + 2 + text.width() as u16;
    frame.set_cursor_position(Position::new(column.min(inner.right()), inner.y));
}

fn ask(frame: &mut Frame<'_>, app: &App, screen: Rect, title: &str, lines: &[&str]) -> Rect {
    let area = draw::centred(screen, 48.min(screen.width), lines.len() as u16 + 2);
    let block = Block::bordered()
        .title(format!(" {title} "))
        .border_style(app.look.accent());
    let inner = block.inner(area);
    frame.render_widget(Clear, area);
    frame.buffer_mut().set_style(area, app.look.theme.text);
    frame.render_widget(block, area);
    let lines: Vec<_> = lines
        .iter()
        .map(|line| Line::raw((*line).to_owned()))
        .collect();
    frame.render_widget(Paragraph::new(draw::shown(lines)), inner);
    inner
}
