//! What has been run and what came of it.

use std::{
    collections::VecDeque,
    fs::{File, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

use crate::{command::Outcome, view};

/// So many lines are kept.
const KEPT: usize = 2000;

/// What kind of line it is; its mark says it without colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogLine {
    /// A command typed in the command pane.
    Typed,
    /// A command that a key stands for.
    Key,
    /// What a command returned.
    Reply,
    /// What went wrong.
    Failure,
    /// Anything else worth knowing.
    Note,
}

impl LogLine {
    /// What stands before the text.
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

/// The lines, the newest last.
#[derive(Debug, Default)]
pub struct Log {
    lines: VecDeque<(LogLine, String)>,
    file: Option<File>,
}

impl Log {
    /// Writes every line to a file too.
    pub fn write_to(&mut self, path: &Path) -> io::Result<()> {
        self.file = Some(OpenOptions::new().create(true).append(true).mode(0o600).open(path)?);
        Ok(())
    }

    /// Adds a line.
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

    /// Adds what became of a command, in a line.
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
                self.add(LogLine::Failure, first.trim_start_matches("error: "));
            }
        }
    }

    /// The lines.
    pub fn lines(&self) -> &VecDeque<(LogLine, String)> {
        &self.lines
    }
}
