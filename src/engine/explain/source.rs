//! Where the bounds of a node's window come from.

use serde::Serialize;

use crate::engine::{
    game::{Game, MoveText, Score, Side, Window},
    search::{Algorithm, Frame, MoveTreatment, Plan, Search, WindowChange},
    trace::is_zero,
};

/// Where a bound of a node's window comes from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BoundSource {
    /// The ply of the node that set the bound.
    pub ply: u32,
    /// The side to move at the node that set the bound.
    pub(crate) side: Side,
    /// The value of the bound, for `side`: at the node that set the bound, or as this node passes the bound to its child.
    pub value: Score,
    /// What set the bound, such as a move or an entry.
    #[serde(flatten)]
    pub by: SetBy,
}

/// What sets a bound of a window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "by", rename_all = "kebab-case")]
pub enum SetBy {
    /// The window that the search began with.
    Search,
    /// The aspiration window of the iteration.
    Aspiration,
    /// The zero window of a pass of MTD(f).
    Pass,
    /// The best move of the node so far.
    Move {
        /// The move, in the game's notation.
        #[serde(flatten, serialize_with = "MoveText::with_san")]
        mv: MoveText,
    },
    /// The static value of a node in quiescence.
    StandPat,
    /// The zero window that tests whether a move is better than the best so far (PVS).
    ZeroWindow,
    /// The zero window at β after a null move.
    NullWindow,
    /// The cache entry found at the node.
    Entry,
    /// An edit of the window by the user.
    Hand,
    /// The traced program changed the bound, for a reason that is not in the trace.
    Program,
    /// The traced program set a bound outside the parent's window, which alpha-beta never does.
    Wider,
}

/// One end of a window, α or β.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// α, the lower bound.
    Alpha,
    /// β, the upper bound.
    Beta,
}

impl End {
    /// The bound of a window at this end.
    pub const fn of(self, window: Window) -> Score {
        match self {
            Self::Alpha => window.alpha,
            Self::Beta => window.beta,
        }
    }

    /// The opposite end of the window: a node's α comes from its parent's β, and β from α.
    const fn turned(self) -> Self {
        match self {
            Self::Alpha => Self::Beta,
            Self::Beta => Self::Alpha,
        }
    }
}

/// The windows of the nodes on the stack.
#[derive(Clone, Copy)]
pub struct Windows<'a, G: Game> {
    /// The rules of the game.
    pub game: &'a G,
    /// The search whose stack is examined.
    pub search: &'a Search<G>,
    /// The search algorithm, on which the windows of children depend.
    pub algorithm: Algorithm,
}

impl<G: Game> Windows<'_, G> {
    /// The source of a bound of the window that the node at a ply is searched with.
    pub fn source(&self, ply: usize, end: End) -> BoundSource {
        let frame = &self.search.frames()[ply];
        let value = end.of(frame.window);
        // If an entry changed the zero window of an MTD(f) pass, the old window is unknown: both bounds count as changed.
        let lost = ply == 0 && self.algorithm == Algorithm::Mtdf && frame.changed.is_some();
        let given = end.of(self.search.searched_window_at(self.game, self.algorithm, ply));
        // Some traced programs count mates from the node but pass bounds down unchanged.
        let is_given = value == given || G::IS_TRACE && value == self.game.delay_mate(given);
        if lost || !is_given {
            return self.changed(ply, end);
        }
        match ply.checked_sub(1) {
            Some(above) => self.passed_down(above, end.turned()),
            None => self.source_at(ply, value, self.begun(end)),
        }
    }

    /// The source of a bound of a node's current window, whose α is the best value so far, after a cutoff the best before it.
    pub fn open_source(&self, ply: usize, end: End) -> BoundSource {
        let frame = &self.search.frames()[ply];
        let is_raised = frame.best > frame.window.alpha && frame.best < frame.window.beta;
        if end == End::Beta || !is_raised {
            return self.source(ply, end);
        }
        let best = |mv| SetBy::Move { mv: self.game.move_text(&frame.position, mv) };
        self.source_at(ply, frame.best, frame.best_move().map_or(SetBy::StandPat, best))
    }

    /// The source of a bound that a node passes to the current child, for the node's side to move.
    fn passed_down(&self, ply: usize, end: End) -> BoundSource {
        let frame = &self.search.frames()[ply];
        let given = end.of(frame.move_window(self.algorithm));
        if given == end.of(frame.window) {
            self.source(ply, end)
        } else if given == end.of(frame.current_window()) {
            self.open_source(ply, end)
        } else {
            self.source_at(ply, given, narrowed(frame))
        }
    }

    /// The source of a bound that differs from the bound that the parent passed.
    fn changed(&self, ply: usize, end: End) -> BoundSource {
        let frame = &self.search.frames()[ply];
        let value = end.of(frame.window);
        let above = ply.checked_sub(1).map(|above| &self.search.frames()[above]);
        let side = |frame: &Frame<G>| self.game.side(&frame.position);
        let same_side = above.is_some_and(|above| G::IS_TRACE && side(frame) == side(above));
        let given = above.map(|above| {
            let window = above.current_window();
            end.of(if same_side { window } else { window.child(self.game) })
        });
        let is_outside = |given| if end == End::Alpha { value < given } else { value > given };
        let is_wider = given.is_some_and(is_outside);
        let is_zero = is_zero((frame.window.alpha.get(), frame.window.beta.get()));
        match (frame.changed, above) {
            (Some(WindowChange::Entry), _) => self.source_at(ply, value, SetBy::Entry),
            (Some(WindowChange::Hand), _) => self.source_at(ply, value, SetBy::Hand),
            // A traced program searches the same position again, with the parent's own window.
            (None, _) if same_side && given == Some(value) => self.open_source(ply - 1, end),
            // The search of a traced program begins with a window of its own.
            (None, None) => self.source_at(ply, value, SetBy::Search),
            // A traced program's zero windows need not be one value wide.
            (None, Some(above))
                if is_zero
                    || !is_wider
                        && (above.treatment == MoveTreatment::Null) == (end == End::Beta) =>
            {
                self.source_at(ply - 1, value.parent(self.game), narrowed(above))
            }
            _ if is_wider => self.source_at(ply, value, SetBy::Wider),
            _ => self.source_at(ply, value, SetBy::Program),
        }
    }

    /// What sets a bound of the window that the root begins with.
    fn begun(&self, end: End) -> SetBy {
        let search = self.search;
        let is_full = end.of(search.frames()[0].window) == end.of(search.full_window());
        match search.plan() {
            _ if self.algorithm == Algorithm::Mtdf => SetBy::Pass,
            Plan::Best(_) if !is_full => SetBy::Aspiration,
            _ => SetBy::Search,
        }
    }

    fn source_at(&self, ply: usize, value: Score, by: SetBy) -> BoundSource {
        let side = self.game.side(&self.search.frames()[ply].position);
        BoundSource { ply: ply as u32, side, value, by }
    }
}

/// What narrows the window that a node passes to its current child.
fn narrowed<G: Game>(node: &Frame<G>) -> SetBy {
    if node.treatment == MoveTreatment::Null { SetBy::NullWindow } else { SetBy::ZeroWindow }
}
