//! Packed traces: the lines of a trace in blocks that are read one by one.
//!
//! A packed trace is a file that gzip reads too. Each block is a gzip member with a checksum, whose header says how long it
//! is and how many events it holds: so the way to any event is known as soon as the headers are. The first member
//! holds the header of the trace alone.

use std::{
    fmt::Debug,
    fs::File,
    io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom, Write},
    os::unix::fs::FileExt as _,
};

use flate2::{Compression, GzBuilder, read::GzDecoder};

use super::read::LinePlace;
use crate::engine::game::{Answer, Fault};

/// A block is full with so many bytes.
const FULL: usize = 1 << 20;

/// No block holds more bytes: its last line may be a long one.
const MOST: u64 = 4 << 20;

/// The bytes before what a member's header says of it: those of gzip, the length of the field and its name.
const LEAD: usize = 16;

/// What a member's header says of it: three numbers of four bytes.
const FIELD: usize = 12;

/// What a trace is read from.
pub trait TraceInput: BufRead + Seek + Send + Debug {
    /// Where blocks begin, each with the number of its first event, and how many events there are; nothing where that is not
    /// known before it is read.
    fn index(&self) -> Option<(Vec<(u64, LinePlace)>, u64)> {
        None
    }
}

impl TraceInput for BufReader<File> {}

/// A file with a trace, packed or not.
///
/// # Errors
/// What cannot be read, and a packed file whose blocks are not there.
pub fn trace_input(file: File) -> Answer<Box<dyn TraceInput>> {
    let mut begin = [0; 2];
    if file.read_at(&mut begin, 0).is_ok_and(|read| read == 2) && begin == [0x1f, 0x8b] {
        return Ok(Box::new(Unpacked::new(file)?));
    }
    Ok(Box::new(BufReader::with_capacity(1 << 16, file)))
}

/// Where a block is.
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
    /// The block at hand, and where in it.
    place: usize,
    block: Cursor<Vec<u8>>,
}

impl Unpacked {
    fn new(file: File) -> Answer<Self> {
        let mut blocks: Vec<PackedBlock> = Vec::new();
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
            if u64::from(bytes) > MOST || length as usize <= LEAD + FIELD {
                return Err(damaged(blocks.len()));
            }
            blocks.push(PackedBlock { length, bytes, events, ..next });
            next.at += u64::from(length);
            next.offset += u64::from(bytes);
            next.event += u64::from(events);
        }
        if next.at > end {
            return Err(damaged(blocks.len() - 1));
        }
        Ok(Self { file, blocks, place: usize::MAX, block: Cursor::default() })
    }

    fn load(&mut self, place: usize) -> io::Result<()> {
        let Some(PackedBlock { at, length, bytes, .. }) = self.blocks.get(place).copied() else {
            (self.place, self.block) = (place, Cursor::default());
            return Ok(());
        };
        let mut packed = vec![0; length as usize];
        self.file.read_exact_at(&mut packed, at)?;
        let mut lines = Vec::with_capacity(bytes as usize);
        GzDecoder::new(packed.as_slice()).take(u64::from(bytes) + 1).read_to_end(&mut lines)?;
        if lines.len() != bytes as usize {
            return Err(io::Error::other(format!("block {place} of the packed trace is damaged")));
        }
        (self.place, self.block) = (place, Cursor::new(lines));
        Ok(())
    }
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

/// Packs lines.
#[derive(Debug)]
pub struct TracePacker<W> {
    out: W,
    lines: Vec<u8>,
    /// Events in the block at hand.
    events: u32,
    /// Bytes written.
    pub written: u64,
}

impl<W: Write> TracePacker<W> {
    /// Nothing is packed yet.
    pub fn new(out: W) -> Self {
        Self { out, lines: Vec::new(), events: 0, written: 0 }
    }

    /// Packs a line; `event` says that it is one and not the header. Call [`TracePacker::finish`] after the last one.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn push(&mut self, line: &[u8], event: bool) -> io::Result<()> {
        self.lines.extend_from_slice(line);
        if !line.ends_with(b"\n") {
            self.lines.push(b'\n');
        }
        self.events += u32::from(event);
        if self.lines.len() >= FULL || !event { self.finish() } else { Ok(()) }
    }

    /// Writes the block at hand.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn finish(&mut self) -> io::Result<()> {
        if self.lines.is_empty() {
            return Ok(());
        }
        let field = |length: u32| {
            let numbers = [length, self.lines.len() as u32, self.events];
            let name = [b'P', b'T', FIELD as u8, 0];
            name.into_iter()
                .chain(numbers.into_iter().flat_map(u32::to_le_bytes))
                .collect::<Vec<_>>()
        };
        let mut packing =
            GzBuilder::new().extra(field(0)).write(Vec::new(), Compression::default());
        packing.write_all(&self.lines)?;
        let mut member = packing.finish()?;
        let told = field(member.len() as u32);
        member[LEAD - 4..LEAD - 4 + told.len()].copy_from_slice(&told);
        self.out.write_all(&member)?;
        self.written += member.len() as u64;
        self.lines.clear();
        self.events = 0;
        Ok(())
    }
}
