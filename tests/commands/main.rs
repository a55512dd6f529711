//! Commands, from scripts and programs, and their text.

// Clippy exempts only functions marked `#[test]` from these lints, not their helpers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod architecture;
mod arguments;
mod bad_inputs;
mod best_moves;
mod board_commands;
mod cache_browser;
mod cache_faults;
mod command_scripts;
mod command_table;
mod completion;
mod config;
mod control_characters;
mod custom_program;
mod debugger_scripts;
mod drawings;
mod endings;
mod every_command;
mod expectations;
mod failures;
mod files;
#[path = "../common/folder.rs"]
mod folder;
mod games;
mod guides;
mod help;
mod icicles;
mod lexer;
mod line_editor;
mod manual_pages;
mod opening_files;
#[path = "../common/plain.rs"]
mod plain;
mod playing;
mod readme;
mod refusals;
mod selected_frame;
mod session_timelines;
mod sessions;
mod shell;
mod text;
mod tips;
mod toy;
mod transcript;
mod trust;
mod view_text;
