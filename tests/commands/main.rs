//! The commands as scripts and programs use them, and what a person reads in answer.

// Clippy knows tests by their attribute and not the functions they share.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod bad_inputs;
mod board_commands;
mod cache_browser;
mod cache_faults;
mod command_layers;
mod command_scripts;
mod debugger_scripts;
mod every_command;
mod files;
mod games;
mod memo_compare;
mod readme;
mod selected_frame;
mod session_timelines;
mod sessions;
mod shell;
mod steering;
mod transcript;
mod trust;
mod view_text;
