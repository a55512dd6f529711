use super::{Rules, Score, Window};

/// One event of another program's search. Values and windows are for the side to move at the node.
#[derive(Clone, Debug)]
pub enum TraceStep<G: Rules> {
    /// The trace is complete.
    Over,
    /// The program has not written this event yet.
    Pending,
    /// An event that changes neither stack nor table.
    Remark,
    /// An iteration begins, with its depth in plies.
    Iteration(u8),
    /// A new search of this position begins: all nodes are closed.
    Begun(G::Position),
    /// A node is entered: the root if no node is open.
    Entered {
        /// The position of the node.
        position: G::Position,
        /// The move that leads to the node.
        mv: G::Move,
        /// The window of the node.
        window: Window,
        /// Remaining depth.
        depth: u8,
        /// The key of the node in the table.
        key: Option<G::Key>,
        /// Whether the move is searched a second time.
        research: bool,
        /// Whether the move is a null move.
        null_move: bool,
    },
    /// A stored value replaces the search of the node.
    Hit(Score),
    /// An entry is found, but its depth or bound does not suffice; then the window searched, if the trace has it.
    Invalid(Option<Window>),
    /// The table has no entry for the node.
    Missed,
    /// The node changes its own window.
    Window(Window),
    /// The node's static value.
    Static(Score),
    /// A move is pruned.
    Skipped(G::Move),
    /// An entry is stored: key, depth, a window from which its bound follows, value, and whether the current node stores it.
    Stored(G::Key, u8, Window, Score, bool),
    /// An entry is removed.
    Dropped(G::Key),
    /// The node is cut off, with the value that the program gives, if any.
    Cut(Option<Score>),
    /// The node is left.
    Left {
        /// The value of the node.
        value: Score,
        /// The value for the side to move at the parent.
        parent_value: Score,
        /// Whether the value is that of a move of the parent.
        counts: bool,
        /// Whether the move was searched before. This value replaces the earlier one, also if it is lower.
        again: bool,
        /// If searched again: the best of the parent's other moves.
        other_best: Option<(G::Move, Score)>,
        /// Whether the node was searched with a zero window.
        zero_window: bool,
    },
}

/// The search of another program, event by event. A [`Search`](crate::engine::search::Search) repeats it instead of searching.
pub trait TracedSearch<G: Rules> {
    /// The event with this number. `node` is the open node with its moves so far; `None` before the root is entered.
    fn step(&self, event: u64, node: Option<(&G::Position, &[G::Move])>) -> TraceStep<G>;
}
