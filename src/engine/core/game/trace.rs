use super::{Rules, Score, Window};

/// One event of another program's search. Values and windows are for the side to move at the node.
#[derive(Clone, Debug)]
pub enum TraceStep<G: Rules> {
    /// No event: the trace has ended.
    Over,
    /// No event yet: the program is still writing the trace.
    Pending,
    /// An event that changes neither stack nor table.
    Remark,
    /// An iteration begins, with its depth in plies.
    Iteration(u8),
    /// A new search of this position begins: all nodes are closed.
    Begun(G::Position),
    /// A node is entered: the root if no node is open.
    Entered {
        /// The position at the entered node.
        position: G::Position,
        /// The move that leads to the node; unused at the root.
        mv: G::Move,
        /// The window with which the node is searched.
        window: Window,
        /// Remaining depth at the node, in plies.
        depth: u8,
        /// The table key of the node, if the trace has one.
        key: Option<G::Key>,
        /// Whether the move is searched a second time.
        research: bool,
        /// Whether the move is a null move.
        null_move: bool,
    },
    /// A stored value replaces the search of the node.
    Hit(Score),
    /// An entry is found, but its depth or bound does not suffice. The field: the window searched then, if the trace has it.
    Invalid(Option<Window>),
    /// The table has no entry for the node.
    Missed,
    /// The node changes its own window.
    Window(Window),
    /// The static value of the current node.
    Static(Score),
    /// A move of the current node is pruned.
    Skipped(G::Move),
    /// An entry is stored: key, depth, a window from which its bound follows, value, and whether it is the current node's.
    Stored(G::Key, u8, Window, Score, bool),
    /// The entry under this key is removed from the table.
    Dropped(G::Key),
    /// The node is cut off, with the value that the program gives, if any.
    Cut(Option<Score>),
    /// The search leaves the node and returns its value.
    Left {
        /// The value for the side to move at the node.
        value: Score,
        /// The value for the side to move at the parent.
        parent_value: Score,
        /// Whether the value counts for the parent: not that of a null move, a trial search or a search of the same position.
        counts: bool,
        /// Whether the move was searched before; then this value replaces the earlier one, even if lower.
        again: bool,
        /// If the move was searched before: the best other move of the parent, with its value.
        other_best: Option<(G::Move, Score)>,
        /// Whether the node was searched with a zero window.
        zero_window: bool,
    },
}

/// The search of another program. A [`Search`](crate::engine::search::Search) applies its events instead of searching.
pub trait TracedSearch<G: Rules> {
    /// The event with this number. `node` is the open node with its moves so far; `None` before the root is entered.
    fn step(&self, event: u64, node: Option<(&G::Position, &[G::Move])>) -> TraceStep<G>;
}
