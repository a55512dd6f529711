//! Positions as text: this program's notation, and the tuples that the seeds print in Python.

use std::{
    fmt::{self, Write as _},
    ops::Range,
    str::FromStr,
};

use super::{Point, PointSet, Position, Setup, position::Places};
use crate::engine::{
    files,
    game::{Fault, Side, serde_as_text},
};

const SHAPE: &str =
    "a position is RING0/RING1/RING2 SIDE HANDW HANDB, such as ......../......../........ w 9 9";
const TUPLE: &str = "a Python state is ((HANDW, HANDB), (RING0, RING1, RING2)) SIDE, each ring a tuple of eight ' ', 'w' or 'b'";
const RINGS: [&str; 3] = ["outer", "middle", "inner"];

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for point in Point::all() {
            if point.cell() == 0 && point.ring() > 0 {
                f.write_str("/")?;
            }
            let cell = self.at(point).map_or('.', Side::letter);
            write!(f, "{cell}")?;
        }
        let [white, black] = self.hand;
        write!(f, " {} {white} {black}", self.side.letter())
    }
}

impl FromStr for Position {
    type Err = Fault;

    /// Reads this program's notation or a Python tuple, and lists every fault there is.
    fn from_str(text: &str) -> Result<Self, Fault> {
        let mut draft = PositionDraft::default();
        if text.trim_start().starts_with('(') {
            draft.read_tuple(text);
        } else {
            draft.read_rings(text);
        }
        draft.finish()
    }
}

serde_as_text!(Position);

/// A state as Python prints it. Whose turn it is, it does not say.
pub(super) fn format_tuple(position: &Position) -> String {
    let [white, black] = Side::ALL.map(|side| position.hand(side));
    let mut text = format!("(({white}, {black}), (");
    for point in Point::all() {
        let before = match (point.cell(), point.ring()) {
            (0, 0) => "(",
            (0, _) => "), (",
            _ => ", ",
        };
        let cell = position.at(point).map_or(' ', Side::letter);
        let _ = write!(text, "{before}'{cell}'");
    }
    text.push_str(")))");
    text
}

/// Reads a state of a log, in either notation.
pub(super) fn parse_logged(text: &str, side: Side) -> Result<Position, Fault> {
    if text.starts_with('(') { format!("{text} {}", side.letter()).parse() } else { text.parse() }
}

/// A position being read: what was understood, where it stood, and what was wrong so far.
#[derive(Default)]
struct PositionDraft {
    stones: [PointSet; 2],
    hand: [u32; 2],
    side: Option<Side>,
    places: Places,
    faults: Vec<Fault>,
}

/// A word and where it starts.
type Word<'a> = (usize, &'a str);

impl PositionDraft {
    fn finish(mut self) -> Result<Position, Fault> {
        let setup =
            Setup { stones: self.stones, hand: self.hand, side: self.side.unwrap_or(Side::White) };
        self.faults.extend(setup.faults_at(&self.places));
        Fault::merge(self.faults).map_or_else(|| setup.position(), Err)
    }

    fn fault(&mut self, at: Range<usize>, message: impl Into<String>, hint: &str) {
        self.faults.push(Fault::new(message).at(at).hint(hint));
    }

    fn read_rings(&mut self, text: &str) {
        let mut words = words(text).into_iter();
        let mut next = |draft: &mut Self, what: &str| {
            let word = words.next();
            if word.is_none() {
                let end = text.len();
                draft.fault(end..end, format!("{what} missing"), SHAPE);
            }
            word
        };
        if let Some(word) = next(self, "the board is") {
            self.board(word);
        }
        if let Some(word) = next(self, "the side to move is") {
            self.side_letter(word);
        }
        for side in Side::ALL {
            if let Some(word) = next(self, &format!("{side}'s hand is")) {
                self.hand_number(word, side);
            }
        }
        if let Some((at, extra)) = words.next() {
            let rest = text[at..].trim_end();
            let message = format!("`{extra}` follows a complete position");
            self.fault(at..at + rest.len(), message, SHAPE);
        }
    }

    fn board(&mut self, (at, text): Word) {
        let place = at..at + text.len();
        self.places.stones = [Some(place.clone()), Some(place.clone())];
        let rings = text.split('/').count();
        if rings != 3 {
            let message = format!("the board has {rings} ring{}, not 3", plural(rings));
            let hint = "write three rings, outer to inner, `/` between";
            self.fault(place, message, hint);
        }
        // A word, or the ranks of a chess board: nothing more is to be said of its cells.
        if !(2..=3).contains(&rings) {
            return;
        }
        let mut start = at;
        for (ring, cells) in text.split('/').enumerate() {
            for (cell, (offset, letter)) in cells.char_indices().enumerate() {
                let place = start + offset..start + offset + letter.len_utf8();
                self.cell(ring, cell, letter, place);
            }
            let length = cells.chars().count();
            self.ring_length(ring, length, start..start + cells.len());
            start += cells.len() + 1;
        }
    }

