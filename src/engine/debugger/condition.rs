use super::{KeyMatch, Kinds, Line, reach::Reach};
use crate::engine::{
    game::Game,
    search::{EventKind, Scene},
};

/// The names of conditions as the `break` command reads them.
pub const CONDITIONS: [&str; 8] =
    ["ply", "depth", "kind", "key", "position", "class", "line", "fails"];

/// One thing a breakpoint waits for.
#[derive(Clone, Debug)]
pub enum PlaceCondition<G: Game> {
    /// A distance from the root.
    Ply(u32),
    /// A remaining depth.
    Depth(u8),
    /// A kind of event.
    Kind(EventKind),
    /// A node whose value is known and outside its window.
    Fails(Fails),
    /// A position.
    Position(G::Position),
    /// A position or one of its symmetric twins; the one that was named comes first.
    Class(Vec<G::Position>),
    /// A cache key.
    Key(KeyMatch<G>),
    /// A line of moves from the root.
    Line(Line<G>),
}

/// On which side of its window a node's value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fails {
    /// At or below α: no move is better than what the opponent can avoid.
    Low,
    /// At or above β.
    High,
}

impl Fails {
    /// The name in commands.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::High => "high",
        }
    }

    /// The events that find a node's value at once.
    const FOUND: Kinds =
        Kinds::of(&[EventKind::Hit, EventKind::Leaf, EventKind::StandPat, EventKind::Terminal]);

    const fn kinds(self) -> Kinds {
        Self::FOUND.or(match self {
            Self::Low => Kinds::of(&[EventKind::Return]),
            Self::High => Kinds::of(&[EventKind::Cutoff]),
        })
    }

    /// Whether the node's value has just become known and is on this side: it was found at once, or the last of its
    /// moves to be tried has come back.
    fn holds<G: Game>(self, scene: &Scene<'_, G>) -> bool {
        let (frame, Some(value)) = (scene.frame(), scene.event.value) else {
            return false;
        };
        match (scene.event.kind, self) {
            (EventKind::Return, Self::Low) => {
                let done = frame.entered() == frame.children();
                done && !frame.whole && frame.window.fails_low(frame.best)
            }
            (EventKind::Cutoff, Self::High) => true,
            (kind, Self::Low) => Self::FOUND.contains(kind) && frame.window.fails_low(value),
            (kind, Self::High) => Self::FOUND.contains(kind) && frame.window.fails_high(value),
        }
    }
}

impl<G: Game> PlaceCondition<G> {
    /// Whether it holds at an event. The kind of event alone is for [`PlaceCondition::kinds`] to tell.
    pub(super) fn holds(&self, scene: &Scene<'_, G>) -> bool {
        match self {
            Self::Ply(ply) => scene.event.ply == *ply,
            Self::Depth(depth) => scene.event.depth == *depth,
            Self::Kind(kind) => scene.event.kind == *kind,
            Self::Fails(fails) => fails.holds(scene),
            Self::Position(position) => scene.position() == position,
            Self::Class(twins) => twins.contains(scene.position()),
            Self::Key(key) => key.holds(scene.game, scene.position()),
            Self::Line(line) => line.holds(scene),
        }
    }

    /// The kinds of events it is about, where it is about any in particular.
    pub(super) fn kinds(&self) -> Option<Kinds> {
        match self {
            Self::Kind(kind) => Some(Kinds::of(&[*kind])),
            Self::Fails(fails) => Some(fails.kinds()),
            _ => None,
        }
    }

    /// Excludes where it cannot hold.
    pub(super) fn narrow(&self, reach: &mut Reach) {
        match self {
            Self::Ply(ply) => reach.plies &= Reach::only(*ply),
            Self::Depth(depth) => reach.depths &= Reach::only((*depth).into()),
            Self::Line(line) => reach.plies &= line.plies(),
            _ => {}
        }
    }

    /// How long it takes to tell, compared with others.
    pub(super) const fn cost(&self) -> u32 {
        match self {
            Self::Ply(_) | Self::Depth(_) | Self::Kind(_) => 0,
            Self::Fails(_) => 1,
            Self::Position(_) | Self::Line(_) => 2,
            Self::Class(_) => 5,
            Self::Key(_) => 10,
        }
    }

    /// Its name and value, as the `break` command reads them.
    pub fn pair(&self, game: &G) -> (&'static str, String) {
        match self {
            Self::Ply(ply) => ("ply", ply.to_string()),
            Self::Depth(depth) => ("depth", depth.to_string()),
            Self::Kind(kind) => ("kind", kind.name().to_owned()),
            Self::Fails(fails) => ("fails", fails.name().to_owned()),
            Self::Key(key) => ("key", game.format_key(key.key())),
            Self::Position(position) => ("position", game.format_position(position)),
            Self::Class(twins) => {
                let named = twins.first();
                let text = named.map_or_else(String::new, |named| game.format_position(named));
                ("class", text)
            }
            Self::Line(line) => ("line", line.text()),
        }
    }

    /// As it is typed.
    pub(super) fn words(&self, game: &G) -> String {
        let (name, value) = self.pair(game);
        if value.contains(' ') { format!("{name}=\"{value}\"") } else { format!("{name}={value}") }
    }
}
