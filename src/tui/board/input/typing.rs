//! Moves that are typed on the board: `e4`, `Nf3`, `e2e4`, `O-O`; `d6`, `f2-f4`, `f2-f4xd5`.

use super::{MoveEntry, MoveStep, names};
use crate::engine::session::{
    position::BoardReport,
    reply::{BoardKind, BoardMove},
};

/// The greatest number of moves listed while a move is typed; the others are counted.
const LISTED: usize = 6;
/// The letters of pieces, and the letter that begins castling.
const PIECES: &str = "NBRQKO";

/// The legal moves that a typed text may mean.
#[derive(Debug, Default)]
pub(super) struct Matching<'r> {
    /// The moves of which the text is the whole notation.
    pub(super) complete: Vec<&'r BoardMove>,
    /// The moves whose notation is longer than the text and begins with it.
    pub(super) longer: Vec<&'r BoardMove>,
}

/// The characters that begin a typed move: file letters (also those that a board lacks, so that a slip reaches no other pane), and
/// in chess the letters of pieces; `n` is a knight, too.
pub fn first_letters(report: &BoardReport) -> &'static str {
    match report.board.kind {
        BoardKind::Squares => "abcdefghNBRQKOn",
        BoardKind::Lines => "abcdefgh",
    }
}

/// Whether a text begins with the letter of a piece or of castling.
pub(super) fn names_piece(text: &str) -> bool {
    text.starts_with(|sign| PIECES.contains(sign))
}

pub(super) fn point(report: &BoardReport, text: &str) -> Option<usize> {
    report.board.points.iter().position(|point| point.name == text)
}

pub(super) fn last_point(report: &BoardReport, text: &str) -> Option<usize> {
    let (at, _) = text.char_indices().nth_back(1)?;
    point(report, &text[at..])
}

/// The text without the signs that are optional in notations.
fn bare(text: &str) -> String {
    let signs = ['-', 'x', '=', '+', '#'];
    let text: String = text.chars().filter(|sign| !signs.contains(sign)).collect();
    // The letter of a promotion may be typed in either case.
    let last = text.char_indices().next_back().filter(|(at, _)| *at > 0);
    match last.filter(|(_, sign)| "qrn".contains(*sign)) {
        Some((at, sign)) => format!("{}{}", &text[..at], sign.to_ascii_uppercase()),
        None => text,
    }
}

/// The legal moves that a text may mean, given the steps chosen so far.
pub(super) fn matching<'r>(
    report: &'r BoardReport,
    entry: &MoveEntry,
    typed: &str,
) -> Matching<'r> {
    let text = bare(typed);
    let mut found = Matching::default();
    // The signs of captures and promotions may be left out, but stand for nothing else.
    let is_meant = |mv: &BoardMove| {
        (!typed.contains('x') || takes(report, mv))
            && (!typed.contains('=') || mv.promotion.is_some())
    };
    for (mv, steps) in entry.moves(report).filter(|(mv, _)| is_meant(mv)) {
        let spelled = spellings(report, mv, &steps, entry.0.len());
        let list = if spelled.contains(&text) {
            &mut found.complete
        } else if spelled.iter().any(|spelled| spelled.starts_with(&text)) {
            &mut found.longer
        } else {
            continue;
        };
        if !list.contains(&mv) {
            list.push(mv);
        }
    }
    let complete = &found.complete;
    found.longer.retain(|mv| !complete.contains(mv));
    found
}

impl Matching<'_> {
    pub(super) const fn is_empty(&self) -> bool {
        self.complete.is_empty() && self.longer.is_empty()
    }

    /// The stones that can be captured, if all moves that begin with the text close a mill.
    pub(super) fn captures(&self, report: &BoardReport) -> Vec<usize> {
        if report.board.kind == BoardKind::Squares {
            return Vec::new();
        }
        let take = self.longer.iter().all(|mv| !mv.captures.is_empty());
        let moves = self.longer.iter().filter(|_| take && self.complete.is_empty());
        moves.flat_map(|mv| mv.captures.clone()).collect()
    }
}

/// Whether a move captures.
fn takes(report: &BoardReport, mv: &BoardMove) -> bool {
    let is_diagonal = |from: usize| name(report, from)[..1] != name(report, mv.to)[..1];
    let is_pawn = |from: &usize| report.board.points[*from].piece == Some('P');
    let stone = report.board.points[mv.to].stone;
    stone.is_some() || !mv.captures.is_empty() || mv.from.filter(is_pawn).is_some_and(is_diagonal)
}

/// The texts that may be typed for a move, given the steps chosen so far.
fn spellings(
    report: &BoardReport,
    mv: &BoardMove,
    steps: &[MoveStep],
    chosen: usize,
) -> Vec<String> {
    let written = |step: &MoveStep| match step {
        MoveStep::Become(letter) => letter.to_string(),
        MoveStep::From(point) | MoveStep::To(point) | MoveStep::Capture(point) => {
            name(report, *point).to_owned()
        }
    };
    let mut all = vec![steps[chosen..].iter().map(written).collect::<String>()];
    let piece = mv.from.and_then(|from| Some((from, report.board.points[from].piece?)));
    let Some((from, letter)) = piece.filter(|_| chosen == 0) else {
        return all;
    };
    let (from, to) = (name(report, from), name(report, mv.to));
    let (file, rank) = from.split_at(1);
    let becomes = mv.promotion.map(String::from).unwrap_or_default();
    if letter == 'P' {
        let is_capture = !to.starts_with(file);
        all.push(format!("{}{to}{becomes}", if is_capture { file } else { "" }));
        return all;
    }
    all.extend(["", file, rank, from].map(|which| format!("{letter}{which}{to}")));
    match (letter, file, &to[..1]) {
        ('K', "e", "g") => all.push("OO".to_owned()),
        ('K', "e", "c") => all.push("OOO".to_owned()),
        _ => {}
    }
    all
}

