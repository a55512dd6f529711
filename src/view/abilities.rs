//! The characters and colours that a terminal can show, judged by environment variables.

use super::Colour;

/// The characters and colours that a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abilities {
    /// Whether the terminal shows only ASCII: the locale is not UTF-8, or the font has few characters.
    pub ascii: bool,
    /// The colours that the terminal shows.
    pub colour: Colour,
}

/// The beginnings of `TERM` for terminals with eight colours, and for those without colours.
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
/// The beginnings of `TERM` for terminals whose font has neither chess pieces nor blocks.
const POOR_FONTS: [&str; 9] =
    ["linux", "ansi", "pcansi", "cons25", "vt1", "vt2", "vt3", "vt4", "vt5"];

impl Abilities {
    /// What the terminal of this process can show.
    pub fn of_environment() -> Self {
        Self::of(|name| std::env::var(name).ok())
    }

    /// What a terminal with these variables can show: `TERM`, `COLORTERM`, and the first set of `LC_ALL`, `LC_CTYPE`, `LANG`.
    pub fn of(variable: impl Fn(&str) -> Option<String>) -> Self {
        let given = |name: &&str| variable(name).filter(|value| !value.is_empty());
        let term = given(&"TERM").unwrap_or_default().to_ascii_lowercase();
        let begins = |names: &[&str]| names.iter().any(|name| term.starts_with(name));
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(given);
        // Without a locale, UTF-8 is assumed, which nearly every terminal of today shows.
        let is_utf8 = locale.is_none_or(|locale| {
            let locale = locale.to_ascii_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        });
        let colours = given(&"COLORTERM").map(|colours| colours.to_ascii_lowercase());
        let is_true = matches!(colours.as_deref(), Some("truecolor" | "24bit"));
        let colour = match () {
            // GNU screen passes on the variable, but not the colours.
            () if is_true && !term.starts_with("screen") => Colour::On,
            () if colours.is_some() || term.contains("256color") => Colour::Palette,
            () if begins(&COLOURLESS) => Colour::Off,
            () if term.ends_with("-16color") => Colour::Sixteen,
            () if begins(&EIGHT) => Colour::Eight,
            () => Colour::Palette,
        };
        Self { ascii: !is_utf8 || begins(&POOR_FONTS), colour }
    }
}
