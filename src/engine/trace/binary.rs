//! Reading binary traces. The emitters for C, C++ and Rust can write them, in a third of the time and space of JSON Lines.
//!
//! A binary trace begins with `PLYB` and the header as a line of JSON. Each event is a byte for its kind, its fields, and a
//! byte 0. A field is a byte with 8 · name + form, and the value in little-endian order. Texts have their length in a byte
//! before them; after 255 bytes of text, another length follows. The events are read as the lines that they stand for.

use std::{
    fmt::Debug,
    fs::File,
    io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom},
    mem,
};

use serde::Serialize;
use strum::VariantArray as _;

use super::{FIELDS, TraceInput, TraceKind};

/// The first bytes of a binary trace.
pub(super) const MAGIC: [u8; 4] = *b"PLYB";

/// The number of bytes read at a time.
const CHUNK: usize = 1 << 16;

/// The most bytes of an event. Without a limit, a damaged file would be read into memory whole.
const LONGEST_EVENT: usize = 1 << 20;

/// The number that stands for a field of the program's own, whose name follows as a text; fields of the format
/// are numbered by their place in [`FIELDS`].
const OWN_NAME: u8 = FIELDS.len() as u8;

/// Why an event was not decoded.
#[derive(Debug)]
enum DecodeError {
    /// The bytes end before the event does.
    CutOff,
    /// The byte at this place does not fit any event.
    Damaged(usize),
}

/// Bytes of a binary trace, from which values are taken.
struct Bytes<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Bytes<'a> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let taken = self.slice(N)?.try_into();
        taken.map_err(|_| DecodeError::CutOff)
    }

    fn slice(&mut self, length: usize) -> Result<&'a [u8], DecodeError> {
        let slice = self.bytes.get(self.at..self.at + length).ok_or(DecodeError::CutOff)?;
        self.at += length;
        Ok(slice)
    }

    fn text(&mut self, text: &mut Vec<u8>) -> Result<(), DecodeError> {
        loop {
            let [length] = self.take()?;
            text.extend_from_slice(self.slice(length.into())?);
            if length < u8::MAX {
                return Ok(());
            }
        }
    }

    /// Takes an event and appends its line.
    fn event(&mut self, line: &mut Vec<u8>) -> Result<(), DecodeError> {
        let damaged = DecodeError::Damaged(self.at);
        let [number] = self.take()?;
        let kind =
            usize::from(number).checked_sub(1).and_then(|place| TraceKind::VARIANTS.get(place));
        line.extend_from_slice(b"{\"e\":\"");
        line.extend_from_slice(kind.ok_or(damaged)?.name().as_bytes());
        line.push(b'"');
        loop {
            let damaged = DecodeError::Damaged(self.at);
            let [tag] = self.take()?;
            match (tag >> 3, tag & 7) {
                (0, 0) => break,
                (0, _) => return Err(damaged),
                (OWN_NAME, _) => {
                    let mut name = Vec::new();
                    self.text(&mut name)?;
                    line.push(b',');
                    push_text(line, &name);
                    line.push(b':');
                }
                (name, _) => {
                    let name = FIELDS.get(usize::from(name)).ok_or(damaged)?;
                    line.extend_from_slice(b",\"");
                    line.extend_from_slice(name.as_bytes());
                    line.extend_from_slice(b"\":");
                }
            }
            self.value(tag & 7, line)?;
        }
        line.extend_from_slice(b"}\n");
        Ok(())
    }

    fn value(&mut self, form: u8, line: &mut Vec<u8>) -> Result<(), DecodeError> {
        match form {
            0 => line.extend_from_slice(b"true"),
            1 => push_number(line, i8::from_le_bytes(self.take()?))?,
            2 => push_number(line, i16::from_le_bytes(self.take()?))?,
            3 => push_number(line, i32::from_le_bytes(self.take()?))?,
            4 => push_number(line, f64::from_le_bytes(self.take()?).clamp(-1e300, 1e300))?,
            5 => {
                let mut text = Vec::new();
                self.text(&mut text)?;
                push_text(line, &text);
            }
            6 => {
                let key = u64::from_le_bytes(self.take()?);
                line.push(b'"');
                let digits = (0..16)
                    .rev()
                    .map(|digit| b"0123456789abcdef"[(key >> (4 * digit) & 15) as usize]);
                line.extend(digits);
                line.push(b'"');
            }
            _ => line.extend_from_slice(b"false"),
        }
        Ok(())
    }
}

fn push_number(line: &mut Vec<u8>, number: impl Serialize) -> Result<(), DecodeError> {
    serde_json::to_writer(line, &number).map_err(|_| DecodeError::CutOff)
}

fn push_text(line: &mut Vec<u8>, text: &[u8]) {
    line.push(b'"');
    for byte in text {
        match byte {
            b'"' | b'\\' => line.extend([b'\\', *byte]),
            0..b' ' => line.push(b' '),
            _ => line.push(*byte),
        }
    }
    line.push(b'"');
}

/// A binary trace, read as if it were lines of JSON.
#[derive(Debug)]
struct BinaryTrace<R> {
    input: R,
    /// Bytes of the file that are not decoded yet; `raw_begin` is the place of the first of them in the file.
    raw: Vec<u8>,
    raw_begin: u64,
    /// Decoded lines; `lines_begin` is the number of bytes of lines before them.
    lines: Cursor<Vec<u8>>,
    lines_begin: u64,
    /// Places from which decoding can start: bytes of lines before them, and bytes of the file before them.
    places: Vec<(u64, u64)>,
    has_header: bool,
    /// Whether `lines` is the beginning of an incomplete event, the rest of which may be written later.
    is_cut_off: bool,
}

