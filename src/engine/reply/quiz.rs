//! The quiz: questions, verdicts and the score.

use serde::Serialize;

use super::{Reply, Score, Side, StopReport};
use crate::text::{
    Style,
    layout::{self, lines},
    number::{self, counted},
};

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

impl Reply for QuizReport {
    fn text(&self, style: Style) -> String {
        let verdict = self.verdict.as_ref();
        let step = self.step.as_ref();
        let question = self.question.as_ref();
        let over = (self.over && question.is_none() && step.is_none())
            .then_some("the search is over: nothing is left to ask");
        lines([
            verdict.map_or(String::new(), |verdict| self::verdict(verdict, style)),
            step.map_or(String::new(), |step| step.text(style)),
            question.map_or(String::new(), |question| self::question(question, style)),
            over.unwrap_or_default().to_owned(),
            score(self),
        ])
    }
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

fn score(report: &QuizReport) -> String {
    let on = if report.on { "quiz on" } else { "quiz off" };
    match report.asked {
        0 => on.to_owned(),
        asked => format!(
            "{on}  {} of {} right",
            number::count(report.right),
            counted(asked, "answer", "answers")
        ),
    }
}

fn question(question: &QuestionReport, style: Style) -> String {
    let QuestionReport { side, ply, .. } = question;
    let mv = question.mv.as_deref().unwrap_or(style.none());
    let [alpha, beta] = [question.alpha, question.beta].map(|end| number::score(end, style));
    let node = format!(
        "At ply {ply} {side} is to move, with {} {alpha} and {} {beta}.",
        style.alpha(),
        style.beta()
    );
    let found = question.found.map_or(String::new(), |found| number::score(found, style));
    let other = side.other();
    let asked = match question.ask {
        "window" => format!(
            "{mv} is entered. Which window does the search ask of it? (quiz answer ALPHA BETA)"
        ),
        "cutoff" => format!(
            "{mv} has been searched and is worth {found} to {other}. Does a cutoff follow at ply {ply}? (quiz answer yes or no)"
        ),
        _ => format!(
            "{mv} has been searched and is worth {found} to {other}. Which value comes back to ply {ply}? (quiz answer VALUE)"
        ),
    };
    lines([
        format!("question about event {}", number::count(question.event)),
        format!("  {}", question.state),
        layout::wrap("  ", &format!("{node} {asked}")),
    ])
}

fn verdict(verdict: &QuizVerdict, style: Style) -> String {
    let judged = match (&verdict.given, verdict.right) {
        (None, _) => "Passed.".to_owned(),
        (Some(_), true) => "Right.".to_owned(),
        (Some(given), false) => format!("No: {given} is not right."),
    };
    layout::wrap("", &format!("{judged} {}", why(verdict, style)))
}

/// How the answer follows.
fn why(verdict: &QuizVerdict, style: Style) -> String {
    let question = &verdict.question;
    let [alpha, beta] = [question.alpha, question.beta].map(|end| number::score(end, style));
    let (a, b) = (style.alpha(), style.beta());
    let found = question.found.map_or(String::new(), |found| number::score(found, style));
    let back = question.found.map_or(String::new(), |found| number::score(-found, style));
    let side = question.side;
    match (verdict.cutoff, verdict.expected.as_slice()) {
        (Some(true), _) => format!(
            "A cutoff follows: {found} to {} is {back} to {side}, which is not below {b} {beta}, so the side before will not let it come to this.",
            side.other()
        ),
        (Some(false), _) => format!(
            "No cutoff: {found} to {} is {back} to {side}, and no value here has reached {b} {beta}.",
            side.other()
        ),
        (None, [low, high]) => {
            let [low, high] = [*low, *high].map(|end| number::score(end, style));
            format!(
                "The child sees the window from the other side, both ends with the sign turned: {a} {alpha} and {b} {beta} become {low} to {high}."
            )
        }
        (None, _) => format!(
            "What is worth {found} to {} is worth {back} to {side}: the sign turns.",
            side.other()
        ),
    }
}
