//! The places of games in a file, found in one pass without reading moves.

use crate::engine::game::RESULTS;

/// The text that starts a game; it is recognised even inside a comment that is not closed.
const EVENT: &[u8] = b"[Event \"";

/// The byte order mark that a UTF-8 file may begin with.
const BYTE_ORDER_MARK: [u8; 3] = [0xef, 0xbb, 0xbf];

/// The place of a game in a file. The games of a file follow each other without a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameSpan {
    /// The offset of the game's first byte in the file.
    pub start: u64,
    /// The offset of the byte after the game's last byte.
    pub end: u64,
    /// The number of the game's first line, from 1.
    pub line: u64,
}

/// The places of all games in a file.
#[derive(Clone, Debug, Default)]
pub struct GameIndex {
    /// The games in the order of the file.
    pub spans: Vec<GameSpan>,
}

impl GameIndex {
    /// Finds the games of a text that is in memory.
    pub fn of(text: &[u8]) -> Self {
        let mut splitter = GameSplitter::default();
        splitter.feed(text);
        splitter.finish()
    }
}

/// Finds games in a file that is read piece by piece. A game ends with its result, or before a tag that follows moves.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts of the game under way")]
pub struct GameSplitter {
    index: GameIndex,
    at: u64,
    line: u64,
    start: u64,
    start_line: u64,
    state: State,
    /// Whether the current game has tags or moves.
    any: bool,
    /// Whether the current game has moves.
    moves: bool,
    /// Whether the result of the current game has been read.
    ended: bool,
    /// The number of variations that are open.
    nested: u32,
    line_start: bool,
    word: [u8; 8],
    length: usize,
    /// The number of bytes at the start of the line that match [`EVENT`].
    matched: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Between,
    Comment,
    /// A comment that ends at the end of the line, after `;` or `%`.
    Line,
    Tag {
        quoted: bool,
        escaped: bool,
    },
    Word,
}

impl Default for GameSplitter {
    fn default() -> Self {
        Self {
            index: GameIndex::default(),
            at: 0,
            line: 1,
            start: 0,
            start_line: 1,
            state: State::Between,
            any: false,
            moves: false,
            ended: false,
            nested: 0,
            line_start: true,
            word: [0; 8],
            length: 0,
            matched: 0,
        }
    }
}

impl GameSplitter {
    /// Reads the next bytes of the file.
    pub fn feed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            let is_mark = BYTE_ORDER_MARK.get(self.at as usize) == Some(&byte);
            if !is_mark {
                self.byte(byte);
            }
            self.at += 1;
            self.line_start = byte == b'\n' || is_mark;
            self.line += u64::from(byte == b'\n');
        }
    }

    /// The games that are complete so far, in the order of the file.
    pub fn spans(&self) -> &[GameSpan] {
        &self.index.spans
    }

    /// The game that is being read: its first byte and line, and its length so far.
    pub const fn current(&self) -> GameSpan {
        GameSpan { start: self.start, end: self.at, line: self.start_line }
    }

    /// Ends the last game. Returns the games of the whole file.
    pub fn finish(mut self) -> GameIndex {
        if self.any {
            self.index.spans.push(self.current());
        } else if let Some(last) = self.index.spans.last_mut() {
            last.end = self.at;
        }
        self.index
    }

    fn byte(&mut self, byte: u8) {
        if self.line_start {
            self.matched = 0;
        }
        let is_next =
            (self.line_start || self.matched > 0) && EVENT.get(self.matched) == Some(&byte);
        self.matched = if is_next { self.matched + 1 } else { 0 };
        match self.state {
            State::Comment if self.matched == EVENT.len() => {
                self.begin(self.at + 1 - EVENT.len() as u64);
                self.any = true;
                self.state = State::Tag { quoted: true, escaped: false };
            }
            State::Comment => {
                if byte == b'}' {
                    self.state = State::Between;
                }
            }
            State::Line => {
                if byte == b'\n' {
                    self.state = State::Between;
                }
            }
            State::Tag { quoted, escaped } => self.tag(byte, quoted, escaped),
            State::Word => {
                if byte.is_ascii_whitespace() || b"{();[$".contains(&byte) {
                    self.end_word();
                    self.between(byte);
                } else {
                    self.letter(byte);
                }
            }
            State::Between => self.between(byte),
        }
    }

    fn tag(&mut self, byte: u8, quoted: bool, escaped: bool) {
        self.state = match byte {
            b'\n' => State::Between,
            b']' if !quoted => State::Between,
            b'"' if !escaped => State::Tag { quoted: !quoted, escaped: false },
            _ => State::Tag { quoted, escaped: byte == b'\\' && !escaped },
        };
    }

    fn between(&mut self, byte: u8) {
        self.state = match byte {
            b'{' => State::Comment,
            b';' => State::Line,
            b'%' if self.line_start => State::Line,
            b'[' => {
                if self.moves || self.ended {
                    self.begin(self.at);
                }
                self.any = true;
                State::Tag { quoted: false, escaped: false }
            }
            byte if byte.is_ascii_whitespace() => State::Between,
            _ => {
                if self.ended {
                    self.begin(self.at);
                }
                self.any = true;
                self.moves = true;
                match byte {
                    b'(' => self.nested += 1,
                    b')' => self.nested = self.nested.saturating_sub(1),
                    _ => {
                        self.length = 0;
                        self.letter(byte);
                        self.state = State::Word;
                        return;
                    }
                }
                State::Between
            }
        };
    }

    fn letter(&mut self, byte: u8) {
        if let Some(place) = self.word.get_mut(self.length) {
            *place = byte;
        }
        self.length += 1;
    }

    fn end_word(&mut self) {
        let word = self.word.get(..self.length).unwrap_or_default();
        let is_result = RESULTS.iter().any(|it| it.as_bytes() == word);
        self.ended |= is_result && self.nested == 0;
        self.state = State::Between;
    }

    /// Ends the current game and begins the next one at this byte.
    fn begin(&mut self, at: u64) {
        self.index.spans.push(GameSpan { start: self.start, end: at, line: self.start_line });
        (self.start, self.start_line) = (at, self.line);
        (self.any, self.moves, self.ended, self.nested) = (false, false, false, 0);
    }
}
