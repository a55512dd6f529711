//! The names in conditions of breakpoints, and their values at an event.

use super::{Fails, KeyMatch, Kinds, Line};
use crate::{
    engine::{
        expression::{self, Facts, Type, Vocabulary},
        game::{Fault, FieldValue, Game, Result, Side, Window},
        search::{Event, EventContext, EventKind, Frame, ProbeOutcome, Search},
        suggest,
    },
    text::style::Scale,
};

/// A name in conditions of breakpoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum Name {
    /// The node's current α: the best value so far, if that is higher than the initial α.
    Alpha,
    Beta,
    /// The value of the event: found, returned, read from the cache or stored.
    Value,
    Best,
    Depth,
    Ply,
    Nodes,
    Index,
    /// The depth of the iteration, in plies from the root.
    Iteration,
    Child,
    /// The number of moves of the node, once they have been generated.
    Children,
    /// The true value of the node by the available endgame tables: 1, 0 or -1 for a win, draw or loss of the side to move.
    Truth,
    /// The plies to the end of the game, by the endgame tables.
    Distance,
    #[strum(serialize = "event", serialize = "kind")]
    Event,
    /// The move that led to the node, or that has returned a value.
    Move,
    Side,
    Memo,
    /// The node's key, under any scheme.
    Key,
    State,
    /// The node's position or a symmetric one. Like `line` and `fails`, only in `break NAME=VALUE`, not in expressions.
    #[strum(disabled)]
    Class,
    #[strum(disabled)]
    Line,
    #[strum(disabled)]
    Fails,
    /// A field of a trace, by its number.
    #[strum(disabled)]
    Own(u16),
}

/// The spellings of `Name` in expressions.
#[rustfmt::skip]
pub const NAMES: [&str; 20] = [
    "alpha", "beta", "value", "best", "depth", "ply", "nodes", "index", "iteration", "child",
    "children", "truth", "distance", "event", "kind", "move", "side", "memo", "key", "state",
];

/// A word that a name is compared with.
#[derive(Clone, Debug)]
pub enum ComparedWord<G: Game> {
    Kind(EventKind),
    ProbeOutcome(ProbeOutcome),
    Side(Side),
    Move(String),
    Key(KeyMatch<G>),
    Position(G::Position),
    /// The position and all symmetric ones.
    Class(Vec<G::Position>),
    Line(Line<G>),
    Fails(Fails),
    Own(String),
}

/// A condition on events.
pub type Clause<G> = expression::Condition<Name, ComparedWord<G>>;

/// The vocabulary of conditions, for a game and the scale of its values.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a, G: Game>(pub &'a G, pub Scale);

impl Name {
    /// Whether the name's value is a number or a word.
    pub const fn kind(self) -> Type {
        match self {
            Self::Event
            | Self::Move
            | Self::Side
            | Self::Memo
            | Self::Key
            | Self::State
            | Self::Class
            | Self::Line
            | Self::Fails => Type::Word,
            Self::Own(_) => Type::Any,
            _ => Type::Number,
        }
    }

    /// The events at which the name gets its value; none if the value is known when a node is entered.
    const fn known_at(self) -> Kinds {
        use EventKind::{Cutoff, Raise, Research, Return};
        const RETURNED: Kinds = Kinds::of(&[Return, Raise, Cutoff, Research]);
        match self {
            Self::Value => Fails::FOUND.or(RETURNED).or(Kinds::of(&[EventKind::Captures])),
            Self::Best => Kinds::of(&[Raise, Cutoff]),
            Self::Child | Self::Children => {
                RETURNED.or(Kinds::of(&[EventKind::Expand, EventKind::Captures]))
            }
            Self::Memo => Kinds::of(&[EventKind::Hit, EventKind::Invalid, EventKind::Miss]),
            Self::Fails => Fails::Low.kinds().or(Fails::High.kinds()),
            Self::Event | Self::Own(_) => Kinds::ALL,
            _ => Kinds::NONE,
        }
    }
}

/// The kinds of events at which a condition without a kind is tested: a node's entry, or when its last value is known.
pub(super) fn usual_kinds<'a, G: Game>(clauses: impl Iterator<Item = &'a Clause<G>>) -> Kinds {
    let mut kinds = Kinds::NONE;
    clauses.for_each(|clause| clause.visit(&mut |name| kinds = kinds.or(name.known_at())));
    if kinds == Kinds::NONE { Kinds::of(&[EventKind::Descend]) } else { kinds }
}

