//! Time management: how long to search for each move.

use std::time::Duration;

use super::command::Go;

/// The number of moves that share the remaining time, if the client has not sent `movestogo`.
const MOVES: u32 = 30;
/// The least time for a move, in which the first iteration can end.
const LEAST: Duration = Duration::from_millis(1);

/// How long the search for a move may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLimits {
    /// The time after which no new iteration begins.
    pub soft: Duration,
    /// The time at which the search stops.
    pub hard: Duration,
}

impl TimeLimits {
    /// The time limits that `go` sets for a side (0: White), if any; `overhead`: time lost between client and engine.
    pub fn new(go: &Go, side: usize, overhead: Duration) -> Option<Self> {
        if let Some(time) = go.move_time {
            let hard = time.saturating_sub(overhead.min(time / 5)).max(LEAST);
            return Some(Self { soft: hard, hard });
        }
        let left = go.clock[side]?.saturating_sub(overhead).max(LEAST);
        let moves =
            go.moves_to_time_control.map_or(MOVES, |moves| moves.clamp(1, MOVES.into()) as u32);
        let share = left / moves + go.increment[side] * 3 / 4;
        // Before the time control, the last move may use more of the clock than other moves.
        let most = if moves == 1 { left * 4 / 5 } else { left / 3 };
        let hard = (share * 3).min(most).max(LEAST);
        // An iteration takes longer than all earlier ones together, so one that begins after half of the time would seldom end.
        Some(Self { soft: (share / 2).min(hard), hard })
    }
}
