//! What readers and writers of all formats share: interrupts, damage, check sums.

use std::{
    fmt,
    io::{self, Read, Write},
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

use serde::Serialize;

use crate::engine::{
    files::{self, Doing, FileFailure},
    game::Fault,
};

/// What a long operation on a file answers to while it runs: asked and told once a block.
pub struct Watch<'a> {
    /// Set by someone else to stop the operation; it ends with a fault and changes nothing.
    pub interrupt: &'a AtomicBool,
    /// Told (done, of how many): entries when saving, bytes when loading.
    pub progress: &'a mut dyn FnMut(u64, u64),
}

impl Watch<'_> {
    /// Tells how far the operation is. Fails where it is to stop.
    pub(in crate::engine) fn tick(&mut self, done: u64, total: u64) -> Result<(), Fault> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(Fault::new("interrupted: files and cache are as they were")
                .hint("give the command again to start over"));
        }
        (self.progress)(done, total);
        Ok(())
    }
}

/// A damaged place in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DamagedPlace {
    /// Its name, such as `block 3`, `record 7` or `the header`; blocks and records count from 1.
    pub place: String,
    /// Where it begins in the file.
    pub offset: u64,
    /// How many bytes are lost.
    pub bytes: u64,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for DamagedPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}: {}", self.place, self.offset, self.reason)
    }
}

/// Why reading stopped.
#[derive(Debug)]
pub(super) enum ReadError {
    /// The system refused to read.
    Io(io::Error),
    /// The user interrupted, or the file is whole but not for here.
    Fault(Fault),
    /// The file is damaged, or of another format.
    Damage(DamagedPlace),
}

impl ReadError {
    /// The fault, with the file's name where it does not have it.
    pub(super) fn fault(self, path: &Path) -> Fault {
        match self {
            Self::Io(error) => files::explain(path, Doing::Read, &error),
            Self::Fault(fault) => fault,
            Self::Damage(place) => {
                Fault::new(format!("`{}`: {place}", path.display())).hint(REMEDY)
            }
        }
    }
}

/// What to do about a damaged file.
pub(super) const REMEDY: &str =
    "take the file from its source again, or copy what is sound: `cache check FILE --salvage NEW`";

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Fault> for ReadError {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// What reading a file to its end has shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// Whether damage is noted and stepped over; otherwise reading ends at the first damaged place.
    pub(super) salvage: bool,
    /// Sound records.
    pub records: u64,
    /// Sound blocks, where the format has blocks.
    pub blocks: Option<u64>,
    /// Records the file speaks of, if that can be known.
    pub promised: Option<u64>,
    /// Damaged places, the first ones.
    pub damage: Vec<DamagedPlace>,
    /// How many there are.
    pub damaged: u64,
}

/// Damaged places that are named; more are counted.
const NAMED: usize = 20;

impl Findings {
    pub(super) fn new(salvage: bool) -> Self {
        Self { salvage, ..Self::default() }
    }

    /// Notes a damaged place, which ends the reading unless what is sound is to be salvaged.
    pub(super) fn note(&mut self, place: DamagedPlace) -> Result<(), ReadError> {
        if !self.salvage {
            return Err(ReadError::Damage(place));
        }
        self.damaged += 1;
        if self.damage.len() < NAMED {
            self.damage.push(place);
        }
        Ok(())
    }
}

/// Reads until the buffer is full or the file ends, and says how many bytes came.
pub(super) fn read_up_to(source: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match source.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(more) => filled += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// A writer that counts what passes and takes its check sum.
pub(super) struct SummingWriter<'a> {
    out: &'a mut dyn Write,
    sum: crc32fast::Hasher,
    bytes: u64,
}

impl<'a> SummingWriter<'a> {
    pub(super) fn new(out: &'a mut dyn Write) -> Self {
        Self { out, sum: crc32fast::Hasher::new(), bytes: 0 }
    }

    pub(super) fn put(&mut self, bytes: &[u8]) -> Result<(), FileFailure> {
        self.out.write_all(bytes)?;
        self.sum.update(bytes);
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    /// As [`SummingWriter::put`], then the bytes' CRC-32, which is taken once.
    pub(super) fn put_with_sum(&mut self, bytes: &mut Vec<u8>) -> Result<(), FileFailure> {
        let sum = crc32fast::hash(bytes);
        let summed = crc32fast::Hasher::new_with_initial_len(sum, bytes.len() as u64);
        bytes.extend_from_slice(&sum.to_le_bytes());
        self.out.write_all(bytes)?;
        self.sum.combine(&summed);
        self.sum.update(&sum.to_le_bytes());
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    /// Bytes written and their CRC-32.
    pub(super) fn finish(self) -> (u64, u32) {
        (self.bytes, self.sum.finalize())
    }
}
