//! Suites: lists of positions on which heuristics are compared.

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

/// Plies of a random game, at most one less: later, most random games of morris have ended.
const MAX_PLIES: usize = 120;

/// Random games for each position before giving up, for games with few positions.
const TRIES: u64 = 50;

/// The source of a suite's positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuiteSource<'a> {
    /// The built-in suite of the game.
    Standard,
    /// A text file with a position on each line, in any notation of the game; `#` begins a comment.
    File(&'a Path),
    /// Positions after random moves from the start of the game.
    Random {
        /// The number of positions.
        positions: usize,
        /// The random seed.
        seed: u64,
    },
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
}

/// Positions on which heuristics are compared, no two of them equal by symmetry.
#[derive(Clone, Debug)]
pub struct Suite<G: Game> {
    name: String,
    notes: Vec<String>,
    /// The positions; at least one.
    pub positions: Vec<Posed<G>>,
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
        Self { position, history, phase, comment: None }
    }
}

impl<G: Game> Suite<G> {
    /// A suite of one position with its history.
    /// Errors: a position in which the game is over.
    pub fn one(game: &G, position: &G::Position, history: &G::History) -> Result<Self, Fault> {
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
    /// Errors: a file that cannot be read or has a wrong line, a suite without positions, and an interrupt of `watch`.
    pub fn from_source(
        game: &G,
        source: SuiteSource<'_>,
        watch: &mut Monitor,
    ) -> Result<Self, Fault> {
        match source {
            SuiteSource::Standard if game.suite().is_empty() => {
                Err(Fault::new(format!("{} has no suite of its own", G::NAME))
                    .hint("give --suite FILE or --random N"))
            }
            SuiteSource::Standard => Self::parse(game, "standard".to_owned(), game.suite()),
            SuiteSource::File(path) => {
                let text = files::read_text(path)?;
                let suite = Self::parse(game, path.display().to_string(), &text);
                suite.map_err(|fault| files::in_file(path, &text, fault))
            }
            SuiteSource::Random { positions, seed } => Self::random(game, positions, seed, watch),
        }
    }

    /// Different positions with at least two moves, each after a random number of moves of a random game.
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
        Self { name, notes: Vec::new(), positions: Vec::new() }
    }

    fn not_empty(self) -> Result<Self, Fault> {
        if self.positions.is_empty() {
            return Err(Fault::new("the suite has no positions")
                .hint("write one position on each line; # begins a comment"));
        }
        Ok(self)
    }

    fn parse(game: &G, name: String, text: &str) -> Result<Self, Fault> {
        let mut suite = Self::new(name);
        let mut keys = Vec::new();
        let mut start = 0;
        let mut repeated = 0;
        for line in text.split_inclusive('\n') {
            let parsed = parse_line(game, line).map_err(|fault| shifted(start, line, fault))?;
            if let Some(posed) = parsed {
                let key = game.key(&posed.position, KeyScheme::Canonical);
                if keys.contains(&key) {
                    repeated += 1;
                } else {
                    keys.push(key);
                    suite.positions.push(posed);
                }
            }
            start += line.len();
        }
        if repeated > 0 {
            suite.notes.push(format!(
                "{repeated} lines repeat a position, or one equal by symmetry: each position counts once"
            ));
        }
        suite.not_empty()
    }
}

/// A fault of a line, with its place in the text in which the line begins at `start`.
fn shifted(start: usize, line: &str, fault: Fault) -> Fault {
    let lead = line.len() - line.trim_start().len();
    let at = fault.at.clone().unwrap_or(0..0);
    fault.at(start + lead + at.start..start + lead + at.end)
}

fn parse_line<G: Game>(game: &G, line: &str) -> Result<Option<Posed<G>>, Fault> {
    let (state, comment) = match line.split_once('#') {
        Some((state, comment)) => (state.trim(), Some(comment.trim())),
        None => (line.trim(), None),
    };
    if state.is_empty() {
        return Ok(None);
    }
    let position = game.parse_position(state)?;
    if game.terminal(&position, &G::History::default()).is_some() {
        return Err(Fault::new("the game is over here: there is no move to choose")
            .hint("leave the position out"));
    }
    let comment = comment.filter(|text| !text.is_empty()).map(str::to_owned);
    Ok(Some(Posed { comment, ..Posed::new(game, position, G::History::default()) }))
}
