//! The engine: the only door to the domain.

pub mod game;
pub mod morris;
