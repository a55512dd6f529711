//! Suites: lists of positions for comparing weights and searches, with tasks such as the best move (EPD).

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
pub use self::epd::{Attempt, Task};

/// The limit of a random game in plies, which most random games of morris do not reach.
const MAX_PLIES: usize = 120;

/// The number of random games tried for each position wanted, in case the game has too few positions.
const TRIES: u64 = 50;

/// The greatest number of a file's faults that one message lists.
const MOST_FAULTS: usize = 5;

/// Where the positions of a suite come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuiteSource<'a> {
    /// The built-in suite of the game with this name.
    BuiltIn(&'a str),
    /// A text file with one position on each line, in any notation of the game, and EPD operations; `#` begins a comment.
    File(&'a Path),
    /// Positions after random moves from the start of a game.
    Random {
        /// The number of positions to find.
        positions: usize,
        /// The random seed of the games.
        seed: u64,
    },
}

impl SuiteSource<'static> {
    /// The built-in suite on which weights are compared.
    pub const STANDARD: Self = Self::BuiltIn("standard");

    /// The names of the built-in suites.
    pub const NAMES: [&'static str; 2] = ["standard", "tactics"];
}

/// A position of a suite.
#[derive(Clone, Debug)]
pub struct Posed<G: Game> {
    /// The position, in which the game is not over.
    pub position: G::Position,
    /// The positions before this one in its game; empty for a position from a file.
    pub history: G::History,
    /// The phase of the game, such as `placing` or `endgame`.
    pub phase: &'static str,
    /// The comment on the position's line in the file.
    pub comment: Option<String>,
    /// The name of the position in its file (`id`).
    pub id: Option<String>,
    /// The number of the position's line in the file, from 1; 0 without a file.
    pub line: usize,
    /// The task of the position, such as the best move.
    pub task: Task<G::Move>,
}

/// A line of a suite file that cannot be read as a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WrongLine {
    /// The number of the line, from 1.
    pub line: usize,
    /// The place in the file and what is wrong there.
    pub message: String,
}

/// Positions for comparing weights and searches, of which no two are equal by symmetry.
#[derive(Clone, Debug)]
pub struct Suite<G: Game> {
    name: String,
    notes: Vec<String>,
    /// The positions of the suite, at least one.
    pub positions: Vec<Posed<G>>,
    /// The lines that [`Suite::with_wrong_lines`] has skipped.
    pub wrong: Vec<WrongLine>,
}

/// The description of a suite in replies.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SuiteHead {
    /// `standard`, the path of a file, `random` with the seed, or a single position.
    pub(crate) suite: String,
    /// The number of positions in the suite.
    pub positions: u64,
    /// The number of positions in each phase of the game.
    pub phases: Vec<PhaseCount>,
    /// Notes for the user, such as skipped lines.
    pub notes: Vec<String>,
}

/// The number of positions in one phase of the game.
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

    /// The description of this suite for replies.
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

    /// The suite of a source: built in, read from a file, or generated.
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

    /// Like [`Suite::from_source`], but skips wrong lines and lists them in [`Suite::wrong`].
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

    /// Different positions with at least two legal moves, each from a random game, after a random number of moves.
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
            let moves = game.legal_moves(&position, &G::History::default());
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

/// A suite as read from a text, with the faults.
struct SuiteText<G: Game> {
    /// The positions that could be read, perhaps none.
    suite: Suite<G>,
    /// The faults by line number; the message of each contains its place.
    faults: Vec<(usize, Fault)>,
}

impl<G: Game> SuiteText<G> {
    /// The suite, if it has positions and no faults.
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
