//! Suggestions for mistyped names.

use std::cmp::Reverse;

use super::fault::Fault;

const MOST: usize = 3;

/// Up to three names similar to the one typed, the most similar first.
pub fn similar<'n>(typed: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let mut ranked: Vec<(usize, Reverse<usize>, &str)> = names
        .into_iter()
        .filter_map(|name| {
            let distance = distance(typed, name)?;
            let common = typed.chars().zip(name.chars()).take_while(|(a, b)| a == b).count();
            Some((distance, Reverse(common), name))
        })
        .collect();
    ranked.sort_unstable();
    ranked.dedup();
    let best = ranked.first().map_or(0, |first| first.0);
    let nearest = ranked.iter().take_while(|name| name.0 <= best + 1).take(MOST);
    nearest.map(|name| name.2).collect()
}

/// The hint "did you mean …?"; `None` if no name is similar.
pub fn did_you_mean<'n>(typed: &str, names: impl IntoIterator<Item = &'n str>) -> Option<String> {
    let names = similar(typed, names);
    (!names.is_empty()).then(|| these(&names))
}

/// The hint "did you mean …?" with these names.
pub fn these(names: &[&str]) -> String {
    format!("did you mean {}?", listed_with_or(names))
}

/// The names as `a`, `b` or `c`, each in backquotes.
pub fn listed_with_or(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// The edit distance (Damerau-Levenshtein) of two words, 1 for a prefix or the same letters in another order; `None` if more than
/// a third of the letters differ.
fn distance(typed: &str, name: &str) -> Option<usize> {
    let typed = typed.to_lowercase();
    if typed.len() > 1 && name.starts_with(&typed) {
        return Some(1);
    }
    // The distance takes quadratic time. A text that is much longer than the name is not a typing error.
    if typed.len() > 2 * name.len() + 2 {
        return None;
    }
    let letters = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    if typed.len() > 2 && typed != name && letters(&typed) == letters(name) {
        return Some(1);
    }
    let edits = strsim::damerau_levenshtein(&typed, name);
    let longest = typed.chars().count().max(name.chars().count());
    (edits <= (longest / 3).max(1) && edits < longest).then_some(edits)
}

/// Checks that a name can be typed as a single word.
pub fn check_name(what: &str, name: &str) -> Result<(), Fault> {
    let fits = |letter: char| letter.is_alphanumeric() || "-_.+".contains(letter);
    if !name.is_empty() && name.chars().all(fits) {
        return Ok(());
    }
    Err(Fault::new(format!("a {what} cannot be called `{name}`"))
        .about_word(name)
        .hint("names are letters, digits, and - _ . +"))
}
