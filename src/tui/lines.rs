//! Lines of text in a pane: scrolled, cut and wrapped.

use std::{borrow::Cow, cell::Cell, ops::Range};

use ratatui::{
    prelude::*,
    widgets::{Block, Clear, Scrollbar, ScrollbarOrientation, ScrollbarState},
};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::look::Theme;
pub use crate::text::{cut, cut_words};
use crate::text::{layout::unbroken, visible};

#[derive(Debug, Default)]
pub struct Scroll {
    from: Cell<usize>,
    /// The largest possible value of `from`, and the number of rows in view, both as last drawn.
    most: Cell<usize>,
    rows: Cell<usize>,
}

impl Scroll {
    /// Draws the visible lines; only these are taken from the iterator.
    pub fn draw<I>(&self, frame: &mut Frame<'_>, lines: I, room: Rect)
    where
        I: IntoIterator<Item = Line<'static>, IntoIter: ExactSizeIterator>,
    {
        let lines = lines.into_iter();
        let seen = self.window(lines.len(), room.height.into());
        let seen: Vec<_> = lines.skip(seen.start).take(seen.len()).collect();
        frame.render_widget(shown(seen), room);
    }

    /// The range of lines in view, of `count` lines in all.
    pub fn window(&self, count: usize, rows: usize) -> Range<usize> {
        self.most.set(if rows > 0 { count.saturating_sub(rows) } else { 0 });
        self.from.set(self.from.get().min(self.most.get()));
        self.rows.set(rows);
        self.from.get()..count.min(self.from.get() + rows)
    }

    /// The number of lines in a page, as last drawn: one less than the lines in view.
    pub fn page(&self) -> usize {
        self.rows.get().saturating_sub(1).max(1)
    }

    pub fn by(&self, lines: isize) {
        let from = self.from.get().saturating_add_signed(lines);
        self.from.set(from.min(self.most.get()));
    }

    /// Scrolls as little as is needed to make a range of lines visible; if they do not fit, its first lines.
    pub fn show(&self, lines: Range<usize>, rows: usize) {
        let least = lines.end.saturating_sub(rows).min(lines.start);
        self.from.set(self.from.get().clamp(least, lines.start));
    }

    pub fn to_bottom(&self) {
        self.from.set(usize::MAX);
    }

    /// Keeps the last lines in view as lines are added, if they were in view.
    pub fn follow(&self) {
        if self.from.get() >= self.most.get() {
            self.to_bottom();
        }
    }

    pub fn draw_bar(&self, frame: &mut Frame<'_>, quiet: Style, area: Rect) {
        if self.most.get() == 0 {
            return;
        }
        let inner = Rect { y: area.y + 1, height: area.height.saturating_sub(2), ..area };
        let bar = Scrollbar::new(ScrollbarOrientation::VerticalRight)
            .begin_symbol(None)
            .end_symbol(None)
            .track_symbol(None)
            .thumb_symbol("█")
            .style(quiet);
        let mut place = ScrollbarState::new(self.most.get() + 1).position(self.from.get());
        frame.render_stateful_widget(bar, inner, &mut place);
    }
}

/// Clears an area in front of everything and draws a block in it. Returns the area inside the block.
pub fn in_front(frame: &mut Frame<'_>, look: &Theme, block: Block<'_>, area: Rect) -> Rect {
    let block = block.border_style(look.accent).style(look.text);
    let inner = block.inner(area);
    frame.render_widget(Clear, area);
    frame.render_widget(block, area);
    inner
}

/// A text with its control characters made visible, because files and users must not send escape sequences to the terminal.
pub fn shown<'a>(text: impl Into<Text<'a>>) -> Text<'a> {
    let mut text = text.into();
    for span in text.lines.iter_mut().flat_map(|line| &mut line.spans) {
        if let Cow::Owned(visible) = visible(&span.content) {
            span.content = Cow::Owned(visible);
        }
    }
    text
}

/// A line of text, cut to `columns` columns.
pub fn line(text: impl AsRef<str>, columns: u16) -> Line<'static> {
    Line::raw(cut(text.as_ref(), columns as usize))
}

/// Draws a line at the top of an area. Returns the area below it.
pub fn draw_head(frame: &mut Frame<'_>, head: Line<'static>, room: Rect) -> Rect {
    let [above, below] = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(room);
    frame.render_widget(shown(head), above);
    below
}

/// A line across a pane with a heading.
pub fn rule(heading: &str, columns: usize, look: &Theme) -> Line<'static> {
    let text = format!("─ {} ", cut(heading, columns.saturating_sub(4)));
    let rest = "─".repeat(columns.saturating_sub(text.width()));
    Line::styled(format!("{text}{rest}"), look.quiet)
}

/// Text in lines, broken between words or fields of JSON if possible; a break leaves the last of the `columns` free.
pub fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let (mut lines, mut line, mut used) = (Vec::new(), String::new(), 0);
    for word in unbroken(&text.replace(",\"", ", \"")).split(' ') {
        if used > 0 && used + 1 + word.width() >= columns {
            lines.push(std::mem::take(&mut line));
            used = 0;
        } else if used > 0 {
            line.push(' ');
            used += 1;
        }
        for sign in word.chars().map(|sign| if sign == '\u{a0}' { ' ' } else { sign }) {
            let wide = sign.width().unwrap_or(0);
            if used + wide > columns.max(2) {
                // A position is broken after a rank, a list of choices after one of them.
                let seam = line.rfind(['/', '|', ' ']).filter(|at| !line[*at..].starts_with(' '));
                let rest = line.split_off(seam.map_or(line.len(), |at| at + 1));
                used = rest.width();
                lines.push(std::mem::replace(&mut line, rest));
            }
            line.push(sign);
            used += wide;
        }
    }
    lines.push(line);
    lines
}

/// Text in at most `rows` lines, broken by [`wrapped`]; a longer text is cut.
pub fn wrapped_in(text: &str, columns: usize, rows: usize) -> Vec<String> {
    let mut lines = wrapped(text, columns);
    if lines.len() > rows {
        let rest = lines.split_off(rows.saturating_sub(1)).join(" ");
        lines.push(cut(&rest, columns));
    }
    lines.truncate(rows);
    lines
}
