//! Tables: columns as wide as their cells.

use std::fmt::Display;

use super::layout::{self, blank, page_width, width};

/// How a column's cells stand below each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Align {
    /// Words.
    Left,
    /// Counts.
    Right,
    /// Numbers with decimals: point below point.
    Point,
}

/// Things in rows, and what is told of each in columns below a heading. A column that says nothing of any is left out.
#[derive(Debug)]
pub struct TextTable<R> {
    rows: Vec<R>,
    columns: Vec<TextColumn>,
}

/// The heading and the cells, all of one width.
#[derive(Debug)]
struct TextColumn {
    cells: Vec<String>,
    width: usize,
}

impl<R> TextTable<R> {
    /// A table of these things, without columns as yet.
    pub fn of(rows: impl IntoIterator<Item = R>) -> Self {
        Self { rows: rows.into_iter().collect(), columns: Vec::new() }
    }

    /// Adds a column of words.
    #[must_use]
    pub fn left<T: Display>(self, head: impl Display, cell: impl FnMut(&R) -> T) -> Self {
        self.column(head, Align::Left, cell)
    }

    /// Adds a column of counts.
    #[must_use]
    pub fn right<T: Display>(self, head: impl Display, cell: impl FnMut(&R) -> T) -> Self {
        self.column(head, Align::Right, cell)
    }

    /// Adds a column of numbers with decimals.
    #[must_use]
    pub fn point<T: Display>(self, head: impl Display, cell: impl FnMut(&R) -> T) -> Self {
        self.column(head, Align::Point, cell)
    }

    fn column<T: Display>(
        mut self,
        head: impl Display,
        align: Align,
        mut cell: impl FnMut(&R) -> T,
    ) -> Self {
        let mut cells: Vec<_> = self.rows.iter().map(|row| cell(row).to_string()).collect();
        if cells.iter().all(String::is_empty) {
            return self;
        }
        if align == Align::Point {
            level(&mut cells);
        }
        cells.insert(0, head.to_string());
        let widest = cells.iter().map(|cell| width(cell)).max().unwrap_or(0);
        for cell in &mut cells {
            *cell = match align {
                Align::Left => layout::pad(cell, widest),
                Align::Right | Align::Point => blank(widest.saturating_sub(width(cell))) + cell,
            };
        }
        self.columns.push(TextColumn { cells, width: widest });
        self
    }

    /// As text; nothing where there are no rows. Where it would be too wide the gaps shrink, then the last column is cut.
    pub fn render(&self) -> String {
        self.within(page_width()).join("\n")
    }

    /// The same as lines of at most so many columns, the heading first.
    pub fn within(&self, columns: usize) -> Vec<String> {
        let gap = if self.width(2) <= columns { 2 } else { 1 };
        let line = |y: usize| {
            let cells: Vec<_> =
                self.columns.iter().map(|column| column.cells[y].as_str()).collect();
            layout::cut(cells.join(&blank(gap)).trim_end(), columns)
        };
        let height = if self.columns.is_empty() { 0 } else { self.rows.len() + 1 };
        (0..height).map(line).collect()
    }

    /// Whether nothing has to be cut.
    pub fn fits(&self) -> bool {
        self.width(2) <= page_width()
    }

    /// How many columns of the screen it takes with such gaps.
    pub fn width(&self, gap: usize) -> usize {
        let columns = self.columns.iter().map(|column| column.width + gap).sum::<usize>();
        columns.saturating_sub(gap)
    }
}

/// Fills up on the right, so that flush right the points stand below each other.
fn level(cells: &mut [String]) {
    let behind = |cell: &str| cell.find('.').map_or(0, |point| width(&cell[point..]));
    let most = cells.iter().map(|cell| behind(cell)).max().unwrap_or(0);
    for cell in cells {
        let missing = most - behind(cell);
        cell.push_str(&blank(missing));
    }
}
