use serde::Serialize;

use super::{EventReport, Score};

/// The timelines and the named moments on them.
#[derive(Clone, Debug, Serialize)]
pub struct TimelineList {
    /// Those that were left, oldest first, and then the one at hand.
    pub timelines: Vec<TimelineReport>,
    /// Named moments.
    pub marks: Vec<MarkReport>,
    /// Memory that the recording at hand takes, in bytes.
    pub bytes: usize,
}

/// A run of a search, with what was changed on its way.
#[derive(Clone, Debug, Serialize)]
pub struct TimelineReport {
    /// Its name.
    pub name: String,
    /// Whether it is the one at hand.
    pub current: bool,
    /// Events that had happened when it began to be recorded.
    pub begins: u64,
    /// Events up to where it stands, or was left.
    pub events: u64,
    /// Events up to the farthest it went.
    pub reached: u64,
    /// The timeline it branched off.
    pub parent: Option<String>,
    /// After which event.
    pub branched: Option<u64>,
    /// The root of its search.
    pub state: String,
    /// What was changed on its way, in words.
    pub edits: Vec<String>,
}

/// A named moment.
#[derive(Clone, Debug, Serialize)]
pub struct MarkReport {
    /// Its name.
    pub name: String,
    /// On which timeline.
    pub timeline: String,
    /// The last event before it.
    pub event: u64,
}

/// Who wrote a cache entry.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WriterReport {
    /// The event that wrote it.
    pub event: u64,
    /// The moves from the root to the node that wrote it.
    pub line: Vec<String>,
    /// The lower bound of the window the node was searched under.
    pub alpha: Score,
    /// The upper bound.
    pub beta: Score,
    /// The value, for the side to move at the node.
    pub value: Score,
    /// How often the entry has answered since.
    pub answered: u64,
}

/// Two timelines side by side.
#[derive(Clone, Debug, Serialize)]
pub struct DiffReport {
    /// Where they part; nothing where they are the same to the end.
    pub divergence: Option<DivergenceReport>,
    /// What came of the first.
    pub a: RunSide,
    /// What came of the second.
    pub b: RunSide,
    /// Root moves with their values in both, those that differ first.
    pub moves: Vec<MovePair>,
}

/// The first event at which two timelines differ.
#[derive(Clone, Debug, Serialize)]
pub struct DivergenceReport {
    /// How many events are the same.
    pub same: u64,
    /// The event of the first; nothing if it was over.
    pub a: Option<EventReport>,
    /// The event of the second.
    pub b: Option<EventReport>,
}

/// What came of one of two timelines.
#[derive(Clone, Debug, Serialize)]
pub struct RunSide {
    /// The timeline.
    pub timeline: String,
    /// The root.
    pub state: String,
    /// The weights it began with.
    pub weights: String,
    /// The root's value.
    pub value: Option<Score>,
    /// The last complete iteration: plies from the root.
    pub depth: u8,
    /// Events in all.
    pub events: u64,
    /// States visited.
    pub nodes: u64,
    /// Probes answered.
    pub hits: u64,
    /// Searches in spite of an entry.
    pub invalid: u64,
    /// Searches without an entry.
    pub misses: u64,
    /// Values stored.
    pub stores: u64,
    /// Cutoffs at β.
    pub cutoffs: u64,
    /// Cache entries at the end.
    pub entries: usize,
    /// The best moves.
    pub best: Vec<String>,
    /// Root moves with their values.
    #[serde(skip)]
    pub values: Vec<(String, Option<Score>)>,
}

/// A root move in both of two timelines.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MovePair {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its value in the first.
    pub a: Option<Score>,
    /// Its value in the second.
    pub b: Option<Score>,
}

impl DiffReport {
    /// Puts the root moves of both side by side.
    #[must_use]
    pub fn with_moves(mut self) -> Self {
        let of = |side: &RunSide, mv: &str| {
            let found = side.values.iter().find(|(known, _)| known == mv);
            found.and_then(|(_, value)| *value)
        };
        let only_b = self
            .b
            .values
            .iter()
            .filter(|(mv, _)| !self.a.values.iter().any(|(a, _)| a == mv));
        let names = self.a.values.iter().chain(only_b).map(|(mv, _)| mv.clone());
        let pair = |mv: String| MovePair {
            a: of(&self.a, &mv),
            b: of(&self.b, &mv),
            mv,
        };
        self.moves = names.map(pair).collect();
        self.moves.sort_by_key(|pair| pair.a == pair.b);
        self
    }
}
