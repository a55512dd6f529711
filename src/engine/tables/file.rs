//! The file of a subspace, little-endian:
//!
//! ```text
//! magic 8 bytes, version u32, length of the header u32, header as JSON, CRC-32 of all so far
//! for each block: its length u32, its CRC-32 u32; then the CRC-32 of this list
//! the blocks: BLOCK values each, the last one fewer, compressed with DEFLATE
//! ```
//!
//! A value is a byte, or two bits in a table without distances. Reading a value reads its block only.

use std::{
    cmp::Ordering,
    fs::File,
    io::{Read, Write},
    ops::AddAssign,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};
use serde::{Deserialize, Serialize};

use super::{Subspace, code};
use crate::engine::{
    files::{self, FileAccess, checked, io_fault, u32_at},
    game::{Fault, Outcome, Result, TrueValue},
};

/// The first bytes of a file, as in PNG: a byte above 0x7F and both kinds of line end reveal a transfer in text mode.
const MAGIC: [u8; 8] = *b"\x89PLT\r\n\x1a\n";
const VERSION: u32 = 1;
/// Bytes before the header: magic, version, length.
const HEAD: usize = 16;
/// The longest header in bytes: a damaged length must not allocate gigabytes.
const MAX_HEADER: usize = 1 << 16;
/// The number of values in every block but the last.
pub(super) const BLOCK: usize = 1 << 14;
/// The most blocks of a file kept in memory, 16 kB each: enough that a search seldom reads a block twice.
const CACHED: usize = 512;

/// Whether a table has distances, or outcomes only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::Display)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum TableKind {
    /// Win, draw and loss, with the plies to the end.
    Distance,
    /// Win, draw and loss only.
    Wdl,
}

/// Positions by outcome for the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Counts {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl Counts {
    /// The total number of positions, whatever their outcome.
    pub fn total(self) -> u64 {
        self.wins + self.draws + self.losses
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, more: Self) {
        self.wins += more.wins;
        self.draws += more.draws;
        self.losses += more.losses;
    }
}

/// One of the longest endings of a subspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Longest {
    /// The number of plies to the end of the game.
    pub plies: u32,
    /// The last position with this number of plies, as its index in the table.
    pub index: u32,
}

/// Statistics of a subspace: outcomes and longest endings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Census {
    /// All positions by outcome.
    pub positions: Counts,
    /// Positions by outcome; of positions equal by symmetry, one counts.
    pub classes: Counts,
    /// The longest win; `None` in tables without distances.
    pub longest_win: Option<Longest>,
    /// The longest loss; `None` in tables without distances.
    pub longest_loss: Option<Longest>,
}

impl Census {
    /// Adds a position with the positions equal to it by symmetry, `orbit` in all.
    pub(super) fn add(&mut self, index: usize, orbit: u32, value: TrueValue) {
        let longest = value.plies.map(|plies| Longest { plies, index: index as u32 });
        let Self { positions, classes, longest_win, longest_loss } = self;
        let (all, once, known) = match value.outcome {
            Outcome::Win => (&mut positions.wins, &mut classes.wins, longest_win),
            Outcome::Draw => (&mut positions.draws, &mut classes.draws, &mut None),
            Outcome::Loss => (&mut positions.losses, &mut classes.losses, longest_loss),
        };
        *all += u64::from(orbit);
        *once += 1;
        *known = longest.max(*known);
    }
}

impl AddAssign for Census {
    fn add_assign(&mut self, more: Self) {
        self.positions += more.positions;
        self.classes += more.classes;
        self.longest_win = self.longest_win.max(more.longest_win);
        self.longest_loss = self.longest_loss.max(more.longest_loss);
    }
}

/// The header of a table file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableHeader {
    /// The name of the game, such as `morris`.
    pub game: String,
    /// The rules for which the values hold, such as `flying=on`.
    pub rules: String,
    /// The numbers of stones of the side to move and of the opponent.
    pub subspace: Subspace,
    /// Whether the table has distances, or outcomes only.
    pub kind: TableKind,
    /// The number of values in the table, one for each index.
    pub values: u64,
    /// Statistics of the subspace: outcomes and longest endings.
    pub census: Census,
}

