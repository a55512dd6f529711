//! The table of move-ordering heuristics. A new heuristic needs a variant and a row in this file, a share of the priority in
//! `ordering`, and evidence in `explain order`.

use crate::engine::core::game::SearchRules;

/// A heuristic that orders the moves of a node. The strongest variant comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heuristic {
    /// Enhanced transposition cutoffs: the first move after which the table gives a cutoff is tried before all others
    /// (Plaat, Schaeffer, Pijls and de Bruin 1996).
    Etc,
    /// The value that the previous iteration stored for the child.
    Memo,
    /// The hash move: the best move in the node's own entry, from a search with another depth or window.
    HashMove,
    /// Captures: in chess most valuable victim by least valuable attacker (MVV-LVA), and promotions; in morris closed mills.
    Captures,
    /// Killers: the two moves that last cut off a node at the same ply.
    Killers,
    /// The static value of the child.
    StaticEval,
    /// The history heuristic: how often a move has cut off a node anywhere, weighted by depth² (Schaeffer 1983).
    History,
}

/// The names of a heuristic, and how it is shown to people.
#[derive(Clone, Copy, Debug)]
pub struct HeuristicInfo {
    /// The heuristic that the row describes.
    pub heuristic: Heuristic,
    /// The name in `search set order=`.
    pub name: &'static str,
    /// The column of `explain order`, and the field in its JSON.
    pub column: &'static str,
    /// How the column shows the heuristic's evidence for a move.
    pub shows: Shows,
}

/// How `explain order` shows the evidence of a heuristic for a move.
#[derive(Clone, Copy, Debug)]
pub enum Shows {
    /// A fixed word, such as `cutoff`, for the move that the heuristic chooses.
    Word(&'static str),
    /// What the move captures, in the words of the game.
    Capture,
    /// A whole number, such as a history count.
    Count,
    /// A search value, such as the static value of the child.
    Value,
}

/// The table of all heuristics, the strongest first.
#[rustfmt::skip]
pub const HEURISTICS: [HeuristicInfo; 7] = [
    HeuristicInfo { heuristic: Heuristic::Etc, name: "etc", column: "etc", shows: Shows::Word("cutoff") },
    HeuristicInfo { heuristic: Heuristic::Memo, name: "memo", column: "memo", shows: Shows::Value },
    HeuristicInfo { heuristic: Heuristic::HashMove, name: "best", column: "best", shows: Shows::Word("best") },
    HeuristicInfo { heuristic: Heuristic::Captures, name: "captures", column: "captures", shows: Shows::Capture },
    HeuristicInfo { heuristic: Heuristic::Killers, name: "killers", column: "killer", shows: Shows::Count },
    HeuristicInfo { heuristic: Heuristic::StaticEval, name: "static", column: "static", shows: Shows::Value },
    HeuristicInfo { heuristic: Heuristic::History, name: "history", column: "history", shows: Shows::Count },
];

/// A set of heuristics, one bit each: every node of a search reads it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heuristics(u8);

impl Heuristics {
    /// No heuristics: moves stay in the game's own order.
    pub const NONE: Self = Self(0);

    /// Whether a heuristic is in the set.
    #[inline]
    pub const fn has(self, heuristic: Heuristic) -> bool {
        self.0 & 1 << heuristic as u8 != 0
    }

    /// The set with a heuristic added, or removed if `on` is false.
    #[must_use]
    #[inline]
    pub const fn with(self, heuristic: Heuristic, on: bool) -> Self {
        let bit = 1 << heuristic as u8;
        Self(if on { self.0 | bit } else { self.0 & !bit })
    }

    /// The heuristics of `order=usual` at a node: those that save the most time in this game.
    #[inline]
    pub(super) fn usual<G: SearchRules>(
        game: &G,
        position: &G::Position,
        depth: u8,
        quiescence: bool,
    ) -> Self {
        let children = game.orders_by_children(depth);
        Self::NONE
            .with(Heuristic::Etc, children)
            // Only with quiescence: without it, the best move just above the horizon is often a capture that loses to a
            // recapture beyond the horizon.
            .with(Heuristic::HashMove, quiescence)
            .with(Heuristic::Captures, true)
            .with(Heuristic::Killers, game.orders_by_killers(position))
            .with(Heuristic::StaticEval, children)
            .with(Heuristic::History, true)
    }
}
