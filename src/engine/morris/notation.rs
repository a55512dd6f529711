//! Positions as text: this program's notation, and the Python tuples that the seeds print.

use std::{fmt, ops::Range, str::FromStr};

use super::{Point, PointSet, Position, Setup, position::Places};
use crate::{
    engine::{
        files,
        game::{Fault, Result, Side, Word, serde_as_text},
    },
    text::counted,
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

    /// Reads this program's notation or a Python tuple. The fault lists all that is wrong.
    fn from_str(text: &str) -> Result<Self> {
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

/// A position being read, with the places of its parts in the text and the faults found so far.
#[derive(Default)]
struct PositionDraft {
    stones: [PointSet; 2],
    hand: [u32; 2],
    side: Option<Side>,
    places: Places,
    faults: Vec<Fault>,
}

impl PositionDraft {
    fn finish(mut self) -> Result<Position> {
        let setup =
            Setup { stones: self.stones, hand: self.hand, side: self.side.unwrap_or(Side::White) };
        self.faults.extend(setup.faults_at(&self.places));
        Fault::merge(self.faults).map_or_else(|| setup.position(), Err)
    }

    fn fault(&mut self, at: Range<usize>, message: impl Into<String>, hint: &str) {
        self.faults.push(Fault::new(message).at(at).hint(hint));
    }

    fn read_rings(&mut self, text: &str) {
        let words = Word::all(text);
        if let Some(board) = words.first() {
            self.board(board);
        }
        if let Some(side) = words.get(1) {
            self.side_to_move(side);
        }
        for (side, hand) in Side::ALL.into_iter().zip(words.iter().skip(2)) {
            self.hand_number(hand, side);
        }
        let parts = ["the board", "the side to move", "White's hand", "Black's hand"];
        for part in parts.iter().skip(words.len()) {
            self.fault(text.len()..text.len(), format!("{part} is missing"), SHAPE);
        }
        if let Some(extra) = words.get(4) {
            let message = format!("`{}` follows a complete position", extra.text);
            self.fault(extra.at.start..text.trim_end().len(), message, SHAPE);
        }
    }

    fn board(&mut self, board: &Word<'_>) {
        self.places.stones = [Some(board.at.clone()), Some(board.at.clone())];
        let rings = board.split(|letter| letter == '/');
        if rings.len() != 3 {
            let message =
                format!("the board has {}, not 3", counted(rings.len() as u64, "ring", "rings"));
            let hint = "write three rings, outer to inner, `/` between";
            self.fault(board.at.clone(), message, hint);
        }
        // The word is not a morris board, perhaps a chess board: a list of faults in its cells would not help.
        if !(2..=3).contains(&rings.len()) {
            return;
        }
        for (ring, cells) in rings.into_iter().enumerate() {
            for (cell, (letter, place)) in cells.letters().enumerate() {
                self.cell(ring, cell, letter, place);
            }
            let length = cells.text.chars().count();
            if length != 8 {
                let length = counted(length as u64, "cell", "cells");
                let message = format!("the {} ring has {length}, not 8", RINGS[ring]);
                self.fault(cells.at, message, "cells run clockwise from the top-left corner");
            }
        }
    }

    /// Reads one cell of the board. Cells after the eighth are ignored, because the length of the ring is already a fault.
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

    fn side_to_move(&mut self, word: &Word<'_>) {
        match word.side() {
            Ok(side) => self.side = Some(side),
            Err(fault) => self.faults.push(fault),
        }
    }

    fn hand_number(&mut self, word: &Word<'_>, side: Side) {
        self.places.hand[side.index()] = Some(word.at.clone());
        if word.text.bytes().all(|byte| byte.is_ascii_digit()) {
            // A number too large for the type counts as too many stones.
            self.hand[side.index()] = word.text.parse().unwrap_or(u32::MAX);
        } else {
            let message = format!("{side}'s hand is `{}`, not a number", word.text);
            self.faults.push(word.fault(message, "a hand is a number of stones, 0 to 9"));
        }
    }

    /// Reads a Python tuple of hands and rings, and the side after it. With its quotes replaced, the tuple is valid RON.
    fn read_tuple(&mut self, text: &str) {
        let end = text.rfind(')').map_or(0, |last| last + 1);
        let read = ron::from_str::<([u32; 2], [[char; 8]; 3])>(&text[..end].replace('"', "'"));
        let (hand, rings) = match read {
            Ok(read) => read,
            Err(error) => return self.fault(0..end, files::ron_message(&error.code), TUPLE),
        };
        self.hand = hand;
        let hands = text.find(')').map_or(end, |last| last + 1);
        self.places.hand = [Some(0..hands), Some(0..hands)];
        self.places.stones = [Some(hands..end), Some(hands..end)];
        for (index, letter) in rings.into_iter().flatten().enumerate() {
            self.cell(index / 8, index % 8, letter, hands..end);
        }
        let rest = &text[end..];
        let side = rest.trim_matches(|sign: char| sign.is_whitespace() || ",'\"".contains(sign));
        if !side.is_empty() {
            let begin = end + rest.find(side).unwrap_or(0);
            return self.side_to_move(&Word { text: side, at: begin..begin + side.len() });
        }
        // While stones are placed, the hands imply whose turn it is: White places first.
        self.side = match hand {
            [white, black] if white == black && white > 0 => Some(Side::White),
            [white, black] if black.checked_sub(1) == Some(white) => Some(Side::Black),
            _ => None,
        };
        if self.side.is_none() {
            let message = "the side to move is missing, and the hands do not imply it";
            let hint = "write w or b after the state";
            self.fault(text.len()..text.len(), message, hint);
        }
    }
}
