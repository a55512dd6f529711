//! The session of one game: position, settings, weights, cache, and the current search.
//!
//! [`Session`] is generic over the [`Game`]. Commands use it through [`AnySession`], so that dynamic dispatch happens once per
//! command and never at a node. Each subject has a file or folder with its trait, the implementation for [`Session`], and the
//! replies with their text and JSON.

pub mod analysis;
pub mod audit;
pub mod bench;
pub mod breakpoints;
pub mod cache;
pub mod cachefiles;
pub mod comparing;
pub(super) mod document;
pub mod ending;
mod entry_text;
pub mod event;
pub mod explain;
mod for_play;
pub mod game_file;
mod game_head;
mod game_source;
pub mod game_tags;
pub mod game_tree;
pub mod guests;
pub mod playing;
pub mod plot;
pub mod position;
pub mod quiz;
pub mod rating;
pub mod reply;
pub mod review;
pub mod saving;
pub mod search;
pub mod stop_details;
pub mod tables;
pub mod timelines;
pub mod tournament;
pub mod trace;
pub mod training;
pub mod truth;
pub mod tuning;

use self::game_head::{GameEnd, GameHead};
use std::{
    collections::BTreeMap,
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use rustc_hash::FxHashMap;

use crate::engine::{
    arena::{CurrentGames, Player},
    cachefile::Monitor,
    debugger::{Debugger, Displays},
    explain::{TreeReplay, WriterReplay, replay},
    game::{Game, History, Keyed, Notes, Result, Side, Weights},
    progress::{Progress, Unit},
    recording::{Recording, Resume, Running},
    search::{Search, Watcher},
    searcher::Searcher,
    settings::Settings,
    table::Entries,
};
use crate::text::{counted, or_empty, style::Scale};

/// A name and its value, as in `name=value`.
pub type Pair<'a> = (&'a str, &'a str);

/// The user's own commands: the name of each alias with the command line that it runs.
pub type Aliases = BTreeMap<String, String>;

/// A session of any game, behind dynamic dispatch. Each supertrait has the commands of one subject.
pub trait AnySession:
    position::PositionCommands
    + ending::EndingCommands
    + playing::PlayCommands
    + game_tags::GameTagCommands
    + game_tree::GameTreeCommands
    + game_file::GameFileCommands
    + review::ReviewCommands
    + tuning::TuningCommands
    + comparing::ComparisonCommands
    + comparing::SolvingCommands
    + training::TrainingCommands
    + search::SearchCommands
    + analysis::AnalysisCommands
    + guests::GuestCommands
    + rating::RatingCommands
    + breakpoints::BreakpointCommands
    + timelines::TimelineCommands
    + cache::CacheCommands
    + audit::AuditCommands
    + explain::ExplainCommands
    + quiz::QuizCommands
    + trace::TraceCommands
    + cachefiles::CacheFileCommands
    + tournament::TournamentCommands
    + tables::TableCommands
    + truth::TruthCommands
    + saving::SavingCommands
    + Send
{
    /// The game's name: `chess`, `morris` or, for the search of another program, `trace`.
    fn game(&self) -> &'static str;
    /// The PGN tag `Variant` in files of the game, see [`Game::PGN_VARIANT`]; `None`: files have no such tag.
    fn variant(&self) -> Option<&'static str>;
    /// Whether a text is a position in the game's notation, such as FEN in chess.
    fn reads_position(&self, text: &str) -> bool;
    /// How the game's values are written: in pawns with mate distances, or in the game's own unit.
    fn scale(&self) -> Scale;
    /// A new session of this session's game, with default rules, settings and weights, at the start position.
    fn fresh(&self) -> Box<dyn AnySession>;
    /// Sets the object to which long operations report their progress.
    fn set_progress(&mut self, progress: Arc<Progress>);
}

/// A position in the line of play, with its history and the move that led to it.
#[derive(Clone, Debug)]
pub(crate) struct PlayedPosition<G: Game> {
    pub(crate) position: G::Position,
    pub(crate) history: G::History,
    /// The move that led to the position; `None` if the position was set up.
    pub(crate) mv: Option<G::Move>,
    /// The name of the player who chose the move, as in game files; `None` if unknown.
    pub(crate) by: Option<String>,
    /// How the players ended the game in this position; `None` if they did not.
    pub(crate) end: Option<GameEnd>,
    /// Tags, date and file of the game that begins in this position; empty unless the position was set up.
    pub(crate) head: GameHead,
    /// Comments and annotations of the move; for a position that was set up, the comments before the first move.
    pub(crate) notes: Notes,
    /// The alternatives to the move, each with its continuation, see [`game_tree`].
    pub(crate) others: Vec<game_tree::Line<G>>,
    /// The index of the move among the move and its alternatives; 0 is the main line.
    pub(crate) rank: usize,
}

impl<G: Game> PlayedPosition<G> {
    /// A position that was set up, without a move and without a history.
    pub(crate) fn set(position: G::Position) -> Self {
        let (history, by, end, head, notes, others, rank) = Default::default();
        Self { position, history, mv: None, by, end, head, notes, others, rank }
    }

    /// The first position of a game that begins today.
    pub(crate) fn begin(position: G::Position) -> Self {
        Self { head: GameHead::today(), ..Self::set(position) }
    }

    pub(crate) fn after(&self, game: &G, mv: G::Move) -> Self {
        let mut history = self.history.clone();
        history.push(&self.position);
        let position = game.apply(&self.position, mv);
        Self { history, mv: Some(mv), ..Self::set(position) }
    }
}

/// The state of one game: position, variations, settings, weights, cache, and the current search with its recording.
#[derive(Debug)]
pub struct Session<G: Game> {
    pub(crate) run: Recording<G, Debugger<G>>,
    pub(crate) now: PlayedPosition<G>,
    pub(crate) past: Vec<PlayedPosition<G>>,
    /// The positions that `redo` restores, in reverse order: the next one is last.
    pub(crate) future: Vec<PlayedPosition<G>>,
    pub(crate) sets: BTreeMap<String, Weights>,
    pub(crate) next_breakpoint: u32,
    pub(crate) displays: Displays,
    pub(crate) quiz: Option<quiz::Quiz>,
    pub(crate) progress: Arc<Progress>,
    pub(crate) purpose: Purpose,
    /// The replays of the current search that build trees for `explain tree`, the latest at the end: after a jump back, the next
    /// jump forwards finds the tree of the end.
    pub(crate) trees: Vec<TreeReplay<G, Debugger<G>>>,
    /// The replay of the current search that finds the writers of listed cache entries.
    pub(crate) writers: Option<WriterReplay<G, Debugger<G>>>,
    /// The cache entries that the user has edited or removed, with or without a search.
    pub(crate) hand_edits: FxHashMap<Keyed<G::Key>, cache::HandEdit>,
    /// How long a search may run before control returns to the front end; `None`: until the next stop.
    pub(crate) slice: Option<Duration>,
    pub(crate) players: BTreeMap<String, Player>,
    pub(crate) arena: Option<CurrentGames<G>>,
    /// The file of games that was opened last; `None` before the first one.
    pub(crate) games: Option<game_file::OpenGames>,
    /// The inactive searcher: for play or, during a search for play, the session's own. `None`: no search for play so far.
    pub(crate) other: Option<for_play::OtherSearcher<G>>,
    pub(crate) tables: tables::TablesInUse,
}

/// Why a search runs; determines the reply when the search stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// `search run`: the reply has the value and the best moves.
    Run,
    /// `hint`: the reply has the best moves, searched with the settings for play.
    Hint,
    /// `engine play`: the engine plays a best move; the level, if any, is part of its name in the game's tags.
    Play(Option<u8>),
    /// `game draw`: this side offered a draw, and the engine accepts or declines according to the value.
    Offer(Side),
    /// `step`, `continue` and other commands of the debugger: the reply describes the next stop.
    Resume(Resume),
}

