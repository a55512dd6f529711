use super::{Rules, Score, Window};

/// What another program's search did. Values and windows are those of the side to move at the node.
#[derive(Clone, Debug)]
pub enum TraceStep<G: Rules> {
    /// Nothing more.
    Over,
    /// Nothing yet: the program is still at work.
    Pending,
    /// Something that leaves the stack and the table as they are.
    Remark,
    /// An iteration begins, so many plies deep.
    Iteration(u8),
    /// A node is entered: the root where none is open.
    Entered {
        /// Its position.
        position: G::Position,
        /// The move that leads there.
        mv: G::Move,
        /// Its window.
        window: Window,
        /// Remaining depth.
        depth: u8,
        /// Its key in the table.
        key: Option<G::Key>,
        /// Whether its move is searched a second time.
        again: bool,
        /// Whether its move is a pass that only asks whether β is safe.
        null: bool,
    },
    /// The table answered.
    Answered(Score),
    /// The table had an entry that could not answer; the window that is searched then, where that is told.
    Found(Option<Window>),
    /// The table had no entry.
    Missed,
    /// The node's static value.
    Static(Score),
    /// A move is not searched.
    Skipped(G::Move),
    /// An entry is stored, with the window under which its value means what the entry says.
    Stored(G::Key, u8, Window, Score),
    /// An entry is removed.
    Dropped(G::Key),
    /// The node is cut off.
    Cut,
    /// The node is left.
    Left {
        /// Its value.
        value: Score,
        /// The same for the node above, where it counts as one of its moves'.
        seen: Option<Score>,
        /// Whether it only asked whether a move is better than another.
        zero: bool,
    },
}

/// A search that another program made and a trace tells event by event: a [`Search`](crate::engine::search::Search) follows
/// it instead of searching.
pub trait RecordedSearch<G: Rules> {
    /// The event of this number, at a node with these moves behind it; no node is open before the root is entered.
    fn step(&self, event: u64, node: Option<(&G::Position, &[G::Move])>) -> TraceStep<G>;
}