/// The text being typed with its possible continuations, or why it is not a move.
pub(super) fn words(report: &BoardReport, entry: &MoveEntry, typed: &str) -> String {
    let found = matching(report, entry, typed);
    let mut moves: Vec<_> =
        found.complete.iter().chain(&found.longer).map(|mv| name_of(report, mv, typed)).collect();
    moves.sort();
    let mill = if found.captures(report).is_empty() { "" } else { "a mill takes a stone: " };
    let listed = || format!("{mill}{}", moves.join(" "));
    let more = match (moves.len(), found.complete.len()) {
        _ if report.finished => format!("{}; Esc cancels", refusal(report, entry, typed)),
        (0, _) => format!("{}; Esc cancels", refusal(report, entry, typed)),
        (_, 1) => {
            format!("Enter plays {}; or {}", name_of(report, found.complete[0], typed), listed())
        }
        (_, 2..) => format!("is one of {}", listed()),
        (..=LISTED, _) => listed(),
        (several, _) => format!("{several} moves"),
    };
    let chosen = match entry.0.as_slice() {
        [] => String::new(),
        steps => format!("{} ", names(report, steps)),
    };
    format!("{}: {chosen}{typed}_  {more}", report.side)
}

/// The shortest usual notation of a move that continues the text, without `+` or `#`.
fn name_of(report: &BoardReport, mv: &BoardMove, typed: &str) -> String {
    let piece = mv.from.and_then(|from| Some((from, report.board.points[from].piece?)));
    let Some((from, letter)) = piece else {
        return mv.mv.clone();
    };
    let (from, to) = (name(report, from), name(report, mv.to));
    let taken = report.board.points[mv.to].stone.is_some();
    match (letter, &from[..1], &to[..1]) {
        ('K', "e", "g") => return "O-O".to_owned(),
        ('K', "e", "c") => return "O-O-O".to_owned(),
        ('P', file, other) => {
            let becomes = mv.promotion.map_or_else(String::new, |letter| format!("={letter}"));
            let capture = if file == other { String::new() } else { format!("{file}x") };
            return format!("{capture}{to}{becomes}");
        }
        _ => {}
    }
    let typed = bare(typed);
    let is_only = |which: &&&str| {
        let text = format!("{letter}{which}{to}");
        (!typed.starts_with(letter) || text.starts_with(&typed))
            && matching(report, &MoveEntry::default(), &text).complete.len() == 1
    };
    let all = ["", &from[..1], &from[1..], from];
    let which = all.iter().find(is_only).unwrap_or(&from);
    format!("{letter}{which}{}{to}", if taken { "x" } else { "" })
}

/// Why no legal move begins with the text.
fn refusal(report: &BoardReport, entry: &MoveEntry, typed: &str) -> String {
    let side = report.side;
    if report.finished {
        return format!("the game is over: {}", report.words);
    }
    let to = last_point(report, typed);
    let owner = to.and_then(|to| report.board.points[to].stone);
    let piece = typed.chars().next().filter(|first| PIECES.contains(*first));
    let squares = report.board.kind == BoardKind::Squares;
    let check = report.in_check();
    match (to, owner, piece) {
        _ if typed.starts_with('O') => format!("{side} cannot castle so now"),
        (Some(to), Some(own), _) if own == side && typed.len() > 2 => {
            let what = if squares { "piece" } else { "stone" };
            format!("a {what} of {side} is on {}", name(report, to))
        }
        (Some(to), _, Some(piece)) => {
            let kind = match piece {
                'N' => "knight",
                'B' => "bishop",
                'R' => "rook",
                'Q' => "queen",
                _ => "king",
            };
            format!("{check}no {kind} of {side} can go to {}", name(report, to))
        }
        (Some(to), None, _) if typed.len() == 2 && squares && entry.0.is_empty() => {
            format!("{check}no pawn of {side} can go to {}", name(report, to))
        }
        (Some(to), ..) if typed.len() == 2 => {
            let mut entry = entry.clone();
            entry.choose(report, to).err().unwrap_or_else(|| "Enter chooses the piece".to_owned())
        }
        (Some(to), ..) => {
            let first = typed.get(..2).and_then(|first| point(report, first));
            let why = first.and_then(|first| entry.clone().choose(report, first).err());
            why.unwrap_or_else(|| format!("{check}no such move goes to {}", name(report, to)))
        }
        (None, ..) if typed.len() == 2 && piece.is_none() => {
            format!("there is no {} {typed}", if squares { "square" } else { "point" })
        }
        (None, ..) => "no legal move begins so".to_owned(),
    }
}

fn name(report: &BoardReport, point: usize) -> &str {
    &report.board.points[point].name
}
