use crate::engine::core::{
    game::Rules,
    search::{Event, EventKind, Search, Watcher},
};

/// An event with the move that was entered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taped<M> {
    /// The event.
    pub event: Event,
    /// The move that leads to the node, where the event enters one.
    pub entered: Option<M>,
}

/// Takes down every event.
#[derive(Debug)]
pub struct Tape<'a, M> {
    /// What happened, in order.
    pub events: &'a mut Vec<Taped<M>>,
}

impl<G: Rules> Watcher<Search<G>> for Tape<'_, G::Move> {
    fn see(&mut self, event: &Event, search: &Search<G>) -> bool {
        let parent = search.frames().iter().rev().nth(1);
        let entered = parent
            .filter(|_| event.kind == EventKind::Descend)
            .and_then(|parent| search.current_move(parent));
        self.events.push(Taped { event: *event, entered });
        false
    }
}
