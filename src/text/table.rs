//! Text tables, with columns as wide as their widest cells.

use std::fmt::Display;

use super::layout::{self, blank, page_width, width};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Align {
    Left,
    Right,
    /// The decimal points of all cells are below each other.
    Point,
}

/// A table with a row for each value of type `R`. A column whose cells are all empty is left out.
#[derive(Debug)]
pub struct TextTable<R> {
    rows: Vec<R>,
    columns: Vec<TextColumn>,
}

#[derive(Debug)]
struct TextColumn {
    /// The heading and the cells, each padded to `width`.
    cells: Vec<String>,
    width: usize,
}

impl<R> TextTable<R> {
    /// A table with these rows and no columns yet.
    pub fn of(rows: impl IntoIterator<Item = R>) -> Self {
        Self { rows: rows.into_iter().collect(), columns: Vec::new() }
    }

    /// Adds a left-aligned column.
    #[must_use]
    pub fn left<T: Display>(self, head: impl Display, cell: impl FnMut(&R) -> T) -> Self {
        self.column(head, Align::Left, cell)
    }

    /// Adds a right-aligned column.
    #[must_use]
    pub fn right<T: Display>(self, head: impl Display, cell: impl FnMut(&R) -> T) -> Self {
        self.column(head, Align::Right, cell)
    }

    /// Adds a column of numbers whose decimal points are below each other.
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
            align_points(&mut cells);
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

    /// The table as text, fitted to the width of the page: see [`TextTable::within`].
    pub fn render(&self) -> String {
        self.within(page_width()).join("\n")
    }

    /// The lines of the table, the heading first. If they are wider than `columns`, gaps shrink, then lines are cut.
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

    /// Whether the table fits the width of the page.
    pub fn fits(&self) -> bool {
        self.width(2) <= page_width()
    }

    /// The width of the table in columns, with gaps of `gap` columns.
    pub fn width(&self, gap: usize) -> usize {
        let columns = self.columns.iter().map(|column| column.width + gap).sum::<usize>();
        columns.saturating_sub(gap)
    }
}

/// Pads cells on the right so that their decimal points are below each other when right-aligned.
fn align_points(cells: &mut [String]) {
    let fraction = |cell: &str| cell.find('.').map_or(0, |point| width(&cell[point..]));
    let most = cells.iter().map(|cell| fraction(cell)).max().unwrap_or(0);
    for cell in cells {
        let missing = most - fraction(cell);
        cell.push_str(&blank(missing));
    }
}
