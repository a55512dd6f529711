//! The cache as a table.

use ratatui::{layout::Rect, text::Line};

use super::Drawn;
use crate::{
    engine::report::EntryReport,
    tui::{app::App, draw::cut},
    view::text::{
        Style,
        number::{count, score, score_or_none},
    },
};

const STYLE: Style = Style { ascii: false };

/// How many entries there are, in which order, and which.
pub fn title(app: &App) -> String {
    let Some(list) = &app.data.cache else {
        return String::new();
    };
    let filter = app.table.filter();
    let filter = if filter.is_empty() {
        String::new()
    } else {
        format!(" {filter}")
    };
    format!(
        "{} of {} by {}{filter}",
        count(list.matching as u64),
        count(list.total as u64),
        app.table.order()
    )
}

/// The entries. In a tab, where the frame has no room for the title, that stands below.
pub fn lines(app: &App, room: Rect) -> Drawn {
    let width = room.width as usize;
    let Some(list) = app
        .data
        .cache
        .as_ref()
        .filter(|list| !list.entries.is_empty())
    else {
        let filtered = !app.table.filter().is_empty();
        let text = if filtered {
            "No entry passes the filter."
        } else {
            "The cache is empty."
        };
        return Drawn {
            lines: vec![Line::raw(text)],
            from: 0,
        };
    };
    let height = (room.height as usize).saturating_sub(2);
    let first = first(app.table.selected, height);
    let mut lines = vec![Line::styled(cut(&head(), width), app.look.head())];
    for (place, entry) in list.entries.iter().enumerate().skip(first).take(height) {
        let chosen = place == app.table.selected;
        let line = cut(&row(entry, chosen), width);
        lines.push(if chosen {
            Line::styled(line, app.look.selected())
        } else {
            Line::raw(line)
        });
    }
    lines.push(Line::styled(cut(&title(app), width), app.look.quiet()));
    Drawn { lines, from: 0 }
}

/// The first entry seen, so that the selected one is.
pub fn first(selected: usize, height: usize) -> usize {
    (selected + 1).saturating_sub(height)
}

fn head() -> String {
    format!("  {:<17} {:>7} {:<6} {}", "key", "value", "bound", "window")
}

fn row(entry: &EntryReport, chosen: bool) -> String {
    let mark = if chosen { "▸" } else { " " };
    let window = match (entry.alpha, entry.beta) {
        (None, None) => String::new(),
        (alpha, beta) => format!(
            "[{}, {}]",
            score_or_none(alpha, STYLE),
            score_or_none(beta, STYLE)
        ),
    };
    let value = score(entry.value, STYLE);
    format!(
        "{mark} {:<17} {value:>7} {:<6} {window}",
        entry.key,
        entry.bound.unwrap_or("—")
    )
}
