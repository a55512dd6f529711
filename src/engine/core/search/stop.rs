//! Why a search stops.

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

/// The reason why a search or a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(into = "&str", try_from = "String")]
#[strum(serialize_all = "lowercase")]
pub enum Stop {
    /// The search is over: the last iteration that was required is complete.
    Depth,
    /// The search is over: further iterations cannot change the result.
    Exhausted,
    /// The budget of nodes is used up; a larger one lets the search go on.
    Budget,
    /// The time of the search is up.
    Time,
    /// The user interrupted the search.
    Interrupt,
    /// A slice of the run's time is over; the run continues with the next slice.
    #[strum(serialize = "running")]
    Slice,
    /// The allowed number of events has happened.
    #[strum(serialize = "running")]
    Limit,
    /// The watcher stopped the search, for example at a breakpoint.
    #[strum(serialize = "running")]
    Watched,
    /// The target of the run is reached: an event, a node, a line of moves.
    Goal,
    /// The breakpoint with this number stopped the search.
    #[strum(serialize = "break")]
    Breakpoint(u32),
    /// The run went back to the beginning of the recording.
    Start,
    /// The run reached the end of the recording, where the search was out of time or interrupted.
    End,
}

impl Stop {
    /// Whether the search ended by itself, not because of the user, the clock or a breakpoint.
    pub const fn is_own(self) -> bool {
        matches!(self, Self::Depth | Self::Exhausted | Self::Budget)
    }

    /// The name in replies, such as `exhausted`.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl TryFrom<String> for Stop {
    type Error = String;

    /// Reads the reason of a saved search. A stop by user, clock or watcher is not saved: the loaded search can go on.
    fn try_from(name: String) -> Result<Self, String> {
        let own = [Self::Depth, Self::Exhausted, Self::Budget];
        own.into_iter()
            .find(|stop| stop.name() == name)
            .ok_or_else(|| format!("a search is not over by `{name}`"))
    }
}
