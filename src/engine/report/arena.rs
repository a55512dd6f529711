//! Matches and tournaments.

use serde::Serialize;

use super::{PositionReport, Side};

/// The players that have names.
#[derive(Clone, Debug, Serialize)]
pub struct PlayersReport {
    /// Each as its line of text.
    pub players: Vec<String>,
    /// What a person should know.
    pub notes: Vec<String>,
}

/// The games of a tournament, a round or a log.
#[derive(Clone, Debug, Serialize)]
pub struct GamesReport {
    /// The games.
    pub games: Vec<GameReport>,
    /// Games that are not listed.
    pub more: usize,
}

/// A game.
#[derive(Clone, Debug, Serialize)]
pub struct GameReport {
    /// Its number, from 1.
    pub game: usize,
    /// Who had the first move.
    pub white: String,
    /// Who had not.
    pub black: String,
    /// Which game of the pairing it is, from 1.
    pub round: usize,
    /// Moves, those of the opening included.
    pub plies: usize,
    /// How many of them are the opening.
    pub opening: usize,
    /// Who has won.
    pub winner: Option<Side>,
    /// Why it ended.
    pub ending: String,
    /// States visited by white and black.
    pub nodes: [u64; 2],
    /// The moves, where one game is shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
}

/// A game taken over by the workbench.
#[derive(Clone, Debug, Serialize)]
pub struct OpenedGame {
    /// The game.
    pub game: GameReport,
    /// Moves that have been played in the current position.
    pub ply: usize,
    /// The position.
    pub position: PositionReport,
}

/// A file of results or games that was written or read.
#[derive(Clone, Debug, Serialize)]
pub struct ArenaFile {
    /// Its path.
    pub file: String,
    /// `saved`, `loaded` or `merged`.
    pub action: &'static str,
    /// Its format.
    pub format: &'static str,
    /// Games in it.
    pub games: usize,
    /// What a person should know.
    pub notes: Vec<String>,
}
