//! The session: what the user has on the table in one game: position, settings, weights, cache, and the search under way.
//!
//! [`Session`] is generic over the [`Game`]. Commands see it as [`AnySession`], so that dynamic dispatch happens once per
//! command and never at a node. Each subject is one file or folder: what the engine does, and the replies with their text
//! and JSON.

pub mod audit;
pub mod bench;
pub mod breakpoints;
pub mod cache;
pub mod cachefiles;
pub mod comparing;
pub(super) mod document;
mod entry_text;
pub mod event;
pub mod explain;
pub mod plot;
pub mod position;
pub mod quiz;
pub mod reply;
pub mod saving;
pub mod search;
pub mod timelines;
pub mod tournament;
pub mod trace;
pub mod training;
pub mod tuning;

use std::{
    collections::BTreeMap,
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use crate::engine::{
    arena::{GamesAtHand, Player},
    debugger::{Debugger, Displays},
    explain::{TreeReplay, replay},
    game::{Game, History, Result, Weights},
    progress::{Progress, Unit},
    recording::{Recording, Resume},
    search::{Search, Watcher},
    searcher::Searcher,
    settings::Settings,
    table::Entries,
};
use crate::text::counted;

/// `name=value`.
pub type Pair<'a> = (&'a str, &'a str);

/// The user's own command words and what they stand for.
pub type Aliases = BTreeMap<String, String>;

/// A session whose game is not known at compile time: everything that commands can do.
pub trait AnySession:
    position::PositionCommands
    + tuning::TuningCommands
    + comparing::ComparisonCommands
    + training::TrainingCommands
    + search::SearchCommands
    + breakpoints::BreakpointCommands
    + timelines::TimelineCommands
    + cache::CacheCommands
    + audit::AuditCommands
    + explain::ExplainCommands
    + quiz::QuizCommands
    + trace::TraceCommands
    + cachefiles::CacheFileCommands
    + tournament::Arena
    + saving::SavingCommands
    + Send
{
    /// The game's name.
    fn game(&self) -> &'static str;
    /// A new session of the same game, with everything at its default.
    fn fresh(&self) -> Box<dyn AnySession>;
    /// Sets where long operations report their progress.
    fn set_progress(&mut self, progress: Arc<Progress>);
}

/// A position and how it came about.
#[derive(Clone, Debug)]
pub(crate) struct PlayedPosition<G: Game> {
    pub(crate) position: G::Position,
    pub(crate) history: G::History,
    /// The move that led here; none if it was set.
    pub(crate) mv: Option<G::Move>,
}

impl<G: Game> PlayedPosition<G> {
    /// A position that was set, with nothing before it.
    pub(crate) fn set(position: G::Position) -> Self {
        Self { position, history: G::History::default(), mv: None }
    }

    pub(crate) fn after(&self, game: &G, mv: G::Move) -> Self {
        let mut history = self.history.clone();
        history.push(&self.position);
        Self { position: game.apply(&self.position, mv), history, mv: Some(mv) }
    }
}

/// The workbench of one game.
#[derive(Debug)]
pub struct Session<G: Game> {
    /// Game, settings, weights and table, and the search under way.
    pub(crate) run: Recording<G, Debugger<G>>,
    pub(crate) now: PlayedPosition<G>,
    pub(crate) past: Vec<PlayedPosition<G>>,
    pub(crate) future: Vec<PlayedPosition<G>>,
    pub(crate) sets: BTreeMap<String, Weights>,
    pub(crate) next_breakpoint: u32,
    pub(crate) displays: Displays,
    pub(crate) quiz: Option<quiz::Quiz>,
    pub(crate) progress: Arc<Progress>,
    /// What the search under way is moved for.
    pub(crate) purpose: Purpose,
    /// The search under way once more, where somebody has asked for its tree.
    pub(crate) tree: Option<TreeReplay<G, Debugger<G>>>,
    /// How long a front end lets the search have the machine at a time.
    pub(crate) slice: Option<Duration>,
    pub(crate) players: BTreeMap<String, Player>,
    pub(crate) arena: Option<GamesAtHand<G>>,
}

/// What the search under way is moved for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The best moves.
    Run,
    /// One of the best moves, to be played.
    Play,
    /// A step.
    Resume(Resume),
}

impl<G: Game> Session<G> {
    /// A workbench at the start of a game with everything at its default.
    pub fn new(game: G, interrupt: Arc<AtomicBool>) -> Self {
        Self {
            now: PlayedPosition::set(game.start()),
            past: Vec::new(),
            future: Vec::new(),
            run: Recording::new(Searcher::usual(game), interrupt),
            sets: BTreeMap::new(),
            next_breakpoint: 1,
            displays: Displays::default(),
            quiz: None,
            progress: Arc::default(),
            purpose: Purpose::Run,
            tree: None,
            slice: None,
            players: BTreeMap::new(),
            arena: None,
        }
    }

    pub(crate) fn game(&self) -> &G {
        &self.run.searcher.game
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.run.searcher.settings
    }

    pub(crate) fn entries(&self) -> &dyn Entries<G::Key> {
        self.run.searcher.table.entries()
    }

    pub(crate) fn entries_mut(&mut self) -> &mut dyn Entries<G::Key> {
        self.run.searcher.table.entries_mut()
    }

    /// Empties the cache because its values no longer mean what a search would find, and says so.
    pub(crate) fn discard_cache(&mut self, why: &str) -> Option<String> {
        let count = self.entries().len() as u64;
        self.entries_mut().clear();
        let entries = counted(count, "entry", "entries");
        (count > 0).then(|| format!("the cache was emptied ({entries}): {why}"))
    }

    /// Drops the search under way because it no longer belongs to what the user sees, and says so.
    pub(crate) fn discard_search(&mut self, why: &str) -> Option<String> {
        self.tree = None;
        let running = self.run.drop_search()?;
        (!running.search.is_over()).then(|| format!("the search under way was dropped: {why}"))
    }

    /// Runs the search under way again up to where it stands, beside itself, under a watcher that never stops it.
    pub(crate) fn run_again(&mut self, watcher: &mut dyn Watcher<Search<G>>) -> Result<()> {
        let (events, mut again) = (self.run.events(), self.run.beside()?);
        self.watching("replaying", (Unit::Events, again.events()), |watch| {
            replay(&mut again, events, watcher, |here| {
                (watch.progress)(here, events);
                true
            })
        })
    }

    /// The heuristic for searches from the position at hand.
    pub(crate) fn evaluator(&self) -> Result<G::Evaluator> {
        self.game().evaluator(&self.run.searcher.weights, &self.now.position)
    }
}

impl<G: Game> AnySession for Session<G> {
    fn game(&self) -> &'static str {
        G::NAME
    }

    fn fresh(&self) -> Box<dyn AnySession> {
        Box::new(Self::new(self.game().original(), Arc::clone(&self.run.interrupt)))
    }

    fn set_progress(&mut self, progress: Arc<Progress>) {
        self.progress = progress;
    }
}