/// The kinds of events at which a condition can be true, and those at which it can be false.
pub(super) fn possible_kinds<G: Game>(clause: &Clause<G>) -> (Kinds, Kinds) {
    match clause {
        Clause::Is(_, ComparedWord::Kind(kind), wanted) => {
            let only = Kinds::of(&[*kind]);
            if *wanted { (only, only.others()) } else { (only.others(), only) }
        }
        Clause::Is(_, ComparedWord::Fails(fails), true) => (fails.kinds(), Kinds::ALL),
        Clause::Not(inner) => {
            let (yes, no) = possible_kinds(inner);
            (no, yes)
        }
        Clause::All(parts) => parts
            .iter()
            .map(possible_kinds)
            .fold((Kinds::ALL, Kinds::NONE), |(yes, no), (also, or)| (yes.and(also), no.or(or))),
        Clause::Any(parts) => parts
            .iter()
            .map(possible_kinds)
            .fold((Kinds::NONE, Kinds::ALL), |(yes, no), (or, also)| (yes.or(or), no.and(also))),
        _ => (Kinds::ALL, Kinds::ALL),
    }
}

impl<G: Game> Vocabulary for Names<'_, G> {
    type Name = Name;
    type Word = ComparedWord<G>;

    fn names(&self) -> Vec<&'static str> {
        NAMES.into()
    }

    fn find(&self, text: &str) -> Option<(Name, Type)> {
        let own = || self.0.trace()?.field(text, false).map(Name::Own);
        text.parse().ok().or_else(own).map(|name: Name| (name, name.kind()))
    }

    fn declare(&self, text: &str) -> Option<Name> {
        self.0.trace()?.field(text, true).map(Name::Own)
    }

    fn scale(&self) -> Scale {
        self.1
    }

    fn is_value(&self, name: Name) -> bool {
        matches!(name, Name::Alpha | Name::Beta | Name::Value | Name::Best)
    }

    fn word(&self, name: Name, text: &str) -> Result<ComparedWord<G>> {
        match name {
            Name::Event => event_kind(text).map(ComparedWord::Kind),
            Name::Memo => text.parse().map(ComparedWord::ProbeOutcome).map_err(|_| {
                Fault::word(text, "is not the outcome of a probe")
                    .hint("compare `memo` with hit, invalid or miss, or with none for a node without a probe")
            }),
            Name::Side => match text {
                "w" | "white" => Ok(ComparedWord::Side(Side::White)),
                "b" | "black" => Ok(ComparedWord::Side(Side::Black)),
                _ => Err(Fault::new(format!("no side is called `{text}`"))
                    .about_word(text)
                    .hint("it is w or b")),
            },
            Name::Key => {
                let key = text.split_once(':').map_or(text, |(key, _)| key);
                let key = self.0.parse_key(key)?;
                Ok(ComparedWord::Key(KeyMatch::new(self.0, key)))
            }
            Name::State => self.0.parse_position(text).map(ComparedWord::Position),
            Name::Own(_) => Ok(ComparedWord::Own(text.to_owned())),
            _ => Ok(ComparedWord::Move(text.to_owned())),
        }
    }

    fn cost(&self, name: Name) -> u32 {
        match name {
            Name::Fails => 2,
            Name::State | Name::Line => 3,
            Name::Class => 5,
            Name::Key => 10,
            // Reading these names probes the endgame tables.
            Name::Truth | Name::Distance => 50,
            // A move must be written in notation first; a field of a trace is read from the event's line.
            Name::Move | Name::Own(_) => 100,
            _ => 1,
        }
    }
}

/// The kind of event with this name. Errors: no kind has this name.
pub fn event_kind(text: &str) -> Result<EventKind> {
    text.parse().map_err(|_| {
        let names: Vec<_> = EventKind::ALL.iter().map(|kind| kind.name()).collect();
        let all = format!("the kinds are {}", names.join(", "));
        let hint = suggest::did_you_mean(text, names).unwrap_or(all);
        Fault::new(format!("no event is called `{text}`")).about_word(text).hint(hint)
    })
}

/// The frame whose current move led to the node of the last event, or has returned its value.
pub(super) fn moving_frame<G: Game>(search: &Search<G>, kind: EventKind) -> Option<&Frame<G>> {
    search.frames().iter().rev().nth(usize::from(!kind.has_move()))
}

/// The values of the names at a frame of a search.
#[derive(Clone, Copy, Debug)]
pub struct FrameFacts<'a, G: Game> {
    game: &'a G,
    search: &'a Search<G>,
    frame: &'a Frame<G>,
    ply: u32,
    depth: u8,
    window: Window,
    iteration: u32,
    /// With `at_frame`, the last event of the search, if known; else the event that is tested.
    event: Option<&'a Event>,
    /// Whether values are those of the frame (`print`): of its current move, and of the event that entered it. Otherwise values
    /// are those of the event (breakpoints).
    at_frame: bool,
}

