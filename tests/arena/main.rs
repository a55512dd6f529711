//! Matches and tournaments: recorded games, reproducible results, statistics, files.

// Clippy knows tests by their attribute and not the functions they share.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod chess_games;
mod commands;
mod identity;
mod logs;
mod players;
mod recorded;
mod sequential;
mod statistics;
mod sums;
mod support;
mod wrong_files;
