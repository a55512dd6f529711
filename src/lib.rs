//! Plyscope: a debugger for game-tree search.

pub mod command;
pub mod engine;
pub mod view;
