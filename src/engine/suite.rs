//! Suites: lists of positions to compare heuristics on.

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

/// The random games of which positions are taken have fewer plies than this: most morris games have ended by then.
const LONGEST: usize = 120;

/// Random games for each position before there seem to be no more.
const TRIES: u64 = 50;

/// Where the positions of a suite come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuiteSource<'a> {
    /// The game's own suite, compiled in.
    Standard,
    /// A text file: a position a line, in any notation of the game; `#` begins a comment.
    File(&'a Path),
    /// Seeded random play from the start of a game.
    Random {
        /// How many.
        positions: usize,
        /// The generator's seed.
        seed: u64,
    },
}

/// A position of a suite.
#[derive(Clone, Debug)]
pub struct Posed<G: Game> {
    /// The position; it has moves.
    pub position: G::Position,
    /// What lies before it; nothing for the positions of a suite.
    pub history: G::History,
    /// The game's name for the stage of play.
    pub phase: &'static str,
    /// The comment on its line.
    pub comment: Option<String>,
}

/// Positions to compare heuristics on, no two of them equal by symmetry.
#[derive(Clone, Debug)]
pub struct Suite<G: Game> {
    /// What it is; the positions are counted when that is asked for.
    head: SuiteHead,
    /// The positions; at least one.
    pub positions: Vec<Posed<G>>,
}

/// What a suite is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SuiteHead {
    /// `standard`, a file's path, how it was made, or the one position that it is.
    pub suite: String,
    /// How many positions it has.
    pub positions: u64,
    /// How many of them in each phase of play.
    pub phases: Vec<PhaseCount>,
    /// What a reader should know.
    pub notes: Vec<String>,
}

/// Positions of one phase of play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PhaseCount {
    /// The game's name for it.
    pub phase: String,
    /// How many.
    pub positions: u64,
}

impl<G: Game> Posed<G> {
    fn new(game: &G, position: G::Position, history: G::History) -> Self {
        let phase = game.status(&position, &history).phase;
        Self { position, history, phase, comment: None }
    }

    /// A position with nothing before it.
    fn alone(game: &G, position: G::Position) -> Self {
        Self::new(game, position, G::History::default())
    }
}

impl<G: Game> Suite<G> {
    /// A suite of one position with what lies before it.
    pub fn one(game: &G, position: &G::Position, history: &G::History) -> Result<Self, Fault> {
        if game.terminal(position, history).is_some() {
            return Err(Fault::new("the game is over: there is no move to choose")
                .hint("set a position that has moves"));
        }
        let positions = vec![Posed::new(game, position.clone(), history.clone())];
        Ok(Self { positions, ..Self::new(game.format_position(position)) })
    }

    /// What it is.
    pub fn head(&self) -> SuiteHead {
        let mut phases: Vec<PhaseCount> = Vec::new();
        for posed in &self.positions {
            match phases.iter_mut().find(|known| known.phase == posed.phase) {
                Some(known) => known.positions += 1,
                None => phases.push(PhaseCount { phase: posed.phase.to_owned(), positions: 1 }),
            }
        }
        SuiteHead { positions: self.positions.len() as u64, phases, ..self.head.clone() }
    }

    /// The positions from their source.
    pub fn from_source(
        game: &G,
        source: SuiteSource<'_>,
        watch: &mut Monitor,
    ) -> Result<Self, Fault> {
        match source {
            SuiteSource::Standard => Self::standard(game),
            SuiteSource::File(path) => {
                let text = files::read_text(path)?;
                let suite = Self::parse(game, path.display().to_string(), &text);
                suite.map_err(|fault| files::in_file(path, &text, fault))
            }
            SuiteSource::Random { positions, seed } => Self::random(game, (positions, seed), watch),
        }
    }

    fn standard(game: &G) -> Result<Self, Fault> {
        if game.suite().is_empty() {
            return Err(Fault::new(format!("{} has no suite of its own", G::NAME))
                .hint("give --suite FILE or --random N"));
        }
        Self::parse(game, "standard".to_owned(), game.suite())
    }

    /// Different positions with at least two moves, each from a random game of its own, after as many moves as chance says.
    fn random(
        game: &G,
        (positions, seed): (usize, u64),
        watch: &mut Monitor,
    ) -> Result<Self, Fault> {
        let mut suite = Self::new(format!("random, seed {seed}"));
        let mut known = FxHashSet::default();
        for attempt in 0..TRIES.saturating_mul(positions as u64) {
            if suite.positions.len() == positions {
                break;
            }
            watch.tick(suite.positions.len() as u64, positions as u64)?;
            let seed = random::splitmix_all(&[seed, attempt]);
            let plies = random::index_of(seed, LONGEST);
            let Some(game_so_far) = Opening::random(game, &game.start(), plies, seed) else {
                continue;
            };
            let position = game_so_far.last(game);
            let mut moves = Vec::new();
            game.expand(&position, &G::History::default(), &mut moves);
            if moves.len() > 1 && known.insert(game.key(&position, KeyScheme::Canonical)) {
                suite.positions.push(Posed::alone(game, position));
            }
        }
        let found = suite.positions.len();
        if found < positions {
            suite.head.notes.push(format!("random play led to {found} different positions only"));
        }
        suite.some()
    }

    fn new(suite: String) -> Self {
        Self { head: SuiteHead { suite, ..SuiteHead::default() }, positions: Vec::new() }
    }

    fn some(self) -> Result<Self, Fault> {
        if self.positions.is_empty() {
            return Err(Fault::new("there are no positions to compare on")
                .hint("write one position a line; # begins a comment"));
        }
        Ok(self)
    }

    fn parse(game: &G, name: String, text: &str) -> Result<Self, Fault> {
        let mut suite = Self::new(name);
        let mut keys = Vec::new();
        let mut start = 0;
        let mut repeated = 0;
        for line in text.split_inclusive('\n') {
            if let Some(posed) = posed(game, line).map_err(|fault| behind(start, line, fault))? {
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
            suite.head.notes.push(format!(
                "{repeated} of the lines repeat a position, by symmetry or as it is: each counts once"
            ));
        }
        suite.some()
    }
}

/// A fault of a line as one of the text that the line begins in at `start`.
fn behind(start: usize, line: &str, fault: Fault) -> Fault {
    let lead = line.len() - line.trim_start().len();
    let at = fault.at.clone().unwrap_or(0..0);
    fault.at(start + lead + at.start..start + lead + at.end)
}

fn posed<G: Game>(game: &G, line: &str) -> Result<Option<Posed<G>>, Fault> {
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
    Ok(Some(Posed { comment, ..Posed::alone(game, position) }))
}
