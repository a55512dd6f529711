use serde::Serialize;

use super::{Score, Side, StopReport};

/// How a quiz stands.
#[derive(Clone, Debug, Serialize)]
pub struct QuizReport {
    /// Whether single steps are asked about.
    pub on: bool,
    /// What became of the answer just given.
    pub verdict: Option<QuizVerdict>,
    /// The step that was asked about.
    pub step: Option<Box<StopReport>>,
    /// The open question.
    pub question: Option<QuestionReport>,
    /// Whether the search is over, so that nothing is left to ask.
    pub over: bool,
    /// Questions answered.
    pub asked: u64,
    /// Questions answered rightly.
    pub right: u64,
}

/// A question about the next event.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuestionReport {
    /// `window`, `cutoff` or `value`.
    pub ask: &'static str,
    /// The event asked about.
    pub event: u64,
    /// Distance from the root of the node that enters a child or gets a value.
    pub ply: u32,
    /// The side to move there.
    pub side: Side,
    /// Its position.
    pub state: String,
    /// The move to the child.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The best value so far at the node, its α.
    pub alpha: Score,
    /// The node's β.
    pub beta: Score,
    /// What the child is worth to its own side, where a value is about to come back.
    pub found: Option<Score>,
}

/// What became of an answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuizVerdict {
    /// The question.
    pub question: QuestionReport,
    /// The answer as given; nothing where the question was passed.
    pub given: Option<String>,
    /// Whether it was right.
    pub right: bool,
    /// The right answer: two bounds, one value, or none where it is yes or no.
    pub expected: Vec<Score>,
    /// Whether a cutoff follows, where that was asked.
    pub cutoff: Option<bool>,
}
