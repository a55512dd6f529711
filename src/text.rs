//! How text is laid out and numbers are written: at most 80 columns, no colour. Nothing here knows what is told.

pub mod layout;
pub mod number;
mod style;
pub mod table;
mod visible;

pub use style::Style;
pub use visible::{stand_in, steers, visible, visible_json};
