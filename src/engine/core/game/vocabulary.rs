use std::{fmt, ops::Range};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// Who plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Side {
    /// Moves first.
    #[serde(rename = "w")]
    White,
    /// Moves second.
    #[serde(rename = "b")]
    Black,
}

impl Side {
    /// Both sides, white first.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// `w` or `b`.
    pub const fn letter(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black => 'b',
        }
    }

    /// `White` or `Black`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::White => "White",
            Self::Black => "Black",
        }
    }

    /// 0 for white, 1 for black: an index into arrays by side.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What was wrong with something the user gave: said in words, with the remedy and the place where it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong, naming the culprit.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// Where in the text that was read, in bytes.
    pub at: Option<Range<usize>>,
    /// Which of several named things it is about, such as a setting.
    pub about: Option<String>,
}

impl Fault {
    /// A fault without a place.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, at: None, about: None }
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

    /// One fault that says all of several in reading order, at the place of the first, with each hint once; nothing where
    /// there are none.
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

/// The positions behind the one at hand, as far as they matter to its value.
///
/// The search pushes a position before it goes to a child and pops it when it comes back.
pub trait History<P>:
    Clone + fmt::Debug + Default + Serialize + DeserializeOwned + Send + Sync
{
    /// A move is about to be made in `position`.
    fn push(&mut self, position: &P);
    /// The last push is taken back.
    fn pop(&mut self);
}

impl<P> History<P> for () {
    fn push(&mut self, _: &P) {}
    fn pop(&mut self) {}
}

/// Heuristic weights by name, in the game's order. All finite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weights(Vec<(String, f64)>);

impl Weights {
    /// Weights from names and values.
    pub fn new<'a>(weights: impl IntoIterator<Item = (&'a str, f64)>) -> Self {
        Self(weights.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    /// The names and values in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, f64)> {
        self.0.iter().map(|(name, value)| (name.as_str(), *value))
    }

    /// One weight; 0 where the game has none of that name.
    pub fn get(&self, name: &str) -> f64 {
        self.iter().find(|(known, _)| *known == name).map_or(0.0, |(_, value)| value)
    }

    /// Changes one weight. Refuses unknown names and values that are not finite.
    pub fn set(&mut self, name: &str, value: f64) -> Result<(), Fault> {
        if !value.is_finite() {
            return Err(Fault::new(format!("weight {name}={value} is not a finite number"))
                .hint("give a number such as 4 or 0.5"));
        }
        let names = self.iter().map(|(known, _)| known.to_owned()).collect::<Vec<_>>().join(", ");
        let slot = self.0.iter_mut().find(|(known, _)| known == name);
        let (_, current) = slot.ok_or_else(|| {
            Fault::new(format!("no weight `{name}`")).hint(format!("the weights are {names}"))
        })?;
        *current = value;
        Ok(())
    }
}

/// Whether a value is the usual one, which session files leave out.
pub(in crate::engine) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
