//! What may stop a run, as far as a recording knows it.

use std::fmt::Debug;

use super::Running;

use crate::engine::core::{
    game::SearchRules,
    search::{Event, EventContext, EventKind, RunLimits, Search, Stop},
    table::AnyTable,
};

/// How far a step goes. Heights are numbers of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopAt {
    /// Until the stack is no higher than this: over what the next event enters.
    NoHigher(usize),
    /// Until the stack is lower than this: out of the node at hand.
    Lower(usize),
    /// Until an event of this kind.
    Kind(EventKind),
    /// Until this event.
    Index(u64),
    /// To this event, whatever would stop the search on the way.
    Place(u64),
    /// Until the end of the line of moves that the debugger was given is entered.
    Line,
    /// Until a breakpoint, or the end.
    Breakpoint,
}

impl StopAt {
    /// Whether an event has reached it; the debugger knows of the other goals.
    pub fn is_reached<G: SearchRules>(self, event: &Event, search: &Search<G>) -> bool {
        match self {
            Self::NoHigher(height) => search.frames().len() <= height,
            Self::Lower(height) => search.frames().len() < height,
            Self::Kind(kind) => event.kind == kind,
            Self::Index(index) | Self::Place(index) => event.index >= index,
            Self::Line | Self::Breakpoint => false,
        }
    }
}

/// What a recording asks of whoever keeps its breakpoints.
pub trait Stops<G: SearchRules>: Debug + Default {
    /// Whether any is switched on. Where none is, a run to the end goes unwatched.
    fn are_awake(&self) -> bool;

    /// A run of this search begins: what was seen on the one before is forgotten.
    fn begin(&mut self, game: &G, search: &Search<G>);

    /// Runs on to the goal, to a breakpoint, or as far as the leash goes.
    fn run(
        &mut self,
        running: &mut Running<G>,
        around: (&G, &mut AnyTable<G::Key>),
        goal: StopAt,
        limits: &RunLimits<'_>,
    ) -> Stop;

    /// The breakpoint that stops a search here, if one does. Counts nothing: going backwards asks again and again.
    fn stop_here(&self, scene: &EventContext<'_, G>) -> Option<Stop>;

    /// A search that is told, put to a moment between two numbers of events without telling all of its way; nothing where that
    /// cannot be done or saves little.
    fn jump(&self, game: &G, begin: &Search<G>, between: [u64; 2]) -> Option<Search<G>>;
}
