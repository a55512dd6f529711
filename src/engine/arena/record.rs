//! What is known of a game that was played: one record for journals, standings and files.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString};

use super::{Opening, Played};
use crate::engine::{
    core::game::is_default,
    game::{Fault, Game, History, Side},
    searcher::Decision,
};

/// Why a match ended; written in a word or two.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Display, EnumString,
)]
#[serde(from = "String", into = "String")]
pub enum Ending {
    /// By the rules of the game: `mate`, `too few stones`.
    #[strum(default)]
    Rules(String),
    /// As many positions were logged as a match may have.
    #[strum(to_string = "maximum of turns")]
    MaxTurns,
    /// A position has occurred too often.
    #[strum(to_string = "position repeated")]
    Occurrences,
    /// Too long without a mill.
    #[strum(to_string = "no mill")]
    NoMill,
    /// It has not ended.
    #[strum(to_string = "unfinished")]
    Unfinished,
}

impl From<String> for Ending {
    fn from(words: String) -> Self {
        words.parse().unwrap_or(Self::Rules(words))
    }
}

impl From<Ending> for String {
    fn from(ending: Ending) -> Self {
        ending.to_string()
    }
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchOutcome {
    /// Who has won; `None` in a draw.
    pub winner: Option<Side>,
    /// Why it ended.
    pub ending: Ending,
}

impl MatchOutcome {
    /// The result as game files write it: `1-0`, `0-1`, `1/2-1/2`, or `*` where the game has not ended.
    pub fn token(&self) -> &'static str {
        match self.winner {
            _ if self.ending == Ending::Unfinished => "*",
            Some(Side::White) => "1-0",
            Some(Side::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

/// What a player's choices took, summed over games.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// Choices.
    pub moves: u64,
    /// States visited.
    pub nodes: u64,
    /// Depths of the last complete iterations, summed.
    pub depth: u64,
    /// Times that the table answered.
    pub hits: u64,
    /// Times that it was asked.
    pub probes: u64,
    /// Milliseconds; no file keeps them.
    #[serde(skip)]
    pub ms: f64,
}

impl Cost {
    /// What one decision took.
    pub fn of<G: Game>(decision: &Decision<G>) -> Self {
        let counters = &decision.counters;
        Self {
            moves: 1,
            nodes: counters.nodes,
            depth: u64::from(decision.depth),
            hits: counters.hits,
            probes: counters.hits + counters.invalid + counters.misses,
            ms: decision.ms,
        }
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

/// A game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fixture {
    /// The player with the first move, by number.
    pub white: usize,
    /// The other one.
    pub black: usize,
    /// Which game of the pairing it is, from 0; it decides the opening.
    pub round: usize,
}

/// A game that was played, its moves in the game's notation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number, from 0.
    pub game: usize,
    /// Who played it.
    #[serde(flatten)]
    pub fixture: Fixture,
    /// The first position, where it is not the game's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// How many of the moves the players found on the board.
    #[serde(default, skip_serializing_if = "is_default")]
    pub opening: usize,
    /// The moves, those of the opening included.
    pub moves: String,
    /// How it ended.
    #[serde(flatten)]
    pub outcome: MatchOutcome,
    /// What the players' choices took, white's first.
    pub cost: [Cost; 2],
}

impl GameRecord {
    /// The record of a game.
    pub fn new<G: Game>(
        game: &G,
        (number, fixture): (usize, Fixture),
        opening: &Opening<G>,
        Played { moves, outcome, cost }: Played<G>,
    ) -> Self {
        let mut position = opening.start.clone();
        let mut words = Vec::with_capacity(moves.len());
        for mv in moves {
            words.push(game.format_move(&position, mv));
            position = game.apply(&position, mv);
        }
        Self {
            game: number,
            fixture,
            start: (opening.start != game.start()).then(|| game.format_position(&opening.start)),
            opening: opening.moves.len(),
            moves: words.join(" "),
            outcome,
            cost,
        }
    }

    /// White's score in half points.
    pub const fn half_points(&self) -> usize {
        match self.outcome.winner {
            Some(Side::White) => 2,
            Some(Side::Black) => 0,
            None => 1,
        }
    }

    /// Moves that were played, those of the opening included.
    pub fn plies(&self) -> usize {
        self.moves.split_whitespace().count()
    }

    /// The first position and all moves.
    pub fn read<G: Game>(&self, game: &G) -> Result<Opening<G>, Fault> {
        let fault = |what: &str, fault: Fault| Fault {
            message: format!("game {}, {what}: {}", self.game + 1, fault.message),
            at: None,
            ..fault
        };
        let start = match &self.start {
            None => game.start(),
            Some(text) => game.parse_position(text).map_err(|bad| fault("first position", bad))?,
        };
        let (mut position, mut history) = (start.clone(), G::History::default());
        let mut moves = Vec::new();
        for (word, ply) in self.moves.split_whitespace().zip(1..) {
            let mv = game
                .parse_move(&position, &history, word)
                .map_err(|bad| fault(&format!("move {ply} `{word}`"), bad))?;
            history.push(&position);
            position = game.apply(&position, mv);
            moves.push(mv);
        }
        Ok(Opening { start, moves })
    }
}
