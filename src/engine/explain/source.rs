//! Where the bounds of a node's window come from.

use serde::Serialize;

use crate::engine::{
    game::{Game, Score, Side, Window},
    search::{Algorithm, Frame, MoveTreatment, Plan, Search, WindowChange},
};

/// Where a bound of a node's window comes from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Source {
    /// The ply of the node that set it.
    pub ply: u32,
    /// The side to move at that node.
    pub(crate) side: Side,
    /// The bound as that node has it or passes it to its child, for that side.
    pub value: Score,
    /// What set it.
    #[serde(flatten)]
    pub by: SetBy,
}

/// What sets a bound of a window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "by", rename_all = "kebab-case")]
pub enum SetBy {
    /// The search as it was asked for.
    Search,
    /// The aspiration window of the iteration.
    Aspiration,
    /// The zero window of a pass of MTD(f).
    Pass,
    /// A move: the best of the node so far.
    Move {
        /// The move.
        #[serde(rename = "move")]
        mv: String,
    },
    /// The static value of a node beyond the horizon.
    StandPat,
    /// The zero window that asks whether a move is better than the best so far.
    ZeroWindow,
    /// The zero window at β below a pass (null move pruning).
    NullWindow,
    /// The cache entry found at the node.
    Entry,
    /// The user.
    Hand,
    /// The program that told of the search, for a reason of its own, as in mate distance pruning.
    Program,
}

/// One end of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The lower bound.
    Alpha,
    /// The upper bound.
    Beta,
}

impl End {
    /// This end of a window.
    pub const fn of(self, window: Window) -> Score {
        match self {
            Self::Alpha => window.alpha,
            Self::Beta => window.beta,
        }
    }

    /// The same as the node above or below sees it.
    const fn turned(self) -> Self {
        match self {
            Self::Alpha => Self::Beta,
            Self::Beta => Self::Alpha,
        }
    }
}

/// The nodes from the root to the one at hand, whose windows are asked about.
#[derive(Clone, Copy)]
pub struct Windows<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) search: &'a Search<G>,
    pub(crate) algorithm: Algorithm,
}

impl<G: Game> Windows<'_, G> {
    /// The source of a bound of the window that the node at a ply is searched with.
    pub fn source(&self, ply: usize, end: End) -> Source {
        let frame = &self.search.frames()[ply];
        let value = end.of(frame.window);
        // What a pass of MTD(f) asks of the root is not kept: both bounds count as changed.
        let lost = ply == 0 && self.algorithm == Algorithm::Mtdf && frame.changed.is_some();
        if lost || value != end.of(self.search.searched_window_at(self.game, self.algorithm, ply)) {
            return self.changed(ply, end);
        }
        match ply.checked_sub(1) {
            Some(above) => self.given(above, end.turned()),
            None => self.set(ply, value, self.begun(end)),
        }
    }

    /// The source of a bound of the window in force at a node, whose α is its best value so far.
    pub fn open_source(&self, ply: usize, end: End) -> Source {
        let frame = &self.search.frames()[ply];
        if end == End::Beta || frame.best <= frame.window.alpha {
            return self.source(ply, end);
        }
        let best = |mv| SetBy::Move { mv: self.game.format_move(&frame.position, mv) };
        self.set(ply, frame.best, frame.best_move().map_or(SetBy::StandPat, best))
    }

    /// The source of a bound that a node gives the child under way, as the node sees it.
    fn given(&self, ply: usize, end: End) -> Source {
        let frame = &self.search.frames()[ply];
        let given = end.of(frame.move_window(self.algorithm));
        if given == end.of(frame.window) {
            self.source(ply, end)
        } else if given == end.of(frame.current_window()) {
            self.open_source(ply, end)
        } else {
            self.set(ply, given, narrowed(frame))
        }
    }

    /// The source of a bound that is not the one that the node was asked for.
    fn changed(&self, ply: usize, end: End) -> Source {
        let frame = &self.search.frames()[ply];
        let value = end.of(frame.window);
        let above = ply.checked_sub(1).map(|above| &self.search.frames()[above]);
        match (frame.changed, above) {
            (Some(WindowChange::Entry), _) => self.set(ply, value, SetBy::Entry),
            (Some(WindowChange::Hand), _) => self.set(ply, value, SetBy::Hand),
            // Another program's zero windows are as wide as it likes.
            (None, Some(above))
                if (above.treatment == MoveTreatment::Null) == (end == End::Beta) =>
            {
                self.set(ply - 1, value.parent(self.game), narrowed(above))
            }
            _ => self.set(ply, value, SetBy::Program),
        }
    }

    /// What sets a bound of the root's window as it is asked for.
    fn begun(&self, end: End) -> SetBy {
        let search = self.search;
        let whole = end.of(search.frames()[0].window) == end.of(search.full_window());
        match search.plan() {
            _ if self.algorithm == Algorithm::Mtdf => SetBy::Pass,
            Plan::Best(_) if !whole => SetBy::Aspiration,
            _ => SetBy::Search,
        }
    }

    fn set(&self, ply: usize, value: Score, by: SetBy) -> Source {
        let side = self.game.side(&self.search.frames()[ply].position);
        Source { ply: ply as u32, side, value, by }
    }
}

/// What narrows the window that a node gives the child under way.
fn narrowed<G: Game>(node: &Frame<G>) -> SetBy {
    if node.treatment == MoveTreatment::Null { SetBy::NullWindow } else { SetBy::ZeroWindow }
}
