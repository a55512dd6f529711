use serde::{Deserialize, Serialize};

use super::{Heuristic, Heuristics, Selective};
use crate::engine::core::game::{KeyScheme, SearchRules};

/// The search algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Algorithm {
    /// Plain minimax: every child of every node, each with the full window.
    Minimax,
    /// Negamax with α-β windows; a node that fails low returns α (seed 002).
    AlphaBeta,
    /// Principal variation search: moves after the first are searched with a zero window, and again in full if they turn out
    /// better (Marsland and Campbell 1982; Reinefeld's `NegaScout`).
    Pvs,
    /// MTD(f): the root is searched with zero windows only, each at the value of the previous search, until the bounds that
    /// they prove meet (Plaat 1996).
    Mtdf,
}

impl Algorithm {
    /// Whether the algorithm uses windows and cutoffs.
    #[inline]
    pub const fn has_windows(self) -> bool {
        !matches!(self, Self::Minimax)
    }

    /// Whether the seeds have the algorithm.
    pub const fn is_reference(self) -> bool {
        matches!(self, Self::Minimax | Self::AlphaBeta)
    }
}

/// The order in which the moves of a node are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Seed 002's order, by wrong table lookups: under the mover's key, one ply too deep, with the sign as stored (defect D1).
    Seed,
    /// The heuristics that save the most time in this game (`order=usual`).
    Usual,
    /// The given heuristics, the strongest first; with none, the moves stay in the game's own order.
    By(Heuristics),
}

/// Whether the seeds' defects are reproduced or repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fidelity {
    /// The search is bit for bit that of the seed program, defects included.
    Seed,
    /// The defects are repaired: values equal those of plain negamax.
    Sound,
}

/// How one search runs: the settings in the form that the search reads at every node.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Mode {
    /// The search algorithm, such as PVS.
    pub algorithm: Algorithm,
    /// Whether every move of the root gets its exact value (`root=all`).
    pub exact_root_moves: bool,
    /// Fail-soft: a node that fails low returns its best value, not α.
    pub fail_soft: bool,
    /// The key scheme: which positions share an entry.
    pub scheme: KeyScheme,
    /// Whether black's entries are stored with the opposite sign (defect D2).
    pub negate_black: bool,
    /// Whether a value is stored for every symmetric position, as the seeds do.
    pub write_orbit: bool,
    /// How the moves of a node are ordered.
    pub order: Order,
    /// Whether a node at depth 0 gets its static value even if the game is over (defect D5).
    pub leaf_before_end: bool,
    /// Whether the last node of the budget is counted but not evaluated (defect D7).
    pub budget_short_by_one: bool,
    /// Whether leaves have a quiescence search.
    pub quiescence: bool,
    /// Whether the quiescence search leaves out moves that lose material (SEE) instead of ending after four plies.
    pub see: bool,
    /// Whether leaves are probed and stored.
    pub leaves: bool,
    /// Whether values that depend on the history are not stored (`history=skip`).
    pub skip_history_dependent: bool,
    /// Whether true values of endgame tables replace searching (`tables=leaf`).
    pub tables: bool,
    /// Pruning, reductions and extensions; `None` for a full search.
    pub selective: Option<Selective>,
}

/// What a search needs besides its own state and the table.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a, G: SearchRules> {
    /// The game, which implements the rules.
    pub game: &'a G,
    /// The evaluation function, with the weights of the search.
    pub evaluator: &'a G::Evaluator,
    /// The settings of the search, as read at every node.
    pub mode: Mode,
}

impl Mode {
    /// The heuristics that order the moves of a node; `None` for the order of the seeds.
    #[inline]
    pub fn heuristics<G: SearchRules>(
        &self,
        game: &G,
        position: &G::Position,
        depth: u8,
    ) -> Option<Heuristics> {
        match self.order {
            Order::Seed => None,
            Order::By(heuristics) => Some(heuristics),
            Order::Usual => Some(Heuristics::usual(game, position, depth, self.quiescence)),
        }
    }

    /// Whether cutoffs are stored for killers and history.
    #[inline]
    pub const fn keeps_cutoffs(&self) -> bool {
        match self.order {
            Order::Seed => false,
            Order::Usual => true,
            Order::By(heuristics) => {
                heuristics.has(Heuristic::Killers) || heuristics.has(Heuristic::History)
            }
        }
    }

    /// Whether entries of this depth store their best move.
    #[inline]
    pub fn keeps_hash_move(&self, depth: u8) -> bool {
        match self.order {
            Order::Usual => self.quiescence,
            // Without quiescence, the best move at depth 1 is often a capture that loses to a recapture beyond the horizon.
            Order::By(heuristics) => {
                heuristics.has(Heuristic::HashMove) && (depth > 1 || self.quiescence)
            }
            Order::Seed => false,
        }
    }
}
