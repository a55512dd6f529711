//! The full screen.

pub mod board;
pub mod theme;
