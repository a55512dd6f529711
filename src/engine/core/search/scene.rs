use crate::engine::core::{
    game::{Rules, Window},
    memo::Policy,
    search::{Event, Frame, Mode, Search},
};

/// An event with all that may be asked about it.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a, G: Rules> {
    /// The game.
    pub game: &'a G,
    /// The event.
    pub event: &'a Event,
    /// The machine as the event left it.
    pub search: &'a Search<G>,
    /// How the search runs.
    pub mode: Mode,
    /// What its memo keeps.
    pub policy: Policy,
}

impl<'a, G: Rules> Scene<'a, G> {
    /// The frame it happened at.
    #[inline]
    pub fn frame(&self) -> &'a Frame<G> {
        let frames = self.search.frames();
        &frames[frames.len() - 1]
    }

    /// The window that the node was asked for, before the memo changed it.
    pub fn asked(&self) -> Window {
        self.search.asked(self.game, self.mode.algorithm)
    }

    /// The position it happened at.
    #[inline]
    pub fn position(&self) -> &'a G::Position {
        &self.frame().position
    }
}
