//! A cache and a memoized search held against the plain search: the machine without a memo, the end of the game first.
//!
//! [`Plain`] is the arbiter. [`judge`] holds one entry against it, [`Beside`] a search event by event, [`Decisions`]
//! what a
//! selective search leaves out.

mod beside;
mod plain;

use serde::Serialize;

pub(crate) use beside::{Beside, Decisions};
pub use beside::{Decided, Departure, WrongDecision};
pub(crate) use plain::{Effort, Halted, Judged, Plain, Remaining};

use super::{
    game::{Game, Keyed, NodePlace, Score, Side, Window},
    search::{Frame, Search},
    searcher::Root,
    table::{AnyTable, Bound, Entry},
};

/// What a value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Claim {
    /// Whether the true value equals `value`, or is at least or at most that.
    pub(crate) bound: Bound,
    pub(crate) value: Score,
}

impl Claim {
    /// What a value found or answered under a window says.
    pub fn of(value: Score, window: Window) -> Self {
        Self { bound: Bound::of(value, window), value }
    }

    /// The narrowest window whose search tells whether the claim is true; none where every value makes it true.
    pub fn question(self) -> Option<Window> {
        let value = self.value.get();
        let [below, above] = [value.next_down(), value.next_up()].map(Score::new);
        let (below, above) = (below?, above?);
        match self.bound {
            Bound::Exact => Window::new(below, above),
            Bound::Lower => Window::new(below, self.value),
            Bound::Upper => Window::new(self.value, above),
        }
    }

    /// Whether a value makes it true.
    pub fn allows(self, found: Score) -> bool {
        match self.bound {
            Bound::Exact => found == self.value,
            Bound::Lower => found >= self.value,
            Bound::Upper => found <= self.value,
        }
    }

    /// The true value where the claim is false; nothing where it is true.
    pub fn refute<G: Game>(
        self,
        plain: &mut Plain<'_, G>,
        here: Root<'_, G>,
        depth: u8,
    ) -> Judged<Option<Score>> {
        let Some(window) = self.question() else {
            return Ok(None);
        };
        if self.allows(plain.value(here, depth, window)?) {
            return Ok(None);
        }
        plain.value(here, depth, Window::INFINITE).map(Some)
    }
}

/// The moves under way in some frames of a search.
pub fn line_through<G: Game>(game: &G, search: &Search<G>, frames: &[Frame<G>]) -> Vec<String> {
    let name =
        |frame: &Frame<G>| Some(game.format_move(&frame.position, search.current_move(frame)?));
    frames.iter().filter_map(name).collect()
}

/// What an entry is worth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "verdict", rename_all = "lowercase")]
pub enum Verdict {
    /// Whoever reads it is told the truth.
    Right,
    /// Somebody who reads it is told something false.
    Wrong(Flaw),
    /// No search ever uses it: a learned 0 that counts as unknown (defect D3).
    Ignored,
    /// Nothing can be said.
    Unchecked {
        /// Why, in words.
        reason: &'static str,
    },
}

/// What is wrong with an entry.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Flaw {
    /// The side to move that reads it, in its position or in the colour-swapped one: signs may be turned for black
    /// (D2).
    pub(crate) read_by: Side,
    /// What a probe returns to that side.
    #[serde(flatten)]
    pub claim: Claim,
    /// The true value for that side.
    pub true_value: Score,
    /// A likely cause: `negated`, or `over` for a finished game at depth 0.
    pub cause: Option<&'static str>,
}

/// Holds an entry against the plain search. `memo` is the one it stands in.
pub fn judge<G: Game>(
    plain: &mut Plain<'_, G>,
    table: &AnyTable<G::Key>,
    (at, entry): (Keyed<G::Key>, Entry),
) -> Judged<Verdict> {
    let unchecked = |reason| Ok(Verdict::Unchecked { reason });
    let game = plain.context.game;
    let Some(position) = table.position(game, at) else {
        return unchecked("the key does not tell the position; `search set verify=on` keeps it");
    };
    if game.key_holds_history(at.key) {
        return unchecked("what lay before the position matters and is not known");
    }
    let place = NodePlace { ply: 0, depth: entry.depth.unwrap_or(0) };
    let over = game
        .terminal(&position, &G::History::default())
        .map(|value| game.score_terminal(value, place));
    let zero_is_unknown = matches!(table, AnyTable::Rote(rote) if rote.reuse.0);
    let (depth, told) = match (entry.depth, over) {
        (Some(depth), _) => (depth, entry.bound.unwrap_or(Bound::Exact)),
        (None, _) if zero_is_unknown && entry.value == Score::ZERO => return Ok(Verdict::Ignored),
        (None, Some(_)) => (0, Bound::Exact),
        (None, None) => {
            return unchecked("a learned value does not tell the depth it was learned at");
        }
    };
    // Where signs are turned for black, the other side reads it in the colour-swapped position, of the same true value.
    let (own, turned) = (game.side(&position), plain.context.mode.negate_black);
    for read_by in [Some(own), turned.then(|| own.other())].into_iter().flatten() {
        let is_turned = turned && read_by == Side::Black;
        let entry = if is_turned { entry.negated() } else { entry };
        let claim = Claim { bound: entry.bound.unwrap_or(told), value: entry.value };
        let here = (&position, &G::History::default());
        let truth = match over {
            Some(value) => (!claim.allows(value)).then_some(value),
            None => claim.refute(plain, here, depth)?,
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
