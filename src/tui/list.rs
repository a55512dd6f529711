//! Lists with a cursor, for panes and sheets. All use the same keys: arrows, pages, ends, mouse wheel, clicks, Enter.

use std::{
    cell::{Cell, RefCell},
    ops::Range,
};

use ratatui::prelude::*;

use super::{
    lines::{Scroll, cut, shown},
    look::Theme,
};

/// The least number of digits of a cache key.
pub const LEAST_KEY: usize = 14;

/// A row of a list with a cursor.
#[derive(Clone, Debug, Default)]
pub struct ListRow {
    pub text: String,
    pub style: Style,
    /// The command line that Enter runs; the cursor skips rows without a command line.
    pub command: Option<String>,
    /// Whether the row has the headings of the columns below it. It stays in sight while the rows below it are scrolled.
    pub is_head: bool,
}

impl ListRow {
    pub fn plain(text: impl Into<String>, style: Style) -> Self {
        Self { text: text.into(), style, ..Self::default() }
    }

    pub fn head(text: impl Into<String>, style: Style) -> Self {
        Self { is_head: true, ..Self::plain(text, style) }
    }

    pub fn to(command: impl Into<String>, text: impl Into<String>, style: Style) -> Self {
        Self { command: Some(command.into()), ..Self::plain(text, style) }
    }
}

/// The rows on which the cursor can stand.
#[derive(Debug)]
pub enum Places {
    /// All rows of a list with this number of rows.
    All(usize),
    /// The rows with these indices, in order.
    These(Vec<usize>),
    /// The rows with these indices, in order. The rows are drawn side by side, so all are in sight.
    Beside(Vec<usize>),
}

impl Places {
    /// The rows that have a command line for Enter.
    pub fn of(rows: &[ListRow]) -> Self {
        let leads = |(at, row): (usize, &ListRow)| row.command.as_ref().map(|_| at);
        Self::These(rows.iter().enumerate().filter_map(leads).collect())
    }

    fn nearest(&self, row: usize) -> Option<usize> {
        match self {
            Self::All(rows) => rows.checked_sub(1).map(|last| row.min(last)),
            Self::These(places) | Self::Beside(places) => {
                places.iter().copied().min_by_key(|at| at.abs_diff(row))
            }
        }
    }

    /// The last selectable row at most `by` rows away from `row`; without one, the first at most `sight` rows away.
    fn reached(&self, row: usize, by: isize, sight: usize) -> Option<usize> {
        let places = match self {
            Self::All(_) => return self.nearest(row.saturating_add_signed(by)),
            Self::Beside(places) => {
                let now = places.iter().position(|at| *at == row)?.saturating_add_signed(by);
                return places.get(now.min(places.len() - 1)).copied();
            }
            Self::These(places) => places,
        };
        let away = |at: usize| if by < 0 { row.checked_sub(at) } else { at.checked_sub(row) };
        let ahead = || {
            let ahead = places.iter().filter_map(|at| away(*at).map(|away| (away, *at)));
            ahead.filter(|(away, _)| *away > 0)
        };
        let within = ahead().filter(|(away, _)| *away <= by.unsigned_abs()).max();
        within.or_else(|| ahead().filter(|(away, _)| *away <= sight).min()).map(|(_, at)| at)
    }
}

/// The cursor of a list, the scroll position, and where each row was last drawn.
#[derive(Debug, Default)]
pub struct ListCursor {
    /// The index of the row last chosen; the list may have changed since.
    chosen: Cell<usize>,
    pub scroll: Scroll,
    /// Whether the cursor must be brought into view.
    moved: Cell<bool>,
    /// The screen areas of the rows, each with the row's index.
    drawn: RefCell<Vec<(Rect, usize)>>,
}

impl ListCursor {
    /// The row that the cursor is on: among `places`, the row nearest to the row last chosen.
    pub fn at(&self, places: &Places) -> Option<usize> {
        places.nearest(self.chosen.get())
    }

    /// The index of the row last chosen, which may no longer exist.
    pub const fn row(&self) -> usize {
        self.chosen.get()
    }

    /// The command line of the row that the cursor is on, if any.
    pub fn command(&self, rows: &[ListRow]) -> Option<String> {
        rows.get(self.at(&Places::of(rows))?)?.command.clone()
    }

    pub fn select(&self, row: usize) {
        self.chosen.set(row);
        self.moved.set(true);
    }

    /// Moves the cursor by a number of rows (negative: up); a move by several rows also scrolls. Returns the new row if the
    /// cursor has moved to another row. If no selectable row is near, only scrolls.
    pub fn by(&self, places: &Places, by: isize) -> Option<usize> {
        let at = self.at(places);
        let to = at.and_then(|at| places.reached(at, by, self.scroll.page()));
        let to = to.filter(|to| Some(*to) != at);
        if to.is_none() || by.abs() > 1 {
            self.scroll.by(by);
        }
        self.select(to?);
        to
    }

    /// The row that was drawn at a position of the screen, if any.
    pub fn row_at(&self, at: Position) -> Option<usize> {
        let drawn = self.drawn.borrow();
        drawn.iter().find(|(area, _)| area.contains(at)).map(|(_, row)| *row)
    }