/// A compressed block of values.
pub(super) struct Block(Vec<u8>);

impl Block {
    pub(super) fn of(codes: &[u8], kind: TableKind) -> Self {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        let bytes = match kind {
            TableKind::Distance => codes.to_vec(),
            TableKind::Wdl => codes.chunks(4).map(pack).collect(),
        };
        // Writing to memory does not fail.
        encoder.write_all(&bytes).ok();
        Self(encoder.finish().unwrap_or_default())
    }
}

/// Four values in a byte, the first one in the lowest bits.
fn pack(codes: &[u8]) -> u8 {
    let two_bits = |code: u8| match code {
        code::DRAW => 0,
        win if code::is_win(win) => 2,
        _ => 1,
    };
    codes.iter().rev().fold(0, |byte, &code| byte << 2 | two_bits(code))
}

/// Writes a file atomically. Returns its length in bytes.
pub(super) fn write(path: &Path, header: &TableHeader, blocks: &[Block]) -> Result<u64> {
    let json = serde_json::to_vec(header).map_err(|error| Fault::new(error.to_string()))?;
    let mut head =
        [&MAGIC[..], &VERSION.to_le_bytes(), &(json.len() as u32).to_le_bytes()].concat();
    head.extend(json);
    head.extend(crc32fast::hash(&head).to_le_bytes());
    let sizes = |Block(bytes): &Block| {
        [(bytes.len() as u32).to_le_bytes(), crc32fast::hash(bytes).to_le_bytes()].concat()
    };
    let mut list: Vec<u8> = blocks.iter().flat_map(sizes).collect();
    list.extend(crc32fast::hash(&list).to_le_bytes());
    files::write_atomically(path, |out| {
        out.write_all(&head)?;
        out.write_all(&list)?;
        blocks.iter().try_for_each(|Block(bytes)| out.write_all(bytes))?;
        let blocks: usize = blocks.iter().map(|Block(bytes)| bytes.len()).sum();
        Ok((head.len() + list.len() + blocks) as u64)
    })
}

/// A block in the file: offset, length and CRC-32.
type Place = (u64, u32, u32);

/// Blocks in memory with their numbers, each at its number modulo [`CACHED`].
type CachedBlocks = Vec<Option<(usize, Vec<u8>)>>;

/// An open file, whose header and list of blocks are sound.
#[derive(Debug)]
pub struct TableFile {
    path: PathBuf,
    file: File,
    /// The header of the file, which was checked.
    pub header: TableHeader,
    /// The length of the file in bytes.
    pub bytes: u64,
    places: Vec<Place>,
    cached: Mutex<CachedBlocks>,
}

impl TableFile {
    /// Opens a file and checks everything but the blocks.
    pub fn open(path: &Path) -> Result<Self> {
        let (file, bytes) = files::open(path)?;
        let (header, head) = read_header(&file).map_err(|why| unusable_file(path, &why))?;
        let places =
            read_places(&file, bytes, &header, head).map_err(|why| unusable_file(path, &why))?;
        let path = path.to_owned();
        Ok(Self { path, file, header, bytes, places, cached: Mutex::default() })
    }

    /// The code of the value at an index.
    pub(super) fn code(&self, index: usize) -> Result<u8> {
        let number = index / BLOCK;
        let mut cached = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        cached.resize(self.places.len().min(CACHED), None);
        let place = cached.get_mut(number % CACHED);
        let place = place.ok_or_else(|| unusable_file(&self.path, "it has no such value"))?;
        let block = match place {
            Some((cached, block)) if *cached == number => block,
            place => &mut place.insert((number, self.read_block(number)?)).1,
        };
        Ok(block[index % BLOCK])
    }

    /// The codes of the values in a block.
    pub(super) fn read_block(&self, number: usize) -> Result<Vec<u8>> {
        let mut bytes = self.inflate(number)?;
        if self.header.kind == TableKind::Wdl {
            bytes = bytes.iter().flat_map(|byte| [0, 2, 4, 6].map(|at| byte >> at & 3)).collect();
            bytes.truncate(self.block_length(number));
        }
        Ok(bytes)
    }

