//! The in-process engine. [`Engine`] holds one [`AnySession`] at a time, of the chosen game. [`games`] lists the games.

pub mod arena;
pub mod audit;
pub mod cachefile;
pub mod chess;
pub mod core;
pub mod debugger;
pub mod engines;
pub mod explain;
pub mod expression;
pub mod fault;
pub mod files;
pub mod game;
pub mod morris;
pub mod progress;
pub mod random;
pub mod recording;
pub mod searcher;
pub mod session;
pub mod settings;
pub mod statistics;
pub mod suggest;
pub mod suite;
pub mod syzygy;
pub mod tables;
pub mod trace;
pub mod training;
pub mod weights;
pub mod workers;

pub use self::core::{search, table};
use std::{
    mem,
    path::Path,
    sync::{Arc, OnceLock, atomic::AtomicBool},
    time::Duration,
};

use cachefile::Document;
use chess::Chess;
use engines::{Guest, Guests};
use game::{Fault, Game, Result, Rules};
use morris::Morris;
use progress::Progress;
use session::{
    Aliases, AnySession, Session, bench::Bench, document, position::PositionReport,
    saving::SessionReport,
};
use trace::{Rulebook, TraceGame};

type NewSession = fn(Arc<AtomicBool>) -> Box<dyn AnySession>;

/// The games that come with the program, by name.
pub const GAMES: &[(&str, NewSession)] = &[
    (Morris::NAME, |interrupt| Box::new(Session::new(Morris::default(), interrupt))),
    (Chess::NAME, |interrupt| Box::new(Session::new(Chess::default(), interrupt))),
];

static REGISTERED: OnceLock<(&str, NewSession)> = OnceLock::new();

/// Registers a game of another crate for the whole process: new engines start with the game, and commands accept its name.
/// Only the first call has an effect.
pub fn register_game<G: Game + Default>() {
    REGISTERED
        .get_or_init(|| (G::NAME, |interrupt| Box::new(Session::new(G::default(), interrupt))));
}

/// All games by name; the [registered](register_game) one comes first.
pub fn games() -> impl Iterator<Item = &'static (&'static str, NewSession)> {
    REGISTERED.get().into_iter().chain(GAMES)
}

/// The session in force; while a trace is open, also the session of the game, which waits, and the trace.
pub(crate) type Sessions = (Box<dyn AnySession>, Option<(Box<dyn AnySession>, TraceGame)>);

/// The session that commands work on, and the state that outlives a session: interrupt, time slice and progress.
pub struct Engine {
    interrupt: Arc<AtomicBool>,
    session: Box<dyn AnySession>,
    /// While a trace is open: the session of the game, which waits until the trace is closed, and the trace.
    waiting: Option<(Box<dyn AnySession>, TraceGame)>,
    slice: Option<Duration>,
    progress: Arc<Progress>,
    /// The external engines that the user started, by name.
    pub guests: Guests,
}

impl Default for Engine {
    /// An engine with a new session of the [registered](register_game) game, or else of morris.
    fn default() -> Self {
        let new = games().next().map_or(GAMES[0].1, |(_, new)| *new);
        Self::with(new)
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("game", &self.session.game()).finish_non_exhaustive()
    }
}

/// The name of the game that accepts `text` as a position; `None` if none does.
pub(crate) fn game_of(text: &str) -> Option<&'static str> {
    let (name, _) = games().find(|(_, new)| new(Arc::default()).reads_position(text))?;
    Some(name)
}

/// The name of the game whose PGN files have `variant` as the value of the tag `Variant`, if there is one.
pub(crate) fn game_of_variant(variant: &str) -> Option<&'static str> {
    let (name, _) = games().find(|(_, new)| new(Arc::default()).variant() == Some(variant))?;
    Some(name)
}

/// The rules for following a trace of the game `game`: those of the session if it plays this game, else the default ones.
pub fn rulebook(session: &dyn AnySession, game: &str) -> Option<Box<dyn Rulebook>> {
    if session.game() == game {
        return Some(session.fresh().rulebook());
    }
    let (_, new) = games().find(|(name, _)| *name == game)?;
    Some(new(Arc::default()).rulebook())
}

impl Engine {
    /// An engine with the session that `new` makes. The game of the session need not be among the [`games`].
    pub fn with(new: impl FnOnce(Arc<AtomicBool>) -> Box<dyn AnySession>) -> Self {
        let interrupt = Arc::new(AtomicBool::new(false));
        let progress = Arc::<Progress>::default();
        let mut session = new(Arc::clone(&interrupt));
        session.set_progress(Arc::clone(&progress));
        let guests = Guests::default();
        Self { session, waiting: None, interrupt, slice: None, progress, guests }
    }

