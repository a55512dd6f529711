//! One node of the line being searched.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{Algorithm, Mode, MoveTreatment};
use crate::engine::core::{
    game::{Score, SearchRules, Window, is_default},
    table::Slot,
};

/// What the memo said when the node was entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::EnumString)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum ProbeOutcome {
    /// Not asked yet, or the policy is not asked.
    #[strum(disabled)]
    Unasked,
    /// An answer.
    Hit,
    /// An entry that could not answer.
    Invalid,
    /// No entry.
    Miss,
}

/// What has put another window in force than the one that the parent asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WindowChange {
    /// The entry that the memo found.
    Entry,
    /// The user.
    Hand,
}

/// One node of the line being searched.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Frame<G: SearchRules> {
    /// The position.
    pub position: G::Position,
    /// The window searched: the one the parent asks for, then widened or narrowed by the memo.
    pub window: Window,
    /// What has changed it since it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed: Option<WindowChange>,
    /// The best value so far; with alpha-beta it starts at α, and is the α in force.
    pub best: Score,
    /// Remaining depth.
    pub depth: u8,
    /// What the memo said.
    pub outcome: ProbeOutcome,
    /// Plies that a node beyond the horizon may still go on; nothing for those within the depth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quiescence_depth: Option<u8>,
    /// Whether a draw that rests on what lies before it had a part in the value; not told where nobody asks.
    #[serde(default, skip_serializing_if = "is_default")]
    pub depends_on_history: bool,
    /// Whether every move is searched with the whole window and none is cut off: the root of a search for the best moves.
    #[serde(default, skip_serializing_if = "is_default")]
    pub whole: bool,
    /// Fail-soft: the best of the values that did not exceed α.
    #[serde(default = "nothing", skip_serializing_if = "is_nothing")]
    pub(super) best_below_alpha: Score,
    /// Whether the move under way is searched a second time; at the root, whether all of them are, with another window.
    #[serde(default, skip_serializing_if = "is_default")]
    pub again: bool,
    /// How the move under way is searched.
    #[serde(default, skip_serializing_if = "is_default")]
    pub treatment: MoveTreatment,
    /// Whether the first of its moves is a pass.
    #[serde(default, skip_serializing_if = "is_default")]
    pub passes: bool,
    /// Its moves in the machine's list, in search order but for the last `unsorted`; empty until it is expanded.
    pub(super) moves: Range<u32>,
    /// The next of them to try.
    pub(super) next: u32,
    /// How many of the last ones are not in order yet.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) unsorted: u32,
    /// The move that gave `best`, once a value exceeded the start.
    pub(super) best_move: Option<G::Move>,
    /// Where the memo was asked, so that it is not worked out twice; not known of a frame that was read from a session.
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
            outcome: ProbeOutcome::Unasked,
            quiescence_depth: None,
            depends_on_history: false,
            whole: false,
            best_below_alpha: Score::NEG_INFINITY,
            again: false,
            treatment: MoveTreatment::Full,
            passes: false,
            moves: first..first,
            next: first,
            unsorted: 0,
            best_move: None,
            slot: None,
        }
    }

    /// The root of a search for the best of `moves` moves.
    pub(super) fn root(position: G::Position, full: Window, moves: usize, whole: bool) -> Self {
        Self { whole, moves: 0..moves as u32, ..Self::new(position, full, 0, 0) }
    }

    /// Forgets what was found under another window.
    pub(super) fn begin_again(&mut self, window: Window) {
        self.window = window;
        self.changed = None;
        self.best = window.alpha;
        self.depends_on_history = false;
        self.best_below_alpha = Score::NEG_INFINITY;
        self.again = false;
        self.treatment = MoveTreatment::Full;
        self.next = self.moves.start;
        self.best_move = None;
    }

    /// Whether the memo is asked about it and keeps its value: not of a node beyond the horizon, nor of a leaf where a look
    /// at the heuristic costs less.
    #[inline]
    pub(super) fn uses_table(&self, mode: &Mode) -> bool {
        (!G::HAS_QUIESCENCE || self.quiescence_depth.is_none()) && (self.depth > 0 || mode.leaves)
    }

    /// As an algorithm begins it: minimax takes any value for better than none.
    #[inline]
    pub(super) fn for_algorithm(mut self, algorithm: Algorithm) -> Self {
        if !algorithm.has_windows() {
            self.best = Score::NEG_INFINITY;
        }
        self
    }

    /// Number of moves, once expanded.
    pub fn children(&self) -> usize {
        self.moves.len()
    }

    /// How many of them have been entered.
    pub fn entered(&self) -> usize {
        (self.next - self.moves.start) as usize
    }

    /// The same without a pass.
    #[inline]
    pub(super) fn moves_entered(&self) -> usize {
        self.entered() - usize::from(self.passes)
    }

    /// Whether the move under way is a pass.
    #[inline]
    pub(super) fn is_passing(&self) -> bool {
        self.passes && self.entered() == 1
    }

    /// The move that gave the best value so far.
    pub fn best_move(&self) -> Option<G::Move> {
        self.best_move
    }

    /// The window that the child under way is asked for.
    #[inline]
    pub fn child_window(&self, game: &G, algorithm: Algorithm) -> Window {
        self.move_window(algorithm).child(game)
    }

    /// The same, as the node itself sees it. Minimax, and a root whose moves are all searched whole, give every child all of
    /// the node's own window.
    #[inline]
    pub fn move_window(&self, algorithm: Algorithm) -> Window {
        if self.whole || !algorithm.has_windows() {
            self.window
        } else if self.treatment == MoveTreatment::Null {
            Window { alpha: self.window.beta.below(), beta: self.window.beta }
        } else if self.is_scout(algorithm) {
            self.zero_window()
        } else {
            self.current_window()
        }
    }

    /// Whether the move under way is asked only if it is better than the best so far. The first one is not, nor what is
    /// searched again, nor a leaf, whose value costs the same under any window.
    #[inline]
    pub fn is_scout(&self, algorithm: Algorithm) -> bool {
        algorithm == Algorithm::Pvs
            && self.depth >= 2
            && self.moves_entered() >= 2
            && !self.again
            && !self.whole
            && self.zero_window().beta < self.window.beta
    }

    /// The value of the move under way has come back: whether that is to be searched again, in full and with the open window.
    /// `certain` says that it is a value and no bound.
    #[inline]
    pub(super) fn needs_research(
        &mut self,
        algorithm: Algorithm,
        value: Score,
        certain: bool,
    ) -> bool {
        let reduced = self.treatment == MoveTreatment::Reduced;
        let doubtful = self.is_scout(algorithm) && self.current_window().holds(value) && !certain;
        self.again = doubtful || (reduced && value > self.best);
        if reduced || !self.again {
            self.treatment = MoveTreatment::Full;
        }
        self.again
    }

    fn zero_window(&self) -> Window {
        Window { alpha: self.best, beta: self.best.above() }
    }

    /// What it is worth once its moves are searched.
    #[inline]
    pub(super) fn node_value(&self, soft: bool) -> Score {
        if soft && self.best == self.window.alpha && self.best_below_alpha > Score::NEG_INFINITY {
            self.best_below_alpha
        } else {
            self.best
        }
    }

    /// Whether its moves have left α where it was, though one of them is the best so far: every move of the root loses.
    pub fn keeps_alpha(&self) -> bool {
        self.whole && self.best == self.window.alpha
    }

    /// Whether its best value spares it the other moves.
    #[inline]
    pub(super) fn is_cut_off(&self, algorithm: Algorithm) -> bool {
        algorithm.has_windows() && !self.whole && self.window.fails_high(self.best)
    }

    /// The window in force: from the best so far to β.
    pub fn current_window(&self) -> Window {
        Window { alpha: self.best, beta: self.window.beta }
    }
}

const fn nothing() -> Score {
    Score::NEG_INFINITY
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_nothing(score: &Score) -> bool {
    *score == Score::NEG_INFINITY
}
