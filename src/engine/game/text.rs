//! Reading: words with their places, moves among the words of a game, and types that serde writes as their text.

use std::ops::Range;

use super::{Fault, Result, Side};

/// A part of a text and where it stands there, in bytes.
#[derive(Clone, Debug)]
pub(in crate::engine) struct Word<'a> {
    pub text: &'a str,
    pub at: Range<usize>,
}

impl<'a> Word<'a> {
    /// The whole of a text.
    pub fn whole(text: &'a str) -> Self {
        Self { text, at: 0..text.len() }
    }

    /// The words of a text with blanks between them.
    pub fn all(text: &'a str) -> Vec<Self> {
        let parts = Self::whole(text).split(char::is_whitespace);
        parts.into_iter().filter(|word| !word.text.is_empty()).collect()
    }

    /// The parts between separating letters.
    pub fn split(&self, separates: impl Fn(char) -> bool) -> Vec<Self> {
        let ends = self.letters().filter(|(letter, _)| separates(*letter)).map(|(_, at)| at);
        let mut begin = self.at.start;
        let mut part = |end: usize, next: usize| {
            let text = &self.text[begin - self.at.start..end - self.at.start];
            Self { text, at: std::mem::replace(&mut begin, next)..end }
        };
        let mut parts: Vec<_> = ends.map(|at| part(at.start, at.end)).collect();
        parts.push(part(self.at.end, self.at.end));
        parts
    }

    /// Without the blanks around it.
    pub fn trim(&self) -> Self {
        let text = self.text.trim();
        let begin = self.at.start + self.text.len() - self.text.trim_start().len();
        Self { text, at: begin..begin + text.len() }
    }

    /// The letters, each with its place.
    pub fn letters(&self) -> impl Iterator<Item = (char, Range<usize>)> {
        let place =
            |at: usize, letter: char| self.at.start + at..self.at.start + at + letter.len_utf8();
        self.text.char_indices().map(move |(at, letter)| (letter, place(at, letter)))
    }

    /// A fault at its place.
    pub fn fault(&self, message: impl Into<String>, hint: impl Into<String>) -> Fault {
        Fault::new(message).at(self.at.clone()).hint(hint)
    }

    /// Reads the side to move.
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

/// The results that end a game's moves.
pub const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// The move in a word, without the number before it. Nothing where the word is none: a number such as `12.` or `3...`, a
/// result, an annotation (`$14`, `!?`, `e.p.`), a comment in braces, a variation in brackets.
///
/// ```
/// use plyscope::engine::game::move_in;
/// let words = ["1.", "e4", "{best}", "e5", "2.Nf3", "$6", "1/2-1/2"];
/// let moves: Vec<_> = words.into_iter().filter_map(move_in).collect();
/// assert_eq!(moves, ["e4", "e5", "Nf3"]);
/// ```
pub fn move_in(word: &str) -> Option<&str> {
    let unnumbered = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let bare = match unnumbered.trim_start_matches('.') {
        bare if bare.len() < unnumbered.len() => bare,
        _ => word,
    };
    let aside = word.starts_with(['$', '{', '(']) || RESULTS.contains(&word) || bare == "e.p.";
    (!aside && !bare.trim_matches(['!', '?']).is_empty()).then_some(bare)
}

/// Has serde write a type as its text, and read it with its own reader and that reader's faults.
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
