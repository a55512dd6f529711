//! The command language: parsing, help, completion and `sessions/commands.md` all come from one table.
//!
//! ```text
//! text -> lexer: statements of words -> table: CommandSpec -> args: checked arguments -> handler -> Reply
//! ```
//!
//! A family of commands is a module with a `FAMILY: FamilyDefinition`, listed in [`DEFINITIONS`]: a manual in plain text, and
//! a handler for each command in it. Front ends run statements through [`Shell`] and use nothing else.
//!
//! ```
//! use plyscope::command::{FamilyDefinition, manual, shows};
//! use plyscope::engine::session::reply::message;
//!
//! static DEFINITIONS: &[FamilyDefinition] = &[FamilyDefinition {
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
//! assert_eq!(manual::families(DEFINITIONS)[0].commands[0].usage(), "greet loudly NAME [--times N]");
//! ```

use std::sync::LazyLock;

use crate::engine::session::reply::{Replied, Reply, boxed, message};

pub use self::{
    args::Args,
    cache::CACHE_ORDERS,
    complete::{Candidate, Completions},
    help::{HelpIndex, KeyHelp, Topic, markdown},
    manual::{FamilyDefinition, changes, replaces_game, shows, shows_or_changes},
    play::levels,
    shell::{Failure, FailureKind, Outcome, Response, Shell, SourceOrigin, SourcePlace},
    spec::{Changes, Choice, CommandSpec, Family, Form, Kind, LiveList, Param, SessionEffect},
    table::CommandTable,
};

pub use crate::engine::{
    fault::{Culprit, Fault},
    files, games, suggest,
};

pub mod args;
mod audit;
mod breakpoints;
mod cache;
pub mod command_list;
pub mod complete;
mod debug;
mod engines;
mod expect;
mod explain;
mod games;
mod general;
mod glossary;
mod help;
pub mod highlight;
pub mod lexer;
pub mod manual;
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
mod suites;
pub mod table;
mod tables;
mod timeline;
mod tips;
mod tournament;
mod trace;
mod train;
mod tuning;

/// Every family of commands, in the order of `help`.
pub static DEFINITIONS: &[FamilyDefinition] = &[
    position::FAMILY,
    play::FAMILY,
    games::FAMILY,
    engines::FAMILY,
    picture::FAMILY,
    search::FAMILY,
    debug::FAMILY,
    timeline::FAMILY,
    breakpoints::FAMILY,
    cache::FAMILY,
    audit::FAMILY,
    explain::FAMILY,
    quiz::FAMILY,
    trace::FAMILY,
    tuning::FAMILY,
    suites::FAMILY,
    matches::FAMILY,
    tournament::FAMILY,
    train::FAMILY,
    tables::FAMILY,
    session::FAMILY,
    general::FAMILY,
];

/// The commands of [`DEFINITIONS`], read from their manuals.
pub static FAMILIES: LazyLock<Vec<Family>> = LazyLock::new(|| manual::families(DEFINITIONS));

/// The table of all commands in [`FAMILIES`].
pub fn table() -> &'static CommandTable {
    static TABLE: LazyLock<CommandTable> = LazyLock::new(|| CommandTable { families: &FAMILIES });
    &TABLE
}
