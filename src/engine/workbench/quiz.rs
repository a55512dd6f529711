//! A quiz about the next event of the search under way.

use super::{Answer, Desk, Running, Searching, Travel};
use crate::engine::{
    game::{Fault, Game, Key, Score, Window},
    memo::{Memo, Probe, Slot},
    random::splitmix,
    reply::{QuestionReport, QuizReport, QuizVerdict},
    search::{Context, EventKind, Search, Stop, Unwatched},
    session::SavedQuiz,
};

/// At most so many events lie between two questions of `quiz next`, passed events not counted.
const APART: u64 = 24;

/// Scores are shown with four decimals: an answer need not be closer.
const CLOSE: f64 = 0.000_051;

/// A quiz: the open question and the score.
#[derive(Clone, Debug, Default)]
pub(crate) struct Quiz {
    question: Option<Question>,
    asked: u64,
    right: u64,
}

#[derive(Clone, Debug)]
struct Question {
    /// Events of the search when it was asked.
    events: u64,
    report: QuestionReport,
    truth: Truth,
}

/// The right answer.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Truth {
    Window(Window),
    Cutoff(bool),
    Value(Score),
}

impl Truth {
    /// Reads an answer of the same kind and tells whether it is this one.
    fn agrees(self, text: &str) -> Answer<bool> {
        match self {
            Self::Window(window) => {
                let pair = numbers(text).and_then(|numbers| <[Score; 2]>::try_from(numbers).ok());
                let [alpha, beta] = pair.ok_or_else(|| {
                    Fault::new(format!("`{text}` is not a window"))
                        .hint("answer with its two bounds: `quiz answer -0.5 0.25`")
                })?;
                Ok(is_close(alpha, window.alpha) && is_close(beta, window.beta))
            }
            Self::Cutoff(cut) => match text.trim() {
                "yes" | "y" | "cut" | "cutoff" => Ok(cut),
                "no" | "n" | "on" | "continue" => Ok(!cut),
                _ => Err(Fault::new(format!("`{text}` is neither yes nor no"))
                    .hint("answer `quiz answer yes` or `quiz answer no`")),
            },
            Self::Value(value) => {
                let one = numbers(text).and_then(|numbers| <[Score; 1]>::try_from(numbers).ok());
                let [given] = one.ok_or_else(|| {
                    Fault::new(format!("`{text}` is not a value"))
                        .hint("answer with a number: `quiz answer 0.25`")
                })?;
                Ok(is_close(given, value))
            }
        }
    }

    fn scores(self) -> Vec<Score> {
        match self {
            Self::Window(window) => vec![window.alpha, window.beta],
            Self::Cutoff(_) => Vec::new(),
            Self::Value(value) => vec![value],
        }
    }
}

/// The numbers in an answer; nothing if there is anything else.
fn numbers(text: &str) -> Option<Vec<Score>> {
    let words = text.split([' ', ',']).filter(|word| !matches!(*word, "" | "to"));
    words.map(|word| word.parse().ok()).collect()
}

fn is_close(given: Score, truth: Score) -> bool {
    given == truth || (given.get() - truth.get()).abs() < CLOSE
}

/// A memo that knows nothing. The next event is looked at only where no memo has a say in it.
struct Blank;

impl<K: Key> Memo<K> for Blank {
    fn probe(&self, _: Slot<K>, _: u8, window: Window) -> Probe {
        Probe::Search { window, found: false }
    }

    fn store(&mut self, _: Slot<K>, _: u8, _: Window, _: Score) {}

    fn recall(&self, _: Slot<K>, _: u8) -> Option<Score> {
        None
    }
}

impl<G: Game> Running<G> {
    /// The search one event later, if that event enters a child or brings a value back: then the memo has no say in it.
    fn ahead(&self, game: &G) -> Option<Search<G>> {
        let mut next = self.search.clone();
        let context = Context { game, evaluator: &self.evaluator, mode: self.mode };
        let pause = next.run(&context, &mut Blank, &mut Unwatched, &mut 1);
        let kind = next.describe().kind;
        let known = kind == EventKind::Descend || kind.came_back();
        let moved = next.events() > self.search.events();
        (known && moved && pause == Stop::Limit).then_some(next)
    }
}

