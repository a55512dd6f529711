use serde::{Deserialize, Serialize};

/// Why a search stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "&str", try_from = "String")]
pub enum Stop {
    /// Over: the depth asked for is complete.
    Depth,
    /// Over: further iterations cannot change the result.
    Exhausted,
    /// The budget of states is used up; a larger one lets it go on.
    Budget,
    /// The time is up.
    Time,
    /// The user.
    Interrupt,
    /// The slice of time is over; it goes on with the next.
    Slice,
    /// So many events have happened as were allowed.
    Limit,
    /// The watcher wants to look.
    Watched,
    /// Where it was told to go.
    Goal,
    /// A breakpoint, by its number.
    Breakpoint(u32),
    /// The beginning of the recording.
    Start,
    /// The end of the recording: there the search was out of time or interrupted.
    End,
}

impl Stop {
    /// Whether the search says so itself, and nobody from outside.
    pub const fn is_own(self) -> bool {
        matches!(self, Self::Depth | Self::Exhausted | Self::Budget)
    }

    /// The name in reports, of those that end a run.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Depth => "depth",
            Self::Exhausted => "exhausted",
            Self::Budget => "budget",
            Self::Time => "time",
            Self::Interrupt => "interrupt",
            Self::Slice | Self::Limit | Self::Watched => "running",
            Self::Goal => "goal",
            Self::Breakpoint(_) => "break",
            Self::Start => "start",
            Self::End => "end",
        }
    }
}

impl From<Stop> for &str {
    fn from(stop: Stop) -> Self {
        stop.name()
    }
}

impl TryFrom<String> for Stop {
    type Error = String;

    /// Reads what a saved search may say: a search that was stopped from outside goes on when it is loaded.
    fn try_from(name: String) -> Result<Self, String> {
        let own = [Self::Depth, Self::Exhausted, Self::Budget];
        own.into_iter()
            .find(|stop| stop.name() == name)
            .ok_or_else(|| format!("a search is not over by `{name}`"))
    }
}
