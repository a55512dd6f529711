//! The names that filters over cache entries may use.

use std::{cell::OnceCell, fmt::Debug};

use super::Answer;
use crate::engine::{
    expression::{self, Condition, Facts, Type, Vocabulary},
    game::{Fault, Game, Keyed, PositionFact, Rules},
    memo::{Bound, Entry, Policy},
};

/// What a filter asks of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    Depth,
    Value,
    Alpha,
    Beta,
    Uses,
    Bound,
    Key,
    State,
    /// One of the game's numbers, by its place among them.
    Fact(usize),
}

/// What it is compared with, if that is a word.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Said<P> {
    Bound(Bound),
    /// How the key begins.
    Prefix(String),
    State(Box<P>),
}

/// A filter, read.
pub(super) type EntryCondition<G> = Condition<Asked, Said<<G as Rules>::Position>>;

/// A policy's and a game's names.
struct EntryNames<'a, G> {
    game: &'a G,
    policy: Policy,
}

const NAMES: [(&str, Asked, Type); 8] = [
    ("depth", Asked::Depth, Type::Number),
    ("value", Asked::Value, Type::Number),
    ("alpha", Asked::Alpha, Type::Number),
    ("beta", Asked::Beta, Type::Number),
    ("uses", Asked::Uses, Type::Number),
    ("bound", Asked::Bound, Type::Word),
    ("key", Asked::Key, Type::Word),
    ("state", Asked::State, Type::Word),
];

impl Asked {
    /// Whether entries of a policy have it.
    fn is_kept(self, policy: Policy) -> bool {
        match self {
            Self::Depth | Self::Bound => policy != Policy::Rote,
            Self::Alpha | Self::Beta => policy == Policy::Interval,
            Self::Value | Self::Uses | Self::Key | Self::State | Self::Fact(_) => true,
        }
    }
}

impl<G: Game> Vocabulary for EntryNames<'_, G> {
    type Name = Asked;
    type Word = Said<G::Position>;

    fn names(&self) -> Vec<&'static str> {
        let kept = NAMES.iter().filter(|(_, asked, _)| asked.is_kept(self.policy));
        let facts = G::facts().iter().map(|fact| fact.name);
        kept.map(|(name, ..)| *name).chain(facts).collect()
    }

    fn find(&self, text: &str) -> Option<(Asked, Type)> {
        let known =
            NAMES.iter().find(|(name, asked, _)| *name == text && asked.is_kept(self.policy));
        let fact = || G::facts().iter().position(|fact| fact.name == text);
        match known {
            Some((_, asked, of)) => Some((*asked, *of)),
            None => fact().map(|place| (Asked::Fact(place), Type::Number)),
        }
    }

    fn word(&self, name: Asked, text: &str) -> Answer<Said<G::Position>> {
        match name {
            Asked::Bound => Bound::called(text).map(Said::Bound),
            Asked::State => {
                let position = self.game.parse_position(text)?;
                Ok(Said::State(Box::new(position)))
            }
            _ => Ok(Said::Prefix(text.to_owned())),
        }
    }

    fn cost(&self, name: Asked) -> u32 {
        match name {
            Asked::Depth | Asked::Value | Asked::Alpha | Asked::Beta | Asked::Bound => 1,
            Asked::Uses => 2,
            Asked::Fact(_) | Asked::State => 20,
            Asked::Key => 100,
        }
    }
}

/// Reads a filter.
pub(super) fn read<G: Game>(game: &G, policy: Policy, text: &str) -> Answer<EntryCondition<G>> {
    expression::condition(text, &EntryNames { game, policy })
}

/// The names for help and completion, with what they are.
pub(super) fn names<G: Game>() -> Vec<&'static str> {
    let own = NAMES.iter().map(|(name, ..)| *name);
    own.chain(G::facts().iter().map(|fact: &PositionFact<_>| fact.name)).collect()
}

/// An entry as filters see it.
pub(super) struct SeenEntry<'a, G: Game> {
    /// Finds the position of an entry.
    pub find: &'a dyn Fn(Keyed<G::Key>) -> Option<G::Position>,
    pub at: Keyed<G::Key>,
    pub entry: &'a Entry,
    pub uses: Option<u32>,
    /// Writes the entry's key as the user sees it.
    pub text: &'a dyn Fn(Keyed<G::Key>) -> String,
    pub position: OnceCell<Option<G::Position>>,
}

impl<G: Game> SeenEntry<'_, G> {
    fn position(&self) -> Option<&G::Position> {
        self.position.get_or_init(|| (self.find)(self.at)).as_ref()
    }
}

impl<G: Game> Facts<Asked, Said<G::Position>> for SeenEntry<'_, G> {
    #[inline]
    fn number(&self, name: Asked) -> Option<f64> {
        match name {
            Asked::Depth => self.entry.depth.map(f64::from),
            Asked::Value => Some(self.entry.value.get()),
            Asked::Alpha => self.entry.window.map(|window| window.alpha.get()),
            Asked::Beta => self.entry.window.map(|window| window.beta.get()),
            Asked::Uses => self.uses.map(f64::from),
            Asked::Fact(place) => {
                let fact = G::facts().get(place)?;
                self.position().map(|position| (fact.of)(position))
            }
            Asked::Bound | Asked::Key | Asked::State => None,
        }
    }

    fn is(&self, name: Asked, word: &Said<G::Position>) -> bool {
        match (name, word) {
            (_, Said::Bound(bound)) => self.entry.bound == Some(*bound),
            (_, Said::Prefix(prefix)) => (self.text)(self.at).starts_with(prefix),
            (_, Said::State(state)) => self.position() == Some(&**state),
        }
    }

    fn is_known(&self, name: Asked) -> bool {
        match name {
            Asked::Bound => self.entry.bound.is_some(),
            Asked::Key => true,
            Asked::State => self.position().is_some(),
            number => self.number(number).is_some(),
        }
    }
}

impl Bound {
    /// A bound by its name.
    pub(super) fn called(text: &str) -> Answer<Self> {
        let bounds = [Self::Exact, Self::Lower, Self::Upper];
        let known = bounds.into_iter().find(|bound| bound.name() == text);
        known.ok_or_else(|| {
            Fault::new(format!("`{text}` is not a bound")).hint("exact, lower or upper")
        })
    }
}
