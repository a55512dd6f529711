//! Compares cache entries and searches with the plain search: the same search machine without a table. A position at the
//! horizon is first tested for the end of the game, then evaluated.
//!
//! `Plain` is the plain search. `check_entry` checks one entry, `SearchChecker` a search event by event,
//! `SelectiveChecker` the prunings and reductions of selective search.

mod plain;
mod watchers;

use serde::Serialize;

pub(crate) use plain::{Effort, Halted, Plain, PlainResult, Remaining};
pub use watchers::{DecisionCheck, Discrepancy, WrongDecision};
pub(crate) use watchers::{SearchChecker, SelectiveChecker};

use super::{
    game::{Game, Keyed, MoveText, NodePlace, Score, Side, Window},
    search::{Frame, Search},
    searcher::Root,
    table::{AnyTable, Bound, Entry},
};

/// A value and its bound: the conclusion of a search or an entry about the true value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BoundedValue {
    /// Whether the true value equals `value`, or is at least or at most `value`.
    pub bound: Bound,
    /// The value or the bound, for the side to move.
    pub value: Score,
}

impl BoundedValue {
    /// The conclusion about the true value from a search that returned `value` with this window.
    pub fn of(value: Score, window: Window) -> Self {
        Self { bound: Bound::of(value, window), value }
    }

    /// The narrowest window whose search decides whether the bounded value is right; `None` if every true value agrees with it.
    pub fn test_window(self) -> Option<Window> {
        let value = self.value.get();
        let [below, above] = [value.next_down(), value.next_up()].map(Score::new);
        let (below, above) = (below?, above?);
        match self.bound {
            Bound::Exact => Window::new(below, above),
            Bound::Lower => Window::new(below, self.value),
            Bound::Upper => Window::new(self.value, above),
        }
    }

    /// Whether the bounded value is right if `found` is the true value.
    pub fn allows(self, found: Score) -> bool {
        match self.bound {
            Bound::Exact => found == self.value,
            Bound::Lower => found >= self.value,
            Bound::Upper => found <= self.value,
        }
    }

    /// The true value if it contradicts the bounded value, otherwise `None`.
    pub(crate) fn refute<G: Game>(
        self,
        plain: &mut Plain<'_, G>,
        node: Root<'_, G>,
        depth: u8,
    ) -> PlainResult<Option<Score>> {
        let Some(window) = self.test_window() else { return Ok(None) };
        if self.allows(plain.value(node, depth, window)?) {
            return Ok(None);
        }
        plain.value(node, depth, Window::INFINITE).map(Some)
    }
}

/// The line of moves through these frames: the current move of each.
pub(crate) fn line_through<G: Game>(
    game: &G,
    search: &Search<G>,
    frames: &[Frame<G>],
) -> Vec<MoveText> {
    let name =
        |frame: &Frame<G>| Some(game.move_text(&frame.position, search.current_move(frame)?));
    frames.iter().filter_map(name).collect()
}

/// The result of checking a cache entry.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "verdict", rename_all = "lowercase")]
pub enum Verdict {
    /// The entry is right: every probe returns a true value or bound.
    Right,
    /// The entry is wrong: some probe returns a false value or bound.
    Wrong(Flaw),
    /// No search uses the entry: a learned 0 counts as unknown (defect D3).
    Ignored,
    /// The entry could not be checked.
    Unchecked {
        /// Why the entry could not be checked, in words.
        reason: &'static str,
    },
}

/// An error of an entry: a wrong value or bound that a probe returns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Flaw {
    /// The side to move in the probed position: the entry's or, if signs are negated for black (D2), the colour-swapped one.
    pub(crate) read_by: Side,
    /// The value and bound that a probe returns to the side `read_by`.
    #[serde(flatten)]
    pub claim: BoundedValue,
    /// The true value for the side `read_by`.
    pub true_value: Score,
    /// A likely cause: `negated`, or `over` for a finished game at depth 0.
    pub cause: Option<&'static str>,
}

/// Compares an entry of a table with the plain search; `position` is the entry's, if it is known.
pub(crate) fn check_entry<G: Game>(
    plain: &mut Plain<'_, G>,
    table: &AnyTable<G::Key>,
    (position, at, entry): (Option<G::Position>, Keyed<G::Key>, Entry),
) -> PlainResult<Verdict> {
    let unchecked = |reason| Ok(Verdict::Unchecked { reason });
    let game = plain.context.game;
    let Some(position) = position else {
        return unchecked("the key does not give the position; `search set verify=on` keeps it");
    };
    if game.key_depends_on_history(at.key) {
        return unchecked("its value depends on the moves before, which are not known");
    }
    let place = NodePlace { ply: 0, depth: entry.depth.unwrap_or(0) };
    let over = game
        .terminal(&position, &G::History::default())
        .map(|value| game.score_terminal(value, place));
    let zero_is_unknown = matches!(table, AnyTable::Rote(rote) if rote.reuse.0);
    let (depth, bound) = match (entry.depth, over) {
        (Some(depth), _) => (depth, entry.bound.unwrap_or(Bound::Exact)),
        (None, _) if zero_is_unknown && entry.value == Score::ZERO => return Ok(Verdict::Ignored),
        (None, Some(_)) => (0, Bound::Exact),
        (None, None) => {
            return unchecked("a learned value does not have the depth it was learned at");
        }
    };
    // With values negated for black (D2), the other side probes the entry in the colour-swapped position of equal value.
    let (own, turned) = (game.side(&position), plain.context.mode.negate_black);
    for read_by in [Some(own), turned.then(|| own.other())].into_iter().flatten() {
        let is_negated = turned && read_by == Side::Black;
        let entry = if is_negated { entry.negated() } else { entry };
        let claim = BoundedValue { bound: entry.bound.unwrap_or(bound), value: entry.value };
        let node = (&position, &G::History::default());
        let truth = match over {
            Some(value) => (!claim.allows(value)).then_some(value),
            None => claim.refute(plain, node, depth)?,
        };
        if let Some(true_value) = truth {
            let cause = if claim.value == -true_value {
                Some("negated")
            } else {
                (over.is_some() && entry.depth == Some(0)).then_some("over")
            };
            return Ok(Verdict::Wrong(Flaw { read_by, claim, true_value, cause }));
        }
    }
    Ok(Verdict::Right)
}
