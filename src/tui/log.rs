//! The log of commands and their results.

use std::{
    collections::VecDeque,
    fs::{File, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

use crate::{command::Outcome, view};

const KEPT: usize = 2000;

/// The kind of a line in the log. A mark shows it too, for screens without colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogLine {
    /// A command typed in the command pane.
    Typed,
    /// A command run by a key.
    Key,
    /// The reply to a command, in one line.
    Reply,
    /// The failure of a command.
    Failure,
    /// A message of the screen.
    Note,
}

impl LogLine {
    /// The mark before each line of this kind.
    pub const fn mark(self) -> &'static str {
        match self {
            Self::Typed => "> ",
            Self::Key => "* ",
            Self::Reply => "  ",
            Self::Failure => "! ",
            Self::Note => "- ",
        }
    }
}

/// The lines of the log, the newest last.
#[derive(Debug, Default)]
pub struct Log {
    lines: VecDeque<(LogLine, String)>,
    file: Option<File>,
}

impl Log {
    /// From now on, also appends every line to a file.
    pub fn write_to(&mut self, path: &Path) -> io::Result<()> {
        self.file = Some(OpenOptions::new().create(true).append(true).mode(0o600).open(path)?);
        Ok(())
    }

    /// Adds a line of this kind to the log, and to its file if there is one.
    pub fn add(&mut self, kind: LogLine, text: impl Into<String>) {
        let text = text.into();
        if let Some(file) = &mut self.file {
            let _ = writeln!(file, "{}{text}", kind.mark());
        }
        if self.lines.len() == KEPT {
            self.lines.pop_front();
        }
        self.lines.push_back((kind, text));
    }

    /// Adds the outcome of a command in one line: its reply or failure.
    pub fn outcome(&mut self, outcome: &Outcome) {
        match outcome {
            Ok(response) => {
                let line = view::line(&*response.reply);
                if !line.is_empty() {
                    self.add(LogLine::Reply, line);
                }
            }
            Err(failure) => {
                let text = view::failure(failure, view::Colour::Off);
                let first = text.lines().next().unwrap_or_default().to_owned();
                let is_wanted = failure.fault.is_interrupt();
                let kind = if is_wanted { LogLine::Note } else { LogLine::Failure };
                self.add(kind, first.trim_start_matches("error: "));
            }
        }
    }

    /// The lines, the oldest first.
    pub fn lines(&self) -> &VecDeque<(LogLine, String)> {
        &self.lines
    }
}
