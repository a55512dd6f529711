//! A quiz about the next event of the current search.

use serde::Serialize;

use super::{
    Session,
    document::SavedQuiz,
    reply::{Reply, nth_line},
    search::{SearchCommands, StopReport},
};

use crate::{
    engine::{
        game::{Fault, Game, MoveText, Result, Score, Side, Window},
        random::splitmix,
        recording::{Resume, Running},
        search::{EventKind, NoWatcher},
        searcher::RunLimits,
        table::AnyTable,
    },
    text::{counted, layout, lines, number, or_dash, or_empty},
};

// The most events with a question that `quiz next` skips: enough to leave the node, few enough to follow the search.
const MOST_SKIPPED: u64 = 24;

#[derive(Clone, Debug, Default)]
pub(crate) struct Quiz {
    /// The open question with its right answer; `None` if none is open.
    question: Option<QuizVerdict>,
    asked: u64,
    right: u64,
}

impl QuizVerdict {
    /// Whether an answer is right. Fails if the text is no answer to this kind of question.
    fn is_right_answer(&self, text: &str) -> Result<bool> {
        if let Some(cut) = self.cutoff {
            return match text.trim() {
                "yes" | "y" | "cut" | "cutoff" => Ok(cut),
                "no" | "n" | "on" | "continue" => Ok(!cut),
                _ => Err(Fault::word(text, "is neither yes nor no")
                    .hint("answer `quiz answer yes` or `quiz answer no`")),
            };
        }
        let words = text.split([' ', ',']).filter(|word| !matches!(*word, "" | "to"));
        let numbers: Option<Vec<Score>> = words.map(|word| word.parse().ok()).collect();
        let given =
            numbers.filter(|given| given.len() == self.expected.len()).ok_or_else(|| {
                let [kind, how] = match self.expected.len() {
                    2 => ["window", "with its two bounds: `quiz answer -0.5 inf`"],
                    _ => ["value", "with a number: `quiz answer 0.25`"],
                };
                Fault::word(text, format!("is not a {kind}")).hint(format!("answer {how}"))
            })?;
        let close =
            |(given, right): (&Score, &Score)| given == right || number::shows(given.get(), *right);
        // A bound that no value can exceed is infinite, whatever its number.
        let shown = |bounds: &[Score]| {
            let [alpha, beta] = *bounds else { return None };
            let texts = number::window([alpha, beta], number::score);
            Some(texts.map(|text| text.trim_start_matches(['<', '>']).to_owned()))
        };
        let is_same = shown(&given).is_some_and(|given| Some(given) == shown(&self.expected));
        Ok(is_same || given.iter().zip(&self.expected).all(close))
    }
}

/// Commands of the quiz about the next event of the search.
pub trait QuizCommands {
    /// Switches the quiz on or off. While it is on, a question comes before each single step.
    fn quiz_switch(&mut self, on: bool) -> QuizReport;
    /// Continues to an event that a question can be about, and asks the question. A search that is over begins again.
    fn quiz_next(&mut self) -> Result<QuizReport>;
    /// Answers the open question, or passes with `None`, then makes the step that the question is about.
    fn quiz_answer(&mut self, answer: Option<&str>) -> Result<QuizReport>;
    /// Whether a text can be parsed as an answer to the open question.
    fn quiz_reads(&self, text: &str) -> bool;
    /// The open question, and how many answers were right.
    fn quiz_score(&self) -> QuizReport;
    /// The question that must be answered before a single step; `None` if none can be asked.
    fn quiz_before_step(&mut self) -> Option<QuizReport>;
}

impl<G: Game> QuizCommands for Session<G> {
    fn quiz_switch(&mut self, on: bool) -> QuizReport {
        if on {
            self.quiz.get_or_insert_default();
            return self.quiz_score();
        }
        let last = self.quiz_score();
        self.quiz = None;
        QuizReport { on: false, question: None, ..last }
    }

    fn quiz_next(&mut self) -> Result<QuizReport> {
        self.quiz.get_or_insert_default();
        if self.open_question().is_none() {
            self.without_slice(Self::go_to_question)?;
        }
        Ok(self.quiz_score())
    }

