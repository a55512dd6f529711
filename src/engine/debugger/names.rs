use super::{KeyMatch, Kinds};
use crate::engine::{
    expression::{self, Facts, Type, Vocabulary},
    game::{Fault, Game, Side},
    search::{EventKind, Outcome, Scene},
    suggest,
};

/// What conditions may ask of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// α in force at the node: its best so far, or the window's.
    Alpha,
    /// The node's β.
    Beta,
    /// The value found, answered, stored or come back.
    Value,
    /// The node's best value so far, once there is one.
    Best,
    /// Remaining depth.
    Depth,
    /// Distance from the root.
    Ply,
    /// States visited.
    Nodes,
    /// The event's number.
    Index,
    /// The iteration under way: plies from the root.
    Iteration,
    /// How many of the node's moves have been entered.
    Child,
    /// How many moves it has, once they are listed.
    Children,
    /// What happened.
    Event,
    /// The move that led to the node, or from which a value came back.
    Move,
    /// The side to move.
    Side,
    /// What the memo said.
    Memo,
    /// The node's key, under any scheme.
    Key,
    /// The node's position.
    State,
}

/// The names as typed, and what is said of them in help.
pub const NAMES: [(&str, Name, &str); 18] = [
    ("alpha", Name::Alpha, "the best so far, or the window's"),
    ("beta", Name::Beta, "the window's upper bound"),
    ("value", Name::Value, "the value of the last event"),
    ("best", Name::Best, "the best value so far"),
    ("depth", Name::Depth, "remaining depth"),
    ("ply", Name::Ply, "distance from the root"),
    ("nodes", Name::Nodes, "states visited"),
    ("index", Name::Index, "the last event's number"),
    ("iteration", Name::Iteration, "the iteration under way"),
    ("child", Name::Child, "how many moves have been entered"),
    ("children", Name::Children, "how many moves there are"),
    ("event", Name::Event, "the last event"),
    ("kind", Name::Event, "the last event"),
    ("move", Name::Move, "the move under way"),
    ("side", Name::Side, "the side to move"),
    ("memo", Name::Memo, "what the memo said"),
    ("key", Name::Key, "the cache key"),
    ("state", Name::State, "the position"),
];

/// A word that a name is compared with.
#[derive(Clone, Debug)]
pub enum ComparedWord<G: Game> {
    /// For [`Name::Event`].
    Kind(EventKind),
    /// For [`Name::Memo`].
    Outcome(Outcome),
    /// For [`Name::Side`].
    Side(Side),
    /// For [`Name::Move`], as the game writes it.
    Move(String),
    /// For [`Name::Key`].
    Key(KeyMatch<G>),
    /// For [`Name::State`].
    Position(G::Position),
}

/// A condition on events.
pub type Clause<G> = expression::Condition<Name, ComparedWord<G>>;

/// Reads names and words for a game.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a, G: Game>(pub &'a G);

impl Name {
    /// Whether it is a number or a word.
    pub const fn of(self) -> Type {
        match self {
            Self::Event | Self::Move | Self::Side | Self::Memo | Self::Key | Self::State => {
                Type::Word
            }
            _ => Type::Number,
        }
    }

    /// A name as typed.
    pub fn called(text: &str) -> Option<Self> {
        let found = NAMES.iter().find(|(name, ..)| *name == text);
        found.map(|(_, name, _)| *name)
    }

    /// The events that tell it, where entering a node does not.
    const fn told_by(self) -> Kinds {
        match self {
            Self::Value => Kinds::of(&[
                EventKind::Hit,
                EventKind::Leaf,
                EventKind::StandPat,
                EventKind::Captures,
                EventKind::Terminal,
                EventKind::Return,
                EventKind::Raise,
                EventKind::Cutoff,
                EventKind::Research,
            ]),
            Self::Best => Kinds::of(&[EventKind::Raise, EventKind::Cutoff]),
            Self::Child | Self::Children => Kinds::of(&[
                EventKind::Expand,
                EventKind::Captures,
                EventKind::Return,
                EventKind::Raise,
                EventKind::Cutoff,
                EventKind::Research,
            ]),
            Self::Memo => Kinds::of(&[EventKind::Hit, EventKind::Invalid, EventKind::Miss]),
            _ => Kinds::NONE,
        }
    }
}

/// The kinds of events that a condition without a kind of its own is tried at: where the node is entered, unless that
/// is too early for what it asks.
pub(super) fn usual_kinds<G: Game>(clause: Option<&Clause<G>>) -> Kinds {
    let mut kinds = Kinds::NONE;
    if let Some(clause) = clause {
        clause.visit(&mut |name| {
            kinds = kinds.or(match name {
                Name::Event => Kinds::ALL,
                name => name.told_by(),
            });
        });
    }
    if kinds == Kinds::NONE { Kinds::of(&[EventKind::Descend]) } else { kinds }
}

