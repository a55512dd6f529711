//! Traces of other programs, as far as commands read them.

use super::{Game, TracedSearch};
use crate::engine::core::search::Search;

/// The value of a trace field that Plyscope does not define.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldValue {
    /// A number; true is 1, false is 0.
    Number(f64),
    /// Any other value.
    Text(String),
}

/// A recorded search with access to its events.
pub trait TraceAccess<G: Game>: TracedSearch<G> {
    /// The number of a field that Plyscope does not define. `later`: also of a field that no event has had so far.
    fn field(&self, name: &str, later: bool) -> Option<u16>;

    /// The value of such a field at an event.
    fn field_at(&self, field: u16, event: u64) -> Option<FieldValue>;

    /// The event that entered a node.
    fn entered_at(&self, position: &G::Position) -> Option<u64>;

    /// The line of an event in the trace.
    fn line(&self, event: u64) -> Option<String>;

    /// Why the trace cannot be read further, if the search is not over.
    fn why_ended(&self) -> Option<String>;

    /// The search at a checkpoint of the trace within a range of events, without replaying from `begin`.
    fn jump(&self, begin: &Search<G>, between: [u64; 2]) -> Option<Search<G>>;
}
