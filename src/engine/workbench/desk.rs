//! The desk: one game with everything a user has of it at hand.

use std::{
    collections::BTreeMap,
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use super::{Answer, Timelines, Workbench, arena, breakpoints, quiz, run};
use crate::engine::{
    arena::Player,
    debugger::Breakpoint,
    game::{Game, Weights, Window},
    memo::{AnyMemo, CleanStep},
    progress::Progress,
    search::{Counters, Mode, Search},
    settings::Settings,
};

/// A search under way with what it started from.
#[derive(Clone, Debug)]
pub(crate) struct Running<G: Game> {
    pub(crate) search: Search<G>,
    pub(crate) evaluator: G::Evaluator,
    pub(crate) mode: Mode,
    /// Milliseconds run so far.
    pub(crate) ms: f64,
    /// Milliseconds it may go on for each time it is told to.
    pub(crate) time_ms: Option<u64>,
    /// The breakpoint at which it stands.
    pub(crate) breakpoint: Option<u32>,
    pub(crate) selected: Option<usize>,
}

/// A position and how it came about.
#[derive(Clone, Debug)]
pub(crate) struct Moment<G: Game> {
    pub(crate) position: G::Position,
    pub(crate) history: G::History,
    /// The move that led here; none if it was set.
    pub(crate) mv: Option<G::Move>,
}

/// The workbench of one game.
#[derive(Debug)]
pub struct Desk<G: Game> {
    pub(crate) game: G,
    pub(crate) now: Moment<G>,
    pub(crate) past: Vec<Moment<G>>,
    pub(crate) future: Vec<Moment<G>>,
    pub(crate) weights: Weights,
    pub(crate) sets: BTreeMap<String, Weights>,
    pub(crate) settings: Settings,
    pub(crate) memo: AnyMemo<G::Key>,
    /// What the last finished search asked of the memo.
    pub(crate) counters: Counters,
    pub(crate) running: Option<Running<G>>,
    /// What was cleaned from the cache when the last decision was made.
    pub(crate) tidied: Vec<CleanStep>,
    pub(crate) breakpoints: Vec<Breakpoint<G>>,
    pub(crate) next_breakpoint: u32,
    /// What watchpoints and traces have seen on the last run.
    pub(crate) sightings: breakpoints::Sightings<G>,
    pub(crate) displays: breakpoints::Displays,
    pub(crate) interrupt: Arc<AtomicBool>,
    /// The quiz, where it is on.
    pub(crate) quiz: Option<quiz::Quiz>,
    pub(crate) progress: Arc<Progress>,
    /// What the search under way is to reach.
    pub(crate) pending: Option<run::Pending<G>>,
    /// Where searches went and can go again.
    pub(crate) timelines: Timelines<G>,
    /// How long a front end lets the search have the machine at a time.
    pub(crate) slice: Option<Duration>,
    /// The players that have names.
    pub(crate) players: BTreeMap<String, Player>,
    /// The games at hand.
    pub(crate) arena: Option<arena::Hall<G>>,
}

impl<G: Game> Desk<G> {
    /// A workbench at the start of a game with everything at its default.
    pub fn new(game: G, interrupt: Arc<AtomicBool>) -> Self {
        let settings = Settings::default();
        let memo = settings.new_memo();
        Self {
            now: Moment {
                position: game.start(),
                history: G::History::default(),
                mv: None,
            },
            past: Vec::new(),
            future: Vec::new(),
            weights: game.default_weights(),
            sets: BTreeMap::new(),
            memo,
            settings,
            counters: Counters::default(),
            running: None,
            tidied: Vec::new(),
            breakpoints: Vec::new(),
            next_breakpoint: 1,
            sightings: breakpoints::Sightings::default(),
            displays: breakpoints::Displays::default(),
            interrupt,
            quiz: None,
            progress: Arc::default(),
            pending: None,
            timelines: Timelines::default(),
            slice: None,
            players: BTreeMap::new(),
            arena: None,
            game,
        }
    }

    /// Empties the cache because its values no longer mean what a search would find, and says so.
    pub(crate) fn discard_cache(&mut self, why: &str) -> Option<String> {
        let count = self.memo.entries().len();
        self.memo.entries_mut().clear();
        (count > 0).then(|| format!("the cache was emptied ({count} entries): {why}"))
    }

    /// Drops the search under way because it no longer belongs to what the user sees, and says so.
    pub(crate) fn discard_search(&mut self, why: &str) -> Option<String> {
        self.pending = None;
        self.retire();
        let running = self.running.take()?;
        (!running.search.is_over()).then(|| format!("the search under way was dropped: {why}"))
    }

    /// The heuristic for searches from the position at hand.
    pub(crate) fn evaluator(&self) -> Answer<G::Evaluator> {
        self.game.evaluator(&self.weights, &self.now.position)
    }

    /// The window that holds every value of a search, as the fidelity has it.
    pub(crate) fn full_window(&self, evaluator: &G::Evaluator) -> Window {
        self.game.full_window(evaluator)
    }
}

impl<G: Game> Workbench for Desk<G> {
    fn game(&self) -> &'static str {
        G::NAME
    }

    fn fresh(&self) -> Box<dyn Workbench> {
        Box::new(Self::new(self.game.original(), Arc::clone(&self.interrupt)))
    }

    fn set_progress(&mut self, progress: Arc<Progress>) {
        self.progress = progress;
    }
}
