//! Reading the usual lines of a trace fast. Any other line is left to the JSON library, which knows what is wrong with it.

use super::{FIELDS, TraceEvent, TraceKind};

/// Fills in the event on a line: one object of numbers, truth values and texts without escapes. None where the line is
/// another one; then some of its fields may be filled in.
#[inline]
pub(super) fn fill<'a>(event: &mut TraceEvent<'a>, line: &'a [u8]) -> Option<()> {
    let line = std::str::from_utf8(line).ok()?;
    let mut scanner = LineScanner { text: line, at: 0 };
    let mut kind = None;
    scanner.sign(b'{')?;
    loop {
        let name = scanner.name()?;
        let taken = match (name.as_bytes(), scanner.value()?) {
            ([b'e'], Scalar::Text(text)) => {
                kind.replace(text.parse().unwrap_or(TraceKind::Note)).is_none()
            }
            ([b'a'], Scalar::Number(number)) => event.a.replace(number).is_none(),
            ([b'b'], Scalar::Number(number)) => event.b.replace(number).is_none(),
            ([b'd'], Scalar::Number(number)) => event.d.replace(number).is_none(),
            ([b'v'], Scalar::Number(number)) => event.v.replace(number).is_none(),
            ([b't'], Scalar::Text(text)) => event.t.replace(text.into()).is_none(),
            ([b'm'], Scalar::Text(text)) => event.m.replace(text.into()).is_none(),
            ([b'k'], Scalar::Text(text)) => event.k.replace(text.into()).is_none(),
            ([b'p'], Scalar::Text(text)) => event.p.replace(text.into()).is_none(),
            ([b's'], Scalar::Text(text)) => event.s.replace(text.into()).is_none(),
            ([b'r'], Scalar::Text(text)) => event.r.replace(text.into()).is_none(),
            ([b'u'], Scalar::Truth(truth)) => event.u.replace(truth).is_none(),
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

    /// The name of a field, and the colon after it; most are one letter long.
    #[inline]
    fn name(&mut self) -> Option<&'a str> {
        let rest = self.text.as_bytes().get(self.at..)?;
        if let [b'"', b'a'..=b'z', b'"', b':', ..] = rest {
            let name = self.text.get(self.at + 1..self.at + 2);
            self.at += 4;
            return name;
        }
        self.sign(b'"')?;
        let name = self.text_after_quote()?;
        self.sign(b':')?;
        Some(name)
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

    /// A number as JSON has it: without needless zeros before it, and with digits on both sides of a point.
    #[inline]
    fn number(&mut self) -> Option<f64> {
        let rest = &self.text[self.at..];
        let length = rest.bytes().position(|byte| matches!(byte, b',' | b'}' | b' ' | b'\t'))?;
        let text = &rest[..length];
        let digits = text.strip_prefix('-').unwrap_or(text).as_bytes();
        let is_json = match digits {
            [b'0', b'0'..=b'9', ..] | [.., b'.'] => false,
            [b'0'..=b'9', ..] => !digits.windows(2).any(|pair| matches!(pair, [b'.', b'e' | b'E'])),
            _ => false,
        };
        self.at += length;
        text.parse().ok().filter(|number: &f64| is_json && number.is_finite())
    }

    fn rest_is_blank(&self) -> bool {
        self.text.as_bytes()[self.at..].iter().all(u8::is_ascii_whitespace)
    }
}
