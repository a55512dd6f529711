//! Did you mean …?

use std::cmp::Reverse;

use super::game::Fault;

const OFFERED: usize = 3;

/// The names that were perhaps meant, the likeliest first.
pub fn similar<'n>(typed: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let mut ranked: Vec<(usize, Reverse<usize>, &str)> = names
        .into_iter()
        .filter_map(|name| {
            let distance = distance(typed, name)?;
            let alike = typed.chars().zip(name.chars()).take_while(|(a, b)| a == b).count();
            Some((distance, Reverse(alike), name))
        })
        .collect();
    ranked.sort_unstable();
    ranked.dedup();
    let best = ranked.first().map_or(0, |first| first.0);
    let offered = ranked.iter().take_while(|name| name.0 <= best + 1).take(OFFERED);
    offered.map(|name| name.2).collect()
}

/// The hint itself, or nothing where no name comes near.
pub fn did_you_mean<'n>(typed: &str, names: impl IntoIterator<Item = &'n str>) -> Option<String> {
    let names = similar(typed, names);
    (!names.is_empty()).then(|| format!("did you mean {}?", one_of(&names)))
}

/// `a`, `b` or `c`.
pub fn one_of(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Slips of a finger between the two, if few enough: a third of the letters, and a beginning counts as one slip.
fn distance(typed: &str, name: &str) -> Option<usize> {
    let typed = typed.to_lowercase();
    if typed.len() > 1 && name.starts_with(&typed) {
        return Some(1);
    }
    // Long texts are no slips, and comparing them takes time.
    if typed.len() > 2 * name.len() + 2 {
        return None;
    }
    let slips = strsim::damerau_levenshtein(&typed, name);
    let letters = typed.chars().count().max(name.chars().count());
    (slips <= (letters / 3).max(1) && slips < letters).then_some(slips)
}

/// Refuses a name that cannot be typed as one word.
pub fn check_name(what: &str, name: &str) -> Result<(), Fault> {
    let fits = |letter: char| letter.is_alphanumeric() || "-_.+".contains(letter);
    if !name.is_empty() && name.chars().all(fits) {
        return Ok(());
    }
    Err(Fault::new(format!("a {what} cannot be called `{name}`"))
        .about_word(name)
        .hint("names are letters, digits, and - _ . +"))
}
