//! Splits a source text into statements and words, without knowing any commands.
//!
//! - `;` and newlines separate statements; `#` at a word's start begins a comment up to the end of the line. Mates
//!   are words if the statement ends in numbers only: `help #3`, `quiz answer #-2 0.5`.
//! - `'…'` quotes literally; `"…"` has the escapes `\"` and `\\`. A quote character after a letter or digit is an
//!   apostrophe.
//! - Everything between matching `(`, `[` or `{` belongs to one word: blanks, newlines, semicolons and quotes stay as
//!   written.
//! - `\` at the end of a line joins it with the next one.
//! - A `:` before a statement's first word is ignored.

use std::{borrow::Cow, ops::Range};

/// One word of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// The text of the word, without quotes.
    pub text: Cow<'a, str>,
    /// The word's byte range in the source, including quotes.
    pub span: Range<usize>,
    /// Whether the whole word is in quotes, and so cannot be an operator or a flag.
    pub quoted: bool,
}

/// A statement: a command with its arguments as words. If there is a problem, only the words before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement<'a> {
    /// At least one word, unless there is a problem.
    pub words: Vec<Word<'a>>,
    /// The byte range from the first word to the last.
    pub span: Range<usize>,
    /// The byte from which the next statement is read.
    pub end: usize,
    /// Whether a newline, semicolon or comment ends the statement, rather than the end of the text.
    pub ended: bool,
    /// Why the statement cannot be read; `None` if it can.
    pub problem: Option<Problem>,
}

/// Why a statement cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Whether more text could complete the statement.
    pub incomplete: bool,
    /// What is wrong, in words.
    pub message: String,
    /// The byte range of an opening character that is never closed, or of a wrong closing one.
    pub at: Range<usize>,
}

/// Reads the first statement at or after byte `from`; `None` if only blanks and comments remain.
pub fn next_statement(source: &str, from: usize) -> Option<Statement<'_>> {
    let mut scanner = Scanner { source, at: from, words: Vec::new(), problem: None };
    let ended = scanner.statement();
    if scanner.words.is_empty() && scanner.problem.is_none() {
        return None;
    }
    let start = scanner.words.first().map_or(from, |word| word.span.start);
    let end = scanner.words.last().map_or(from, |word| word.span.end);
    let Scanner { words, at, problem, .. } = scanner;
    Some(Statement { words, span: start..end, end: at, ended, problem })
}

/// The statements of a text from byte `from` on.
pub fn statements(source: &str, from: usize) -> impl Iterator<Item = Statement<'_>> {
    let next = move |statement: &Statement<'_>| next_statement(source, statement.end);
    std::iter::successors(next_statement(source, from), next)
}

/// The first problem in a text, if there is any.
pub fn check(source: &str) -> Option<Problem> {
    statements(source, 0).find_map(|statement| statement.problem)
}

/// The words of the last statement of `source`, being typed; the last is at the cursor, empty after a blank or separator.
pub fn unfinished(source: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    for statement in statements(source, 0) {
        words = if statement.ended { Vec::new() } else { statement.words };
        if statement.problem.is_some() {
            break;
        }
    }
    if words.last().is_none_or(|word: &Word| word.span.end < source.len()) {
        let span = source.len()..source.len();
        words.push(Word { text: Cow::Borrowed(""), span, quoted: false });
    }
    words
}

/// Puts a text in quotes, so that it is one word of a statement.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Writes a text as one word, in quotes if it needs them.
pub fn as_word(text: &str) -> Cow<'_, str> {
    if text.is_empty() || text.contains(is_special) {
        Cow::Owned(quoted(text))
    } else {
        Cow::Borrowed(text)
    }
}

/// Whether a character can be part of a word only in quotes.
pub fn is_special(character: char) -> bool {
    character.is_whitespace() || "'\"#;()[]{}\\".contains(character)
}

/// Whether a text begins with the value of a mate, such as `#3` or `#-2`.
pub fn is_mate(text: &str) -> bool {
    let number = text.strip_prefix('#').map(|rest| rest.strip_prefix('-').unwrap_or(rest));
    number.is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()))
}

