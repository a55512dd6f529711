//! The engine: the only door to the domain.
//!
//! [`Engine`] holds one [`AnySession`] at a time, of whichever game was chosen. Games are listed in
//! one place, [`GAMES`].

pub mod arena;
pub mod audit;
pub mod cachefile;
pub mod chess;
pub mod core;
pub mod debugger;
pub mod explain;
pub mod expression;
pub mod fault;
pub mod files;
pub mod game;
pub mod morris;
pub mod progress;
pub mod random;
pub mod recording;
pub mod session;
pub mod settings;
pub mod statistics;
pub mod suggest;
pub mod suite;
pub mod trace;
pub mod training;
pub mod weights;
pub mod workers;

pub use self::core::{search, searcher, table};
use std::{
    mem,
    path::Path,
    sync::{Arc, OnceLock, atomic::AtomicBool},
    time::Duration,
};

use cachefile::Divided;
use chess::Chess;
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

/// A game that was brought along.
static OWN: OnceLock<(&str, NewSession)> = OnceLock::new();

/// Brings a game along for the whole process: engines begin with it, and every command knows its name. The first one counts.
pub fn bring<G: Game + Default>() {
    OWN.get_or_init(|| (G::NAME, |interrupt| Box::new(Session::new(G::default(), interrupt))));
}

/// Every game by name, the one that was brought along first.
pub fn games() -> impl Iterator<Item = &'static (&'static str, NewSession)> {
    OWN.get().into_iter().chain(GAMES)
}

/// Everything behind the commands.
pub struct Engine {
    interrupt: Arc<AtomicBool>,
    session: Box<dyn AnySession>,
    /// The workbench that waits while a trace is open.
    aside: Option<Box<dyn AnySession>>,
    slice: Option<Duration>,
    progress: Arc<Progress>,
}

impl Default for Engine {
    /// Morris at the start of a game, or the game that was [brought along](bring).
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

/// The game that a text is a position of.
pub(crate) fn game_of(text: &str) -> Option<&'static str> {
    fn reads<G: Game + Default>(text: &str) -> Option<&'static str> {
        let read = G::default().parse_position(text);
        read.is_ok().then_some(G::NAME)
    }
    reads::<Morris>(text).or_else(|| reads::<Chess>(text))
}

/// The rules of a game by its name, to follow a trace by; those of the workbench's own game where it has that name.
pub fn rulebook(session: &dyn AnySession, game: &str) -> Option<Box<dyn Rulebook>> {
    if session.game() == game {
        return Some(session.fresh().rulebook());
    }
    let (_, new) = games().find(|(name, _)| *name == game)?;
    Some(new(Arc::default()).rulebook())
}

impl Engine {
    /// An engine for a game that need not be in [`GAMES`], such as one implemented outside this crate.
    pub fn with(new: impl FnOnce(Arc<AtomicBool>) -> Box<dyn AnySession>) -> Self {
        let interrupt = Arc::new(AtomicBool::new(false));
        let progress = Arc::<Progress>::default();
        let mut session = new(Arc::clone(&interrupt));
        session.set_progress(Arc::clone(&progress));
        Self { session, aside: None, interrupt, slice: None, progress }
    }

    /// Set by a front end (Ctrl-C) to stop the running command. The engine never clears it: what has been set stops
    /// every command until the front end clears it before its next one.
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.interrupt)
    }

    /// Where long operations say how far they are.
    pub fn progress(&self) -> Arc<Progress> {
        Arc::clone(&self.progress)
    }

    /// The workbench.
    pub fn session(&self) -> &dyn AnySession {
        self.session.as_ref()
    }

    /// The workbench, to work with.
    pub fn session_mut(&mut self) -> &mut dyn AnySession {
        self.session.as_mut()
    }

    /// How long a search may run before it comes back, on this workbench and all that follow it.
    pub fn set_slice(&mut self, slice: Option<Duration>) {
        self.slice = slice;
        self.session.set_slice(slice);
    }

    /// Whether a trace is on the workbench.
    pub fn has_trace(&self) -> bool {
        self.aside.is_some()
    }

    /// Puts a trace on the workbench, at its beginning; what lies there waits until it is closed.
    /// Errors: as a search that begins.
    pub fn open_trace(&mut self, trace: TraceGame) -> Result<()> {
        let session = Session::for_trace(trace, Arc::clone(&self.interrupt))?;
        self.close_trace();
        self.aside = Some(self.seat(Box::new(session)));
        Ok(())
    }

    /// Puts the trace away, if one is open, and what lay there before back; whether one was.
    pub fn close_trace(&mut self) -> bool {
        let before = self.aside.take();
        before.map(|session| self.seat(session)).is_some()
    }

    /// Puts another workbench in place of the one at hand, which is handed out.
    fn seat(&mut self, mut session: Box<dyn AnySession>) -> Box<dyn AnySession> {
        session.set_slice(self.slice);
        session.set_progress(Arc::clone(&self.progress));
        mem::replace(&mut self.session, session)
    }

    /// Puts a fresh workbench of a game in place of the one at hand.
    pub fn choose_game(&mut self, name: &str) -> Result<PositionReport> {
        if self.has_trace() {
            return Err(Fault::new("a trace is open")
                .hint("`trace close` goes back to the game, which can be changed then"));
        }
        let session = self.new_session(name)?;
        self.seat(session);
        Ok(self.session.position())
    }

    /// The fixed searches of every game: their nodes are the program's fingerprint.
    /// Errors: when it is interrupted.
    pub fn fingerprint(&self) -> Result<Bench> {
        let mut whole = Bench::default();
        for (name, _) in GAMES {
            let mut session = self.new_session(name)?;
            session.set_progress(Arc::clone(&self.progress));
            let part = session.bench()?;
            whole.nodes += part.nodes;
            whole.ms = Some([whole.ms, part.ms].into_iter().flatten().sum());
            whole.cases.extend(part.cases);
        }
        Ok(whole)
    }

    /// Restores a session. On a fault everything is as it was.
    pub fn load_session(&mut self, path: &Path) -> Result<(Aliases, SessionReport)> {
        let in_file = |fault: Fault| fault.within(path.display());
        let saved = Divided::read(path)?;
        let game = document::preamble(&saved.text).map_err(in_file)?.game;
        let mut session = self.new_session(&game).map_err(in_file)?;
        let restored = session.restore(saved, path).map_err(in_file)?;
        self.seat(session);
        Ok(restored)
    }

    fn new_session(&self, name: &str) -> Result<Box<dyn AnySession>> {
        if name == self.session.game() {
            return Ok(self.session.fresh());
        }
        let game = games().find(|(known, _)| *known == name);
        let (_, new) = game.ok_or_else(|| {
            let names: Vec<_> = games().map(|(known, _)| *known).collect();
            Fault::new(format!("no game is called `{name}`"))
                .hint(format!("there is {}", names.join(", ")))
        })?;
        Ok(new(Arc::clone(&self.interrupt)))
    }
}
