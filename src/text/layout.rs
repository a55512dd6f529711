//! Running text, lists and boards within the width of a terminal.

use std::{cell::Cell, fmt::Display};

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::number;

/// The width that is filled: 80 columns less the border of a pane.
pub const WIDTH: usize = 78;

/// No page is narrower: words would be broken.
const NARROWEST: usize = 24;

thread_local! {
    static PAGE: Cell<usize> = const { Cell::new(WIDTH) };
}

/// Columns that texts are laid out for just now: [`WIDTH`], unless [`on_page`] has others.
pub fn page_width() -> usize {
    PAGE.get()
}

/// What is laid out in the call fills so many columns: paragraphs are broken once, where the page ends that shows them.
pub fn on_page<T>(columns: usize, lay_out: impl FnOnce() -> T) -> T {
    let before = PAGE.replace(columns.max(NARROWEST));
    let laid_out = lay_out();
    PAGE.set(before);
    laid_out
}

/// Columns between neighbours.
const GAP: usize = 2;

/// Columns a text takes.
pub fn width(text: &str) -> usize {
    text.width()
}

/// Spaces.
pub fn blank(columns: usize) -> String {
    " ".repeat(columns)
}

/// Something in words, or nothing where it is not there.
pub fn or_empty(something: Option<impl Display>) -> String {
    something.map_or_else(String::new, |it| it.to_string())
}

/// Breaks running text into lines; all but the first are indented as far as `lead` is wide.
pub fn wrap(lead: &str, text: &str) -> String {
    let words = text.split_whitespace().map(|word| (1, word.to_owned()));
    fill(lead, width(lead), page_width(), words)
}

/// Pieces on lines, two spaces apart; a piece is broken only where it is longer than a line.
pub fn flow<T: AsRef<str>>(lead: &str, pieces: impl IntoIterator<Item = T>) -> String {
    fill(lead, width(lead), page_width(), whole(pieces, page_width().saturating_sub(width(lead))))
}

/// Pieces on a line that goes on, indented, where they do not fit.
pub fn headline<T: AsRef<str>>(pieces: impl IntoIterator<Item = T>) -> String {
    fill("", GAP, page_width(), whole(pieces, page_width() - GAP))
}

/// Pieces on lines of at most so many columns; none is broken.
pub fn packed(pieces: impl Iterator<Item = String>, columns: usize) -> Vec<String> {
    let text = fill("", 0, columns, pieces.map(|piece| (GAP, piece)));
    text.lines().map(str::to_owned).collect()
}

/// The parts that are not to be broken, each with the spaces before it.
fn whole<T: AsRef<str>>(pieces: impl IntoIterator<Item = T>, room: usize) -> Vec<(usize, String)> {
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

/// Parts on lines, each with the spaces before it where it does not begin a line.
fn fill(
    lead: &str,
    indent: usize,
    columns: usize,
    parts: impl IntoIterator<Item = (usize, String)>,
) -> String {
    let mut text = lead.to_owned();
    let mut used = width(lead);
    let mut fresh = true;
    for (gap, part) in parts.into_iter().filter(|(_, part)| !part.is_empty()) {
        let needed = width(&part);
        if fresh {
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
        fresh = false;
    }
    text.truncate(text.trim_end().len());
    text
}

/// How long something took, where that is told, and what belongs to it.
pub fn took(ms: Option<f64>, more: impl IntoIterator<Item = String>) -> String {
    let lead = if ms.is_some() { "time " } else { "" };
    flow(lead, ms.map(number::time).into_iter().chain(more))
}

/// Short cells in as many columns as fit, filled column by column.
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

/// A text with spaces up to a width.
pub fn pad(text: &str, columns: usize) -> String {
    format!("{text}{}", blank(columns.saturating_sub(width(text))))
}

/// Names below each other, and beside each what is told of it, broken into lines.
pub fn named<N: AsRef<str>>(lead: &str, rows: impl IntoIterator<Item = (N, String)>) -> String {
    let rows: Vec<_> = rows.into_iter().collect();
    let widest = rows.iter().map(|(name, _)| width(name.as_ref())).max().unwrap_or(0);
    lines(rows.iter().map(|(name, text)| {
        wrap(&format!("{lead}{}{}", pad(name.as_ref(), widest), blank(GAP)), text)
    }))
}

/// Lines as one text; empty ones are left out.
pub fn lines<T: AsRef<str>>(lines: impl IntoIterator<Item = T>) -> String {
    let lines: Vec<_> = lines.into_iter().filter(|line| !line.as_ref().is_empty()).collect();
    lines.iter().map(AsRef::as_ref).collect::<Vec<_>>().join("\n")
}

/// Parts with an empty line between; empty ones are left out.
pub fn parts(parts: impl IntoIterator<Item = String>) -> String {
    let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("\n\n")
}

/// A board or table with lines at its right; the first that does not fit goes below, and those after it.
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

/// What a reader should know, a line each.
pub fn notes(notes: &[String]) -> String {
    lines(notes.iter().map(|note| wrap("note: ", note)))
}

/// A line with what its reader should know behind it.
pub fn noted(line: String, notes: &[String]) -> String {
    let notes = notes.iter().map(|note| format!("; {note}"));
    std::iter::once(line).chain(notes).collect()
}

/// About so many of a list in one piece, and how many more there are.
pub fn some(list: &[String], most: usize) -> String {
    let shown = shown(list.len(), most);
    let text = list[..shown].join(" ");
    match list.len() - shown {
        0 => text,
        more => format!("{text} {}", and_more(more)),
    }
}

/// How many of a list are shown: one more takes no more room than saying that there is one more.
pub fn shown(length: usize, most: usize) -> usize {
    if length <= most + 1 { length } else { most }
}

/// What is not shown of a list.
pub fn and_more(more: usize) -> String {
    format!("… {} more", number::count(more as u64))
}

/// As much of a text as fits, with a mark where it was cut.
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
