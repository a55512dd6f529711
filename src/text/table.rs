//! Tables: columns as wide as their cells.

use super::{
    Style,
    layout::{self, WIDTH, blank, width},
};

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

/// Rows below a heading.
#[derive(Debug, Default)]
pub struct TextTable {
    heads: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    /// Adds columns of words.
    #[must_use]
    pub fn left<T: Into<String>>(self, heads: impl IntoIterator<Item = T>) -> Self {
        self.columns(heads, Align::Left)
    }

    /// Adds columns of counts.
    #[must_use]
    pub fn right<T: Into<String>>(self, heads: impl IntoIterator<Item = T>) -> Self {
        self.columns(heads, Align::Right)
    }

    /// Adds columns of numbers with decimals.
    #[must_use]
    pub fn point<T: Into<String>>(self, heads: impl IntoIterator<Item = T>) -> Self {
        self.columns(heads, Align::Point)
    }

    fn columns<T: Into<String>>(
        mut self,
        heads: impl IntoIterator<Item = T>,
        align: Align,
    ) -> Self {
        let heads = heads.into_iter().map(|head| (head.into(), align));
        self.heads.extend(heads);
        self
    }

    /// Adds a row: a cell for each column.
    pub fn row<T: Into<String>>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// As text. Where it would be too wide the gaps shrink, then the last column is cut.
    pub fn render(&self, style: Style) -> String {
        let columns: Vec<_> = (0..self.heads.len()).map(|x| self.column(x)).collect();
        let needed = |gap: usize| {
            let cells: usize = columns.iter().map(|column| column.width).sum();
            cells + gap * columns.len().saturating_sub(1)
        };
        let gap = if needed(2) <= WIDTH { 2 } else { 1 };
        let line = |y: usize| {
            let cells: Vec<_> = columns.iter().map(|column| column.cells[y].as_str()).collect();
            let text = cells.join(&blank(gap));
            layout::cut(text.trim_end(), WIDTH, style)
        };
        (0..=self.rows.len()).map(line).collect::<Vec<_>>().join("\n")
    }

    /// Whether nothing has to be cut.
    pub fn fits(&self) -> bool {
        let columns = (0..self.heads.len()).map(|x| self.column(x).width + 2);
        columns.sum::<usize>() <= WIDTH + 2
    }

    /// A column with its heading, every cell of the same width.
    fn column(&self, x: usize) -> Column {
        let (head, align) = &self.heads[x];
        let mut cells: Vec<_> =
            self.rows.iter().map(|row| row.get(x).cloned().unwrap_or_default()).collect();
        if *align == Align::Point {
            level(&mut cells);
        }
        cells.insert(0, head.clone());
        let widest = cells.iter().map(|cell| width(cell)).max().unwrap_or(0);
        for cell in &mut cells {
            *cell = match align {
                Align::Left => layout::pad(cell, widest),
                Align::Right | Align::Point => {
                    format!("{}{cell}", blank(widest.saturating_sub(width(cell))))
                }
            };
        }
        Column { cells, width: widest }
    }
}

struct Column {
    cells: Vec<String>,
    width: usize,
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
