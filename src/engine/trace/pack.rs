//! Reading packed traces: the lines of a trace in blocks that are read one by one.
//!
//! A packed trace is a file that gzip reads too. Each block is a gzip member with a checksum, whose header says how long it
//! is and how many events it holds: so the way to any event is known as soon as the headers are. The first member
//! holds the header of the trace alone. Now and then an empty one stands between: it has a [landmark](super::landmark) in its
//! header.

use std::{
    fmt::Debug,
    fs::File,
    io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom},
    os::unix::fs::FileExt as _,
};

use flate2::read::GzDecoder;

use super::read::LinePlace;
use crate::engine::game::{Fault, Result};

/// No block holds more bytes: its last line may be a long one.
const MOST: u64 = 4 << 20;

/// The bytes before what a member's header says of it: those of gzip, the length of the field and its name.
pub(super) const LEAD: usize = 16;

/// What a member's header says of it: three numbers of four bytes.
pub(super) const FIELD: usize = 12;

/// Bytes before a landmark in such a header: its name and its length.
const NAME: usize = 4;

/// What a trace is read from.
pub trait TraceInput: BufRead + Seek + Send + Debug {
    /// Where blocks begin, each with the number of its first event, and how many events there are; nothing where that is not
    /// known before it is read.
    fn index(&self) -> Option<(Vec<(u64, LinePlace)>, u64)> {
        None
    }

    /// The landmarks: the number of events before each.
    fn landmarks(&self) -> Vec<u64> {
        Vec::new()
    }

    /// The text of a landmark by its place in that list; nothing where it cannot be read.
    fn landmark(&self, _place: usize) -> Option<String> {
        None
    }
}

impl TraceInput for BufReader<File> {}

/// A file with a trace, packed or not.
/// Errors: what cannot be read, and a packed file whose blocks are not there.
pub fn trace_input(file: File) -> Result<Box<dyn TraceInput>> {
    let mut begin = [0; 2];
    if file.read_at(&mut begin, 0).is_ok_and(|read| read == 2) && begin == [0x1f, 0x8b] {
        return Ok(Box::new(Unpacked::new(file)?));
    }
    Ok(Box::new(BufReader::with_capacity(1 << 16, file)))
}

#[derive(Clone, Copy, Debug)]
struct PackedBlock {
    /// Its first byte in the file, and how many there are.
    at: u64,
    length: u32,
    /// Bytes of the trace before it, and in it.
    offset: u64,
    bytes: u32,
    /// The number of its first event.
    event: u64,
    events: u32,
}

/// The bytes of a packed trace.
#[derive(Debug)]
struct Unpacked {
    file: File,
    blocks: Vec<PackedBlock>,
    /// Those that hold nothing but a landmark.
    landmarks: Vec<PackedBlock>,
    /// The block at hand, and where in it.
    place: usize,
    block: Cursor<Vec<u8>>,
}

impl Unpacked {
    fn new(file: File) -> Result<Self> {
        let mut blocks: Vec<PackedBlock> = Vec::new();
        let mut landmarks = Vec::new();
        let damaged = |number: usize| {
            Fault::new(format!("block {number} of the packed trace is not there"))
                .hint("`trace pack` packs a trace; `gunzip` unpacks other files")
        };
        let end = file.metadata().map_or(0, |found| found.len());
        let mut next = PackedBlock { at: 0, length: 0, offset: 0, bytes: 0, event: 0, events: 0 };
        while next.at < end {
            let mut head = [0; LEAD + FIELD];
            let read = file.read_exact_at(&mut head, next.at);
            let told = read.ok().and_then(|()| told(&head));
            let [length, bytes, events] = told.ok_or_else(|| damaged(blocks.len()))?;
            let fits = u64::from(length) <= longest_member(bytes);
            if u64::from(bytes) > MOST || length as usize <= LEAD + FIELD || !fits {
                return Err(damaged(blocks.len()));
            }
            let list = if bytes == 0 { &mut landmarks } else { &mut blocks };
            list.push(PackedBlock { length, bytes, events, ..next });
            next.at += u64::from(length);
            next.offset += u64::from(bytes);
            next.event += u64::from(events);
        }
        if next.at > end {
            return Err(damaged(blocks.len().saturating_sub(1)));
        }
        Ok(Self { file, blocks, landmarks, place: usize::MAX, block: Cursor::default() })
    }

