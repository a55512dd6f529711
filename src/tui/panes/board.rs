//! The position at hand, or that of the selected frame or cache entry; a game of a tournament while one is played.

use ratatui::{Frame, layout::Rect};

use crate::tui::{
    app::{App, Shown},
    board::BoardWidget,
};

/// What is shown.
pub fn title(app: &App) -> String {
    if let Some(board) = app.arena.board() {
        return board.phase.clone();
    }
    let side = app
        .data
        .board
        .as_ref()
        .map_or_else(String::new, |board| board.phase.clone());
    match app.shown {
        Shown::Frame => app
            .frame()
            .map_or(side, |frame| format!("frame {} of the search", frame.ply)),
        Shown::Entry => "cache entry".to_owned(),
        Shown::Position => side,
    }
}

/// What is to be done, or whose position it is; stands in the frame below the board.
pub fn words(app: &App) -> String {
    if let Some(board) = app.arena.board() {
        return board.words.clone();
    }
    let Some(board) = &app.data.board else {
        return String::new();
    };
    match app.shown {
        Shown::Position => app.board.words(board),
        Shown::Frame | Shown::Entry => board.words.clone(),
    }
}

/// The board; with a cursor where a move can be entered.
pub fn draw(frame: &mut Frame<'_>, app: &App, area: Rect) {
    let live = app.arena.board();
    let Some(board) = live.or(app.data.board.as_ref()) else {
        return;
    };
    let mut widget = BoardWidget::new(board, &app.look.theme).ascii(app.look.ascii);
    if app.shown == Shown::Position && live.is_none() {
        widget = widget.input(&app.board);
    }
    frame.render_widget(widget, area);
}
