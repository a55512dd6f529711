//! The engine by itself: facts, properties and defects of the games, searches, caches, files and recordings.

// Clippy exempts only functions marked `#[test]` from these lints, not their helpers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../common/mod.rs"]
mod common;

mod audit;
mod audit_chess;
mod cachefile;
mod chess_defects;
mod chess_facts;
mod chess_notation;
mod chess_properties;
mod chess_tables;
mod conditions;
mod custom_games;
mod debugger_runs;
mod evaluation;
mod explain;
mod expressions;
mod files;
mod mate_distances;

mod memo_policies;
mod morris_facts;
mod morris_notation;
mod morris_properties;
mod pgn;

mod root_frame;
mod search_facts;
mod search_properties;
mod seed_defects;
mod selective;
mod services;
mod session_files;
mod session_pausing;
mod session_sequences;
mod syzygy;
mod table;
mod table_capacity;
mod tables;
mod timeline;
mod trace_game;
mod traces;
mod truth;
mod verify;
mod window_sources;
