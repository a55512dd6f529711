//! The line at the top: game, side to move, what the search does, the session's file.

use ratatui::{
    style::Modifier,
    text::{Line, Span},
};
use unicode_width::UnicodeWidthStr;

use super::{app::App, draw::cut};
use crate::view::text::number::count;

/// The line.
pub fn line(app: &App, width: u16) -> Line<'static> {
    let left = left(app);
    let state = state(app);
    let right = right(app);
    let used = left.width() + state.width() + right.width();
    let gap = (width as usize).saturating_sub(used);
    let line = if gap > 0 {
        format!("{left}{state}{}{right}", " ".repeat(gap))
    } else {
        let rest = (width as usize).saturating_sub(left.width());
        let cut = cut(&state, rest);
        let gap = rest.saturating_sub(cut.width());
        format!("{left}{cut}{}", " ".repeat(gap))
    };
    Line::from(Span::styled(
        line,
        app.look.accent().add_modifier(Modifier::REVERSED),
    ))
}

fn left(app: &App) -> String {
    let Some(position) = &app.data.position else {
        return " PLYSCOPE ".to_owned();
    };
    let name = match position.game.as_str() {
        "morris" => "NINE MEN'S MORRIS".to_owned(),
        other => other.to_uppercase(),
    };
    let side = match (position.finished, position.side.as_str()) {
        (true, _) => "over",
        (false, "w") => "White",
        (false, _) => "Black",
    };
    format!(" {name}  ply {}  {side}  ", position.undo)
}

/// What the search does, in words and a sign.
fn state(app: &App) -> String {
    if let Some((command, seconds)) = &app.busy {
        return format!("… BUSY {seconds} s: {command}");
    }
    let Some(run) = &app.data.run else {
        return "· no search".to_owned();
    };
    if app.searching {
        return format!(
            "▸ RUNNING depth {}  {} nodes",
            run.depth + 1,
            count(run.nodes)
        );
    }
    let branch = run.timeline.as_ref();
    let branch = branch.map_or_else(String::new, |name| format!(", timeline {name}"));
    match (&app.halted, run.stopped.as_ref().map(|stop| stop.name())) {
        (Some(halted), _) => format!("‖ {halted} at event {}{branch}", last(run.events)),
        (None, Some(why)) => format!("■ DONE: {why}  {} events{branch}", count(run.events)),
        (None, None) => format!("‖ PAUSED at event {}{branch}", last(run.events)),
    }
}

/// Events count from 0.
fn last(events: u64) -> String {
    count(events.saturating_sub(1))
}

fn right(app: &App) -> String {
    let name = app.file.as_ref().and_then(|file| file.file_name());
    let name = name.map_or_else(
        || "no file".to_owned(),
        |name| name.to_string_lossy().into_owned(),
    );
    let changed = if app.unsaved { " [+]" } else { "" };
    format!("  {name}{changed} ")
}
