//! Parsing helpers: words with their places, moves in the text of a game, types that serde writes as text.

use std::{fmt, ops::Range};

use serde::{Serialize, Serializer, ser::SerializeMap as _};

use super::{Fault, Result, Side};
use crate::text::style::{MoveNotation, style};

/// A move as text: for programs (JSON, comparisons) as [`super::Notation::format_move`] writes it; for people (`Display`) in
/// standard algebraic notation, if the game has it and the thread's style selects it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct MoveText {
    pub(super) plain: String,
    pub(super) san: Option<String>,
}

impl MoveText {
    /// The move as [`super::Notation::format_move`] writes it.
    pub fn plain(&self) -> &str {
        &self.plain
    }

    /// The move in standard algebraic notation; `None` in games without it.
    pub fn san(&self) -> Option<&str> {
        self.san.as_deref()
    }

    /// The move for files: in standard algebraic notation if the game has it, whatever notation the user displays.
    pub fn standard(&self) -> &str {
        self.san().unwrap_or(&self.plain)
    }

    /// Serializes a move as the fields `move` and, if there is one, `san`. For `#[serde(flatten, serialize_with)]`.
    pub(in crate::engine) fn with_san<'a, S: Serializer>(
        mv: impl Into<Option<&'a Self>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let mv = mv.into();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("move", &mv.map(Self::plain))?;
        if let Some(san) = mv.and_then(|mv| mv.san.as_ref()) {
            map.serialize_entry("san", san)?;
        }
        map.end()
    }
}

impl From<&str> for MoveText {
    /// A move of a game that has only one notation.
    fn from(plain: &str) -> Self {
        Self { plain: plain.to_owned(), san: None }
    }
}

impl PartialEq<&str> for MoveText {
    fn eq(&self, plain: &&str) -> bool {
        self.plain == *plain
    }
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match &self.san {
            Some(san) if style().moves == MoveNotation::San => san,
            _ => &self.plain,
        })
    }
}

impl Serialize for MoveText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.plain)
    }
}

/// A part of a text, with its byte range in that text.
#[derive(Clone, Debug)]
pub(in crate::engine) struct Word<'a> {
    pub text: &'a str,
    pub at: Range<usize>,
}

impl<'a> Word<'a> {
    pub fn whole(text: &'a str) -> Self {
        Self { text, at: 0..text.len() }
    }

    /// The words of a text, separated by white space.
    pub fn all(text: &'a str) -> Vec<Self> {
        let parts = Self::whole(text).split(char::is_whitespace);
        parts.into_iter().filter(|word| !word.text.is_empty()).collect()
    }

    /// The parts of this text between separators, including empty ones.
    pub fn split(&self, is_separator: impl Fn(char) -> bool) -> Vec<Self> {
        let ends = self.letters().filter(|(letter, _)| is_separator(*letter)).map(|(_, at)| at);
        let mut begin = self.at.start;
        let mut part = |end: usize, next: usize| {
            let text = &self.text[begin - self.at.start..end - self.at.start];
            Self { text, at: std::mem::replace(&mut begin, next)..end }
        };
        let mut parts: Vec<_> = ends.map(|at| part(at.start, at.end)).collect();
        parts.push(part(self.at.end, self.at.end));
        parts
    }

    pub fn trim(&self) -> Self {
        let text = self.text.trim();
        let begin = self.at.start + self.text.len() - self.text.trim_start().len();
        Self { text, at: begin..begin + text.len() }
    }

    /// The characters of this part, with their byte ranges in the whole text.
    pub fn letters(&self) -> impl Iterator<Item = (char, Range<usize>)> {
        let place =
            |at: usize, letter: char| self.at.start + at..self.at.start + at + letter.len_utf8();
        self.text.char_indices().map(move |(at, letter)| (letter, place(at, letter)))
    }

    pub fn fault(&self, message: impl Into<String>, hint: impl Into<String>) -> Fault {
        Fault::new(message).at(self.at.clone()).hint(hint)
    }

    pub fn side(&self) -> Result<Side> {
        match self.text {
            "w" | "W" => Ok(Side::White),
            "b" | "B" => Ok(Side::Black),
            text => Err(self.fault(
                format!("the side to move is `{text}`, not w or b"),
                "write w for White, b for Black",
            )),
        }
    }
}

/// The result tokens that end the moves of a PGN game.
pub const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// The move in a word of a game, without its move number. `None` for move numbers alone (`12.`, `3...`), results, annotations
/// (`$14`, `!?`, `e.p.`), comments in braces and variations in brackets.
///
/// ```
/// use plyscope::engine::game::move_in;
/// let words = ["1.", "e4", "{best}", "e5", "2.Nf3", "$6", "1/2-1/2"];
/// let moves: Vec<_> = words.into_iter().filter_map(move_in).collect();
/// assert_eq!(moves, ["e4", "e5", "Nf3"]);
/// ```
pub fn move_in(word: &str) -> Option<&str> {
    let unnumbered = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let bare = unnumbered.trim_start_matches('.');
    let bare = if bare.len() < unnumbered.len() { bare } else { word };
    let other = word.starts_with(['$', '{', '(']) || RESULTS.contains(&word) || bare == "e.p.";
    (!other && !bare.trim_matches(['!', '?']).is_empty()).then_some(bare)
}

/// Implements serde for a type through its `Display` and `FromStr`.
macro_rules! serde_as_text {
    ($name:ty) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(in crate::engine) use serde_as_text;
