//! Text being executed, one statement at a time.

use std::{
    fs,
    ops::Range,
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
};

use crate::engine::{files, game::Fault};

/// Where a text comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceOrigin {
    /// A person's line.
    Typed,
    /// Something with a name that is no file: `-c`, or standard input as `-`.
    Named(&'static str),
    /// A script.
    File {
        /// As it was named, which is how messages name it and where its own names start from.
        shown: PathBuf,
        /// The file itself, by which a script that calls itself is found out.
        path: PathBuf,
    },
    /// The user's own command of this name.
    Alias(String),
    /// The commands of the breakpoint of this number.
    Breakpoint(u32),
}

impl SourceOrigin {
    pub(super) fn file(&self) -> Option<&Path> {
        match self {
            Self::File { path, .. } => Some(path),
            _ => None,
        }
    }

    /// The folder in which a script's own file names are looked up.
    pub(super) fn folder(&self) -> Option<&Path> {
        match self {
            Self::File { shown, .. } => shown.parent(),
            _ => None,
        }
    }

    /// The name in messages.
    pub(super) fn shown(&self) -> Option<String> {
        match self {
            Self::Typed => None,
            Self::Named(name) => Some((*name).to_owned()),
            Self::File { shown, .. } => Some(shown.display().to_string()),
            Self::Alias(name) => Some(name.clone()),
            Self::Breakpoint(id) => Some(format!("commands {id}")),
        }
    }
}

/// A text, and how far its execution has come.
#[derive(Debug)]
pub(super) struct SourceFrame {
    pub origin: SourceOrigin,
    pub text: Arc<str>,
    /// Where the next statement is looked for.
    pub next: usize,
    /// The statement being executed.
    pub current: Range<usize>,
    /// The number of the text's first line.
    pub first_line: usize,
}

impl SourceFrame {
    pub(super) fn new(origin: SourceOrigin, text: &str, first_line: usize) -> Self {
        Self {
            origin,
            text: text.strip_prefix('\u{feff}').unwrap_or(text).into(),
            next: 0,
            current: 0..0,
            first_line,
        }
    }
}

impl SourceFrame {
    /// The statement being executed.
    pub(super) fn current_text(&self) -> &str {
        self.text.get(self.current.clone()).unwrap_or_default()
    }

    /// Whether a fault's place can be meant for this text: one outside the statement being executed counts in
    /// something that the command has read.
    pub(super) fn may_be_at(&self, at: &Range<usize>) -> bool {
        let current = &self.current;
        current.is_empty() || current.start <= at.start && at.end <= current.end
    }
}

/// Reads a script that is not among those `running`.
pub(super) fn open<'p>(
    file: &Path,
    running: impl Iterator<Item = &'p Path>,
    interrupt: &AtomicBool,
) -> Result<(SourceOrigin, String), Fault> {
    // A stream may have no other name than the one given.
    let path = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let mut running = running.skip_while(|running| **running != path).peekable();
    if running.peek().is_some() {
        let cycle: Vec<_> = running.map(name).chain([name(&path)]).collect();
        return Err(Fault::new(format!(
            "`{}` is already running: {}",
            file.display(),
            cycle.join(" -> ")
        ))
        .hint("a script cannot source itself, not even by way of another"));
    }
    let text = files::read_script(file, interrupt)?;
    let shown = file.to_owned();
    Ok((SourceOrigin::File { shown, path }, text))
}

fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}