    fn quiz_answer(&mut self, answer: Option<&str>) -> Result<QuizReport> {
        let Some(question) = self.open_question().cloned() else {
            return Err(Fault::new("no question is open").hint("`quiz next` asks one"));
        };
        let right = answer.map(|text| question.is_right_answer(text)).transpose()?.unwrap_or(false);
        if let Some(quiz) = &mut self.quiz {
            quiz.question = None;
            quiz.asked += u64::from(answer.is_some());
            quiz.right += u64::from(right);
        }
        let step = self.without_slice(|session| session.resume(Resume::Step(1)))?;
        let verdict = QuizVerdict { given: answer.map(str::to_owned), right, ..question };
        Ok(QuizReport { verdict: Some(verdict), step: Some(Box::new(step)), ..self.quiz_score() })
    }

    fn quiz_reads(&self, text: &str) -> bool {
        self.open_question().is_some_and(|question| question.is_right_answer(text).is_ok())
    }

    fn quiz_score(&self) -> QuizReport {
        let quiz = self.quiz.as_ref();
        let question = quiz.and_then(|quiz| quiz.question.as_ref());
        QuizReport {
            on: quiz.is_some(),
            verdict: None,
            step: None,
            question: question.map(|verdict| verdict.question.clone()),
            over: self.is_over(),
            asked: quiz.map_or(0, |quiz| quiz.asked),
            right: quiz.map_or(0, |quiz| quiz.right),
        }
    }

    fn quiz_before_step(&mut self) -> Option<QuizReport> {
        self.quiz.as_ref()?;
        (self.open_question().is_some() || self.ask()).then(|| self.quiz_score())
    }
}

impl<G: Game> Session<G> {
    pub(super) fn is_over(&self) -> bool {
        self.run.running.as_ref().is_some_and(|it| it.search.stopped().is_some())
    }

    /// A copy of the search after its next event; `None` unless the event enters a child or returns a value (no table needed).
    fn ahead(&self) -> Option<Running<G>> {
        let mut next = self.run.running.clone()?;
        let before = next.search.events();
        let limits = RunLimits { until: before + 1, ..RunLimits::new(&self.run.interrupt, None) };
        let mut empty = AnyTable::new(self.entries().policy());
        next.drive(self.game(), &mut empty, &mut NoWatcher, &limits);
        let kind = next.search.describe().kind;
        let askable = kind == EventKind::Descend || kind.came_back();
        (askable && next.search.events() > before).then_some(next)
    }

    /// The question about the next event; `None` if there is none.
    fn question(&self) -> Option<QuizVerdict> {
        let (game, now) = (self.game(), self.run.running.as_ref()?);
        let next = self.ahead()?;
        let event = next.search.describe();
        let pick = splitmix(self.settings().seed ^ splitmix(now.search.events()));
        let down = event.kind == EventKind::Descend;
        let value = event.value.filter(|_| !down);
        // A value of 0 has no sign to be turned.
        let is_zero = value.is_some_and(|value| value == Score::ZERO);
        // A question about a value is asked before the value is returned, so the frame still has the node's window.
        let parent = if down { &next } else { now }.search.frames().iter().rev().nth(1)?;
        let can_cut = !parent.exact_moves && parent.current_window().beta < Score::INFINITY;
        // Nothing can be derived where every window is open; without a bound, no cutoff can follow.
        if parent.exact_moves && down || is_zero && !can_cut {
            return None;
        }
        let (ask, expected, cutoff) = if down {
            let window = next.search.frames().last()?.window;
            ("window", vec![window.alpha, window.beta], None)
        } else if (is_zero || pick.is_multiple_of(2)) && can_cut {
            ("cutoff", Vec::new(), Some(event.kind == EventKind::Cutoff))
        } else {
            ("value", vec![value?], None)
        };
        let window =
            if down { parent.move_window(now.mode.algorithm) } else { parent.current_window() };
        let ply = if down { event.ply.saturating_sub(1) } else { event.ply };
        let question = QuestionReport {
            ask,
            event: event.index,
            ply,
            side: game.side(&parent.position),
            state: game.format_position(&parent.position),
            mv: next.move_text_at(game, ply),
            window,
            found: value.map(|value| value.child(game)),
        };
        Some(QuizVerdict { question, given: None, right: false, expected, cutoff, value })
    }

    /// The open question; `None` if the search has moved since it was asked.
    fn open_question(&self) -> Option<&QuizVerdict> {
        let question = self.quiz.as_ref()?.question.as_ref()?;
        (question.question.event == self.run.events()).then_some(question)
    }