impl<'a, G: Game> FrameFacts<'a, G> {
    /// The values at the frame of a ply, with the last event of the search.
    pub fn new(game: &'a G, search: &'a Search<G>, ply: usize, event: Option<&'a Event>) -> Self {
        let frame = &search.frames()[ply];
        Self {
            game,
            search,
            frame,
            ply: ply as u32,
            depth: frame.depth,
            window: frame.current_window(),
            iteration: search.depth().into(),
            event,
            at_frame: true,
        }
    }

    pub(super) fn of_event(context: &EventContext<'a, G>) -> Self {
        let EventContext { game, event, search, .. } = *context;
        Self {
            game,
            search,
            frame: context.frame(),
            ply: event.ply,
            depth: event.depth,
            window: event.window,
            iteration: search.depth().into(),
            event: Some(event),
            at_frame: false,
        }
    }

    /// A field of a trace: of the event or, at a frame, of the event that entered the frame.
    pub fn own(&self, field: u16) -> Option<FieldValue> {
        let trace = self.game.trace()?;
        let at = |event| trace.field_at(field, event);
        let of_event = self.event.and_then(|event| at(event.index));
        let entered = || at(trace.entered_at(&self.frame.position)?);
        of_event.or_else(|| if self.at_frame { entered() } else { None })
    }

    fn mv(&self) -> Option<(&'a G::Position, G::Move)> {
        let of_event = || moving_frame(self.search, self.event?.kind);
        let frame = if self.at_frame { Some(self.frame) } else { of_event() }?;
        Some((&frame.position, self.search.current_move(frame)?))
    }
}

impl<G: Game> Facts<Name, ComparedWord<G>> for FrameFacts<'_, G> {
    #[expect(clippy::inline_always, reason = "most conditions compare a number, at every event")]
    #[inline(always)]
    fn number(&self, name: Name) -> Option<f64> {
        let Self { frame, event, .. } = self;
        Some(match name {
            Name::Alpha => self.window.alpha.get(),
            Name::Beta => self.window.beta.get(),
            Name::Value => event.as_ref()?.value?.get(),
            Name::Best => frame.best_move().map(|_| frame.best.get())?,
            Name::Depth => self.depth.into(),
            Name::Ply => self.ply.into(),
            Name::Nodes => self.search.counters.nodes as f64,
            Name::Index => event.as_ref()?.index as f64,
            Name::Iteration => self.iteration.into(),
            Name::Child => frame.entered() as f64,
            Name::Children => Some(frame.children()).filter(|children| *children > 0)? as f64,
            Name::Truth => self.game.truth(&frame.position)?.sign(),
            Name::Distance => self.game.truth(&frame.position)?.plies?.into(),
            Name::Own(field) => match self.own(field)? {
                FieldValue::Number(number) => number,
                FieldValue::Text(_) => return None,
            },
            _ => return None,
        })
    }

    fn is(&self, name: Name, word: &ComparedWord<G>) -> bool {
        let Self { game, frame, event, .. } = self;
        let position = &frame.position;
        match word {
            ComparedWord::Kind(kind) => event.is_some_and(|event| event.kind == *kind),
            ComparedWord::ProbeOutcome(outcome) => frame.outcome == *outcome,
            ComparedWord::Side(side) => game.side(position) == *side,
            ComparedWord::Move(text) => {
                self.mv().is_some_and(|(from, mv)| game.is_move(from, mv, text))
            }
            ComparedWord::Key(key) => key.holds(game, position),
            ComparedWord::Position(wanted) => position == wanted,
            ComparedWord::Class(twins) => twins.contains(position),
            ComparedWord::Line(line) => line.holds(self.search, self.ply),
            ComparedWord::Fails(fails) => event.is_some_and(|event| fails.holds(event, frame)),
            ComparedWord::Own(text) => match name {
                Name::Own(field) => self.own(field).is_some_and(|value| value.is(text)),
                _ => false,
            },
        }
    }

    fn is_known(&self, name: Name) -> bool {
        match name {
            Name::Event => self.event.is_some(),
            Name::Move => self.mv().is_some(),
            Name::Memo => self.frame.outcome != ProbeOutcome::NotProbed,
            Name::Own(field) => self.own(field).is_some(),
            name => name.kind() == Type::Word || self.number(name).is_some(),
        }
    }
}
