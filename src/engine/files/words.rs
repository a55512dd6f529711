//! Messages for errors of the system and of RON documents.

use std::io;

use ron::Error;
use serde::{Serialize, de::DeserializeOwned};

use crate::engine::{game::Fault, suggest};

/// The message of a system error, without its number.
pub(super) fn system_message(error: &io::Error) -> String {
    error.to_string().split(" (os error ").next().unwrap_or_default().to_lowercase()
}

/// Writes a document as RON with one line for each part.
pub fn to_ron<T: Serialize>(document: &T) -> Result<String, Fault> {
    let pretty = ron::ser::PrettyConfig::new().depth_limit(3).struct_names(false);
    let text = ron::ser::to_string_pretty(document, pretty);
    text.map(|text| text + "\n")
        .map_err(|error| Fault::new(format!("the document cannot be written as RON: {error}")))
}

/// Reads a RON document, in which `Some(…)` around optional values may be left out.
pub fn from_ron<T: DeserializeOwned>(text: &str) -> Result<T, Fault> {
    let options =
        ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
    options.from_str(text).map_err(|error| {
        let (start, what) = (error.span.start, ron_message(&error.code));
        let remedy = match () {
            () if !text.trim_start().starts_with(['(', '/', '#']) => "give a file of this program",
            () if start.line >= text.lines().count() => "the file may be cut off there",
            () => "correct that place by hand",
        };
        Fault::new(format!("line {}, column {}: {what}", start.line, start.col))
            .hint(format!("{remedy}; nothing was changed"))
    })
}

/// The message of a RON error, without names of Rust types.
pub(crate) fn ron_message(error: &Error) -> String {
    let text = match error {
        Error::Eof => "the text ends too early",
        Error::ExpectedStructLike | Error::ExpectedNamedStructLike(_) => "a `(` is missing",
        Error::ExpectedDifferentStructName { .. } | Error::ExpectedStructName(_) => {
            "`( name: value, … )` belongs here"
        }
        Error::ExpectedIdentifier | Error::InvalidIdentifier(_) => "a name belongs here",
        Error::ExpectedStructLikeEnd | Error::ExpectedOptionEnd => "a `)` is missing",
        Error::ExpectedComma => "a comma or a closing bracket is missing",
        Error::ExpectedMapColon => "a `:` is missing between a name and its value",
        Error::ExpectedArray => "a list belongs here: `[ value, … ]`",
        Error::ExpectedArrayEnd => "a `]` is missing",
        Error::ExpectedMap => "`{ key: value, … }` belongs here",
        Error::ExpectedMapEnd => "a `}` is missing",
        Error::ExpectedOption => "`Some(value)` or `None` belongs here",
        Error::ExpectedInteger => "a whole number belongs here",
        Error::IntegerOutOfBounds => "the number is too large or too small for this place",
        Error::InvalidIntegerDigit { .. } => "this digit is not possible in the number",
        Error::ExpectedFloat | Error::FloatUnderscore | Error::UnderscoreAtBeginning => {
            "a number belongs here"
        }
        Error::ExpectedBoolean => "`true` or `false` belongs here",
        Error::ExpectedString => "a text in double quotes belongs here",
        Error::ExpectedStringEnd => "the closing quote of a text is missing",
        Error::UnclosedBlockComment | Error::UnclosedLineComment => "a comment has no end",
        Error::TrailingCharacters => "there is more text after the end",
        Error::ExceededRecursionLimit => "brackets are nested too deeply",
        Error::Utf8Error(_) => "the text is not UTF-8",
        _ => "",
    };
    match error {
        _ if !text.is_empty() => text.to_owned(),
        Error::UnexpectedChar(sign) => format!("`{sign}` cannot stand here"),
        Error::MissingStructField { field, .. } => format!("the field `{field}` is missing"),
        Error::DuplicateStructField { field, .. } => format!("the field `{field}` occurs twice"),
        Error::NoSuchStructField { expected, found, .. } => {
            let known = expected.iter().copied();
            let hint = suggest::did_you_mean(found, known)
                .unwrap_or_else(|| format!("the fields are {}", expected.join(", ")));
            format!("nothing is called `{found}` here; {hint}")
        }
        Error::NoSuchEnumVariant { expected, found, .. } => {
            format!("`{found}` is none of {}", expected.join(", "))
        }
        Error::InvalidValueForType { expected, found } => {
            format!("{expected} belongs here, not {found}")
        }
        Error::ExpectedDifferentLength { expected, found } => {
            format!("{expected} belongs here, not {found} of them")
        }
        other => other.to_string().replacen("Expected ", "what belongs here: ", 1),
    }
}
