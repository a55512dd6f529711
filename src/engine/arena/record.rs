//! The record of a game, for journals, standings and files of games.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString};

use super::{Opening, Played};
use crate::engine::{
    core::game::is_default,
    game::{Fault, Game, History, Side},
    searcher::Decision,
};

/// Why a match ended; as text, a word or two.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Display, EnumString,
)]
#[serde(from = "String", into = "String")]
pub enum Ending {
    /// The rules of the game ended the match: `mate`, `too few stones`.
    #[strum(default)]
    Rules(String),
    /// A draw by the draw rule `max_turns`.
    #[strum(to_string = "maximum of turns")]
    MaxTurns,
    /// A draw by the draw rule `occurrences`.
    #[strum(to_string = "position repeated")]
    Occurrences,
    /// A draw by the draw rule `no_mill`.
    #[strum(to_string = "no mill")]
    NoMill,
    /// The match has not ended.
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

/// Who won a match, and why the match ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchOutcome {
    /// The winner; `None` in a draw.
    pub winner: Option<Side>,
    /// Why the match ended: by the game's rules, or by which draw rule.
    pub ending: Ending,
}

impl MatchOutcome {
    /// The result as in PGN: `1-0`, `0-1`, `1/2-1/2`, or `*` for a game that has not ended.
    pub fn token(&self) -> &'static str {
        match self.winner {
            _ if self.ending == Ending::Unfinished => "*",
            Some(Side::White) => "1-0",
            Some(Side::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

/// The cost of a player's moves, summed over games.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// The number of moves chosen.
    pub moves: u64,
    /// The number of nodes searched.
    pub nodes: u64,
    /// The sum of the depths of the last complete iterations, in plies.
    pub depth: u64,
    /// The number of table probes that replaced searching a node.
    pub hits: u64,
    /// The number of table probes.
    pub probes: u64,
    /// The time spent on the moves in milliseconds. It is not saved, so that files are the same on every machine.
    #[serde(skip)]
    pub ms: f64,
}

impl Cost {
    /// The cost of one move.
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

    /// Adds the numbers of another cost to this one.
    pub fn add(&mut self, other: &Self) {
        self.moves += other.moves;
        self.nodes += other.nodes;
        self.depth += other.depth;
        self.hits += other.hits;
        self.probes += other.probes;
        self.ms += other.ms;
    }
}

/// A game of a tournament: who plays whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fixture {
    /// The number of the player who moves first, White.
    pub white: usize,
    /// The number of the player who moves second, Black.
    pub black: usize,
    /// The number of the game among the games of these two players, from 0. Games of one round have the same opening.
    pub round: usize,
}

/// A game that was played, as text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The number of the game, from 0.
    pub game: usize,
    /// Who plays whom, and in which round.
    #[serde(flatten)]
    pub fixture: Fixture,
    /// The first position, if not the start of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The number of opening moves.
    #[serde(default, skip_serializing_if = "is_default")]
    pub opening: usize,
    /// The moves in the game's notation, those of the opening included.
    pub moves: String,
    /// The winner, and why the game ended.
    #[serde(flatten)]
    pub outcome: MatchOutcome,
    /// The cost of each side's moves, White's first.
    pub cost: [Cost; 2],
}

impl GameRecord {
    /// Writes a played game as a record, with the moves in the game's notation.
    pub fn new<G: Game>(
        game: &G,
        (number, fixture): (usize, Fixture),
        opening: &Opening<G>,
        Played { moves, outcome, cost }: Played<G>,
    ) -> Self {
        let mut position = opening.start.clone();
        let mut texts = Vec::with_capacity(moves.len());
        for mv in moves {
            texts.push(game.format_move(&position, mv));
            position = game.apply(&position, mv);
        }
        Self {
            game: number,
            fixture,
            start: (opening.start != game.start()).then(|| game.format_position(&opening.start)),
            opening: opening.moves.len(),
            moves: texts.join(" "),
            outcome,
            cost,
        }
    }

    /// White's score in half points: 2 for a win, 0 for a loss, otherwise 1.
    pub const fn half_points(&self) -> usize {
        match self.outcome.winner {
            Some(Side::White) => 2,
            Some(Side::Black) => 0,
            None => 1,
        }
    }

    /// The number of moves, including those of the opening.
    pub fn plies(&self) -> usize {
        self.moves.split_whitespace().count()
    }

    /// Parses the first position and the moves.
    /// Errors: a text that is not a legal move.
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
