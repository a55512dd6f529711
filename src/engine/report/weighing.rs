//! Weight sets over many positions: comparisons, sweeps, ablations.

mod plots;

use serde::Serialize;

use super::{DuelReport, Score, search::pairs};

/// A suite of positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SuiteHead {
    /// `standard`, a file's path, or how it was made.
    pub suite: String,
    /// How many positions it has.
    pub positions: u64,
    /// How many of them in each phase of play.
    pub phases: Vec<PhaseCount>,
    /// What a reader should know.
    pub notes: Vec<String>,
}

/// Positions of one phase of play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PhaseCount {
    /// The game's name for it.
    pub phase: String,
    /// How many.
    pub positions: u64,
}

/// A suite position by position, or written to a file.
#[derive(Clone, Debug, Serialize)]
pub struct SuiteReport {
    /// The suite.
    #[serde(flatten)]
    pub head: SuiteHead,
    /// The file it was written to.
    pub file: Option<String>,
    /// Its positions.
    pub entries: Vec<SuiteEntry>,
}

/// A position of a suite.
#[derive(Clone, Debug, Serialize)]
pub struct SuiteEntry {
    /// Its number, from 1.
    pub position: u64,
    /// The position.
    pub state: String,
    /// The phase of play.
    pub phase: String,
    /// What its line says of it.
    pub comment: Option<String>,
}

/// Weight sets on a suite.
#[derive(Clone, Debug, Serialize)]
pub struct SuiteComparison {
    /// The suite.
    #[serde(flatten)]
    pub head: SuiteHead,
    /// Plies from the root of each search.
    pub depth: u8,
    /// The sets.
    pub sets: Vec<SuiteSet>,
    /// Every two of them.
    pub pairs: Vec<SuitePair>,
    /// The value of each position under each set, in their order; null where the game is decided within the depth.
    pub values: Vec<Vec<Option<Score>>>,
    /// The file of the chart.
    pub svg: Option<String>,
    /// Wall time in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
}

/// One weight set over a suite.
#[derive(Clone, Debug, Serialize)]
pub struct SuiteSet {
    /// Its name.
    pub name: String,
    /// Its weights.
    #[serde(serialize_with = "pairs")]
    pub weights: Vec<(String, f64)>,
    /// The mean searched value, for the side to move.
    pub mean_value: f64,
    /// States visited.
    pub nodes: u64,
}

/// How far two weight sets agree on some positions. Values and differences are in the game's units.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Agreement {
    /// How many positions.
    pub positions: u64,
    /// On how many the best moves are the very same.
    pub same: u64,
    /// On how many some move is best for both.
    pub shared: u64,
    /// The mean distance between the two values.
    pub mean_difference: f64,
    /// The greatest distance.
    pub max_difference: f64,
    /// The number of the first position that has it.
    pub widest: Option<u64>,
    /// What the first set's choice loses in the eyes of the second, on average; of several best moves each is as likely.
    pub cost_of_first: f64,
    /// What the second set's choice loses in the eyes of the first.
    pub cost_of_second: f64,
}

/// Two weight sets over a suite.
#[derive(Clone, Debug, Serialize)]
pub struct SuitePair {
    /// The first set.
    pub first: String,
    /// The second set.
    pub second: String,
    /// Over all positions.
    #[serde(flatten)]
    pub agreement: Agreement,
    /// Phase by phase.
    pub phases: Vec<PhaseAgreement>,
    /// Positions where the best moves are not the same: those without a common one first, then by the distance of values.
    pub disagreements: Vec<Disagreement>,
    /// How many more of them there are.
    pub omitted: u64,
    /// Games between the two, from the first one's side, where they were asked for.
    pub games: Option<DuelReport>,
}

/// Two weight sets in one phase of play.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PhaseAgreement {
    /// The game's name for the phase.
    pub phase: String,
    /// How far they agree.
    #[serde(flatten)]
    pub agreement: Agreement,
}

