//! Moves among the words of a game, and types that serde writes as their text.

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
