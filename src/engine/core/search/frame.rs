//! One node of the line being searched.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{Algorithm, Mode, MoveTreatment};
use crate::engine::core::{
    game::{Score, SearchRules, Window, is_default},
    table::Slot,
};

/// The result of the probe at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::EnumString)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum ProbeOutcome {
    /// The node is not probed, or not yet.
    #[serde(rename = "unasked")]
    #[strum(disabled)]
    NotProbed,
    /// A stored value replaced the search.
    Hit,
    /// An entry was found, but its depth or bound does not suffice.
    Invalid,
    /// The probe found no entry.
    Miss,
}

/// Why the window of a node differs from the window with which the parent searches the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WindowChange {
    /// An entry of the table widened or narrowed the window.
    Entry,
    /// The user set the window.
    Hand,
    /// In traces: the node set the window.
    Node,
}

/// One node of the line being searched.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Frame<G: SearchRules> {
    /// The position at the node.
    pub position: G::Position,
    /// The window searched: the parent's, perhaps changed by an entry or by the user.
    pub window: Window,
    /// What changed the window; `None` if nothing did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed: Option<WindowChange>,
    /// The best value so far. With alpha-beta, `best` starts at α and is the current α (fail-hard).
    pub best: Score,
    /// Remaining depth in plies; 0 at the horizon.
    pub depth: u8,
    /// The result of probing the table for the node.
    pub outcome: ProbeOutcome,
    /// In the quiescence search, the plies left; `None` above the horizon.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quiescence_depth: Option<u8>,
    /// Whether a draw by history contributed to the value; only tracked for `history=skip`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub depends_on_history: bool,
    /// Whether every move gets its exact value: all are searched with the full window, and none is cut off. True at a root
    /// with `root=all`.
    #[serde(rename = "whole", default, skip_serializing_if = "is_default")]
    pub exact_moves: bool,
    /// Fail-soft: the best value that did not exceed α.
    #[serde(default = "no_value", skip_serializing_if = "is_no_value")]
    pub(super) best_below_alpha: Score,
    /// Whether the current move is searched a second time; at the root, whether all moves are, with another window.
    #[serde(rename = "again", default, skip_serializing_if = "is_default")]
    pub research: bool,
    /// How selective search treats the current move.
    #[serde(default, skip_serializing_if = "is_default")]
    pub treatment: MoveTreatment,
    /// Whether the first move is a null move.
    #[serde(rename = "passes", default, skip_serializing_if = "is_default")]
    pub has_null_move: bool,
    /// The range of the moves in the search's list; all but the last `unsorted` are sorted. Empty until they are listed.
    pub(super) moves: Range<u32>,
    /// The index of the next move to try.
    pub(super) next: u32,
    /// How many of the last moves are not sorted yet.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) unsorted: u32,
    /// The move of the best value; `None` until a value exceeds α.
    pub(super) best_move: Option<G::Move>,
    /// The slot of the probe, so that the key is computed once; `None` in a frame that was read from a session.
    #[serde(skip)]
    pub slot: Option<Slot<G::Key>>,
}

impl<G: SearchRules> Frame<G> {
    pub(super) fn new(position: G::Position, window: Window, depth: u8, first: u32) -> Self {
        Self {
            position,
            window,
            changed: None,
            best: window.alpha,
            depth,
            outcome: ProbeOutcome::NotProbed,
            quiescence_depth: None,
            depends_on_history: false,
            exact_moves: false,
            best_below_alpha: Score::NEG_INFINITY,
            research: false,
            treatment: MoveTreatment::Full,
            has_null_move: false,
            moves: first..first,
            next: first,
            unsorted: 0,
            best_move: None,
            slot: None,
        }
    }

    pub(super) fn root(
        position: G::Position,
        full: Window,
        moves: usize,
        exact_moves: bool,
    ) -> Self {
        Self { exact_moves, moves: 0..moves as u32, ..Self::new(position, full, 0, 0) }
    }

    /// Prepares the frame for another search with this window.
    pub(super) fn restart(&mut self, window: Window) {
        self.window = window;
        self.changed = None;
        self.best = window.alpha;
        self.depends_on_history = false;
        self.best_below_alpha = Score::NEG_INFINITY;
        self.research = false;
        self.treatment = MoveTreatment::Full;
        self.next = self.moves.start;
        self.best_move = None;
    }

    /// Whether the node is probed and stored. Nodes of the quiescence search are not, and leaves only with `leaves=on`:
    /// evaluating one is cheaper than a probe.
    #[inline]
    pub fn uses_table(&self, mode: &Mode) -> bool {
        (!G::HAS_QUIESCENCE || self.quiescence_depth.is_none()) && (self.depth > 0 || mode.leaves)
    }

