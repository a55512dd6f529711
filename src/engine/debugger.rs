//! Breakpoints and steps: watchers that stop a run.

use super::{
    game::{Game, KeyScheme},
    search::{Event, EventKind, Search, Watcher},
};

/// How far a step goes. Heights are numbers of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// So many events.
    Events(u64),
    /// Until the stack is no higher than this: over what the next event enters.
    NoHigher(usize),
    /// Until the stack is lower than this: out of the node at hand.
    Lower(usize),
    /// Until an event of this kind.
    Kind(EventKind),
    /// Until this event.
    Index(u64),
    /// Until a breakpoint, or the end.
    Breakpoint,
}

/// One thing a breakpoint waits for.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition<G: Game> {
    /// A distance from the root.
    Ply(u32),
    /// A remaining depth.
    Depth(u8),
    /// A kind of event.
    Kind(EventKind),
    /// A cache key.
    Key(G::Key),
    /// A position.
    Position(G::Position),
}

/// A breakpoint: stops where all its conditions hold. Without a kind of event it means entering the node.
#[derive(Clone, Debug, PartialEq)]
pub struct Breakpoint<G: Game> {
    /// Its number.
    pub id: u32,
    /// All must hold.
    pub conditions: Vec<Condition<G>>,
    /// Whether it is looked at.
    pub enabled: bool,
    /// Whether it is removed when it stops.
    pub temporary: bool,
    /// How often it stopped a search.
    pub hits: u64,
}

impl<G: Game> Breakpoint<G> {
    fn holds(&self, game: &G, event: &Event, search: &Search<G>) -> bool {
        let entry_only = !self
            .conditions
            .iter()
            .any(|condition| matches!(condition, Condition::Kind(_)));
        self.enabled
            && (!entry_only || event.kind == EventKind::Descend)
            && self
                .conditions
                .iter()
                .all(|condition| condition.holds(game, event, search))
    }

    /// The conditions in the command's words.
    pub fn words(&self, game: &G) -> String {
        let parts: Vec<_> = self
            .conditions
            .iter()
            .map(|condition| condition.words(game))
            .collect();
        parts.join(" ")
    }
}

impl<G: Game> Condition<G> {
    fn holds(&self, game: &G, event: &Event, search: &Search<G>) -> bool {
        let position = || search.frames().last().map(|frame| &frame.position);
        match self {
            Self::Ply(ply) => event.ply == *ply,
            Self::Depth(depth) => event.depth == *depth,
            Self::Kind(kind) => event.kind == *kind,
            Self::Key(key) => position().is_some_and(|position| {
                [KeyScheme::Colour, KeyScheme::Canonical, KeyScheme::Plain]
                    .into_iter()
                    .any(|scheme| game.key(position, scheme) == *key)
            }),
            Self::Position(wanted) => position() == Some(wanted),
        }
    }

    /// Its name and value, as the `break` command reads them.
    pub fn pair(&self, game: &G) -> (&'static str, String) {
        match self {
            Self::Ply(ply) => ("ply", ply.to_string()),
            Self::Depth(depth) => ("depth", depth.to_string()),
            Self::Kind(kind) => ("kind", kind.name().to_owned()),
            Self::Key(key) => ("key", game.format_key(*key)),
            Self::Position(position) => ("position", game.format_position(position)),
        }
    }

    fn words(&self, game: &G) -> String {
        let (name, value) = self.pair(game);
        if value.contains(' ') {
            format!("{name}=\"{value}\"")
        } else {
            format!("{name}={value}")
        }
    }
}

/// Stops a run at a goal or a breakpoint.
#[derive(Debug)]
pub struct Debugging<'a, G: Game> {
    /// The game.
    pub game: &'a G,
    /// How far to go.
    pub goal: Goal,
    /// The breakpoints to look at.
    pub breakpoints: &'a mut [Breakpoint<G>],
    /// Events seen.
    pub seen: u64,
    /// The breakpoint that stopped the run.
    pub stopped_by: Option<u32>,
}

impl<G: Game> Debugging<'_, G> {
    fn reached(&self, event: &Event, search: &Search<G>) -> bool {
        match self.goal {
            Goal::Events(count) => self.seen >= count,
            Goal::NoHigher(height) => search.frames().len() <= height,
            Goal::Lower(height) => search.frames().len() < height,
            Goal::Kind(kind) => event.kind == kind,
            Goal::Index(index) => event.index >= index,
            Goal::Breakpoint => false,
        }
    }
}

impl<G: Game> Watcher<Search<G>> for Debugging<'_, G> {
    fn see(&mut self, event: &Event, search: &Search<G>) -> bool {
        self.seen += 1;
        let hit = self
            .breakpoints
            .iter_mut()
            .find(|point| point.holds(self.game, event, search));
        if let Some(point) = hit {
            point.hits += 1;
            self.stopped_by = Some(point.id);
            return true;
        }
        self.reached(event, search)
    }
}
