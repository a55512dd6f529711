//! Suites: lists of positions on which heuristics and searches are compared, with tasks such as the best move (EPD).

mod epd;

use std::path::Path;

use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::engine::{
    arena::Opening,
    cachefile::Monitor,
    files,
    game::{Fault, Game, KeyScheme},
    random,
};
use crate::text::counted;

use self::epd::SuiteLine;
pub use self::epd::{Finding, Task};

/// The exclusive limit of a random game in plies: most random games of morris end before.
const MAX_PLIES: usize = 120;

/// The most random games for each position wanted: a game may have too few positions.
const TRIES: u64 = 50;

/// The most faults of a file in one message.
const MOST_FAULTS: usize = 5;

/// The source of a suite's positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuiteSource<'a> {
    /// The suite of this name that comes with the game.
    BuiltIn(&'a str),
    /// A text file with a position on each line, in any notation of the game, with the operations of EPD; `#` begins a comment.
    File(&'a Path),
    /// Positions after random moves from the start of the game.
    Random {
        /// The number of positions.
        positions: usize,
        /// The random seed.
        seed: u64,
    },
}

impl SuiteSource<'static> {
    /// The suite on which heuristics are compared.
    pub const STANDARD: Self = Self::BuiltIn("standard");

    /// The suites that come with games.
    pub const NAMES: [&'static str; 2] = ["standard", "tactics"];
}

/// A position of a suite.
#[derive(Clone, Debug)]
pub struct Posed<G: Game> {
    /// The position; the game is not over.
    pub position: G::Position,
    /// The history; empty for positions of a file.
    pub history: G::History,
    /// The game's name for the phase of play.
    pub phase: &'static str,
    /// The comment on the line.
    pub comment: Option<String>,
    /// The name of the position in its file.
    pub id: Option<String>,
    /// The line in its file, from 1; 0 without a file.
    pub line: usize,
    /// The task, such as the best move.
    pub task: Task<G::Move>,
}

/// A line of a suite file that cannot be read as a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WrongLine {
    /// The line, from 1.
    pub line: usize,
    /// The place in the file, and what is wrong.
    pub message: String,
}

/// Positions on which heuristics are compared, without symmetric duplicates.
#[derive(Clone, Debug)]
pub struct Suite<G: Game> {
    name: String,
    notes: Vec<String>,
    /// The positions; at least one.
    pub positions: Vec<Posed<G>>,
    /// The lines that [`Suite::with_wrong_lines`] skipped.
    pub wrong: Vec<WrongLine>,
}

/// A description of a suite, for replies.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SuiteHead {
    /// `standard`, the path of a file, `random` with the seed, or a single position.
    pub(crate) suite: String,
    /// The number of positions.
    pub positions: u64,
    /// The numbers of positions of each phase of play.
    pub phases: Vec<PhaseCount>,
    /// Remarks for the user.
    pub notes: Vec<String>,
}

/// The number of positions of one phase of play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PhaseCount {
    pub(crate) phase: String,
    pub(crate) positions: u64,
}

impl<G: Game> Posed<G> {
    fn new(game: &G, position: G::Position, history: G::History) -> Self {
        let phase = game.status(&position, &history).phase;
        let (comment, id, line, task) = Default::default();
        Self { position, history, phase, comment, id, line, task }
    }
}

impl<G: Game> Suite<G> {
    /// A suite of one position with its history.
    /// Errors: a position in which the game is over.
    pub fn single(game: &G, position: &G::Position, history: &G::History) -> Result<Self, Fault> {
        if game.terminal(position, history).is_some() {
            return Err(Fault::new("the game is over: there is no move to choose")
                .hint("set a position that has moves"));
        }
        let positions = vec![Posed::new(game, position.clone(), history.clone())];
        Ok(Self { positions, ..Self::new(game.format_position(position)) })
    }

    /// The description of the suite.
    pub fn head(&self) -> SuiteHead {
        let mut phases: Vec<PhaseCount> = Vec::new();
        for posed in &self.positions {
            match phases.iter_mut().find(|known| known.phase == posed.phase) {
                Some(known) => known.positions += 1,
                None => phases.push(PhaseCount { phase: posed.phase.to_owned(), positions: 1 }),
            }
        }
        let (suite, notes) = (self.name.clone(), self.notes.clone());
        SuiteHead { suite, positions: self.positions.len() as u64, phases, notes }
    }

    /// Reads or makes a suite.
    /// Errors: a file that cannot be read or has wrong lines, a suite without positions, and an interrupt of `watch`.
    pub fn from_source(
        game: &G,
        source: SuiteSource<'_>,
        watch: &mut Monitor,
    ) -> Result<Self, Fault> {
        match source {
            SuiteSource::BuiltIn(name) => {
                let mut suites = game.suites().iter();
                let (name, text) = suites.find(|(known, _)| *known == name).ok_or_else(|| {
                    Fault::new(format!("{} has no suite `{name}`", G::NAME))
                        .hint("give a file, or --random N")
                })?;
                Self::parse(game, name, text).strictly()
            }
            SuiteSource::File(path) => Self::read(game, path)?.strictly(),
            SuiteSource::Random { positions, seed } => Self::random(game, positions, seed, watch),
        }
    }

