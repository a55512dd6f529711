//! The line at the bottom: the last word, or the keys that matter here.

use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::{
    app::{App, Overlay, Pane, Shown},
    draw::cut,
    log,
};

/// Actions and what the footer calls them, the most important first.
const GLOBAL: &[(&str, &str)] = &[
    ("help", "help"),
    ("next-pane", "pane"),
    ("command", "command"),
    ("step", "step"),
    ("over", "over"),
    ("out", "out"),
    ("back", "back"),
    ("continue", "continue"),
    ("run", "run"),
    ("zoom", "zoom"),
    ("quit", "quit"),
];
const COMMAND: &[(&str, &str)] = &[
    ("help", "help"),
    ("next-pane", "pane"),
    ("step-any", "step"),
    ("over-any", "over"),
    ("out-any", "out"),
    ("continue-any", "continue"),
    ("interrupt", "cancel"),
    ("zoom-any", "zoom"),
];
const CACHE: &[(&str, &str)] = &[
    ("help", "help"),
    ("next-pane", "pane"),
    ("entry-show", "show"),
    ("entry-edit", "edit"),
    ("entry-remove", "remove"),
    ("entry-sort", "sort"),
    ("entry-filter", "filter"),
    ("quit", "quit"),
];
const BOARD: &[(&str, &str)] = &[
    ("help", "help"),
    ("next-pane", "pane"),
    ("undo", "undo"),
    ("step", "step"),
    ("quit", "quit"),
];
const RUNNING: &[(&str, &str)] = &[
    ("interrupt", "stop"),
    ("next-pane", "pane"),
    ("help", "help"),
];

/// The line.
pub fn line(app: &App, width: u16) -> Line<'static> {
    if let Some((kind, text)) = &app.status {
        let style = match kind {
            log::Line::Failure => app.look.warning(),
            _ => app.look.accent(),
        };
        return Line::styled(
            cut(&format!(" {}{text}", kind.mark()), width as usize),
            style,
        );
    }
    let names = match (&app.overlay, app.focus) {
        (Some(Overlay::Help { .. }), _) => {
            return Line::raw(" type to filter  ↑↓ scroll  Esc closes");
        }
        (Some(_), _) => return Line::raw(""),
        (None, _) if app.searching || app.busy.is_some() => RUNNING,
        (None, Pane::Command) => COMMAND,
        (None, Pane::Cache) => CACHE,
        (None, _) => GLOBAL,
    };
    if app.focus == Pane::Board
        && app.overlay.is_none()
        && (app.board.is_setup() || app.shown == Shown::Position)
    {
        let mut line = Line::raw(format!(" {}  ", app.board.keys()));
        let rest = (width as usize).saturating_sub(line.width());
        line.extend(keys(app, BOARD, rest));
        return line;
    }
    keys(app, names, width as usize)
}

/// As many as there is room for.
fn keys(app: &App, names: &[(&str, &str)], width: usize) -> Line<'static> {
    let mut spans = Vec::new();
    let mut room = width;
    for (action, text) in names {
        let Some(key) = app.keymap.key(action) else {
            continue;
        };
        let needed = key.width() + text.width() + 3;
        if needed > room {
            continue;
        }
        room -= needed;
        spans.push(Span::styled(format!(" {key}"), app.look.accent()));
        spans.push(Span::raw(format!(" {text} ")));
    }
    Line::from(spans)
}
