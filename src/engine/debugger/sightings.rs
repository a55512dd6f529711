//! What a run under watch has seen, and what is shown when it stops.

use serde::{Deserialize, Serialize};

use super::{Change, Line, SavedBreakpoint, names::maker};
use crate::engine::{
    game::{Answer, Fault, Game},
    search::{Event, Search},
};

/// An event that a tracepoint has let pass.
#[derive(Clone, Debug)]
pub struct TracedEvent<G: Game> {
    /// The tracepoint's number.
    pub breakpoint: u32,
    pub event: Event,
    pub position: G::Position,
    /// The move that led there, or from which a value came back, and the position it was made in.
    pub mv: Option<(G::Position, G::Move)>,
}

/// What watchpoints and traces have seen on one run.
#[derive(Clone, Debug)]
pub struct Sightings<G: Game> {
    /// The line of moves that `advance` goes along.
    pub line: Option<Line<G>>,
    /// The first lines of traces.
    pub lines: Vec<TracedEvent<G>>,
    /// Temporary breakpoints that have just done their work.
    pub spent: Vec<SavedBreakpoint>,
    /// How many more lines there were.
    pub omitted: u64,
    /// What the watchpoint that stopped it saw.
    pub change: Option<Change<G::Key>>,
}

impl<G: Game> Default for Sightings<G> {
    fn default() -> Self {
        Self { line: None, lines: Vec::new(), spent: Vec::new(), omitted: 0, change: None }
    }
}

impl<G: Game> Sightings<G> {
    /// Nothing has been seen: a run begins.
    pub(super) fn clear(&mut self) {
        *self = Self { line: self.line.take(), ..Self::default() };
    }
}

impl<G: Game> TracedEvent<G> {
    /// The last event of a search, for a tracepoint.
    pub(super) fn of(breakpoint: u32, search: &Search<G>) -> Option<Self> {
        let event = search.describe();
        let maker = maker(search, event.kind);
        Some(Self {
            breakpoint,
            event,
            position: search.frames().last()?.position.clone(),
            mv: maker.and_then(|maker| Some((maker.position.clone(), search.current_move(maker)?))),
        })
    }
}

/// The expressions that are shown after every stop.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Displays {
    /// With their numbers, in the order they were made.
    pub shown: Vec<(u32, String)>,
    /// The last number given.
    pub last: u32,
}

impl Displays {
    /// Adds one.
    pub fn add(&mut self, text: &str) {
        self.last += 1;
        self.shown.push((self.last, text.trim().to_owned()));
    }

    /// Removes one, or all.
    /// Errors: where there is none of that number.
    pub fn remove(&mut self, id: Option<u32>) -> Answer<()> {
        let before = self.shown.len();
        self.shown.retain(|(known, _)| id.is_some_and(|id| id != *known));
        match id {
            Some(id) if self.shown.len() == before => {
                Err(Fault::new(format!("no display {id}")).hint("`display` alone lists them"))
            }
            _ => Ok(()),
        }
    }
}
