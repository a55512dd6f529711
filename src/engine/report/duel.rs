//! Games between two players.

use serde::Serialize;

use crate::engine::arena::statistics::Strength;

/// What came of games between two players, from the first one's side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DuelReport {
    /// How many were played, half of them with either colour.
    pub games: u64,
    /// Won by the first player.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost by it.
    pub losses: u64,
    /// Pairs of games from one opening by the first player's points: 0, ½, 1, 1½ and 2.
    pub pairs: [u64; 5],
    /// How many of the pairs are different from each other.
    pub distinct: u64,
    /// The difference in strength with its 95 % intervals.
    pub strength: Option<Strength>,
    /// States visited a move, by the first player and by the second.
    pub nodes_a_move: [f64; 2],
}
