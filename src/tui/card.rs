//! Cards: a few choices in front of the board, each with a digit.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::{prelude::*, widgets::Block};

use super::{app::App, layout::Areas, lines::in_front};

/// What a key does on a card.
pub enum CardKey {
    /// Chooses this line.
    Choose(usize),
    /// Takes this line.
    Take(usize),
    /// Closes the card.
    Close,
    /// The key has no meaning there.
    Other,
}

/// The meaning of a key on a card whose lines have these digits, where the line `at` is chosen.
pub fn key(digits: &str, at: usize, event: KeyEvent) -> CardKey {
    let count = digits.len().max(1);
    match event.code {
        KeyCode::Up => CardKey::Choose((at + count - 1) % count),
        KeyCode::Down => CardKey::Choose((at + 1) % count),
        KeyCode::Enter => CardKey::Take(at),
        KeyCode::Esc => CardKey::Close,
        KeyCode::Char(sign) => digits.find(sign).map_or(CardKey::Other, CardKey::Take),
        _ => CardKey::Other,
    }
}

/// Draws a card over the board: a digit and a text a line.
pub fn draw<'a>(
    frame: &mut Frame<'_>,
    app: &App,
    areas: &Areas,
    [title, bottom]: [&str; 2],
    lines: impl IntoIterator<Item = (char, &'a str)>,
    at: usize,
) {
    let look = &app.state.look;
    let lines: Vec<_> = lines.into_iter().collect();
    let longest = lines.iter().map(|(_, text)| text.chars().count() + 5).max().unwrap_or(0);
    let width = longest.max(bottom.chars().count() + 4) as u16;
    let over = app.panes.first().and_then(|board| areas.of(board.name)).unwrap_or(areas.upper);
    let height = Constraint::Length(lines.len() as u16 + 2);
    let area = over.centered(Constraint::Length(width.min(over.width)), height);
    let block = Block::bordered().title(format!(" {title} ")).title_bottom(format!(" {bottom} "));
    let inner = in_front(frame, look, block, area);
    let lines = lines.into_iter().enumerate().map(|(place, (digit, text))| {
        let (sign, style) = if place == at { ('▸', look.selected) } else { (' ', look.text) };
        Line::styled(format!("{sign}{digit} {text}"), style)
    });
    frame.render_widget(lines.collect::<Text<'_>>(), inner);
}
