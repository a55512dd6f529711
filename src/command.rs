//! The command language: one table from which parsing, help, completion and the README are made.
//!
//! ```text
//! text -> lexer: statements of words -> table: Spec -> args: checked arguments -> Spec::run -> Report
//! ```
//!
//! A family of commands is a module with a `pub const FAMILY: Family`, named once in [`FAMILIES`]; a command is one
//! [`Spec`] literal beside its handler. [`Shell`] runs statements and is all that a front end talks to.

pub mod args;
pub mod complete;
mod expect;
mod general;
mod help;
pub mod lexer;
pub mod mark;
mod query;
pub mod shell;
pub mod spec;
pub mod suggest;
pub mod table;

use std::sync::LazyLock;

pub use args::{Args, Pair};
pub use complete::{Candidate, Completions};
pub use help::markdown;
pub use shell::{Failure, FailureKind, Origin, Outcome, Place, Reply, Shell};
pub use spec::{Choice, Family, Form, Handler, Kind, Live, Param, Spec, choice};
pub use table::Table;

/// Every command there is, in the order of `help`.
pub static FAMILIES: &[Family] = &[general::FAMILY];

/// The table of [`FAMILIES`].
pub fn table() -> &'static Table {
    static TABLE: LazyLock<Table> = LazyLock::new(|| Table::new(FAMILIES));
    &TABLE
}

#[cfg(test)]
mod tests;