    fn ask(&mut self) -> bool {
        let question = self.question();
        let asked = question.is_some();
        if let Some(quiz) = &mut self.quiz {
            quiz.question = question;
        }
        asked
    }

    /// Skips a pseudo-random number of events, then continues to the next event with a question.
    fn go_to_question(&mut self) -> Result<()> {
        if self.is_over() {
            self.resume(Resume::Goto(0))?;
        }
        let (here, seed) = (self.run.events(), self.settings().seed);
        let skipped = splitmix(seed.wrapping_add(here)) % MOST_SKIPPED;
        self.resume(Resume::Step(skipped + 1))?;
        if !self.step_to_question()? && skipped > 0 {
            // Near the end there may be a question about one of the events skipped.
            self.resume(Resume::Goto(here.saturating_sub(1)))?;
            self.step_to_question()?;
        }
        Ok(())
    }

    /// Steps to the next event with a question and asks it; `false` at the end of the search.
    fn step_to_question(&mut self) -> Result<bool> {
        while !self.ask() {
            if self.is_over() {
                return Ok(false);
            }
            self.resume(Resume::Step(1))?;
        }
        Ok(true)
    }

    /// Runs `run` without a limit of time, so that it does not return early.
    fn without_slice<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let slice = self.slice.take();
        let result = run(self);
        self.slice = slice;
        result
    }

    pub(super) fn saved_quiz(&self) -> Option<SavedQuiz> {
        let open = self.open_question().is_some();
        self.quiz.as_ref().map(|quiz| SavedQuiz { asked: quiz.asked, right: quiz.right, open })
    }

    /// Restores the score of a saved quiz. An open question is recreated from the search.
    pub(super) fn restore_quiz(&mut self, saved: SavedQuiz) {
        self.quiz = Some(Quiz { question: None, asked: saved.asked, right: saved.right });
        if saved.open {
            self.ask();
        }
    }
}

/// The reply of the `quiz` commands: open question, last answer and score.
#[derive(Clone, Debug, Serialize)]
pub struct QuizReport {
    /// Whether the quiz is on, with a question before each single step.
    pub(crate) on: bool,
    /// Whether the answer just given is right; `None` if none was given.
    pub verdict: Option<QuizVerdict>,
    /// The stop after the step that the question was about; `None` if no step was made.
    pub step: Option<Box<StopReport>>,
    /// The open question; `None` if none is open.
    pub question: Option<QuestionReport>,
    /// Whether the search is over: `quiz next` then begins it again.
    pub over: bool,
    /// Number of questions answered so far.
    pub asked: u64,
    /// Number of questions answered correctly.
    pub right: u64,
}

impl QuizReport {
    /// Whether `quiz next` can ask a further question.
    pub fn asks_next(&self) -> bool {
        self.on && self.question.is_none()
    }

    /// The text for a screen that shows the position and has keys for the answers, or for one that has neither.
    pub fn text_for(&self, has_keys: bool) -> String {
        let question = self.question.as_ref();
        let over = self.over && question.is_none() && self.step.is_none();
        let on = if self.on { "quiz on" } else { "quiz off" };
        lines([
            or_empty(self.verdict.as_ref().map(|verdict| layout::wrap("", &verdict.sentence()))),
            or_empty(self.step.as_ref().map(|step| step.text())),
            or_empty(question.map(|it| it.text(has_keys))),
            or_empty(over.then_some("the search is over: `quiz next` asks about its beginning")),
            match self.asked {
                0 if has_keys && question.is_some() => String::new(),
                0 if self.asks_next() && self.verdict.is_none() => {
                    format!(
                        "{on}: `quiz next` asks a question; so does `step`, if the next event allows one"
                    )
                }
                0 => on.to_owned(),
                asked => {
                    let answers = counted(asked, "answer", "answers");
                    let end = or_empty(self.asks_next().then_some("; `quiz off` ends the quiz"));
                    format!("{on}  {} of {answers} right{end}", number::count(self.right))
                }
            },
        ])
    }
}

impl Reply for QuizReport {
    fn text(&self) -> String {
        self.text_for(false)
    }

    fn line(&self) -> String {
        self.verdict.as_ref().map_or_else(|| nth_line(&self.text(), 0), QuizVerdict::sentence)
    }

