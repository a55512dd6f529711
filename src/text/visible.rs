//! Makes text from files and users harmless for a terminal, and replaces characters that a terminal cannot show.

use std::borrow::Cow;

/// Whether a character controls a terminal: a control character except newline and tab, or an invisible one that changes the
/// direction of text or breaks lines.
pub fn controls_terminal(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            true
        }
        other => other.is_control(),
    }
}

/// Escapes all characters that control a terminal, as in `\u{1b}`.
pub fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, |character| character.escape_unicode().to_string())
}

/// Escapes all characters that control a terminal as JSON does, so that the JSON text keeps its meaning.
pub fn visible_json(text: &str) -> Cow<'_, str> {
    escaped(text, |character| format!("\\u{:04x}", u32::from(character)))
}

/// Replaces each character that controls a terminal by one of the same width, so that an editor's cursor stays in its column.
pub fn stand_in(text: &str) -> Cow<'_, str> {
    escaped(text, |_| '␦'.to_string())
}

fn escaped(text: &str, write: impl Fn(char) -> String) -> Cow<'_, str> {
    if !text.contains(controls_terminal) {
        return Cow::Borrowed(text);
    }
    let written = |sign| if controls_terminal(sign) { write(sign) } else { String::from(sign) };
    Cow::Owned(text.chars().map(written).collect())
}

/// Replaces all characters that are not ASCII by [`ascii`]; variation selectors are removed.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for sign in text.chars().filter(|sign| *sign != '\u{fe0e}') {
        if sign.is_ascii() {
            folded.push(sign);
        } else {
            folded.push_str(ascii(sign));
        }
    }
    folded
}

const PIECES: [&str; 12] = ["K", "Q", "R", "B", "N", "P", "k", "q", "r", "b", "n", "p"];
const DIGITS: [&str; 9] = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

/// The ASCII text for a character; several letters where one letter would lose the meaning.
pub fn ascii(c: char) -> &'static str {
    match c {
        '─' | '—' | '–' | '−' | '⁻' | '▬' => "-",
        '━' | '═' => "=",
        '│' | '║' | '‖' | '▏' => "|",
        '◆' => "@",
        '◇' => "!",
        '●' => "W",
        '○' => "B",
        '◉' => "w",
        '♔'..='♙' => PIECES[(c as usize - '♔' as usize) % 6],
        '♚'..='♟' => PIECES[6 + (c as usize - '♚' as usize) % 6],
        '┬' => "Y",
        '┃' | '▓' | '▪' | '■' | '▇' | '█'..='▎' => "#",
        '▁' | '▂' | '░' | '▒' | '·' | '•' => ".",
        '▸' | '›' | '▶' => ">",
        '‹' | '←' | '◀' => "<",
        '↑' => "^",
        '↓' | '▾' => "v",
        '①'..='⑨' => DIGITS[(c as usize - '①' as usize) % DIGITS.len()],
        // Braille cells with fewer than half of the eight dots.
        '\u{2801}'..='\u{28ff}' if (c as u32 & 0xff).count_ones() < 4 => ".",
        '▃' | '▄' | '\u{2801}'..='\u{28ff}' => ":",
        '\u{2800}' => " ",
        'α' => "alpha",
        'β' => "beta",
        '◎' => "b",
        '✂' | '×' | '✗' => "x",
        '▔' | '▀' => "'",
        '✓' => "/",
        '★' => "*",
        '▅' | '▆' | '⁺' | '\u{2500}'..='\u{257f}' => "+",
        '≥' => ">=",
        '≤' => "<=",
        '…' => "...",
        '±' => "+-",
        '→' => "->",
        '∞' => "inf",
        _ => "?",
    }
}