    /// One cell of the board. Cells beyond the eighth are the ring's fault, not their own.
    fn cell(&mut self, ring: usize, cell: usize, letter: char, place: Range<usize>) {
        let side = match letter {
            'w' | 'W' => Side::White,
            'b' | 'B' => Side::Black,
            '.' | ' ' => return,
            _ => {
                let message =
                    format!("{} ring, cell {cell}: `{letter}` is not w, b or .", RINGS[ring]);
                let hint = "w and b are stones, . is an empty point";
                return self.fault(place, message, hint);
            }
        };
        if let Some(point) = Point::new(ring * 8 + cell).filter(|_| cell < 8) {
            let stones = &mut self.stones[side.index()];
            *stones = *stones | point.into();
        }
    }

    fn ring_length(&mut self, ring: usize, length: usize, place: Range<usize>) {
        if length != 8 {
            let message =
                format!("the {} ring has {length} cell{}, not 8", RINGS[ring], plural(length));
            let hint = "cells run clockwise from the top-left corner";
            self.fault(place, message, hint);
        }
    }

    fn side_letter(&mut self, (at, text): Word) {
        self.side = match text {
            "w" | "W" => Some(Side::White),
            "b" | "B" => Some(Side::Black),
            _ => {
                let message = format!("the side to move is `{text}`, not w or b");
                return self.fault(at..at + text.len(), message, "write w for White, b for Black");
            }
        };
    }

    fn hand_number(&mut self, (at, text): Word, side: Side) {
        let place = at..at + text.len();
        self.places.hand[side.index()] = Some(place.clone());
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            let message = format!("{side}'s hand is `{text}`, not a number");
            return self.fault(place, message, "a hand is a number of stones, 0 to 9");
        }
        // Too long for the type is too many stones as well.
        self.hand[side.index()] = text.parse().unwrap_or(u32::MAX);
    }

    /// Reads a tuple of hands and rings, which the readers of RON understand as it is, and the side after it.
    fn read_tuple(&mut self, text: &str) {
        let end = text.rfind(')').map_or(0, |last| last + 1);
        let tuple = text[..end].replace('"', "'");
        let read = ron::from_str::<([u32; 2], [[char; 8]; 3])>(&tuple);
        let (hand, rings) = match read {
            Ok(read) => read,
            Err(error) => {
                let at = place_in(text, error.span.start.line, error.span.start.col);
                return self.fault(at..at, files::of_ron(&error.code), TUPLE);
            }
        };
        self.hand = hand;
        let hands = text.find(')').map_or(end, |last| last + 1);
        self.places.hand = [Some(0..hands), Some(0..hands)];
        self.places.stones = [Some(hands..end), Some(hands..end)];
        let opening: Vec<_> = tuple.match_indices('\'').step_by(2).collect();
        let cells = rings.into_iter().flatten().zip(opening);
        for (index, (letter, (quote, _))) in cells.enumerate() {
            // Where a letter was written as an escape, its place is not known.
            let place = Some(quote + 1..quote + 1 + letter.len_utf8());
            let place =
                place.filter(|at| text.get(at.clone()) == Some(letter.encode_utf8(&mut [0; 4])));
            let place = place.unwrap_or(hands..end);
            self.cell(index / 8, index % 8, letter, place);
        }
        let rest = text[end..].trim_end();
        let bare = rest.trim_start_matches([',', ' ', '\'', '"']);
        let bare = bare.trim_end_matches(['\'', '"']);
        if !bare.is_empty() {
            let indent = rest.find(bare).unwrap_or(0);
            return self.side_letter((end + indent, bare));
        }
        self.side = side_of_hands(hand);
        if self.side.is_none() {
            let message = "the side to move is missing, and these hands do not tell it";
            let hint = "write w or b after the state";
            self.fault(text.len()..text.len(), message, hint);
        }
    }
}

/// Whose turn the hands imply while stones are being placed: white places first.
fn side_of_hands([white, black]: [u32; 2]) -> Option<Side> {
    if white == black && white > 0 {
        Some(Side::White)
    } else {
        (black.checked_sub(1) == Some(white)).then_some(Side::Black)
    }
}

/// Where in a text a line and column are, both counted from 1.
fn place_in(text: &str, line: usize, column: usize) -> usize {
    let before = text.split_inclusive('\n').take(line.saturating_sub(1));
    let start: usize = before.map(str::len).sum();
    let mut letters = text[start..].char_indices();
    let letter = letters.nth(column.saturating_sub(1));
    letter.map_or(text.len(), |(at, _)| start + at)
}

fn words(text: &str) -> Vec<Word<'_>> {
    let start = text.as_ptr() as usize;
    text.split_whitespace().map(|word| (word.as_ptr() as usize - start, word)).collect()
}

const fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
