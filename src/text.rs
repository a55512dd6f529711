//! Layout of text within 80 columns, tables and numbers, all without colour.

mod csv;
pub mod layout;
pub mod number;
pub mod style;
pub mod table;
mod visible;

pub use csv::CsvTable;
pub use layout::{
    WIDTH, and_more, beside, blank, cut, cut_words, flow, grid, headline, lines, noted, notes,
    or_dash, or_empty, packed, pad, parts, shown, some, timing, width, words, wrap,
};
pub use number::{count, counted, date};
pub use table::TextTable;
pub use visible::{ascii, controls_terminal, fold, stand_in, visible, visible_json};
