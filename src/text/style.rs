//! Which characters the text is made of.

use super::visible;

/// Which characters may be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Nothing but bytes below 0x80.
    pub ascii: bool,
}

impl Style {
    const fn pick(self, unicode: &'static str, ascii: &'static str) -> &'static str {
        if self.ascii { ascii } else { unicode }
    }

    /// What has no value.
    pub const fn none(self) -> &'static str {
        self.pick("—", "-")
    }

    /// What goes on.
    pub const fn more(self) -> &'static str {
        self.pick("…", "...")
    }

    /// The line that is meant.
    pub const fn here(self) -> &'static str {
        self.pick("▸", ">")
    }

    /// What is finished.
    pub const fn done(self) -> &'static str {
        self.pick("✓", "+")
    }

    /// What is still to come.
    pub const fn to_come(self) -> &'static str {
        self.pick("·", ".")
    }

    /// What is cut off.
    pub const fn cut(self) -> &'static str {
        self.pick("✂", "x")
    }

    /// No bound.
    pub const fn infinity(self) -> &'static str {
        self.pick("∞", "inf")
    }

    /// The lower end of a window.
    pub const fn alpha(self) -> &'static str {
        self.pick("α", "alpha")
    }

    /// The upper end of a window.
    pub const fn beta(self) -> &'static str {
        self.pick("β", "beta")
    }

    /// Behind a number: the next one above it.
    pub const fn next_above(self) -> &'static str {
        self.pick("⁺", "+")
    }

    /// Behind a number: the next one below it.
    pub const fn next_below(self) -> &'static str {
        self.pick("⁻", "-")
    }

    /// What a `lower` or an `upper` bound says of a value; nothing for an exact one.
    pub fn bound(self, bound: &str) -> &'static str {
        match bound {
            "lower" => self.pick("≥", ">="),
            "upper" => self.pick("≤", "<="),
            _ => "",
        }
    }

    /// A cell of a bar.
    pub const fn bar(self) -> &'static str {
        self.pick("▪", "#")
    }

    /// Writes out what may not be used, in names of files and words from elsewhere.
    pub fn fold(self, text: &str) -> String {
        let text = visible(text).into_owned();
        if !self.ascii || text.is_ascii() {
            return text;
        }
        let mut folded = String::with_capacity(text.len());
        for character in text.chars() {
            match character {
                '…' => folded.push_str("..."),
                '—' | '–' => folded.push('-'),
                '∞' => folded.push_str("inf"),
                'α' => folded.push_str("alpha"),
                'β' => folded.push_str("beta"),
                '→' => folded.push_str("->"),
                '≥' => folded.push_str(">="),
                '≤' => folded.push_str("<="),
                '×' => folded.push('x'),
                '±' => folded.push_str("+/-"),
                ascii if ascii.is_ascii() => folded.push(ascii),
                other => folded.extend(other.escape_unicode()),
            }
        }
        folded
    }
}
