//! Access to traces, the recorded searches of other programs, for commands.

use serde::Serialize;

use super::{Game, Score, TracedSearch, Window};
use crate::engine::core::search::Search;

/// The value of a field in a trace.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldValue {
    /// A number; true is 1, false is 0.
    Number(f64),
    /// A value that is neither a number nor true or false, as text.
    Text(String),
}

impl FieldValue {
    /// Whether the value is the text `word`, or the truth value that `word` names: `true` or `false`.
    pub fn is(&self, word: &str) -> bool {
        match self {
            Self::Text(text) => text == word,
            Self::Number(number) => matches!((word, *number), ("true", 1.0) | ("false", 0.0)),
        }
    }
}

/// How a node of a trace treated a move: `skip`, `reduce`, `extend`, `cut` or `search`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TracedTreatment {
    /// The number in the trace of the event that treats the move.
    pub event: u64,
    /// The last event of the search of this move; `None` if the move was not searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<u64>,
    /// `skip`, `reduce`, `extend`, `cut` or `search`.
    pub kind: &'static str,
    /// The reason for the treatment, or the kind of search, in the words of the traced program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The number of plies by which the move is reduced or extended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies: Option<f64>,
    /// The depth to which the move was searched, in plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<f64>,
    /// The search window, for the side to move at the node.
    #[serde(skip_serializing_if = "Option::is_none", flatten)]
    pub window: Option<Window>,
    /// The value that the search of the move returned, for the side to move at the node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Score>,
    /// The key of the table entry that replaced the search of the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
}

/// A recorded search, with access to its events.
pub trait TraceAccess<G: Game>: TracedSearch<G> {
    /// The number of a field by its name. `later`: also of a field that no event has had so far.
    fn field(&self, name: &str, later: bool) -> Option<u16>;

    /// The value of the field with this number at an event.
    fn field_at(&self, field: u16, event: u64) -> Option<FieldValue>;

    /// The event that entered the node of this position, if the node is open.
    fn entered_at(&self, position: &G::Position) -> Option<u64>;

    /// The number of the node's last move (null moves and repeated searches do not count), and the number of legal moves: 0 if
    /// unknown, and in quiescence, which searches only some of the moves.
    fn place_of_last(&self, node: &G::Position, moves: &[G::Move]) -> [usize; 2];

    /// How the open node `node` treated the move `mv`, in events before `end`.
    fn treatments(&self, node: &G::Position, end: u64, mv: &str) -> Vec<TracedTreatment>;

    /// The number of events read so far (the debugger may have run fewer), and each checked iteration's depth and first event.
    fn outline(&self) -> (u64, Vec<(u8, u64)>);

    /// The number, from 1, of the trace's line for this event, and the text of the line.
    fn line(&self, event: u64) -> Option<(u64, String)>;

    /// The same trace, showing the stack and the tree of another thread.
    fn of_thread(&self, thread: usize) -> G;

    /// The thread of an event that only changes the table and belongs to another thread than the one shown; else `None`.
    fn other_thread(&self, event: u64) -> Option<usize>;

    /// The checker's findings at an event; empty if the event has not been checked yet.
    fn findings_at(&self, event: u64) -> Vec<String>;

    /// Why the trace cannot be read any further; `None` if its search is over.
    fn why_ended(&self) -> Option<String>;

    /// The state of the search at a landmark within a range of events, without replaying from `begin`, if there is one.
    fn jump(&self, begin: &Search<G>, between: [u64; 2]) -> Option<Search<G>>;
}
