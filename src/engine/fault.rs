//! Errors in the user's input, with place and remedy.

use std::{fmt, ops::Range};

const INTERRUPTED: &str = "interrupted: nothing was written or changed";

/// The result of a function that may fail with a [`Fault`].
pub type Result<T, E = Fault> = std::result::Result<T, E>;

/// Why the user's input cannot be used, with the place and the remedy if they are known.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Fault {
    /// What is wrong, in words. The message quotes the word at fault.
    pub message: String,
    /// The remedy in words; shown as a hint.
    pub hint: Option<String>,
    /// What the session lacks. The core does not name commands: the command language turns the remedy into a hint.
    pub remedy: Option<Remedy>,
    /// The byte range of the word at fault in the text that was read.
    pub at: Option<Range<usize>>,
    /// Which of several inputs is at fault, if the function that reports the fault has no byte range.
    pub culprit: Option<Culprit>,
}

/// Which of several inputs is at fault. A command points at this argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Culprit {
    /// The parameter, setting or key of this name.
    Named(String),
    /// The element of a list with this index, from 0.
    Nth(usize),
    /// The argument whose text is this word.
    Word(String),
}

/// What a command needs and the session lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Remedy {
    Search,
    /// A new game, because the current game is over.
    NewGame,
    /// A move to undo or redo, because there is none.
    Moves,
    Recording,
    RecordingMemory,
    Budget,
    Event,
    Timeline,
    /// A memo policy that stores entries, because the current one stores none.
    Policy,
}

impl Fault {
    /// A fault with this message, without a place or remedy.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, remedy: None, at: None, culprit: None }
    }

    /// The fault that an interrupted command returns.
    pub fn interrupted() -> Self {
        Self::new(INTERRUPTED).hint("give the command again to start over")
    }

    /// Whether the user interrupted the command.
    pub fn is_interrupt(&self) -> bool {
        self.message == INTERRUPTED
    }

    /// A fault about a word: the word as typed, in backquotes, and what is wrong with it.
    pub fn word(word: impl fmt::Display, what: impl fmt::Display) -> Self {
        Self::new(format!("`{word}` {what}")).about_word(word)
    }

    /// Whether the fault only reports an end: of the game, of the budget, or of the moves to undo or redo.
    pub const fn is_end(&self) -> bool {
        matches!(self.remedy, Some(Remedy::NewGame | Remedy::Moves | Remedy::Budget))
    }

    /// Names the parameter, setting or key that is at fault.
    pub fn about(self, name: &str) -> Self {
        Self { culprit: Some(Culprit::Named(name.to_owned())), ..self }
    }

    /// Names the list element that is at fault, by its index from 0.
    pub fn about_nth(self, nth: usize) -> Self {
        Self { culprit: Some(Culprit::Nth(nth)), ..self }
    }

    /// Gives the word that is at fault, as it was typed.
    pub fn about_word(self, word: impl fmt::Display) -> Self {
        Self { culprit: Some(Culprit::Word(word.to_string())), ..self }
    }

    /// Prefixes the message with a file or place.
    pub fn within(self, what: impl fmt::Display) -> Self {
        Self { message: format!("{what}: {}", self.message), ..self }
    }

    /// Adds the remedy in words.
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// Adds a [`Remedy`], which the command language turns into a hint.
    pub fn needs(self, remedy: Remedy) -> Self {
        Self { remedy: Some(remedy), ..self }
    }

    /// Joins faults into one: messages in the order of their places, each hint once, the first place. `None`: no faults.
    pub fn merge(mut faults: Vec<Self>) -> Option<Self> {
        faults.sort_by_key(|fault| fault.at.as_ref().map_or(usize::MAX, |range| range.start));
        faults.dedup_by(|next, fault| next.message == fault.message);
        if faults.len() < 2 {
            return faults.pop();
        }
        let messages: Vec<_> = faults.iter().map(|fault| fault.message.as_str()).collect();
        let mut hints = Vec::new();
        for fault in &faults {
            hints.extend(fault.hint.as_deref().filter(|hint| !hints.contains(hint)));
        }
        let message = format!("{} faults: {}", faults.len(), messages.join("; "));
        let hint = (!hints.is_empty()).then(|| hints.join("; "));
        let at = faults.iter().find_map(|fault| fault.at.clone());
        let culprit = faults.iter().find_map(|fault| fault.culprit.clone());
        Some(Self { hint, at, culprit, ..Self::new(message) })
    }

    /// Adds the place, as a byte range of the text that was read.
    pub fn at(self, range: Range<usize>) -> Self {
        Self { at: Some(range), ..self }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.hint.as_ref().map_or(Ok(()), |hint| write!(f, "; {hint}"))
    }
}

impl std::error::Error for Fault {}
