//! Packing a trace: see [`pack`](super::pack) for what comes of it.

use std::io::{self, Write};

use flate2::{Compression, GzBuilder, write::GzEncoder};

use super::{
    Retold,
    landmark::Landmarks,
    pack::{FIELD, LEAD},
};
use crate::engine::{files::FileFailure, game::Answer};

/// A block is full with so many bytes.
const FULL: usize = 1 << 20;

/// So many events lie between two landmarks: less than a tenth of a second to walk.
pub const LANDMARK_SPACING: u64 = 1 << 18;

/// Bytes of a landmark at most: a header has room for little more.
const LARGEST: usize = 60_000;

/// Packs a trace, with a landmark each `spacing` events or so; `next` is called after each event. How many bytes it takes.
/// Errors: what cannot be read or written, and what `next` says.
pub fn pack(
    trace: &Retold,
    spacing: u64,
    out: impl Write,
    next: &mut dyn FnMut() -> Answer<()>,
) -> Result<u64, FileFailure> {
    let mut packer = Packer { out, lines: Vec::new(), events: 0, written: 0 };
    let mut landmarks = Landmarks::new(trace)?;
    packer.add_line(&trace.header_line());
    packer.write_block(None)?;
    let mut due = spacing;
    for number in 0.. {
        let read = trace.read_event(number, |event, line| {
            packer.add_line(line);
            landmarks.see(number, event, line);
        });
        if !read? {
            break;
        }
        packer.events += 1;
        if packer.lines.len() >= FULL {
            packer.write_block(None)?;
        }
        if number + 1 >= due
            && let Some(landmark) = landmarks.here()
        {
            packer.write_landmark(&landmark)?;
            due = number + 1 + spacing;
        }
        next()?;
    }
    packer.write_block(None)?;
    Ok(packer.written)
}

#[derive(Debug)]
struct Packer<W> {
    out: W,
    /// The block at hand, and the events in it.
    lines: Vec<u8>,
    events: u32,
    written: u64,
}

impl<W: Write> Packer<W> {
    fn add_line(&mut self, line: &[u8]) {
        self.lines.extend_from_slice(line);
        if !line.ends_with(b"\n") {
            self.lines.push(b'\n');
        }
    }

    /// Writes a landmark behind what there is; not one that is too large.
    fn write_landmark(&mut self, landmark: &str) -> io::Result<()> {
        let mut packing = GzEncoder::new(Vec::new(), Compression::default());
        packing.write_all(landmark.as_bytes())?;
        let landmark = packing.finish()?;
        if landmark.len() <= LARGEST {
            self.write_block(None)?;
            self.write_block(Some(&landmark))?;
        }
        Ok(())
    }

    /// Writes the block at hand, or an empty one with a landmark.
    fn write_block(&mut self, landmark: Option<&[u8]>) -> io::Result<()> {
        if self.lines.is_empty() && landmark.is_none() {
            return Ok(());
        }
        let field = |length: u32| {
            let numbers = [length, self.lines.len() as u32, self.events];
            let name = [b'P', b'T', FIELD as u8, 0];
            let mut field: Vec<u8> =
                name.into_iter().chain(numbers.into_iter().flat_map(u32::to_le_bytes)).collect();
            if let Some(landmark) = landmark {
                field.extend(b"PL");
                field.extend((landmark.len() as u16).to_le_bytes());
                field.extend(landmark);
            }
            field
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