struct Scanner<'a> {
    source: &'a str,
    at: usize,
    words: Vec<Word<'a>>,
    problem: Option<Problem>,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        &self.source[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Whether the rest of the statement begins with a mate and has no letters, as a comment would.
    fn ends_in_mates(&self) -> bool {
        let rest = self.rest().split([';', '\n']).next().unwrap_or_default();
        !self.words.is_empty() && is_mate(rest) && !rest.contains(char::is_alphabetic)
    }

    /// Reads the words of a statement. Returns whether a newline, semicolon or comment ends the statement.
    fn statement(&mut self) -> bool {
        while let Some(c) = self.peek() {
            match c {
                ';' | '\n' | '#' if !self.ends_in_mates() => {
                    self.at += match c {
                        '#' => self.rest().find('\n').unwrap_or(self.rest().len()),
                        _ => 1,
                    };
                    if !self.words.is_empty() {
                        return true;
                    }
                }
                c if c.is_whitespace() => self.at += c.len_utf8(),
                '\\' if self.continuation().is_some() => self.continued(),
                _ => self.word(),
            }
            if self.problem.is_some() {
                return false;
            }
        }
        false
    }

    /// The length of a backslash at the end of a line, including the line end; `None` if there is none.
    fn continuation(&self) -> Option<usize> {
        let after = self.rest().strip_prefix('\\')?;
        ["", "\r\n", "\n"]
            .iter()
            .find(|end| after == **end || !end.is_empty() && after.starts_with(**end))
            .map(|end| 1 + end.len())
    }

    fn continued(&mut self) {
        let backslash = self.at..self.at + 1;
        self.at += self.continuation().unwrap_or(1);
        if self.at == self.source.len() {
            self.fail(true, "the line goes on after `\\`, but nothing follows", backslash);
        }
    }

    fn fail(&mut self, incomplete: bool, message: impl Into<String>, at: Range<usize>) {
        self.problem.get_or_insert_with(|| Problem { incomplete, message: message.into(), at });
    }

    fn word(&mut self) {
        if self.words.is_empty() && self.peek() == Some(':') {
            self.at += 1;
            return;
        }
        let start = self.at;
        let mut unquoted: Option<String> = None;
        let mut quoted = false;
        while let Some(c) = self.peek() {
            let piece = self.at;
            match c {
                ';' => break,
                c if c.is_whitespace() => break,
                '\\' if self.continuation().is_some() => break,
                '\'' | '"' if self.quote_opens() => {
                    let text = unquoted.get_or_insert_with(|| self.source[start..piece].to_owned());
                    self.quotation(Some(text));
                    quoted = piece == start;
                    continue;
                }
                '(' | '[' | '{' => self.group(),
                c => self.at += c.len_utf8(),
            }
            quoted = false;
            if let Some(text) = &mut unquoted {
                text.push_str(&self.source[piece..self.at]);
            }
        }
        let text = unquoted.map_or(Cow::Borrowed(&self.source[start..self.at]), Cow::Owned);
        let span = start..self.at;
        self.words.push(Word { text, span, quoted });
    }

    /// Whether the quote character at the cursor opens a quotation; otherwise it is an apostrophe.
    fn quote_opens(&self) -> bool {
        let before = self.source[..self.at].chars().next_back();
        !before.is_some_and(char::is_alphanumeric)
    }

    fn quotation(&mut self, mut text: Option<&mut String>) {
        let open = self.at;
        let quote = self.bump();
        while let Some(c) = self.bump() {
            let mut content = c;
            if Some(c) == quote {
                return;
            }
            if c == '\\' && quote == Some('"') && matches!(self.peek(), Some('"' | '\\')) {
                content = self.bump().unwrap_or(c);
            }
            if let Some(text) = text.as_deref_mut() {
                text.push(content);
            }
        }
        self.fail(true, "this quote is never closed", open..open + 1);
    }

    fn group(&mut self) {
        let mut open = Vec::new();
        while let Some(c) = self.peek() {
            match c {
                '\'' | '"' if self.quote_opens() => self.quotation(None),
                _ => self.bracket(c, &mut open),
            }
            if open.is_empty() || self.problem.is_some() {
                return;
            }
        }
        if let Some((bracket, at)) = open.pop() {
            self.fail(true, format!("this `{bracket}` is never closed"), at..at + 1);
        }
    }

    /// Reads one character inside brackets; `open` has the brackets that are not closed yet.
    fn bracket(&mut self, c: char, open: &mut Vec<(char, usize)>) {
        let at = self.at;
        self.at += c.len_utf8();
        match c {
            '(' | '[' | '{' => open.push((c, at)),
            ')' | ']' | '}' => {
                let opened = open.pop().map_or(c, |(opened, _)| opened);
                if !matches!((opened, c), ('(', ')') | ('[', ']') | ('{', '}')) {
                    self.fail(false, format!("`{c}` does not close `{opened}`"), at..at + 1);
                }
            }
            _ => {}
        }
    }
}

pub(super) fn texts<'w>(words: &'w [Word<'_>]) -> Vec<&'w str> {
    words.iter().map(|word| &*word.text).collect()
}
