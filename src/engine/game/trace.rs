use super::{Game, TracedSearch};
use crate::engine::core::search::Search;

/// A value of a field that only the traced program knows.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldValue {
    /// A number; 1 for true and 0 for false.
    Number(f64),
    /// Anything else.
    Text(String),
}

/// A recorded search with what people can ask about its events.
pub trait TraceReader<G: Game>: TracedSearch<G> {
    /// The number of a field that only the traced program knows; with `later`, also of one that no event has had yet.
    fn field(&self, name: &str, later: bool) -> Option<u16>;

    /// The value of such a field at an event.
    fn field_at(&self, field: u16, event: u64) -> Option<FieldValue>;

    /// The event that entered a node.
    fn entered_at(&self, position: &G::Position) -> Option<u64>;

    /// An event in the program's own words: its line in the trace.
    fn line(&self, event: u64) -> Option<String>;

    /// Why the trace cannot be read further, where the search is not over.
    fn why_ended(&self) -> Option<String>;

    /// The search at a checkpoint of the trace between two numbers of events, without following all the way there.
    fn jump(&self, begin: &Search<G>, between: [u64; 2]) -> Option<Search<G>>;
}
