//! Reading positions: this program's notation and the seeds' Python tuples.

mod tuple;

use std::ops::Range;

use super::{Point, PointSet, Position, Setup, position::Places};
use crate::engine::game::{Fault, Side};

const SHAPE: &str =
    "a position is RING0/RING1/RING2 SIDE HANDW HANDB, such as ......../......../........ w 9 9";
const RINGS: [&str; 3] = ["outer", "middle", "inner"];

/// Reads either notation; the fault lists all there are.
pub(super) fn read_position(text: &str) -> Result<Position, Fault> {
    let mut draft = Draft::default();
    if text.trim_start().starts_with('(') {
        draft.read_tuple(text);
    } else {
        draft.read_rings(text);
    }
    draft.finish()
}

/// A position being read: what was understood, where it stood, and what was wrong so far.
#[derive(Default)]
struct Draft {
    stones: [PointSet; 2],
    hand: [u32; 2],
    side: Option<Side>,
    places: Places,
    faults: Vec<Fault>,
}

/// A word and where it starts.
type Word<'a> = (usize, &'a str);

impl Draft {
    fn finish(mut self) -> Result<Position, Fault> {
        let setup = Setup {
            stones: self.stones,
            hand: self.hand,
            side: self.side.unwrap_or(Side::White),
        };
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
                let message = format!(
                    "{} ring, cell {cell}: `{letter}` is not w, b or .",
                    RINGS[ring]
                );
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
            let message = format!(
                "the {} ring has {length} cell{}, not 8",
                RINGS[ring],
                plural(length)
            );
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
                return self.fault(
                    at..at + text.len(),
                    message,
                    "write w for White, b for Black",
                );
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
}

fn words(text: &str) -> Vec<Word<'_>> {
    let start = text.as_ptr() as usize;
    text.split_whitespace()
        .map(|word| (word.as_ptr() as usize - start, word))
        .collect()
}

const fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
