//! Plyscope: a debugger for game-tree search.

pub mod command;
pub mod engine;
pub mod interrupt;
pub mod picture;
pub mod repl;
pub mod script;
pub mod tui;
pub mod view;
