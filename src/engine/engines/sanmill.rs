//! The dialect of Sanmill, an engine for Nine Men's Morris: the points of a position are in another order, and each stone that
//! a move takes is a separate word.

/// The beginning of an option line that only Sanmill prints, by which the dialect is recognised.
pub(super) const SIGN: &str = "option name flyPieceCount ";
/// Options for this program's default rules: two mills closed at once take two stones, and a third repetition is no draw.
pub(super) const OPTIONS: [&str; 2] = [
    "setoption name MayRemoveMultiple value true",
    "setoption name ThreefoldRepetitionRule value false",
];
/// The limit of a search that only finds out whether a stone must still be taken.
pub(super) const CAPTURE_CHECK: &str = "depth 1";

/// Translates a UCI command `position` to Sanmill's dialect.
pub(super) fn position(command: &str) -> String {
    let words: Vec<_> = command.split_whitespace().collect();
    let (head, moves) = words.split_at(words.len().min(6));
    let start = match head {
        [_, _, "......../......../........", "w", "9", "9"] => "position startpos".to_owned(),
        [_, _, rings, side, white, black] => {
            let board = board(rings);
            let on_board = |stone| board.matches(stone).count();
            let hand = if *side == "w" { white } else { black };
            let phase = if *hand == "0" { "m s" } else { "p p" };
            let counts = format!("{} {white} {} {black}", on_board('O'), on_board('@'));
            format!("position fen {board} {side} {phase} {counts} 0 0 0 0 0 0 0 0 1")
        }
        _ => command.to_owned(),
    };
    // The first word of `moves` is the word `moves` itself.
    moves.iter().skip(1).fold(start, |text, mv| with_move(&text, mv))
}

/// Adds a move to a `position` command; each stone that the move takes is a separate word.
pub(super) fn with_move(command: &str, mv: &str) -> String {
    let lead = if command.contains(" moves ") { "" } else { " moves" };
    format!("{command}{lead} {}", mv.replace('x', " x").trim())
}

/// The points ring by ring from inside out, each ring beginning at the middle of its upper side; `O` is White.
fn board(rings: &str) -> String {
    let sign = |stone| match stone {
        'w' => 'O',
        'b' => '@',
        _ => '*',
    };
    let ring = |ring: &str| -> String {
        ring.chars().cycle().skip(1).take(ring.len()).map(sign).collect()
    };
    rings.split('/').rev().map(ring).collect::<Vec<_>>().join("/")
}
