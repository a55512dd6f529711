//! What is said of something the user gave that cannot be used.

use std::{fmt, ops::Range};

/// A value, or the [`Fault`] of what the user gave.
pub type Result<T, E = Fault> = std::result::Result<T, E>;

/// What was wrong with something the user gave: said in words, with the remedy and the place where it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong, naming the culprit.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// What it takes, where the core says it: commands have the words.
    pub remedy: Option<Remedy>,
    /// Where in the text that was read, in bytes.
    pub at: Option<Range<usize>>,
    /// Which of several named things it is about, such as a setting.
    pub about: Option<String>,
}

/// What it takes to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// A search under way.
    Search,
    /// A game that is not over.
    NewGame,
    /// A recorded search.
    Recording,
    /// More memory for the recording.
    RecordingMemory,
    /// A larger budget, or a new search.
    Budget,
    /// The number of an event that there is.
    Event,
    /// A timeline that there is, or a new name.
    Timeline,
    /// A memo policy that keeps entries.
    Policy,
}

impl Fault {
    /// A fault without a place.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, remedy: None, at: None, about: None }
    }

    /// Says which of several named things it is about.
    #[must_use]
    pub fn about(mut self, name: &str) -> Self {
        self.about = Some(name.to_owned());
        self
    }

    /// Says in front of the message where or of what it is.
    #[must_use]
    pub fn within(mut self, what: impl std::fmt::Display) -> Self {
        self.message = format!("{what}: {}", self.message);
        self
    }

    /// Adds the remedy.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Says what it takes to go on.
    #[must_use]
    pub fn needs(mut self, remedy: Remedy) -> Self {
        self.remedy = Some(remedy);
        self
    }

    /// One fault that says all of several in reading order, at the place of the first, with each hint once.
    pub fn merge(mut faults: Vec<Self>) -> Option<Self> {
        faults.sort_by_key(|fault| fault.at.as_ref().map_or(usize::MAX, |range| range.start));
        faults.dedup_by(|next, fault| next.message == fault.message);
        if faults.len() < 2 {
            return faults.pop();
        }
        let mut messages = Vec::new();
        let mut hints = Vec::new();
        for fault in &faults {
            messages.push(fault.message.as_str());
            hints.extend(fault.hint.as_deref().filter(|hint| !hints.contains(hint)));
        }
        let whole = format!("{} faults: {}", faults.len(), messages.join("; "));
        let hint = (!hints.is_empty()).then(|| hints.join("; "));
        let at = faults.iter().find_map(|fault| fault.at.clone());
        Some(Self { hint, at, ..Self::new(whole) })
    }

    /// Adds the place, in bytes of the text that was read.
    #[must_use]
    pub fn at(mut self, range: Range<usize>) -> Self {
        self.at = Some(range);
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.hint.as_ref().map_or(Ok(()), |hint| write!(f, "; {hint}"))
    }
}

impl std::error::Error for Fault {}
