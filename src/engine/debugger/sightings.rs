use super::{Change, Commands, Line, WatchOutcome};
use crate::engine::{
    game::Game,
    search::{Event, Search},
};

/// An event that a tracepoint has let pass.
#[derive(Clone, Debug)]
pub struct TracedEvent<G: Game> {
    /// The tracepoint's number.
    pub breakpoint: u32,
    /// The event.
    pub event: Event,
    /// The position it happened at.
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
    /// The commands of temporary breakpoints that have just done their work.
    pub spent: Vec<(u32, Commands)>,
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
    pub fn clear(&mut self) {
        self.lines.clear();
        self.spent.clear();
        self.omitted = 0;
        self.change = None;
    }

    /// Takes over what a slice of the run leaves behind.
    pub fn take(&mut self, outcome: &WatchOutcome<G::Key>) {
        self.omitted += outcome.omitted;
        self.change = outcome.change.or(self.change);
    }
}

impl<G: Game> TracedEvent<G> {
    /// The last event of a search, for a tracepoint.
    pub fn of(breakpoint: u32, search: &Search<G>) -> Option<Self> {
        let event = search.describe();
        let from_top = usize::from(!event.kind.came_back());
        let maker = search.frames().iter().rev().nth(from_top);
        Some(Self {
            breakpoint,
            event,
            position: search.frames().last()?.position.clone(),
            mv: maker.and_then(|maker| Some((maker.position.clone(), search.current_move(maker)?))),
        })
    }
}
