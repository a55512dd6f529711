//! Completion, hints, highlighting and continuation lines for the line editor.

use std::{
    borrow::Cow,
    cell::RefCell,
    fmt::Write as _,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use rustyline::{
    Context,
    completion::{Completer, Pair},
    highlight::{CmdKind, Highlighter},
    hint::{Hint, Hinter, HistoryHinter},
    validate::{ValidationContext, ValidationResult, Validator},
};

use crate::{
    command::{
        self, Completions, command_list,
        highlight::{self, Highlight},
    },
    text::{stand_in, visible},
    view::Colour,
};

/// The helper of the line editor. It contains no shell, so that it can run in another thread.
pub struct Helper {
    completions: Arc<Mutex<Completions>>,
    colour: Colour,
    history: HistoryHinter,
    show: Option<ShowOffers>,
    /// The line being typed, kept for the case that it is cancelled.
    pub typed: RefCell<String>,
}

/// The completions of a word, for a front end that shows its own list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offers {
    /// The common beginning of all completions, or the typed text.
    pub typed: String,
    /// The completions: none, or two or more.
    pub list: Vec<command::Candidate>,
}

type ShowOffers = Box<dyn Fn(Offers) + Send>;

impl Helper {
    /// A helper with these `completions`, which the owner of the shell updates after each command.
    pub fn new(completions: Arc<Mutex<Completions>>, colour: Colour) -> Self {
        let (history, typed) = (HistoryHinter::new(), RefCell::default());
        Self { completions, colour, history, show: None, typed }
    }

    /// If there are several completions, `show` displays them, in place of the line editor's own list; if there is none, `show`
    /// says so.
    #[must_use]
    pub fn showing(self, show: impl Fn(Offers) + Send + 'static) -> Self {
        Self { show: Some(Box::new(show)), ..self }
    }

    fn completions(&self) -> MutexGuard<'_, Completions> {
        self.completions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn style(part: Highlight) -> &'static str {
        match part {
            Highlight::Command => "1;38;5;75",
            Highlight::Unknown => "4;38;5;208",
            Highlight::Flag => "38;5;179",
            Highlight::Number => "38;5;117",
            Highlight::Quoted => "38;5;150",
            Highlight::Comment => "2",
        }
    }
}

impl rustyline::Helper for Helper {}

impl Completer for Helper {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        pos: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let (start, mut candidates) = self.completions().complete(&line[..pos]);
        if let (Some(show), [only]) = (&self.show, &*candidates)
            && only.replacement.strip_suffix(' ') == Some(&line[start..pos])
        {
            // The word is whole: what can follow it is shown at once.
            let (_, list) = self.completions().complete(&format!("{} ", &line[..pos]));
            if list.len() > 1 {
                show(Offers { typed: String::new(), list });
            }
        }
        if let (Some(show), 0 | 2..) = (&self.show, candidates.len()) {
            let typed = common_start(&candidates, &line[start..pos]);
            show(Offers { typed: typed.clone(), list: candidates });
            let (display, help) = (typed.clone(), Cow::default());
            candidates = vec![command::Candidate { display, replacement: typed, help }];
        }
        let offer = |candidate: command::Candidate| Pair {
            display: visible(&candidate.display).into_owned(),
            replacement: candidate.replacement,
        };
        Ok((start, candidates.into_iter().map(offer).collect()))
    }
}

/// The common beginning of all candidates; the typed text if it is quoted differently from the candidates.
fn common_start(candidates: &[command::Candidate], typed: &str) -> String {
    let mut texts = candidates.iter().map(|candidate| candidate.replacement.as_str());
    let first = texts.next().unwrap_or_default();
    let common = texts.fold(first, |common, text| {
        let same = common.char_indices().zip(text.chars()).take_while(|((_, a), b)| a == b);
        let end = same.last().map_or(0, |((at, sign), _)| at + sign.len_utf8());
        &common[..end]
    });
    if common.starts_with(typed) { common.to_owned() } else { typed.to_owned() }
}

/// What is wrong with a text that more text can complete: an open quote or bracket, or a command list without `end`.
fn unfinished(text: &str) -> Option<String> {
    let problem = command_list::check(text).filter(|problem| problem.incomplete)?;
    Some(problem.message)
}

/// Whether Enter begins a continuation line. An empty last line cancels the statement.
pub fn awaits_more(text: &str) -> bool {
    let given_up = text.contains('\n') && last_line(text).trim().is_empty();
    !given_up && unfinished(text).is_some()
}

fn last_line(text: &str) -> &str {
    text.rsplit('\n').next().unwrap_or_default()
}

/// A hint that the editor shows after the cursor.
#[derive(Debug, PartialEq, Eq)]
pub enum InlineHint {
    /// The rest of an earlier line; the right-arrow key accepts it.
    PastLines(String),
    /// The parameters that the command can still take.
    Usage(String),
}

impl Hint for InlineHint {
    fn display(&self) -> &str {
        match self {
            Self::PastLines(text) | Self::Usage(text) => text,
        }
    }

    fn completion(&self) -> Option<&str> {
        match self {
            Self::PastLines(text) => Some(text),
            Self::Usage(_) => None,
        }
    }
}

impl Hinter for Helper {
    type Hint = InlineHint;

    fn hint(&self, line: &str, pos: usize, context: &Context<'_>) -> Option<InlineHint> {
        line.clone_into(&mut self.typed.borrow_mut());
        if pos < line.len() {
            return None;
        }
        if line.contains('\n') && last_line(line).is_empty() {
            let wait = |what| format!("… {what}; Enter gives up");
            return unfinished(line).map(wait).map(InlineHint::Usage);
        }
        let past = self.history.hint(line, pos, context);
        let failed = |rest: &String| self.completions().failed.contains(&format!("{line}{rest}"));
        let past = past.filter(|rest| !failed(rest)).map(InlineHint::PastLines);
        past.or_else(|| self.completions().usage_hint(line).map(InlineHint::Usage))
    }
}

impl Highlighter for Helper {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        if self.colour == Colour::Off {
            return stand_in(line);
        }
        let mut painted = String::with_capacity(2 * line.len());
        let mut done = 0;
        for (span, part) in highlight::highlights(line, &self.completions()) {
            let text = stand_in(&line[span.clone()]);
            let text = self.colour.paint(Self::style(part), &text);
            let _ = write!(painted, "{}{text}", stand_in(&line[done..span.start]));
            done = span.end;
        }
        painted.push_str(&stand_in(&line[done..]));
        Cow::Owned(painted)
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        Cow::Owned(self.colour.paint("2", &stand_in(hint)))
    }

    fn highlight_char(&self, _: &str, _: usize, kind: CmdKind) -> bool {
        self.colour != Colour::Off && kind != CmdKind::MoveCursor
    }
}

impl Validator for Helper {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(if awaits_more(context.input()) {
            ValidationResult::Incomplete
        } else {
            ValidationResult::Valid(None)
        })
    }
}