    fn member(&self, at: u64, length: u32) -> io::Result<Vec<u8>> {
        let mut packed = vec![0; length as usize];
        self.file.read_exact_at(&mut packed, at)?;
        Ok(packed)
    }

    fn load(&mut self, place: usize) -> io::Result<()> {
        let Some(PackedBlock { at, length, bytes, .. }) = self.blocks.get(place).copied() else {
            (self.place, self.block) = (place, Cursor::default());
            return Ok(());
        };
        let packed = self.member(at, length)?;
        let mut lines = Vec::with_capacity(bytes as usize);
        GzDecoder::new(packed.as_slice()).take(u64::from(bytes) + 1).read_to_end(&mut lines)?;
        if lines.len() != bytes as usize {
            return Err(io::Error::other(format!("block {place} of the packed trace is damaged")));
        }
        (self.place, self.block) = (place, Cursor::new(lines));
        Ok(())
    }
}

/// The most bytes of a member that holds so many: what cannot be compressed takes five bytes more for each stored block, and
/// the header has a field of 64 KiB at most. Without the limit, a member that claims 4 GiB would be given them.
fn longest_member(bytes: u32) -> u64 {
    const STORED_BLOCK: u64 = 1 << 12;
    let bytes = u64::from(bytes);
    bytes + 5 * (bytes / STORED_BLOCK + 1) + 2 * u64::from(u16::MAX)
}

/// What a member says of itself: its length, and the bytes and events in it.
fn told(head: &[u8; LEAD + FIELD]) -> Option<[u32; 3]> {
    let is_ours = head[..4] == [0x1f, 0x8b, 8, 4] && head[12..LEAD] == [b'P', b'T', FIELD as u8, 0];
    let number = |place: usize| {
        let from = LEAD + 4 * place;
        head[from..from + 4].try_into().map_or(0, u32::from_le_bytes)
    };
    is_ours.then(|| [0, 1, 2].map(number))
}

impl TraceInput for Unpacked {
    fn index(&self) -> Option<(Vec<(u64, LinePlace)>, u64)> {
        // The header is the first line.
        let place =
            |block: &PackedBlock| LinePlace { offset: block.offset, number: block.event + 2 };
        let with_events = self.blocks.iter().filter(|block| block.events > 0);
        let marks = with_events.map(|block| (block.event, place(block))).collect();
        let last = self.blocks.last()?;
        Some((marks, last.event + u64::from(last.events)))
    }

    fn landmarks(&self) -> Vec<u64> {
        self.landmarks.iter().map(|landmark| landmark.event).collect()
    }

    fn landmark(&self, place: usize) -> Option<String> {
        let PackedBlock { at, length, .. } = *self.landmarks.get(place)?;
        let member = self.member(at, length).ok()?;
        let packed = member.get(LEAD + FIELD + NAME..)?;
        let mut text = String::new();
        GzDecoder::new(packed).take(MOST).read_to_string(&mut text).ok()?;
        Some(text)
    }
}

impl Read for Unpacked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for Unpacked {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.block.position() as usize >= self.block.get_ref().len() {
            let next = self.place.wrapping_add(1);
            if next > self.blocks.len() {
                break;
            }
            self.load(next)?;
        }
        self.block.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.block.consume(amount);
    }
}

impl Seek for Unpacked {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let here = match self.blocks.get(self.place) {
            Some(block) => block.offset + self.block.position(),
            None if self.place == usize::MAX => 0,
            None => self.blocks.last().map_or(0, |last| last.offset + u64::from(last.bytes)),
        };
        let offset = match to {
            SeekFrom::Start(offset) => Some(offset),
            SeekFrom::Current(way) => here.checked_add_signed(way),
            SeekFrom::End(_) => None,
        };
        let offset = offset.ok_or_else(|| io::Error::other("no such place in a packed trace"))?;
        let place = self.blocks.partition_point(|block| block.offset <= offset).saturating_sub(1);
        if place != self.place {
            self.load(place)?;
        }
        let begin = self.blocks.get(place).map_or(0, |block| block.offset);
        self.block.set_position(offset - begin);
        Ok(offset)
    }
}