/// The kinds of events at which a condition may be true, and those at which it may be false.
pub(super) fn possible_kinds<G: Game>(clause: &Clause<G>) -> (Kinds, Kinds) {
    let both = (Kinds::ALL, Kinds::ALL);
    match clause {
        Clause::Is(_, ComparedWord::Kind(kind), wanted) => {
            let only = Kinds::of(&[*kind]);
            if *wanted { (only, only.others()) } else { (only.others(), only) }
        }
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
        Clause::Test(..) | Clause::Compare(..) | Clause::Is(..) | Clause::Known(..) => both,
    }
}

impl<G: Game> Vocabulary for Names<'_, G> {
    type Name = Name;
    type Word = ComparedWord<G>;

    fn names(&self) -> Vec<&'static str> {
        NAMES.iter().map(|(name, ..)| *name).collect()
    }

    fn find(&self, text: &str) -> Option<(Name, Type)> {
        Name::called(text).map(|name| (name, name.of()))
    }

    fn word(&self, name: Name, text: &str) -> Result<ComparedWord<G>, Fault> {
        match name {
            Name::Event => event_kind(text).map(ComparedWord::Kind),
            Name::Memo => outcome(text).map(ComparedWord::Outcome),
            Name::Side => side(text).map(ComparedWord::Side),
            Name::Key => {
                let key = text.split_once(':').map_or(text, |(key, _)| key);
                let key = self.0.parse_key(key)?;
                Ok(ComparedWord::Key(KeyMatch::new(self.0, key)))
            }
            Name::State => self.0.parse_position(text).map(ComparedWord::Position),
            _ => Ok(ComparedWord::Move(text.to_owned())),
        }
    }

    fn cost(&self, name: Name) -> u32 {
        match name {
            Name::Key | Name::State => 10,
            // Moves are compared as the game writes them.
            Name::Move => 100,
            _ => 1,
        }
    }
}

/// A kind of event by its name.
pub fn event_kind(text: &str) -> Result<EventKind, Fault> {
    let names = EventKind::ALL.map(EventKind::name);
    let found = names.iter().position(|name| *name == text);
    found.map(|place| EventKind::ALL[place]).ok_or_else(|| {
        let all = format!("the kinds are {}", names.join(", "));
        let hint = suggest::did_you_mean(text, names).unwrap_or(all);
        Fault::new(format!("no event is called `{text}`")).hint(hint)
    })
}

fn outcome(text: &str) -> Result<Outcome, Fault> {
    match text {
        "hit" => Ok(Outcome::Hit),
        "invalid" => Ok(Outcome::Invalid),
        "miss" => Ok(Outcome::Miss),
        _ => Err(Fault::new(format!("the memo never says `{text}`"))
            .hint("it says hit, invalid or miss; `none` where it was not asked")),
    }
}

fn side(text: &str) -> Result<Side, Fault> {
    match text {
        "w" | "white" => Ok(Side::White),
        "b" | "black" => Ok(Side::Black),
        _ => Err(Fault::new(format!("no side is called `{text}`")).hint("it is w or b")),
    }
}

impl<G: Game> Facts<Name, ComparedWord<G>> for Scene<'_, G> {
    #[expect(clippy::inline_always, reason = "it is what most events are asked for")]
    #[inline(always)]
    fn number(&self, name: Name) -> Option<f64> {
        let event = self.event;
        let frame = self.frame();
        let number = match name {
            Name::Alpha => event.window.alpha.get(),
            Name::Beta => event.window.beta.get(),
            Name::Value => event.value?.get(),
            Name::Best => frame.choice().map(|_| frame.best.get())?,
            Name::Depth => f64::from(event.depth),
            Name::Ply => f64::from(event.ply),
            Name::Nodes => self.search.counters.nodes as f64,
            Name::Index => event.index as f64,
            Name::Iteration => f64::from(u32::from(event.depth) + event.ply),
            Name::Child => frame.entered() as f64,
            Name::Children => Some(frame.children()).filter(|children| *children > 0)? as f64,
            _ => return None,
        };
        Some(number)
    }

    fn is(&self, _: Name, word: &ComparedWord<G>) -> bool {
        match word {
            ComparedWord::Kind(kind) => self.event.kind == *kind,
            ComparedWord::Outcome(outcome) => self.frame().outcome == *outcome,
            ComparedWord::Side(side) => self.game.side(self.position()) == *side,
            ComparedWord::Move(text) => {
                self.mv().is_some_and(|(from, mv)| self.game.format_move(from, mv) == *text)
            }
            ComparedWord::Key(key) => key.holds(self.game, self.position()),
            ComparedWord::Position(position) => self.position() == position,
        }
    }

    fn is_known(&self, name: Name) -> bool {
        match name {
            Name::Move => self.mv().is_some(),
            Name::Memo => self.frame().outcome != Outcome::Unasked,
            name => name.of() == Type::Word || self.number(name).is_some(),
        }
    }
}