impl<R: Read> BinaryTrace<R> {
    /// Reads a binary trace whose first four bytes have been read.
    fn new(input: R) -> Self {
        Self {
            input,
            raw: Vec::new(),
            raw_begin: MAGIC.len() as u64,
            lines: Cursor::default(),
            lines_begin: 0,
            places: Vec::new(),
            has_header: false,
            is_cut_off: false,
        }
    }

    /// Decodes the next lines; at the end of the file there are none. The line of an event that is cut off has no line end.
    fn decode(&mut self) -> io::Result<()> {
        self.lines_begin += self.lines.get_ref().len() as u64;
        if self.has_header && self.places.last().is_none_or(|(lines, _)| *lines < self.lines_begin)
        {
            self.places.push((self.lines_begin, self.raw_begin));
        }
        let mut lines = mem::take(&mut self.lines).into_inner();
        lines.clear();
        if self.is_cut_off {
            return Ok(());
        }
        loop {
            let full = self.raw.len() > LONGEST_EVENT;
            let read = if full {
                0
            } else {
                (&mut self.input).take(CHUNK as u64).read_to_end(&mut self.raw)?
            };
            let mut bytes = Bytes { bytes: &self.raw, at: 0 };
            let mut end = 0;
            let failed = loop {
                let length = lines.len();
                let decoded = if self.has_header {
                    bytes.event(&mut lines)
                } else {
                    header(&mut bytes, &mut lines)
                };
                if let Err(failed) = decoded {
                    break (failed, length);
                }
                self.has_header = true;
                end = bytes.at;
                if lines.len() > CHUNK {
                    break (DecodeError::CutOff, lines.len());
                }
            };
            let place = self.raw_begin;
            self.raw_begin += end as u64;
            self.raw.drain(..end);
            let nothing = end == 0;
            match failed {
                (DecodeError::Damaged(at), 0) => {
                    let at = place + at as u64;
                    return Err(io::Error::other(format!(
                        "byte {at} of the binary trace is damaged"
                    )));
                }
                (_, length) if !nothing => lines.truncate(length),
                _ if read > 0 => {
                    lines.clear();
                    continue;
                }
                _ => self.is_cut_off = !lines.is_empty(),
            }
            self.lines = Cursor::new(lines);
            return Ok(());
        }
    }
}

/// Appends the first line of the trace, which is text.
fn header(bytes: &mut Bytes<'_>, line: &mut Vec<u8>) -> Result<(), DecodeError> {
    let end = memchr::memchr(b'\n', bytes.bytes).ok_or(DecodeError::CutOff)?;
    line.extend_from_slice(bytes.slice(end + 1)?);
    Ok(())
}

/// The target of a seek as an offset from the start. Errors: a target that is counted from the end or lies before the start.
pub(super) fn place_of(to: SeekFrom, position: u64) -> io::Result<u64> {
    let offset = match to {
        SeekFrom::Start(offset) => Some(offset),
        SeekFrom::Current(distance) => position.checked_add_signed(distance),
        SeekFrom::End(_) => None,
    };
    offset.ok_or_else(|| io::Error::other("there is no such place in the trace"))
}

impl<R: Read> Read for BinaryTrace<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: Read> BufRead for BinaryTrace<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.lines.position() as usize >= self.lines.get_ref().len() {
            self.decode()?;
        }
        self.lines.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.lines.consume(amount);
    }
}

impl Seek for BinaryTrace<File> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let offset = place_of(to, self.lines_begin + self.lines.position())?;
        if mem::take(&mut self.is_cut_off) {
            self.lines = Cursor::default();
        }
        if offset < self.lines_begin {
            let before = self.places.partition_point(|(lines, _)| *lines <= offset).checked_sub(1);
            let (lines, file) =
                before.map_or((0, MAGIC.len() as u64), |before| self.places[before]);
            self.input.seek(SeekFrom::Start(file))?;
            self.raw.clear();
            (self.raw_begin, self.lines_begin, self.has_header) = (file, lines, before.is_some());
            self.lines = Cursor::default();
        }
        while offset > self.lines_begin + self.lines.get_ref().len() as u64 {
            self.decode()?;
            if self.lines.get_ref().is_empty() {
                break;
            }
        }
        self.lines.set_position(offset.saturating_sub(self.lines_begin));
        Ok(offset)
    }
}

impl TraceInput for BinaryTrace<File> {}

/// A binary trace in a file, from its beginning.
pub(super) fn binary_file(mut file: File) -> io::Result<Box<dyn TraceInput>> {
    file.seek(SeekFrom::Start(MAGIC.len() as u64))?;
    Ok(Box::new(BinaryTrace::new(file)))
}

/// A trace from a pipe, binary or not, from its first event to its last.
/// Errors: a pipe that cannot be read.
pub fn piped_trace<'a>(pipe: impl Read + 'a) -> io::Result<Box<dyn BufRead + 'a>> {
    let mut pipe = BufReader::with_capacity(CHUNK, pipe);
    if pipe.fill_buf()?.starts_with(&MAGIC) {
        pipe.consume(MAGIC.len());
        return Ok(Box::new(BinaryTrace::new(pipe)));
    }
    Ok(Box::new(pipe))
}