    /// The win/draw/loss values of a block, four in a byte.
    pub(super) fn read_packed(&self, number: usize) -> Result<Vec<u8>> {
        let bytes = self.inflate(number)?;
        Ok(match self.header.kind {
            TableKind::Wdl => bytes,
            TableKind::Distance => bytes.chunks(4).map(pack).collect(),
        })
    }

    /// The number of blocks.
    pub(super) fn blocks(&self) -> usize {
        self.places.len()
    }

    fn block_length(&self, number: usize) -> usize {
        (self.header.values as usize - number * BLOCK).min(BLOCK)
    }

    fn inflate(&self, number: usize) -> Result<Vec<u8>> {
        let damaged = || unusable_file(&self.path, &format!("block {} is damaged", number + 1));
        let &(offset, length, sum) = self.places.get(number).ok_or_else(damaged)?;
        let mut packed = vec![0; length as usize];
        self.file
            .read_exact_at(&mut packed, offset)
            .map_err(|error| io_fault(&self.path, FileAccess::Read, &error))?;
        if crc32fast::hash(&packed) != sum {
            return Err(damaged());
        }
        let values = self.block_length(number);
        let bytes = match self.header.kind {
            TableKind::Distance => values,
            TableKind::Wdl => values.div_ceil(4),
        };
        let mut unpacked = Vec::with_capacity(bytes);
        // One byte more than expected, to detect a block that is too long.
        let read = DeflateDecoder::new(&*packed).take(bytes as u64 + 1).read_to_end(&mut unpacked);
        if read.is_err() || unpacked.len() != bytes {
            return Err(damaged());
        }
        Ok(unpacked)
    }
}

fn unusable_file(path: &Path, why: &str) -> Fault {
    Fault::word(path.display(), format!("cannot be used: {why}"))
        .hint("remove the file and build the table again: `tables build`")
}

fn read_at(file: &File, offset: usize, length: usize) -> Result<Vec<u8>, String> {
    let mut bytes = vec![0; length];
    file.read_exact_at(&mut bytes, offset as u64).map_err(|_| "the file is cut off".to_owned())?;
    Ok(bytes)
}

/// The header of a file, and the offset of its list of blocks.
fn read_header(file: &File) -> Result<(TableHeader, usize), String> {
    let head = read_at(file, 0, HEAD)?;
    if head[..8] != MAGIC {
        return Err("it is not an endgame table".to_owned());
    }
    let (version, length) = (u32_at(&head, 8), u32_at(&head, 12) as usize);
    if version != VERSION {
        return Err(format!("it has format version {version}, not {VERSION}"));
    }
    let damaged = || "the header is damaged".to_owned();
    if length > MAX_HEADER {
        return Err(damaged());
    }
    let whole = read_at(file, 0, HEAD + length + 4)?;
    let json = &checked(&whole).ok_or_else(damaged)?[HEAD..];
    let header: TableHeader = serde_json::from_slice(json).map_err(|_| damaged())?;
    let Subspace { own, other } = header.subspace;
    if header.values != super::index::index_count(own, other) {
        return Err(format!("it has {} values, which {own}-{other} has not", header.values));
    }
    Ok((header, HEAD + length + 4))
}

fn read_places(
    file: &File,
    bytes: u64,
    header: &TableHeader,
    begin: usize,
) -> Result<Vec<Place>, String> {
    let blocks = (header.values as usize).div_ceil(BLOCK);
    let list = read_at(file, begin, blocks * 8 + 4)?;
    let pairs = checked(&list).ok_or("the list of blocks is damaged")?.chunks(8);
    let mut offset = (begin + list.len()) as u64;
    let places = pairs.map(|pair| {
        let place = (offset, u32_at(pair, 0), u32_at(pair, 4));
        offset += u64::from(place.1);
        place
    });
    let places = places.collect();
    match bytes.cmp(&offset) {
        Ordering::Less => Err("the file is cut off".to_owned()),
        Ordering::Equal => Ok(places),
        Ordering::Greater => Err("bytes follow the last block".to_owned()),
    }
}
