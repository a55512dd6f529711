//! Plyscope: a debugger for game-tree search.

pub mod engine;