impl<G: Game> Desk<G> {
    fn report_quiz(&self, verdict: Option<QuizVerdict>) -> QuizReport {
        let quiz = self.quiz.as_ref();
        QuizReport {
            on: quiz.is_some(),
            verdict,
            step: None,
            question: quiz
                .and_then(|quiz| quiz.question.as_ref())
                .map(|question| question.report.clone()),
            over: self
                .run
                .running
                .as_ref()
                .is_some_and(|running| running.search.stopped().is_some()),
            asked: quiz.map_or(0, |quiz| quiz.asked),
            right: quiz.map_or(0, |quiz| quiz.right),
        }
    }

    /// The question about the next event, if there is one to ask.
    fn question(&self) -> Option<Question> {
        let running = self.run.running.as_ref()?;
        let next = running.ahead(&self.run.searcher.game)?;
        let (machine, after) = (&running.search, &next);
        let event = next.describe();
        let events = machine.events();
        let pick = splitmix(self.run.searcher.settings.seed ^ splitmix(events));
        let down = event.kind == EventKind::Descend;
        let asked = if down { machine.frames() } else { after.frames() };
        let node = asked.last()?;
        let position = &node.position;
        let (truth, ask) = if down {
            (Truth::Window(after.frames().last()?.window), "window")
        } else if pick.is_multiple_of(2) && !node.whole {
            (Truth::Cutoff(event.kind == EventKind::Cutoff), "cutoff")
        } else {
            (Truth::Value(event.value?), "value")
        };
        // Before the value came back, the node's window was the one its parent frame still has now.
        let window = match down {
            true => after.frames().iter().rev().nth(1)?.gives(running.mode.algorithm),
            false => machine.frames().iter().rev().nth(1)?.open(),
        };
        let ply = if down { event.ply.saturating_sub(1) } else { event.ply };
        let ahead = Running { search: next.clone(), ..running.clone() };
        Some(Question {
            events,
            report: QuestionReport {
                ask,
                event: event.index,
                ply,
                side: self.run.searcher.game.side(position),
                state: self.run.searcher.game.format_position(position),
                mv: ahead.move_text_at(&self.run.searcher.game, ply),
                alpha: window.alpha,
                beta: window.beta,
                found: match event.value {
                    Some(value) if !down => Some(value.child(&self.run.searcher.game)),
                    _ => None,
                },
            },
            truth,
        })
    }

    /// The open question, unless the search has moved since.
    fn open_question(&self) -> Option<&Question> {
        let question = self.quiz.as_ref()?.question.as_ref()?;
        (question.events == self.run.events()).then_some(question)
    }

    fn ask(&mut self) -> bool {
        let question = self.question();
        let asked = question.is_some();
        if let Some(quiz) = &mut self.quiz {
            quiz.question = question;
        }
        asked
    }

    /// Goes on to the next question; every event on the way is made at once, whatever the slice.
    fn go_to_question(&mut self) -> Answer<()> {
        let slice = self.slice.take();
        let skipped =
            splitmix(self.run.searcher.settings.seed.wrapping_add(self.run.events())) % APART;
        let mut result = self.travel(Travel::Step(skipped + 1)).map(drop);
        while result.is_ok() && !self.ask() {
            let over = |running: &Running<G>| running.search.stopped().is_some();
            if self.run.running.as_ref().is_none_or(over) {
                break;
            }
            result = self.travel(Travel::Step(1)).map(drop);
        }
        self.slice = slice;
        result
    }

