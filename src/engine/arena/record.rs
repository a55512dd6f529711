//! What is known of a game that was played.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Choice, Opening};
use crate::engine::game::{Game, Side};

/// Why a match ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Ending {
    /// By the rules of the game, in a word or two: `mate`, `too few stones`.
    Rules(String),
    /// So many positions were logged as a match may have.
    MaxTurns,
    /// A position has occurred too often.
    Occurrences,
    /// Too long without a mill.
    NoMill,
    /// It has not ended.
    Unfinished,
}

const MAX_TURNS: &str = "maximum of turns";
const OCCURRENCES: &str = "position repeated";
const NO_MILL: &str = "no mill";
const UNFINISHED: &str = "unfinished";

impl Ending {
    /// The ending in a word or two.
    pub fn words(&self) -> &str {
        match self {
            Self::Rules(words) => words,
            Self::MaxTurns => MAX_TURNS,
            Self::Occurrences => OCCURRENCES,
            Self::NoMill => NO_MILL,
            Self::Unfinished => UNFINISHED,
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

impl From<String> for Ending {
    fn from(words: String) -> Self {
        match words.as_str() {
            MAX_TURNS => Self::MaxTurns,
            OCCURRENCES => Self::Occurrences,
            NO_MILL => Self::NoMill,
            UNFINISHED => Self::Unfinished,
            _ => Self::Rules(words),
        }
    }
}

impl From<Ending> for String {
    fn from(ending: Ending) -> Self {
        ending.words().to_owned()
    }
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// Who has won; `None` in a draw.
    pub winner: Option<Side>,
    /// Why it ended.
    pub ending: Ending,
}

/// What a player's choices took, summed over a game.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// Choices.
    pub moves: u64,
    /// States visited.
    pub nodes: u64,
    /// Depths of the last complete iterations, summed.
    pub depth: u64,
    /// Times that the cache answered.
    pub hits: u64,
    /// Times that it was asked.
    pub probes: u64,
    /// Milliseconds.
    #[serde(default, skip_serializing)]
    pub ms: f64,
}

impl Cost {
    /// Adds a choice.
    pub fn take<G: Game>(&mut self, choice: &Choice<G>) {
        let counters = &choice.counters;
        self.add(&Self {
            moves: 1,
            nodes: counters.nodes,
            depth: u64::from(choice.depth),
            hits: counters.hits,
            probes: counters.hits + counters.invalid + counters.misses,
            ms: choice.ms,
        });
    }

    /// Adds another cost.
    pub fn add(&mut self, other: &Self) {
        self.moves += other.moves;
        self.nodes += other.nodes;
        self.depth += other.depth;
        self.hits += other.hits;
        self.probes += other.probes;
        self.ms += other.ms;
    }
}

/// A game: where it began, what was played, how it ended, what it took.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord<G: Game> {
    /// The opening; its moves are the first of `moves`.
    pub opening: Opening<G>,
    /// All moves from the opening's first position.
    pub moves: Vec<G::Move>,
    /// How it ended.
    pub outcome: Outcome,
    /// What each side's choices took, white's first.
    pub cost: [Cost; 2],
}

impl<G: Game> GameRecord<G> {
    /// The positions from the first to the last.
    pub fn positions(&self, game: &G) -> Vec<G::Position> {
        let mut positions = vec![self.opening.start.clone()];
        for &mv in &self.moves {
            if let Some(position) = positions.last().map(|position| game.apply(position, mv)) {
                positions.push(position);
            }
        }
        positions
    }
}
