//! The panes, each a list of lines made from reports.

pub mod arena;
pub mod board;
pub mod cache;
pub mod chart;
pub mod command;
pub mod counters;
pub mod eval;
pub mod log;
pub mod stack;
pub mod tree;

use ratatui::{Frame, layout::Rect, text::Line, widgets::Paragraph};

use super::{
    app::{App, Pane},
    draw::shown,
};

/// What a pane shows.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    /// All of its lines.
    pub lines: Vec<Line<'static>>,
    /// The first that should be seen.
    pub from: usize,
}

/// The lines of a pane that has so much room.
pub fn lines(app: &App, pane: Pane, room: Rect) -> Drawn {
    let scrolled = app.scrolled[pane as usize];
    let plain = |lines| Drawn {
        lines,
        from: scrolled,
    };
    match pane {
        Pane::Stack => stack::lines(app, room),
        Pane::Tree => plain(tree::lines(app, room)),
        Pane::Cache => cache::lines(app, room),
        Pane::Log => log::lines(app, room, scrolled),
        Pane::Eval => plain(eval::lines(app, room)),
        Pane::Counters => plain(counters::lines(app, room)),
        Pane::Chart => plain(chart::lines(app, room)),
        Pane::Arena => plain(arena::lines(app, room)),
        Pane::Board | Pane::Command => Drawn::default(),
    }
}

/// Draws the lines that are seen, from one on or, where fewer are left than there is room, as many as there is room for.
/// Which one is the first.
pub fn draw_lines(
    frame: &mut Frame<'_>,
    lines: Vec<Line<'static>>,
    from: usize,
    room: Rect,
) -> usize {
    let rows = room.height as usize;
    let from = from.min(lines.len().saturating_sub(rows));
    let seen: Vec<_> = lines.into_iter().skip(from).take(rows).collect();
    frame.render_widget(Paragraph::new(shown(seen)), room);
    from
}

/// What a pane's frame says besides its name.
pub fn title(app: &App, pane: Pane) -> String {
    match pane {
        Pane::Board => board::title(app),
        Pane::Cache => cache::title(app),
        Pane::Chart => chart::title(app),
        Pane::Arena => arena::title(app),
        Pane::Command => command::title(app),
        _ => String::new(),
    }
}
