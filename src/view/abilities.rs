//! The characters and colours that a terminal can show, by the variables of its environment.

use super::Colour;

/// The characters and colours that a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abilities {
    /// Whether only ASCII can be shown: the locale is not UTF-8, or the terminal's font has few characters.
    pub ascii: bool,
    /// The colours.
    pub colour: Colour,
}

/// Terminals with eight colours, and those without colours, by the beginning of `TERM`.
const EIGHT: [&str; 7] = ["linux", "ansi", "pcansi", "cons25", "cygwin", "eterm", "hurd"];
const COLOURLESS: [&str; 13] = [
    "vt1",
    "vt2",
    "vt3",
    "vt4",
    "vt5",
    "dumb",
    "wy",
    "tvi",
    "adm",
    "hp",
    "xterm-mono",
    "xterm-vt",
    "sun",
];
/// Terminals whose font has neither pieces nor blocks.
const POOR_FONTS: [&str; 9] =
    ["linux", "ansi", "pcansi", "cons25", "vt1", "vt2", "vt3", "vt4", "vt5"];

impl Abilities {
    /// The abilities of the terminal of this process.
    pub fn of_environment() -> Self {
        Self::of(|name| std::env::var(name).ok())
    }

    /// The abilities that these environment variables describe: `TERM`, `COLORTERM`, and the first of `LC_ALL`, `LC_CTYPE` and
    /// `LANG` that is set.
    pub fn of(variable: impl Fn(&str) -> Option<String>) -> Self {
        let given = |name: &&str| variable(name).filter(|value| !value.is_empty());
        let term = given(&"TERM").unwrap_or_default().to_ascii_lowercase();
        let begins = |names: &[&str]| names.iter().any(|name| term.starts_with(name));
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(given);
        // Without a locale, UTF-8 is assumed: nearly every terminal of today shows it.
        let is_utf8 = locale.is_none_or(|locale| {
            let locale = locale.to_ascii_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        });
        let has_many = given(&"COLORTERM").is_some() || term.contains("256color");
        let colour = match () {
            () if has_many => Colour::On,
            () if begins(&COLOURLESS) => Colour::Off,
            () if term.ends_with("-16color") => Colour::Sixteen,
            () if begins(&EIGHT) => Colour::Eight,
            () => Colour::On,
        };
        Self { ascii: !is_utf8 || begins(&POOR_FONTS), colour }
    }
}
