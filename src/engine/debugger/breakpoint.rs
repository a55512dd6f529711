use serde::{Deserialize, Serialize};

use super::{
    Clause, ComparedWord, EntryWatch, FrameFacts, Kinds, Line, Names, ValueWatch,
    condition::{Plies, plies_of, single_ply},
    names::{possible_kinds, usual_kinds},
};
use crate::engine::{
    core::game::is_default,
    expression,
    game::{Fault, Game, Result},
    search::EventContext,
};

/// The condition on which a breakpoint stops.
#[derive(Clone, Debug)]
pub enum Trigger<G: Game> {
    /// An event at which all clauses hold.
    Place(Vec<Clause<G>>),
    /// A cache entry is read or written.
    Entry(EntryWatch<G::Key>),
    /// A change of α, β or the best value of a frame.
    Value(ValueWatch),
}

/// What a breakpoint does when it is hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The breakpoint stops the search.
    Stop,
    /// The breakpoint stops the search once, and is then removed (`tbreak`).
    Once,
    /// The breakpoint records a line, and the search continues (`tracepoint`).
    Trace,
}

/// A breakpoint, watchpoint or tracepoint in the words of the command that sets it, for session files.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct SavedBreakpoint {
    /// The number of the breakpoint in `delete` and other commands.
    pub id: u32,
    /// Names and values of the conditions. For a watchpoint: the command and the key, or the value watched and the ply.
    pub conditions: Vec<(String, String)>,
    /// The expression after `if`; `None` without one.
    #[serde(default, rename = "if", skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// Whether the breakpoint is switched on.
    pub enabled: bool,
    /// Whether the breakpoint is removed when it stops the search.
    pub temporary: bool,
    /// Whether this is a tracepoint, which records a line and does not stop.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub trace: bool,
    /// The number of hits, including ignored hits.
    pub hits: u64,
    /// Number of hits still to be ignored.
    #[serde(default, skip_serializing_if = "is_default")]
    pub ignore: u64,
    /// The commands that run when the breakpoint stops the search.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<String>,
    /// Whether the commands come from a session file and wait for `trust`.
    #[serde(skip)]
    pub untrusted: bool,
}

/// A breakpoint, watchpoint or tracepoint, ready to be matched against events.
#[derive(Clone, Debug)]
pub struct Breakpoint<G: Game> {
    /// The breakpoint as session files have it: number, conditions, counters and commands.
    pub saved: SavedBreakpoint,
    pub(super) trigger: Trigger<G>,
    clause: Option<Clause<G>>,
    kinds: Kinds,
}

impl<G: Game> Breakpoint<G> {
    /// A breakpoint. Errors: its expression cannot be read, or no event can fulfil all conditions.
    pub fn new(
        names: &Names<'_, G>,
        mut saved: SavedBreakpoint,
        mut trigger: Trigger<G>,
    ) -> Result<Self> {
        if let Trigger::Place(clauses) = &mut trigger {
            clauses.sort_by_key(|clause| expression::cost(names, clause));
        }
        let condition = saved.condition.take();
        let mut point = Self { saved, trigger, clause: None, kinds: Kinds::NONE };
        point.set_condition(names, condition.as_deref())?;
        Ok(point)
    }

    /// Replaces the expression after `if`. After an error the old expression stays.
    pub fn set_condition(&mut self, names: &Names<'_, G>, text: Option<&str>) -> Result<()> {
        let clause = text.map(|text| expression::condition(text, names)).transpose()?;
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
                .hint("two conditions need different kinds of event"));
        }
        self.kinds = kinds;
        self.saved.condition = text.map(|text| text.trim().to_owned());
        Ok(())
    }

    /// All clauses: those of the conditions by name, and the expression after `if`.
    fn clauses(&self) -> impl Iterator<Item = &Clause<G>> {
        let place =
            if let Trigger::Place(clauses) = &self.trigger { clauses.as_slice() } else { &[] };
        place.iter().chain(&self.clause)
    }

    pub fn kinds(&self) -> Kinds {
        self.kinds
    }

    /// Whether hits stop the search; those of a tracepoint do not.
    pub fn stops(&self) -> bool {
        !self.saved.trace
    }

    /// Whether the breakpoint is switched on and the event is a hit. The hit is not counted.
    pub fn matches(&self, context: &EventContext<'_, G>) -> bool {
        self.saved.enabled && self.kinds.contains(context.event.kind) && self.holds(context)
    }

    #[inline(never)]
    fn holds(&self, context: &EventContext<'_, G>) -> bool {
        let is_there = match &self.trigger {
            Trigger::Place(_) => true,
            Trigger::Entry(watch) => watch.holds(context),
            Trigger::Value(watch) => watch.holds(context),
        };
        let facts = FrameFacts::of_event(context);
        is_there && self.clauses().all(|clause| clause.holds(&facts))
    }

    pub(super) fn plies(&self) -> Plies {
        let watched = match &self.trigger {
            Trigger::Value(watch) => single_ply(watch.ply),
            _ => Plies::MAX,
        };
        self.clauses().fold(watched, |plies, clause| plies & plies_of(clause))
    }

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

    pub fn words(&self) -> String {
        let word = |(name, value): &(String, String)| match self.trigger {
            Trigger::Place(_) if value.contains(' ') => format!("{name}=\"{value}\""),
            Trigger::Place(_) => format!("{name}={value}"),
            Trigger::Entry(_) => value.clone(),
            Trigger::Value(_) => format!("{name} {value}"),
        };
        let clause = self.saved.condition.as_ref().map(|text| format!("if {text}"));
        let words = self.saved.conditions.iter().map(word).chain(clause);
        words.collect::<Vec<_>>().join(" ")
    }

    pub fn command(&self) -> &'static str {
        match &self.trigger {
            Trigger::Entry(watch) => watch.access.command(),
            Trigger::Value(_) => "watch",
            Trigger::Place(_) if self.saved.temporary => "tbreak",
            Trigger::Place(_) if self.saved.trace => "tracepoint",
            Trigger::Place(_) => "break",
        }
    }
}
