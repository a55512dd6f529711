//! The cache as a table.

use ratatui::{layout::Rect, text::Line};
use unicode_width::UnicodeWidthStr as _;

use super::Drawn;
use crate::{
    engine::report::{EntryReport, Score},
    tui::{
        app::App,
        draw::{cut, short},
    },
    view::text::{
        Style,
        number::{count, score},
    },
};

/// From so many columns on nothing is abbreviated.
const WIDE: usize = 56;

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
        "{} of {} in {} order{filter}",
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
        let text = match &app.data.cache_fault {
            Some(fault) => fault,
            None if filtered => "No entry passes the filter.",
            None => "The cache is empty.",
        };
        return Drawn {
            lines: wrapped(text, width),
            from: 0,
        };
    };
    let wide = width >= WIDE;
    let height = (room.height as usize).saturating_sub(2);
    let first = first(app.table.selected, height);
    let mut lines = vec![Line::styled(cut(&head(wide), width), app.look.head())];
    let shown = (list.offset..).zip(&list.entries);
    for (place, entry) in shown.skip_while(|(place, _)| *place < first).take(height) {
        let chosen = place == app.table.selected;
        let line = cut(&row(entry, chosen, wide), width);
        lines.push(if chosen {
            Line::styled(line, app.look.selected())
        } else {
            Line::raw(line)
        });
    }
    lines.push(Line::styled(cut(&title(app), width), app.look.quiet()));
    Drawn { lines, from: 0 }
}

/// A text on as many lines as it takes.
fn wrapped(text: &str, width: usize) -> Vec<Line<'static>> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let fits = lines
            .last()
            .is_some_and(|line| line.is_empty() || line.width() + 1 + word.width() <= width);
        if !fits {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.into_iter().map(Line::raw).collect()
}

/// The first entry seen, so that the selected one is.
pub fn first(selected: usize, height: usize) -> usize {
    (selected + 1).saturating_sub(height)
}

fn head(wide: bool) -> String {
    if wide {
        format!("  {:<17} {:>8} {:<6} {}", "key", "value", "bound", "window")
    } else {
        format!(" {:<17} {:>7} {}", "key", "value", "window")
    }
}

/// Where there is little room a sign tells the bound, and the window does without blanks.
fn row(entry: &EntryReport, chosen: bool, wide: bool) -> String {
    let mark = if chosen { "▸" } else { " " };
    let window = |number: fn(Score, Style) -> String, comma: &str| {
        let end = |end: Option<Score>| end.map_or_else(|| "—".to_owned(), |end| number(end, STYLE));
        match (entry.alpha, entry.beta) {
            // Without a window it is the depth that says how far the value reaches.
            (None, None) if entry.key.contains(':') => String::new(),
            (None, None) => entry
                .depth
                .map_or_else(String::new, |depth| format!("depth {depth}")),
            (alpha, beta) => format!("[{}{comma}{}]", end(alpha), end(beta)),
        }
    };
    if wide {
        let (value, window) = (score(entry.value, STYLE), window(score, ", "));
        return format!(
            "{mark} {:<17} {value:>8} {:<6} {window}",
            entry.key,
            entry.bound.unwrap_or("—")
        );
    }
    let sign = match entry.bound {
        Some("lower") => "≥",
        Some("upper") => "≤",
        _ => " ",
    };
    let (value, window) = (short(entry.value, STYLE), window(short, ","));
    format!(
        "{mark}{:<17} {:>7} {window}",
        entry.key,
        format!("{sign}{value}")
    )
}
