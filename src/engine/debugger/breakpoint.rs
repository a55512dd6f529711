use super::{
    Clause, ComparedWord, EntryWatch, Kinds, Line, Names, PlaceWord, ValueWatch,
    names::{possible_kinds, usual_kinds},
    reach::{Plies, only, plies_of},
};
use crate::engine::{
    expression,
    game::{Fault, Game},
    search::Scene,
};

/// What a breakpoint is about.
#[derive(Clone, Debug)]
pub enum Trigger<G: Game> {
    /// Events where all of these hold.
    Place(Vec<PlaceWord<G>>),
    /// A cache entry that is read or written.
    Entry(EntryWatch<G::Key>),
    /// A value of a frame that changes.
    Value(ValueWatch),
}

impl<G: Game> Trigger<G> {
    /// The conditions of a place.
    fn clauses(&self) -> impl Iterator<Item = &Clause<G>> {
        let words = if let Self::Place(words) = self { words.as_slice() } else { &[] };
        words.iter().map(|word| &word.clause)
    }
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

/// Commands of a breakpoint.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Commands {
    /// Command lines.
    pub lines: Vec<String>,
    /// They came with a session and are not to be run until the user trusts them.
    pub untrusted: bool,
}

/// A breakpoint, watchpoint or tracepoint.
#[derive(Clone, Debug)]
pub struct Breakpoint<G: Game> {
    /// Its number.
    pub id: u32,
    /// What it does.
    pub action: Action,
    /// Whether it is looked at.
    pub enabled: bool,
    /// How often what it waits for has happened, those times included that were to be ignored.
    pub hits: u64,
    /// So many times it is still to be ignored.
    pub ignore: u64,
    /// What is to be run when it has stopped a search.
    pub commands: Commands,
    pub(super) trigger: Trigger<G>,
    clause: Option<(String, Clause<G>)>,
    kinds: Kinds,
}

impl<G: Game> Breakpoint<G> {
    /// A breakpoint that has not been hit. Refuses conditions that no event can fulfil.
    pub fn new(
        game: &G,
        id: u32,
        mut trigger: Trigger<G>,
        condition: Option<&str>,
        action: Action,
    ) -> Result<Self, Fault> {
        if let Trigger::Place(words) = &mut trigger {
            words.sort_by_key(|word| expression::cost(&Names(game), &word.clause));
        }
        let mut point = Self {
            id,
            action,
            enabled: true,
            hits: 0,
            ignore: 0,
            commands: Commands::default(),
            trigger,
            clause: None,
            kinds: Kinds::NONE,
        };
        point.set_condition(game, condition)?;
        Ok(point)
    }

    /// Gives it another condition, or none. On a fault it keeps the old one.
    pub fn set_condition(&mut self, game: &G, text: Option<&str>) -> Result<(), Fault> {
        let read = |text: &str| {
            let clause = expression::condition(text, &Names(game))?;
            Ok::<_, Fault>((text.trim().to_owned(), clause))
        };
        let clause = text.map(read).transpose()?;
        let kinds = self.kinds_with(clause.as_ref().map(|(_, clause)| clause));
        if kinds.is_empty() {
            return Err(Fault::new("no event can fulfil these conditions together")
                .hint("a condition on the kind of event excludes another one"));
        }
        self.clause = clause;
        self.kinds = kinds;
        Ok(())
    }

    /// The kinds of events at which it may hold.
    fn kinds_with(&self, clause: Option<&Clause<G>>) -> Kinds {
        let clauses = || self.trigger.clauses().chain(clause);
        let kinds = match &self.trigger {
            Trigger::Entry(watch) => watch.kinds(),
            Trigger::Value(watch) => watch.kinds(),
            Trigger::Place(_) => usual_kinds(clauses()),
        };
        clauses().fold(kinds, |kinds, clause| kinds.and(possible_kinds(clause).0))
    }

    /// The kinds of events at which it may hold.
    pub fn kinds(&self) -> Kinds {
        self.kinds
    }

    /// What it is about.
    pub fn trigger(&self) -> &Trigger<G> {
        &self.trigger
    }

    /// Its condition as typed.
    pub fn condition(&self) -> Option<&str> {
        self.clause.as_ref().map(|(text, _)| text.as_str())
    }

    /// Whether it stops a search, where it is not to be ignored.
    pub fn stops(&self) -> bool {
        self.action != Action::Trace
    }

    /// Whether what it waits for has happened. Counts nothing, and asks whether it is switched on.
    pub fn matches(&self, scene: &Scene<'_, G>) -> bool {
        self.enabled && self.kinds.contains(scene.event.kind) && self.holds(scene)
    }

    #[inline(never)]
    fn holds(&self, scene: &Scene<'_, G>) -> bool {
        let there = match &self.trigger {
            Trigger::Place(words) => words.iter().all(|word| word.clause.holds(scene)),
            Trigger::Entry(watch) => watch.holds(scene),
            Trigger::Value(watch) => watch.holds(scene),
        };
        there && self.clause.as_ref().is_none_or(|(_, clause)| clause.holds(scene))
    }

    /// The plies at which it may hold.
    pub(super) fn plies(&self) -> Plies {
        let watched = match &self.trigger {
            Trigger::Value(watch) => only(watch.ply),
            Trigger::Place(_) | Trigger::Entry(_) => Plies::MAX,
        };
        let own = self.clause.as_ref().map(|(_, clause)| clause);
        let clauses = self.trigger.clauses().chain(own);
        clauses.fold(watched, |plies, clause| plies & plies_of(clause))
    }

    /// The lines of moves it waits for.
    pub fn lines_mut(&mut self) -> impl Iterator<Item = &mut Line<G>> {
        let words = if let Trigger::Place(words) = &mut self.trigger {
            words.as_mut_slice()
        } else {
            &mut []
        };
        words.iter_mut().filter_map(|word| match &mut word.clause {
            Clause::Is(_, ComparedWord::Line(line), _) => Some(line),
            _ => None,
        })
    }

    /// Names and values of what it waits for, its condition apart; of a watchpoint, the command and what it watches.
    pub fn pairs(&self, game: &G) -> Vec<(&'static str, String)> {
        match &self.trigger {
            Trigger::Place(words) => {
                words.iter().map(|word| (word.name, word.value.clone())).collect()
            }
            Trigger::Entry(EntryWatch { key, depth, access }) => {
                let depth = depth.map_or_else(String::new, |depth| format!(":{depth}"));
                vec![(access.command(), game.format_key(*key) + &depth)]
            }
            Trigger::Value(watch) => vec![(watch.figure.name(), watch.ply.to_string())],
        }
    }

    /// What it waits for, as it is typed.
    pub fn words(&self, game: &G) -> String {
        let word = |(name, value): (&str, String)| match self.trigger {
            Trigger::Place(_) if value.contains(' ') => format!("{name}=\"{value}\""),
            Trigger::Place(_) => format!("{name}={value}"),
            Trigger::Entry(_) => value,
            Trigger::Value(_) => format!("{name} {value}"),
        };
        let clause = self.condition().map(|text| format!("if {text}"));
        let words = self.pairs(game).into_iter().map(word).chain(clause);
        words.collect::<Vec<_>>().join(" ")
    }

    /// The command that sets such a one.
    pub const fn command(&self) -> &'static str {
        match (&self.trigger, self.action) {
            (Trigger::Entry(watch), _) => watch.access.command(),
            (Trigger::Value(_), _) => "watch",
            (Trigger::Place(_), Action::Stop) => "break",
            (Trigger::Place(_), Action::Once) => "tbreak",
            (Trigger::Place(_), Action::Trace) => "tracepoint",
        }
    }
}
