//! Reading packed traces: the lines of a trace in compressed blocks, read one block at a time.
//!
//! A packed trace is a gzip file of many members. Each block is a member with a checksum; the extra field of its header
//! (`PT`) has the lengths and the number of events, so that reading the headers is enough to find any event. The first
//! member contains only the header of the trace. Members without lines contain a [landmark](super::landmark) in their
//! header (`PL`).

use std::{
    fmt::Debug,
    fs::File,
    io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom},
    os::unix::fs::FileExt as _,
};

use flate2::read::GzDecoder;

use super::{
    binary::{MAGIC, binary_file, place_of},
    read::LinePlace,
};
use crate::engine::game::{Fault, Result};

/// The most bytes of a block before compression. `pack` ends a block at 1 MiB, with a last line of 1 MiB at most.
const MAX_BLOCK: u64 = 4 << 20;

/// Bytes of a member before the numbers in the `PT` field: gzip's header, the length of all fields, and the name and
/// length of `PT`.
pub(super) const FIELD_START: usize = 16;

/// Bytes of the `PT` field: three numbers of four bytes (length of the member, bytes of lines, events).
pub(super) const FIELD_LENGTH: usize = 12;

/// Bytes before a landmark in the `PL` field: its name and its length.
const LANDMARK_START: usize = 4;

/// A file that a trace is read from.
pub trait TraceInput: BufRead + Seek + Send + Debug {
    /// The first event of each block with its place, and the number of events; `None` for a file without an index.
    fn index(&self) -> Option<(Vec<(u64, LinePlace)>, u64)> {
        None
    }

    /// The number of events before each landmark.
    fn landmarks(&self) -> Vec<u64> {
        Vec::new()
    }

    /// The text of a landmark by its place in [`Self::landmarks`]; `None` if it cannot be read.
    fn landmark(&self, _place: usize) -> Option<String> {
        None
    }
}

impl TraceInput for BufReader<File> {}

/// Opens a trace, packed, binary or of lines.
/// Errors: a file that cannot be read, and a packed trace with a damaged block header.
pub fn trace_input(file: File) -> Result<Box<dyn TraceInput>> {
    let mut begin = [0; MAGIC.len()];
    let read = file.read_at(&mut begin, 0).unwrap_or_default();
    if read >= 2 && begin.starts_with(&[0x1f, 0x8b]) {
        return Ok(Box::new(PackedFile::new(file)?));
    }
    if begin == MAGIC {
        let opened = binary_file(file);
        return opened.map_err(|error| Fault::new(format!("the trace cannot be read: {error}")));
    }
    Ok(Box::new(BufReader::with_capacity(1 << 16, file)))
}

#[derive(Clone, Copy, Debug)]
struct PackedBlock {
    /// The place of the first byte in the file; `length` is the compressed length.
    at: u64,
    length: u32,
    /// Bytes of the unpacked trace before the block; `bytes` is the number in the block.
    offset: u64,
    bytes: u32,
    first_event: u64,
    events: u32,
}

/// A packed trace, read as if it were unpacked.
#[derive(Debug)]
struct PackedFile {
    file: File,
    blocks: Vec<PackedBlock>,
    landmarks: Vec<PackedBlock>,
    /// The number of the block in `lines`; `usize::MAX` before the first one.
    current: usize,
    lines: Cursor<Vec<u8>>,
}

impl PackedFile {
    fn new(file: File) -> Result<Self> {
        let mut blocks: Vec<PackedBlock> = Vec::new();
        let mut landmarks = Vec::new();
        let damaged = |number: usize| {
            Fault::new(format!("block {number} of the packed trace is damaged or missing"))
                .hint("`trace pack` packs a trace; `gunzip` unpacks other files")
        };
        let end = file.metadata().map_or(0, |found| found.len());
        let (length, bytes, events) = (0, 0, 0);
        let mut next = PackedBlock { at: 0, length, offset: 0, bytes, first_event: 0, events };
        while next.at < end {
            let mut head = [0; FIELD_START + FIELD_LENGTH];
            let read = file.read_exact_at(&mut head, next.at);
            let numbers = read.ok().and_then(|()| block_numbers(&head));
            let [length, bytes, events] = numbers.ok_or_else(|| damaged(blocks.len()))?;
            let is_possible = length as usize > head.len()
                && u64::from(length) <= longest_member(bytes)
                && u64::from(bytes) <= MAX_BLOCK;
            if !is_possible {
                return Err(damaged(blocks.len()));
            }
            let list = if bytes == 0 { &mut landmarks } else { &mut blocks };
            list.push(PackedBlock { length, bytes, events, ..next });
            next.at += u64::from(length);
            next.offset += u64::from(bytes);
            next.first_event += u64::from(events);
        }
        if next.at > end {
            return Err(damaged(blocks.len().saturating_sub(1)));
        }
        Ok(Self { file, blocks, landmarks, current: usize::MAX, lines: Cursor::default() })
    }

