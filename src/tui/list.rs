//! Lists with a cursor, for panes and sheets. Some rows lead somewhere: each has the command line that goes there.

use std::cell::Cell;

use ratatui::prelude::*;

use super::{
    lines::{Scroll, cut},
    look::Theme,
};

/// Digits of a cache key at least.
const LEAST_KEY: usize = 14;

/// A row of a list.
#[derive(Clone, Debug, Default)]
pub struct ListRow {
    pub text: String,
    pub style: Style,
    /// The command line that Enter runs; the cursor passes over rows without one.
    pub goes: Option<String>,
}

impl ListRow {
    pub fn plain(text: impl Into<String>, style: Style) -> Self {
        Self { text: text.into(), style, goes: None }
    }

    pub fn to(goes: impl Into<String>, text: impl Into<String>, style: Style) -> Self {
        Self { text: text.into(), style, goes: Some(goes.into()) }
    }
}

/// The cursor in a list, and its scroll position.
#[derive(Debug, Default)]
pub struct ListCursor {
    /// The row last chosen; the list may have changed since.
    chosen: usize,
    pub scroll: Scroll,
    /// Whether the cursor has to be brought into view.
    moved: Cell<bool>,
}

impl ListCursor {
    /// The row of the cursor: the one chosen, or else the nearest that leads somewhere. None if no row does.
    pub fn at(&self, rows: &[ListRow]) -> Option<usize> {
        let leads = |(at, row): (usize, &ListRow)| row.goes.as_ref().map(|_| at);
        let places = rows.iter().enumerate().filter_map(leads);
        places.min_by_key(|at| at.abs_diff(self.chosen))
    }

    /// The command line of the cursor's row.
    pub fn goes(&self, rows: &[ListRow]) -> Option<String> {
        rows.get(self.at(rows)?)?.goes.clone()
    }

    pub fn select(&mut self, row: usize) {
        self.chosen = row;
        self.moved.set(true);
    }

    /// Moves the cursor by rows that lead somewhere; up if negative.
    pub fn by(&mut self, rows: &[ListRow], by: isize) {
        let places: Vec<_> = (0..rows.len()).filter(|at| rows[*at].goes.is_some()).collect();
        let now = self.at(rows).and_then(|at| places.iter().position(|place| *place == at));
        let Some(now) = now else {
            return self.scroll.by(by);
        };
        let to = now.saturating_add_signed(by).min(places.len() - 1);
        if to == now {
            // Rows beyond the last place are shown too.
            return self.scroll.by(by);
        }
        self.select(places[to]);
    }

    /// Moves the cursor to the row clicked. True if the cursor was there before.
    pub fn click(&mut self, rows: &[ListRow], room: Rect, at: Position) -> bool {
        let row = self.scroll.first() + usize::from(at.y.saturating_sub(room.y));
        let was_here = self.at(rows) == Some(row);
        if rows.get(row).is_some_and(|row| row.goes.is_some()) {
            self.select(row);
        }
        was_here
    }

    /// Draws the rows; the cursor's row is marked, not by colour alone.
    pub fn draw(&self, frame: &mut Frame<'_>, look: &Theme, rows: &[ListRow], room: Rect) {
        let (at, columns) = (self.at(rows), usize::from(room.width));
        let lines = rows.iter().enumerate().map(|(place, ListRow { text, style, .. })| {
            if Some(place) == at {
                let marked = text.strip_prefix(' ').map(|text| format!("▸{text}"));
                Line::styled(cut(marked.as_ref().unwrap_or(text), columns), look.selected)
            } else {
                Line::styled(cut(text, columns), *style)
            }
        });
        if let Some(at) = at.filter(|_| self.moved.take()) {
            self.scroll.show(at..at + 1, room.height.into());
        }
        self.scroll.draw(frame, lines.collect::<Vec<_>>(), room);
    }
}

/// The command line that goes to the place a line of a reply names first: an event, or a cache entry.
pub fn place_in(text: &str) -> Option<String> {
    let after = |sign: &str| text.match_indices(sign).map(|(at, _)| at + sign.len()).collect();
    let places: Vec<Vec<usize>> = ["event ", "#"].map(after).into();
    let event = places.into_iter().flatten().find_map(|at| number(&text[at..]));
    let is_key = |word: &&str| {
        let (key, depth) = word.split_once(':').unwrap_or((word, "0"));
        let is_hexadecimal = key.chars().all(|sign| sign.is_ascii_hexdigit());
        key.len() >= LEAST_KEY && is_hexadecimal && depth.parse::<u8>().is_ok()
    };
    let key = || text.split([' ', '(', ')', ',', '`']).find(is_key);
    event
        .map(|event| format!("goto {event}"))
        .or_else(|| key().map(|key| format!("cache get {key}")))
}

/// The number of the game in a row of a list of games.
pub fn game_in(text: &str) -> Option<usize> {
    text.split_whitespace().next()?.parse().ok()
}

/// The number at the beginning of a text, in groups of three digits.
fn number(text: &str) -> Option<u64> {
    let groups = text.split_inclusive([' ', ',']);
    let mut digits = String::new();
    for group in groups {
        let end = group.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(group.len());
        if end == 0 || !digits.is_empty() && end != 3 {
            break;
        }
        digits += &group[..end];
        // Anything but one separator ends the number.
        if group.len() > end + 1 || !group.ends_with([' ', ',']) {
            break;
        }
    }
    digits.parse().ok()
}
