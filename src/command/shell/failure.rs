//! Failed statements and where they stand.

use std::ops::Range;

use super::{SourceFrame, SourceOrigin, Trouble};
use crate::{command::lexer, engine::game::Fault};

/// A statement that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What is wrong. Its own place counts in the text that was executed; `place` says it for people.
    pub fault: Fault,
    /// Whether the statement was understood.
    pub kind: FailureKind,
    /// The command by its full name, where so much was understood.
    pub command: Option<&'static str>,
    /// Where it stands; not known for a script that could not be opened.
    pub place: Option<SourcePlace>,
    /// Who called it, the innermost caller first.
    pub trail: Vec<String>,
}

/// Whose fault a failure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The statement could not be understood.
    Parse,
    /// The command was understood and failed.
    Command,
}

/// A place in a source, for people and their editors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePlace {
    /// The script; none for a typed line.
    pub file: Option<String>,
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1, in characters.
    pub column: usize,
    /// The line itself.
    pub source: String,
    /// How many characters are at fault; 0 where only the statement is known.
    pub width: usize,
}

/// Finds the place of a fault in the statement that the innermost frame executes.
pub(super) fn locate(frames: &[SourceFrame], trouble: Trouble) -> Box<Failure> {
    let Trouble { fault, kind, command } = trouble;
    let mut trail = Vec::new();
    let mut place = None;
    let mut at = fault.at.clone();
    for frame in frames.iter().rev() {
        if let SourceOrigin::Alias(name) = &frame.origin {
            // The caller can change what it typed; the alias is named beside it.
            trail.push(format!("in the alias {name}: {}", frame.text));
            at = None;
        } else if let SourceOrigin::Breakpoint(id) = &frame.origin {
            trail.push(format!("in the commands of breakpoint {id}: {}", frame.current_text()));
            at = None;
        } else if place.is_none() {
            place = Some(SourcePlace::new(frame, at.take()));
        } else {
            let at = SourcePlace::new(frame, None);
            let file = at.file.map_or_else(String::new, |file| format!("{file}:"));
            trail.push(format!("sourced at {file}{}:{}", at.line, at.column));
        }
    }
    Box::new(Failure { fault, kind, command, place, trail })
}

impl SourcePlace {
    fn new(frame: &SourceFrame, at: Option<Range<usize>>) -> Self {
        let text = &*frame.text;
        let at = at.filter(|at| text.get(at.clone()).is_some() && frame.may_be_at(at));
        let start = at.as_ref().map_or(frame.current.start, |at| at.start);
        let (line, column) = lexer::position(text, start);
        let source = text.lines().nth(line - 1).unwrap_or_default();
        let ahead = source.chars().count() + 1 - column.min(source.chars().count() + 1);
        let width = at.map_or(0, |at| text[at].chars().count().clamp(1, ahead.max(1)));
        Self {
            file: frame.origin.shown(),
            line: line + frame.first_line - 1,
            column,
            source: source.to_owned(),
            width,
        }
    }
}
