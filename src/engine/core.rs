//! The core: what a person must understand to change the search. Read the modules in this order.
//!
//! 1. [`game`]: the trait [`Rules`](game::Rules) that a search calls, and [`Score`](game::Score), [`Window`](game::Window),
//!    [`Side`](game::Side), [`Key`](game::Key). Only here do values and windows go one ply up or down.
//! 2. [`search`]: the machine [`Search`](search::Search), a stack of [`Frame`](search::Frame)s of which number 0 is the root.
//!    `Search::advance` has the numbered steps of a node, `search::deepening` the iterations at the root.
//! 3. [`table`]: the transposition table with the memo policies `none`, `exact`, `interval`, `bound` and `rote`.
//! 4. [`settings`]: how a search runs, as machine, table and game read it, and the switches of the seeds' defects with their
//!    D-numbers.
//!
//! Other rooms stand on the core: [`Searcher`](crate::engine::searcher::Searcher), which is game, settings, weights and table
//! as one object, checkpoints and going back in [`recording`](crate::engine::recording), notation and boards
//! in [`game`](crate::engine::game), settings by name in [`settings`](crate::engine::settings), breakpoints in
//! [`debugger`](crate::engine::debugger).
//!
//! A search runs like this: [`Searcher::search`](crate::engine::searcher::Searcher::search) makes it,
//! [`Search::drive`](search::Search::drive) advances it event by event under a [`Watcher`](search::Watcher) and
//! [`RunLimits`](crate::engine::searcher::RunLimits), and one enum, [`Stop`](search::Stop), says why it stopped. At full speed
//! the watcher does nothing; a breakpoint is a watcher with a condition.
//!
#![doc = include_str!("../../sessions/glossary.md")]

pub mod game;
pub mod search;
pub mod settings;
pub mod table;
