//! What the system and the readers of formats complain of, in words for people.

use std::io;

use ron::Error;

use crate::engine::suggest;

/// The system's own words, without its number.
pub(super) fn of_system(error: &io::Error) -> String {
    let text = error.to_string();
    let words = text.split(" (os error ").next().unwrap_or_default();
    words.to_lowercase()
}

/// What is wrong with a RON document, without the names that its parts have in this program.
pub(crate) fn of_ron(error: &Error) -> String {
    match error {
        Error::Eof => "the text ends too early".to_owned(),
        Error::ExpectedStructLike | Error::ExpectedNamedStructLike(_) => "a `(` is missing".into(),
        Error::ExpectedDifferentStructName { .. } | Error::ExpectedStructName(_) => {
            "`( name: value, … )` belongs here".to_owned()
        }
        Error::ExpectedStructLikeEnd => "a `)` is missing".to_owned(),
        Error::ExpectedComma => "a comma or a closing sign is missing".to_owned(),
        Error::TrailingCharacters => "there is more text behind the end".to_owned(),
        Error::MissingStructField { field, .. } => format!("the field `{field}` is missing"),
        Error::DuplicateStructField { field, .. } => format!("the field `{field}` is there twice"),
        Error::NoSuchStructField { expected, found, .. } => {
            let known = expected.iter().copied();
            let hint = suggest::did_you_mean(found, known)
                .unwrap_or_else(|| format!("there is {}", expected.join(", ")));
            format!("nothing is called `{found}` here; {hint}")
        }
        Error::ExpectedBoolean => "`true` or `false` belongs here".to_owned(),
        Error::ExpectedString => "a text in double quotes belongs here".to_owned(),
        Error::NoSuchEnumVariant { expected, found, .. } => {
            format!("`{found}` is none of {}", expected.join(", "))
        }
        other => other.to_string().replacen("Expected", "here belongs:", 1),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Wish {
        games: u32,
        draws: BTreeMap<String, String>,
    }

    #[test]
    fn documents_are_blamed_without_our_own_names() {
        for (text, words) in [
            ("", "a `(` is missing"),
            ("(games: 1", "a comma or a closing sign is missing"),
            ("(games: 1)", "the field `draws` is missing"),
            ("(games: 1, games: 1)", "the field `games` is there twice"),
            ("(colour: 1)", "nothing is called `colour` here; there is games, draws"),
            ("(games: 1, draws: {}) x", "there is more text behind the end"),
        ] {
            let error = ron::from_str::<Wish>(text).unwrap_err();
            assert_eq!(of_ron(&error.code), words, "{text}");
        }
    }

    #[test]
    fn the_systems_numbers_are_left_out() {
        let error = io::Error::from_raw_os_error(rustix::io::Errno::LOOP.raw_os_error());
        assert_eq!(of_system(&error), "too many levels of symbolic links");
    }
}
