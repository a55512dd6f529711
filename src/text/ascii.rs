//! What stands for signs that a terminal cannot show.

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
