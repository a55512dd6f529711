//! The command language: one table from which parsing, help, completion and `sessions/commands.md` are made.
//!
//! ```text
//! text -> lexer: statements of words -> table: Spec -> args: checked arguments -> Spec::run -> Reply
//! ```
//!
//! A family of commands is a module with a `pub const CHAPTER: Chapter`, named once in [`CHAPTERS`]: a manual in plain text,
//! and a handler for each command in it. [`Shell`] runs statements and is all that a front end talks to.
//!
//! ```
//! use plyscope::command::{Chapter, manual, shows};
//! use plyscope::engine::reply::message;
//!
//! static CHAPTERS: &[Chapter] = &[Chapter {
//!     title: "Greetings",
//!     manual: "
//! greet loudly, gl
//!   greets somebody
//!   - NAME  text  who is greeted
//!   - --times  1..9  how often
//!   > greet loudly Ada --times 3
//! ",
//!     lists: &[],
//!     run: &[shows("greet loudly", |_, args| {
//!         let times = args.count::<usize>("times")?.unwrap_or(1);
//!         Ok(message(args.required("NAME")?.to_uppercase().repeat(times)))
//!     })],
//! }];
//! assert_eq!(manual::families(CHAPTERS)[0].commands[0].usage(), "greet loudly NAME [--times N]");
//! ```

use std::sync::LazyLock;

use crate::engine::session::reply::{Replied, Reply, boxed, message};

pub use self::{
    args::Args,
    cache::CACHE_ORDERS,
    complete::{Candidate, Completions},
    help::{KeyHelp, markdown},
    manual::{Chapter, begins, changes, shows, shows_or_changes},
    shell::{Failure, FailureKind, Outcome, Response, Shell, SourceOrigin, SourcePlace},
    spec::{Changes, Choice, Family, Form, Kind, LiveList, Param, Spec},
    table::CommandTable,
};

pub use crate::engine::{
    fault::{Culprit, Fault},
    files, suggest,
};

pub mod args;
mod audit;
pub mod block;
mod breakpoints;
mod cache;
pub mod complete;
mod debug;
mod expect;
mod explain;
mod general;
mod help;
pub mod lexer;
pub mod manual;
pub mod mark;
mod matches;
pub mod open;
mod picture;
mod play;
mod position;
mod query;
mod quiz;
mod search;
mod session;
pub mod shell;
pub mod spec;
pub mod table;
mod timeline;
mod tips;
mod tournament;
mod trace;
mod train;
mod tuning;

/// What commands report when they cannot do what they were asked.

/// Every command there is, in the order of `help`.
pub static CHAPTERS: &[Chapter] = &[
    position::CHAPTER,
    play::CHAPTER,
    picture::CHAPTER,
    search::CHAPTER,
    debug::CHAPTER,
    timeline::CHAPTER,
    breakpoints::CHAPTER,
    cache::CHAPTER,
    audit::CHAPTER,
    explain::CHAPTER,
    quiz::CHAPTER,
    trace::CHAPTER,
    tuning::CHAPTER,
    matches::CHAPTER,
    tournament::CHAPTER,
    train::CHAPTER,
    session::CHAPTER,
    general::CHAPTER,
];

/// The commands of [`CHAPTERS`].
pub static FAMILIES: LazyLock<Vec<Family>> = LazyLock::new(|| manual::families(CHAPTERS));

/// The table of [`FAMILIES`].
pub fn table() -> &'static CommandTable {
    static TABLE: LazyLock<CommandTable> = LazyLock::new(|| CommandTable { families: &FAMILIES });
    &TABLE
}
