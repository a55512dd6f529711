//! Plyscope: a debugger for game-tree search.
//!
//! # The one idea
//!
//! The search is data. [`engine::search::Search`] is a value that one `step` function advances by one event. Running is a loop
//! of steps with a watcher that does nothing; stepping is the same loop with a watcher that stops; a breakpoint is a watcher
//! with a condition; a paused search in a session file is the same value on disk. There is no second copy of the search for
//! debugging, and nothing outside the search (clock, threads, hash order) changes what it does.
//!
//! # The map
//!
//! The modules, called rooms, the top layer first. A room uses only the rooms below it and has at most the given number of
//! lines; a test checks folders, `use` statements and lines against this table. `sessions/architecture.md` follows a command,
//! an event and a value through the rooms.
//!
//! ```text
//! room                 lines  contents
//! cli                    520  command-line arguments; --health
//! tui                 16,507  the full screen: panes, keys, mouse
//! repl                   441  the prompt, with rustyline
//! uci                    824  the program as an engine for other programs, by the protocol UCI
//! script                 322  scripts from files and standard input
//! config                 115  the user's configuration file
//! view                   477  replies and errors printed as text or JSON; what a terminal can show: characters, colours, background
//! command              8,643  the command language: lexer, table, help, completion, one file a family of commands
//! picture              1,764  boards, trees, charts and screens as characters and SVG
//! ticker                  75  the progress line of a terminal
//! interrupt              199  Ctrl-C and other signals
//! engine                 267  the one in-process engine: one session at a time
//! engine/session      18,909  the state of one game; a file a subject: what commands can ask, and the replies
//! engine/training        450  self-play over a table of learned values (seed 001)
//! engine/suite           471  lists of positions with what is to be found in them: EPD
//! engine/explain       1,692  why a value, a cutoff, an order of moves; the search tree
//! engine/audit           613  entries and searches checked by a plain search
//! engine/progress        195  how far a long operation is
//! engine/arena         2,382  players, matches, tournaments
//! engine/engines       1,006  external engines, by the protocol UCI
//! engine/statistics      411  Elo, SPRT and intervals
//! engine/debugger      1,472  breakpoints, watches, conditions
//! engine/expression      874  the language of conditions and filters
//! engine/trace         5,859  searches of other programs: format, checks, diff, threads, packed and binary files, emitters
//! engine/tables        2,761  endgames solved by retrograde analysis: solver, files, probes, verification, mistakes
//! engine/cachefile     1,389  cache files: our own format and the seeds'
//! engine/workers         144  threads
//! engine/recording     2,087  checkpoints, replay, reverse execution, edits, timelines
//! engine/chess         2,646  chess: rules from a crate, evaluation, history, notation, PGN
//! engine/syzygy        1,081  published endgame tables of chess: files, index, probing
//! engine/morris        2,476  nine men's morris
//! engine/files           713  reading files, and replacing them whole
//! engine/settings        711  settings by name
//! engine/game          2,620  what people need of a game: notation, boards, descriptions
//! engine/searcher        380  game, settings, weights and table as one object: "search this position"; limits of a run
//! engine/core          6,505  READ THIS FIRST: rules, search, ordering, table and memo policies
//! engine/weights          44  weights of an evaluation
//! engine/suggest          80  "did you mean"
//! engine/fault           143  errors: what is wrong, where, and the remedy
//! engine/random           32  the generator with a seed
//! text                 1,128  layout, tables, numbers, CSV
//! ```
//!
//! # Invariants
//!
//! - Same inputs, same events, same counts, on every machine.
//! - A recorded search is the same at every event (stack, counters, table), reached forwards or backwards.
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
pub mod uci;
pub mod view;

pub use cli::{main, main_with};
