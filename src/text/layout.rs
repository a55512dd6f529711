//! Paragraphs, lists and boards that fit the width of a terminal.

use std::{cell::Cell, fmt::Display};

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::number;

/// The usual width of a page in columns: 80, less the border of a pane.
pub const WIDTH: usize = 78;

/// The least width of a page, below which words would have to be broken.
const NARROWEST: usize = 24;

thread_local! {
    static PAGE: Cell<usize> = const { Cell::new(WIDTH) };
}

/// The current width of the page in columns: [`WIDTH`], or the one of [`on_page`].
pub fn page_width() -> usize {
    PAGE.get()
}

/// Sets the width of the page in columns during a call of `lay_out`.
pub fn on_page<T>(columns: usize, lay_out: impl FnOnce() -> T) -> T {
    let before = PAGE.replace(columns.max(NARROWEST));
    let laid_out = lay_out();
    PAGE.set(before);
    laid_out
}

/// The number of spaces between two parts of a line.
const GAP: usize = 2;

/// The width of a text in columns.
pub fn width(text: &str) -> usize {
    text.width()
}

/// A string of spaces.
pub fn blank(columns: usize) -> String {
    " ".repeat(columns)
}

/// A value as text; an empty text for `None`.
pub fn or_empty(value: Option<impl Display>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// A value as text; `—` for `None`.
pub fn or_dash(value: Option<impl Display>) -> String {
    value.map_or_else(|| "—".to_owned(), |value| value.to_string())
}

/// A text with the blanks between a number and its sign, where no line ends, as non-breaking ones.
pub fn unbroken(text: &str) -> String {
    text.replace(" %", "\u{a0}%").replace("≤ ", "≤\u{a0}").replace("≥ ", "≥\u{a0}")
}

/// Breaks a text into lines after `lead`; all lines but the first are indented by the width of `lead`.
pub fn wrap(lead: &str, text: &str) -> String {
    let text = unbroken(text);
    let words = text.split_ascii_whitespace().map(|word| (1, word.replace('\u{a0}', " ")));
    fill(lead, width(lead), page_width(), words)
}

/// Lines of parts after `lead`, two spaces apart; only a part longer than a line is broken. Empty if there are no parts.
pub fn flow<T: AsRef<str>>(lead: &str, pieces: impl IntoIterator<Item = T>) -> String {
    let parts = unbreakable(pieces, page_width().saturating_sub(width(lead)));
    let is_empty = parts.iter().all(|(_, part)| part.is_empty());
    if is_empty { String::new() } else { fill(lead, width(lead), page_width(), parts) }
}

/// Parts on a line, two spaces apart; further lines are indented.
pub fn headline<T: AsRef<str>>(pieces: impl IntoIterator<Item = T>) -> String {
    fill("", GAP, page_width(), unbreakable(pieces, page_width() - GAP))
}

/// Lines of parts, each line at most `columns` wide; parts are never broken.
pub fn packed(pieces: impl Iterator<Item = String>, columns: usize) -> Vec<String> {
    let text = fill("", 0, columns, pieces.map(|piece| (GAP, piece)));
    text.lines().map(str::to_owned).collect()
}

/// Parts that cannot be broken, each with the number of spaces before it.
fn unbreakable<T: AsRef<str>>(
    pieces: impl IntoIterator<Item = T>,
    room: usize,
) -> Vec<(usize, String)> {
    let mut parts = Vec::new();
    for piece in pieces {
        let piece = piece.as_ref();
        if width(piece) <= room {
            parts.push((GAP, piece.to_owned()));
            continue;
        }
        for (place, word) in piece.split_whitespace().enumerate() {
            parts.push((if place == 0 { GAP } else { 1 }, word.to_owned()));
        }
    }
    parts
}

/// Fills lines with parts, each with the number of spaces before it; no spaces are written at the beginning of a line.
fn fill(
    lead: &str,
    indent: usize,
    columns: usize,
    parts: impl IntoIterator<Item = (usize, String)>,
) -> String {
    let mut text = lead.to_owned();
    let mut used = width(lead);
    let mut is_first = true;
    for (gap, part) in parts.into_iter().filter(|(_, part)| !part.is_empty()) {
        let needed = width(&part);
        if is_first {
            used += needed;
        } else if used + gap + needed <= columns {
            text.push_str(&blank(gap));
            used += gap + needed;
        } else {
            text.push('\n');
            text.push_str(&blank(indent));
            used = indent + needed;
        }
        text.push_str(&part);
        is_first = false;
    }
    text.truncate(text.trim_end().len());
    text
}

/// A time in milliseconds, if there is one, and further parts.
pub fn timing(ms: Option<f64>, more: impl IntoIterator<Item = String>) -> String {
    let lead = if ms.is_some() { "time " } else { "" };
    flow(lead, ms.map(number::time).into_iter().chain(more))
}

/// Cells in as many columns as fit on the page, filled column by column.
pub fn grid(cells: &[String]) -> String {
    let widest = cells.iter().map(|cell| width(cell)).max().unwrap_or(0);
    let across = ((page_width() + GAP) / (widest + GAP)).max(1);
    let height = cells.len().div_ceil(across).max(1);
    let row = |y: usize| {
        let cells = cells.iter().skip(y).step_by(height);
        let padded: Vec<_> = cells.map(|cell| pad(cell, widest)).collect();
        padded.join(&blank(GAP)).trim_end().to_owned()
    };
    lines((0..height).map(row))
}

/// Pads a text with spaces on the right, up to a width.
pub fn pad(text: &str, columns: usize) -> String {
    format!("{text}{}", blank(columns.saturating_sub(width(text))))
}

/// Names below each other, each with a wrapped text beside it.
pub fn named<N: AsRef<str>>(lead: &str, rows: impl IntoIterator<Item = (N, String)>) -> String {
    let rows: Vec<_> = rows.into_iter().collect();
    let widest = rows.iter().map(|(name, _)| width(name.as_ref())).max().unwrap_or(0);
    lines(rows.iter().map(|(name, text)| {
        wrap(&format!("{lead}{}{}", pad(name.as_ref(), widest), blank(GAP)), text)
    }))
}

/// Joins lines by newlines, leaving out empty ones.
pub fn lines<T: AsRef<str>>(lines: impl IntoIterator<Item = T>) -> String {
    let lines: Vec<_> = lines.into_iter().filter(|line| !line.as_ref().is_empty()).collect();
    lines.iter().map(AsRef::as_ref).collect::<Vec<_>>().join("\n")
}

/// Joins parts with an empty line between them, leaving out empty parts.
pub fn parts(parts: impl IntoIterator<Item = String>) -> String {
    let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("\n\n")
}

/// A board or table with lines to its right. Lines that do not fit, and all after them, go below.
pub fn beside<T: AsRef<str>>(left: &str, right: impl IntoIterator<Item = T>) -> String {
    const GUTTER: usize = 3;
    let mut rows: Vec<_> = left.trim_end().lines().map(str::to_owned).collect();
    let right: Vec<T> = right.into_iter().collect();
    let reach = rows.iter().take(right.len()).map(|row| width(row)).max();
    let column = reach.unwrap_or(0) + GUTTER;
    let height = rows.len();
    let mut below = false;
    for (place, line) in right.iter().map(|line| line.as_ref().trim_end()).enumerate() {
        below |= column + width(line) > page_width() || (place >= height && place > 0);
        match rows.get_mut(place).filter(|_| !below) {
            Some(row) => *row = format!("{}{line}", pad(row, column)),
            None => rows.push(line.to_owned()),
        }
    }
    rows.join("\n")
}

/// Notes, each on a line of its own.
pub fn notes(notes: &[String]) -> String {
    lines(notes.iter().map(|note| wrap("note: ", note)))
}

/// A line with notes below it.
pub fn noted(line: String, notes: &[String]) -> String {
    let notes = notes.iter().map(|note| format!("; {note}"));
    std::iter::once(line).chain(notes).collect()
}

/// The first `most` elements of a list, and the number of further ones.
pub fn some(list: &[impl Display], most: usize) -> String {
    let shown = shown(list.len(), most);
    let text = words(&list[..shown]);
    match list.len() - shown {
        0 => text,
        more => format!("{text} {}", and_more(more)),
    }
}

/// A list as words, with a space between the elements.
pub fn words(list: &[impl Display]) -> String {
    list.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// How many elements of a list to show. `… 1 more` would take as much room as one more element.
pub fn shown(length: usize, most: usize) -> usize {
    if length <= most + 1 { length } else { most }
}

/// The line `… 3 more` below a shortened list, for the number of elements left out; empty for 0.
pub fn and_more(more: usize) -> String {
    or_empty((more > 0).then(|| format!("… {} more", number::count(more as u64))))
}

/// Cuts a text to a width; a text that was longer ends with `…`.
pub fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let Some(room) = columns.checked_sub(1) else {
        return String::new();
    };
    let mut used = 0;
    let fits = |sign: &char| {
        used += sign.width().unwrap_or(0);
        used <= room
    };
    let head: String = text.chars().take_while(fits).collect();
    format!("{}…", head.trim_end())
}

/// Cuts a text to a width between two words; a first word that is too long is cut as by [`cut`].
///
/// ```
/// # use plyscope::text::cut_words;
/// assert_eq!(cut_words("share 7.1 %", 9), "share …");
/// assert_eq!(cut_words("share 7.1 % of 12", 14), "share 7.1 % …");
/// ```
pub fn cut_words(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let short = cut(text, columns.saturating_sub(1));
    let head = short.trim_end_matches('…');
    let is_whole = text[head.len()..].starts_with(' ');
    match head.rfind(' ') {
        _ if is_whole => format!("{head} …"),
        Some(blank) => format!("{}…", &head[..=blank]),
        None => cut(text, columns),
    }
}