    fn position(&self) -> Option<&str> {
        self.step.as_ref()?.event.as_ref().map(|event| &*event.state)
    }
}

/// A question about the next event of the search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuestionReport {
    /// What the question is about: `window`, `cutoff` or `value`.
    pub ask: &'static str,
    /// The number of the event that the question is about.
    pub event: u64,
    /// The ply of the node that enters a child or receives a value.
    pub ply: u32,
    pub(crate) side: Side,
    pub(crate) state: String,
    #[serde(flatten, serialize_with = "MoveText::with_san")]
    pub(crate) mv: Option<MoveText>,
    /// The window of the node; its α is raised to the best value so far.
    #[serde(flatten)]
    pub window: Window,
    /// The value that the child is about to return, for the child's side to move; `None` if the question is about a window.
    pub found: Option<Score>,
}

/// A question with the user's answer and the correct answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuizVerdict {
    /// The question that was answered or passed.
    pub question: QuestionReport,
    /// The user's answer; `None` if the question was passed.
    pub(crate) given: Option<String>,
    /// Whether the user's answer is right.
    pub right: bool,
    /// The right answer: α and β, or a value; empty if the question is about a cutoff.
    pub(crate) expected: Vec<Score>,
    /// The right answer if the question is about a cutoff; otherwise `None`.
    pub(crate) cutoff: Option<bool>,
    /// The value that the node receives, for its side to move; `None` if the question is about a window.
    pub(crate) value: Option<Score>,
}

impl QuestionReport {
    fn text(&self, has_keys: bool) -> String {
        let Self { side, ply, .. } = self;
        let mv = or_dash(self.mv.as_ref());
        let [alpha, beta] = self.window();
        let node = format!("At ply {ply} {side} is to move, with {alpha} and {beta}");
        let found = self.found.map_or(String::new(), number::score);
        let searched = format!("{mv} has been searched and returns {found} for {}.", side.other());
        let (question, answer) = match self.ask {
            "window" => {
                (format!("{mv} is entered. With which window is this node searched?"), "ALPHA BETA")
            }
            "cutoff" => (format!("{searched} Does a cutoff follow at ply {ply}?"), "yes or no"),
            _ => (format!("{searched} Which value comes back to ply {ply}?"), "VALUE"),
        };
        let how = match (has_keys, self.ask) {
            (false, _) => format!(" (quiz answer {answer})"),
            (true, "window") => " (two bounds, such as -0.5 inf)".to_owned(),
            _ => String::new(),
        };
        let state = or_empty((!has_keys).then(|| format!("  {}", self.state)));
        lines([
            format!("question about event {}", number::count(self.event)),
            state,
            layout::wrap("  ", &format!("{node}. {question}{how}")),
        ])
    }

    /// α and β as text, each after its name.
    fn window(&self) -> [String; 2] {
        let [alpha, beta] = number::window(self.window, number::score);
        [("α", alpha), ("β", beta)].map(|(name, end)| format!("{name} {end}"))
    }
}

impl QuizVerdict {
    fn sentence(&self) -> String {
        let verdict = match (&self.given, self.right) {
            (None, _) => "Passed.".to_owned(),
            (Some(_), true) => "Right.".to_owned(),
            (Some(given), false) => format!("No: {given} is not right."),
        };
        format!("{verdict} {}", self.why())
    }

    fn why(&self) -> String {
        let [alpha, beta] = self.question.window();
        if let [low, high] = *self.expected {
            let [low, high] = number::window([low, high], number::score);
            return format!(
                "The child sees the window from the other side, both ends with the sign turned: {alpha} and {beta} become {low} to {high}."
            );
        }
        let [found, back] = [self.question.found, self.value].map(number::score_or_none);
        let (side, other) = (self.question.side, self.question.side.other());
        match self.cutoff {
            Some(true) => format!(
                "A cutoff follows: {found} to {other} is {back} to {side}, which is not below {beta}, so the side before will not allow it."
            ),
            Some(false) => format!(
                "No cutoff: {found} to {other} is {back} to {side}, and no value here has reached {beta}."
            ),
            None => format!(
                "The answer is {back}: what is worth {found} to {other} is worth {back} to {side}, with the sign turned."
            ),
        }
    }
}
