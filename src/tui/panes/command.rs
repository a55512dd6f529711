//! The command pane: the screen of the line editor's pseudo-terminal, cell by cell.

use ratatui::{
    Frame,
    layout::{Position, Rect},
    style::{Color, Modifier, Style},
};
use vt100::{Cell, Screen};

use crate::{
    tui::app::{App, Pane},
    view::Colour,
};

/// Whether commands wait.
pub fn title(app: &App) -> String {
    match app.waiting {
        0 => String::new(),
        waiting => format!("{waiting} waiting"),
    }
}

/// Copies the screen, and puts the cursor where the editor has it.
pub fn draw(frame: &mut Frame<'_>, app: &App, area: Rect, screen: Option<&Screen>) {
    let Some(screen) = screen else {
        return;
    };
    let buffer = frame.buffer_mut();
    for row in 0..area.height {
        for column in 0..area.width {
            if let Some(cell) = screen.cell(row, column)
                && let Some(target) = buffer.cell_mut((area.x + column, area.y + row))
            {
                copy(cell, target, column + 1 == area.width, app);
            }
        }
    }
    let (row, column) = screen.cursor_position();
    let seen = row < area.height && column < area.width && screen.scrollback() == 0;
    if app.focus == Pane::Command && app.overlay.is_none() && seen && !screen.hide_cursor() {
        frame.set_cursor_position(Position::new(area.x + column, area.y + row));
    }
}

fn copy(cell: &Cell, target: &mut ratatui::buffer::Cell, last: bool, app: &App) {
    if cell.is_wide_continuation() {
        target.set_symbol(" ");
    } else if cell.has_contents() && !(cell.is_wide() && last) {
        target.set_symbol(cell.contents());
    } else {
        target.set_symbol(" ");
    }
    target.set_style(style(cell, app));
}

fn style(cell: &Cell, app: &App) -> Style {
    let mut style = app.look.theme.text;
    if app.look.colour() == Colour::On {
        style.fg = color(cell.fgcolor()).or(style.fg);
        style.bg = color(cell.bgcolor()).or(style.bg);
    }
    let modifiers = [
        (cell.bold(), Modifier::BOLD),
        (cell.dim(), Modifier::DIM),
        (cell.italic(), Modifier::ITALIC),
        (cell.underline(), Modifier::UNDERLINED),
        (cell.inverse(), Modifier::REVERSED),
    ];
    for (_, modifier) in modifiers.into_iter().filter(|(on, _)| *on) {
        style = style.add_modifier(modifier);
    }
    style
}

fn color(color: vt100::Color) -> Option<Color> {
    match color {
        vt100::Color::Default => None,
        vt100::Color::Idx(index) => Some(Color::Indexed(index)),
        vt100::Color::Rgb(r, g, b) => Some(Color::Rgb(r, g, b)),
    }
}