    fn settle_question(&mut self, given: Option<&str>) -> Answer<QuizReport> {
        let Some(question) = self.open_question().cloned() else {
            return Err(Fault::new("no question is open").hint("`quiz next` asks one"));
        };
        let right = given.map(|text| question.truth.agrees(text)).transpose()?.unwrap_or(false);
        if let Some(quiz) = &mut self.quiz {
            quiz.question = None;
            quiz.asked += u64::from(given.is_some());
            quiz.right += u64::from(right);
        }
        let slice = self.slice.take();
        let step = self.travel(Travel::Step(1));
        self.slice = slice;
        let verdict = QuizVerdict {
            given: given.map(str::to_owned),
            right,
            expected: question.truth.scores(),
            cutoff: match question.truth {
                Truth::Cutoff(cut) => Some(cut),
                Truth::Window(_) | Truth::Value(_) => None,
            },
            question: question.report,
        };
        Ok(QuizReport { step: Some(Box::new(step?)), ..self.report_quiz(Some(verdict)) })
    }
}

impl<G: Game> Desk<G> {
    /// The quiz as a session file has it.
    pub(super) fn saved_quiz(&self) -> Option<SavedQuiz> {
        self.quiz.as_ref().map(|quiz| SavedQuiz {
            asked: quiz.asked,
            right: quiz.right,
            open: self.open_question().is_some(),
        })
    }

    /// Goes on with a quiz; an open question is asked again, as it follows from where the search stands.
    pub(super) fn restore_quiz(&mut self, saved: SavedQuiz) {
        self.quiz = Some(Quiz { question: None, asked: saved.asked, right: saved.right });
        if saved.open {
            self.ask();
        }
    }
}

/// A quiz about what the search does next.
pub trait Quizzing {
    /// Has single steps asked about, or not.
    fn quiz_switch(&mut self, on: bool) -> QuizReport;
    /// Goes on to an event worth a question, and asks.
    fn quiz_next(&mut self) -> Answer<QuizReport>;
    /// Answers the open question, or passes it, and makes the step.
    fn quiz_answer(&mut self, answer: Option<&str>) -> Answer<QuizReport>;
    /// The open question and the score.
    fn quiz_score(&self) -> QuizReport;
    /// The question to be answered before a single step, if there is one.
    fn quiz_before_step(&mut self) -> Option<QuizReport>;
}

impl<G: Game> Quizzing for Desk<G> {
    fn quiz_switch(&mut self, on: bool) -> QuizReport {
        match (on, &self.quiz) {
            (true, None) => self.quiz = Some(Quiz::default()),
            (false, Some(_)) => {
                let last = self.report_quiz(None);
                self.quiz = None;
                return QuizReport { on: false, question: None, ..last };
            }
            (true, Some(_)) | (false, None) => {}
        }
        self.report_quiz(None)
    }

    fn quiz_next(&mut self) -> Answer<QuizReport> {
        self.quiz.get_or_insert_default();
        if self.open_question().is_none() {
            self.go_to_question()?;
        }
        Ok(self.report_quiz(None))
    }

    fn quiz_answer(&mut self, answer: Option<&str>) -> Answer<QuizReport> {
        self.settle_question(answer)
    }

    fn quiz_score(&self) -> QuizReport {
        self.report_quiz(None)
    }

    fn quiz_before_step(&mut self) -> Option<QuizReport> {
        self.quiz.as_ref()?;
        (self.open_question().is_some() || self.ask()).then(|| self.report_quiz(None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(value: f64) -> Score {
        Score::new(value).expect("a number")
    }

    #[test]
    fn answers_are_read_as_people_write_them() {
        let window = Truth::Window(Window { alpha: score(-1.0 / 21.0), beta: Score::INFINITY });
        for text in ["-0.0476 inf", "-0.0476, inf", "-0.0476 to inf"] {
            assert_eq!(window.agrees(text), Ok(true), "{text}");
        }
        assert_eq!(window.agrees("0.0476 inf"), Ok(false));
        assert!(window.agrees("-0.0476").is_err() && window.agrees("high").is_err());
        assert_eq!(Truth::Cutoff(true).agrees("yes"), Ok(true));
        assert_eq!(Truth::Cutoff(true).agrees("no"), Ok(false));
        assert!(Truth::Cutoff(true).agrees("perhaps").is_err());
        assert_eq!(Truth::Value(score(-0.0)).agrees("0"), Ok(true));
        assert_eq!(Truth::Value(score(0.25)).agrees("0.2502"), Ok(false));
        assert!(Truth::Value(score(0.25)).agrees("0.25 1").is_err());
    }
}
