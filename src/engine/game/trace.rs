//! Traces of other programs, as far as commands read them.

use serde::Serialize;

use super::{Game, Score, TracedSearch, Window};
use crate::engine::core::search::Search;

/// The value of a field of a trace.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldValue {
    /// A number; true is 1, false is 0.
    Number(f64),
    /// Any other value.
    Text(String),
}

impl FieldValue {
    /// Whether the value is this word: a text, or `true` or `false`.
    pub fn is(&self, word: &str) -> bool {
        match (self, word) {
            (Self::Text(text), word) => text == word,
            (Self::Number(number), "true") => *number == 1.0,
            (Self::Number(number), "false") => *number == 0.0,
            (Self::Number(_), _) => false,
        }
    }
}

/// How a node of a trace treated a move: `skip`, `reduce`, `extend`, `cut`, or `search`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TracedTry {
    /// The number of the event.
    pub event: u64,
    /// If the move was searched: the last event of that search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<u64>,
    /// The treatment, one of these words.
    pub kind: &'static str,
    /// The reason or the kind of search, in the program's own word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The plies by which the move is reduced or extended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies: Option<f64>,
    /// The depth searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<f64>,
    /// The window, for the side to move at the node.
    #[serde(skip_serializing_if = "Option::is_none", flatten)]
    pub window: Option<Window>,
    /// The value that the search returned, for the same side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Score>,
    /// The key of the entry that replaced the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
}

/// A recorded search with access to its events.
pub trait TraceAccess<G: Game>: TracedSearch<G> {
    /// The number of a field by its name. `later`: also for a name that no event has had so far.
    fn field(&self, name: &str, later: bool) -> Option<u16>;

    /// The value of the field with this number at an event.
    fn field_at(&self, field: u16, event: u64) -> Option<FieldValue>;

    /// The event that entered a node.
    fn entered_at(&self, position: &G::Position) -> Option<u64>;

    /// How an open node treated a move, in events before `end`.
    fn tries(&self, node: &G::Position, end: u64, mv: &str) -> Vec<TracedTry>;

    /// The number of events read so far (the debugger may have run fewer), and the checked iterations: depth and first event.
    fn outline(&self) -> (u64, Vec<(u8, u64)>);

    /// The line of an event in the trace, with its number from 1.
    fn line(&self, event: u64) -> Option<(u64, String)>;

    /// The same trace, with the stack and tree of another thread.
    fn of_thread(&self, thread: usize) -> G;

    /// The thread of an event that happens in another thread than the one shown, if the event changes only the table.
    fn other_thread(&self, event: u64) -> Option<usize>;

    /// The findings at an event, if it has been checked already.
    fn findings_at(&self, event: u64) -> Vec<String>;

    /// Why the trace cannot be read further, if the search is not over.
    fn why_ended(&self) -> Option<String>;

    /// The state of the search at a landmark of the trace within a range of events, without replaying from `begin`.
    fn jump(&self, begin: &Search<G>, between: [u64; 2]) -> Option<Search<G>>;
}