    /// The first screen row below that of the cursor, as last drawn.
    pub fn end_of(&self, places: &Places) -> Option<u16> {
        let at = self.at(places)?;
        let drawn = self.drawn.borrow();
        drawn.iter().filter(|(_, row)| *row == at).map(|(area, _)| area.bottom()).max()
    }

    /// Draws rows of one line each. The cursor's row is marked, and not only by colour, if the list has the keyboard.
    pub fn draw(
        &self,
        frame: &mut Frame<'_>,
        look: &Theme,
        rows: &[ListRow],
        is_active: bool,
        room: Rect,
    ) {
        let columns = usize::from(room.width);
        let at = self.at(&Places::of(rows)).filter(|_| is_active);
        // Headings that were scrolled away are drawn over the first visible row, so the row above the cursor is kept visible, too.
        let has_heads = room.height > 1 && rows.iter().any(|row| row.is_head);
        let chosen = at.map_or(0..0, |at| at.saturating_sub(has_heads.into())..at + 1);
        let is_first = Cell::new(has_heads);
        self.draw_lines(frame, room, rows.len(), chosen, |place| {
            let is_covered = is_first.take() && rows[place].command.is_some();
            let above = rows[..place].iter().rfind(|row| row.is_head).filter(|_| is_covered);
            if let Some(ListRow { text, style, .. }) = above {
                return (Line::styled(cut(text, columns), *style), None);
            }
            let ListRow { text, style, command, .. } = &rows[place];
            let line = if Some(place) == at {
                let marked = text.strip_prefix(' ').map(|text| format!("▸{text}"));
                Line::styled(cut(marked.as_ref().unwrap_or(text), columns), look.selected)
            } else {
                Line::styled(cut(text, columns), *style)
            };
            (line, command.as_ref().map(|_| place))
        });
    }

    /// Draws the visible ones of `count` lines; `line` returns a line and its row. `chosen`: the lines of the cursor's row.
    pub fn draw_lines(
        &self,
        frame: &mut Frame<'_>,
        room: Rect,
        count: usize,
        chosen: Range<usize>,
        line: impl Fn(usize) -> (Line<'static>, Option<usize>),
    ) {
        self.draw_parts(frame, room, count, chosen, |at| {
            let (line, row) = line(at);
            (line, row.map(|row| (0..usize::from(room.width), row)).into_iter().collect())
        });
    }

    /// Like [`Self::draw_lines`], for lines that show several rows side by side, each row with its columns.
    pub fn draw_parts(
        &self,
        frame: &mut Frame<'_>,
        room: Rect,
        count: usize,
        chosen: Range<usize>,
        line: impl Fn(usize) -> (Line<'static>, Vec<(Range<usize>, usize)>),
    ) {
        let height = usize::from(room.height);
        if self.moved.take() || self.scroll.page() + 1 != height {
            // A quarter of a page below the cursor stays visible.
            let end = (chosen.end + height / 4).min(count).max(chosen.end);
            self.scroll.show(chosen.start..end, height);
        }
        let mut drawn = self.drawn.borrow_mut();
        drawn.clear();
        let seen = self.scroll.window(count, height);
        let lines = seen.zip(room.rows()).map(|(at, area)| {
            let (line, parts) = line(at);
            drawn.extend(parts.into_iter().map(|(columns, row)| {
                let (x, width) = (area.x + columns.start as u16, columns.len() as u16);
                (Rect { x, width, ..area }, row)
            }));
            line
        });
        let lines: Vec<_> = lines.collect();
        frame.render_widget(shown(lines), room);
    }
}

/// The command line that goes to the first event or cache entry named in a line of a reply; `None` if none is named.
pub fn place_in(text: &str) -> Option<String> {
    let event = number_after("event ", text).map(|event| format!("goto {event}"));
    let is_key = |word: &&str| {
        let (key, depth) = word.split_once(':').unwrap_or((word, "0"));
        let is_hexadecimal = key.chars().all(|sign| sign.is_ascii_hexdigit());
        key.len() >= LEAST_KEY && is_hexadecimal && depth.parse::<u8>().is_ok()
    };
    let key = || text.split([' ', '(', ')', ',', '`']).find(is_key);
    event.or_else(|| key().map(|key| format!("cache get {key}")))
}

/// The command line that goes to the frame of the first ply named in a line; `None` if none is named.
pub fn frame_in(text: &str) -> Option<String> {
    number_after("ply ", text).map(|ply| format!("frame {ply}"))
}

fn number_after(name: &str, text: &str) -> Option<u64> {
    text.split(name).skip(1).find_map(number)
}

/// The number of the game in a row of a list of games.
pub fn game_in(text: &str) -> Option<usize> {
    text.split_whitespace().next()?.parse().ok()
}

/// The number at the beginning of a text, whose digits may be in groups of three.
fn number(text: &str) -> Option<u64> {
    let mut digits = String::new();
    for group in text.split_inclusive([' ', ',']) {
        let end = group.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(group.len());
        if end == 0 || !digits.is_empty() && end != 3 {
            break;
        }
        digits += &group[..end];
        // The number ends unless exactly one separator follows a group of digits.
        if group.len() > end + 1 || !group.ends_with([' ', ',']) {
            break;
        }
    }
    digits.parse().ok()
}