impl<G: Game> Session<G> {
    /// A session at the game's start position, with default settings and weights; setting `interrupt` stops long operations.
    pub fn new(game: G, interrupt: Arc<AtomicBool>) -> Self {
        Self {
            now: PlayedPosition::begin(game.start()),
            past: Vec::new(),
            future: Vec::new(),
            run: Recording::new(Searcher::usual(game), interrupt),
            sets: BTreeMap::new(),
            next_breakpoint: 1,
            displays: Displays::default(),
            quiz: None,
            progress: Arc::default(),
            purpose: Purpose::Run,
            trees: Vec::new(),
            writers: None,
            hand_edits: FxHashMap::default(),
            slice: None,
            players: BTreeMap::new(),
            arena: None,
            games: None,
            other: None,
            tables: tables::TablesInUse::default(),
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

    /// Empties the cache because its values are no longer valid. Returns a note if it had entries.
    pub(crate) fn discard_cache(&mut self, why: &str) -> Option<String> {
        let count = self.entries().len() as u64;
        self.entries_mut().clear();
        self.hand_edits.clear();
        let entries = counted(count, "entry", "entries");
        (count > 0).then(|| format!("the cache was emptied ({entries}): {why}"))
    }

    /// Drops the current search because the session no longer matches it. Returns a note if the search was unfinished.
    pub(crate) fn discard_search(&mut self, why: &str) -> Option<String> {
        let (running, back) = self.end_search();
        let stopped = running?.search.stopped();
        stopped.is_none().then(|| format!("the search under way was dropped: {why}{back}"))
    }

    /// Ends the current search. Returns it, and how to bring it back as the end of a sentence; empty if it was not recorded.
    pub(crate) fn end_search(&mut self) -> (Option<Running<G>>, String) {
        self.drop_replays();
        let name = self.run.name();
        let running = self.run.drop_search();
        let kept = name.filter(|name| self.run.others.iter().any(|it| it.name == *name));
        self.restore_usual();
        let back = kept.map(|name| format!("; `timeline use {name}` brings it back"));
        (running, or_empty(back))
    }

    /// Drops the copies of the current search, because they no longer match the session.
    pub(crate) fn drop_replays(&mut self) {
        self.trees.clear();
        self.writers = None;
    }

    /// Runs `work`, which an interrupt can stop, and reports its progress in `unit`s, of which `before` are already done.
    pub(crate) fn watching<T>(
        &self,
        what: &'static str,
        unit: Unit,
        before: u64,
        work: impl FnOnce(&mut Monitor) -> T,
    ) -> T {
        self.progress.begin(what, unit, before);
        let result = work(&mut Monitor {
            interrupt: &self.run.interrupt,
            progress: &mut |done, total| self.progress.update(done, total),
        });
        self.progress.end();
        result
    }

    /// Replays the current search on a copy of the recording, up to the current event. The watcher must not stop the replay.
    pub(crate) fn run_again(&mut self, watcher: &mut dyn Watcher<Search<G>>) -> Result<()> {
        let (events, mut again) = (self.run.events(), self.run.replay_copy()?);
        self.watching("replaying", Unit::Events, again.events(), |watch| {
            replay(&mut again, events, watcher, |done| {
                (watch.progress)(done, events);
                true
            })
        })
    }

    /// The evaluation with the weights in force, prepared for searches from the current position.
    pub(crate) fn evaluator(&self) -> Result<G::Evaluator> {
        self.game().evaluator(&self.run.searcher.weights, &self.now.position)
    }
}

impl<G: Game> AnySession for Session<G> {
    fn game(&self) -> &'static str {
        G::NAME
    }

    fn variant(&self) -> Option<&'static str> {
        G::PGN_VARIANT
    }

    fn reads_position(&self, text: &str) -> bool {
        self.game().parse_position(text).is_ok()
    }

    fn scale(&self) -> Scale {
        let full = self.evaluator().map(|evaluator| self.game().full_window(&evaluator));
        full.map_or(Scale::Plain, |full| self.game().scale(full))
    }

    fn fresh(&self) -> Box<dyn AnySession> {
        Box::new(Self::new(self.game().with_default_rules(), Arc::clone(&self.run.interrupt)))
    }

    fn set_progress(&mut self, progress: Arc<Progress>) {
        self.progress = progress;
    }
}
