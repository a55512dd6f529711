//! The seeds' states as Python prints them: `((9, 9), ((' ', 'w', …), …))`, the side to move after it.

use super::{Draft, Side, Word, plural};

const SHAPE: &str = "a Python state is ((HANDW, HANDB), (RING0, RING1, RING2)) SIDE, \
                     each ring a tuple of eight ' ', 'w' or 'b'";

/// What stops the reading: the rest cannot be understood.
struct Lost;

struct Reader<'a, 'd> {
    text: &'a str,
    at: usize,
    draft: &'d mut Draft,
}

impl Draft {
    pub(super) fn read_tuple(&mut self, text: &str) {
        let mut reader = Reader {
            text,
            at: 0,
            draft: self,
        };
        // Where it got lost is among the faults.
        let _ = reader.state();
    }

    /// Whose turn the hands imply while stones are being placed: white places first.
    fn side_of_hands(&self) -> Option<Side> {
        let [white, black] = self.hand;
        if white == black && white > 0 {
            Some(Side::White)
        } else if white + 1 == black {
            Some(Side::Black)
        } else {
            None
        }
    }
}

impl<'a> Reader<'a, '_> {
    fn state(&mut self) -> Result<(), Lost> {
        self.expect('(')?;
        self.hands()?;
        self.expect(',')?;
        self.board()?;
        self.skip(',');
        self.expect(')')?;
        self.side();
        Ok(())
    }

    fn hands(&mut self) -> Result<(), Lost> {
        let start = self.skip_space();
        let count = self.items(|reader, index| {
            let word = reader.word();
            if let Some(&side) = Side::ALL.get(index) {
                reader.draft.hand_number(word, side);
            }
            Ok(())
        })?;
        self.length(
            start,
            count,
            2,
            &format!("there are {count} hand{}, not 2", plural(count)),
        );
        Ok(())
    }

    fn board(&mut self) -> Result<(), Lost> {
        let start = self.skip_space();
        let rings = self.items(Self::ring)?;
        let place = start..self.at;
        self.draft.places.stones = [Some(place.clone()), Some(place)];
        let message = format!("the board has {rings} ring{}, not 3", plural(rings));
        self.length(start, rings, 3, &message);
        Ok(())
    }

    fn ring(&mut self, ring: usize) -> Result<(), Lost> {
        let start = self.skip_space();
        let cells = self.items(|reader, cell| reader.cell(ring, cell))?;
        if ring < 3 {
            self.draft.ring_length(ring, cells, start..self.at);
        }
        Ok(())
    }

    fn cell(&mut self, ring: usize, cell: usize) -> Result<(), Lost> {
        let start = self.skip_space();
        let rest = &self.text[start..];
        let quote = rest
            .chars()
            .next()
            .filter(|&letter| letter == '\'' || letter == '"');
        let Some((quote, inner)) = quote.zip(rest.get(1..)) else {
            return self.lost("a cell in quotes");
        };
        let Some(length) = inner.find(quote) else {
            return self.lost("a cell with both its quotes");
        };
        let place = start + 1..start + 1 + length;
        self.at = place.end + 1;
        let mut letters = inner[..length].chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) if ring < 3 => self.draft.cell(ring, cell, letter, place),
            (Some(_), None) => {}
            _ => {
                let message = format!("a cell is `{}`, not one letter", &inner[..length]);
                self.draft.fault(place, message, SHAPE);
            }
        }
        Ok(())
    }

    /// A tuple; returns the number of its items.
    fn items(
        &mut self,
        mut item: impl FnMut(&mut Self, usize) -> Result<(), Lost>,
    ) -> Result<usize, Lost> {
        self.expect('(')?;
        let mut count = 0;
        while !self.skip(')') {
            item(self, count)?;
            count += 1;
            if !self.skip(',') {
                self.expect(')')?;
                break;
            }
        }
        Ok(count)
    }

    fn length(&mut self, start: usize, count: usize, wanted: usize, message: &str) {
        if count != wanted {
            self.draft.fault(start..self.at, message, SHAPE);
        }
    }

    /// What is left is the side, perhaps after a comma and in quotes.
    fn side(&mut self) {
        self.skip(',');
        let start = self.skip_space();
        let rest = self.text[start..].trim_end();
        let bare = rest.trim_matches(['\'', '"']);
        if !bare.is_empty() {
            let indent = rest.find(bare).unwrap_or(0);
            return self.draft.side_letter((start + indent, bare));
        }
        self.draft.side = self.draft.side_of_hands();
        if self.draft.side.is_none() {
            let message = "the side to move is missing, and these hands do not tell it";
            let hint = "write w or b after the state";
            self.draft
                .fault(self.text.len()..self.text.len(), message, hint);
        }
    }

    /// The text up to the next comma, bracket or space.
    fn word(&mut self) -> Word<'a> {
        let start = self.skip_space();
        let rest = &self.text[start..];
        let ends = |letter: char| ",()".contains(letter) || letter.is_whitespace();
        let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
        self.at += word.len();
        (start, word)
    }

    fn skip_space(&mut self) -> usize {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.at
    }

    fn skip(&mut self, wanted: char) -> bool {
        self.skip_space();
        let found = self.text[self.at..].starts_with(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    fn expect(&mut self, wanted: char) -> Result<(), Lost> {
        if self.skip(wanted) {
            Ok(())
        } else {
            self.lost(&format!("`{wanted}`"))
        }
    }

    fn lost<T>(&mut self, wanted: &str) -> Result<T, Lost> {
        let rest = &self.text[self.at..];
        let (length, found) = rest.chars().next().map_or_else(
            || (0, "the end".to_owned()),
            |letter| (letter.len_utf8(), format!("`{letter}`")),
        );
        let message = format!("{wanted} expected, {found} found");
        self.draft.fault(self.at..self.at + length, message, SHAPE);
        Err(Lost)
    }
}
