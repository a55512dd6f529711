use crate::engine::core::{
    game::{SearchRules, Window},
    search::{Event, Frame, Mode, Search},
    table::Policy,
};

/// An event with the search around it: all that the condition of a breakpoint can test.
#[derive(Clone, Copy, Debug)]
pub struct EventContext<'a, G: SearchRules> {
    /// The rules of the game.
    pub game: &'a G,
    /// The event that has just happened.
    pub event: &'a Event,
    /// The search in its state after the event.
    pub search: &'a Search<G>,
    /// The settings of the search.
    pub mode: Mode,
    /// The memo policy of the table.
    pub policy: Policy,
}

impl<'a, G: SearchRules> EventContext<'a, G> {
    /// The frame of the event's node: the top of the stack.
    #[inline]
    pub fn frame(&self) -> &'a Frame<G> {
        let frames = self.search.frames();
        &frames[frames.len() - 1]
    }

    /// The window with which the parent searches the node, before an entry changed it.
    pub fn searched_window(&self) -> Window {
        self.search.searched_window(self.game, self.mode.algorithm)
    }
}
