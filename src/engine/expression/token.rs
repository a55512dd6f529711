//! Text to tokens.

use std::ops::Range;

use super::Comparison;
use crate::engine::game::{Answer, Fault};

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token<'a> {
    pub kind: TokenKind<'a>,
    pub span: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum TokenKind<'a> {
    /// A name, a word or a number: what it is follows from where it stands.
    Plain(&'a str),
    /// A word in quotes.
    Quoted(&'a str),
    Compare(Comparison),
    Plus,
    Minus,
    Times,
    Over,
    Open,
    Close,
    And,
    Or,
    Not,
}

/// More tokens than anybody types; so deep an expression can be worked out without running out of stack.
const MOST: usize = 500;

pub(super) fn tokens(text: &str) -> Answer<Vec<Token<'_>>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let (kind, length) = token(&text[at..]).map_err(|fault| {
            let end = at + c.len_utf8();
            fault.at(at..end)
        })?;
        if tokens.len() == MOST {
            return Err(Fault::new(format!(
                "the expression is too long: it has more than {MOST} parts"
            ))
            .hint("split it into several conditions")
            .at(at..text.len()));
        }
        tokens.push(Token { kind, span: at..at + length });
        at += length;
    }
    Ok(tokens)
}

/// Signs, the longer ones first.
const SIGNS: [(&str, TokenKind<'static>); 19] = [
    ("==", TokenKind::Compare(Comparison::Equal)),
    ("!=", TokenKind::Compare(Comparison::Unequal)),
    ("<=", TokenKind::Compare(Comparison::AtMost)),
    (">=", TokenKind::Compare(Comparison::AtLeast)),
    ("≠", TokenKind::Compare(Comparison::Unequal)),
    ("≤", TokenKind::Compare(Comparison::AtMost)),
    ("≥", TokenKind::Compare(Comparison::AtLeast)),
    ("&&", TokenKind::And),
    ("||", TokenKind::Or),
    ("=", TokenKind::Compare(Comparison::Equal)),
    ("<", TokenKind::Compare(Comparison::Less)),
    (">", TokenKind::Compare(Comparison::Greater)),
    ("!", TokenKind::Not),
    ("+", TokenKind::Plus),
    ("-", TokenKind::Minus),
    ("*", TokenKind::Times),
    ("/", TokenKind::Over),
    ("(", TokenKind::Open),
    (")", TokenKind::Close),
];

/// The first token of a text that does not begin with a blank, and its length.
fn token(text: &str) -> Answer<(TokenKind<'_>, usize)> {
    if let Some(quote) = text.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        let Some(end) = text[1..].find(quote) else {
            return Err(Fault::new("this quote is never closed"));
        };
        return Ok((TokenKind::Quoted(&text[1..=end]), end + 2));
    }
    if let Some((sign, kind)) = SIGNS.iter().find(|(sign, _)| text.starts_with(sign)) {
        return Ok((*kind, sign.len()));
    }
    let length = plain(text);
    if length == 0 {
        let c = text.chars().next().unwrap_or_default();
        return Err(Fault::new(format!("`{c}` means nothing here"))
            .hint("an expression is made of names, numbers, comparisons, and, or, not, + - * / and parentheses"));
    }
    let kind = match &text[..length] {
        "and" => TokenKind::And,
        "or" => TokenKind::Or,
        "not" => TokenKind::Not,
        plain => TokenKind::Plain(plain),
    };
    Ok((kind, length))
}

/// How far a name, a word or a number goes.
fn plain(text: &str) -> usize {
    let mut length = 0;
    loop {
        let more = text[length..]
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | ':')))
            .unwrap_or(text.len() - length);
        length += more;
        if !(more > 0 && goes_on(&text[..length], &text[length..])) {
            return length;
        }
        length += 1;
    }
}

/// Whether the sign after what was read belongs to it: in the exponent of a number, or between two squares of a move.
fn goes_on(before: &str, after: &str) -> bool {
    let mut after = after.chars();
    let sign = after.next();
    let next: String = after.take(2).collect();
    let mantissa = before.strip_suffix(['e', 'E']);
    let exponent = mantissa.is_some_and(|digits| digits.parse::<f64>().is_ok())
        && matches!(sign, Some('-' | '+'))
        && next.starts_with(|c: char| c.is_ascii_digit());
    let squares = sign == Some('-') && is_square(&next) && before.get(..2).is_some_and(is_square);
    exponent || squares
}

/// A lower-case letter and a digit, as `d6`.
fn is_square(text: &str) -> bool {
    matches!(text.as_bytes(), [b'a'..=b'z', b'1'..=b'9'])
}