    /// The flag that stops the running command; front ends set it on Ctrl-C. The engine never clears the flag: every command
    /// stops until the front end clears it.
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.interrupt)
    }

    /// The progress of the running operation, shared with the front end.
    pub fn progress(&self) -> Arc<Progress> {
        Arc::clone(&self.progress)
    }

    /// The current session, for commands that only read it.
    pub fn session(&self) -> &dyn AnySession {
        self.session.as_ref()
    }

    /// The current session, for commands that change it.
    pub fn session_mut(&mut self) -> &mut dyn AnySession {
        self.session.as_mut()
    }

    /// Sets how long a search may run before it returns to the front end, in this session and all later ones.
    pub fn set_slice(&mut self, slice: Option<Duration>) {
        self.slice = slice;
        self.session.set_slice(slice);
    }

    /// Calls `work` with the session and the engine `name`. If `name` is a command line, an engine is started for the call.
    /// Errors: an unknown name, and those of `work`.
    pub fn with_guest<T>(
        &mut self,
        name: &str,
        work: impl FnOnce(&mut dyn AnySession, &mut Guest) -> Result<T>,
    ) -> Result<T> {
        if engines::is_command(name) {
            let mut guest = Guest::new(name, name);
            return work(self.session.as_mut(), &mut guest);
        }
        work(self.session.as_mut(), self.guests.by_name(name)?)
    }

    /// The open trace; `None` if none is open.
    pub fn trace(&self) -> Option<&TraceGame> {
        self.waiting.as_ref().map(|(_, trace)| trace)
    }

    /// Whether a trace is open, in which case the current session is that of the trace.
    pub fn has_trace(&self) -> bool {
        self.waiting.is_some()
    }

    /// Whether a search returns after a time slice, for the front end to continue it.
    pub fn is_sliced(&self) -> bool {
        self.slice.is_some()
    }

    /// Opens a trace at its first event. The game's session waits until the trace is closed.
    /// Errors: those of starting a search.
    pub fn open_trace(&mut self, trace: TraceGame) -> Result<()> {
        let session = Session::for_trace(trace.clone(), Arc::clone(&self.interrupt))?;
        self.close_trace();
        self.waiting = Some((self.install(Box::new(session)), trace));
        Ok(())
    }

    /// Closes the trace and returns to the game's session. `false` if no trace is open.
    pub fn close_trace(&mut self) -> bool {
        let waiting = self.waiting.take();
        waiting.map(|(session, _)| self.install(session)).is_some()
    }

    /// Replaces the session and, if a trace is open, the session that waits; returns the former ones.
    pub(crate) fn exchange(&mut self, (session, waiting): Sessions) -> Sessions {
        (self.install(session), mem::replace(&mut self.waiting, waiting))
    }

    /// Replaces the session and returns the former one.
    fn install(&mut self, mut session: Box<dyn AnySession>) -> Box<dyn AnySession> {
        session.set_slice(self.slice);
        session.set_progress(Arc::clone(&self.progress));
        mem::replace(&mut self.session, session)
    }

    /// Starts a new session of a game. Errors: an unknown name, or an open trace.
    pub fn choose_game(&mut self, name: &str) -> Result<PositionReport> {
        if self.has_trace() {
            return Err(Fault::new("a trace is open")
                .hint("`trace close` goes back to the game, which can be changed then"));
        }
        let session = self.new_session(name)?;
        self.install(session);
        Ok(self.session.position())
    }

    /// Runs the bench searches of every built-in game. The sum of their nodes identifies the version of the search.
    /// Errors: an interrupt.
    pub fn fingerprint(&self) -> Result<Bench> {
        let mut total = Bench::default();
        for (name, _) in GAMES {
            let mut session = self.new_session(name)?;
            session.set_progress(Arc::clone(&self.progress));
            let bench = session.bench()?;
            total.nodes += bench.nodes;
            total.ms = Some([total.ms, bench.ms].into_iter().flatten().sum());
            total.cases.extend(bench.cases);
        }
        Ok(total)
    }

    /// Loads a session from a file. After an error the current session is unchanged.
    pub fn load_session(&mut self, path: &Path) -> Result<(Aliases, SessionReport)> {
        let in_file = |fault: Fault| fault.within(path.display());
        let saved = Document::read(path)?;
        let game = document::game(&saved.text).map_err(in_file)?;
        let mut session = self.new_session(&game).map_err(in_file)?;
        let restored = session.restore(saved, path).map_err(in_file)?;
        self.install(session);
        Ok(restored)
    }

    pub(crate) fn new_session(&self, name: &str) -> Result<Box<dyn AnySession>> {
        if name == self.session.game() {
            return Ok(self.session.fresh());
        }
        let game = games().find(|(known, _)| *known == name);
        let (_, new) = game.ok_or_else(|| {
            let names: Vec<_> = games().map(|(known, _)| *known).collect();
            Fault::new(format!("no game is called `{name}`"))
                .hint(format!("the games are {}", names.join(", ")))
        })?;
        Ok(new(Arc::clone(&self.interrupt)))
    }
}
