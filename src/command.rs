//! The command language: one table from which parsing, help, completion and `sessions/commands.md` are made.
//!
//! ```text
//! text -> lexer: statements of words -> table: Spec -> args: checked arguments -> Spec::run -> Reply
//! ```
//!
//! A family of commands is a module with a `pub const FAMILY: Family`, named once in [`FAMILIES`]; a command is one
//! [`Spec`] literal beside its handler. [`Shell`] runs statements and is all that a front end talks to.
//!
//! ```
//! use plyscope::command::{Family, Handler, Kind, Param, Spec};
//! use plyscope::engine::reply::message;
//!
//! pub const FAMILY: Family = Family {
//!     title: "Greetings",
//!     commands: &[Spec {
//!         name: "greet loudly",
//!         aliases: &["gl"],
//!         params: &[
//!             Param::word("NAME", Kind::Text, "who is greeted"),
//!             Param::flag("times", Kind::Range(1, 9), "how often").optional(),
//!         ],
//!         summary: "greets somebody",
//!         details: "",
//!         examples: &["greet loudly Ada --times 3"],
//!         run: Handler::Shows(|_, args| {
//!             let times = args.count::<usize>("times")?.unwrap_or(1);
//!             Ok(message(args.required("NAME")?.to_uppercase().repeat(times)))
//!         }),
//!     }],
//! };
//! ```

pub mod args;
mod audit;
pub mod block;
mod breakpoints;
mod cache;
pub mod complete;
mod debug;
mod expect;
mod explain;
mod export;
mod general;
mod help;
pub mod lexer;
pub mod mark;
mod matches;
mod pgn;
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
mod tournament;
mod train;
mod tuning;

pub use args::{Args, Pair};
pub use cache::CACHE_ORDERS;
pub use complete::{Candidate, Completions};
pub use help::markdown;
pub use shell::{Failure, FailureKind, Outcome, Response, Shell, SourceOrigin, SourcePlace};
use spec::Handler::{Changes, Shows, ShowsOrChanges};
pub use spec::{Choice, Family, Form, Handler, Kind, LiveList, Param, Spec, choice};
pub use table::CommandTable;

/// What commands report when they cannot do what they were asked.
pub use crate::engine::{files, game::Fault, suggest};

/// Every command there is, in the order of `help`.
pub static FAMILIES: &[Family] = &[
    position::FAMILY,
    play::FAMILY,
    picture::FAMILY,
    search::FAMILY,
    debug::FAMILY,
    timeline::FAMILY,
    breakpoints::FAMILY,
    cache::FAMILY,
    audit::FAMILY,
    explain::FAMILY,
    quiz::FAMILY,
    export::FAMILY,
    tuning::FAMILY,
    matches::FAMILY,
    tournament::FAMILY,
    train::FAMILY,
    pgn::FAMILY,
    session::FAMILY,
    general::FAMILY,
];

/// The table of [`FAMILIES`].
pub fn table() -> &'static CommandTable {
    static TABLE: CommandTable = CommandTable::new(FAMILIES);
    &TABLE
}
