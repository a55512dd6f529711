//! Completion, hints, colours and line continuation for the line editor.

use std::{
    borrow::Cow,
    fmt::Write as _,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use rustyline::{
    Context,
    completion::{Candidate, Completer},
    highlight::{CmdKind, Highlighter},
    hint::{Hint, Hinter, HistoryHinter},
    validate::{ValidationContext, ValidationResult, Validator},
};

use crate::{
    command::{
        self, Completions, block,
        mark::{self, PartMark},
    },
    text::{stand_in, visible},
    view::Colour,
};

/// What the line editor asks while a line is typed. It holds no shell, so that it can live in another thread.
#[derive(Debug)]
pub struct Helper {
    completions: Arc<Mutex<Completions>>,
    colour: Colour,
    history: PastLines,
}

struct PastLines(HistoryHinter);

impl std::fmt::Debug for PastLines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PastLines")
    }
}

impl Helper {
    /// A helper that completes from `completions`, which the owner of the shell renews after each command.
    pub fn new(completions: Arc<Mutex<Completions>>, colour: Colour) -> Self {
        Self { completions, colour, history: PastLines(HistoryHinter::new()) }
    }

    fn completions(&self) -> MutexGuard<'_, Completions> {
        self.completions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn style(mark: PartMark) -> &'static str {
        match mark {
            PartMark::Command => "1;38;5;75",
            PartMark::Unknown => "4;38;5;208",
            PartMark::Flag => "38;5;179",
            PartMark::Number => "38;5;117",
            PartMark::Quoted => "38;5;150",
            PartMark::Comment => "2",
        }
    }
}

impl rustyline::Helper for Helper {}

/// A way to go on, as the editor wants it.
#[derive(Debug)]
pub struct Offer {
    display: String,
    replacement: String,
}

impl Candidate for Offer {
    fn display(&self) -> &str {
        &self.display
    }

    fn replacement(&self) -> &str {
        &self.replacement
    }
}

impl Completer for Helper {
    type Candidate = Offer;

    fn complete(
        &self,
        line: &str,
        pos: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Offer>)> {
        let (start, candidates) = self.completions().complete(&line[..pos]);
        let offer = |candidate: command::Candidate| Offer {
            display: visible(&candidate.display).into_owned(),
            replacement: candidate.replacement,
        };
        Ok((start, candidates.into_iter().map(offer).collect()))
    }
}

/// What more text could mend: a quote or a bracket that is open, a list of commands without its end.
fn awaited(text: &str) -> Option<String> {
    let problem = block::check(text).filter(|problem| problem.incomplete)?;
    Some(problem.message)
}

/// Whether a line was left empty: the end of waiting.
fn is_given_up(text: &str) -> bool {
    text.contains('\n') && last_line(text).trim().is_empty()
}

fn last_line(text: &str) -> &str {
    text.rsplit('\n').next().unwrap_or_default()
}

/// What appears behind the cursor.
#[derive(Debug, PartialEq, Eq)]
pub enum InlineHint {
    /// The rest of an earlier line: → takes it over.
    PastLines(String),
    /// What the command may still be given.
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
        if pos < line.len() {
            return None;
        }
        if line.contains('\n') && last_line(line).is_empty() {
            let wait = |what| format!("… {what}; an empty line or Ctrl-C gives up");
            return awaited(line).map(wait).map(InlineHint::Usage);
        }
        let past = self.history.0.hint(line, pos, context).map(InlineHint::PastLines);
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
        for (span, mark) in mark::marks(line, &self.completions()) {
            let text = stand_in(&line[span.clone()]);
            let text = self.colour.paint(Self::style(mark), &text);
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
        self.colour == Colour::On && kind != CmdKind::MoveCursor
    }
}

impl Validator for Helper {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let input = context.input();
        Ok(if !is_given_up(input) && awaited(input).is_some() {
            ValidationResult::Incomplete
        } else {
            ValidationResult::Valid(None)
        })
    }
}

#[cfg(test)]
mod tests {
    use rustyline::history::{DefaultHistory, History};

    use super::*;

    fn helper(colour: Colour) -> Helper {
        Helper::new(Arc::default(), colour)
    }

    #[test]
    fn colours_change_no_character() {
        let line = "echo 'x' 3 --json; nonsense # no";
        let painted = helper(Colour::On).highlight(line, 0).into_owned();
        assert!(painted.contains("\x1b[4;38;5;208mnonsense\x1b[0m"));
        let mut plain = String::new();
        for piece in painted.split('\x1b') {
            plain.push_str(
                piece
                    .strip_prefix('[')
                    .map_or(piece, |piece| &piece[piece.find('m').unwrap() + 1..]),
            );
        }
        assert_eq!(plain, line);
        assert_eq!(helper(Colour::Off).highlight(line, 0), line);
    }

    #[test]
    fn hints_come_from_the_past_or_the_table() {
        let mut history = DefaultHistory::new();
        history.add("echo hello").unwrap();
        let context = Context::new(&history);
        let hint = |line: &str| helper(Colour::Off).hint(line, line.len(), &context);
        assert_eq!(hint("echo h"), Some(InlineHint::PastLines("ello".to_owned())));
        assert_eq!(hint("source "), Some(InlineHint::Usage("FILE".to_owned())));
        assert_eq!(hint("source "), hint("source "));
        assert_eq!(hint("nonsense "), None);
    }

    #[test]
    fn what_is_open_is_awaited_visibly_until_an_empty_line() {
        let history = DefaultHistory::new();
        let context = Context::new(&history);
        let hint = |line: &str| helper(Colour::Off).hint(line, line.len(), &context);
        let waits = |line: &str| awaited(line).is_some() && !is_given_up(line);
        for (open, what) in [
            ("echo 'a", "this quote is never closed"),
            ("print (1", "this `(` is never closed"),
            ("commands 1", "these commands are never ended by `end`"),
        ] {
            assert!(waits(open));
            let Some(InlineHint::Usage(said)) = hint(&format!("{open}\n")) else {
                panic!("{open}");
            };
            assert!(said.contains(what) && said.contains("an empty line"), "{said}");
            assert!(waits(&format!("{open}\nmore")));
            assert!(!waits(&format!("{open}\nmore\n")));
            assert!(!waits(&format!("{open}\n")));
        }
        assert!(!waits("echo 'a\nb'"));
    }

    #[test]
    fn completion_replaces_the_word_under_the_cursor() {
        let history = DefaultHistory::new();
        let (start, offers) =
            helper(Colour::Off).complete("echo; unal x", 10, &Context::new(&history)).unwrap();
        let replacements: Vec<_> = offers.iter().map(Candidate::replacement).collect();
        assert_eq!((start, replacements), (6, vec!["unalias "]));
    }
}
