//! The colours in use, and how they are written for terminals with few colours.

use std::{
    ffi::OsStr,
    io::{self, Write},
};

use super::Abilities;

/// How many colours are used. No information is shown by colour alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// 24-bit colours.
    On,
    /// The 256-colour palette.
    Palette,
    /// The 16 ANSI colours: eight, and their bright forms.
    Sixteen,
    /// The eight ANSI colours.
    Eight,
    /// No colours: plain text.
    Off,
}

impl Colour {
    /// The colours that the terminal of this process shows; none if the environment variable `NO_COLOR` is set.
    pub fn for_terminal(is_terminal: bool) -> Self {
        match Self::choose(is_terminal, std::env::var_os("NO_COLOR").as_deref()) {
            Self::On => Abilities::of_environment().colour,
            off => off,
        }
    }

    /// Colours for a terminal, but none if `no_color`, the value of `NO_COLOR`, is set and not empty.
    pub fn choose(is_terminal: bool, no_color: Option<&OsStr>) -> Self {
        let refused = no_color.is_some_and(|value| !value.is_empty());
        if is_terminal && !refused { Self::On } else { Self::Off }
    }

    /// A text with an SGR escape sequence before it, with the parameters `style` such as `1;31`, and a reset after it.
    pub fn paint(self, style: &str, text: &str) -> String {
        match self {
            Self::Off => text.to_owned(),
            Self::On | Self::Palette => format!("\x1b[{style}m{text}\x1b[0m"),
            Self::Sixteen | Self::Eight => format!("\x1b[{}m{text}\x1b[0m", few(style)),
        }
    }
}

/// The parameters of an SGR escape sequence with ANSI codes in place of `38;5;N` and `48;5;N`, which terminals with 8 or 16
/// colours do not support. Colours become the nearest of the eight.
pub fn few(style: &str) -> String {
    let mut numbers = style.split(';');
    let mut all = Vec::new();
    while let Some(number) = numbers.next() {
        let base = match number {
            "38" => 30,
            "48" => 40,
            _ => {
                all.push(number.to_owned());
                continue;
            }
        };
        let index = numbers.nth(1).and_then(|index| index.parse().ok()).unwrap_or(7_u8);
        all.push(
            match index {
                ..8 => base + u32::from(index),
                8..16 => base + 60 + u32::from(index - 8),
                16..232 => {
                    let shade = |unit: u8| u32::from((index - 16) / unit % 6 > 2);
                    base + shade(36) + 2 * shade(6) + 4 * shade(1)
                }
                232.. => base + 7 * u32::from(index > 243),
            }
            .to_string(),
        );
    }
    all.join(";")
}

/// Writes frames with ANSI colours only. An escape sequence may arrive in parts, so each frame is written as a whole.
pub struct FewColours<W> {
    to: W,
    frame: Vec<u8>,
}

impl<W: Write> FewColours<W> {
    /// A writer that writes its frames to `to` when flushed.
    pub const fn new(to: W) -> Self {
        Self { to, frame: Vec::new() }
    }
}

impl<W: Write> Write for FewColours<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.frame.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let frame = String::from_utf8_lossy(&self.frame);
        let mut parts = frame.split("\x1b[");
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let end = part.find(|sign: char| !sign.is_ascii_digit() && sign != ';');
            let (numbers, rest) = part.split_at(end.unwrap_or(part.len()));
            let numbers = if rest.starts_with('m') { few(numbers) } else { numbers.to_owned() };
            text.extend(["\x1b[", &numbers, rest]);
        }
        self.frame.clear();
        self.to.write_all(text.as_bytes())?;
        self.to.flush()
    }
}