    /// As [`Suite::from_source`], but wrong lines are passed over and listed.
    /// Errors: a file that cannot be read or has no position.
    pub fn with_wrong_lines(
        game: &G,
        source: SuiteSource<'_>,
        watch: &mut Monitor,
    ) -> Result<Self, Fault> {
        let SuiteSource::File(path) = source else {
            return Self::from_source(game, source, watch);
        };
        let read = Self::read(game, path)?;
        if read.suite.positions.is_empty() {
            return read.strictly();
        }
        let wrong = |(line, fault): (usize, Fault)| WrongLine { line, message: fault.to_string() };
        Ok(Self { wrong: read.faults.into_iter().map(wrong).collect(), ..read.suite })
    }

    fn read(game: &G, path: &Path) -> Result<SuiteText<G>, Fault> {
        Ok(Self::parse(game, &path.display().to_string(), &files::read_text(path)?))
    }

    /// Different positions with at least two moves, each from a random game, after a random number of moves.
    fn random(game: &G, positions: usize, seed: u64, watch: &mut Monitor) -> Result<Self, Fault> {
        let mut suite = Self::new(format!("random, seed {seed}"));
        let mut known = FxHashSet::default();
        for attempt in 0..TRIES.saturating_mul(positions as u64) {
            if suite.positions.len() == positions {
                break;
            }
            watch.tick(suite.positions.len() as u64, positions as u64)?;
            let seed = random::splitmix_all(&[seed, attempt]);
            let plies = random::index_of(seed, MAX_PLIES);
            let Some(random_game) = Opening::random(game, &game.start(), plies, seed) else {
                continue;
            };
            let position = random_game.last(game);
            let mut moves = Vec::new();
            game.expand(&position, &G::History::default(), &mut moves);
            if moves.len() > 1 && known.insert(game.key(&position, KeyScheme::Canonical)) {
                suite.positions.push(Posed::new(game, position, G::History::default()));
            }
        }
        let found = suite.positions.len();
        if found < positions {
            suite.notes.push(format!("random play led to only {found} different positions"));
        }
        suite.not_empty()
    }

    fn new(name: String) -> Self {
        Self { name, notes: Vec::new(), positions: Vec::new(), wrong: Vec::new() }
    }

    fn not_empty(self) -> Result<Self, Fault> {
        if self.positions.is_empty() {
            return Err(Fault::new("the suite has no positions")
                .hint("write one position on each line; # begins a comment"));
        }
        Ok(self)
    }

    fn parse(game: &G, name: &str, text: &str) -> SuiteText<G> {
        let (mut suite, mut faults) = (Self::new(name.to_owned()), Vec::new());
        let (mut keys, mut repeated) = (FxHashSet::default(), 0);
        for (line, number) in text.lines().zip(1..) {
            match parse_line(game, line) {
                Err(fault) => {
                    let at = fault.at.clone().map_or(0, |at| at.start);
                    let column = line.get(..at).unwrap_or_default().chars().count() + 1;
                    let fault = Fault { at: None, ..fault };
                    faults.push((number, fault.within(format_args!("{name}:{number}:{column}"))));
                }
                Ok(Some(posed)) if keys.insert(game.key(&posed.position, KeyScheme::Canonical)) => {
                    suite.positions.push(Posed { line: number, ..posed });
                }
                Ok(Some(_)) => repeated += 1,
                Ok(None) => {}
            }
        }
        if repeated > 0 {
            let lines = counted(repeated, "line repeats", "lines repeat");
            suite.notes.push(format!(
                "{lines} a position, or one equal by symmetry: each position counts once"
            ));
        }
        SuiteText { suite, faults }
    }
}

/// A suite as it is read from a text.
struct SuiteText<G: Game> {
    /// The suite, which may be empty.
    suite: Suite<G>,
    /// The faults of lines, by number, each with its place in the message.
    faults: Vec<(usize, Fault)>,
}

impl<G: Game> SuiteText<G> {
    /// The suite. Errors: wrong lines, no positions.
    fn strictly(mut self) -> Result<Suite<G>, Fault> {
        let omitted = self.faults.len().saturating_sub(MOST_FAULTS);
        self.faults.truncate(MOST_FAULTS);
        match Fault::merge(self.faults.into_iter().map(|(_, fault)| fault).collect()) {
            Some(fault) if omitted > 0 => {
                let message = format!("{}; and {omitted} more", fault.message);
                Err(Fault { message, ..fault })
            }
            Some(fault) => Err(fault),
            None => self.suite.not_empty(),
        }
    }
}

fn parse_line<G: Game>(game: &G, line: &str) -> Result<Option<Posed<G>>, Fault> {
    let Some(SuiteLine { position, id, comment, task }) = SuiteLine::read(game, line)? else {
        return Ok(None);
    };
    if game.terminal(&position, &G::History::default()).is_some() {
        return Err(Fault::new("the game is over here: there is no move to choose")
            .hint("leave the position out"));
    }
    Ok(Some(Posed { comment, id, task, ..Posed::new(game, position, G::History::default()) }))
}