    fn member(&self, PackedBlock { at, length, .. }: PackedBlock) -> io::Result<Vec<u8>> {
        let mut packed = vec![0; length as usize];
        self.file.read_exact_at(&mut packed, at)?;
        Ok(packed)
    }

    fn load(&mut self, number: usize) -> io::Result<()> {
        let mut lines = Vec::new();
        if let Some(block) = self.blocks.get(number) {
            let packed = self.member(*block)?;
            let limit = u64::from(block.bytes) + 1;
            GzDecoder::new(packed.as_slice()).take(limit).read_to_end(&mut lines)?;
            if lines.len() != block.bytes as usize {
                let damaged = format!("block {number} of the packed trace is damaged");
                return Err(io::Error::other(damaged));
            }
        }
        (self.current, self.lines) = (number, Cursor::new(lines));
        Ok(())
    }
}

/// The longest member for so many bytes of lines: bytes that cannot be compressed take five more for each stored block, and the
/// header has 64 KiB of extra fields at most. Without the limit, a damaged length of 4 GiB would make the reader allocate as
/// much.
fn longest_member(bytes: u32) -> u64 {
    const STORED_BLOCK: u64 = 1 << 12;
    let bytes = u64::from(bytes);
    bytes + 5 * (bytes / STORED_BLOCK + 1) + 2 * u64::from(u16::MAX)
}

/// The numbers of a `PT` field: the length of the member, the bytes of its lines, its events. `None` for another header.
fn block_numbers(head: &[u8; FIELD_START + FIELD_LENGTH]) -> Option<[u32; 3]> {
    let name = [b'P', b'T', FIELD_LENGTH as u8, 0];
    let is_ours = head[..4] == [0x1f, 0x8b, 8, 4] && head[12..FIELD_START] == name;
    let number = |place: usize| {
        let from = FIELD_START + 4 * place;
        head[from..from + 4].try_into().map_or(0, u32::from_le_bytes)
    };
    is_ours.then(|| [0, 1, 2].map(number))
}

impl TraceInput for PackedFile {
    fn index(&self) -> Option<(Vec<(u64, LinePlace)>, u64)> {
        // Line 1 is the header, so that event 0 is on line 2.
        let place =
            |block: &PackedBlock| LinePlace { offset: block.offset, number: block.first_event + 2 };
        let with_events = self.blocks.iter().filter(|block| block.events > 0);
        let places = with_events.map(|block| (block.first_event, place(block))).collect();
        let last = self.blocks.last()?;
        Some((places, last.first_event + u64::from(last.events)))
    }

    fn landmarks(&self) -> Vec<u64> {
        self.landmarks.iter().map(|landmark| landmark.first_event).collect()
    }

    fn landmark(&self, place: usize) -> Option<String> {
        let member = self.member(*self.landmarks.get(place)?).ok()?;
        let packed = member.get(FIELD_START + FIELD_LENGTH + LANDMARK_START..)?;
        let mut text = String::new();
        GzDecoder::new(packed).take(MAX_BLOCK).read_to_string(&mut text).ok()?;
        Some(text)
    }
}

impl Read for PackedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for PackedFile {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.lines.position() as usize >= self.lines.get_ref().len() {
            let next = self.current.wrapping_add(1);
            if next > self.blocks.len() {
                break;
            }
            self.load(next)?;
        }
        self.lines.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.lines.consume(amount);
    }
}

impl Seek for PackedFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match self.blocks.get(self.current) {
            Some(block) => block.offset + self.lines.position(),
            None if self.current == usize::MAX => 0,
            None => self.blocks.last().map_or(0, |last| last.offset + u64::from(last.bytes)),
        };
        let offset = place_of(to, position)?;
        let number = self.blocks.partition_point(|block| block.offset <= offset).saturating_sub(1);
        if number != self.current {
            self.load(number)?;
        }
        let begin = self.blocks.get(number).map_or(0, |block| block.offset);
        self.lines.set_position(offset - begin);
        Ok(offset)
    }
}
