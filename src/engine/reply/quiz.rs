//! The quiz: questions, verdicts and the score.

use serde::Serialize;

use super::{Reply, Score, Side, StopReport, Window};
use crate::text::{counted, layout, lines, number, told};

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
    fn text(&self) -> String {
        let question = self.question.as_ref();
        let over = self.over && question.is_none() && self.step.is_none();
        let on = if self.on { "quiz on" } else { "quiz off" };
        lines([
            told(self.verdict.as_ref().map(QuizVerdict::text)),
            told(self.step.as_ref().map(|step| step.text())),
            told(question.map(QuestionReport::text)),
            told(over.then_some("the search is over: nothing is left to ask")),
            match self.asked {
                0 => on.to_owned(),
                asked => {
                    let answers = counted(asked, "answer", "answers");
                    format!("{on}  {} of {answers} right", number::count(self.right))
                }
            },
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
    /// The node's window: its α is the best value so far.
    #[serde(flatten)]
    pub window: Window,
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
    /// The value that comes back, where one does.
    pub value: Option<Score>,
}

impl QuestionReport {
    fn text(&self) -> String {
        let Self { side, ply, .. } = self;
        let mv = self.mv.as_deref().unwrap_or("—");
        let [alpha, beta] = self.window();
        let node = format!("At ply {ply} {side} is to move, with {alpha} and {beta}.");
        let asked = if self.ask == "window" {
            format!(
                "{mv} is entered. Which window does the search ask of it? (quiz answer ALPHA BETA)"
            )
        } else {
            let question = match self.ask {
                "cutoff" => format!("Does a cutoff follow at ply {ply}? (quiz answer yes or no)"),
                _ => format!("Which value comes back to ply {ply}? (quiz answer VALUE)"),
            };
            let found = self.found.map_or(String::new(), number::score);
            format!("{mv} has been searched and is worth {found} to {}. {question}", side.other())
        };
        lines([
            format!("question about event {}", number::count(self.event)),
            format!("  {}", self.state),
            layout::wrap("  ", &format!("{node} {asked}")),
        ])
    }

    /// α and β with their signs.
    fn window(&self) -> [String; 2] {
        [("α", self.window.alpha), ("β", self.window.beta)]
            .map(|(name, end)| format!("{name} {}", number::score(end)))
    }
}

impl QuizVerdict {
    fn text(&self) -> String {
        let judged = match (&self.given, self.right) {
            (None, _) => "Passed.".to_owned(),
            (Some(_), true) => "Right.".to_owned(),
            (Some(given), false) => format!("No: {given} is not right."),
        };
        layout::wrap("", &format!("{judged} {}", self.why()))
    }

    fn why(&self) -> String {
        let [alpha, beta] = self.question.window();
        if let [low, high] = *self.expected {
            let [low, high] = [low, high].map(number::score);
            return format!(
                "The child sees the window from the other side, both ends with the sign turned: {alpha} and {beta} become {low} to {high}."
            );
        }
        let [found, back] = [self.question.found, self.value].map(number::score_or_none);
        let (side, other) = (self.question.side, self.question.side.other());
        match self.cutoff {
            Some(true) => format!(
                "A cutoff follows: {found} to {other} is {back} to {side}, which is not below {beta}, so the side before will not let it come to this."
            ),
            Some(false) => format!(
                "No cutoff: {found} to {other} is {back} to {side}, and no value here has reached {beta}."
            ),
            None => format!(
                "What is worth {found} to {other} is worth {back} to {side}: the sign turns."
            ),
        }
    }
}
