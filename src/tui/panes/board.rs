//! The position at hand, or that of the selected frame or cache entry.

use ratatui::{layout::Rect, text::Line};
use unicode_width::UnicodeWidthStr;

use crate::tui::{
    app::{App, Shown},
    draw::cut,
};

/// What is shown.
pub fn title(app: &App) -> String {
    match app.shown {
        Shown::Frame => app.frame().map_or_else(String::new, |frame| {
            format!("frame {} of the search", frame.ply)
        }),
        Shown::Entry => "cache entry".to_owned(),
        Shown::Position => app
            .data
            .position
            .as_ref()
            .map_or_else(String::new, |position| position.phase.clone()),
    }
}

/// The board, centred, with a line of words below.
pub fn lines(app: &App, room: Rect) -> Vec<Line<'static>> {
    let (board, words) = board(app).unwrap_or_default();
    let width = board.lines().map(UnicodeWidthStr::width).max().unwrap_or(0);
    let indent = (room.width as usize).saturating_sub(width) / 2;
    let mut lines: Vec<_> = board
        .lines()
        .map(|line| Line::raw(format!("{}{line}", " ".repeat(indent))))
        .collect();
    lines.push(Line::styled(
        cut(&words, room.width as usize),
        app.look.quiet(),
    ));
    lines
}

fn board(app: &App) -> Option<(String, String)> {
    let pick = |unicode: &str, ascii: &str| {
        if app.look.ascii {
            ascii.to_owned()
        } else {
            unicode.to_owned()
        }
    };
    match app.shown {
        Shown::Frame if app.frame().is_some() => {
            let frame = app.frame()?;
            Some((pick(&frame.board, &frame.board_ascii), frame.state.clone()))
        }
        Shown::Entry => {
            let edit = app.data.entry.as_ref()?;
            let (unicode, ascii) = (edit.board.as_ref()?, edit.board_ascii.as_ref()?);
            let entry = edit.entry.as_ref().or(edit.previous.as_ref());
            let state = entry
                .and_then(|entry| entry.state.clone())
                .unwrap_or_default();
            Some((pick(unicode, ascii), state))
        }
        _ => {
            let position = app.data.position.as_ref()?;
            Some((
                pick(&position.board, &position.board_ascii),
                position.words.clone(),
            ))
        }
    }
}
