//! A recursive-descent parser that checks types.

use std::{cell::RefCell, ops::Range};

use super::{Comparison, Condition, Expression, Operator, Sum, Type, Vocabulary, cost};
use crate::{
    engine::{Fault, game::Result, suggest},
    text::number,
};

/// The deepest nesting of parentheses and signs. The parser recurses, and this limit bounds its stack.
const MAX_DEPTH: usize = 50;

/// Reads an expression. Errors carry the place in the text and a hint.
pub fn read<V: Vocabulary>(text: &str, vocabulary: &V) -> Result<Expression<V::Name, V::Word>> {
    let tokens = tokens(text)?;
    let mut parser = Parser::new(text, &tokens, vocabulary);
    if tokens.is_empty() {
        return Err(parser.missing());
    }
    let piece = parser.disjunction()?;
    if let Some(token) = parser.peek() {
        return Err(parser.surplus(token));
    }
    match piece.part {
        Part::Condition(condition) => Ok(Expression::Condition(condition)),
        _ => parser.sum(piece).map(Expression::Sum),
    }
}

/// Notes on how the values in an expression were read; none on a text that cannot be read.
pub fn notes<V: Vocabulary>(text: &str, vocabulary: &V) -> Vec<String> {
    let tokens = tokens(text).unwrap_or_default();
    let mut parser = Parser::new(text, &tokens, vocabulary);
    let is_read = parser.disjunction().is_ok();
    if is_read { parser.notes.take() } else { Vec::new() }
}

struct Parser<'t, 'a, 'v, V> {
    text: &'a str,
    tokens: &'t [Token<'a>],
    at: usize,
    depth: usize,
    vocabulary: &'v V,
    notes: RefCell<Vec<String>>,
}

/// A part of the expression with its range.
struct Piece<'a, V: Vocabulary> {
    part: Part<'a, V>,
    span: Range<usize>,
}

