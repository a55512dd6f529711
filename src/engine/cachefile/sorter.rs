//! Sorting more records than memory holds: sorted runs on disk, merged as they are read.

use std::{
    cmp::{Ordering, Reverse},
    collections::BinaryHeap,
    fs::File,
    io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use crate::engine::{
    files::{self, Doing},
    game::Fault,
};

/// Bytes of records that are sorted in memory at a time.
pub(super) const ROOM: usize = 64 << 20;

/// Bytes read ahead from each run.
const AHEAD: usize = 256 << 10;

/// Takes records of one length and gives them back in the order of their first bytes.
pub(super) struct Sorter {
    /// Where runs go; they have no name and are gone with the process, however it ends.
    folder: PathBuf,
    /// Bytes of a record.
    width: usize,
    /// How many of them decide the order; ties are in any order.
    order: usize,
    room: usize,
    chunk: Vec<u8>,
    runs: Vec<File>,
    records: u64,
}

impl Sorter {
    /// A sorter that keeps about `room` bytes in memory and the rest in `folder`.
    pub fn new(folder: &Path, width: usize, order: usize, room: usize) -> Self {
        Self {
            folder: folder.to_owned(),
            width,
            order,
            room: room.max(width),
            chunk: Vec::new(),
            runs: Vec::new(),
            records: 0,
        }
    }

    /// Records taken so far.
    pub const fn len(&self) -> u64 {
        self.records
    }

    /// Takes a record, given in parts that together have its length.
    pub fn push(&mut self, parts: &[&[u8]]) -> Result<(), Fault> {
        if self.chunk.len() + self.width > self.room {
            self.spill()?;
        }
        for part in parts {
            self.chunk.extend_from_slice(part);
        }
        debug_assert_eq!(self.chunk.len() % self.width, 0, "a record of the length");
        self.records += 1;
        Ok(())
    }

    /// Gives the records back in order.
    pub fn sorted(mut self) -> Result<Sorted, Fault> {
        if self.runs.is_empty() {
            let places = self.places().into_iter();
            return Ok(Sorted {
                record: vec![0; self.width],
                from: From::Memory {
                    chunk: self.chunk,
                    places,
                },
            });
        }
        self.spill()?;
        self.chunk = Vec::new();
        let mut heap = BinaryHeap::new();
        for mut file in std::mem::take(&mut self.runs) {
            file.seek(SeekFrom::Start(0))
                .map_err(|error| self.refused(&error))?;
            let mut run = Run {
                source: BufReader::with_capacity(AHEAD, file),
                record: vec![0; self.width],
                order: self.order,
            };
            if run.advance().map_err(|error| self.refused(&error))? {
                heap.push(Reverse(run));
            }
        }
        Ok(Sorted {
            record: vec![0; self.width],
            from: From::Disk {
                heap,
                folder: self.folder,
            },
        })
    }

    fn places(&self) -> Vec<u32> {
        let key = |place: u32| {
            let start = place as usize * self.width;
            &self.chunk[start..start + self.order]
        };
        let mut places: Vec<u32> = (0..(self.chunk.len() / self.width) as u32).collect();
        places.sort_unstable_by(|a, b| key(*a).cmp(key(*b)));
        places
    }

    /// Writes what is in memory as a sorted run.
    fn spill(&mut self) -> Result<(), Fault> {
        let written = self.write_run();
        let run = written.map_err(|error| self.refused(&error))?;
        self.runs.push(run);
        self.chunk.clear();
        Ok(())
    }

    fn write_run(&self) -> std::io::Result<File> {
        let mut out = BufWriter::with_capacity(AHEAD, tempfile::tempfile_in(&self.folder)?);
        for place in self.places() {
            let start = place as usize * self.width;
            out.write_all(&self.chunk[start..start + self.width])?;
        }
        Ok(out.into_inner()?)
    }

    fn refused(&self, error: &std::io::Error) -> Fault {
        scratch_refused(&self.folder, error)
    }
}

fn scratch_refused(folder: &Path, error: &std::io::Error) -> Fault {
    let fault = files::explain(folder, Doing::Write, error);
    Fault {
        message: format!("room to sort in: {}", fault.message),
        ..fault
    }
}

/// Records in order, one at a time.
pub(super) struct Sorted {
    record: Vec<u8>,
    from: From,
}

enum From {
    Memory {
        chunk: Vec<u8>,
        places: std::vec::IntoIter<u32>,
    },
    Disk {
        heap: BinaryHeap<Reverse<Run>>,
        folder: PathBuf,
    },
}

impl Sorted {
    /// The next record.
    pub fn next(&mut self) -> Result<Option<&[u8]>, Fault> {
        let width = self.record.len();
        match &mut self.from {
            From::Memory { chunk, places } => {
                let Some(place) = places.next() else {
                    return Ok(None);
                };
                let start = place as usize * width;
                self.record.copy_from_slice(&chunk[start..start + width]);
            }
            From::Disk { heap, folder } => {
                let Some(Reverse(mut run)) = heap.pop() else {
                    return Ok(None);
                };
                self.record.copy_from_slice(&run.record);
                let more = run.advance();
                if more.map_err(|error| scratch_refused(folder, &error))? {
                    heap.push(Reverse(run));
                }
            }
        }
        Ok(Some(&self.record))
    }
}

/// A sorted run on disk and its next record.
struct Run {
    source: BufReader<File>,
    record: Vec<u8>,
    order: usize,
}

impl Run {
    fn advance(&mut self) -> std::io::Result<bool> {
        match self.source.read_exact(&mut self.record) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn key(&self) -> &[u8] {
        &self.record[..self.order]
    }
}

impl PartialEq for Run {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Run {}

impl PartialOrd for Run {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Run {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(other.key())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(numbers: &[u32], room: usize) -> Vec<u32> {
        let folder = tempfile::tempdir().expect("a folder");
        let mut sorter = Sorter::new(folder.path(), 6, 4, room);
        for number in numbers {
            sorter
                .push(&[&number.to_be_bytes(), &[7, 7]])
                .expect("taken");
        }
        assert_eq!(sorter.len(), numbers.len() as u64);
        let mut back_in_order = sorter.sorted().expect("sorted");
        let mut back = Vec::new();
        while let Some(record) = back_in_order.next().expect("read") {
            assert_eq!(record[4..], [7, 7]);
            back.push(u32::from_be_bytes([
                record[0], record[1], record[2], record[3],
            ]));
        }
        back
    }

    #[test]
    fn records_come_back_in_order_from_memory_and_from_disk() {
        let numbers: Vec<u32> = (0..1000_u32)
            .map(|n| n.wrapping_mul(2_654_435_761))
            .collect();
        let mut wanted = numbers.clone();
        wanted.sort_unstable();
        for room in [0, 6, 60, 599, 6000, 1 << 20] {
            assert_eq!(sorted(&numbers, room), wanted, "room for {room} bytes");
        }
        assert_eq!(sorted(&[], 60), [0_u32; 0]);
    }

    #[test]
    fn a_folder_that_takes_no_files_is_named() {
        let mut sorter = Sorter::new(Path::new("no/such/folder"), 4, 4, 4);
        sorter.push(&[&[0; 4]]).expect("in memory");
        let fault = sorter.push(&[&[1; 4]]).expect_err("no folder");
        assert!(fault.message.contains("no/such/folder"), "{fault}");
        assert!(fault.hint.is_some(), "{fault}");
    }
}
