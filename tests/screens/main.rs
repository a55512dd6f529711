//! The full screen, drawn to a buffer: keys, panes and boards.

// Clippy exempts only functions marked `#[test]` from these lints, not their helpers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod arena_screens;
mod background;
mod board_keys;
mod board_screens;
mod chart_screens;
mod chess_board;
mod control_characters;
mod every_key;
mod everyday;
mod face;
mod keymap;
mod lists;
mod offers;
mod pictures;
mod play;
mod sheets;
mod stage;
mod support;
mod themes;
mod time_line;
mod traces;
mod tree_screens;
mod tui_keys;
mod tui_screens;
