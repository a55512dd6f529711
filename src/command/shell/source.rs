//! The texts that are being executed, and the places of failures in them.

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
    /// A line that the user typed.
    Typed,
    /// A text that is not a file, by its name: `-c`, or `-` for standard input.
    Named(&'static str),
    /// The commands that open a file, which the user has not typed; with the place of the file's name in the text that opens it.
    Open(Option<Range<usize>>),
    /// A script file.
    File {
        /// The path as the user gave it: for messages, and for the folder in which `source` looks for files.
        shown: PathBuf,
        /// The canonical path, by which a script that sources itself is detected.
        path: PathBuf,
    },
    /// The alias with this name.
    Alias(String),
    /// The command list of the breakpoint with this number.
    Breakpoint(u32),
    /// The commands of `foreach` at a position, given by its place in the suite.
    Position(String),
}

impl SourceOrigin {
    pub(super) fn file(&self) -> Option<&Path> {
        let Self::File { path, .. } = self else { return None };
        Some(path)
    }

    pub(super) fn folder(&self) -> Option<&Path> {
        let Self::File { shown, .. } = self else { return None };
        shown.parent()
    }

    pub(super) fn shown(&self) -> Option<String> {
        match self {
            Self::Typed | Self::Open(_) => None,
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
    /// The byte range of the statement being executed.
    pub current: Range<usize>,
    /// The line number of the text's first line.
    pub first_line: usize,
    /// The remaining positions of `foreach`; the text is executed once at each.
    pub positions: Option<Positions>,
}

/// The positions of a suite at which `foreach` has yet to run its commands.
#[derive(Debug)]
pub(super) struct Positions {
    pub suite: String,
    pub entries: vec::IntoIter<SuiteEntry>,
    pub total: usize,
    /// The number of moves that could be undone before `foreach` set up its first position.
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

    /// Whether a fault's range can be in the current statement. Otherwise it counts in another text, which a command has read.
    pub(super) fn may_be_at(&self, at: &Range<usize>) -> bool {
        let current = &self.current;
        current.is_empty() || current.start <= at.start && at.end <= current.end
    }
}

/// Reads a script. Errors: the script is already among those `running`.
pub(super) fn open<'p>(
    file: &Path,
    running: impl Iterator<Item = &'p Path>,
    interrupt: &AtomicBool,
) -> Result<(SourceOrigin, String), Fault> {
    // `canonicalize` fails for some pipes.
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

/// A statement that failed, with the fault and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What is wrong. The range `at` is in the text that was executed.
    pub fault: Fault,
    /// Whether the statement could not be parsed, or the command failed.
    pub kind: FailureKind,
    /// The full name of the command; `None` if the statement names no command.
    pub command: Option<&'static str>,
    /// Where the statement stands; `None` if a script could not be opened.
    pub place: Option<SourcePlace>,
    /// The aliases, command lists and scripts that led to the statement, the innermost first.
    pub trail: Vec<String>,
}

/// The stage at which a statement failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The statement could not be parsed.
    Parse,
    /// The statement was parsed, but its execution failed.
    Command,
}

/// A place in a text, for people and editors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePlace {
    /// The path of the script; `None` for a typed line.
    pub file: Option<String>,
    /// The number of the line, from 1.
    pub line: usize,
    /// The number of the column in characters, from 1.
    pub column: usize,
    /// The text of the line.
    pub source: String,
    /// The number of characters to underline; 0 if only the statement is known.
    pub width: usize,
}

/// The part of a hint that names the commands for a remedy.
const fn commands_for(remedy: Remedy) -> &'static str {
    match remedy {
        Remedy::Search => "`step` or `search run` starts one",
        Remedy::Moves => "`undo` and `redo` go through the moves that were played",
        Remedy::NewGame => "`undo` takes a move back, `position start` begins a new game",
        Remedy::Recording => "`search set record=on`, then `search run` or `step` records one",
        Remedy::RecordingMemory => {
            "`search set record_mib=` gives the recording more memory, from the next search on"
        }
        Remedy::Budget => {
            "after `search set budget=N`, `continue` goes on; `search run` begins anew"
        }
        Remedy::Event => "`goto` takes the number of an event from 0 on",
        Remedy::Timeline => "`timeline` lists the timelines",
        Remedy::Policy => "`search set memo=interval` chooses a policy with entries",
    }
}

impl Failure {
    pub(super) fn new(kind: FailureKind, mut fault: Fault) -> Box<Self> {
        fault.hint = fault.hint.or_else(|| fault.remedy.map(commands_for).map(str::to_owned));
        Box::new(Self { fault, kind, command: None, place: None, trail: Vec::new() })
    }

    /// Sets the place of the failure, in the innermost text that the user can edit, and the callers.
    pub(super) fn located(mut self: Box<Self>, frames: &[SourceFrame]) -> Box<Self> {
        let mut at = self.fault.at.clone();
        for frame in frames.iter().rev() {
            // The user can edit the text that calls an alias or a command list, so the place is in that text.
            if let SourceOrigin::Alias(name) = &frame.origin {
                self.trail.push(format!("in the alias {name}: {}", frame.text));
                at = None;
            } else if let SourceOrigin::Breakpoint(id) = &frame.origin {
                let text = frame.text.get(frame.current.clone()).unwrap_or_default();
                self.trail.push(format!("in the commands of breakpoint {id}: {text}"));
                at = None;
            } else if let SourceOrigin::Open(name) = &frame.origin {
                at.clone_from(name);
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
