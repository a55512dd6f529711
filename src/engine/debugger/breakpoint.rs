use serde::{Deserialize, Serialize};

use super::{
    Clause, ComparedWord, EntryWatch, FrameFacts, Kinds, Line, Names, ValueWatch,
    condition::{Plies, only, plies_of},
    names::{possible_kinds, usual_kinds},
};
use crate::engine::{
    core::game::is_default,
    expression,
    game::{Fault, Game, Result},
    search::EventContext,
};

/// What a breakpoint is about.
#[derive(Clone, Debug)]
pub enum Trigger<G: Game> {
    /// Events where all of these hold.
    Place(Vec<Clause<G>>),
    /// A cache entry that is read or written.
    Entry(EntryWatch<G::Key>),
    /// A value of a frame that changes.
    Value(ValueWatch),
}

/// What a breakpoint does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Stops.
    Stop,
    /// Stops and is gone.
    Once,
    /// Keeps a line and lets the search go on.
    Trace,
}

/// A breakpoint, watchpoint or tracepoint in the words of the command that sets it, as sessions have it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct SavedBreakpoint {
    /// Its number.
    pub id: u32,
    /// Names and values of its conditions; of a watchpoint, the command or the figure, and what it watches.
    pub conditions: Vec<(String, String)>,
    /// The expression that must hold besides.
    #[serde(default, rename = "if", skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// Whether it is looked at.
    pub enabled: bool,
    /// Whether it is removed when it stops.
    pub temporary: bool,
    /// Whether it keeps a line and does not stop.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub trace: bool,
    /// How often what it waits for has happened, those times included that were to be ignored.
    pub hits: u64,
    /// So many times it is still to be ignored.
    #[serde(default, skip_serializing_if = "is_default")]
    pub ignore: u64,
    /// Command lines to run when it has stopped a search.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<String>,
    /// They came with a session and are not to be run until the user trusts them.
    #[serde(skip)]
    pub untrusted: bool,
}

/// A breakpoint, watchpoint or tracepoint, ready to be held against events.
#[derive(Clone, Debug)]
pub struct Breakpoint<G: Game> {
    /// What is told of it.
    pub told: SavedBreakpoint,
    pub(super) trigger: Trigger<G>,
    clause: Option<Clause<G>>,
    kinds: Kinds,
}

impl<G: Game> Breakpoint<G> {
    /// What these words say, where this is what they wait for. Refuses conditions that no event can fulfil.
    pub fn new(game: &G, mut told: SavedBreakpoint, mut trigger: Trigger<G>) -> Result<Self> {
        if let Trigger::Place(clauses) = &mut trigger {
            clauses.sort_by_key(|clause| expression::cost(&Names(game), clause));
        }
        let condition = told.condition.take();
        let mut point = Self { told, trigger, clause: None, kinds: Kinds::NONE };
        point.set_condition(game, condition.as_deref())?;
        Ok(point)
    }

    /// Gives it another condition, or none. On a fault it keeps the old one.
    pub fn set_condition(&mut self, game: &G, text: Option<&str>) -> Result<()> {
        let clause = text.map(|text| expression::condition(text, &Names(game))).transpose()?;
        let before = std::mem::replace(&mut self.clause, clause);
        let kinds = match &self.trigger {
            Trigger::Entry(watch) => watch.access.kinds(),
            Trigger::Value(watch) => watch.kinds(),
            Trigger::Place(_) => usual_kinds(self.clauses()),
        };
        let kinds = self.clauses().fold(kinds, |kinds, clause| kinds.and(possible_kinds(clause).0));
        if kinds.is_empty() {
            self.clause = before;
            return Err(Fault::new("no event can fulfil these conditions together")
                .hint("a condition on the kind of event excludes another one"));
        }
        self.kinds = kinds;
        self.told.condition = text.map(|text| text.trim().to_owned());
        Ok(())
    }

    /// All conditions on an event: those of a place, and the one besides.
    fn clauses(&self) -> impl Iterator<Item = &Clause<G>> {
        let place =
            if let Trigger::Place(clauses) = &self.trigger { clauses.as_slice() } else { &[] };
        place.iter().chain(&self.clause)
    }

    /// The kinds of events at which it may hold.
    pub fn kinds(&self) -> Kinds {
        self.kinds
    }

    /// Whether it stops a search, where it is not to be ignored.
    pub fn stops(&self) -> bool {
        !self.told.trace
    }

    /// Whether what it waits for has happened. Counts nothing, and asks whether it is switched on.
    pub fn matches(&self, scene: &EventContext<'_, G>) -> bool {
        self.told.enabled && self.kinds.contains(scene.event.kind) && self.holds(scene)
    }

    #[inline(never)]
    fn holds(&self, scene: &EventContext<'_, G>) -> bool {
        let there = match &self.trigger {
            Trigger::Place(_) => true,
            Trigger::Entry(watch) => watch.holds(scene),
            Trigger::Value(watch) => watch.holds(scene),
        };
        let facts = FrameFacts::of_scene(scene);
        there && self.clauses().all(|clause| clause.holds(&facts))
    }

    /// The plies at which it may hold.
    pub(super) fn plies(&self) -> Plies {
        let watched =
            if let Trigger::Value(it) = &self.trigger { only(it.ply) } else { Plies::MAX };
        self.clauses().fold(watched, |plies, clause| plies & plies_of(clause))
    }

    /// The lines of moves it waits for.
    pub fn lines_mut(&mut self) -> impl Iterator<Item = &mut Line<G>> {
        let clauses = if let Trigger::Place(clauses) = &mut self.trigger {
            clauses.as_mut_slice()
        } else {
            &mut []
        };
        clauses.iter_mut().filter_map(|clause| match clause {
            Clause::Is(_, ComparedWord::Line(line), _) => Some(line),
            _ => None,
        })
    }

    /// What it waits for, as it is typed.
    pub fn words(&self) -> String {
        let word = |(name, value): &(String, String)| match self.trigger {
            Trigger::Place(_) if value.contains(' ') => format!("{name}=\"{value}\""),
            Trigger::Place(_) => format!("{name}={value}"),
            Trigger::Entry(_) => value.clone(),
            Trigger::Value(_) => format!("{name} {value}"),
        };
        let clause = self.told.condition.as_ref().map(|text| format!("if {text}"));
        let words = self.told.conditions.iter().map(word).chain(clause);
        words.collect::<Vec<_>>().join(" ")
    }

    /// The command that sets such a one.
    pub fn command(&self) -> &'static str {
        match &self.trigger {
            Trigger::Entry(watch) => watch.access.command(),
            Trigger::Value(_) => "watch",
            Trigger::Place(_) if self.told.temporary => "tbreak",
            Trigger::Place(_) if self.told.trace => "tracepoint",
            Trigger::Place(_) => "break",
        }
    }
}
