//! Matches and tournaments.

use serde::Serialize;

use super::{Board, PositionReport, Score, Side};
pub use crate::engine::arena::statistics::{Estimate, Sprt, SprtState, Strength, Verdict};

/// The players that have names.
#[derive(Clone, Debug, Serialize)]
pub struct PlayersReport {
    /// Each as its line of text.
    pub players: Vec<String>,
    /// What a person should know.
    pub notes: Vec<String>,
}

/// How a tournament or a round of matches stands.
#[derive(Clone, Debug, Serialize)]
pub struct TournamentReport {
    /// The game.
    pub game: String,
    /// The players as they are numbered, each as its line of text; the name alone where no more is known.
    pub players: Vec<String>,
    /// Games that have been played.
    pub played: usize,
    /// Games in all.
    pub total: usize,
    /// `complete`, `interrupted`, `decided` by its test, `merged`, `open` or `loaded`.
    pub status: &'static str,
    /// Which part of the tournament it is, where it is not all of it.
    pub shard: Option<String>,
    /// Games of every ordered pair.
    pub games: usize,
    /// Random moves that begin a game.
    pub openings: usize,
    /// What decides among equal moves.
    pub seed: u64,
    /// The draw rules with their values.
    pub draws: Vec<(String, String)>,
    /// The players, the best first.
    pub standings: Vec<StandingReport>,
    /// By player with the first move and by player without it: games won, drawn and lost by the first.
    pub cross: Vec<Vec<[u64; 3]>>,
    /// What pairs of players scored in pairs of games.
    pub pairs: Vec<PairReport>,
    /// How games ended.
    pub endings: Vec<EndingReport>,
    /// Games that equal another one of the same players move by move.
    pub duplicates: u64,
    /// The test, where there is one.
    pub sprt: Option<SprtReport>,
    /// Where the games are kept.
    pub file: Option<String>,
    /// Milliseconds since it was begun or resumed; nothing where results are saved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// Games played in that time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub played_in_ms: Option<usize>,
    /// What a person should know.
    pub notes: Vec<String>,
}

/// A player's standing.
#[derive(Clone, Debug, Serialize)]
pub struct StandingReport {
    /// Its number, from 0.
    pub player: usize,
    /// Its name.
    pub name: String,
    /// Games.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Points: one for a win, half a one for a draw.
    pub points: f64,
    /// Points in games with the first move.
    pub white_points: f64,
    /// Games with the first move.
    pub white_games: u64,
    /// Strength against all others together, by pairs of games.
    pub strength: Option<Strength>,
    /// What its choices took.
    pub cost: CostReport,
}

/// What choices took, on average.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct CostReport {
    /// Choices.
    pub moves: u64,
    /// States visited in all.
    pub nodes: u64,
    /// States visited for a choice.
    pub nodes_a_move: f64,
    /// Plies of the last complete iteration.
    pub depth: f64,
    /// The share of the cache's answers among what it was asked; nothing where there is none.
    pub hit_rate: Option<f64>,
    /// Milliseconds for a choice, where they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms_a_move: Option<f64>,
}

/// What two players scored in pairs of games.
#[derive(Clone, Debug, Serialize)]
pub struct PairReport {
    /// The number of the player from whose side it is.
    pub first: usize,
    /// The other one's.
    pub second: usize,
    /// Pairs with 0, ½, 1, 1½ and 2 points.
    pub counts: [u64; 5],
    /// Pairs that are different from each other.
    pub distinct: u64,
    /// What they say.
    pub strength: Option<Strength>,
}

/// How often games ended in one way.
#[derive(Clone, Debug, Serialize)]
pub struct EndingReport {
    /// The way.
    pub ending: String,
    /// Games won by the side with the first move.
    pub white: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games won by the other side.
    pub black: u64,
}

/// A test and how it stands.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SprtReport {
    /// The test.
    pub test: Sprt,
    /// How it stands.
    pub state: SprtState,
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
    /// Moves that have been played in the position at hand.
    pub ply: usize,
    /// The position.
    pub position: PositionReport,
}

/// Where two players part.
#[derive(Clone, Debug, Serialize)]
pub struct DifferReport {
    /// The number of the game they were asked about; nothing where they played on from the position at hand.
    pub game: Option<usize>,
    /// Positions in which both were asked.
    pub asked: usize,
    /// What each would play where they part; nothing where they do not.
    pub choices: Option<[ChoiceReport; 2]>,
    /// Moves that have been played there.
    pub ply: usize,
    /// The position at hand now.
    pub position: PositionReport,
}

/// What a player would play.
#[derive(Clone, Debug, Serialize)]
pub struct ChoiceReport {
    /// The player's name.
    pub name: String,
    /// The best moves.
    pub best: Vec<String>,
    /// Their value.
    pub value: Option<Score>,
    /// Plies of the last complete iteration.
    pub depth: u8,
    /// States visited.
    pub nodes: u64,
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

/// A game under way, for front ends that show it.
#[derive(Clone, Debug)]
pub struct LiveGame {
    /// Its number, from 1.
    pub game: usize,
    /// Who has the first move.
    pub white: String,
    /// Who has not.
    pub black: String,
    /// Moves that have been played.
    pub ply: usize,
    /// The side to move.
    pub side: Side,
    /// The position in the game's notation.
    pub state: String,
    /// The board, where the game can describe it.
    pub board: Option<Board>,
}

impl TournamentReport {
    /// Leaves out what differs from run to run: times and rates.
    pub fn forget_times(&mut self) {
        (self.ms, self.played_in_ms) = (None, None);
        for row in &mut self.standings {
            row.cost.ms_a_move = None;
        }
    }

    /// The names of the players as they are numbered.
    pub fn names(&self) -> Vec<&str> {
        let lines = self.players.iter();
        lines
            .map(|line| line.split_once(':').map_or(line.as_str(), |(name, _)| name))
            .collect()
    }
}
