use serde::Serialize;

use super::{Halted, Plain};
use crate::engine::{
    game::{Game, Score, Window},
    memo::Bound,
};

/// What a value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Claim {
    /// Equal, at least or at most.
    pub bound: Bound,
    /// The value.
    pub value: Score,
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
        (position, history): (&G::Position, &G::History),
        depth: u8,
    ) -> Result<Option<Score>, Halted> {
        let Some(window) = self.question() else {
            return Ok(None);
        };
        if self.allows(plain.value(position, history, depth, window)?) {
            return Ok(None);
        }
        plain.value(position, history, depth, Window::INFINITE).map(Some)
    }
}
