//! The core: what a person must understand to change the search. Read it in this order.
//!
//! 1. [`game`]: the trait [`Rules`](game::Rules) that a search calls, and [`Score`](game::Score), [`Window`](game::Window),
//!    [`Side`](game::Side), [`Key`](game::Key). Only here does a value or a window go one ply up or down.
//! 2. [`search`]: the machine [`Search`](search::Search), a stack of [`Frame`](search::Frame)s of which the root is number 0.
//!    `Search::round` has the numbered steps of a node, `search::deepening` the iterations.
//! 3. [`table`]: the policies `none`, `exact`, `interval`, `bound` and `rote` over one hash table with a journal.
//! 4. [`settings`]: what decides how a search runs, and what it comes to for machine, table and game; the switches of the
//!    seeds' defects, with their D-numbers.
//! 5. [`searcher`]: [`Searcher`](searcher::Searcher) is game, settings, weights and table as one object: "search this
//!    position", learning from it, tidying up.
//! 6. [`recording`]: [`Recording`](recording::Recording) is a search under way with its checkpoints, edits and timelines:
//!    running, going back, branching, comparing runs. What may stop a run it knows as [`Stops`](recording::Stops) only.
//!
//! What people need besides stands on it, outside: notation and boards in [`game`](crate::engine::game), settings by name in
//! [`settings`](crate::engine::settings), breakpoints in [`debugger`](crate::engine::debugger).
//!
//! A search runs like this: [`Searcher::search`](searcher::Searcher::search) makes the value, [`Search::drive`](search::Search::drive)
//! advances it event by event under a [`Watcher`](search::Watcher) and a [`RunLimits`](search::RunLimits), and one enum,
//! [`Stop`](search::Stop), says why it stands. A full-speed run has a watcher that never looks; a breakpoint is a watcher with
//! a condition; going back is a checkpoint and the same run again.
//!
#![doc = include_str!("../../sessions/glossary.md")]

pub mod game;
pub mod search;
pub mod searcher;
pub mod settings;
pub mod table;
