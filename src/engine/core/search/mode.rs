use serde::{Deserialize, Serialize};

use super::{Heuristic, Heuristics, Selective};
use crate::engine::core::game::{KeyScheme, SearchRules};

/// How values are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Algorithm {
    /// Every child of every node, each with the full window.
    Minimax,
    /// Negamax with α-β windows, fail-hard from below (seed 002).
    AlphaBeta,
    /// Principal variation search: after the first move a zero window asks whether another is better at all, and only then
    /// what it is worth (Marsland and Campbell 1982; Reinefeld's `NegaScout`).
    Pvs,
    /// MTD(f): the root is searched with zero windows alone, each at the value that the one before came to, until the
    /// bounds they prove meet (Plaat 1996).
    Mtdf,
}

impl Algorithm {
    /// Whether windows narrow and cut moves off.
    #[inline]
    pub const fn has_windows(self) -> bool {
        !matches!(self, Self::Minimax)
    }

    /// Whether the seeds know it.
    pub const fn is_reference(self) -> bool {
        matches!(self, Self::Minimax | Self::AlphaBeta)
    }
}

/// The order in which the moves of a node are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As seed 002 reads its table: under the mover's key, one ply too deep, with the sign as stored (defect D1).
    Seed,
    /// By the heuristics that save the most time in this game; see [`Heuristics::usual`].
    Usual,
    /// By these heuristics, the strongest first; by none of them in the game's own order.
    By(Heuristics),
}

/// Whether the seeds' defects are reproduced or mended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fidelity {
    /// Bit for bit as the seed algorithm.
    Seed,
    /// Mended: equal to plain negamax.
    Sound,
}

/// How one search runs. Small and plain: the machine reads it at every node.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is the switch of one defect, independent of the others"
)]
pub struct Mode {
    /// How values are found.
    pub algorithm: Algorithm,
    /// Whether every move of the root gets the whole window.
    pub whole_root: bool,
    /// Whether a node that fails low gives the best of its values rather than α: a tighter bound (fail-soft).
    pub soft: bool,
    /// Which positions share a cache entry.
    pub scheme: KeyScheme,
    /// Whether black's entries are turned in sign (defect D2).
    pub negate_black: bool,
    /// Whether a value is written for every position of the orbit (the seeds' symmetric sharing).
    pub write_orbit: bool,
    /// The order of children.
    pub order: Order,
    /// Whether a node at depth 0 gets its heuristic value before the end of the game is looked at (defect D5).
    pub leaf_before_end: bool,
    /// Whether the budget's last state is counted but not evaluated (defect D7).
    pub budget_short_by_one: bool,
    /// Whether leaves are searched on until they are quiet.
    pub quiescence: bool,
    /// Whether the memo is asked about leaves, and keeps them.
    pub leaves: bool,
    /// Whether values that rest on what lies before a node are not stored.
    pub skip_history_dependent: bool,
    /// What is left out, and where it goes deeper; nothing of a full search.
    pub selective: Option<Selective>,
}

/// What a search needs of its surroundings, beside its own state and the memo.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a, G: SearchRules> {
    /// The game with its rules.
    pub game: &'a G,
    /// The heuristic.
    pub evaluator: &'a G::Evaluator,
    /// How to search.
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
            // Without quiescence the best move at depth 1 is often a capture that is answered beyond the horizon.
            Order::By(heuristics) => {
                heuristics.has(Heuristic::HashMove) && (depth > 1 || self.quiescence)
            }
            Order::Seed => false,
        }
    }
}
