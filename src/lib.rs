//! Plyscope: a debugger for game-tree search.
//!
//! # The one idea
//!
//! The search is data. [`engine::search::Search`] is a value that one `step` function advances by one event. Running is a
//! loop over it with a watcher that does nothing, stepping the same loop with a watcher that stops, a breakpoint a
//! watcher with a condition, and a paused search in a session file the same value on disk. There is no second copy of the
//! search for debugging, and nothing outside it, neither clock nor thread nor hash order, can change what it does.
//!
//! # Rooms and floors
//!
//! ```text
//! main, cli                arguments -> tui | repl | script
//! tui, repl, script        front ends: they know `command`, `view` and `engine::reply`, nothing else
//! view                     replies and failures as they are printed, as text or JSON
//! command                  the one table: name, parameters, help, completion, handler
//! ticker, interrupt        the terminal's progress line, and signals
//! picture                  boards and screens as characters, text and SVG
//! config                   the user's configuration, read once for all front ends
//! engine                   the only door: one workbench at a time
//!   workbench              what commands can do, implemented once for every game
//!   session, cachefile     documents and caches on disk; files: whole or not at all
//!   audit, explain         the plain search as arbiter, and its reasons
//!   arena, suite           players and tournaments; lists of positions to compare searches and heuristics on
//!   training               self-play over a table of learned values, kept in files
//!   statistics             what pairs of games say about strength
//!   workers, progress      jobs side by side on several threads, and how far they are
//!   reply                  what commands answer: plain data, each with its text
//!   debugger, expression   breakpoints, and the conditions they share with filters
//!   game, settings         games as people know them, and settings by name
//!   core                   READ THIS FIRST: game, search, memo, settings, searcher, recording
//!   morris                 a game
//!   chess                  another: rules from a crate, evaluation, history and notations of our own
//!   random, suggest        numbers from numbers, and what was perhaps meant
//! text                     layout, tables, numbers: knows nothing of what is told
//! ```
//!
//! Each floor uses those below it. A command line becomes a [`command::Spec`], whose handler asks the
//! [`engine::Engine`]; the answer is a [`engine::reply::Reply`], which has its own words and which [`view`] prints.
//!
//! # Invariants
//!
//! - Same inputs, same events, same counts, on every machine.
//! - A recorded search is at every event what it was there, machine, counters and cache, from whichever side it comes.
//! - `sound` fidelity equals plain negamax; `seed` fidelity equals the seed programs, defects included.
//! - A command that fails has changed nothing. Files are replaced whole.
//! - A NaN never becomes a [`engine::game::Score`], an impossible board never a position.

mod cli;
pub mod command;
pub mod config;
pub mod engine;
pub mod interrupt;
pub mod picture;
pub mod repl;
pub mod script;
pub mod text;
pub mod ticker;
pub mod tui;
pub mod view;

pub use cli::{main, main_with};
