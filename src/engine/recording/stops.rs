//! Where a run can stop. The recording tests these conditions; breakpoints are tested by the debugger.

use std::fmt::Debug;

use super::Running;

use crate::engine::{
    core::game::SearchRules,
    search::{Event, EventContext, EventKind, Search, Stop},
    searcher::RunLimits,
    table::AnyTable,
};

/// Where a run stops, unless a breakpoint stops it earlier. A height is a number of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopAt {
    /// Where the stack has at most this height: after the subtree that the next event enters.
    HeightAtMost(usize),
    /// Where the stack is lower than this height: after the current node.
    HeightBelow(usize),
    /// At an event of this kind.
    Kind(EventKind),
    /// At the event with this number, or at a breakpoint before.
    Event(u64),
    /// At the event with this number; breakpoints do not stop the run.
    Goto(u64),
    /// At the end of the debugger's line of moves (`advance`).
    Line,
    /// Only at a breakpoint or at the end.
    Breakpoint,
}

impl StopAt {
    /// Whether the condition is met at an event; `false` for lines and breakpoints, which the debugger tests.
    pub fn is_reached<G: SearchRules>(self, event: &Event, search: &Search<G>) -> bool {
        match self {
            Self::HeightAtMost(height) => search.frames().len() <= height,
            Self::HeightBelow(height) => search.frames().len() < height,
            Self::Kind(kind) => event.kind == kind,
            Self::Event(index) | Self::Goto(index) => event.index >= index,
            Self::Line | Self::Breakpoint => false,
        }
    }
}

/// The conditions that stop a run, such as breakpoints; the debugger implements this trait.
pub trait StopConditions<G: SearchRules>: Debug + Default {
    /// Whether any breakpoint is enabled. If not, a run to the end needs no watcher.
    fn any_enabled(&self) -> bool;

    /// Called before a run of `search`, so that the conditions can prepare for it.
    fn begin_run(&mut self, game: &G, search: &Search<G>);

    /// Runs the search to a place, to a breakpoint or to a limit, and returns why it stopped.
    fn run(
        &mut self,
        running: &mut Running<G>,
        game: &G,
        table: &mut AnyTable<G::Key>,
        stop_at: StopAt,
        limits: &RunLimits<'_>,
    ) -> Stop;

    /// The breakpoint that stops the search at an event. Hits are not counted, because scans test events repeatedly.
    fn breakpoint_at(&self, context: &EventContext<'_, G>) -> Option<Stop>;

    /// In a trace, the search at a landmark between two numbers of events; `None` without one, or if jumping saves little.
    fn jump(&self, game: &G, begin: &Search<G>, between: [u64; 2]) -> Option<Search<G>>;
}
