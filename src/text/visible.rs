//! Text from files and users as it may go to a terminal: seen, and never obeyed; and what stands for signs that a terminal
//! cannot show.

use std::borrow::Cow;

/// Whether a terminal would obey a character where it should show it: controls but for newline and tab, and what
/// turns the direction of writing or breaks lines unseen.
pub fn steers(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            true
        }
        other => other.is_control(),
    }
}

/// The text with each such character written out, as in `\u{1b}`.
pub fn visible(text: &str) -> Cow<'_, str> {
    written_out(text, |character| character.escape_unicode().to_string())
}

/// The same within the strings of JSON, where the text means what it meant.
pub fn visible_json(text: &str) -> Cow<'_, str> {
    written_out(text, |character| format!("\\u{:04x}", u32::from(character)))
}

/// The same for text that is being typed: a sign of one column each, so that the cursor stays where it is.
pub fn stand_in(text: &str) -> Cow<'_, str> {
    written_out(text, |_| '␦'.to_string())
}

fn written_out(text: &str, write: impl Fn(char) -> String) -> Cow<'_, str> {
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let written = |sign| if steers(sign) { write(sign) } else { String::from(sign) };
    Cow::Owned(text.chars().map(written).collect())
}

const PIECES: [&str; 12] = ["K", "Q", "R", "B", "N", "P", "k", "q", "r", "b", "n", "p"];
const DIGITS: [&str; 9] = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

/// What stands for a sign that is not of ASCII; several where one would make it meaningless.
pub fn ascii(c: char) -> &'static str {
    match c {
        '─' | '—' | '–' | '−' | '⁻' | '▬' => "-",
        '━' | '═' => "=",
        '│' | '║' | '‖' | '█' => "|",
        '◆' => "@",
        '◇' => "!",
        '●' => "W",
        '○' => "B",
        '◉' => "w",
        '♔'..='♙' => PIECES[(c as usize - '♔' as usize) % 6],
        '♚'..='♟' => PIECES[6 + (c as usize - '♚' as usize) % 6],
        '┬' => "Y",
        '┃' | '▓' | '▪' | '■' | '▇' | '▉'..='▏' => "#",
        '▁' | '▂' | '░' | '·' | '•' => ".",
        '▸' | '›' | '▶' => ">",
        '‹' | '←' | '◀' => "<",
        '↑' => "^",
        '↓' | '▾' => "v",
        '①'..='⑨' => DIGITS[(c as usize - '①' as usize) % DIGITS.len()],
        // Half of its dots or more.
        '\u{2801}'..='\u{28ff}' if (c as u32 & 0xff).count_ones() < 4 => ".",
        '▃' | '▄' | '\u{2801}'..='\u{28ff}' => ":",
        '\u{2800}' => " ",
        'α' => "a",
        'β' | '◎' => "b",
        '✂' | '×' => "x",
        '▅' | '▆' | '⁺' | '✓' | '\u{2500}'..='\u{257f}' => "+",
        '≥' => ">=",
        '≤' => "<=",
        '…' => "...",
        '±' => "+-",
        '→' => "->",
        '∞' => "inf",
        _ => "?",
    }
}
