//! Splits a PGN text into tokens.

use crate::engine::game::{Fault, RESULTS, Result, move_in};

/// A tag pair, such as `[White "Carlsen"]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag<'a> {
    /// The name of the tag.
    pub name: &'a str,
    /// The value of the tag, with the backslashes before quotes.
    pub value: &'a str,
}

/// A token of a PGN text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// A tag pair in brackets.
    Tag(Tag<'a>),
    /// The text of a comment, without braces or semicolon.
    Comment(&'a str),
    /// A line that begins with `%`, which other programs may use.
    Escape,
    /// A numeric annotation glyph: the number after `$`, or that of a sign such as `!`.
    Nag(u8),
    /// The bracket that opens a variation.
    Open,
    /// The bracket that closes a variation.
    Close,
    /// A move without its number and annotations.
    Move(&'a str),
    /// A move number, or another word of digits.
    Number(&'a str),
    /// The result: `1-0`, `0-1`, `1/2-1/2` or `*`.
    Result(&'a str),
}

/// The annotations that programs write as signs, with their numeric annotation glyphs.
const SIGNS: [(&str, u8); 22] = [
    ("!", 1),
    ("?", 2),
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("□", 7),
    ("=", 10),
    ("∞", 13),
    ("⩲", 14),
    ("+=", 14),
    ("+/=", 14),
    ("⩱", 15),
    ("=+", 15),
    ("=/+", 15),
    ("±", 16),
    ("+/-", 16),
    ("∓", 17),
    ("-/+", 17),
    ("+-", 18),
    ("-+", 19),
    ("⨀", 22),
];

/// The numeric annotation glyph of a sign such as `!?`; `None` for other texts.
pub fn nag_of(sign: &str) -> Option<u8> {
    SIGNS.iter().find(|(known, _)| *known == sign).map(|(_, nag)| *nag)
}

/// The sign of an annotation, or its number after `$` if it has no sign.
pub fn sign_of(nag: u8) -> String {
    let known = SIGNS.iter().find(|(_, number)| *number == nag);
    known.map_or_else(|| format!("${nag}"), |(sign, _)| (*sign).to_owned())
}

/// The tokens of a text, each with the byte at which it begins. After an error the iterator ends.
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    text: &'a str,
    at: usize,
    /// The annotation at the end of the last word, and its place, to be returned next.
    pending: Option<(u8, usize)>,
}

impl<'a> Tokens<'a> {
    /// An iterator over the tokens of a text.
    pub const fn new(text: &'a str) -> Self {
        Self { text, at: 0, pending: None }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn take(&mut self, length: usize) -> &'a str {
        let taken = &self.rest()[..length];
        self.at += length;
        taken
    }

    fn read(&mut self, first: char) -> Result<Token<'a>> {
        let begin = self.at;
        let is_line_start = begin == 0 || self.text[..begin].ends_with('\n');
        Ok(match first {
            '{' => {
                let end = self
                    .rest()
                    .find('}')
                    .ok_or_else(|| self.fault("the comment is not closed").hint("`}` closes it"))?;
                let text = self.take(end + 1);
                Token::Comment(&text[1..end])
            }
            ';' => Token::Comment(self.line().trim_start_matches(';').trim_end_matches('\r')),
            '%' if is_line_start => {
                self.line();
                Token::Escape
            }
            '(' => {
                self.at += 1;
                Token::Open
            }
            ')' => {
                self.at += 1;
                Token::Close
            }
            '$' => {
                self.at += 1;
                let digits = digits(self.rest());
                let number = self.take(digits);
                Token::Nag(number.parse().map_err(|_| {
                    let fault = Fault::new(format!("`${number}` is not an annotation"));
                    fault.at(begin..self.at).hint("annotations are $0 to $255")
                })?)
            }
            '[' => self.tag()?,
            _ => self.word(),
        })
    }

    fn fault(&self, message: &str) -> Fault {
        Fault::new(message).at(self.at..self.at + 1)
    }

    fn line(&mut self) -> &'a str {
        let rest = self.rest();
        self.take(rest.find('\n').map_or(rest.len(), |end| end + 1)).trim_end_matches('\n')
    }

    fn tag(&mut self) -> Result<Token<'a>> {
        let tag = || {
            let (head, tail) = self.rest().split_once('"')?;
            let end = closing_quote(tail)?;
            let close = tail[end + 1..].find(']')?;
            let name = head.trim_start_matches('[').trim();
            let fits = !name.contains([']', '\n']) && tail[end + 1..][..close].trim().is_empty();
            let tag = Tag { name, value: &tail[..end] };
            fits.then_some((tag, head.len() + end + close + 3))
        };
        let (tag, length) = tag().ok_or_else(|| {
            self.fault("this tag cannot be read").hint("a tag is [Name \"value\"]")
        })?;
        self.at += length;
        Ok(Token::Tag(tag))
    }

    fn word(&mut self) -> Token<'a> {
        let rest = self.rest();
        let first = rest.chars().next().map_or(1, char::len_utf8);
        let ends = |letter: char| letter.is_whitespace() || "{();[$".contains(letter);
        let end = rest[first..].find(ends).map_or(rest.len(), |end| first + end);
        let word = self.take(end);
        if RESULTS.contains(&word) {
            return Token::Result(word);
        }
        if let Some(nag) = nag_of(word) {
            return Token::Nag(nag);
        }
        let bare = word.trim_end_matches(['!', '?']);
        self.pending =
            nag_of(&word[bare.len()..]).map(|nag| (nag, self.at - word.len() + bare.len()));
        match move_in(bare).filter(|mv| digits(mv) < mv.len()) {
            Some(mv) => Token::Move(mv),
            // In `1.5`, 1 is a move number and 5 is a move.
            None => Token::Number(
                bare.rsplit_once('.').map_or(
                    bare,
                    |(_, after)| {
                        if after.is_empty() { bare } else { after }
                    },
                ),
            ),
        }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Result<(Token<'a>, usize)>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some((nag, at)) = self.pending.take() {
            return Some(Ok((Token::Nag(nag), at)));
        }
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
        let first = self.rest().chars().next()?;
        let begin = self.at;
        let token = self.read(first).map(|token| match token {
            Token::Move(mv) | Token::Number(mv) => {
                let word = &self.text[begin..self.at];
                let place = mv.as_ptr() as usize - word.as_ptr() as usize;
                (token, begin + place)
            }
            token => (token, begin),
        });
        if token.is_err() {
            self.at = self.text.len();
        }
        Some(token)
    }
}

/// Whether the moves of a text consist of digits only, because points are named by their numbers.
pub fn has_numbers_alone(text: &str) -> bool {
    let mut any = false;
    for token in Tokens::new(text) {
        match token {
            Ok((Token::Move(word), _))
                if word.contains(|sign: char| sign.is_ascii_alphabetic() && sign != 'x') =>
            {
                return false;
            }
            Ok((Token::Number(word), _)) if !word.ends_with('.') => any = true,
            Ok((Token::Move(_), _)) => any = true,
            _ => {}
        }
    }
    any
}

/// The value of a tag without its backslashes.
pub fn unescaped(value: &str) -> String {
    let mut escaped = false;
    let sign = |sign: char| {
        escaped = sign == '\\' && !escaped;
        (!escaped).then_some(sign)
    };
    value.chars().filter_map(sign).collect()
}

/// The end of a tag's value: the first quote not escaped by a backslash.
fn closing_quote(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })
}

fn digits(text: &str) -> usize {
    text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_digit()).len()
}
