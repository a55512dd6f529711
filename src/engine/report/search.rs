use serde::Serialize;

use super::{Score, Seen};
use crate::engine::search::Stop;

/// The weights in force.
#[derive(Clone, Debug, Serialize)]
pub struct WeightsReport {
    /// Weight by weight.
    #[serde(serialize_with = "pairs")]
    pub weights: Vec<(String, f64)>,
    /// The name of the set they are, where they are one.
    pub name: Option<String>,
    /// What changed besides.
    pub notes: Vec<String>,
}

/// The named weight sets.
#[derive(Clone, Debug, Serialize)]
pub struct WeightSets {
    /// Names and weights.
    pub sets: Vec<WeightsReport>,
}

/// How searches run.
#[derive(Clone, Debug, Serialize)]
pub struct SettingsReport {
    /// Setting by setting, as words and numbers.
    #[serde(flatten, serialize_with = "typed")]
    pub settings: Vec<(String, String)>,
    /// Those for people to see: name, value and meaning.
    #[serde(skip)]
    pub shown: Vec<[String; 3]>,
    /// Switches of defects that differ from the fidelity.
    #[serde(skip)]
    pub odd_defects: Vec<String>,
    /// The states that a search may visit, where they are limited.
    #[serde(skip)]
    pub limit: Option<u64>,
    /// What changed besides.
    pub notes: Vec<String>,
}

/// What a search asked of the memo.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CacheCounters {
    /// Probes answered.
    pub hits: u64,
    /// Searches in spite of an entry.
    pub invalid: u64,
    /// Searches without an entry.
    pub misses: u64,
    /// Values stored.
    pub stores: u64,
    /// Entries in the cache now.
    pub entries: usize,
}

/// The value of one position.
#[derive(Clone, Debug, Serialize)]
pub struct Value {
    /// For the side to move; nothing if the search was stopped.
    pub value: Option<Score>,
    /// Remaining depth at the root.
    pub depth: u8,
    /// Lower bound of the window asked.
    pub alpha: Score,
    /// Upper bound of the window asked.
    pub beta: Score,
    /// `exact`, or which bound of the window the value lies at.
    pub bound: Option<&'static str>,
    /// States visited.
    pub nodes: u64,
    /// What was asked of the memo.
    pub cache: CacheCounters,
    /// The best line, cut short where the memo answered.
    pub pv: Vec<String>,
    /// Wall time in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// Why it stopped, if early.
    pub stopped: Option<Stop>,
}

/// The result of a search for the best moves.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    /// The root's value in the last complete iteration, for the side to move.
    pub value: Option<Score>,
    /// The best moves.
    pub best: Vec<String>,
    /// The positions after them.
    pub best_states: Vec<String>,
    /// The last complete iteration: plies from the root.
    pub depth: u8,
    /// States visited.
    pub nodes: u64,
    /// Why it stopped; nothing while it is under way.
    pub stopped: Option<Stop>,
    /// Every root move, best first.
    pub moves: Vec<RootMoveReport>,
    /// What was asked of the memo.
    pub cache: CacheCounters,
    /// The best line.
    pub pv: Vec<String>,
    /// Wall time in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// Events so far.
    pub events: u64,
    /// Which breakpoint stopped it.
    pub breakpoint: Option<u32>,
    /// The timeline at hand, where this search has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeline: Option<String>,
    /// What a reader should know.
    pub notes: Vec<String>,
    /// What was watched on the way.
    #[serde(flatten)]
    pub seen: Seen,
}

/// A root move.
#[derive(Clone, Debug, Serialize)]
pub struct RootMoveReport {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its value for the side to move at the root.
    pub value: Option<Score>,
    /// The line from the root, this move first.
    pub pv: Vec<String>,
}

/// The program's fingerprint: states visited over fixed positions, games and policies.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Bench {
    /// The sum.
    pub nodes: u64,
    /// Case by case.
    pub cases: Vec<BenchCase>,
    /// Wall time in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
}

impl Bench {
    /// Leaves out the times.
    pub fn forget_times(&mut self) {
        self.ms = None;
        self.cases.iter_mut().for_each(|case| case.ms = None);
    }
}

/// One case of the bench.
#[derive(Clone, Debug, Serialize)]
pub struct BenchCase {
    /// Its name.
    pub name: String,
    /// States visited.
    pub nodes: u64,
    /// Wall time in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
}

/// Names with numbers as an object.
pub(super) fn pairs<S: serde::Serializer>(
    pairs: &[(String, f64)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

/// Numbers as numbers, `off` limits as null, the rest as words.
fn typed<S: serde::Serializer>(
    settings: &[(String, String)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let value = |name: &str, text: &str| match (name, text.parse::<u64>()) {
        (_, Ok(number)) => serde_json::Value::from(number),
        ("depth" | "budget" | "time_ms", Err(_)) => serde_json::Value::Null,
        (_, Err(_)) => serde_json::Value::from(text),
    };
    // `random` was called `seed`, which programs may still look for.
    let old = |name: &String| if name == "random" { Some("seed") } else { None };
    let named = settings.iter().flat_map(|(name, text)| {
        let names = std::iter::once(name.as_str()).chain(old(name));
        names.map(move |name| (name, value(name, text)))
    });
    serializer.collect_map(named)
}
