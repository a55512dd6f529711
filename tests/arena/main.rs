//! Matches and tournaments: recorded games, reproducible results, statistics, files.

// Clippy exempts only functions marked `#[test]` from these lints, not their helpers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod chess_games;
mod commands;
mod logs;
mod parts;
mod players;
mod recorded;
mod reproducibility;
mod sequential;
mod statistics;
mod strength;
mod support;
mod wrong_files;