enum Part<'a, V: Vocabulary> {
    Condition(Condition<V::Name, V::Word>),
    Sum(Sum<V::Name>),
    /// A name of type [`Type::Any`].
    Either(V::Name, &'a str),
    /// A constant. Beside a name that takes words, its text is read as a word.
    Number(f64, &'a str),
    /// A name of type [`Type::Word`].
    WordName(V::Name, &'a str),
    /// A text that is not a name.
    Word(&'a str),
    None,
}

impl<V: Vocabulary> Piece<'_, V> {
    const fn is_word(&self) -> bool {
        matches!(self.part, Part::Word(_))
    }

    /// Turns a name of type [`Type::Any`] into the name of a word; other parts of an expression stay as they are.
    fn into_word_name(self) -> Self {
        match self.part {
            Part::Either(name, text) => Self { part: Part::WordName(name, text), ..self },
            _ => self,
        }
    }
}

type Parsed<'a, V> = Result<Piece<'a, V>>;

impl<'t, 'a, 'v, V: Vocabulary> Parser<'t, 'a, 'v, V> {
    fn new(text: &'a str, tokens: &'t [Token<'a>], vocabulary: &'v V) -> Self {
        Self { text, tokens, at: 0, depth: 0, vocabulary, notes: RefCell::default() }
    }

    fn peek(&self) -> Option<&Token<'a>> {
        self.tokens.get(self.at)
    }

    fn take(&mut self, kind: TokenKind<'_>) -> Option<Range<usize>> {
        let span = self.peek().filter(|token| token.kind == kind)?.span.clone();
        self.at += 1;
        Some(span)
    }

    fn disjunction(&mut self) -> Parsed<'a, V> {
        self.chain(TokenKind::Or, Self::conjunction, Condition::Any)
    }

    fn conjunction(&mut self) -> Parsed<'a, V> {
        self.chain(TokenKind::And, Self::negation, Condition::All)
    }

    /// Conditions joined by `and` or `or`, or a single part.
    fn chain(
        &mut self,
        joiner: TokenKind<'_>,
        part: impl Fn(&mut Self) -> Parsed<'a, V>,
        join: impl Fn(Vec<Condition<V::Name, V::Word>>) -> Condition<V::Name, V::Word>,
    ) -> Parsed<'a, V> {
        let first = part(self)?;
        if self.peek().is_none_or(|token| token.kind != joiner) {
            return Ok(first);
        }
        let mut span = first.span.clone();
        let mut parts = vec![self.condition(first)?];
        while self.take(joiner).is_some() {
            let next = part(self)?;
            span.end = next.span.end;
            parts.push(self.condition(next)?);
        }
        // Cheap conditions come first; conditions of equal cost stay in their order.
        parts.sort_by_key(|part| cost(self.vocabulary, part));
        Ok(Piece { part: Part::Condition(join(parts)), span })
    }

    fn negation(&mut self) -> Parsed<'a, V> {
        let Some(not) = self.take(TokenKind::Not) else {
            return self.comparison();
        };
        let inner = self.nested(Self::negation)?;
        let span = not.start..inner.span.end;
        let condition = self.condition(inner)?;
        Ok(Piece { part: Part::Condition(Condition::Not(Box::new(condition))), span })
    }

    fn comparison(&mut self) -> Parsed<'a, V> {
        let left = self.terms()?;
        let Some((comparison, sign)) = self.comparison_sign() else {
            return Ok(left);
        };
        let right = self.terms()?;
        if let Some((_, again)) = self.comparison_sign() {
            return Err(Fault::new("comparisons cannot be chained")
                .hint("write `a < b and b < c`")
                .at(again));
        }
        let span = left.span.start..right.span.end;
        let condition = self.compare(left, comparison, sign, right)?;
        Ok(Piece { part: Part::Condition(condition), span })
    }

    fn comparison_sign(&mut self) -> Option<(Comparison, Range<usize>)> {
        let token = self.peek()?;
        let TokenKind::Compare(comparison) = token.kind else {
            return None;
        };
        let span = token.span.clone();
        self.at += 1;
        Some((comparison, span))
    }

    fn compare(
        &self,
        left: Piece<'a, V>,
        comparison: Comparison,
        sign: Range<usize>,
        right: Piece<'a, V>,
    ) -> Result<Condition<V::Name, V::Word>> {
        let is_named = matches!(right.part, Part::WordName(..));
        let left = if is_named { left } else { self.declared(left) };
        let (left, right) = match (left, right) {
            (left, right) if right.is_word() => (left.into_word_name(), right),
            (left, right) if left.is_word() => (left, right.into_word_name()),
            sides => sides,
        };
        let is_word_side =
            |piece: &Piece<'a, V>| matches!(piece.part, Part::WordName(..) | Part::None);
        if !is_word_side(&left) && is_word_side(&right) {
            return self.compare(right, comparison.swapped(), sign, left);
        }
        if !is_word_side(&left) {
            return self.compare_numbers(left, comparison, right);
        }
        let wanted = match comparison {
            Comparison::Equal => true,
            Comparison::Unequal => false,
            _ => {
                let text = &self.text[left.span];
                return Err(Fault::new(format!(
                    "`{text}` is not a number, so < and > do not apply"
                ))
                .hint("compare words with == or !=")
                .at(sign));
            }
        };
        match (left.part, right.part) {
            (Part::WordName(name, _), Part::None)
            | (
                Part::None,
                Part::WordName(name, _) | Part::Sum(Sum::Name(name)) | Part::Either(name, _),
            ) => Ok(Condition::Known(name, !wanted)),
            (Part::WordName(name, _), Part::Word(text) | Part::Number(_, text)) => {
                let word = self.vocabulary.word(name, text);
                let word = word.map_err(|fault| fault.at(right.span))?;
                Ok(Condition::Is(name, word, wanted))
            }
            (Part::WordName(_, text), _) => Err(Fault::new(format!(
                "{text} cannot be compared with `{}`",
                &self.text[right.span.clone()]
            ))
            .hint(format!("compare {text} with one word; put quotes round a word that is also a name or contains blanks or signs"))
            .at(right.span)),
            _ => Err(Fault::new("only a name may be compared with `none`")
                .hint("write `best == none`")
                .at(right.span)),
        }
    }

    fn declared(&self, piece: Piece<'a, V>) -> Piece<'a, V> {
        let Part::Word(text) = piece.part else {
            return piece;
        };
        let name = self.vocabulary.declare(text);
        let part = name.map_or(Part::Word(text), |name| Part::Either(name, text));
        Piece { part, span: piece.span }
    }

    fn compare_numbers(
        &self,
        left: Piece<'a, V>,
        comparison: Comparison,
        right: Piece<'a, V>,
    ) -> Result<Condition<V::Name, V::Word>> {
        let texts = [&left, &right].map(|piece| &self.text[piece.span.clone()]);
        let (left, right) = (self.sum(left)?, self.sum(right)?);
        let [first, last] = [(&left, &right, texts[0]), (&right, &left, texts[1])]
            .map(|(side, other, text)| self.on_scale(side, other, text));
        let (left, right) = (first.unwrap_or(left), last.unwrap_or(right));
        Ok(Self::numbers(left, comparison, right))
    }

    /// A number on the scale of the values that it is compared with, read from its text; `None` for all but numbers.
    fn on_scale(
        &self,
        side: &Sum<V::Name>,
        other: &Sum<V::Name>,
        text: &str,
    ) -> Option<Sum<V::Name>> {
        let mut is_value = false;
        other.visit(&mut |name| is_value |= self.vocabulary.is_value(name));
        let is_number = is_value && matches!(side, Sum::Constant(_));
        let number = is_number.then(|| text.replace([' ', '_'], ""))?;
        self.notes.borrow_mut().extend(number::centipawns_note(&number));
        self.vocabulary.scale().read(&number).map(Sum::Constant)
    }

    fn numbers(
        left: Sum<V::Name>,
        comparison: Comparison,
        right: Sum<V::Name>,
    ) -> Condition<V::Name, V::Word> {
        match (left, right) {
            (Sum::Name(name), Sum::Constant(number)) => Condition::Test(name, comparison, number),
            (Sum::Constant(number), Sum::Name(name)) => {
                Condition::Test(name, comparison.swapped(), number)
            }
            (left, right) => Condition::Compare(left, comparison, right),
        }
    }

    fn terms(&mut self) -> Parsed<'a, V> {
        let signs = [(TokenKind::Plus, Operator::Add), (TokenKind::Minus, Operator::Subtract)];
        self.operations(&signs, Self::factors)
    }

    fn factors(&mut self) -> Parsed<'a, V> {
        let signs = [(TokenKind::Times, Operator::Multiply), (TokenKind::Over, Operator::Divide)];
        self.operations(&signs, Self::signed)
    }

    /// Operations of equal precedence, from left to right.
    fn operations(
        &mut self,
        signs: &[(TokenKind<'_>, Operator); 2],
        part: impl Fn(&mut Self) -> Parsed<'a, V>,
    ) -> Parsed<'a, V> {
        let mut left = part(self)?;
        loop {
            let next = self.peek().map(|token| token.kind);
            let Some((_, operator)) = signs.iter().find(|(kind, _)| Some(*kind) == next) else {
                return Ok(left);
            };
            self.at += 1;
            let right = part(self)?;
            let span = left.span.start..right.span.end;
            let sum = match (self.sum(left)?, self.sum(right)?) {
                (Sum::Constant(a), Sum::Constant(b)) => {
                    let no_number = || {
                        let text = &self.text[span.clone()];
                        Fault::new(format!("`{text}` is not a number")).at(span.clone())
                    };
                    Sum::Constant(operator.apply(a, b).ok_or_else(no_number)?)
                }
                (a, b) => Sum::Operation(*operator, Box::new([a, b])),
            };
            left = Piece { part: Part::Sum(sum), span };
        }
    }

    fn signed(&mut self) -> Parsed<'a, V> {
        let Some(minus) = self.take(TokenKind::Minus) else {
            let plus = self.take(TokenKind::Plus);
            let atom = self.atom()?;
            let start = plus.map_or(atom.span.start, |plus| plus.start);
            return Ok(Piece { span: start..atom.span.end, ..atom });
        };
        let inner = self.nested(Self::signed)?;
        let span = minus.start..inner.span.end;
        let sum = match self.sum(inner)? {
            Sum::Constant(number) => Sum::Constant(-number),
            sum => Sum::Operation(Operator::Subtract, Box::new([Sum::Constant(0.0), sum])),
        };
        Ok(Piece { part: Part::Sum(sum), span })
    }

    fn atom(&mut self) -> Parsed<'a, V> {
        let Some(token) = self.peek() else {
            return Err(self.missing());
        };
        let Token { kind, span } = token.clone();
        self.at += 1;
        let is_call = self.peek().is_some_and(|token| token.kind == TokenKind::Open);
        let part = match kind {
            TokenKind::Plain("sign") if is_call => {
                let inner = self.nested(Self::atom)?;
                let whole = span.start..inner.span.end;
                let sides = Box::new([self.sum(inner)?, Sum::Constant(0.0)]);
                return Ok(Piece {
                    part: Part::Sum(Sum::Operation(Operator::Sign, sides)),
                    span: whole,
                });
            }
            TokenKind::Plain(text) => self.plain(text),
            TokenKind::Quoted(text) => self.end(text).unwrap_or(Part::Word(text)),
            TokenKind::Open => {
                let mut inner = self.nested(Self::disjunction)?;
                let close = self
                    .take(TokenKind::Close)
                    .ok_or_else(|| Fault::new("this `(` is never closed").at(span.clone()))?;
                inner.span = span.start..close.end;
                return Ok(inner);
            }
            _ => {
                let text = &self.text[span.clone()];
                return Err(Fault::new(format!("a value is missing before `{text}`")).at(span));
            }
        };
        Ok(Piece { part, span })
    }

    fn plain(&self, text: &'a str) -> Part<'a, V> {
        match self.vocabulary.find(text) {
            Some((name, Type::Number)) => return Part::Sum(Sum::Name(name)),
            Some((name, Type::Word)) => return Part::WordName(name, text),
            Some((name, Type::Any)) => return Part::Either(name, text),
            None => {}
        }
        if text == "none" {
            return Part::None;
        }
        let is_number = text == "inf" || text.starts_with(|c: char| c.is_ascii_digit() || c == '.');
        let number = text.replace('_', "").parse().ok().filter(|_| is_number);
        let number = number.map(|number| Part::Number(number, text));
        number.or_else(|| self.end(text)).unwrap_or(Part::Word(text))
    }

    /// The value of a decided game, such as `#3`.
    fn end(&self, text: &'a str) -> Option<Part<'a, V>> {
        let number = self.vocabulary.scale().read_end(text)?;
        Some(Part::Number(number, text))
    }

    /// Reads a part of the expression one level deeper. Errors: the nesting is too deep.
    fn nested(&mut self, read: impl Fn(&mut Self) -> Parsed<'a, V>) -> Parsed<'a, V> {
        if self.depth == MAX_DEPTH {
            let at = self.peek().map_or(0..0, |token| token.span.clone());
            return Err(Fault::new("the expression is nested too deeply").at(at));
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    fn sum(&self, piece: Piece<'a, V>) -> Result<Sum<V::Name>> {
        let piece = self.declared(piece);
        match piece.part {
            Part::Sum(sum) => Ok(sum),
            Part::Either(name, _) => Ok(Sum::Name(name)),
            Part::Number(number, _) => Ok(Sum::Constant(number)),
            Part::Word(text) => Err(self.unknown(text, piece.span)),
            Part::Condition(_) => Err(self.wrong(piece.span, "a condition, not a number")),
            Part::WordName(..) => Err(self
                .wrong(piece.span, "a word, not a number")
                .hint("compare it with a word by == or !=")),
            Part::None => Err(self.wrong(piece.span, "no number").hint("write `best == none`")),
        }
    }

    fn condition(&self, piece: Piece<'a, V>) -> Result<Condition<V::Name, V::Word>> {
        if let Part::Condition(condition) = piece.part {
            return Ok(condition);
        }
        let span = piece.span.clone();
        let text = self.text[span.clone()].to_owned();
        let hint = if let Part::WordName(..) = piece.part {
            format!("compare it with a word: `{text} == …`")
        } else {
            self.sum(piece)?;
            format!("compare it with something: `{text} > 0`")
        };
        Err(self.wrong(span, "no condition").hint(hint))
    }

    fn wrong(&self, span: Range<usize>, what: &str) -> Fault {
        Fault::new(format!("`{}` is {what}", &self.text[span.clone()])).at(span)
    }

    fn unknown(&self, text: &str, span: Range<usize>) -> Fault {
        let names = self.vocabulary.names();
        let hint = suggest::did_you_mean(text, names.iter().copied())
            .unwrap_or_else(|| format!("the names are {}", names.join(", ")));
        Fault::new(format!("nothing is called `{text}`")).hint(hint).at(span)
    }

    fn missing(&self) -> Fault {
        Fault::new("something is missing at the end of the expression")
            .hint("an expression is, for example, `alpha > 0 and ply < 3`")
            .at(self.text.len()..self.text.len())
    }

    fn surplus(&self, token: &Token<'_>) -> Fault {
        let text = &self.text[token.span.clone()];
        let fault = match token.kind {
            TokenKind::Close => Fault::new("this `)` closes nothing"),
            _ => Fault::new(format!("`{text}` cannot follow here"))
                .hint("put `and`, `or` or a comparison between the two"),
        };
        fault.at(token.span.clone())
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Token<'a> {
    kind: TokenKind<'a>,
    span: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum TokenKind<'a> {
    /// A name, word or number, depending on its place.
    Plain(&'a str),
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

const MADE_OF: &str =
    "an expression is made of names, numbers, comparisons, and, or, not, + - * / and parentheses";

/// The most tokens, more than anybody types. Evaluation recurses, and this limit bounds its stack.
const MAX_TOKENS: usize = 500;

fn tokens(text: &str) -> Result<Vec<Token<'_>>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let faulty = |fault: Fault| fault.at(at..at + c.len_utf8());
        let (kind, length) = token(&text[at..]).map_err(faulty)?;
        if tokens.len() == MAX_TOKENS {
            let long = format!("the expression is too long: it has more than {MAX_TOKENS} parts");
            let fault = Fault::new(long).hint("split it into several conditions");
            return Err(fault.at(at..text.len()));
        }
        tokens.push(Token { kind, span: at..at + length });
        at += length;
    }
    Ok(tokens)
}

/// The signs, longer ones first: `<=` before `<`.
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

/// The first token of a text without leading blanks, and its length in bytes.
fn token(text: &str) -> Result<(TokenKind<'_>, usize)> {
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
        return Err(Fault::new(format!("an expression cannot contain `{c}`")).hint(MADE_OF));
    }
    let kind = match &text[..length] {
        "and" => TokenKind::And,
        "or" => TokenKind::Or,
        "not" => TokenKind::Not,
        plain => TokenKind::Plain(plain),
    };
    Ok((kind, length))
}

/// Length of the name, word or number that begins a text, in bytes; a number can be a mate such as `#-2`, or `∞`.
fn plain(text: &str) -> usize {
    let mut length = match text.as_bytes() {
        [b'#', b'-', ..] => 2,
        [b'#', ..] => 1,
        _ if text.starts_with('∞') => '∞'.len_utf8(),
        _ => 0,
    };
    loop {
        let more = text[length..]
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | ':')))
            .unwrap_or(text.len() - length);
        length += more;
        if !(more > 0 && continues(&text[..length], &text[length..])) {
            return length;
        }
        length += 1;
    }
}

/// Whether a sign after a plain token belongs to it: in the exponent of a number, or between the squares of a move.
fn continues(before: &str, after: &str) -> bool {
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

fn is_square(text: &str) -> bool {
    matches!(text.as_bytes(), [b'a'..=b'z', b'1'..=b'9'])
}
