//! Reading the usual lines of a trace fast. Any other line is left to the JSON library, which knows what is wrong with it.

use std::borrow::Cow;

use super::{FIELDS, TraceEvent, TraceKind, TraceText};

/// Fills in the event on a line: one object of numbers, truth values and texts without escapes. None where the line is
/// another one; then some of its fields may be filled in.
#[inline]
pub(super) fn fill<'a>(event: &mut TraceEvent<'a>, line: &'a [u8]) -> Option<()> {
    let line = std::str::from_utf8(line).ok()?;
    let mut scanner = LineScanner { text: line, at: 0 };
    let mut kind = None;
    scanner.sign(b'{')?;
    loop {
        let name = scanner.text()?;
        scanner.sign(b':')?;
        let value = scanner.value()?;
        let taken = match (name, value) {
            ("e", Scalar::Text(text)) => kind.replace(called(text)).is_none(),
            ("a", Scalar::Number(number)) => event.a.replace(number).is_none(),
            ("b", Scalar::Number(number)) => event.b.replace(number).is_none(),
            ("d", Scalar::Number(number)) => event.d.replace(number).is_none(),
            ("v", Scalar::Number(number)) => event.v.replace(number).is_none(),
            ("t", Scalar::Text(text)) => event.t.replace(borrowed(text)).is_none(),
            ("m", Scalar::Text(text)) => event.m.replace(borrowed(text)).is_none(),
            ("k", Scalar::Text(text)) => event.k.replace(borrowed(text)).is_none(),
            ("p", Scalar::Text(text)) => event.p.replace(borrowed(text)).is_none(),
            ("s", Scalar::Text(text)) => event.s.replace(borrowed(text)).is_none(),
            ("r", Scalar::Text(text)) => event.r.replace(borrowed(text)).is_none(),
            ("u", Scalar::Truth(truth)) => event.u.replace(truth).is_none(),
            _ => {
                event.more = true;
                !FIELDS.contains(&name)
            }
        };
        if !taken {
            return None;
        }
        match scanner.next()? {
            b',' => {}
            b'}' => break,
            _ => return None,
        }
    }
    event.e = kind?;
    scanner.rest_is_blank().then_some(())
}

const fn borrowed(text: &str) -> TraceText<'_> {
    TraceText(Cow::Borrowed(text))
}

fn called(name: &str) -> TraceKind {
    match name {
        "in" => TraceKind::In,
        "out" => TraceKind::Out,
        "hit" => TraceKind::Hit,
        "miss" => TraceKind::Miss,
        "put" => TraceKind::Put,
        "eval" => TraceKind::Eval,
        "cut" => TraceKind::Cut,
        "skip" => TraceKind::Skip,
        "drop" => TraceKind::Drop,
        "iter" => TraceKind::Iter,
        "root" => TraceKind::Root,
        "stop" => TraceKind::Stop,
        _ => TraceKind::Note,
    }
}

/// A value that holds no other.
enum Scalar<'a> {
    Number(f64),
    Text(&'a str),
    Truth(bool),
}

struct LineScanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> LineScanner<'a> {
    /// The next byte that is not blank.
    #[inline]
    fn next(&mut self) -> Option<u8> {
        loop {
            let byte = *self.text.as_bytes().get(self.at)?;
            self.at += 1;
            if !matches!(byte, b' ' | b'\t') {
                return Some(byte);
            }
        }
    }

    fn sign(&mut self, sign: u8) -> Option<()> {
        (self.next()? == sign).then_some(())
    }

    /// A text in quotes.
    fn text(&mut self) -> Option<&'a str> {
        self.sign(b'"')?;
        self.text_after_quote()
    }

    #[inline]
    fn text_after_quote(&mut self) -> Option<&'a str> {
        let bytes = &self.text.as_bytes()[self.at..];
        let length = bytes.iter().position(|byte| matches!(byte, b'"' | b'\\' | ..b' '))?;
        if bytes[length] != b'"' {
            return None;
        }
        let text = &self.text[self.at..self.at + length];
        self.at += length + 1;
        Some(text)
    }

    fn value(&mut self) -> Option<Scalar<'a>> {
        match self.next()? {
            b'"' => self.text_after_quote().map(Scalar::Text),
            b't' => self.word("rue").map(|()| Scalar::Truth(true)),
            b'f' => self.word("alse").map(|()| Scalar::Truth(false)),
            b'-' | b'0'..=b'9' => {
                self.at -= 1;
                self.number().map(Scalar::Number)
            }
            _ => None,
        }
    }

    fn word(&mut self, rest: &str) -> Option<()> {
        let found = self.text.as_bytes()[self.at..].starts_with(rest.as_bytes());
        self.at += rest.len();
        found.then_some(())
    }

    #[inline]
    fn number(&mut self) -> Option<f64> {
        let bytes = &self.text.as_bytes()[self.at..];
        let sign = usize::from(bytes.first() == Some(&b'-'));
        let mut length = sign;
        let mut whole = 0_u64;
        while let Some(digit @ b'0'..=b'9') = bytes.get(length) {
            whole = whole.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
            length += 1;
        }
        let digits = length - sign;
        let fraction = matches!(bytes.get(length), Some(b'.' | b'e' | b'E'));
        // More digits than a double holds, and what JSON does not take for a number, are not usual.
        if fraction || digits == 0 || digits > 15 || (digits > 1 && bytes[sign] == b'0') {
            return self.unusual_number();
        }
        self.at += length;
        let number = whole as f64;
        Some(if sign == 1 { -number } else { number })
    }

    #[cold]
    fn unusual_number(&mut self) -> Option<f64> {
        let rest = &self.text[self.at..];
        let is_part = |sign: char| matches!(sign, '0'..='9' | '-' | '+' | '.' | 'e' | 'E');
        let length = rest.find(|sign| !is_part(sign))?;
        let number = serde_json::from_str(&rest[..length]).ok()?;
        self.at += length;
        Some(number)
    }

    fn rest_is_blank(&self) -> bool {
        self.text.as_bytes()[self.at..].iter().all(u8::is_ascii_whitespace)
    }
}
