//! A fast parser for the usual lines of a trace. The JSON library parses the others and reports their errors.

use super::{FIELDS, TraceEvent, TraceKind};

/// Fills in the event on a line that is an object of numbers, truth values and texts without escapes. `None` for any other
/// line; some fields may then be filled in.
#[inline]
pub(super) fn fill<'a>(event: &mut TraceEvent<'a>, line: &'a [u8]) -> Option<()> {
    let line = std::str::from_utf8(line).ok()?;
    let mut scanner = LineScanner { text: line, at: 0 };
    let mut kind = None;
    scanner.sign(b'{')?;
    loop {
        let name = scanner.name()?;
        let taken = match (name, scanner.value()?) {
            ([b'e'], Scalar::Text(text)) => {
                kind.replace(text.parse().unwrap_or(TraceKind::Note)).is_none()
            }
            ([b'a'], Scalar::Number(number)) => event.a.replace(number).is_none(),
            ([b'b'], Scalar::Number(number)) => event.b.replace(number).is_none(),
            ([b'd'], Scalar::Number(number)) => event.d.replace(number).is_none(),
            ([b'v'], Scalar::Number(number)) => event.v.replace(number).is_none(),
            ([b'n'], Scalar::Number(number)) => event.n.replace(number).is_none(),
            ([b't', b'h'], Scalar::Number(number)) => event.th.replace(number).is_none(),
            ([b't'], Scalar::Text(text)) => event.t.replace(text.into()).is_none(),
            ([b'm'], Scalar::Text(text)) => event.m.replace(text.into()).is_none(),
            ([b'k'], Scalar::Text(text)) => event.k.replace(text.into()).is_none(),
            ([b'p'], Scalar::Text(text)) => event.p.replace(text.into()).is_none(),
            ([b's'], Scalar::Text(text)) => event.s.replace(text.into()).is_none(),
            ([b'r'], Scalar::Text(text)) => event.r.replace(text.into()).is_none(),
            ([b'u'], Scalar::Truth(truth)) => event.u.replace(truth).is_none(),
            (b"open", Scalar::Truth(truth)) => event.open.replace(truth).is_none(),
            _ => {
                event.more = true;
                let is_free = matches!(name, b"n" | b"th" | b"open");
                is_free || !FIELDS.iter().any(|field| field.as_bytes() == name)
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
    line.as_bytes()[scanner.at..].iter().all(u8::is_ascii_whitespace).then_some(())
}

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

    /// The name of a field; the colon after it is skipped.
    #[inline]
    fn name(&mut self) -> Option<&'a [u8]> {
        // Most names are one letter long.
        if let [b'"', name @ b'a'..=b'z', b'"', b':', ..] = self.text.as_bytes().get(self.at..)? {
            self.at += 4;
            return Some(std::slice::from_ref(name));
        }
        self.sign(b'"')?;
        let name = self.text_after_quote()?;
        self.sign(b':')?;
        Some(name.as_bytes())
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

    #[inline]
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

    /// A number as JSON defines it: without leading zeros, and with digits on both sides of the point.
    #[inline]
    fn number(&mut self) -> Option<f64> {
        let rest = &self.text.as_bytes()[self.at..];
        let sign = usize::from(rest.first() == Some(&b'-'));
        let (integer, digits) = digits(&rest[sign..]);
        if digits == 0 || digits > 1 && rest[sign] == b'0' {
            return None;
        }
        let mut length = sign + digits;
        let is_integer = !matches!(rest.get(length), Some(b'.' | b'e' | b'E'));
        // An f64 is exact for every integer of 15 digits.
        if is_integer && digits <= 15 {
            self.at += length;
            let number = integer as f64;
            return Some(if sign == 1 { -number } else { number });
        }
        if rest.get(length) == Some(&b'.') {
            length += 1 + digits_after(rest, length + 1)?;
        }
        if let Some(b'e' | b'E') = rest.get(length) {
            length += 1 + usize::from(matches!(rest.get(length + 1), Some(b'+' | b'-')));
            length += digits_after(rest, length)?;
        }
        let number = self.text[self.at..self.at + length].parse::<f64>().ok()?;
        self.at += length;
        number.is_finite().then_some(number)
    }
}

/// The number at the beginning (modulo 2⁶⁴) and its count of digits.
#[inline]
fn digits(bytes: &[u8]) -> (u64, usize) {
    let (mut number, mut count) = (0_u64, 0);
    while let Some(digit @ b'0'..=b'9') = bytes.get(count) {
        number = number.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
        count += 1;
    }
    (number, count)
}

/// The count of digits from `at` on; `None` if there are none.
fn digits_after(bytes: &[u8], at: usize) -> Option<usize> {
    let (_, count) = digits(bytes.get(at..)?);
    (count > 0).then_some(count)
}
