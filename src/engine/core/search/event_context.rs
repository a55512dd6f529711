use crate::engine::core::{
    game::{SearchRules, Window},
    search::{Event, Frame, Mode, Search},
    table::Policy,
};

/// An event with all that may be asked about it.
#[derive(Clone, Copy, Debug)]
pub struct EventContext<'a, G: SearchRules> {
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

impl<'a, G: SearchRules> EventContext<'a, G> {
    /// The frame it happened at.
    #[inline]
    pub fn frame(&self) -> &'a Frame<G> {
        let frames = self.search.frames();
        &frames[frames.len() - 1]
    }

    /// The window that the node was asked for, before the memo changed it.
    pub fn searched_window(&self) -> Window {
        self.search.searched_window(self.game, self.mode.algorithm)
    }

    /// The position it happened at.
    #[inline]
    pub fn position(&self) -> &'a G::Position {
        &self.frame().position
    }
}