    /// Adapts a new frame to the algorithm: with minimax, `best` starts below every value.
    #[inline]
    pub(super) fn for_algorithm(mut self, algorithm: Algorithm) -> Self {
        if !algorithm.has_windows() {
            self.best = Score::NEG_INFINITY;
        }
        self
    }

    /// The number of moves; 0 until they are listed.
    pub fn children(&self) -> usize {
        self.moves.len()
    }

    /// The number of moves tried so far, including the current one.
    pub fn entered(&self) -> usize {
        (self.next - self.moves.start) as usize
    }

    /// How many moves were tried, null moves excluded.
    #[inline]
    pub(super) fn moves_entered(&self) -> usize {
        self.entered() - usize::from(self.has_null_move)
    }

    /// Whether the current move is a null move.
    #[inline]
    pub(super) fn is_at_null_move(&self) -> bool {
        self.has_null_move && self.entered() == 1
    }

    /// The best move so far; `None` if no value exceeds α.
    pub fn best_move(&self) -> Option<G::Move> {
        self.best_move
    }

    /// The window with which the current child is searched.
    #[inline]
    pub fn child_window(&self, game: &G, algorithm: Algorithm) -> Window {
        self.move_window(algorithm).child(game)
    }

    /// The window of the current move, for the side to move at this node.
    #[inline]
    pub fn move_window(&self, algorithm: Algorithm) -> Window {
        if self.exact_moves || !algorithm.has_windows() {
            self.window
        } else if self.treatment == MoveTreatment::Null {
            // A null move only tests whether the value is at least β.
            Window { alpha: self.window.beta.below(), beta: self.window.beta }
        } else if self.is_scout(algorithm) {
            self.zero_window()
        } else {
            self.current_window()
        }
    }

    /// PVS: whether the current move is searched with a zero window. The first move is not, nor a re-search, nor a leaf,
    /// whose value costs the same with any window.
    #[inline]
    pub fn is_scout(&self, algorithm: Algorithm) -> bool {
        algorithm == Algorithm::Pvs
            && self.depth >= 2
            && self.moves_entered() >= 2
            && !self.research
            && !self.exact_moves
            // If the open window is itself a zero window, a scout search would be repeated with the same window.
            && self.zero_window().beta < self.window.beta
    }

    /// Whether the current move, whose value has just returned, must be searched again to full depth with the open window.
    /// `is_exact`: the value is not only a bound.
    #[inline]
    pub(super) fn needs_research(
        &mut self,
        algorithm: Algorithm,
        value: Score,
        is_exact: bool,
    ) -> bool {
        let reduced = self.treatment == MoveTreatment::Reduced;
        let is_only_bound =
            self.is_scout(algorithm) && self.current_window().holds(value) && !is_exact;
        self.research = is_only_bound || (reduced && value > self.best);
        if reduced || !self.research {
            self.treatment = MoveTreatment::Full;
        }
        self.research
    }

    /// Whether the node has a zero window, whose search only decides whether the value exceeds α.
    #[inline]
    pub(super) fn has_zero_window(&self) -> bool {
        self.window.beta <= self.window.alpha.above()
    }

    fn zero_window(&self) -> Window {
        Window { alpha: self.best, beta: self.best.above() }
    }

    /// The value of the node once its moves are searched. After a fail low: with fail-soft the best value below α, else α.
    #[inline]
    pub(super) fn node_value(&self, fail_soft: bool) -> Score {
        if fail_soft
            && self.best == self.window.alpha
            && self.best_below_alpha > Score::NEG_INFINITY
        {
            self.best_below_alpha
        } else {
            self.best
        }
    }

    /// Whether the best move does not exceed α: at a root with `root=all`, if every move loses.
    pub fn keeps_alpha(&self) -> bool {
        self.exact_moves && self.best == self.window.alpha
    }

    /// Whether the best value cuts off the node.
    #[inline]
    pub(super) fn is_cut_off(&self, algorithm: Algorithm) -> bool {
        algorithm.has_windows() && !self.exact_moves && self.window.fails_high(self.best)
    }

    /// The current window: from the best value so far to β.
    pub fn current_window(&self) -> Window {
        Window { alpha: self.best, beta: self.window.beta }
    }
}

const fn no_value() -> Score {
    Score::NEG_INFINITY
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_no_value(score: &Score) -> bool {
    *score == Score::NEG_INFINITY
}
