//! Moves among the words of a game as people write it down.

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