/// A position where two weight sets choose differently.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Disagreement {
    /// Its number in the suite, from 1.
    pub position: u64,
    /// The position.
    pub state: String,
    /// The phase of play.
    pub phase: String,
    /// What the suite says of it.
    pub comment: Option<String>,
    /// What each of the two sets finds.
    pub choices: Vec<Choice>,
    /// Why each prefers its own move; empty where one of the two has all the other's best moves among its own.
    pub why: Vec<Preference>,
}

/// What a weight set finds in a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Choice {
    /// The set.
    pub set: String,
    /// The value for the side to move.
    pub value: Score,
    /// The best moves.
    pub best: Vec<String>,
}

/// Why a weight set prefers a move to one that the other set prefers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Preference {
    /// The set.
    pub set: String,
    /// What the move it prefers leads to.
    pub prefers: Prospect,
    /// What the other move leads to.
    pub to: Prospect,
    /// The heuristic at the end of the one line against that at the end of the other, for the side to move at the root;
    /// empty where the game is over at an end.
    pub terms: Vec<TermGain>,
}

/// A move and what it leads to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Prospect {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its value for the side to move.
    pub value: Score,
    /// The line that it begins.
    pub line: Vec<String>,
    /// Whether the game is over at its end.
    pub over: bool,
}

/// A term of the heuristic at the end of one line against the end of another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TermGain {
    /// The term.
    pub name: String,
    /// How many more of it the side to move has.
    pub count: f64,
    /// That times its weight.
    pub gain: f64,
}

/// One weight over a range, the others as they are.
#[derive(Clone, Debug, Serialize)]
pub struct Sweep {
    /// The suite.
    #[serde(flatten)]
    pub head: SuiteHead,
    /// Plies from the root of each search.
    pub depth: u8,
    /// The weight.
    pub weight: String,
    /// The set that the others come from.
    pub base: SuiteSet,
    /// The weight's values, ascending.
    pub points: Vec<SweepPoint>,
    /// The file of the chart.
    pub svg: Option<String>,
    /// Wall time in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
}

/// One value of the weight that is swept.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SweepPoint {
    /// The weight.
    pub value: f64,
    /// Whether the base has this weight.
    pub is_base: bool,
    /// The mean searched value, for the side to move.
    pub mean_value: f64,
    /// States visited.
    pub nodes: u64,
    /// How far it agrees with the base, which is the second.
    #[serde(flatten)]
    pub agreement: Agreement,
    /// Games against the base, where they were asked for.
    pub games: Option<DuelReport>,
}

/// Each term of the heuristic left out in turn.
#[derive(Clone, Debug, Serialize)]
pub struct Ablation {
    /// The suite.
    #[serde(flatten)]
    pub head: SuiteHead,
    /// Plies from the root of each search.
    pub depth: u8,
    /// The set whose terms are left out.
    pub base: SuiteSet,
    /// The terms that have a weight.
    pub terms: Vec<AblatedTerm>,
    /// The file of the chart.
    pub svg: Option<String>,
    /// Wall time in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
}

/// A heuristic without one of its terms.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AblatedTerm {
    /// The term.
    pub term: String,
    /// The weight it has otherwise.
    pub weight: f64,
    /// The mean searched value without it, for the side to move.
    pub mean_value: f64,
    /// States visited.
    pub nodes: u64,
    /// How far the heuristic without it agrees with the whole one, which is the second.
    #[serde(flatten)]
    pub agreement: Agreement,
    /// Games without it against the whole one, where they were asked for.
    pub games: Option<DuelReport>,
}

impl Agreement {
    /// Of a hundred positions, on how many the best moves are the very same.
    pub fn percent_same(&self) -> f64 {
        self.same as f64 * 100.0 / self.positions.max(1) as f64
    }

    /// Of a hundred positions, on how many some move is best for both.
    pub fn percent_shared(&self) -> f64 {
        self.shared as f64 * 100.0 / self.positions.max(1) as f64
    }
}
