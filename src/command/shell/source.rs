//! Texts being executed, and the places of failures in them.

use std::{
    fs,
    ops::Range,
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
    vec,
};

use crate::engine::{
    files,
    game::{Fault, Remedy},
    session::comparing::SuiteEntry,
};

/// Where a text of commands comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceOrigin {
    /// A typed line.
    Typed,
    /// No file: `-c`, or standard input as `-`.
    Named(&'static str),
    /// A script.
    File {
        /// The path as it was given, for messages and for names of files in the script.
        shown: PathBuf,
        /// The canonical path, by which a script that sources itself is detected.
        path: PathBuf,
    },
    /// The alias with this name.
    Alias(String),
    /// The command list of the breakpoint with this number.
    Breakpoint(u32),
    /// The commands of `foreach`, at the position with this place.
    Position(String),
}

impl SourceOrigin {
    pub(super) fn file(&self) -> Option<&Path> {
        match self {
            Self::File { path, .. } => Some(path),
            _ => None,
        }
    }

    pub(super) fn folder(&self) -> Option<&Path> {
        match self {
            Self::File { shown, .. } => shown.parent(),
            _ => None,
        }
    }

    pub(super) fn shown(&self) -> Option<String> {
        match self {
            Self::Typed => None,
            Self::Named(name) => Some((*name).to_owned()),
            Self::File { shown, .. } => Some(shown.display().to_string()),
            Self::Alias(name) => Some(name.clone()),
            Self::Breakpoint(id) => Some(format!("commands {id}")),
            Self::Position(place) => Some(place.clone()),
        }
    }
}

#[derive(Debug)]
pub(super) struct SourceFrame {
    pub origin: SourceOrigin,
    pub text: Arc<str>,
    /// The byte from which the next statement is read.
    pub next: usize,
    /// The statement being executed.
    pub current: Range<usize>,
    /// Line number of the text's first line.
    pub first_line: usize,
    /// The remaining positions of `foreach`; the text is executed once at each.
    pub positions: Option<Positions>,
}

/// The positions of a suite at which `foreach` has not run its commands yet.
#[derive(Debug)]
pub(super) struct Positions {
    pub suite: String,
    pub entries: vec::IntoIter<SuiteEntry>,
    pub total: usize,
    /// The number of moves that could be undone before the first position was set up.
    pub before: usize,
}

impl SourceFrame {
    pub(super) fn new(origin: SourceOrigin, text: &str, first_line: usize) -> Self {
        Self {
            origin,
            text: text.strip_prefix('\u{feff}').unwrap_or(text).into(),
            next: 0,
            current: 0..0,
            first_line,
            positions: None,
        }
    }

    /// Whether a place can be in the current statement, and not in a text that the command has read.
    pub(super) fn may_be_at(&self, at: &Range<usize>) -> bool {
        let current = &self.current;
        current.is_empty() || current.start <= at.start && at.end <= current.end
    }
}

/// Reads a script. Errors: it is among those `running`, innermost last.
pub(super) fn open<'p>(
    file: &Path,
    running: impl Iterator<Item = &'p Path>,
    interrupt: &AtomicBool,
) -> Result<(SourceOrigin, String), Fault> {
    // A pipe may have no canonical path.
    let path = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let mut running = running.skip_while(|running| **running != path).peekable();
    if running.peek().is_some() {
        let cycle: Vec<_> = running.map(name).chain([name(&path)]).collect();
        let what = format!("`{}` is already running: {}", file.display(), cycle.join(" -> "));
        let fault = Fault::new(what);
        return Err(fault.hint("a script cannot source itself, not even by way of another"));
    }
    let text = files::read_script(file, interrupt)?;
    let shown = file.to_owned();
    Ok((SourceOrigin::File { shown, path }, text))
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// A statement that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The fault. Its `at` is a range in the text that was executed.
    pub fault: Fault,
    /// Whether the statement could be parsed.
    pub kind: FailureKind,
    /// The full name of the command, if it is known.
    pub command: Option<&'static str>,
    /// The place for people; `None` for a script that could not be opened.
    pub place: Option<SourcePlace>,
    /// The callers, the innermost first.
    pub trail: Vec<String>,
}

/// The stage at which a statement failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The statement could not be parsed.
    Parse,
    /// The command failed.
    Command,
}

/// A place in a text, for people and editors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePlace {
    /// The script; `None` for a typed line.
    pub file: Option<String>,
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1, in characters.
    pub column: usize,
    /// The line.
    pub source: String,
    /// Number of characters to underline; 0 if only the statement is known.
    pub width: usize,
}

/// The commands that a hint suggests for what the user lacks.
const fn commands_for(remedy: Remedy) -> &'static str {
    match remedy {
        Remedy::Search => "`step` or `search run` starts one",
        Remedy::Moves => "`undo` and `redo` go through the moves that were played",
        Remedy::NewGame => "`undo` takes a move back, `position start` begins a new game",
        Remedy::Recording => "`search set record=on`, then `search run` or `step` records one",
        Remedy::RecordingMemory => {
            "`search set record_mib=` gives the recording more memory, from the next search on"
        }
        Remedy::Budget => "`search set budget=N` lets it go on, `search run` starts afresh",
        Remedy::Event => "`goto` takes the number of an event from 0 on",
        Remedy::Timeline => "`timeline` lists them",
        Remedy::Policy => "choose one with `search set memo=interval`",
    }
}

impl Failure {
    pub(super) fn new(kind: FailureKind, mut fault: Fault) -> Box<Self> {
        fault.hint = fault.hint.or_else(|| fault.remedy.map(commands_for).map(str::to_owned));
        Box::new(Self { fault, kind, command: None, place: None, trail: Vec::new() })
    }

    /// Sets the place, in the innermost text that is not an alias or a command list, and the callers.
    pub(super) fn located(mut self: Box<Self>, frames: &[SourceFrame]) -> Box<Self> {
        let mut at = self.fault.at.clone();
        for frame in frames.iter().rev() {
            // The place is in the text that calls an alias or a command list, because people can change that text.
            if let SourceOrigin::Alias(name) = &frame.origin {
                self.trail.push(format!("in the alias {name}: {}", frame.text));
                at = None;
            } else if let SourceOrigin::Breakpoint(id) = &frame.origin {
                let text = frame.text.get(frame.current.clone()).unwrap_or_default();
                self.trail.push(format!("in the commands of breakpoint {id}: {text}"));
                at = None;
            } else if let SourceOrigin::Position(place) = &frame.origin {
                let text = frame.text.get(frame.current.clone()).unwrap_or_default();
                self.fault.message = format!("{place}: {}", self.fault.message);
                self.trail.push(format!("at the position {place}: {text}"));
                at = None;
            } else if self.place.is_none() {
                self.place = Some(SourcePlace::new(frame, at.take()));
            } else {
                let at = SourcePlace::new(frame, None);
                let file = at.file.map_or_else(String::new, |file| format!("{file}:"));
                self.trail.push(format!("sourced at {file}{}:{}", at.line, at.column));
            }
        }
        self
    }
}

impl SourcePlace {
    fn new(frame: &SourceFrame, at: Option<Range<usize>>) -> Self {
        let text = &*frame.text;
        let at = at.filter(|at| text.get(at.clone()).is_some() && frame.may_be_at(at));
        let start = at.as_ref().map_or(frame.current.start, |at| at.start);
        let (line, column) = files::position(text, start);
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
